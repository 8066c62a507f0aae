//! The audit names what is broken and accepts a consistent database.

use std::collections::BTreeSet;

use serde_json::{Map, json};
use svc_client::types::api::escrow::Deliverable;
use svc_client::types::service_message::{ResponseStatus, ServiceRequest, ServiceResponse};
use svc_client::types::{Code, Rating};
use svc_core::audit;
use svc_server::testing::Engine;
use svc_store::db::Sql;
use svc_store::error::{Error, Refusal};
use svc_store::{sql, values};

use crate::app::{TestApp, lasting_database};
use crate::on_both_engines;

/// A settled order, one that a funded escrow pays for, and an escrow that was released with a rating.
async fn deals(app: &TestApp) {
    let (ada, bot) = (app.agent("ada").await, app.agent("wordbot").await);
    let service = bot.client.services().create("count", "counts words", 5).await.unwrap().service;
    let order = ServiceRequest {
        service_id: service.id.clone(),
        service_name: "count".into(),
        input: Map::from_iter([("text".to_owned(), json!("a bb"))]),
        offered_credits: 5.into(),
        escrow_id: None,
    };
    let sent =
        ada.client.messages().request_service("wordbot", order.clone()).await.unwrap().message;
    let answer = ServiceResponse {
        request_id: sent.message_id,
        status: ResponseStatus::Completed,
        output: None,
        charged_credits: Some(4.into()),
    };
    bot.client.messages().respond_to("ada", answer).await.unwrap();
    let open = || ada.client.escrow().create("wordbot", &service.id, 10, "a report");
    let escrow_id = Some(open().await.unwrap().escrow.id);
    let paid = ServiceRequest { escrow_id, offered_credits: 10.into(), ..order };
    ada.client.messages().request_service("wordbot", paid).await.unwrap();
    let escrow = open().await.unwrap().escrow;
    bot.client.escrow().deliver(&escrow.id, Deliverable::new("text")).await.unwrap();
    let release = ada.client.escrow().release(&escrow.id);
    release.with(|release| release.rating = Rating::from_value(4.5)).await.unwrap();
}

/// The checks that fail when these statements were run, which are then undone.
pub(crate) async fn broken_by<const N: usize>(app: &TestApp, damage: [Sql; N]) -> BTreeSet<String> {
    let found = app.server.app().write(move |ctx| -> Result<(), Error> {
        for statement in damage {
            assert!(ctx.tx.execute(statement, values![])? > 0, "it must change something");
        }
        let report = audit::load(ctx)?;
        let ids = report.checks.iter().filter(|check| !check.broken.is_empty());
        let ids: Vec<&str> = ids.map(|check| check.id).collect();
        Err(Refusal::new(Code::WrongState, ids.join(" ")).into())
    });
    match found.await {
        Err(Error::Refused(refusal)) => {
            refusal.message.split_whitespace().map(str::to_owned).collect()
        }
        other => panic!("the audit could not look: {other:?}"),
    }
}

pub(crate) fn ids<const N: usize>(ids: [&str; N]) -> BTreeSet<String> {
    ids.map(str::to_owned).into()
}

