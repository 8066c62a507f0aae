//! Post analytics: views, viewers and reactions.

mod totals;

use std::sync::Arc;

use http::Method;
use svc_client::types::api::analytics::{Analytics, Bucket, GetMyAnalytics, GetPostAnalytics};
use svc_client::types::api::feed::{FeedSort, Window};
use svc_client::types::api::posts::Post;
use svc_client::types::{Code, PostId};
use svc_core::network::Network;
use svc_core::tasks::{flush, sweep};
use svc_server::testing::{Engine, TestServer};
use svc_store::sql;

use crate::app::{Member, TestApp, code, database, fault};
use crate::on_both_engines;
use crate::raw::answer;

const DAY: u64 = 86_400;

async fn flushed(app: &TestApp) {
    flush::once(app.server.app()).await.unwrap();
}

/// Analytics of a post as its author sees them.
async fn of(app: &TestApp, author: &Member, post: &Post) -> Analytics {
    flushed(app).await;
    author.client.analytics().post(&post.id).await.unwrap().analytics
}

async fn of_all(app: &TestApp, author: &Member) -> Analytics {
    flushed(app).await;
    author.client.analytics().all().await.unwrap().analytics
}

async fn look(viewer: &Member, post: &Post) {
    viewer.client.posts().get(&post.id).await.unwrap();
}

/// Views and viewers.
fn seen(analytics: &Analytics) -> (i64, i64) {
    (analytics.views, analytics.unique_viewers)
}

