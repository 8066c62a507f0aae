//! Recoveries: what was not delivered is sent again, whatever happened to the server meanwhile.

use std::collections::HashSet;

use svc_client::types::api::notifications::{ChannelsUpdate, NotificationType};
use svc_client::types::api::webhooks::{
    DeliveryState, DeliveryTrigger, RecoverWebhook, RecoverableState, Recovery, RecoveryStatus,
    WebhookKind,
};
use svc_client::types::{Code, Timestamp, UserId, WebhookId};
use svc_core::tasks::recover;
use svc_server::testing::Engine;
use svc_store::{sql, values};

use crate::app::{self, Member, TestApp, code, fault};
use crate::webhooks::URL;
use crate::{on_both_engines, past};

const HOUR: u64 = 3_600;
const START: Timestamp = svc_server::testing::START;

impl TestApp {
    /// This many events of an account, as if they had happened.
    async fn happened(&self, to: &UserId, first: i64, count: i64) {
        let to = to.clone();
        self.execute(move |ctx| {
            let now = ctx.now();
            for seq in first..first + count {
                let id: svc_client::types::EventId = ctx.id();
                let sql = sql!(
                    "insert into event (id, stream, seq, kind, body, created_at, relayed_at)
                     values ($1, $2, $3, 'like', '{}', $4, $4)"
                );
                ctx.tx.execute(sql, values![id, to, seq, now])?;
            }
            past::complete(ctx, &to)
        })
        .await;
    }
}

impl Member {
    async fn recovery(
        &self,
        webhook: &WebhookId,
        recovery: &Recovery,
    ) -> (u64, u64, RecoveryStatus) {
        let found = self.client.webhooks().recovery(webhook, &recovery.id).await.unwrap().recovery;
        (found.matched, found.queued, found.status)
    }
}

