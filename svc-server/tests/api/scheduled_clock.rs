//! Automatic publication of scheduled posts: the test moves the clock.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use serde_json::json;
use svc_client::types::api::moderation::ModerationActionType as Kind;
use svc_client::types::api::posts::{Post, PostFormat, ReplyPolicy};
use svc_client::types::api::reports::Subject;
use svc_client::types::api::scheduled::{ScheduledPost, ScheduledStatus};
use svc_client::types::{Code, ScheduledPostId};
use svc_core::due;
use svc_server::testing::{Engine, TestServer};
use svc_store::sql;

use crate::app::{self, Member, TestApp, all_items};
use crate::moderation::staff;
use crate::on_both_engines;
use crate::scheduled::code;

const MINUTE: u64 = 60;
const WINDOW: u64 = 30 * MINUTE;
const HOUR: u64 = 3_600;
const DAY: u64 = 24 * HOUR;

impl TestApp {
    async fn sweep(&self) {
        due::sweep(self.server.app()).await.unwrap();
    }
}

impl Member {
    /// The caller's posts, newest first.
    async fn posts(&self) -> Vec<Post> {
        all_items(self.client.users().posts(&*self.user.username)).await
    }

    /// State and failure of a scheduled post.
    async fn outcome(&self, id: &ScheduledPostId) -> (ScheduledStatus, Option<String>) {
        let ScheduledPost { status, failure, .. } = self.scheduled(id).await;
        (status, failure)
    }

    /// Codes and texts of the `system` notifications.
    async fn notices(&self) -> Vec<String> {
        let events = self.client.events().list().await.unwrap().events;
        let text = |data: &serde_json::Map<String, serde_json::Value>| {
            format!("{}: {}", data["code"].as_str().unwrap(), data["text"].as_str().unwrap())
        };
        events
            .iter()
            .filter(|event| event.event == "system")
            .map(|event| text(&event.data))
            .collect()
    }
}

