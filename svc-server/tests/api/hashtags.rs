//! Hashtags: counted, listed and followed.

use svc_client::types::Code;
use svc_client::types::api::hashtags::{
    FollowHashtag, GetHashtag, Hashtag, HashtagPostSort, HashtagSort, HashtagWindow, ListHashtags,
};
use svc_client::types::api::moderation::ModerationActionType as Kind;
use svc_client::types::api::reports::Subject;
use svc_client::{Call, Client};
use svc_core::services::visibility;
use svc_server::testing::Engine::Postgres;
use svc_server::testing::START;
use svc_store::{sql, values};

use crate::app::{Member, TestApp, all_items, code, fault};
use crate::held::{Held, waiting};
use crate::moderation::staff;
use crate::on_both_engines;

/// Milliseconds of an hour.
const HOUR: i64 = 3_600_000;

async fn hashtag(client: &Client, name: &str) -> Hashtag {
    client.hashtags().get(name).await.unwrap().hashtag
}

/// Posts and accounts of a hashtag.
async fn counts(client: &Client, name: &str) -> (i64, i64) {
    let hashtag = hashtag(client, name).await;
    (hashtag.posts_count, hashtag.accounts_count)
}

async fn names(list: Call<ListHashtags>) -> Vec<String> {
    all_items(list).await.into_iter().map(|hashtag| hashtag.name).collect()
}

/// Texts of the posts of a hashtag, one a page.
async fn contents(client: &Client, name: &str, sort: HashtagPostSort) -> Vec<String> {
    let list = client.hashtags().posts(name).sort(sort).limit(1);
    all_items(list).await.into_iter().map(|post| post.content).collect()
}

/// Posts of these members, each with this text; the clock frees the slots.
async fn each_posts(app: &TestApp, members: &[&Member], text: &str) {
    for member in members {
        member.post(text).await;
    }
    app.advance(1800);
}