on_both_engines! {
    async fn failed_cancelled_and_unsent_events_are_sent_again(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        bob.write(&ada, "before there was a webhook").await;
        let id = ada.webhook(&app).await.id;
        for state in ["failed", "cancelled", "delivered"] {
            bob.write(&ada, state).await;
            let newest = ada.deliveries(&id).await.remove(0).id;
            app.end_delivery(&newest, state).await;
        }
        bob.write(&ada, "waits").await;
        let webhooks = ada.client.webhooks();
        let counted = webhooks.recover(&id, START).dry_run(true).await.unwrap().recovery;
        assert_eq!((counted.matched, counted.queued, &counted.status), (3, 0, &RecoveryStatus::Done));
        app.server.recover().await;
        assert_eq!(ada.deliveries(&id).await.len(), 4, "counting changes nothing");
        let recovery = webhooks.recover(&id, START).await.unwrap().recovery;
        assert_eq!((recovery.since, recovery.until, recovery.states.len()), (START, START, 4));
        app.server.recover().await;
        assert_eq!(ada.recovery(&id, &recovery).await, (3, 3, RecoveryStatus::Done));
        let of_bob = bob.webhook(&app).await.id;
        let foreign = bob.client.webhooks().recovery(&of_bob, &recovery.id).await.unwrap_err();
        assert_eq!(foreign.code(), Some(&Code::NotFound), "it belongs to its webhook");
        let all = ada.deliveries(&id).await;
        let again: Vec<_> = all.iter().filter(|it| it.trigger == DeliveryTrigger::Recover).collect();
        assert_eq!(again.len(), 3);
        assert!(again.iter().all(|it| it.state == DeliveryState::Pending));
        assert_eq!(all.len(), 7);
    }

    async fn states_and_times_select_deliveries(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let id = ada.webhook(&app).await.id;
        for hour in 0..4 {
            bob.write(&ada, &format!("hour {hour}")).await;
            let newest = ada.deliveries(&id).await.remove(0).id;
            app.end_delivery(&newest, if hour == 2 { "cancelled" } else { "failed" }).await;
            app.advance(HOUR);
        }
        let webhooks = ada.client.webhooks();
        let hour = |hours: u64| START.plus(std::time::Duration::from_secs(hours * HOUR));
        let counted = |since: u64, until: u64, states: Vec<RecoverableState>| {
            let call = webhooks.recover(&id, hour(since)).until(hour(until)).states(states).dry_run(true);
            async move { call.await.unwrap().recovery.matched }
        };
        let failed = vec![RecoverableState::Failed];
        assert_eq!(counted(0, 3, failed.clone()).await, 3);
        assert_eq!(counted(1, 2, failed.clone()).await, 1);
        assert_eq!(counted(1, 2, vec![RecoverableState::Cancelled, RecoverableState::Failed]).await, 2);
        assert_eq!(counted(0, 3, vec![RecoverableState::Missing]).await, 0);
        webhooks.update(&id).events([WebhookKind::Like]).await.unwrap();
        assert_eq!(counted(0, 3, failed).await, 0, "only what the webhook lists");
        let backwards = webhooks.recover(&id, hour(2)).until(hour(1)).await;
        assert_eq!(fault::<RecoverWebhook>(backwards).1, "until");
        let to_come = webhooks.recover(&id, hour(100)).await;
        assert_eq!(fault::<RecoverWebhook>(to_come).1, "since", "there is no until to blame");
        let nothing = webhooks.recover(&id, hour(2)).states([]).await;
        assert_eq!(fault::<RecoverWebhook>(nothing).1, "states");
        let unknown = webhooks.recover("wh_none", hour(2)).await;
        assert_eq!(code::<RecoverWebhook>(unknown), Code::NotFound);
        assert_eq!(webhooks.recovery(&id, "rcv_none").await.unwrap_err().code(), Some(&Code::NotFound));
    }

    async fn what_the_account_does_not_want_through_webhooks_is_not_recovered(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let id = ada.webhook(&app).await.id;
        let want = |webhook| {
            let ways = ChannelsUpdate { in_app: None, webhook: Some(webhook), mqtt: None };
            ada.client.notifications().set_preferences().of(NotificationType::DirectMessage, ways)
        };
        want(false).await.unwrap();
        bob.write(&ada, "in the app alone").await;
        let recovered = async || {
            let recovery = ada.client.webhooks().recover(&id, START).await.unwrap().recovery;
            app.server.recover().await;
            ada.recovery(&id, &recovery).await
        };
        assert_eq!(recovered().await, (0, 0, RecoveryStatus::Done));
        want(true).await.unwrap();
        assert_eq!(recovered().await, (1, 1, RecoveryStatus::Done));
    }

    async fn what_another_webhook_was_sent_again_does_not_count(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let (id, other) = (ada.webhook(&app).await.id, ada.webhook(&app).await.id);
        bob.write(&ada, "hello").await;
        let webhooks = ada.client.webhooks();
        for webhook in [&id, &other] {
            let sent = ada.deliveries(webhook).await.remove(0).id;
            app.end_delivery(&sent, "failed").await;
        }
        let sent = ada.deliveries(&other).await.remove(0).id;
        webhooks.redeliver(&other, &sent).await.unwrap();
        let recovery = webhooks.recover(&id, START).states([RecoverableState::Failed]).await.unwrap().recovery;
        app.server.recover().await;
        assert_eq!(ada.recovery(&id, &recovery).await, (1, 1, RecoveryStatus::Done));
        assert_eq!(ada.on_its_way(&id).await, ["direct_message failed", "direct_message pending"]);
    }

    async fn overlapping_recoveries_queue_an_event_once(
        app: TestApp, "database.connections" = "4"
    ) {
        let ada = app.agent("ada").await;
        let id = ada.webhook(&app).await.id;
        app.happened(&ada.user.id, 1, 500).await;
        let webhooks = ada.client.webhooks();
        let one = webhooks.recover(&id, START).await.unwrap().recovery;
        let two = webhooks.recover(&id, START).await.unwrap().recovery;
        assert_eq!((one.matched, two.matched), (500, 500));
        let (first, second) = (app.server.app(), app.server.app());
        let (a, b) = tokio::join!(recover::once(first), recover::once(second));
        a.and(b).unwrap();
        let queued = ada.recovery(&id, &one).await.1 + ada.recovery(&id, &two).await.1;
        assert_eq!(queued, 500);
        assert_eq!(ada.deliveries(&id).await.len(), 500);
        for _ in 0..10 {
            webhooks.recover(&id, START).await.unwrap();
        }
        let many = webhooks.recover(&id, START).await;
        assert_eq!(code::<RecoverWebhook>(many), Code::LimitReached);
        // Each webhook has its own.
        let other = ada.webhook(&app).await.id;
        webhooks.recover(&other, START).await.unwrap();
    }

    async fn recovered_deliveries_of_a_disabled_webhook_are_held(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let id = ada.webhook(&app).await.id;
        ada.client.webhooks().disable(&id).await.unwrap();
        bob.write(&ada, "held").await;
        app.advance(73 * HOUR);
        app.sweep_expired().await;
        bob.write(&ada, "never queued").await;
        let recovery = ada.client.webhooks().recover(&id, START).await.unwrap().recovery;
        app.server.recover().await;
        assert_eq!(ada.recovery(&id, &recovery).await, (2, 2, RecoveryStatus::Done));
        let states = ["cancelled", "held", "held"].map(|state| format!("direct_message {state}"));
        assert_eq!(ada.on_its_way(&id).await, states);
        let again = ada.client.webhooks().recover(&id, START).await.unwrap().recovery;
        assert_eq!(again.matched, 0, "what is held waits already");
        ada.client.webhooks().enable(&id).await.unwrap();
        let states = ["cancelled", "pending", "pending"].map(|state| format!("direct_message {state}"));
        assert_eq!(ada.on_its_way(&id).await, states);
    }

    async fn a_recovery_that_fails_stops_no_other(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let mut begun = Vec::new();
        for member in [&ada, &bob] {
            let id = member.webhook(&app).await.id;
            app.happened(&member.user.id, 1, 1).await;
            let recovery = member.client.webhooks().recover(&id, START).await.unwrap().recovery;
            begun.push((id, recovery));
        }
        // No column holds the next number.
        let (first, most) = (begun[0].1.id.clone(), i64::MAX);
        app.execute(move |ctx| {
            let sql = sql!("update webhook_recovery set queued = $1 where id = $2");
            ctx.tx.execute(sql, values![most, first])
        })
        .await;
        recover::once(app.server.app()).await.unwrap_err();
        let (id, recovery) = &begun[1];
        assert_eq!(bob.recovery(id, recovery).await, (1, 1, RecoveryStatus::Done));
    }

    async fn a_deleted_webhook_ends_its_recoveries(app: TestApp) {
        let ada = app.agent("ada").await;
        let id = ada.webhook(&app).await.id;
        app.happened(&ada.user.id, 1, 10).await;
        ada.client.webhooks().recover(&id, START).await.unwrap();
        ada.client.webhooks().delete(&id).await.unwrap();
        app.server.recover().await;
        assert_eq!(app.count(sql!("select count(*) from webhook_delivery")).await, 0);
        assert_eq!(app.count(sql!("select count(*) from webhook_recovery where status = 'running'")).await, 0);
        app.sweep_expired().await;
        assert_eq!(app.count(sql!("select count(*) from webhook")).await, 0, "the webhook goes with its deliveries");
    }
}

