//! Counts that are stored beside what they count: the audit compares them, and an operator mends them.

use svc_client::types::api::messages::Message;
use svc_client::types::api::moderation::ModerationActionType as Kind;
use svc_client::types::api::posts::Post;
use svc_client::types::api::reports::{ReportReason, Subject};
use svc_core::audit;
use svc_core::audit::counts::Mended;
use svc_server::admin::Command;
use svc_store::{sql, values};

use crate::app::{Member, TestApp};
use crate::avatars::png;
use crate::counts;
use crate::on_both_engines;

/// The rules of which a count is wrong, with the counts.
async fn wrong(app: &TestApp) -> Vec<(&'static str, Vec<String>)> {
    let rules = audit::counts::compare(app.server.app()).await.unwrap();
    let broken = rules.into_iter().filter(|rule| !rule.broken.is_empty());
    broken.map(|rule| (rule.id, rule.broken)).collect()
}

/// Checks that the audit finds no wrong count, also while an account is leaving the counts or coming back.
pub(crate) async fn are_right(app: &TestApp) {
    let found = wrong(app).await;
    assert!(found.is_empty(), "{found:?}");
}

/// Mends what is wrong.
pub(crate) async fn repaired(app: &TestApp) -> Vec<Mended> {
    let mut mended = Vec::new();
    let done = audit::counts::repair(app.server.app(), |one| {
        mended.push(one);
        Ok(())
    });
    done.await.unwrap();
    mended
}

/// Does to a post, and to whom it is from, what counts there.
async fn react(who: &Member, post: &Post) -> Post {
    let reactions = who.client.reactions();
    reactions.like(&post.id).await.unwrap();
    reactions.repost(&post.id).await.unwrap();
    reactions.bookmark(&post.id).await.unwrap();
    who.reply(post, "a reply").await
}

async fn read(who: &Member, upto: &Message) {
    let conversations = who.client.conversations();
    conversations.read(&upto.conversation_id, &upto.message_id).await.unwrap();
}