on_both_engines! {
    async fn a_hashtag_counts_posts_and_accounts_of_the_last_day(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let top = ada.post("on #Rust and #rust").await;
        ada.reply(&top, "still #RUST").await;
        bob.reply(&top, "#rust!").await;
        assert_eq!(counts(&app.anonymous, "rust").await, (0, 0), "it was used, and not yet counted");
        app.index().await;
        let rust = hashtag(&app.anonymous, "#RuSt").await;
        assert_eq!((&*rust.name, rust.posts_count, rust.accounts_count), ("rust", 3, 2));
        assert_eq!(rust.viewer, None);
        let history = rust.history.unwrap();
        assert_eq!(history.len(), 24);
        let hour = START.as_millis() / HOUR * HOUR;
        assert_eq!((history[23].start.as_millis(), history[0].start.as_millis()), (hour, hour - 23 * HOUR));
        assert_eq!((history[23].posts, history[23].accounts, history[22].posts), (3, 2, 0));
        app.advance(23 * 3600);
        app.index().await;
        let after = hashtag(&app.anonymous, "rust").await.history.unwrap();
        assert_eq!((after[0].posts, after[0].start.as_millis()), (3, hour));
        app.advance(3600);
        app.index().await;
        assert_eq!(counts(&app.anonymous, "rust").await, (0, 0));
        let week = app.anonymous.hashtags().list().window(HashtagWindow::Week).page().await.unwrap();
        assert_eq!((week.items[0].posts_count, week.items[0].accounts_count), (3, 2));
        assert_eq!(week.items[0].history.as_ref().unwrap().len(), 7);
        app.advance(7 * 86_400);
        app.index().await;
        let week = app.anonymous.hashtags().list().window(HashtagWindow::Week).page().await.unwrap();
        assert_eq!(week.items, []);
        assert_eq!(counts(&app.anonymous, "rust").await, (0, 0), "an old hashtag is still there");
    }

    async fn posts_of_a_hashtag_that_are_equally_liked_are_all_listed(app: TestApp) {
        for name in ["ada", "bob", "eve"] {
            app.agent(name).await.post(&format!("{name} #x")).await;
        }
        app.index().await;
        for sort in [HashtagPostSort::New, HashtagPostSort::Hot, HashtagPostSort::Top] {
            let mut found = contents(&app.anonymous, "x", sort.clone()).await;
            found.sort();
            assert_eq!(found, ["ada #x", "bob #x", "eve #x"], "{sort}: each is on one page");
        }
    }

    async fn an_account_that_posts_at_several_times_is_counted_once(app: TestApp) {
        let ada = app.agent("ada").await;
        let top = ada.post("#rust").await;
        app.advance(3600);
        ada.reply(&top, "still #rust").await;
        app.advance(61);
        app.index().await;
        let day = hashtag(&app.anonymous, "rust").await;
        assert_eq!((day.posts_count, day.accounts_count), (2, 1));
        let history = day.history.unwrap();
        assert_eq!((history[22].accounts, history[23].accounts), (1, 1), "in each hour");
        app.advance(86_400);
        ada.reply(&top, "#rust again").await;
        app.advance(61);
        app.index().await;
        let week = app.anonymous.hashtags().list().window(HashtagWindow::Week).page().await.unwrap();
        assert_eq!((week.items[0].posts_count, week.items[0].accounts_count), (3, 1));
    }

    async fn hidden_posts_are_not_counted(app: TestApp) {
        let [ada, bob, eve] = app.agents(["ada", "bob", "eve"]).await;
        let top = ada.post("#x").await;
        let (edited, deleted) = (bob.reply(&top, "#x #y").await, bob.reply(&top, "#x #gone").await);
        let hidden = eve.reply(&top, "#x #alone").await;
        app.index().await;
        assert_eq!(counts(&ada.client, "x").await, (4, 3));
        app.hide(&hidden).await;
        bob.client.posts().edit(&edited.id).content("now #z").await.unwrap();
        bob.client.posts().delete(&deleted.id).await.unwrap();
        app.advance(61);
        app.index().await;
        assert_eq!(counts(&ada.client, "x").await, (1, 1));
        assert_eq!(counts(&ada.client, "z").await, (1, 1));
        assert_eq!(counts(&ada.client, "alone").await, (0, 0));
        let id = hidden.id.clone();
        app.server.app().write(move |ctx| visibility::restore(ctx, &id)).await.unwrap();
        app.index().await;
        assert_eq!(counts(&ada.client, "alone").await, (1, 1), "until they are shown again");
        let by_name = async || names(app.anonymous.hashtags().list().sort(HashtagSort::Name).limit(1)).await;
        assert_eq!(by_name().await, ["alone", "x", "z"]);
        app.hide(&hidden).await;
        assert_eq!(by_name().await, ["x", "z"], "nor listed");
        for name in ["y", "gone"] {
            assert_eq!(code::<GetHashtag>(ada.client.hashtags().get(name).await), Code::NotFound, "{name}");
        }
        app.limit(&bob).await;
        app.advance(13 * 3600);
        app.index().await;
        assert_eq!(counts(&ada.client, "z").await, (0, 0));
        assert_eq!(by_name().await, ["x"]);
        app.suspend("ada").await;
        assert_eq!(by_name().await, [""; 0]);
        app.advance(660);
        app.index().await;
        assert_eq!(names(app.anonymous.hashtags().list()).await, Vec::<String>::new());
    }

    async fn what_an_account_made_popular_leaves_and_returns_with_it(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let judge = staff(&app, "judge", "moderator").await;
        ada.post("#raid, all of you").await;
        bob.post("#calm").await;
        let popular = async || {
            app.index().await;
            let mut found = names(app.anonymous.hashtags().list()).await;
            found.sort();
            found
        };
        let act = async |kind| {
            let acting = judge.client.moderation().act(Subject::user("ada"), kind, "the rules");
            acting.await.unwrap();
        };
        assert_eq!(popular().await, ["calm", "raid"]);
        for (gone, back) in [(Kind::Limit, Kind::Unlimit), (Kind::Suspend, Kind::Unsuspend)] {
            act(gone).await;
            assert_eq!(popular().await, ["calm"]);
            act(back).await;
            assert_eq!(popular().await, ["calm", "raid"]);
        }
        ada.client.users().delete_me("ada").await.unwrap();
        assert_eq!(popular().await, ["calm"]);
        ada.client.auth().restore().await.unwrap();
        assert_eq!(popular().await, ["calm", "raid"]);
    }

    async fn a_hashtag_of_accounts_that_return_is_counted_again(app: TestApp) {
        let [ada, eve] = app.agents(["ada", "eve"]).await;
        ada.post("#hers").await;
        eve.post("#theirs").await;
        app.index().await;
        app.suspend("ada").await;
        eve.client.users().delete_me("eve").await.unwrap();
        app.advance(660);
        app.index().await;
        for name in ["hers", "theirs"] {
            assert_eq!(counts(&app.anonymous, name).await, (0, 0), "{name}");
        }
        app.unsuspend("ada").await;
        eve.client.auth().restore().await.unwrap();
        app.advance(660);
        app.index().await;
        for name in ["hers", "theirs"] {
            assert_eq!(counts(&app.anonymous, name).await, (1, 1), "{name}");
        }
        assert_eq!(names(app.anonymous.hashtags().list()).await, ["hers", "theirs"]);
    }

    async fn a_hashtag_is_listed_for_the_newest_of_its_posts(app: TestApp) {
        let ada = app.agent("ada").await;
        ada.post("#used").await;
        app.index().await;
        // A hundred before it are hidden.
        app.execute(|ctx| {
            let sql = sql!(
                "with recursive n (i) as (select 100 union all select i + 1 from n where i < 199)
                 insert into post (id, author, content, reply_policy, likes_count, reposts_count,
                    replies_count, quotes_count, pinned, created_at, hidden, points)
                 select 'post_-' || i, a.id, '#used', 'everyone', 0, 0, 0, 0, false, 0, true, 0
                 from n cross join account a where a.username = 'ada'"
            );
            ctx.tx.execute(sql, &[])?;
            let sql = sql!("insert into post_hashtag (post, tag) select id, 'used' from post where hidden = true");
            ctx.tx.execute(sql, &[])
        }).await;
        assert_eq!(names(app.anonymous.hashtags().list().sort(HashtagSort::Name)).await, ["used"]);
    }

    async fn trending_counts_accounts_and_not_repetitions(app: TestApp) {
        let [ada, bob, eve] = app.agents(["ada", "bob", "eve"]).await;
        let top = ada.post("#broad #both").await;
        bob.reply(&top, "#broad #both").await;
        eve.reply(&top, "#broad").await;
        for _ in 0..5 {
            eve.reply(&top, "#spam #spice").await;
        }
        app.index().await;
        let list = || app.anonymous.hashtags().list().limit(1);
        assert_eq!(names(list()).await, ["broad", "both", "spam", "spice"]);
        assert_eq!(names(list().window(HashtagWindow::Week)).await, ["broad", "both", "spam", "spice"]);
        assert_eq!(names(list().beginning("B")).await, ["broad", "both"]);
        assert_eq!(names(list().sort(HashtagSort::Name)).await, ["both", "broad", "spam", "spice"]);
        assert_eq!(names(list().sort(HashtagSort::Name).beginning("#BR")).await, ["broad"]);
        let refused = app.anonymous.hashtags().list().beginning("!").await;
        assert_eq!(fault::<ListHashtags>(refused), (Code::ValidationFailed, "q".to_owned()));
    }

    async fn a_hashtag_is_found_in_any_spelling(app: TestApp) {
        let ada = app.agent("ada").await;
        let top = ada.post("#cafe\u{301} #İstanbul #می\u{200c}روم #日本語 #हिन्दी #ﬁn #½cup").await;
        app.index().await;
        for name in [
            "caf\u{e9}", "CAFE\u{301}", "#Caf\u{e9}", "istanbul", "İSTANBUL", "میروم", "#日本語",
            "हिन्दी", "ＦＩＮ", "½CUP", "12cup",
        ] {
            assert_eq!(counts(&app.anonymous, name).await, (1, 1), "{name}");
            let posts = app.anonymous.hashtags().posts(name).page().await.unwrap().items;
            assert_eq!(posts[0].id, top.id, "{name}");
        }
        let stored = ["café", "istanbul", "میروم", "日本語", "हिन्दी", "fin", "12cup"];
        assert_eq!(top.hashtags, stored);
        for name in ["caf", "unused", "a b", "a-b", "12", "#", "😀", "%", "'"] {
            let found = app.anonymous.hashtags().get(name).await;
            assert_eq!(code::<GetHashtag>(found), Code::NotFound, "{name}");
            let posts = app.anonymous.hashtags().posts(name).await.unwrap_err();
            assert_eq!(posts.code(), Some(&Code::NotFound), "{name}");
        }
    }

    async fn posts_of_a_hashtag_are_sorted_by_time_heat_or_engagement(app: TestApp) {
        let [ada, bob, eve] = app.agents(["ada", "bob", "eve"]).await;
        let old = ada.post("old #x").await;
        bob.client.reactions().like(&old.id).await.unwrap();
        eve.client.reactions().like(&old.id).await.unwrap();
        app.advance(86_400);
        let new = bob.post("new #x").await;
        ada.reply(&new, "reply #x").await;
        let none = eve.post("none").await;
        eve.reply(&none, "hidden #x").await;
        let all = ["hidden #x", "reply #x", "new #x", "old #x"];
        assert_eq!(contents(&app.anonymous, "X", HashtagPostSort::New).await, all);
        assert_eq!(contents(&app.anonymous, "x", HashtagPostSort::Hot).await, ["new #x", "old #x"]);
        assert_eq!(contents(&app.anonymous, "x", HashtagPostSort::Top).await, ["old #x", "new #x"]);
        app.limit(&eve).await;
        assert_eq!(contents(&app.anonymous, "x", HashtagPostSort::New).await, all[1..]);
        eve.client.relations().block("bob").await.unwrap();
        ada.client.relations().mute("bob").await.unwrap();
        for reader in [&eve, &ada] {
            let seen = contents(&reader.client, "x", HashtagPostSort::New).await;
            assert_eq!(seen, ["reply #x", "old #x"]);
            assert_eq!(contents(&reader.client, "x", HashtagPostSort::Hot).await, ["old #x"]);
        }
        app.hide(&old).await;
        assert_eq!(contents(&app.anonymous, "x", HashtagPostSort::Top).await, ["new #x"]);
    }

    async fn any_hashtag_may_be_followed(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        each_posts(&app, &[&bob], "#used").await;
        app.index().await;
        let hashtags = ada.client.hashtags();
        for name in ["#Used", "new", "NEW", "1a"] {
            assert!(hashtags.follow(name).await.unwrap().following, "{name}");
        }
        let followed = all_items(hashtags.followed().limit(1)).await;
        let names: Vec<&str> = followed.iter().map(|hashtag| &*hashtag.name).collect();
        assert_eq!(names, ["1a", "new", "used"]);
        assert_eq!(followed[2].posts_count, 1);
        assert!(followed[1].viewer.as_ref().unwrap().following);
        assert!(hashtag(&ada.client, "new").await.viewer.unwrap().following);
        assert_eq!(code::<GetHashtag>(bob.client.hashtags().get("new").await), Code::NotFound);
        assert!(!hashtag(&bob.client, "used").await.viewer.unwrap().following);
        bob.client.hashtags().follow("new").await.unwrap();
        for _ in 0..2 {
            assert!(!hashtags.unfollow("#NEW").await.unwrap().following);
        }
        assert_eq!(all_items(hashtags.followed()).await.len(), 2, "the others are left");
        assert_eq!(all_items(bob.client.hashtags().followed()).await.len(), 1);
        assert_eq!(code::<GetHashtag>(hashtags.get("new").await), Code::NotFound);
        let long = "a".repeat(65);
        for name in ["a b", "12", "#", "😀", &long] {
            let refused = fault::<FollowHashtag>(hashtags.follow(name).await);
            assert_eq!(refused, (Code::ValidationFailed, "name".to_owned()), "{name}");
        }
        let id = ada.user.id.clone();
        app.execute(move |ctx| {
            let sql = sql!(
                "with recursive n (i) as (select 1 union all select i + 1 from n where i < 998)
                 insert into hashtag_follow (account, tag, created_at) select $1, 'tag_' || i, 0 from n"
            );
            ctx.tx.execute(sql, values![id])
        }).await;
        assert!(hashtags.follow("used").await.unwrap().following, "one of a thousand");
        assert_eq!(code::<FollowHashtag>(hashtags.follow("more").await), Code::LimitReached);
    }

    async fn hashtags_of_an_existing_database_are_counted(app: TestApp) {
        let ada = app.agent("ada").await;
        ada.post("#before").await;
        app.index().await;
        app.execute(|ctx| {
            let sql = sql!("update hashtag set posts_day = 0, accounts_day = 0, counted_at = $1,
                due_at = 0");
            ctx.tx.execute(sql, values![0])
        }).await;
        app.index().await;
        assert_eq!(counts(&app.anonymous, "before").await, (1, 1));
    }

    async fn feeds_quote_no_account_that_is_muted_or_blocked(app: TestApp) {
        let [ada, bob, cyd] = app.agents(["ada", "bob", "cyd"]).await;
        ada.client.relations().follow("bob").await.unwrap();
        let list = ada.client.lists().create("near").await.unwrap().list.id;
        ada.client.lists().add(&list, ["bob"]).await.unwrap();
        let said = cyd.post("of cyd").await;
        let quoting = bob.client.posts().create("look at #this").quote(&said.id).await.unwrap().post;
        app.index().await;
        // Whether each feed shows what bob quotes.
        let quoted = async || {
            let feeds = [
                ada.client.feed().home().await.unwrap().posts,
                ada.client.feed().global().await.unwrap().posts,
                ada.client.hashtags().posts("this").await.unwrap().posts,
                ada.client.lists().feed(&list).await.unwrap().posts,
                ada.client.search().posts("look").await.unwrap().posts.unwrap(),
            ];
            feeds.map(|posts| posts.iter().any(|post| post.id == quoting.id && post.quote.is_some()))
        };
        assert_eq!(quoted().await, [true; 5]);
        ada.client.relations().mute("cyd").await.unwrap();
        assert_eq!(quoted().await, [false; 5]);
        ada.client.relations().unmute("cyd").await.unwrap();
        cyd.client.relations().block("ada").await.unwrap();
        assert_eq!(quoted().await, [false; 5]);
        assert!(ada.client.posts().get(&quoting.id).await.unwrap().post.quote.is_some(), "who opens it reads it");
        cyd.client.relations().unblock("ada").await.unwrap();
        assert_eq!(quoted().await, [true; 5]);
    }
}

#[tokio::test]
async fn hashtags_of_a_post_are_locked_in_the_order_of_their_names() {
    let connections = [("database.connections", "4")];
    let Some(app) = TestApp::start_with(Postgres, &connections).await else { return };
    let ada = app.agent("ada").await;
    let first = ada.post("#beta is stored first").await;
    app.index().await;
    let both = ada.reply(&first, "#beta and #alpha").await;
    app.index().await;
    let alpha = sql!("select name from hashtag where name = 'alpha' for update");
    let held = Held::by(&app, move |ctx| ctx.tx.execute(alpha, &[])).await;
    let looking = async {
        waiting(&app, 1).await;
        let beta = sql!("select name from hashtag where name = 'beta' for update skip locked");
        let free = app.server.app().write(move |ctx| ctx.tx.execute(beta, &[])).await.unwrap();
        held.release().await;
        free
    };
    let (deleted, free) = tokio::join!(ada.client.posts().delete(&both.id), looking);
    assert_eq!((deleted.is_ok(), free), (true, 1), "who waits for the first holds no other");
}
