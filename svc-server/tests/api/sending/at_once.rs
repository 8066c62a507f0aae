//! Calls at the same time: each event once, and how many a webhook and an account have.

use serde_json::Value;
use svc_client::types::api::webhooks::{DeliveryState, Webhook};
use svc_server::testing::found;
use svc_store::sql;

use super::{Line, calls_end};
use crate::on_both_engines;
use crate::receiver::{Mode, Receiver};

on_both_engines! {
    async fn concurrent_events_arrive_once(
        app: TestApp, "webhooks.allow_loopback" = "true"
    ) {
        let line = Line::new(app, Mode::ok()).await;
        line.events(30).await;
        line.all_are(DeliveryState::Delivered).await;
        let hits = line.receiver.hits();
        let ids: std::collections::BTreeSet<&str> = hits.iter().map(|hit| hit.header("X-Webhook-Id")).collect();
        assert_eq!((hits.len(), ids.len()), (30, 30));
        assert!(line.receiver.most_at_once() <= 4);
        assert_eq!(line.now().await.pending_count, 0);
        // A wrong count of running calls is corrected every minute.
        let busy = sql!("update webhook set in_flight = 4");
        line.app.execute(move |ctx| ctx.tx.execute(busy, &[])).await;
        line.event().await;
        line.app.advance(60);
        calls_end(&line.app).await;
        line.app.advance(1);
        line.receiver.reaches(31).await;
    }

    async fn a_webhook_has_as_many_calls_at_once_as_the_operator_says(
        app: TestApp, "webhooks.allow_loopback" = "true", "webhooks.sends_per_webhook" = "2"
    ) {
        let line = Line::new(app, Mode::Waits(200)).await;
        line.events(3).await;
        line.receiver.reaches(2).await;
        let other = Receiver::start(Mode::ok()).await;
        let carol = line.app.agent("carol").await;
        carol.client.webhooks().create(other.url()).await.unwrap();
        line.bob.write(&carol, "psst").await;
        // What was due before it has been taken by then.
        other.reaches(1).await;
        line.receiver.answer(3);
        line.all_are(DeliveryState::Delivered).await;
        assert_eq!(line.receiver.most_at_once(), 2);
    }

    async fn each_account_is_called_about_its_own_events_and_pauses_for_its_own_failures(
        app: TestApp, "webhooks.allow_loopback" = "true"
    ) {
        let line = Line::new(app, Mode::status(500, "")).await;
        let healthy = Receiver::start(Mode::ok()).await;
        let carol = line.app.agent("carol").await;
        let hers = carol.client.webhooks().create(healthy.url()).await.unwrap().webhook.id;
        // Both wait at the same time.
        line.app.silence().await;
        line.event().await;
        line.bob.write(&carol, "to carol").await;
        line.app.execute(|ctx| {
            ctx.effects.deliveries = true;
            ctx.tx.execute(sql!("update webhook set max_in_flight = 4"), &[])
        }).await;
        for (receiver, text) in [(&line.receiver, "psst"), (&healthy, "to carol")] {
            receiver.reaches(1).await;
            for hit in receiver.hits() {
                let body: Value = serde_json::from_slice(&hit.body).unwrap();
                assert_eq!(body["data"]["content"], text);
            }
        }
        line.webhook_is(|webhook| webhook.last_error.is_some()).await;
        let has_worked = |one: &Webhook| one.last_success_at.is_some();
        let fine = found("it has worked", async || Some(carol.webhook_now(&hers).await).filter(has_worked)).await;
        assert_eq!((fine.last_error, fine.pending_count), (None, 0));
        assert_eq!(line.now().await.pending_count, 1, "it is tried again");
    }

    async fn webhooks_of_one_account_share_its_calls(
        app: TestApp, "webhooks.allow_loopback" = "true", "webhooks.sends_per_account" = "3"
    ) {
        let line = Line::new(app, Mode::Waits(200)).await;
        line.ada.client.webhooks().create(format!("{}/2", line.receiver.url())).await.unwrap();
        // Each for both: after the first, one more call is free.
        line.events(2).await;
        line.receiver.reaches(3).await;
        let calls = sql!("select cast(sum(in_flight) as bigint) from webhook");
        assert_eq!(line.app.count(calls).await, 3);
        let other = Receiver::start(Mode::ok()).await;
        let carol = line.app.agent("carol").await;
        carol.client.webhooks().create(other.url()).await.unwrap();
        line.bob.write(&carol, "psst").await;
        // Another account has calls of its own.
        other.reaches(1).await;
        line.receiver.answer(4);
        line.receiver.reaches(4).await;
        line.all_are(DeliveryState::Delivered).await;
        assert_eq!(line.receiver.most_at_once(), 3);
    }
}