/// Recovers more than 2,500 events, with a restart of the server in between.
async fn survives_a_restart(engine: Engine, database: &str) {
    const EVENTS: i64 = 2_617;
    let app = TestApp::on(engine, database, &[]).await;
    let ada = app.agent("ada").await;
    let id = ada.client.webhooks().create(URL).await.unwrap().webhook.id;
    app.silence().await;
    app.happened(&ada.user.id, 1, EVENTS).await;
    let recovery = ada.client.webhooks().recover(&id, START).await.unwrap().recovery;
    assert_eq!(recovery.matched, EVENTS.unsigned_abs());
    for _ in 0..5 {
        assert!(recover::step(app.server.app()).await.unwrap());
    }
    let (_, before, status) = ada.recovery(&id, &recovery).await;
    assert!(before > 0 && before < EVENTS.unsigned_abs(), "{before}");
    assert_eq!(status, RecoveryStatus::Running);
    let key = ada.key.clone();
    app.server.stop().await;
    let app = TestApp::on(engine, database, &[]).await;
    let ada = Member { client: app.client(key), ..ada };
    app.server.recover().await;
    let end = (EVENTS.unsigned_abs(), EVENTS.unsigned_abs(), RecoveryStatus::Done);
    assert_eq!(ada.recovery(&id, &recovery).await, end);
    let all = ada.deliveries(&id).await;
    let events: HashSet<_> = all.iter().map(|delivery| &delivery.event_id).collect();
    assert_eq!((all.len(), events.len()), (2_617, 2_617));
}

#[tokio::test]
async fn a_recovery_continues_after_a_restart_on_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    let database = format!("sqlite:{}", folder.path().join("svc.db").display());
    survives_a_restart(Engine::Sqlite, &database).await;
}

#[tokio::test]
async fn a_recovery_continues_after_a_restart_on_postgres() {
    let engine = Engine::Postgres;
    let database = app::database(engine).await;
    if let Some(database) = database {
        survives_a_restart(engine, &database).await;
    }
}
