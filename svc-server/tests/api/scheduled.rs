//! Scheduling posts: what is taken, what is refused, and what its author sees and changes.

use std::time::Duration;

use http::Method;
use serde_json::{Value, json};
use svc_client::Call;
use svc_client::types::api::posts::ReplyPolicy;
use svc_client::types::api::scheduled::{CreateScheduledPost, ScheduledPost, ScheduledStatus};
use svc_client::types::{Clearable, Code, Endpoint, PostId, ScheduledPostId, Timestamp};

use crate::app::{self, Member, TestApp, all_items};
use crate::on_both_engines;
use crate::raw::answer;

const PATH: &str = "/scheduled-posts";
const MINUTE: u64 = 60;
const HOUR: u64 = 3_600;
const DAY: u64 = 24 * HOUR;

impl TestApp {
    /// The instant this many seconds ahead.
    pub(crate) fn ahead(&self, seconds: u64) -> Timestamp {
        self.server.clock().now().plus(Duration::from_secs(seconds))
    }
}

impl Member {
    /// Schedules a top-level post.
    pub(crate) async fn schedule(&self, content: &str, at: Timestamp) -> ScheduledPost {
        self.client.scheduled_posts().create(content, at).await.unwrap().scheduled_post
    }

    /// A scheduled post as it is by now.
    pub(crate) async fn scheduled(&self, id: &ScheduledPostId) -> ScheduledPost {
        self.client.scheduled_posts().get(id).await.unwrap().scheduled_post
    }
}

/// Code, member and hint of a refusal of a raw body.
async fn refused(
    app: &TestApp,
    who: &Member,
    members: Value,
) -> (Code, Option<String>, Option<String>) {
    let refusal = answer(who.raw(app, Method::POST, PATH).json(&members)).await.refusal();
    (refusal.code, refusal.field, refusal.hint)
}

/// The code of a refusal.
pub(crate) async fn code<E: Endpoint>(call: Call<E>) -> Code {
    app::code::<E>(call.await)
}

/// The code of a refusal and the member it names.
async fn fault<E: Endpoint>(call: Call<E>) -> (Code, String) {
    app::fault::<E>(call.await)
}

/// Code and hint of a refusal.
async fn hinted(call: Call<CreateScheduledPost>) -> (Code, String) {
    let error = call.await.unwrap_err();
    (error.code().cloned().unwrap(), error.hint().unwrap().to_owned())
}