on_both_engines! {
    async fn the_audit_names_each_kind_of_corruption(app: TestApp) {
        deals(&app).await;
        let report = audit::now(app.server.app()).await.unwrap();
        assert!(report.holds(), "{report}");

        let damages = [
            (
                sql!("update ledger_account set balance = balance + 1 where kind = 'user'"),
                ids(["I1", "I2"]),
            ),
            (
                sql!("update ledger_account set entries = entries + 1 where kind = 'user'"),
                ids(["I2"]),
            ),
            (
                sql!(
                    "insert into ledger_transfer (id, kind, ref, actor, at)
                     values ('trf_x', 'topup', 'x', 'nobody', 0)"
                ),
                ids(["I3"]),
            ),
            (
                sql!(
                    "insert into ledger_transfer (id, kind, ref, actor, at)
                     values ('trf_x', 'settle', 'esc_x', 'nobody', 0)"
                ),
                ids(["I3", "I6"]),
            ),
            (
                sql!("update escrow set amount = amount + 1 where status = 'funded'"),
                ids(["I5"]),
            ),
            (
                sql!("update escrow set status = 'cancelled' where status = 'funded'"),
                ids(["I5", "I7", "O1"]),
            ),
            (sql!("update escrow set version = version + 1"), ids(["I7"])),
            (sql!("update escrow set due_at = 1 where status = 'released'"), ids(["I7"])),
            (
                sql!(
                    "insert into escrow_event (escrow, seq, action, from_status, to_status, at)
                     select id, version + 1, 'funded', 'released', 'funded', 0 from escrow
                     where status = 'released'"
                ),
                ids(["I7"]),
            ),
            (sql!("delete from event where kind = 'escrow'"), ids(["I9", "N1"])),
            (sql!("delete from event where kind = 'service'"), ids(["I9", "N1"])),
            (sql!("update event_head set last_seq = last_seq + 1"), ids(["N1"])),
            (
                sql!("update event set subject = 'twice' where kind = 'escrow'"),
                ids(["I9"]),
            ),
            (sql!("update service_request set charged = 3"), ids(["I10"])),
            (
                // It was not paid to the account that it names as its provider.
                sql!("update service_request set provider = requester where charged is not null"),
                ids(["I10", "I9"]),
            ),
            (
                sql!("update service_request set state = 'open', charged = null"),
                ids(["F1", "I5"]),
            ),
            (
                sql!("update service_request set state = 'completed' where escrow is not null"),
                ids(["O1"]),
            ),
            (sql!("update service set ratings_sum = ratings_sum + 1"), ids(["F2", "R"])),
            (
                sql!(
                    "update service set ratings_sum = ratings_sum + 1, rating_tenths = 50
                     where ratings_count = 1"
                ),
                ids(["F2", "R"]),
            ),
            (sql!("update figure set completed = completed + 1"), ids(["F1", "F3"])),
            (sql!("update sale set completed = completed + 1"), ids(["F3"])),
            (sql!("update figure set failed = failed + 1 where id like 'usr_%'"), ids(["F2"])),
            (sql!("update figure set buyers = buyers + 1"), ids(["F2"])),
        ];
        for (damage, expected) in damages {
            assert_eq!(broken_by(&app, [damage]).await, expected, "{}", damage.text());
        }
        // A move of the table that does not begin where the one before it ended.
        let leap = [
            sql!(
                "insert into escrow_event (escrow, seq, action, from_status, to_status, at)
                 select id, version + 1, 'released', 'delivered', 'released', 0 from escrow
                 where status = 'released'"
            ),
            sql!("update escrow set version = version + 1 where status = 'released'"),
        ];
        assert_eq!(broken_by(&app, leap).await, ids(["I7"]));
    }

    async fn the_audit_names_a_transfer_that_gives_more_than_it_takes(app: TestApp) {
        app.agents(["ada", "bob"]).await;
        let more = sql!(
            "insert into ledger_entry (account, seq, transfer, amount, balance_after)
             select a.id, a.entries + 1, t.id, 1, a.balance + 1
             from ledger_account a join ledger_transfer t on t.kind = 'grant'
             where a.kind = 'user' and not exists (
                select 1 from ledger_entry e where e.transfer = t.id and e.account = a.id)
             order by a.id, t.id limit 1"
        );
        assert_eq!(broken_by(&app, [more]).await, ids(["I2", "I3"]));
    }

    async fn the_ledger_is_append_only(app: TestApp) {
        deals(&app).await;
        for change in [
            sql!("update ledger_entry set amount = amount + 1"),
            sql!("delete from ledger_entry"),
            sql!("update ledger_transfer set reason = 'another'"),
            sql!("delete from ledger_transfer"),
            sql!("update escrow_event set at = 0"),
            sql!("delete from escrow_event"),
            sql!("update ledger_account set balance = -1 where kind = 'user'"),
        ] {
            let changed = app.server.app().write(move |ctx| ctx.tx.execute(change, values![])).await;
            assert!(changed.is_err(), "{}", change.text());
        }
        assert!(audit::now(app.server.app()).await.unwrap().holds());
    }
}

/// Deals whose events were kept for an hour, and a server that keeps them for a week.
async fn holds_after_a_shorter_retention(engine: Engine) {
    let folder = tempfile::tempdir().unwrap();
    let Some(database) = lasting_database(engine, folder.path()).await else { return };
    let app = TestApp::on(engine, &database, &[("retention.events", "1h")]).await;
    deals(&app).await;
    app.advance(2 * 3_600);
    app.sweep_expired().await;
    let events = sql!("select count(*) from event where kind in ('escrow', 'service')");
    assert_eq!(app.count(events).await, 0);
    app.server.stop().await;
    let app = TestApp::on(engine, &database, &[]).await;
    let report = audit::now(app.server.app()).await.unwrap();
    assert!(report.holds(), "{report}");
    // What was not swept is still looked for.
    let count = sql!("update event_head set swept_seq = 0");
    assert_eq!(broken_by(&app, [count]).await, ids(["I9", "N1"]));
}

#[tokio::test]
async fn the_audit_holds_after_events_were_kept_for_a_shorter_time_on_sqlite() {
    Box::pin(holds_after_a_shorter_retention(Engine::Sqlite)).await;
}

#[tokio::test]
async fn the_audit_holds_after_events_were_kept_for_a_shorter_time_on_postgres() {
    Box::pin(holds_after_a_shorter_retention(Engine::Postgres)).await;
}