on_both_engines! {
    async fn a_view_counts_once_per_viewer_post_and_day(app: TestApp) {
        let [ada, bob, cid] = app.agents(["ada", "bob", "cid"]).await;
        let post = ada.post("look").await;
        for _ in 0..3 {
            look(&bob, &post).await;
            bob.client.posts().thread(&post.id).await.unwrap();
        }
        assert_eq!(seen(&of(&app, &ada, &post).await), (1, 1));
        look(&cid, &post).await;
        look(&bob, &post).await;
        assert_eq!(seen(&of(&app, &ada, &post).await), (2, 2));
        // 14.5 hours later it is the next day.
        app.advance(15 * 3600);
        for _ in 0..2 {
            look(&bob, &post).await;
            assert_eq!(seen(&of(&app, &ada, &post).await), (3, 2));
        }
        app.advance(DAY);
        look(&bob, &post).await;
        assert_eq!(seen(&of(&app, &ada, &post).await), (4, 2));
    }

    async fn views_of_the_author_never_count(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let post = ada.post("mine").await;
        look(&ada, &post).await;
        ada.client.posts().thread(&post.id).await.unwrap();
        ada.client.feed().global().await.unwrap();
        ada.client.users().get("ada").await.unwrap();
        ada.client.users().me().await.unwrap();
        let analytics = of(&app, &ada, &post).await;
        assert_eq!((seen(&analytics), analytics.feed_impressions), ((0, 0), 0));
        assert_eq!(of_all(&app, &ada).await.profile_clicks, 0);
        // Only the post asked for is read in a thread.
        let reply = bob.reply(&post, "and mine").await;
        ada.client.posts().thread(&post.id).await.unwrap();
        assert_eq!(seen(&of(&app, &bob, &reply).await), (0, 0));
    }

    async fn anonymous_viewers_are_distinguished_by_address(
        app: TestApp, "trusted_proxies" = "127.0.0.1"
    ) {
        let ada = app.agent("ada").await;
        let post = ada.post("for all").await;
        let path = format!("/posts/{}", post.id);
        let from = async |address: &str| {
            let request = app.raw(Method::GET, &path).header("x-forwarded-for", address);
            assert_eq!(answer(request).await.status, 200);
        };
        for address in ["192.0.2.1", "192.0.2.1", "2001:db8::1", "2001:db8::2", "192.0.2.2"] {
            from(address).await;
        }
        assert_eq!(seen(&of(&app, &ada, &post).await), (3, 3));
        from("192.0.2.1").await;
        flushed(&app).await;
        assert_eq!(seen(&of(&app, &ada, &post).await), (3, 3));
        // No address is stored, and a day later viewers cannot be recognised.
        let stored = sql!("select count(*) from post_viewer where viewer like '%192%'");
        assert_eq!(app.count(stored).await, 0);
        app.advance(DAY);
        from("192.0.2.1").await;
        assert_eq!(seen(&of(&app, &ada, &post).await), (4, 4));
    }

    async fn feeds_count_impressions_only(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let post = ada.post("listed").await;
        bob.client.relations().follow("ada").await.unwrap();
        bob.client.feed().home().await.unwrap();
        for sort in [FeedSort::Hot, FeedSort::New, FeedSort::Top] {
            bob.client.feed().global().sort(sort).await.unwrap();
        }
        app.anonymous.feed().global().await.unwrap();
        // Who asks for one post looks for what is new.
        bob.client.feed().home().limit(1).await.unwrap();
        bob.client.feed().global().limit(1).await.unwrap();
        bob.client.users().posts("ada").await.unwrap();
        bob.client.posts().get_many([&post.id]).await.unwrap();
        let analytics = of(&app, &ada, &post).await;
        assert_eq!((seen(&analytics), analytics.feed_impressions), ((0, 0), 5));
        assert_eq!(of_all(&app, &ada).await.feed_impressions, 5);
    }

    async fn reactions_to_a_post_are_counted_and_uncounted(app: TestApp) {
        let [ada, bob, cid] = app.agents(["ada", "bob", "cid"]).await;
        let post = ada.post("like it").await;
        for member in [&bob, &cid] {
            look(member, &post).await;
            member.client.reactions().like(&post.id).await.unwrap();
            member.client.reactions().bookmark(&post.id).await.unwrap();
        }
        bob.client.reactions().like(&post.id).await.unwrap();
        bob.client.reactions().repost(&post.id).await.unwrap();
        let reply = cid.reply(&post, "so do I").await;
        bob.client.posts().create("see").quote(&post.id).await.unwrap();
        let all = of(&app, &ada, &post).await;
        let counts = [all.likes, all.replies, all.reposts, all.quotes, all.bookmarks];
        assert_eq!(counts, [2, 1, 1, 1, 2]);
        assert!((all.engagement_rate - 2.5).abs() < 1e-9);
        assert_eq!(of_all(&app, &ada).await, Analytics { post_id: None, ..all });
        cid.client.reactions().unlike(&post.id).await.unwrap();
        cid.client.reactions().unbookmark(&post.id).await.unwrap();
        cid.client.posts().delete(&reply.id).await.unwrap();
        let left = of(&app, &ada, &post).await;
        assert_eq!([left.likes, left.replies, left.bookmarks], [1, 0, 1]);
        // A week later these are no likes of the last 7 days, but of all days.
        app.advance(8 * DAY);
        cid.client.reactions().like(&post.id).await.unwrap();
        assert_eq!(of(&app, &ada, &post).await.likes, 1);
        let analytics = ada.client.analytics().post(&post.id).window(Window::All).await.unwrap();
        assert_eq!((analytics.analytics.likes, analytics.analytics.series.len()), (2, 9));
        bob.client.reactions().unlike(&post.id).await.unwrap();
        cid.client.reactions().unlike(&post.id).await.unwrap();
        let fewer = of(&app, &ada, &post).await;
        assert_eq!((fewer.likes, fewer.series.last().unwrap().likes), (0, -1));
    }

    async fn a_profile_click_is_attributed_to_the_last_viewed_post(app: TestApp) {
        let [ada, bob, cid] = app.agents(["ada", "bob", "cid"]).await;
        let post = ada.post("who am I").await;
        let reply = ada.reply(&post, "really").await;
        look(&bob, &reply).await;
        flushed(&app).await;
        look(&bob, &post).await;
        flushed(&app).await;
        for _ in 0..2 {
            bob.client.users().get("ada").await.unwrap();
        }
        cid.client.users().get("ada").await.unwrap();
        app.anonymous.users().get("ada").await.unwrap();
        assert_eq!(of(&app, &ada, &post).await.profile_clicks, 1);
        assert_eq!(of(&app, &ada, &reply).await.profile_clicks, 0);
        let all = of_all(&app, &ada).await;
        assert_eq!((all.profile_clicks, seen(&all)), (3, (2, 1)));
        // Who looked at the profile first is a viewer of the posts all the same.
        look(&cid, &post).await;
        assert_eq!(seen(&of_all(&app, &ada).await), (3, 2));
        // A profile is clicked again on another day, and no post has led there.
        app.advance(DAY);
        bob.client.users().get("ada").await.unwrap();
        assert_eq!(of_all(&app, &ada).await.profile_clicks, 4);
        assert_eq!(of(&app, &ada, &post).await.profile_clicks, 1);
    }

    async fn reactions_to_a_post_are_none_to_another_one(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let post = ada.post("one").await;
        let posts = [ada.reply(&post, "two").await, post];
        for post in &posts {
            bob.client.reactions().like(&post.id).await.unwrap();
            flushed(&app).await;
        }
        for post in &posts {
            bob.client.reactions().bookmark(&post.id).await.unwrap();
            let found = of(&app, &ada, post).await;
            assert_eq!((found.likes, found.bookmarks), (1, 1));
        }
    }

    async fn an_embed_is_a_view_of_its_post(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let post = ada.post("elsewhere").await;
        let embed = async || {
            let path = format!("/embed/posts/{}", post.id);
            assert_eq!(answer(app.raw(Method::GET, &path)).await.status, 200);
        };
        embed().await;
        embed().await;
        look(&bob, &post).await;
        let analytics = of(&app, &ada, &post).await;
        assert_eq!((seen(&analytics), analytics.embed_views), ((2, 2), 1));
    }

    async fn a_series_contains_every_step(app: TestApp) {
        let [ada, bob, cid] = app.agents(["ada", "bob", "cid"]).await;
        let post = ada.post("every hour").await;
        look(&bob, &post).await;
        app.advance(2 * 3600);
        look(&cid, &post).await;
        flushed(&app).await;
        let read = || ada.client.analytics().post(&post.id);
        let hours = read().window(Window::Day).await.unwrap().analytics;
        let views: Vec<i64> = hours.series.iter().map(|step| step.views).collect();
        assert_eq!((views.len(), &views[21..]), (24, &[1, 0, 1][..]));
        assert_eq!(hours.series[23].start.to_string(), "2026-01-31T11:00:00.000Z");
        let days = read().await.unwrap().analytics;
        assert_eq!((days.window, days.series.len()), (Window::Week, 7));
        assert_eq!((days.series[6].views, days.series[0].start.to_string().as_str()),
            (2, "2026-01-25T00:00:00.000Z"));
        let hours = read().bucket(Bucket::Hour).await.unwrap().analytics;
        assert_eq!(hours.series.iter().map(|step| step.views).sum::<i64>(), 2);
        let month = ada.client.analytics().all().window(Window::Month).await.unwrap().analytics;
        assert_eq!((month.series.len(), month.post_id), (30, None));
        for window in [Window::Month, Window::All] {
            let asked = read().window(window.clone()).bucket(Bucket::Hour).await;
            assert_eq!(fault::<GetPostAnalytics>(asked), (Code::ValidationFailed, "bucket".into()));
            let asked = ada.client.analytics().all().window(window).bucket(Bucket::Hour).await;
            assert_eq!(fault::<GetMyAnalytics>(asked), (Code::ValidationFailed, "bucket".into()));
        }
        let asked = read().window(Window::from("1y")).await;
        assert_eq!(fault::<GetPostAnalytics>(asked), (Code::ValidationFailed, "window".into()));
    }

    async fn only_the_author_sees_analytics(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let post = ada.post("secret success").await;
        let ask = async |member: &Member, id: &PostId| {
            code::<GetPostAnalytics>(member.client.analytics().post(id).await)
        };
        assert_eq!(ask(&bob, &post.id).await, Code::Forbidden);
        app.grant_role("bob", "moderator").await;
        assert_eq!(ask(&bob, &post.id).await, Code::Forbidden);
        assert_eq!(ask(&ada, &"post_1".into()).await, Code::NotFound);
        let anonymous = app.anonymous.analytics().post(&post.id).await;
        assert_eq!(code::<GetPostAnalytics>(anonymous), Code::Unauthorized);
        ada.client.posts().delete(&post.id).await.unwrap();
        assert_eq!(ask(&ada, &post.id).await, Code::NotFound);
    }

    async fn viewers_are_forgotten_and_the_counts_stay(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let post = ada.post("old").await;
        look(&bob, &post).await;
        app.anonymous.posts().get(&post.id).await.unwrap();
        flushed(&app).await;
        let viewers = sql!("select (select count(*) from post_viewer)
            + (select count(*) from account_viewer)");
        let salts = sql!("select count(*) from viewer_salt");
        let hours = sql!("select count(*) from tally where step = 3600000");
        assert_eq!((app.count(viewers).await, app.count(salts).await), (4, 1));
        app.advance(2 * DAY);
        sweep::once(app.server.app()).await.unwrap();
        assert_eq!((app.count(viewers).await, app.count(salts).await), (2, 0));
        assert_eq!(app.count(hours).await, 2);
        app.advance(33 * DAY);
        sweep::once(app.server.app()).await.unwrap();
        assert_eq!((app.count(viewers).await, app.count(hours).await), (0, 0));
        let all = ada.client.analytics().post(&post.id).window(Window::All).await.unwrap();
        assert_eq!(seen(&all.analytics), (2, 2));
    }

    async fn only_reads_beyond_the_buffer_are_lost(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let post = ada.post("crowded").await;
        let (id, author) = (post.id.clone(), ada.user.id.clone());
        let crowd = app.server.app().read(move |ctx| {
            for number in 0..40_000_u32 {
                let target = svc_core::views::Target::Post(id.clone());
                let network = Network::of(number.to_be_bytes().into());
                let reader = svc_core::views::Reader::Network(network);
                ctx.app.views.note_read(&author, &target, &reader, ctx.now());
            }
            Ok(())
        });
        crowd.await.unwrap();
        look(&bob, &post).await;
        let views = of(&app, &ada, &post).await.views;
        assert!((8_000..=16_385).contains(&views), "{views}");
        look(&bob, &post).await;
        assert!(of(&app, &ada, &post).await.views >= views);
    }
}

/// A server stops with counts in memory, and the next one on its database finds them.
async fn counts_outlive_a_stop(url: &str) {
    let server = TestServer::start_with(url, &[]).await;
    let app = Arc::clone(server.app());
    let builder = || svc_client::Client::builder(server.url()).retries(0);
    let client = builder().build().unwrap();
    let ada = client.auth().register_agent("ada").await.unwrap();
    let signed = builder().api_key(ada.api_key.clone()).build().unwrap();
    let post = signed.posts().create("hello").await.unwrap().post;
    client.posts().get(&post.id).await.unwrap();
    let views =
        sql!("select cast(coalesce(sum(views), 0) as bigint) from tally where step = 3600000");
    let count = app.read(move |ctx| ctx.tx.one::<i64>(views, &[])).await.unwrap();
    assert_eq!(count, 0);
    server.stop().await;
    drop(app);
    let server = TestServer::start_with(url, &[]).await;
    let count = server.app().read(move |ctx| ctx.tx.one::<i64>(views, &[])).await.unwrap();
    assert_eq!(count, 2);
    server.stop().await;
}

#[tokio::test]
async fn a_stopping_server_on_sqlite_flushes_its_counts() {
    let folder = tempfile::tempdir().unwrap();
    counts_outlive_a_stop(&format!("sqlite:{}", folder.path().join("svc.db").display())).await;
}

#[tokio::test]
async fn a_stopping_server_on_postgres_flushes_its_counts() {
    let Some(url) = database(Engine::Postgres).await else { return };
    counts_outlive_a_stop(&url).await;
    Engine::Postgres.remove(url);
}
