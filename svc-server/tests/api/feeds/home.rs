//! The home feed: what it contains of followed accounts and hashtags, and what it omits.

use svc_client::types::Span;
use svc_core::services::feed::MANY;

use super::{contents, follow, home, publish, set_status};
use crate::app::all_items;
use crate::on_both_engines;

on_both_engines! {
    async fn home_contains_posts_and_reposts_of_followed_accounts(app: TestApp) {
        let [ada, bob, cyd, dan] = app.agents(["ada", "bob", "cyd", "dan"]).await;
        for whom in [&bob, &cyd] {
            follow(&ada, whom).await;
        }
        assert!(home(&ada).await.is_empty());
        publish(&app, &ada, "my own").await;
        let of_bob = publish(&app, &bob, "of bob").await;
        let of_dan = publish(&app, &dan, "of dan").await;
        bob.reply(&of_dan, "a reply").await;
        app.advance(1);
        let quote = cyd.client.posts().create("a quote").quote(&of_dan.id);
        quote.await.unwrap();
        app.advance(1);
        cyd.client.reactions().repost(&of_dan.id).await.unwrap();
        app.advance(1);
        let reposted_at = app.server.clock().now();
        cyd.client.reactions().repost(&of_bob.id).await.unwrap();
        app.advance(1);
        let shown = ada.client.feed().home().await.unwrap().posts;
        assert_eq!(contents(shown.clone()), ["of bob", "of dan", "a quote"], "each once, its latest place");
        let repost = shown[0].repost.as_ref().unwrap();
        assert_eq!((repost.by.id.clone(), repost.created_at), (cyd.user.id.clone(), reposted_at));
        assert!(repost.id.as_str().starts_with("rep_"));
        assert_eq!((shown[0].reposts_count, shown[0].created_at), (1, of_bob.created_at));
        let again = ada.client.feed().home().await.unwrap().posts;
        assert_eq!(again[0].repost, shown[0].repost);
        cyd.client.reactions().unrepost(&of_bob.id).await.unwrap();
        assert_eq!(home(&ada).await, ["of dan", "a quote", "of bob"]);
        let whole = all_items(ada.client.feed().home().limit(1)).await;
        assert_eq!(contents(whole), ["of dan", "a quote", "of bob"]);
        ada.client.relations().unfollow("cyd").await.unwrap();
        assert_eq!(home(&ada).await, ["of bob"]);
    }

    async fn home_omits_muted_accounts_until_the_mute_ends(app: TestApp) {
        let [ada, bob, cyd] = app.agents(["ada", "bob", "cyd"]).await;
        follow(&ada, &bob).await;
        follow(&ada, &cyd).await;
        let of_bob = publish(&app, &bob, "of bob").await;
        publish(&app, &cyd, "of cyd").await;
        cyd.client.reactions().repost(&of_bob.id).await.unwrap();
        ada.client.relations().mute("bob").expires_in(Span::from_secs(60)).await.unwrap();
        assert_eq!(home(&ada).await, ["of cyd"], "not even through a repost");
        app.advance(59);
        assert_eq!(home(&ada).await, ["of cyd"]);
        app.advance(1);
        assert_eq!(home(&ada).await, ["of bob", "of cyd"]);
        ada.client.relations().mute("cyd").await.unwrap();
        assert_eq!(home(&ada).await, ["of bob"]);
    }

    async fn home_of_an_account_that_follows_many_omits_muted_accounts(app: TestApp) {
        let [ada, bob, cyd] = app.agents(["ada", "bob", "cyd"]).await;
        follow(&ada, &bob).await;
        follow(&ada, &cyd).await;
        for n in 2..MANY {
            follow(&ada, &app.agent(&format!("silent_{n}")).await).await;
        }
        publish(&app, &cyd, "of cyd").await;
        publish(&app, &cyd, "more of cyd").await;
        publish(&app, &bob, "of bob").await;
        ada.client.relations().mute("bob").expires_in(Span::from_secs(60)).await.unwrap();
        // A page that is full is found among the latest entries of all accounts.
        let newest = async || contents(ada.client.feed().home().limit(1).await.unwrap().posts);
        assert_eq!(newest().await, ["more of cyd"]);
        app.advance(60);
        assert_eq!(newest().await, ["of bob"]);
    }

    async fn home_omits_members_of_an_exclusive_list_however_many_are_followed(app: TestApp) {
        let [ada, bob, cyd, dan] = app.agents(["ada", "bob", "cyd", "dan"]).await;
        for whom in [&bob, &cyd, &dan] {
            follow(&ada, whom).await;
        }
        publish(&app, &dan, "of dan").await;
        publish(&app, &cyd, "of cyd").await;
        publish(&app, &cyd, "more of cyd").await;
        publish(&app, &bob, "of bob").await;
        let lists = ada.client.lists();
        let apart = lists.create("apart").exclusive(true).await.unwrap().list.id;
        lists.add(&apart, ["bob"]).await.unwrap();
        let of_bob = bob.client.lists().create("apart").exclusive(true).await.unwrap().list.id;
        bob.client.lists().add(&of_bob, ["cyd"]).await.unwrap();
        assert_eq!(home(&ada).await, ["more of cyd", "of cyd", "of dan"], "only her own list counts");
        for n in 3..MANY {
            follow(&ada, &app.agent(&format!("silent_{n}")).await).await;
        }
        let newest = async || contents(ada.client.feed().home().limit(1).await.unwrap().posts);
        assert_eq!(newest().await, ["more of cyd"]);
        lists.update(&apart).exclusive(false).await.unwrap();
        assert_eq!(newest().await, ["of bob"]);
    }

    async fn home_contains_followed_hashtags_but_nothing_of_muted_and_blocked_accounts(app: TestApp) {
        let [ada, bob, cyd, eve] = app.agents(["ada", "bob", "cyd", "eve"]).await;
        ada.client.hashtags().follow("rust").await.unwrap();
        for author in [&bob, &cyd, &eve] {
            publish(&app, author, &format!("{} #rust", author.user.username)).await;
        }
        app.index().await;
        assert_eq!(home(&ada).await, ["eve #rust", "cyd #rust", "bob #rust"]);
        ada.client.relations().mute("bob").await.unwrap();
        app.block(&cyd, &ada).await;
        assert_eq!(home(&ada).await, ["eve #rust"]);
        let top = publish(&app, &eve, "without").await;
        eve.reply(&top, "a reply with #rust").await;
        assert_eq!(home(&ada).await, ["eve #rust"], "replies are no part of it");
        let lists = ada.client.lists();
        let apart = lists.create("apart").exclusive(true).await.unwrap().list.id;
        let near = lists.create("near").await.unwrap().list.id;
        lists.add(&near, ["eve"]).await.unwrap();
        assert_eq!(home(&ada).await, ["eve #rust"], "this list sets nobody apart");
        lists.add(&apart, ["eve"]).await.unwrap();
        assert_eq!(home(&ada).await, Vec::<String>::new(), "nor is who is set apart");
        lists.delete(&apart).await.unwrap();
        set_status(&app, &eve, "limited").await;
        assert_eq!(home(&ada).await, Vec::<String>::new(), "nor is who is limited and not followed");
        set_status(&app, &eve, "active").await;
        assert_eq!(home(&ada).await, ["eve #rust"]);
        ada.client.hashtags().unfollow("rust").await.unwrap();
        assert_eq!(home(&ada).await, Vec::<String>::new());
    }

    async fn replies_with_a_followed_hashtag_do_not_empty_the_home_feed(app: TestApp) {
        let [ada, bob, eve] = app.agents(["ada", "bob", "eve"]).await;
        ada.client.hashtags().follow("rust").await.unwrap();
        publish(&app, &bob, "one #rust").await;
        let top = publish(&app, &bob, "two #rust").await;
        for _ in 0..40 {
            eve.reply(&top, "a reply with #rust").await;
        }
        let both = ["two #rust", "one #rust"];
        assert_eq!(home(&ada).await, both);
        for (limit, shown) in [(1, 1), (2, 2), (100, 2)] {
            let first = contents(ada.client.feed().home().limit(limit).await.unwrap().posts);
            assert_eq!(first, both[..shown], "limit {limit}");
        }
        let whole = contents(all_items(ada.client.feed().home().limit(1)).await);
        assert_eq!(whole, both, "each on one page");
        let latest = ada.client.home().await.unwrap().home.latest_from_followed;
        assert_eq!(contents(latest), both);
    }

    async fn home_merges_followed_accounts_and_hashtags_newest_first(app: TestApp) {
        let [ada, bob, cyd] = app.agents(["ada", "bob", "cyd"]).await;
        follow(&ada, &bob).await;
        ada.client.hashtags().follow("rust").await.unwrap();
        for (author, content) in [
            (&bob, "one"), (&cyd, "two #rust"), (&bob, "three #rust"), (&cyd, "four"), (&cyd, "five #rust"), (&bob, "six"),
        ] {
            publish(&app, author, content).await;
        }
        for limit in 1..=6 {
            let whole = contents(all_items(ada.client.feed().home().limit(limit)).await);
            assert_eq!(whole, ["six", "five #rust", "three #rust", "two #rust", "one"], "limit {limit}");
        }
    }

    async fn home_omits_blocked_hidden_deleted_and_suspended(app: TestApp) {
        let [ada, bob, cyd, dan, eve] = app.agents(["ada", "bob", "cyd", "dan", "eve"]).await;
        follow(&ada, &bob).await;
        follow(&ada, &dan).await;
        let hidden = publish(&app, &bob, "hidden").await;
        let deleted = publish(&app, &bob, "deleted").await;
        for (author, content) in [(&cyd, "of cyd"), (&eve, "of eve"), (&dan, "of dan")] {
            let post = publish(&app, author, content).await;
            bob.client.reactions().repost(&post.id).await.unwrap();
        }
        assert_eq!(home(&ada).await, ["of dan", "of eve", "of cyd", "deleted", "hidden"]);
        app.hide(&hidden).await;
        bob.client.posts().delete(&deleted.id).await.unwrap();
        assert_eq!(home(&ada).await, ["of dan", "of eve", "of cyd"]);
        ada.client.relations().block("cyd").await.unwrap();
        assert_eq!(home(&ada).await, ["of dan", "of eve"]);
        eve.client.relations().block("ada").await.unwrap();
        assert_eq!(home(&ada).await, ["of dan"]);
        app.suspend("dan").await;
        assert!(home(&ada).await.is_empty());
    }
}
