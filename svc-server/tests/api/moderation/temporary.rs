//! Measures that end by themselves.

use svc_client::types::api::auth::Restore;
use svc_client::types::api::moderation::ModerationActionType as Kind;
use svc_client::types::api::reports::{ReportReason, Subject};
use svc_client::types::api::users::AccountStatus;
use svc_client::types::{Code, Span};
use svc_core::due;
use svc_server::admin::Command;
use svc_server::testing::{Engine, TestServer};
use svc_store::db::Sql;
use svc_store::sql;

use super::{HOUR, act, done, in_the_way, notified, staff, status};
use crate::app::{self, TestApp, code};
use crate::counts;
use crate::on_both_engines;

/// Measures that end later.
const MEASURES: Sql = sql!("select count(*) from measure");
/// Measures that have ended by themselves.
const ENDED: Sql = sql!("select count(*) from audit_log where action = 'measure_expired'");

on_both_engines! {
    async fn an_account_deleted_while_suspended_can_be_restored_once_that_ends(app: TestApp) {
        let [_, eve] = app.agents(["ada", "eve"]).await;
        let judge = staff(&app, "judge", "moderator").await;
        eve.client.relations().follow("ada").await.unwrap();
        act(&judge, Subject::user("eve"), Kind::Suspend).expires_in(HOUR).await.unwrap();
        app.server.admin(Command::Delete { username: "eve".to_owned() }).await;
        counts::are_right(&app).await;
        assert_eq!(code::<Restore>(eve.client.auth().restore().await), Code::AccountSuspended);
        let restore = Command::Restore { username: "eve".to_owned() };
        let refused = app.server.try_admin(&restore).await.unwrap_err();
        assert!(refused.to_string().contains("suspended"), "{refused}");
        app.advance(3_600);
        due::sweep(app.server.app()).await.unwrap();
        counts::are_right(&app).await;
        eve.client.auth().restore().await.unwrap();
        assert_eq!(status(&eve).await, AccountStatus::Active);
        counts::are_right(&app).await;
        let ada = app.anonymous.users().get("ada").await.unwrap().user;
        assert_eq!(ada.followers_count, 1);
    }

    async fn temporary_measures_end_by_themselves_once(app: TestApp, "database.connections" = "4") {
        let [ada, eve] = app.agents(["ada", "eve"]).await;
        let judge = staff(&app, "judge", "moderator").await;
        let top = ada.post("top").await;
        let reply = eve.reply(&top, "a trick").await;
        let message = eve.write(&ada, "psst").await;
        ada.client.conversations().accept(&message.conversation_id).await.unwrap();
        let of_message = Subject::message(&message.message_id);
        ada.client.reports().create(of_message.clone(), ReportReason::Spam).await.unwrap();
        let of_post = || Subject::post(&reply.id);
        let for_time = |subject, kind| act(&judge, subject, kind).expires_in(HOUR);
        for_time(of_post(), Kind::Hide).await.unwrap();
        for_time(of_message, Kind::Hide).await.unwrap();
        for_time(of_post(), Kind::Label).label("satire").await.unwrap();
        for_time(Subject::user("eve"), Kind::Limit).await.unwrap();
        for_time(Subject::user("eve"), Kind::Suspend).await.unwrap();
        counts::are_right(&app).await;
        app.advance(3_599);
        due::sweep(app.server.app()).await.unwrap();
        assert_eq!(status(&eve).await, AccountStatus::Suspended);
        app.advance(1);
        let app_of = || std::sync::Arc::clone(app.server.app());
        let sweeps = (0..4).map(|_| {
            let app = app_of();
            tokio::spawn(async move { due::sweep(&app).await })
        });
        for sweep in sweeps.collect::<Vec<_>>() {
            sweep.await.unwrap().unwrap();
        }
        assert_eq!(status(&eve).await, AccountStatus::Active);
        let post = ada.client.posts().get(&reply.id).await.unwrap().post;
        assert_eq!(post.labels, [] as [&str; 0]);
        assert_eq!(ada.client.posts().get(&top.id).await.unwrap().post.replies_count, 1);
        assert_eq!(ada.client.messages().unread_count().await.unwrap().unread.messages, 1);
        assert_eq!(app.count(ENDED).await, 5);
        assert_eq!(app.count(MEASURES).await, 0);
        assert_eq!(in_the_way(act(&judge, of_post(), Kind::Restore)).await, "not hidden");
        counts::are_right(&app).await;
    }

    async fn a_measure_ends_while_its_account_is_deleted(app: TestApp) {
        let eve = app.agent("eve").await;
        let judge = staff(&app, "judge", "moderator").await;
        act(&judge, Subject::user("eve"), Kind::Limit).expires_in(HOUR).await.unwrap();
        eve.client.users().delete_me("eve").await.unwrap();
        app.advance(3_600);
        due::sweep(app.server.app()).await.unwrap();
        assert_eq!(app.count(MEASURES).await, 0);
        eve.client.auth().restore().await.unwrap();
        assert_eq!(status(&eve).await, AccountStatus::Active);
    }

    async fn a_measure_on_a_post_ends_with_the_post(app: TestApp) {
        let eve = app.agent("eve").await;
        let judge = staff(&app, "judge", "moderator").await;
        let post = eve.post("a trick").await;
        act(&judge, Subject::post(&post.id), Kind::Hide).expires_in(HOUR).await.unwrap();
        eve.client.posts().delete(&post.id).await.unwrap();
        app.advance(3_600);
        due::sweep(app.server.app()).await.unwrap();
        assert_eq!(app.count(ENDED).await, 0, "there is nothing to undo");
        assert_eq!(app.count(MEASURES).await, 0);
        counts::are_right(&app).await;
    }

    async fn measures_on_what_is_removed_or_erased_are_forgotten(app: TestApp) {
        let eve = app.agent("eve").await;
        let judge = staff(&app, "judge", "moderator").await;
        let post = eve.post("a trick").await;
        let for_time = |kind| act(&judge, Subject::post(&post.id), kind).expires_in(HOUR);
        for_time(Kind::Hide).await.unwrap();
        for_time(Kind::Label).label("satire").await.unwrap();
        done(&judge, Subject::user("eve"), Kind::Limit).await;
        done(&judge, Subject::post(&post.id), Kind::Remove).await;
        assert_eq!(app.count(MEASURES).await, 1);
        app.advance(3_600);
        due::sweep(app.server.app()).await.unwrap();
        assert_eq!(app.count(ENDED).await, 0);
        eve.client.users().delete_me("eve").await.unwrap();
        app.advance(14 * 24 * 3_600);
        app.server.erase().await;
        assert_eq!(app.count(MEASURES).await, 0);
        counts::are_right(&app).await;
    }

    async fn a_repeated_measure_replaces_the_duration(app: TestApp) {
        let eve = app.agent("eve").await;
        let judge = staff(&app, "judge", "moderator").await;
        let suspend = || act(&judge, Subject::user("eve"), Kind::Suspend);
        suspend().expires_in(HOUR).await.unwrap();
        suspend().expires_in(Span::from_secs(7_200)).await.unwrap();
        let after = async |seconds| {
            app.advance(seconds);
            due::sweep(app.server.app()).await.unwrap();
            status(&eve).await
        };
        assert_eq!(after(3_600).await, AccountStatus::Suspended);
        suspend().await.unwrap();
        assert_eq!(after(86_400).await, AccountStatus::Suspended, "for good");
        suspend().expires_in(Span::from_secs(60)).await.unwrap();
        assert_eq!(after(60).await, AccountStatus::Active);
        suspend().expires_in(HOUR).await.unwrap();
        done(&judge, Subject::user("eve"), Kind::Unsuspend).await;
        done(&judge, Subject::user("eve"), Kind::Suspend).await;
        assert_eq!(after(3_600).await, AccountStatus::Suspended, "the first one was lifted");
        counts::are_right(&app).await;
    }

    async fn a_repeated_measure_notifies_only_if_its_end_changes(app: TestApp) {
        let eve = app.agent("eve").await;
        let judge = staff(&app, "judge", "moderator").await;
        let post = eve.post("a trick").await;
        let hide = || act(&judge, Subject::post(&post.id), Kind::Hide);
        let label = || act(&judge, Subject::post(&post.id), Kind::Label).label("satire");
        let count = async || notified(&eve).await.len();
        hide().await.unwrap();
        hide().await.unwrap();
        assert_eq!(count().await, 1);
        hide().expires_in(HOUR).await.unwrap();
        hide().expires_in(HOUR).await.unwrap();
        assert_eq!(count().await, 2, "until the same time");
        label().await.unwrap();
        label().await.unwrap();
        assert_eq!(count().await, 3);
        for kind in [Kind::Limit, Kind::Limit, Kind::Warn, Kind::Warn] {
            done(&judge, Subject::user("eve"), kind).await;
        }
        assert_eq!(count().await, 6, "a warning has no other effect");
        let all = judge.client.moderation().actions().await.unwrap().actions;
        assert_eq!(all.len(), 10, "each is an action all the same");
    }

    async fn a_suspension_by_the_operator_is_lifted_and_not_replaced(app: TestApp) {
        let eve = app.agent("eve").await;
        let judge = staff(&app, "judge", "moderator").await;
        done(&judge, Subject::user("eve"), Kind::Suspend).await;
        app.suspend("eve").await;
        app.suspend("eve").await;
        let suspend = || act(&judge, Subject::user("eve"), Kind::Suspend).expires_in(HOUR);
        assert_eq!(in_the_way(suspend()).await, "suspended by the operator");
        app.advance(3_600);
        due::sweep(app.server.app()).await.unwrap();
        assert_eq!(status(&eve).await, AccountStatus::Suspended);
        done(&judge, Subject::user("eve"), Kind::Unsuspend).await;
        suspend().await.unwrap();
        app.advance(3_600);
        due::sweep(app.server.app()).await.unwrap();
        assert_eq!(status(&eve).await, AccountStatus::Active);
    }

    async fn a_message_that_was_hidden_while_later_ones_were_read_is_unread_again(app: TestApp) {
        let [ada, eve] = app.agents(["ada", "eve"]).await;
        let judge = staff(&app, "judge", "moderator").await;
        let [hidden, last] = [eve.write(&ada, "one").await, eve.write(&ada, "two").await];
        ada.client.conversations().accept(&last.conversation_id).await.unwrap();
        let subject = || Subject::message(&hidden.message_id);
        ada.client.reports().create(subject(), ReportReason::Spam).await.unwrap();
        act(&judge, subject(), Kind::Hide).expires_in(HOUR).await.unwrap();
        let read = async || {
            let call = ada.client.conversations().read(&last.conversation_id, &last.message_id);
            call.await.unwrap().conversation.unread_count
        };
        let read_at = async || eve.client.messages().get(&hidden.message_id).await.unwrap().message.read_at;
        assert_eq!((read().await, read_at().await), (0, None), "ada could not read it");
        app.advance(3_600);
        due::sweep(app.server.app()).await.unwrap();
        assert_eq!(ada.client.messages().unread_count().await.unwrap().unread.messages, 1);
        assert_eq!(read().await, 0);
        assert!(read_at().await.is_some());
        counts::are_right(&app).await;
    }
}