on_both_engines! {
    async fn a_post_is_published_in_its_time(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let quoted = bob.post("quotable").await;
        let creating = ada.client.scheduled_posts().create("good morning #sun @bob", app.ahead(HOUR));
        let creating = creating.quote(&quoted.id).content_warning("early").language("en");
        let payload = json!({ "rises": 6.5 }).as_object().cloned();
        let creating = creating.with(|request| {
            request.format = Some(PostFormat::Plain);
            request.schema = Some("sun.v1".into());
            request.payload.clone_from(&payload);
        });
        let id = creating.reply_policy(ReplyPolicy::Mentioned).await.unwrap().scheduled_post.id;
        app.advance(HOUR - 1);
        app.sweep().await;
        assert_eq!(ada.posts().await.len(), 0);
        assert_eq!(ada.outcome(&id).await, (ScheduledStatus::Scheduled, None));
        app.advance(1);
        app.sweep().await;
        let scheduled = ada.scheduled(&id).await;
        let post = ada.posts().await.remove(0);
        assert_eq!((&scheduled.status, scheduled.post_id.as_ref()), (&ScheduledStatus::Published, Some(&post.id)));
        assert_eq!(post.scheduled_post_id, Some(id));
        assert_eq!((&*post.content, post.created_at), ("good morning #sun @bob", app.ahead(0)));
        assert_eq!((post.hashtags, post.mentions.len()), (vec!["sun".to_owned()], 1));
        assert_eq!((post.content_warning.as_deref(), post.language.as_deref()), (Some("early"), Some("en")));
        assert_eq!(post.format, PostFormat::Plain);
        assert_eq!((post.schema.as_deref(), post.payload), (Some("sun.v1"), payload));
        assert_eq!((post.quote_of_id, post.reply_policy), (Some(quoted.id.clone()), ReplyPolicy::Mentioned));
        let seen = bob.client.posts().get(&post.id).await.unwrap().post;
        assert_eq!(seen.scheduled_post_id, None, "only its author sees that it was scheduled");
        assert_eq!(ada.client.users().me().await.unwrap().user.posts_count, 1);
        assert_eq!(bob.client.posts().get(&quoted.id).await.unwrap().post.quotes_count, 1);
        // It takes the slot of a post.
        assert_eq!(code(ada.client.posts().create("another")).await, Code::RateLimited);
    }

    async fn reads_do_not_wait_for_a_sweep(app: TestApp) {
        let ada = app.agent("ada").await;
        let id = ada.schedule("now", app.ahead(HOUR)).await.id;
        app.advance(HOUR);
        assert_eq!(ada.outcome(&id).await.0, ScheduledStatus::Published);
        let next = ada.schedule("then", app.ahead(HOUR)).await.id;
        app.advance(HOUR);
        let listed = all_items(ada.client.scheduled_posts().list()).await;
        let states: Vec<_> = listed.iter().map(|one| &one.status).collect();
        assert_eq!(states, [&ScheduledStatus::Published; 2]);
        assert_eq!(code(ada.client.scheduled_posts().delete(&next)).await, Code::WrongState);
        assert_eq!(ada.posts().await.len(), 2);
    }

    async fn what_was_scheduled_goes_with_its_post(app: TestApp) {
        let ada = app.agent("ada").await;
        let judge = staff(&app, "judge", "moderator").await;
        let mut ids = Vec::new();
        for text in ["deleted", "removed", "kept"] {
            ids.push(ada.schedule(text, app.ahead(HOUR)).await.id);
            app.advance(HOUR);
            app.sweep().await;
        }
        let posts = ada.posts().await;
        ada.client.posts().delete(&posts[2].id).await.unwrap();
        let removing = judge.client.moderation().act(Subject::post(&posts[1].id), Kind::Remove, "the rules");
        removing.await.unwrap();
        let left = all_items(ada.client.scheduled_posts().list()).await;
        assert_eq!(left.iter().map(|one| &*one.content).collect::<Vec<_>>(), ["kept"]);
        for gone in &ids[..2] {
            let error = ada.client.scheduled_posts().get(gone).await.unwrap_err();
            assert_eq!(error.code(), Some(&Code::NotFound));
        }
    }

    async fn a_reply_is_published_without_a_slot(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let post = bob.post("ask me").await;
        let posts = ada.client.scheduled_posts();
        for text in ["one", "two"] {
            posts.create(text, app.ahead(HOUR)).reply_to(&post.id).await.unwrap();
        }
        app.advance(HOUR);
        app.sweep().await;
        assert_eq!(bob.client.posts().get(&post.id).await.unwrap().post.replies_count, 2);
        ada.post("the slot is still there").await;
    }

    async fn posts_one_window_apart_are_published_in_their_time(app: TestApp) {
        let ada = app.agent("ada").await;
        for n in 1..=3 {
            ada.schedule(&n.to_string(), app.ahead(n * WINDOW)).await;
        }
        let start = app.ahead(0);
        for n in 1..=3 {
            app.advance(WINDOW);
            app.sweep().await;
            let post = ada.posts().await.remove(0);
            assert_eq!(post.content, n.to_string());
            assert_eq!(post.created_at.since(start).as_secs(), n * WINDOW);
        }
    }

    async fn a_manual_post_uses_the_slot(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let question = bob.post("ask me").await.id;
        let id = ada.schedule("planned", app.ahead(HOUR)).await.id;
        let reply = ada.client.scheduled_posts().create("an answer", app.ahead(HOUR));
        let reply = reply.reply_to(&question).await.unwrap().scheduled_post.id;
        let other = bob.schedule("of bob", app.ahead(HOUR)).await.id;
        app.advance(HOUR - MINUTE);
        ada.post("by hand").await;
        let free = app.ahead(WINDOW);
        app.advance(MINUTE);
        app.sweep().await;
        let waiting = ada.scheduled(&id).await;
        assert_eq!((&waiting.status, waiting.delayed_until), (&ScheduledStatus::Scheduled, Some(free)));
        assert_eq!(waiting.scheduled_for, app.ahead(0));
        assert_eq!(ada.outcome(&reply).await.0, ScheduledStatus::Published, "a reply needs no slot");
        assert_eq!(bob.outcome(&other).await.0, ScheduledStatus::Published, "bob has a slot of his own");
        // It can still be changed and keeps its place.
        let edited = ada.client.scheduled_posts().edit(&id).content("planned well").await;
        assert_eq!(edited.unwrap().scheduled_post.delayed_until, Some(free));
        app.advance(WINDOW - MINUTE - 1);
        app.sweep().await;
        assert_eq!(ada.posts().await.len(), 1);
        app.advance(1);
        app.sweep().await;
        let post = ada.posts().await.remove(0);
        assert_eq!((&*post.content, post.created_at), ("planned well", free));
    }

    async fn a_new_time_ends_the_delay(app: TestApp) {
        let ada = app.agent("ada").await;
        ada.post("by hand").await;
        let id = ada.schedule("planned", app.ahead(MINUTE)).await.id;
        app.advance(MINUTE);
        app.sweep().await;
        assert!(ada.scheduled(&id).await.delayed_until.is_some());
        let moving = ada.client.scheduled_posts().edit(&id).scheduled_for(app.ahead(2 * DAY));
        assert_eq!(moving.await.unwrap().scheduled_post.delayed_until, None);
        app.advance(2 * DAY);
        assert_eq!(ada.outcome(&id).await.0, ScheduledStatus::Published);
    }

    async fn a_post_that_becomes_a_reply_no_longer_waits_for_the_slot(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let question = bob.post("ask me").await.id;
        ada.post("by hand").await;
        let id = ada.schedule("planned", app.ahead(MINUTE)).await.id;
        app.advance(MINUTE);
        app.sweep().await;
        assert!(ada.scheduled(&id).await.delayed_until.is_some());
        let edited = ada.client.scheduled_posts().edit(&id).reply_to(question);
        let edited = edited.await.unwrap().scheduled_post;
        assert_eq!((edited.status, edited.delayed_until), (ScheduledStatus::Scheduled, None));
        app.advance(1);
        app.sweep().await;
        assert_eq!(ada.outcome(&id).await.0, ScheduledStatus::Published);
    }

    async fn the_current_tier_counts(app: TestApp) {
        let ada = app.agent("ada").await;
        let id = ada.schedule("planned", app.ahead(HOUR)).await.id;
        app.advance(HOUR - 10 * MINUTE);
        ada.post("by hand").await;
        app.set_tier("ada", "pro").await;
        app.advance(10 * MINUTE);
        assert_eq!(ada.outcome(&id).await.0, ScheduledStatus::Published);
    }

    async fn after_downtime_the_earliest_post_is_published_first_and_the_window_applies(app: TestApp) {
        let ada = app.agent("ada").await;
        // Scheduled in another order than they are due.
        for n in [3, 1, 5, 2, 4] {
            ada.schedule(&n.to_string(), app.ahead(n * WINDOW)).await;
        }
        app.advance(10 * HOUR);
        let start = app.ahead(0);
        for _ in 0..5 {
            app.sweep().await;
            app.sweep().await;
            app.advance(WINDOW);
        }
        let posts = ada.posts().await;
        let texts: Vec<_> = posts.iter().map(|post| post.content.as_str()).collect();
        assert_eq!(texts, ["5", "4", "3", "2", "1"]);
        for (n, post) in posts.iter().rev().enumerate() {
            assert_eq!(post.created_at.since(start).as_secs(), n as u64 * WINDOW);
        }
    }

    async fn missed_posts_are_published_up_to_a_day_late(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let late = ada.schedule("late", app.ahead(HOUR)).await.id;
        let too_late = bob.schedule("too late", app.ahead(HOUR - 1)).await.id;
        app.advance(HOUR + DAY);
        app.sweep().await;
        assert_eq!(ada.outcome(&late).await.0, ScheduledStatus::Published);
        let (status, failure) = bob.outcome(&too_late).await;
        assert_eq!((status, failure.as_deref()), (ScheduledStatus::Failed, Some("it could not be published within 24 hours")));
        assert_eq!((ada.posts().await.len(), bob.posts().await.len()), (1, 0));
    }

    async fn waiting_for_the_slot_is_not_being_late(app: TestApp, "limits.posts.free_window" = "25h") {
        let ada = app.agent("ada").await;
        let id = ada.schedule("patient", app.ahead(HOUR)).await.id;
        app.advance(HOUR - 1);
        ada.post("by hand").await;
        app.advance(1);
        app.sweep().await;
        app.advance(25 * HOUR - 1);
        // The slot is free again; the server itself may be quicker to take it.
        let again = ada.client.posts().create("by hand again").await;
        app.sweep().await;
        app.advance(25 * HOUR);
        app.sweep().await;
        assert_eq!(ada.outcome(&id).await, (ScheduledStatus::Published, None));
        assert_eq!(ada.posts().await.len(), 2 + usize::from(again.is_ok()));
    }

    async fn the_author_is_notified_why_a_post_failed(app: TestApp) {
        let [ada, bob, eve] = app.agents(["ada", "bob", "eve"]).await;
        let (gone, closed) = (bob.post("soon gone").await, eve.post("soon closed").await);
        let posts = ada.client.scheduled_posts();
        let at = app.ahead(HOUR);
        let cases = [
            (posts.create("a", at).reply_to(&gone.id).await, "the post it answers is gone"),
            (posts.create("b", at).quote(&gone.id).await, "the post it quotes is gone"),
            (posts.create("c", at).reply_to(&closed.id).await, "one of the two accounts blocks the other"),
        ];
        bob.client.posts().delete(&gone.id).await.unwrap();
        app.block(&eve, &ada).await;
        app.advance(HOUR);
        app.sweep().await;
        let mut reported = Vec::new();
        for (scheduled, why) in cases {
            let id = scheduled.unwrap().scheduled_post.id;
            assert_eq!(ada.outcome(&id).await, (ScheduledStatus::Failed, Some(why.to_owned())));
            reported.push(format!("scheduled_post_failed: The scheduled post {id} was not published: {why}."));
        }
        let mut notices = ada.notices().await;
        notices.sort();
        reported.sort();
        assert_eq!(notices, reported);
        assert_eq!(ada.posts().await.len(), 0);
        ada.post("the slot is still there").await;
    }

    async fn reply_policies_are_checked_at_publication(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let post = bob.post("ask me").await;
        let posts = ada.client.scheduled_posts();
        let id = posts.create("a", app.ahead(HOUR)).reply_to(&post.id).await.unwrap().scheduled_post.id;
        let closing = bob.client.posts().edit(&post.id).with(|request| {
            request.reply_policy = Some(ReplyPolicy::None);
        });
        closing.await.unwrap();
        app.advance(HOUR);
        let (status, failure) = ada.outcome(&id).await;
        assert_eq!((status, failure.as_deref()), (ScheduledStatus::Failed, Some("the author limits who may reply")));
    }

    async fn nothing_is_published_for_a_suspended_account(app: TestApp) {
        let ada = app.agent("ada").await;
        let id = ada.schedule("hello", app.ahead(HOUR)).await.id;
        app.suspend("ada").await;
        app.advance(HOUR);
        let (status, failure) = ada.outcome(&id).await;
        assert_eq!((status, failure.as_deref()), (ScheduledStatus::Failed, Some("the account was suspended")));
        assert_eq!(app.count(sql!("select count(*) from post")).await, 0);
    }

    async fn deleting_an_account_deletes_its_scheduled_posts(app: TestApp) {
        let ada = app.agent("ada").await;
        ada.schedule("hello", app.ahead(HOUR)).await;
        app.advance(HOUR);
        app.sweep().await;
        ada.schedule("and again", app.ahead(HOUR)).await;
        ada.client.users().delete_me("ada").await.unwrap();
        app.advance(HOUR);
        app.sweep().await;
        assert_eq!(app.count(sql!("select count(*) from scheduled_post")).await, 0);
        assert_eq!(app.count(sql!("select count(*) from post")).await, 1);
    }

    async fn four_concurrent_sweeps_publish_each_post_once(
        app: TestApp, "database.connections" = "4"
    ) {
        let names: Vec<String> = (0..50).map(|n| format!("bot{n}")).collect();
        let mut bots = Vec::new();
        for name in &names {
            bots.push(app.agent(name).await);
        }
        let at = app.ahead(HOUR);
        join_all(bots.iter().map(|bot| bot.schedule("once", at))).await;
        app.advance(HOUR);
        tokio::join!(app.sweep(), app.sweep(), app.sweep(), app.sweep());
        assert_eq!(app.count(sql!("select count(*) from post")).await, 50);
        let published = sql!("select count(*) from scheduled_post s join post p on p.id = s.post
            where s.status = 'published' and p.author = s.author and p.scheduled_post = s.id");
        assert_eq!(app.count(published).await, 50);
    }

    async fn an_edit_and_publication_exclude_each_other(
        app: TestApp, "database.connections" = "4"
    ) {
        let ada = app.agent("ada").await;
        for round in 0..10 {
            let id = ada.schedule("before", app.ahead(HOUR)).await.id;
            app.advance(HOUR);
            let editing = ada.client.scheduled_posts().edit(&id).content("after");
            let (edited, (), ()) = tokio::join!(code(editing), app.sweep(), app.sweep());
            assert_eq!(edited, Code::WrongState, "the instant itself is too late");
            let posts = ada.posts().await;
            assert_eq!((posts.len(), &*posts[0].content), (round + 1, "before"));
        }
    }

    async fn a_delete_before_its_time_leaves_no_post(app: TestApp, "database.connections" = "4") {
        let ada = app.agent("ada").await;
        let id = ada.schedule("never", app.ahead(HOUR)).await.id;
        app.advance(HOUR - 1);
        let deleting = ada.client.scheduled_posts().delete(&id);
        let (deleted, ()) = tokio::join!(deleting, app.sweep());
        deleted.unwrap();
        app.advance(HOUR);
        app.sweep().await;
        assert_eq!(ada.posts().await.len(), 0);
        assert_eq!(code(ada.client.scheduled_posts().get(&id)).await, Code::NotFound);
    }
}

#[tokio::test]
async fn two_servers_on_one_database_publish_each_once() {
    let database = app::database(Engine::Postgres).await;
    let Some(url) = database else { return };
    let (app, twin) =
        (TestApp::on(Engine::Postgres, &url, &[]).await, TestServer::start_with(&url, &[]).await);
    let at = app.ahead(HOUR);
    for n in 0..50 {
        let bot = app.agent(&format!("bot{n}")).await;
        bot.schedule("once", at).await;
    }
    app.advance(HOUR);
    twin.clock().advance(Duration::from_secs(HOUR));
    let sweep = |server: &TestServer| {
        let app = Arc::clone(server.app());
        async move { due::sweep(&app).await.unwrap() }
    };
    tokio::join!(sweep(&app.server), sweep(&twin), sweep(&app.server), sweep(&twin));
    assert_eq!(app.count(sql!("select count(*) from post")).await, 50);
    assert_eq!(
        app.count(sql!("select count(*) from scheduled_post where status = 'published'")).await,
        50
    );
}
