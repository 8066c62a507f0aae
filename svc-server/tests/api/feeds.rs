//! The home feed and the global feed.

mod home;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::Method;
use svc_client::Client;
use svc_client::types::api::feed::{FeedSort, Window};
use svc_client::types::api::posts::Post;
use svc_client::types::{Code, Cursor, Span};
use svc_store::{sql, values};

use crate::app::{Member, TestApp, all_items};
use crate::counts;
use crate::on_both_engines;
use crate::raw::code_of;

/// Contents of a home feed.
async fn home(member: &Member) -> Vec<String> {
    contents(member.client.feed().home().await.unwrap().posts)
}

/// Contents of a global feed.
async fn global(client: &Client, sort: FeedSort) -> Vec<String> {
    contents(client.feed().global().sort(sort).await.unwrap().posts)
}

fn contents(posts: Vec<Post>) -> Vec<String> {
    posts.into_iter().map(|post| post.content).collect()
}

/// Publishes a post when a slot is free.
async fn publish(app: &TestApp, by: &Member, content: &str) -> Post {
    app.advance(1800);
    by.post(content).await
}

async fn follow(who: &Member, whom: &Member) {
    who.client.relations().follow(&*whom.user.username).await.unwrap();
}

async fn set_status(app: &TestApp, member: &Member, status: &'static str) {
    let id = member.user.id.clone();
    let sql = sql!("update account set status = $1 where id = $2");
    app.execute(move |ctx| ctx.tx.execute(sql, values![status, id])).await;
}

/// Contents of all kinds of scripts: right to left, joined, invisible, and very long.
fn strange() -> Vec<String> {
    vec![
        "\u{202e}שלום עולם\u{202c} مرحبا".to_owned(),
        "👩‍👩‍👧‍👦\u{200b}\u{200d}\u{feff}".to_owned(),
        "e\u{301}\u{327} ﷽ Ǆ ẞ".to_owned(),
        "\u{10ffff}\u{1}\t\r\n\u{2028}".to_owned(),
        "𝒳".repeat(40_000),
    ]
}

