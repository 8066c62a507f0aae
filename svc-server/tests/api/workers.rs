//! Work in the background, which a server does without being asked.

use svc_client::types::Scope;
use svc_core::tasks::{flush, rankings, sweep, trust};
use svc_server::admin::Command;
use svc_server::testing::Engine::{Postgres, Sqlite};
use svc_server::testing::{START, until};
use svc_store::db::Sql;
use svc_store::sql;

use crate::app::{TestApp, lasting_database};
use crate::on_both_engines;

const PASSWORD: &str = "correct horse";

const DAY: u64 = 86_400;

/// Takes a table away, so that work on it fails, and puts it back.
const TAKE: Sql = sql!("alter table login_failure rename to away");
const PUT: Sql = sql!("alter table away rename to login_failure");

/// Changes the tables.
async fn change(app: &TestApp, sql: Sql) {
    app.server.app().write(move |ctx| ctx.tx.execute(sql, &[])).await.unwrap();
}

on_both_engines! {
    async fn each_kind_of_work_begins_by_itself(app: TestApp, "mail.url" = "smtp://127.0.0.1:25") {
        let _recorder = app.server.record_mails();
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let post = ada.post("```rust\nfn f() {}\n```").await;
        bob.client.posts().get(&post.id).await.unwrap();
        bob.write(&ada, "before there was a webhook").await;
        let webhook = ada.webhook(&app).await.id;
        ada.client.webhooks().recover(&webhook, START).await.unwrap();
        ada.client.export().create().await.unwrap();
        bob.client.users().delete_me("bob").await.unwrap();
        app.person("cyd", PASSWORD).await;
        app.sign_in("cyd", PASSWORD).await;
        let budget = sql!("insert into budget (subject, class, paid_off_at) values ('usr_1', 'writes', 0)");
        app.execute(move |ctx| ctx.tx.execute(budget, &[])).await;
        for (work, every, left) in [
            ("texts are indexed", 1, sql!("select count(*) from search_queue")),
            ("code is highlighted", 1, sql!("select count(*) from post_code where due_at is not null")),
            ("a view is counted", 1, sql!("select 1 - count(*) from post_viewer")),
            ("a mail is sent", 1, sql!("select count(*) from mail_outbox")),
            ("a recovery ends", 1, sql!("select count(*) from webhook_recovery where status = 'running'")),
            ("an export is made", 1, sql!("select count(*) from export where state = 'working'")),
            ("what is paid off is forgotten", DAY / 4, sql!("select count(*) from budget")),
            ("a session that ended is deleted", DAY, sql!("select count(*) from session")),
            (
                "a deleted account is erased", DAY,
                sql!("select count(*) from account where deleted_at is not null and erased_at is null"),
            ),
        ] {
            // More than once: a round may still be ending, and the next is counted from there.
            until(work, async || {
                app.advance(every);
                app.count(left).await == 0
            }).await;
        }
    }

    async fn a_server_audits_within_ten_minutes_of_its_start(app: TestApp) {
        app.agent("ada").await;
        let damage = sql!("update ledger_account set balance = balance + 1 where kind = 'user'");
        app.execute(move |ctx| ctx.tx.execute(damage, &[])).await;
        app.advance(600);
        until("the audit finds the damage", async || {
            let health = app.anonymous.health().read().await.unwrap();
            health.checks["database"].to_string() == "degraded"
        }).await;
    }

    async fn a_leaderboard_that_cannot_be_computed_delays_no_other(app: TestApp) {
        app.agent("ada").await;
        change(&app, sql!("alter table follow rename to away")).await;
        app.advance(300);
        rankings::once(app.server.app()).await.unwrap_err();
        let late = sql!(
            "select count(distinct metric) from leaderboard
             where generated_at < (select max(generated_at) from leaderboard)"
        );
        assert_eq!(app.count(late).await, 1, "that of followers");
        change(&app, sql!("alter table away rename to follow")).await;
        rankings::once(app.server.app()).await.unwrap();
        assert_eq!(app.count(late).await, 0);
    }

    async fn the_last_use_of_a_key_is_written_although_a_view_cannot_be(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let made = bob.client.keys().create("read", vec![Scope::Read]).await.unwrap();
        let post = ada.post("hello").await;
        app.client(made.api_key).posts().get(&post.id).await.unwrap();
        change(&app, sql!("alter table post_viewer rename to away")).await;
        flush::once(app.server.app()).await.unwrap_err();
        change(&app, sql!("alter table away rename to post_viewer")).await;
        let keys = bob.client.keys().list().await.unwrap().keys;
        let read = keys.into_iter().find(|key| key.name == "read").unwrap();
        assert_eq!(read.last_used_at, Some(app.server.clock().now()));
    }

    async fn budgets_are_forgotten_although_no_deals_can_be_collected(app: TestApp) {
        let budget = sql!("insert into budget (subject, class, paid_off_at) values ('usr_1', 'writes', 0)");
        app.execute(move |ctx| ctx.tx.execute(budget, &[])).await;
        change(&app, sql!("alter table deal_collected rename to away")).await;
        trust::once(app.server.app()).await.unwrap_err();
        assert_eq!(app.count(sql!("select count(*) from budget")).await, 0);
        change(&app, sql!("alter table away rename to deal_collected")).await;
        trust::once(app.server.app()).await.unwrap();
    }

    async fn what_cannot_be_deleted_keeps_nothing_else(app: TestApp) {
        app.person("cyd", PASSWORD).await;
        app.sign_in("cyd", PASSWORD).await;
        change(&app, TAKE).await;
        app.advance(31 * DAY);
        sweep::once(app.server.app()).await.unwrap_err();
        assert_eq!(app.count(sql!("select count(*) from session")).await, 0);
        change(&app, PUT).await;
        app.server.sweep().await;
    }
}

