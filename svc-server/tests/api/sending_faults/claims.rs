//! Calls whose server or webhook is gone before they are recorded.

use svc_client::types::api::webhooks::{
    DeliveryErrorClass as Class, DeliveryOutcome, DeliveryState,
};
use svc_server::admin::Command;
use svc_server::testing::{found, until};
use svc_store::sql;

use crate::on_both_engines;
use crate::receiver::{Mode, Receiver};
use crate::sending::{Line, attempt, calls_end};

/// Waits until the one delivery is cancelled.
async fn is_cancelled(line: &Line) {
    let cancelled = sql!("select count(*) from webhook_delivery where state = 'cancelled'");
    until("the delivery is cancelled", async || line.app.count(cancelled).await == 1).await;
}

on_both_engines! {
    async fn an_expired_claim_is_lost_and_claimed_again(
        app: TestApp, "webhooks.allow_loopback" = "true"
    ) {
        let line = Line::new(app, Mode::Waits(200)).await;
        line.event().await;
        line.receiver.reaches(1).await;
        // As if its server had stopped to answer: three times the longest call.
        line.app.advance(60);
        let hits = line.receiver.reaches(2).await;
        assert_eq!(hits[0].header("X-Webhook-Id"), hits[1].header("X-Webhook-Id"));
        assert_eq!([hits[0].header("X-Webhook-Attempt"), hits[1].header("X-Webhook-Attempt")], ["1", "2"]);
        let (_, lost) = line.attempt(1).await;
        assert_eq!((lost.outcome, lost.error_class), (DeliveryOutcome::Lost, Some(Class::Lost)));
        line.receiver.answer(2);
        let delivered = line.all_are(DeliveryState::Delivered).await;
        let (_, second) = line.attempt(2).await;
        assert_eq!(second.outcome, DeliveryOutcome::Delivered);
        assert_eq!(delivered[0].attempts_count, 2);
        let (_, lost) = line.attempt(1).await;
        assert_eq!(lost.outcome, DeliveryOutcome::Lost, "the late answer changes nothing");
        calls_end(&line.app).await;
    }

    async fn claims_that_expire_together_are_each_lost_and_claimed_again(
        app: TestApp, "webhooks.allow_loopback" = "true"
    ) {
        let line = Line::new(app, Mode::Waits(200)).await;
        line.events(2).await;
        line.receiver.reaches(2).await;
        line.app.advance(60);
        line.receiver.reaches(4).await;
        line.receiver.answer(4);
        for delivery in line.all_are(DeliveryState::Delivered).await {
            let (delivery, lost) = attempt(&line.ada, &line.webhook, &delivery.id, 1).await;
            assert_eq!((lost.outcome, delivery.attempts_count), (DeliveryOutcome::Lost, 2));
        }
    }

    async fn a_test_whose_call_is_lost_is_not_sent_again(
        app: TestApp, "webhooks.allow_loopback" = "true", "database.connections" = "4"
    ) {
        let line = Line::new(app, Mode::Waits(200)).await;
        let test = async {
            line.ada.client.webhooks().test(&line.webhook).await.unwrap().delivery
        };
        let losing = async {
            line.receiver.reaches(1).await;
            line.app.advance(60);
            let ended = async || {
                let test = line.deliveries().await.remove(0);
                (test.state != DeliveryState::Sending).then_some(test)
            };
            let lost = found("the test of the webhook ends", ended).await;
            line.receiver.answer(2);
            lost
        };
        let (answered, lost) = tokio::join!(test, losing);
        assert_eq!((answered.state, lost.state), (DeliveryState::Failed, DeliveryState::Failed));
        assert_eq!(line.receiver.hits().len(), 1);
    }

    async fn a_call_for_an_account_that_is_erased_meanwhile_holds_up_no_other(
        app: TestApp, "webhooks.allow_loopback" = "true", "webhooks.sends" = "1"
    ) {
        let line = Line::new(app, Mode::Waits(200)).await;
        let carol = line.app.agent("carol").await;
        let other = Receiver::start(Mode::ok()).await;
        carol.client.webhooks().create(other.url()).await.unwrap();
        line.event().await;
        line.receiver.reaches(1).await;
        line.ada.client.users().delete_me("ada").await.unwrap();
        line.app.server.admin(Command::Erase { username: "ada".to_owned() }).await;
        line.app.server.erase().await;
        assert_eq!(line.app.count(sql!("select count(*) from webhook")).await, 1, "carol's");
        // There is one slot, which the call for ada has until its result is dropped.
        line.bob.write(&carol, "psst").await;
        line.receiver.answer(1);
        other.reaches(1).await;
    }

    async fn a_delivery_fails_only_when_its_last_attempt_is_lost(
        app: TestApp, "webhooks.allow_loopback" = "true", "webhooks.retries" = "5s,30s"
    ) {
        let line = Line::new(app, Mode::Waits(200)).await;
        line.event().await;
        for n in 1..=3 {
            let hits = line.receiver.reaches(n).await;
            assert_eq!(hits[n - 1].header("X-Webhook-Attempt"), n.to_string());
            line.app.advance(60);
        }
        let failed = line.all_are(DeliveryState::Failed).await;
        assert_eq!((failed[0].attempts_count, failed[0].next_attempt_at), (3, None));
        for n in 1..=3 {
            assert_eq!(line.attempt(n).await.1.outcome, DeliveryOutcome::Lost);
        }
    }

    async fn a_webhook_deleted_during_a_call_is_not_retried(
        app: TestApp, "webhooks.allow_loopback" = "true", "webhooks.timeout" = "1s",
        "webhooks.connect_timeout" = "1s"
    ) {
        let line = Line::new(app, Mode::Hangs).await;
        line.event().await;
        line.receiver.reaches(1).await;
        line.ada.client.webhooks().delete(&line.webhook).await.unwrap();
        is_cancelled(&line).await;
    }

    async fn a_call_that_is_lost_after_its_webhook_was_deleted_is_cancelled(
        app: TestApp, "webhooks.allow_loopback" = "true"
    ) {
        let line = Line::new(app, Mode::Waits(200)).await;
        line.event().await;
        line.receiver.reaches(1).await;
        line.ada.client.webhooks().delete(&line.webhook).await.unwrap();
        line.app.advance(60);
        is_cancelled(&line).await;
        assert_eq!(line.receiver.hits().len(), 1);
    }
}