on_both_engines! {
    async fn a_scheduled_post_is_returned_as_it_was_sent(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let post = bob.post("to be quoted").await;
        let at = app.ahead(HOUR);
        let sent = json!({
            "content": "good morning #sun", "format": "plain", "scheduledFor": at, "replyToId": post.id,
            "quoteOfId": post.id, "contentWarning": "early", "language": "en",
            "replyPolicy": "mentioned", "schema": "sun.v1", "payload": { "rises": 6.5 },
        });
        let received = answer(ada.raw(&app, Method::POST, PATH).json(&sent)).await;
        assert_eq!(received.status, 201);
        let scheduled = received.json()["scheduledPost"].clone();
        assert!(scheduled["id"].as_str().unwrap().starts_with("sch_"));
        let mut expected = sent;
        expected["id"] = scheduled["id"].clone();
        expected["status"] = "scheduled".into();
        expected["createdAt"] = "2026-01-31T09:30:00.000Z".into();
        expected["updatedAt"] = "2026-01-31T09:30:00.000Z".into();
        assert_eq!(scheduled, expected);
        let path = format!("{PATH}/{}", scheduled["id"].as_str().unwrap());
        let read = answer(ada.raw(&app, Method::GET, &path)).await.json();
        assert_eq!(read, json!({ "scheduledPost": scheduled }));
        let listed = answer(ada.raw(&app, Method::GET, PATH)).await.json();
        assert_eq!(listed, json!({ "scheduledPosts": [scheduled] }));
    }

    async fn optional_members_may_be_omitted(app: TestApp) {
        let ada = app.agent("ada").await;
        let sent = json!({ "content": "hi", "scheduledFor": app.ahead(HOUR), "contentWarning": "", "language": "" });
        let received = answer(ada.raw(&app, Method::POST, PATH).json(&sent)).await.json();
        let members: Vec<_> = received["scheduledPost"].as_object().unwrap().keys().cloned().collect();
        let expected = ["content", "createdAt", "format", "id", "replyPolicy", "scheduledFor", "status", "updatedAt"];
        assert_eq!(members, expected);
    }

    async fn a_time_is_60_seconds_to_90_days_ahead(app: TestApp) {
        let ada = app.agent("ada").await;
        let scheduled = ada.schedule("soon", app.ahead(MINUTE)).await;
        let near = app.ahead(MINUTE).minus(Duration::from_millis(1));
        let far = app.ahead(90 * DAY).plus(Duration::from_millis(1));
        let wrong = (Code::ValidationFailed, "scheduledFor".to_owned());
        for at in [near, far, app.ahead(0), Timestamp::from_millis(0)] {
            let posts = ada.client.scheduled_posts();
            assert_eq!(fault(posts.create("x", at)).await, wrong);
            assert_eq!(fault(posts.edit(&scheduled.id).scheduled_for(at)).await, wrong);
        }
        ada.schedule("late", app.ahead(90 * DAY)).await;
        for odd in [json!("tomorrow"), json!(1_800_000_000_000_i64), Value::Null, json!("2026-02-01")] {
            let (code, field, _) = refused(&app, &ada, json!({ "content": "x", "scheduledFor": odd })).await;
            assert_eq!((code, field.as_deref()), (Code::ValidationFailed, Some("scheduledFor")));
        }
        let (code, field, _) = refused(&app, &ada, json!({ "content": "x" })).await;
        assert_eq!((code, field.as_deref()), (Code::ValidationFailed, Some("scheduledFor")));
    }

    async fn the_text_is_checked_when_it_is_scheduled(app: TestApp) {
        let ada = app.agent("ada").await;
        let at = app.ahead(HOUR);
        let sent = |name: &str, value: Value| {
            let mut members = json!({ "content": "x", "scheduledFor": at });
            members[name] = value;
            members
        };
        let cases = [
            (sent("content", json!("")), Code::ValidationFailed, "content"),
            (sent("content", json!("a".repeat(40_001))), Code::ValidationFailed, "content"),
            (sent("content", json!(ada.key.expose())), Code::CredentialInContent, "content"),
            (sent("contentWarning", json!(ada.key.expose())), Code::CredentialInContent, "contentWarning"),
            (sent("contentWarning", json!("a".repeat(501))), Code::ValidationFailed, "contentWarning"),
            (sent("language", json!("no language")), Code::ValidationFailed, "language"),
            (sent("language", json!("de-\"x")), Code::ValidationFailed, "language"),
            (sent("replyPolicy", json!("friends")), Code::ValidationFailed, "replyPolicy"),
            (sent("schema", json!("a.v1")), Code::ValidationFailed, "payload"),
            (sent("payload", json!({})), Code::ValidationFailed, "schema"),
        ];
        for (members, code, field) in cases {
            let (found, at_fault, _) = refused(&app, &ada, members).await;
            assert_eq!((found, at_fault.as_deref()), (code, Some(field)));
        }
        let id = ada.schedule("fine", at).await.id;
        let posts = ada.client.scheduled_posts();
        let key = ada.key.expose();
        assert_eq!(code(posts.edit(&id).content(key)).await, Code::CredentialInContent);
        assert_eq!(fault(posts.edit(&id).language("no language")).await.1, "language");
        assert_eq!(fault(posts.edit(&id).schema("a.v1")).await.1, "payload");
    }

    async fn replied_and_quoted_posts_are_checked(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let closed = bob.client.posts().create("closed").reply_policy(ReplyPolicy::None);
        let closed = closed.await.unwrap().post.id;
        let at = app.ahead(HOUR);
        let posts = ada.client.scheduled_posts();
        let new = || posts.create("x", at);
        assert_eq!(fault(new().reply_to("post_no")).await, (Code::NotFound, "replyToId".into()));
        assert_eq!(fault(new().quote("post_no")).await, (Code::NotFound, "quoteOfId".into()));
        assert_eq!(code(new().reply_to(&closed)).await, Code::ReplyNotAllowed);
        let id = new().quote(&closed).await.unwrap().scheduled_post.id;
        let edit = || posts.edit(&id);
        assert_eq!(fault(edit().reply_to(PostId::from("post_no"))).await, (Code::NotFound, "replyToId".into()));
        assert_eq!(code(edit().reply_to(closed.clone())).await, Code::ReplyNotAllowed);
        app.block(&bob, &ada).await;
        assert_eq!(code(new().quote(&closed)).await, Code::Blocked);
        assert_eq!(code(edit().quote(closed.clone())).await, Code::Blocked);
    }

    async fn two_posts_are_one_window_apart(app: TestApp) {
        let ada = app.agent("ada").await;
        let posts = ada.client.scheduled_posts();
        ada.schedule("first", app.ahead(2 * HOUR)).await;
        app.agent("bob").await.schedule("of another account", app.ahead(2 * HOUR)).await;
        for (at, free) in [
            (2 * HOUR, 2 * HOUR + 30 * MINUTE),
            (2 * HOUR + 30 * MINUTE - 1, 2 * HOUR + 30 * MINUTE),
            (2 * HOUR - 30 * MINUTE + 1, 2 * HOUR + 30 * MINUTE),
        ] {
            let taken = hinted(posts.create("x", app.ahead(at))).await;
            assert_eq!(taken, (Code::SlotTaken, app.ahead(free).to_string()));
        }
        ada.schedule("after", app.ahead(2 * HOUR + 30 * MINUTE)).await;
        ada.schedule("before", app.ahead(2 * HOUR - 30 * MINUTE)).await;
        let taken = hinted(posts.create("x", app.ahead(2 * HOUR))).await;
        assert_eq!(taken, (Code::SlotTaken, app.ahead(3 * HOUR).to_string()));
        // Exactly so far apart, each is published in its time.
        app.set_tier("ada", "pro").await;
        ada.schedule("between", app.ahead(2 * HOUR + 10 * MINUTE)).await;
        let (code, field, _) = refused(&app, &ada, json!({ "content": "x", "scheduledFor": app.ahead(2 * HOUR) })).await;
        assert_eq!((code, field.as_deref()), (Code::SlotTaken, Some("scheduledFor")));
    }

    async fn a_published_post_takes_no_slot(app: TestApp) {
        let ada = app.agent("ada").await;
        let first = ada.schedule("first", app.ahead(HOUR)).await.id;
        app.advance(HOUR);
        assert_eq!(ada.scheduled(&first).await.status, ScheduledStatus::Published);
        ada.schedule("soon after", app.ahead(10 * MINUTE)).await;
    }

    async fn replies_use_no_slot(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let post = bob.post("ask me").await;
        let at = app.ahead(HOUR);
        let posts = ada.client.scheduled_posts();
        ada.schedule("top", at).await;
        let reply = posts.create("one", at).reply_to(&post.id).await.unwrap().scheduled_post;
        posts.create("two", at).reply_to(&post.id).await.unwrap();
        let alone = posts.edit(&reply.id).reply_to(Clearable(None));
        assert_eq!(code(alone).await, Code::SlotTaken);
        let moved = posts.edit(&reply.id).reply_to(Clearable(None)).scheduled_for(app.ahead(2 * HOUR));
        assert_eq!(moved.await.unwrap().scheduled_post.reply_to_id, None);
    }

    async fn the_tier_limits_pending_posts(app: TestApp, "limits.posts.free_window" = "1s", "limits.posts.pro_window" = "1s") {
        let ada = app.agent("ada").await;
        let posts = ada.client.scheduled_posts();
        for n in 0..10 {
            ada.schedule("one of many", app.ahead(HOUR + n)).await;
        }
        assert_eq!(code(posts.create("x", app.ahead(DAY))).await, Code::LimitReached);
        app.agent("bob").await.schedule("of another account", app.ahead(HOUR)).await;
        app.set_tier("ada", "boost").await;
        assert_eq!(code(posts.create("x", app.ahead(DAY))).await, Code::LimitReached);
        app.set_tier("ada", "pro").await;
        for n in 10..300 {
            ada.schedule("one of many", app.ahead(HOUR + n)).await;
        }
        assert_eq!(code(posts.create("x", app.ahead(DAY))).await, Code::LimitReached);
        let listed = all_items(posts.list().limit(100)).await;
        assert_eq!(listed.len(), 300);
        assert!(listed.is_sorted_by(|a, b| a.scheduled_for > b.scheduled_for));
        posts.delete(&listed[0].id).await.unwrap();
        ada.schedule("room again", app.ahead(DAY)).await;
    }

    async fn replies_that_are_due_at_one_instant_are_all_listed(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let (post, posts) = (bob.post("ask me").await.id, ada.client.scheduled_posts());
        let mut made = Vec::new();
        for text in ["one", "two", "three"] {
            let reply = posts.create(text, app.ahead(HOUR)).reply_to(&post).await.unwrap();
            made.push(reply.scheduled_post.id);
        }
        made.sort();
        for list in [posts.list(), posts.list().status(ScheduledStatus::Scheduled)] {
            let listed = all_items(list.limit(1)).await;
            let mut found: Vec<_> = listed.into_iter().map(|one| one.id).collect();
            found.sort();
            assert_eq!(found, made, "each is on one page");
        }
    }

    async fn an_edit_changes_what_it_names(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let post = bob.post("quotable").await;
        let posts = ada.client.scheduled_posts();
        let creating = posts.create("draft", app.ahead(HOUR)).quote(&post.id).content_warning("a");
        let creating = creating.language("en").with(|request| {
            request.schema = Some("a.v1".into());
            request.payload = json!({ "a": 1 }).as_object().cloned();
        });
        let before = creating.await.unwrap().scheduled_post;
        app.advance(1);
        let same = posts.edit(&before.id).await.unwrap().scheduled_post;
        assert_eq!(ScheduledPost { updated_at: before.updated_at, ..same }, before);
        let change = posts.edit(&before.id).content("better").scheduled_for(app.ahead(2 * HOUR));
        let after = change.reply_policy(ReplyPolicy::None).await.unwrap().scheduled_post;
        assert_eq!((&*after.content, after.scheduled_for), ("better", app.ahead(2 * HOUR)));
        assert_eq!((&after.reply_policy, &after.payload, &after.language), (&ReplyPolicy::None, &before.payload, &before.language));
        assert!(after.updated_at > before.updated_at && after.created_at == before.created_at);
        let bare = posts.edit(&before.id).quote(Clearable(None)).content_warning("").language("").schema("");
        let bare = bare.await.unwrap().scheduled_post;
        assert_eq!((bare.quote_of_id, bare.content_warning, bare.language, bare.schema, bare.payload), (None, None, None, None, None));
        assert_eq!(bare.content, "better");
        assert_eq!(fault(posts.edit(&before.id).schema("").payload(serde_json::Map::new())).await.1, "schema");
    }

    async fn an_edit_keeps_its_own_slot(app: TestApp) {
        let ada = app.agent("ada").await;
        let posts = ada.client.scheduled_posts();
        let first = ada.schedule("first", app.ahead(HOUR)).await;
        ada.schedule("second", app.ahead(2 * HOUR)).await;
        posts.edit(&first.id).scheduled_for(app.ahead(HOUR + MINUTE)).await.unwrap();
        let close = posts.edit(&first.id).scheduled_for(app.ahead(2 * HOUR - MINUTE));
        assert_eq!(code(close).await, Code::SlotTaken);
        // A wider window does not hinder a change of the text.
        app.set_tier("ada", "pro").await;
        let third = ada.schedule("third", app.ahead(2 * HOUR + 10 * MINUTE)).await;
        app.set_tier("ada", "free").await;
        posts.edit(&third.id).content("better").await.unwrap();
    }

    async fn finished_posts_cannot_be_changed(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let post = bob.post("soon gone").await;
        let posts = ada.client.scheduled_posts();
        let published = ada.schedule("on its way", app.ahead(HOUR)).await.id;
        let failing = posts.create("too late", app.ahead(HOUR)).reply_to(&post.id);
        let failed = failing.await.unwrap().scheduled_post.id;
        bob.client.posts().delete(&post.id).await.unwrap();
        app.advance(HOUR);
        for (id, state) in [(&published, "published"), (&failed, "failed")] {
            let error = posts.edit(id).content("x").await.unwrap_err();
            assert_eq!((error.code(), error.hint()), (Some(&Code::WrongState), Some(state)));
        }
        let error = posts.delete(&published).await.unwrap_err();
        assert_eq!((error.code(), error.hint()), (Some(&Code::WrongState), Some("published")));
        posts.delete(&failed).await.unwrap();
        assert_eq!(code(posts.get(&failed)).await, Code::NotFound);
        let listed: Vec<_> = all_items(posts.list()).await.into_iter().map(|one| one.id).collect();
        assert_eq!(listed, [published]);
    }

    async fn a_list_shows_one_state_or_all(app: TestApp) {
        let ada = app.agent("ada").await;
        for hours in [1, 2, 3] {
            ada.schedule(&hours.to_string(), app.ahead(hours * HOUR)).await;
        }
        app.advance(HOUR);
        let texts = |posts: Vec<ScheduledPost>| posts.into_iter().map(|one| one.content).collect::<Vec<_>>();
        let posts = ada.client.scheduled_posts();
        assert_eq!(texts(all_items(posts.list().limit(1)).await), ["3", "2", "1"]);
        let of = |status| posts.list().limit(1).status(status);
        assert_eq!(texts(all_items(of(ScheduledStatus::Scheduled)).await), ["3", "2"]);
        assert_eq!(texts(all_items(of(ScheduledStatus::Published)).await), ["1"]);
        assert_eq!(texts(all_items(of(ScheduledStatus::Failed)).await), <[&str; 0]>::default());
        let page = posts.list().limit(1).page().await.unwrap();
        let other = posts.list().status(ScheduledStatus::Published).after(page.next_cursor.unwrap());
        assert_eq!(other.await.unwrap_err().code(), Some(&Code::InvalidCursor));
    }

    async fn a_deleted_scheduled_post_leaves_the_others(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let gone = ada.schedule("gone", app.ahead(HOUR)).await.id;
        let kept = ada.schedule("kept", app.ahead(2 * HOUR)).await;
        let theirs = bob.schedule("theirs", app.ahead(HOUR)).await;
        ada.client.scheduled_posts().delete(&gone).await.unwrap();
        assert_eq!(ada.scheduled(&kept.id).await, kept);
        ada.client.users().delete_me("ada").await.unwrap();
        assert_eq!(bob.scheduled(&theirs.id).await, theirs);
    }

    async fn only_the_author_sees_and_changes_a_scheduled_post(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        app.grant_role("bob", "admin").await;
        let id = ada.schedule("private", app.ahead(HOUR)).await.id;
        let posts = bob.client.scheduled_posts();
        assert_eq!(code(posts.get(&id)).await, Code::NotFound);
        assert_eq!(code(posts.edit(&id).content("x")).await, Code::NotFound);
        assert_eq!(code(posts.delete(&id)).await, Code::NotFound);
        assert!(all_items(posts.list()).await.is_empty());
    }

    async fn an_idempotency_key_schedules_once(app: TestApp) {
        let ada = app.agent("ada").await;
        let at = app.ahead(HOUR);
        let send = || ada.client.scheduled_posts().create("once", at).idempotency_key("one");
        let first = send().await.unwrap().scheduled_post;
        assert_eq!(send().await.unwrap().scheduled_post, first);
        assert_eq!(all_items(ada.client.scheduled_posts().list()).await.len(), 1);
    }
}