#[tokio::test]
async fn a_server_starts_although_something_cannot_be_deleted() {
    for engine in [Sqlite, Postgres] {
        let folder = tempfile::tempdir().unwrap();
        let Some(database) = lasting_database(engine, folder.path()).await else { continue };
        let app = TestApp::on(engine, &database, &[]).await;
        app.agent("ada").await;
        change(&app, sql!("alter table login_step rename to away")).await;
        app.server.stop().await;
        let app = TestApp::on(engine, &database, &[]).await;
        app.anonymous.users().get("ada").await.unwrap();
        app.server.stop().await;
    }
}

#[tokio::test]
async fn a_server_that_is_often_restarted_erases_too() {
    for engine in [Sqlite, Postgres] {
        let folder = tempfile::tempdir().unwrap();
        let Some(database) = lasting_database(engine, folder.path()).await else { continue };
        let app = TestApp::on(engine, &database, &[]).await;
        app.agent("ada").await.client.users().delete_me("ada").await.unwrap();
        app.server.admin(Command::Erase { username: "ada".to_owned() }).await;
        app.server.stop().await;
        let app = TestApp::on(engine, &database, &[]).await;
        app.advance(61);
        let erased = sql!("select count(*) from account where erased_at is not null");
        until("the account is erased", async || app.count(erased).await == 1).await;
        app.server.stop().await;
    }
}

#[tokio::test]
async fn mails_that_wait_are_deleted_in_time_although_mail_was_turned_off() {
    for engine in [Sqlite, Postgres] {
        let folder = tempfile::tempdir().unwrap();
        let Some(database) = lasting_database(engine, folder.path()).await else { continue };
        let mail = [("mail.url", "smtp://127.0.0.1:9")];
        let app = TestApp::on(engine, &database, &mail).await;
        app.anonymous.auth().reset_password("eve@example.org").await.unwrap();
        app.server.stop().await;
        let app = TestApp::on(engine, &database, &[]).await;
        app.server.sweep().await;
        assert_eq!(app.count(sql!("select count(*) from mail_outbox")).await, 1);
        app.advance(3_600);
        app.server.sweep().await;
        assert_eq!(app.count(sql!("select count(*) from mail_outbox")).await, 0);
        app.server.stop().await;
    }
}