on_both_engines! {
    async fn a_suspended_reposter_does_not_shorten_the_page(app: TestApp) {
        let [ada, bob, cyd, dan] = app.agents(["ada", "bob", "cyd", "dan"]).await;
        for whom in [&bob, &cyd, &dan] {
            follow(&ada, whom).await;
        }
        let post = publish(&app, &bob, "of bob").await;
        dan.client.reactions().repost(&post.id).await.unwrap();
        app.advance(1);
        cyd.client.reactions().repost(&post.id).await.unwrap();
        let by = async || {
            let shown = ada.client.feed().home().await.unwrap().posts;
            shown[0].repost.as_ref().map(|repost| repost.by.username.clone())
        };
        assert_eq!(by().await.as_deref(), Some("cyd"));
        app.suspend("cyd").await;
        assert_eq!(by().await.as_deref(), Some("dan"));
        app.suspend("dan").await;
        assert_eq!(by().await, None);
        assert_eq!(home(&ada).await, ["of bob"]);
    }

    async fn limited_accounts_reach_only_their_followers(app: TestApp) {
        let [ada, bob, cyd] = app.agents(["ada", "bob", "cyd"]).await;
        follow(&ada, &bob).await;
        publish(&app, &bob, "of bob").await;
        publish(&app, &cyd, "of cyd").await;
        set_status(&app, &bob, "limited").await;
        assert_eq!(home(&ada).await, ["of bob"]);
        for sort in [FeedSort::New, FeedSort::Hot, FeedSort::Top] {
            assert_eq!(global(&ada.client, sort.clone()).await, ["of cyd"], "{sort}");
        }
        set_status(&app, &bob, "active").await;
        assert_eq!(global(&ada.client, FeedSort::New).await, ["of cyd", "of bob"]);
    }

    async fn the_global_feed_omits_replies_and_unwanted_accounts(app: TestApp) {
        let [ada, bob, cyd, dan, eve, fay] = app.agents(["ada", "bob", "cyd", "dan", "eve", "fay"]).await;
        for (author, content) in [(&bob, "of bob"), (&cyd, "of cyd"), (&dan, "of dan"), (&eve, "of eve"), (&fay, "of fay")] {
            let post = publish(&app, author, content).await;
            ada.reply(&post, "a reply").await;
        }
        let sorts = || [FeedSort::New, FeedSort::Hot, FeedSort::Top];
        ada.client.relations().mute("bob").expires_in(Span::from_secs(60)).await.unwrap();
        ada.client.relations().block("cyd").await.unwrap();
        dan.client.relations().block("ada").await.unwrap();
        // What others are to each other changes nothing for ada.
        eve.client.relations().block("bob").await.unwrap();
        cyd.client.relations().block("eve").await.unwrap();
        cyd.client.relations().mute("eve").await.unwrap();
        fay.client.users().delete_me("fay").await.unwrap();
        let of_all_times = ada.client.feed().global().sort(FeedSort::Top).window(Window::All);
        assert_eq!(contents(of_all_times.await.unwrap().posts), ["of eve"]);
        for sort in sorts() {
            assert_eq!(global(&ada.client, sort.clone()).await, ["of eve"], "{sort}");
            assert_eq!(global(&app.anonymous, sort.clone()).await, ["of eve", "of dan", "of cyd", "of bob"], "{sort}");
            let whole = all_items(app.anonymous.feed().global().sort(sort.clone()).limit(1)).await;
            assert_eq!(contents(whole).len(), 4, "{sort}: a hidden post does not end the list");
        }
        app.suspend("eve").await;
        for sort in sorts() {
            assert!(global(&ada.client, sort).await.is_empty());
        }
        app.advance(60);
        for sort in sorts() {
            assert_eq!(global(&ada.client, sort.clone()).await, ["of bob"], "{sort}: the mute has ended");
        }
    }

    async fn each_window_of_top_posts_has_its_length(app: TestApp) {
        let ada = app.agent("ada").await;
        let mut day = 40;
        for (age, content) in
            [(40, "40d"), (29, "29d"), (8, "8d"), (6, "6d"), (2, "2d"), (0, "0d")]
        {
            app.advance(86_400 * (day - age));
            day = age;
            ada.post(content).await;
        }
        app.advance(3600);
        let top = async |window: &str| {
            let found = ada.client.feed().global().sort(FeedSort::Top).window(Window::from(window));
            contents(found.await.unwrap().posts)
        };
        assert_eq!(top("24h").await, ["0d"]);
        assert_eq!(top("7d").await, ["0d", "2d", "6d"]);
        assert_eq!(global(&ada.client, FeedSort::Top).await, top("7d").await);
        assert_eq!(top("30d").await, ["0d", "2d", "6d", "8d", "29d"]);
        assert_eq!(top("all").await.len(), 6);
        app.advance(86_400 - 3600);
        assert!(top("24h").await.is_empty(), "a day and no instant more");
        for query in ["sort=best", "window=1d", "isAgent=1", "limit=0", "limit=101", "cursor=x"] {
            let wanted = if query.starts_with("cursor") { Code::InvalidCursor } else { Code::ValidationFailed };
            assert_eq!(code_of(app.raw(Method::GET, &format!("/feed/global?{query}"))).await, wanted, "{query}");
        }
    }

    async fn a_pro_post_ranks_as_if_seven_hours_newer(app: TestApp) {
        let [ada, bob, cyd] = app.agents(["ada", "bob", "cyd"]).await;
        app.set_tier("bob", "boost").await;
        ada.post("pro").await;
        app.advance(25_270);
        bob.post("boost").await;
        assert_eq!(global(&cyd.client, FeedSort::Hot).await, ["boost", "pro"]);
        app.set_tier("ada", "pro").await;
        assert_eq!(global(&cyd.client, FeedSort::Hot).await, ["pro", "boost"], "a change of tier moves what is there");
        let unasked = cyd.client.feed().global().await.unwrap().posts;
        assert_eq!(contents(unasked), ["pro", "boost"], "hot unless asked otherwise");
        app.set_tier("bob", "pro").await;
        assert_eq!(global(&cyd.client, FeedSort::Hot).await, ["boost", "pro"]);
        app.set_tier("bob", "free").await;
        app.advance(1);
        cyd.post("free").await;
        assert_eq!(global(&cyd.client, FeedSort::Hot).await, ["free", "pro", "boost"], "7 h 1 min 10.38 s");
        for sort in [FeedSort::New, FeedSort::Top] {
            assert_eq!(global(&cyd.client, sort).await, ["free", "boost", "pro"], "only hot is boosted");
        }
        counts::are_right(&app).await;
    }

    async fn a_feed_includes_the_reactions_of_the_viewer(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        follow(&bob, &ada).await;
        let other = bob.post("another thread").await;
        ada.client.reactions().mute_thread(&other.id).await.unwrap();
        let post = ada.post("hello").await;
        for react in ["like", "repost", "bookmark", "mute"] {
            let path = format!("/posts/{}/{react}", post.id);
            assert!(bob.raw(&app, Method::POST, &path).send().await.unwrap().status().is_success());
        }
        for sort in [FeedSort::New, FeedSort::Hot, FeedSort::Top] {
            let shown = bob.client.feed().global().sort(sort.clone()).await.unwrap().posts.remove(0);
            let viewer = shown.viewer.unwrap();
            assert!(viewer.liked && viewer.reposted && viewer.bookmarked && viewer.muted);
            assert_eq!((shown.likes_count, shown.reposts_count, shown.repost), (1, 1, None));
            let shown = ada.client.feed().global().sort(sort.clone()).await.unwrap().posts.remove(0);
            let viewer = shown.viewer.unwrap();
            assert!(!viewer.liked && !viewer.reposted && !viewer.bookmarked && !viewer.muted);
            let shown = app.anonymous.feed().global().sort(sort).await.unwrap().posts.remove(0);
            assert_eq!(shown.viewer, None);
        }
        let shown = ada.client.posts().get_many([&post.id]).await.unwrap().posts.remove(0);
        assert!(!shown.viewer.unwrap().muted, "bob muted this thread, and ada another one");
        let viewer = bob.client.feed().home().await.unwrap().posts.remove(0).viewer.unwrap();
        assert!(viewer.liked && viewer.reposted && viewer.bookmarked && viewer.muted);
    }

    async fn a_cursor_of_another_order_or_filter_is_refused(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        follow(&ada, &bob).await;
        publish(&app, &bob, "one").await;
        publish(&app, &bob, "two").await;
        let feed = || ada.client.feed().global().limit(1);
        let first = feed().sort(FeedSort::Top).await.unwrap();
        assert_eq!(first.as_of, app.server.clock().now());
        let cursor = first.next_cursor.unwrap();
        app.advance(10);
        let next = feed().sort(FeedSort::Top).with(|request| request.cursor = Some(cursor.clone())).await.unwrap();
        assert_eq!((next.as_of, next.next_cursor), (first.as_of, None), "all pages are of one instant");
        let list = URL_SAFE_NO_PAD.decode(cursor.as_str()).unwrap()[..9].to_vec();
        let made_up = [list, format!("{}\n0\nx", i64::MAX).into_bytes()].concat();
        let made_up = Cursor::from(URL_SAFE_NO_PAD.encode(made_up));
        let shown = feed().sort(FeedSort::Top).with(|request| request.cursor = Some(made_up)).await.unwrap();
        assert!(shown.as_of > first.as_of, "a cursor with any time is read");
        let others = [
            feed().sort(FeedSort::Hot),
            feed().sort(FeedSort::New),
            feed(),
            feed().sort(FeedSort::Top).window(Window::Day),
            feed().sort(FeedSort::Top).is_agent(true),
        ];
        for other in others {
            let refused = other.after(cursor.clone()).page().await.unwrap_err();
            assert_eq!(refused.code(), Some(&Code::InvalidCursor));
        }
        let refused = ada.client.feed().home().after(cursor).page().await.unwrap_err();
        assert_eq!(refused.code(), Some(&Code::InvalidCursor));
        let refused = ada.client.feed().home().after(Cursor::from("AQ")).page().await.unwrap_err();
        assert_eq!(refused.code(), Some(&Code::InvalidCursor));
    }

    async fn strange_texts_pass_through_the_feeds(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        follow(&bob, &ada).await;
        let mut wanted = strange();
        for content in &wanted {
            let post = publish(&app, &ada, content).await;
            bob.client.reactions().like(&post.id).await.unwrap();
            bob.client.reactions().bookmark(&post.id).await.unwrap();
        }
        wanted.reverse();
        assert_eq!(home(&bob).await, wanted);
        assert_eq!(contents(bob.client.reactions().bookmarks().await.unwrap().posts).len(), wanted.len());
        assert_eq!(contents(ada.client.users().posts("ada").await.unwrap().posts), wanted);
        for sort in [FeedSort::New, FeedSort::Hot, FeedSort::Top] {
            assert_eq!(global(&app.anonymous, sort).await, wanted);
        }
    }
}