on_both_engines! {
    async fn a_wrong_count_is_named_and_mended(app: TestApp) {
        let [ada, bob, cat] = app.agents(["ada", "bob", "cat"]).await;
        let top = ada.post("top").await;
        bob.client.relations().follow("ada").await.unwrap();
        react(&bob, &top).await;
        bob.client.posts().create("a quote").quote(&top.id).await.unwrap();
        let image = cat.client.posts().upload_image(png(7), "a picture").await.unwrap().media.id;
        cat.client.posts().create("look").media_ids([image]).await.unwrap();
        let list = ada.client.lists().create("friends").await.unwrap().list.id;
        ada.client.lists().add(&list, ["bob"]).await.unwrap();
        ada.client.channels().create("room").await.unwrap();
        ada.write(&bob, "hello").await;
        counts::are_right(&app).await;
        for (id, damage) in [
            (
                "C1",
                sql!("update account set followers_count = 7 where username = 'ada'"),
            ),
            (
                "C2",
                sql!("update account set following_count = 0 where username = 'bob'"),
            ),
            ("C3", sql!("update account set posts_count = -1 where username = 'cat'")),
            ("C4", sql!("update post set likes_count = 0 where content = 'top'")),
            ("C5", sql!("update post set reposts_count = 5 where content = 'a quote'")),
            ("C6", sql!("update post set replies_count = 2 where content = 'top'")),
            ("C7", sql!("update post set quotes_count = 0 where content = 'top'")),
            ("C8", sql!("update post set bookmarks_count = 0 where content = 'top'")),
            ("C9", sql!("update post set points = 40 where content = 'top'")),
            ("C10", sql!("update post set images = 2 where content = 'look'")),
            ("C11", sql!("update list set members_count = 2")),
            ("C12", sql!("update channel set members_count = 0")),
            (
                "C13",
                sql!("update conversation_member set unread_count = 3 where unread_count = 1"),
            ),
            ("C14", sql!("update notification_count set unread = 3 where type = 'follow'")),
            ("C14", sql!("delete from notification_count where type = 'follow'")),
        ] {
            app.execute(move |ctx| ctx.tx.execute(damage, values![])).await;
            let found = wrong(&app).await;
            assert_eq!(found.iter().map(|(id, _)| *id).collect::<Vec<_>>(), [id], "{found:?}");
            let mended = repaired(&app).await;
            assert_eq!(mended.iter().map(|one| one.id).collect::<Vec<_>>(), [id]);
            assert!(found[0].1[0].starts_with(&mended[0].row), "{found:?} {mended:?}");
            counts::are_right(&app).await;
        }
        let report = audit::with_counts(app.server.app()).await.unwrap();
        assert!(report.holds(), "{report}");
        assert_eq!(ada.client.users().me().await.unwrap().user.followers_count, 1);
        assert_eq!(ada.client.posts().get(&top.id).await.unwrap().post.likes_count, 1);
    }

    async fn a_wrong_count_does_not_break_the_audit_of_credits_and_deals(app: TestApp) {
        app.agent("ada").await;
        let damage = sql!("update account set followers_count = 7");
        app.execute(move |ctx| ctx.tx.execute(damage, values![])).await;
        let report = audit::now(app.server.app()).await.unwrap();
        assert!(report.holds(), "credits and deals are in order: {report}");
        let report = audit::with_counts(app.server.app()).await.unwrap();
        assert!(!report.holds() && report.to_string().contains("(7 instead of 0)"), "{report}");
    }

    async fn many_wrong_counts_are_mended_a_page_at_a_time(app: TestApp) {
        let many = sql!(
            "with recursive n (i) as (select 1001 union all select i + 1 from n where i < 2099)
             insert into account (id, username, display_name, bio, is_agent, tier, role, status,
                x_verified, google_verified, dm_policy, allow_service_requests, followers_count,
                following_count, posts_count, created_at, updated_at)
             select 'usr_' || i, 'crowd_' || i, '', '', true, 'free', 'user', 'active', false,
                false, 'all', true, 1, 0, 0, 0, 0 from n"
        );
        app.execute(move |ctx| ctx.tx.execute(many, values![])).await;
        let found = wrong(&app).await;
        assert_eq!((found[0].0, found[0].1.len()), ("C1", 10), "the first ten are named");
        assert_eq!(repaired(&app).await.len(), 1_099);
        are_right(&app).await;
    }

    async fn no_count_is_wrong_after_a_mixed_life(app: TestApp) {
        let [ada, bob, cat, eve] = app.agents(["ada", "bob", "cat", "eve"]).await;
        let judge = app.agent("judge").await;
        app.grant_role("judge", "moderator").await;
        let acts = async |subject: Subject, kind: Kind| {
            judge.client.moderation().act(subject, kind, "the rules").await.unwrap();
            are_right(&app).await;
        };
        let top = ada.post("top").await;
        let list = ada.client.lists().create("friends").await.unwrap().list.id;
        let room = ada.client.channels().create("room").await.unwrap().channel.id;
        let mut replies = Vec::new();
        let mut messages = Vec::new();
        for who in [&bob, &cat, &eve] {
            who.client.relations().follow("ada").await.unwrap();
            ada.client.relations().follow(&*who.user.username).await.unwrap();
            ada.client.lists().add(&list, [&*who.user.username]).await.unwrap();
            who.client.channels().join(&room).await.unwrap();
            let reply = react(who, &top).await;
            who.reply(&reply, "to myself").await;
            who.client.posts().create("a quote").quote(&top.id).await.unwrap();
            replies.push(reply);
            who.write(&ada, "one").await;
            messages.push(who.write(&ada, "two").await);
            ada.write(who, "three").await;
        }
        are_right(&app).await;

        acts(Subject::post(&replies[0].id), Kind::Hide).await;
        acts(Subject::user("bob"), Kind::Suspend).await;
        judge.client.relations().follow("bob").await.unwrap();
        acts(Subject::post(&replies[0].id), Kind::Restore).await;
        let message = || Subject::message(&messages[1].message_id);
        ada.client.reports().create(message(), ReportReason::Spam).await.unwrap();
        acts(message(), Kind::Hide).await;
        read(&ada, &messages[1]).await;
        acts(message(), Kind::Restore).await;
        ada.client.relations().block("cat").await.unwrap();
        are_right(&app).await;
        cat.client.posts().delete(&replies[1].id).await.unwrap();
        cat.client.reactions().unbookmark(&top.id).await.unwrap();
        ada.client.messages().delete(&messages[0].message_id).await.unwrap();
        are_right(&app).await;

        eve.client.users().delete_me("eve").await.unwrap();
        are_right(&app).await;
        eve.client.auth().restore().await.unwrap();
        are_right(&app).await;
        eve.client.users().delete_me("eve").await.unwrap();
        app.server.admin(Command::Erase { username: "eve".to_owned() }).await;
        app.server.erase().await;
        are_right(&app).await;
        acts(Subject::user("bob"), Kind::Unsuspend).await;
        acts(Subject::post(&top.id), Kind::Remove).await;
        ada.client.channels().delete(&room).await.unwrap();
        ada.client.lists().remove(&list, "bob").await.unwrap();
        are_right(&app).await;
        assert!(repaired(&app).await.is_empty());
        let report = audit::with_counts(app.server.app()).await.unwrap();
        assert!(report.holds(), "{report}");
    }
}
