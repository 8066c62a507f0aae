//! Events that hold the text of a post or message, once it is deleted or removed.

use serde_json::{Value, json};
use svc_client::types::PostId;
use svc_client::types::api::moderation::ModerationActionType;
use svc_client::types::api::reports::{ReportReason, Subject};
use svc_store::sql;

use crate::app::{Member, TestApp};
use crate::market::object;
use crate::on_both_engines;

/// Kind, text and content warning of each event of a member, in the order of their numbers, which have no gaps.
async fn texts(member: &Member) -> Vec<Value> {
    let events = member.client.events().after(0).await.unwrap().events;
    let numbers: Vec<u64> = events.iter().map(|event| event.seq).collect();
    assert_eq!(numbers, (1..=events.len() as u64).collect::<Vec<_>>());
    let short = events
        .iter()
        .map(|event| json!([event.event, event.data["content"], event.data.get("contentWarning")]));
    short.collect()
}

async fn delete(author: &Member, post: &PostId) {
    author.client.posts().delete(post).await.unwrap();
}

/// How many events still hold the word that the posts of these tests share.
async fn left(app: &TestApp) -> i64 {
    app.count(sql!("select count(*) from event where body like '%butler%'")).await
}

on_both_engines! {
    async fn events_of_a_deleted_post_keep_their_numbers_and_lose_its_text(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let (top, posts) = (ada.post("top").await, bob.client.posts());
        let reply = posts.reply(&top.id, "the butler did it").content_warning("the end");
        let reply = reply.await.unwrap().post.id;
        let quote = posts.create("a butler").quote(&top.id).await.unwrap().post.id;
        app.advance(1_800);
        let mention = bob.post("@ada, the butler").await.id;
        bob.reply(&top, "kept").await;
        assert_eq!(texts(&ada).await, [
            json!(["reply", "the butler did it", "the end"]),
            json!(["quote", "a butler", null]),
            json!(["mention", "@ada, the butler", null]),
            json!(["reply", "kept", null]),
        ]);
        for post in [&reply, &quote, &mention] {
            delete(&bob, post).await;
        }
        assert_eq!(texts(&ada).await, [
            json!(["reply", "", null]),
            json!(["quote", "", null]),
            json!(["mention", "", null]),
            json!(["reply", "kept", null]),
        ]);
        let first = ada.client.events().after(0).await.unwrap().events.remove(0);
        assert_eq!(first.data["replyId"], json!(reply), "it still says what it was about");
        assert_eq!(left(&app).await, 0);
    }

    async fn a_mention_of_an_edit_and_a_post_that_moderators_remove_lose_their_texts(app: TestApp) {
        let [ada, bob, judge] = app.agents(["ada", "bob", "judge"]).await;
        app.grant_role("judge", "moderator").await;
        let post = bob.post("the butler").await.id;
        bob.client.posts().edit(&post).content("@ada, the butler").await.unwrap();
        assert_eq!(texts(&ada).await, [json!(["mention", "@ada, the butler", null])]);
        let remove = ModerationActionType::Remove;
        judge.client.moderation().act(Subject::post(&post), remove, "the rules").await.unwrap();
        assert_eq!(texts(&ada).await, [json!(["mention", "", null])]);
        assert_eq!(left(&app).await, 0);
    }

    async fn the_event_of_a_message_that_moderators_remove_loses_its_text(app: TestApp) {
        let [ada, bob, judge] = app.agents(["ada", "bob", "judge"]).await;
        app.grant_role("judge", "moderator").await;
        app.follow(&ada, &bob).await;
        let note = object(json!({ "who": "the butler" }));
        let send = bob.client.messages().send("ada", "the butler did it");
        let send = send.payload("butlers", note).client_message_id("butler-1");
        let message = send.await.unwrap().message;
        bob.write(&ada, "kept").await;
        let subject = || Subject::message(&message.message_id);
        ada.client.reports().create(subject(), ReportReason::Spam).await.unwrap();
        assert_eq!(left(&app).await, 1);
        let remove = ModerationActionType::Remove;
        judge.client.moderation().act(subject(), remove, "the rules").await.unwrap();
        assert_eq!(texts(&ada).await, [
            json!(["direct_message", "", null]),
            json!(["direct_message", "kept", null]),
        ]);
        let first = ada.client.events().after(0).await.unwrap().events.remove(0);
        assert_eq!(first.data["messageId"], json!(message.message_id));
        assert_eq!(first.data["sender"]["username"], "bob");
        assert_eq!(first.data.get("payload"), None);
        assert_eq!(left(&app).await, 0);
    }

    async fn what_moderators_hide_is_left_out_of_events_until_they_show_it_again(app: TestApp) {
        let [ada, bob, judge] = app.agents(["ada", "bob", "judge"]).await;
        app.grant_role("judge", "moderator").await;
        app.follow(&ada, &bob).await;
        let post = bob.post("@ada, the butler").await.id;
        let note = object(json!({ "who": "the butler" }));
        let send = bob.client.messages().send("ada", "the butler did it").payload("butlers", note);
        let message = send.await.unwrap().message.message_id;
        ada.client.reports().create(Subject::message(&message), ReportReason::Spam).await.unwrap();
        let act = async |kind: ModerationActionType| {
            for subject in [Subject::post(&post), Subject::message(&message)] {
                judge.client.moderation().act(subject, kind.clone(), "the rules").await.unwrap();
            }
        };
        let shown = [
            json!(["mention", "@ada, the butler", null]),
            json!(["direct_message", "the butler did it", null]),
        ];
        assert_eq!(texts(&ada).await, shown);
        act(ModerationActionType::Hide).await;
        let hidden = [json!(["mention", "", null]), json!(["direct_message", "", null])];
        assert_eq!(texts(&ada).await, hidden);
        let of_message = ada.client.events().after(1).await.unwrap().events.remove(0);
        assert_eq!(of_message.data.get("payload"), None);
        assert_eq!(of_message.data["messageId"], json!(message));
        act(ModerationActionType::Restore).await;
        assert_eq!(texts(&ada).await, shown);
    }

    async fn what_a_suspended_or_deleted_account_posted_is_left_out_of_events_until_it_is_back(
        app: TestApp
    ) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        app.follow(&ada, &bob).await;
        let (top, posts) = (ada.post("top").await, bob.client.posts());
        posts.reply(&top.id, "the butler did it").content_warning("the end").await.unwrap();
        posts.create("a butler").quote(&top.id).await.unwrap();
        app.advance(1_800);
        bob.post("@ada, the butler").await;
        bob.write(&ada, "a letter").await;
        let shown = [
            json!(["reply", "the butler did it", "the end"]),
            json!(["quote", "a butler", null]),
            json!(["mention", "@ada, the butler", null]),
            json!(["direct_message", "a letter", null]),
        ];
        // The conversation still shows the message.
        let gone = [
            json!(["reply", "", null]),
            json!(["quote", "", null]),
            json!(["mention", "", null]),
            json!(["direct_message", "a letter", null]),
        ];
        assert_eq!(texts(&ada).await, shown);
        app.suspend("bob").await;
        assert_eq!(texts(&ada).await, gone);
        app.unsuspend("bob").await;
        assert_eq!(texts(&ada).await, shown);
        bob.client.users().delete_me("bob").await.unwrap();
        assert_eq!(texts(&ada).await, gone);
        bob.client.auth().restore().await.unwrap();
        assert_eq!(texts(&ada).await, shown);
    }
}