#[tokio::test]
async fn one_of_two_servers_ends_a_temporary_measure_even_after_a_pause() {
    let Some(database) = app::database(Engine::Postgres).await else {
        return;
    };
    let app = TestApp::on(Engine::Postgres, &database, &[]).await;
    let [ada, eve] = app.agents(["ada", "eve"]).await;
    let judge = staff(&app, "judge", "moderator").await;
    let top = ada.post("top").await;
    let reply = eve.reply(&top, "a trick").await;
    eve.client.reactions().like(&top.id).await.unwrap();
    act(&judge, Subject::post(&reply.id), Kind::Hide).expires_in(HOUR).await.unwrap();
    act(&judge, Subject::user("eve"), Kind::Suspend).expires_in(HOUR).await.unwrap();
    let second = TestServer::start_with(&database, &[]).await;
    app.advance(90 * 86_400);
    second.clock().advance(std::time::Duration::from_hours(90 * 24));
    let sweep = |app: &std::sync::Arc<svc_core::app::App>| {
        let app = std::sync::Arc::clone(app);
        tokio::spawn(async move { due::sweep(&app).await })
    };
    let sweeps = [sweep(app.server.app()), sweep(second.app()), sweep(app.server.app())];
    for one in sweeps {
        one.await.unwrap().unwrap();
    }
    assert_eq!(app.count(ENDED).await, 2);
    let top = ada.client.posts().get(&top.id).await.unwrap().post;
    assert_eq!((top.likes_count, top.replies_count), (1, 1));
    counts::are_right(&app).await;
}
