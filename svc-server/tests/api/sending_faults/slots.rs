//! Slow receivers, and what waits for a free slot.

use std::time::Duration;

use svc_client::types::api::webhooks::{DeliveryState, Webhook};
use svc_store::{sql, values};

use crate::on_both_engines;
use crate::receiver::{Mode, Receiver};
use crate::sending::Line;

on_both_engines! {
    async fn a_hanging_receiver_delays_no_other(
        app: TestApp, "webhooks.allow_loopback" = "true", "webhooks.timeout" = "10m"
    ) {
        let line = Line::new(app, Mode::Hangs).await;
        line.event().await;
        line.receiver.reaches(1).await;
        let webhook = line.webhook.clone();
        line.app.execute(move |ctx| {
            let now = ctx.now();
            let sql = sql!(
                "insert into webhook_delivery (id, webhook, event, kind, seq, replay_no,
                    trigger_kind, state, next_attempt_at, created_at)
                 with recursive n (i) as (
                    select 1 union all select i + 1 from n where i < 5000)
                 select 'dlv_' || cast(10000 + n.i as text), d.webhook, d.event, d.kind, d.seq, n.i,
                    'manual', 'pending', d.created_at - 1000, d.created_at
                 from webhook_delivery d cross join n where d.webhook = $1"
            );
            ctx.tx.execute(sql, values![webhook])?;
            ctx.effects.deliveries = true;
            ctx.tx.execute(sql!("update webhook set due_at = $1 where id = $2"), values![now, webhook])
        }).await;
        line.receiver.reaches(4).await;
        let healthy = Receiver::start(Mode::ok()).await;
        let mut others = Vec::new();
        for name in ["carol", "dave", "erin"] {
            let other = line.app.agent(name).await;
            other.client.webhooks().create(healthy.url()).await.unwrap();
            others.push(other);
        }
        for _ in 0..20 {
            for other in &others {
                line.bob.write(other, "psst").await;
            }
        }
        healthy.reaches(60).await;
        assert_eq!(line.receiver.hits().len(), 4, "it has its four slots, and no more");
        assert_eq!(healthy.hits().len(), 60);
        assert_eq!(line.now().await.pending_count, 5001);
        line.receiver.set(Mode::ok());
    }

    async fn a_slow_receiver_with_a_backlog_leaves_the_next_free_slot_to_others(
        app: TestApp, "webhooks.allow_loopback" = "true", "webhooks.timeout" = "10m",
        "webhooks.sends" = "4"
    ) {
        let line = Line::new(app, Mode::Waits(200)).await;
        line.events(6).await;
        line.receiver.reaches(4).await;
        let healthy = Receiver::start(Mode::ok()).await;
        let carol = line.app.agent("carol").await;
        carol.client.webhooks().create(healthy.url()).await.unwrap();
        line.bob.write(&carol, "psst").await;
        assert_eq!(line.receiver.hits().len(), 4, "every slot is taken");
        // What waits for the slow one has been due longer.
        line.receiver.answer(1);
        healthy.reaches(1).await;
        line.receiver.answer(5);
        line.all_are(DeliveryState::Delivered).await;
    }

    async fn health_reports_delivery_lag(
        app: TestApp, "webhooks.allow_loopback" = "true", "webhooks.sends" = "1"
    ) {
        let line = Line::new(app, Mode::Waits(200)).await;
        line.events(2).await;
        line.receiver.reaches(1).await;
        let check = async || {
            let health = line.app.anonymous.health().read().await.unwrap();
            (health.status.to_string(), health.checks["webhookQueue"].to_string())
        };
        let both = |word: &str| (word.to_owned(), word.to_owned());
        line.app.advance(59);
        assert_eq!(check().await, both("ok"));
        line.app.advance(2);
        assert_eq!(check().await, both("degraded"), "the only slot is taken");
        line.receiver.answer(100);
        line.all_are(DeliveryState::Delivered).await;
        assert_eq!(check().await, both("ok"));
    }

    async fn retry_delays_are_not_lag(
        app: TestApp, "webhooks.allow_loopback" = "true", "webhooks.sends" = "1"
    ) {
        let line = Line::new(app, Mode::status(500, "")).await;
        line.events(5).await;
        let paused = line.webhook_is(|webhook| webhook.breaker.is_some()).await;
        let first = paused.breaker.unwrap().until;
        line.advance_to(first);
        let is_longer = |webhook: &Webhook| webhook.breaker.as_ref().is_some_and(|b| b.until > first);
        let second = line.webhook_is(is_longer).await.breaker.unwrap().until;
        // The only slot is taken when the pause of two minutes ends.
        let busy = Receiver::start(Mode::Waits(200)).await;
        line.bob.client.webhooks().create(busy.url()).await.unwrap();
        line.ada.write(&line.bob, "psst").await;
        busy.reaches(1).await;
        line.advance_to(second.plus(Duration::from_secs(1)));
        let health = line.app.anonymous.health().read().await.unwrap();
        assert_eq!(health.checks["webhookQueue"].to_string(), "ok");
        busy.answer(10);
        line.receiver.set(Mode::ok());
        line.all_are(DeliveryState::Delivered).await;
    }
}
