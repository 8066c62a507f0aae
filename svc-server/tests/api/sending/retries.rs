//! Calls that fail: when they are tried again, and when their webhook is disabled.

use std::time::Duration;

use svc_client::types::Timestamp;
use svc_client::types::api::webhooks::{
    BreakerState, DeliveryAttempt, DeliveryErrorClass, DeliveryState, DisabledReason, Webhook,
    WebhookKind, WebhookStatus,
};
use svc_server::testing::until;

use super::{Line, is_signed};
use crate::on_both_engines;
use crate::receiver::{Mode, Receiver};

/// Seconds until the next attempt.
fn pause(attempt: &DeliveryAttempt, now: Timestamp) -> u64 {
    attempt.next_attempt_at.unwrap().since(now).as_secs()
}

on_both_engines! {
    async fn the_last_error_is_the_latest_one_with_its_own_status(
        app: TestApp, "webhooks.allow_loopback" = "true"
    ) {
        let line = Line::new(app, Mode::status(500, "")).await;
        line.event().await;
        let refused = line.attempt(1).await.1;
        let last = line.webhook_is(|webhook| webhook.last_error.is_some()).await.last_error.unwrap();
        assert_eq!((last.class, last.http_status), (DeliveryErrorClass::HttpStatus, Some(500)));
        line.receiver.set(Mode::Resets);
        line.advance_to(refused.next_attempt_at.unwrap());
        let cut = line.attempt(2).await.1;
        let is_later = |webhook: &Webhook| webhook.last_error.as_ref().is_some_and(|error| error.at > last.at);
        let last = line.webhook_is(is_later).await.last_error.unwrap();
        assert_eq!((Some(last.class), last.http_status), (cut.error_class, None));
    }

    async fn what_waits_is_cancelled_once_its_webhook_no_longer_lists_its_kind(
        app: TestApp, "webhooks.allow_loopback" = "true"
    ) {
        let line = Line::new(app, Mode::status(500, "")).await;
        line.event().await;
        let failed = line.attempt(1).await.1;
        let webhooks = line.ada.client.webhooks();
        webhooks.update(&line.webhook).events([WebhookKind::Like]).await.unwrap();
        line.receiver.set(Mode::ok());
        line.advance_to(failed.next_attempt_at.unwrap());
        let cancelled = line.all_are(DeliveryState::Cancelled).await.remove(0);
        assert_eq!((cancelled.attempts_count, line.receiver.hits().len()), (1, 1));
        let again = webhooks.redeliver(&line.webhook, &cancelled.id).await.unwrap().delivery;
        let hit = line.receiver.reaches(2).await.remove(1);
        assert_eq!(hit.header("X-Webhook-Delivery"), again.id.as_str(), "its owner asks for it");
    }

    async fn a_failed_delivery_is_tried_twelve_times_in_three_days(
        app: TestApp, "webhooks.allow_loopback" = "true"
    ) {
        let line = Line::new(app, Mode::status(500, "")).await;
        let start = line.app.server.clock().now();
        line.event().await;
        let planned = [5, 30, 120, 600, 1800, 7200, 18000, 36000, 50400, 72000, 72000];
        for (n, planned) in (1..).zip(planned) {
            let (delivery, attempt) = line.attempt(n).await;
            let waits = pause(&attempt, line.app.server.clock().now());
            assert!((planned..=planned * 6 / 5).contains(&waits), "attempt {n}: {waits}");
            assert_eq!(delivery.next_attempt_at, attempt.next_attempt_at);
            assert_eq!(attempt.error_class, Some(DeliveryErrorClass::HttpStatus));
            let hit = line.receiver.hits().pop().unwrap();
            let seconds = line.app.server.clock().now().as_millis() / 1000;
            assert_eq!(hit.header("webhook-timestamp"), seconds.to_string(), "attempt {n}");
            assert!(is_signed(&hit, &line.secret), "attempt {n}");
            let breaker = line.now().await.breaker.map(|breaker| breaker.until);
            line.advance_to(attempt.next_attempt_at.max(breaker).unwrap());
        }
        let (delivery, attempt) = line.attempt(12).await;
        assert_eq!((delivery.state, attempt.next_attempt_at), (DeliveryState::Failed, None));
        let whole = line.app.server.clock().now().since(start).as_secs();
        assert!((258_155..=258_155 * 6 / 5).contains(&whole), "{whole}");
        assert_eq!(line.receiver.hits().len(), 12);
        let ids: Vec<String> = line.receiver.hits().iter().map(|hit| hit.header("X-Webhook-Id").to_owned()).collect();
        assert!(ids.windows(2).all(|pair| pair[0] == pair[1]));
        assert_eq!(line.warnings().await, ["webhook_failing"]);
    }

    async fn five_failures_in_a_row_open_the_breaker_until_a_probe_succeeds(
        app: TestApp, "webhooks.allow_loopback" = "true"
    ) {
        let line = Line::new(app, Mode::status(500, "")).await;
        line.events(12).await;
        let open = line.webhook_is(|webhook| webhook.breaker.is_some()).await;
        let breaker = open.breaker.unwrap();
        assert_eq!(breaker.state, BreakerState::Open);
        assert_eq!(breaker.until.since(line.app.server.clock().now()), Duration::from_mins(1));
        // Those under way when it opened end by themselves.
        until("those have ended", async || {
            line.deliveries().await.iter().all(|one| one.state != DeliveryState::Sending)
        }).await;
        let hits = line.receiver.hits().len();
        assert!((5..=8).contains(&hits), "{hits}");
        line.app.advance(59);
        line.event().await;
        assert_eq!(line.receiver.hits().len(), hits, "no attempt is spent while it is open");
        line.advance_to(breaker.until);
        let again = line.webhook_is(|webhook| webhook.breaker.as_ref().is_some_and(|b| b.until > breaker.until)).await;
        assert_eq!(line.receiver.hits().len(), hits + 1, "one probe");
        let until = again.breaker.unwrap().until;
        assert_eq!(until.since(breaker.until), Duration::from_mins(2));
        line.receiver.set(Mode::ok());
        line.advance_to(until);
        line.all_are(DeliveryState::Delivered).await;
        assert_eq!(line.now().await.breaker, None);
    }

    async fn a_410_disables_the_webhook_and_holds_its_deliveries(
        app: TestApp, "webhooks.allow_loopback" = "true"
    ) {
        let line = Line::new(app, Mode::status(410, "")).await;
        line.event().await;
        let webhook = line.webhook_is(|webhook| webhook.status == WebhookStatus::Disabled).await;
        assert_eq!(webhook.disabled_reason, Some(DisabledReason::Gone));
        assert_eq!(line.warnings().await, ["webhook_disabled"]);
        let call = line.ada.client.events().list().types(vec!["system".to_owned()]);
        let said = call.await.unwrap().events.remove(0).data["text"].as_str().unwrap().to_owned();
        assert!(said.starts_with(&format!("your webhook {} is disabled", webhook.id)), "{said}");
        assert!(said.contains("it answered 410") && said.ends_with("http_status 410"), "{said}");
        line.event().await;
        let held = line.all_are(DeliveryState::Held).await;
        // One event may wait twice, and is then sent twice.
        line.ada.client.webhooks().redeliver(&line.webhook, &held[0].id).await.unwrap();
        line.app.advance(3600);
        assert_eq!(line.receiver.hits().len(), 1);
        line.receiver.set(Mode::ok());
        line.ada.client.webhooks().enable(&line.webhook).await.unwrap();
        assert_eq!(line.all_are(DeliveryState::Delivered).await.len(), 3);
        assert_eq!(line.receiver.hits().len(), 4);
    }

    async fn a_new_address_is_called_before_the_pause_of_the_former_one_is_over(
        app: TestApp, "webhooks.allow_loopback" = "true"
    ) {
        let line = Line::new(app, Mode::status(500, "")).await;
        line.events(5).await;
        line.webhook_is(|webhook| webhook.breaker.is_some()).await;
        let moved = Receiver::start(Mode::ok()).await;
        line.ada.client.webhooks().update(&line.webhook).url(moved.url()).await.unwrap();
        // The first retries are due, and the breaker would be open for a minute.
        line.app.advance(6);
        line.all_are(DeliveryState::Delivered).await;
        assert_eq!(moved.hits().len(), 5);
    }

    async fn a_late_410_of_a_former_address_disables_nothing(
        app: TestApp, "webhooks.allow_loopback" = "true"
    ) {
        let line = Line::new(app, Mode::Waits(410)).await;
        line.event().await;
        line.receiver.reaches(1).await;
        let moved = Receiver::start(Mode::ok()).await;
        line.ada.client.webhooks().update(&line.webhook).url(moved.url()).await.unwrap();
        line.receiver.answer(1);
        let (_, late) = line.attempt(1).await;
        assert_eq!(late.http_status, Some(410));
        assert_eq!(line.now().await.status, WebhookStatus::Active);
        line.advance_to(late.next_attempt_at.unwrap());
        line.event().await;
        moved.reaches(2).await;
        line.all_are(DeliveryState::Delivered).await;
        assert_eq!(line.warnings().await, [""; 0]);
    }

    async fn five_days_of_failures_disable_after_a_warning(
        app: TestApp, "webhooks.allow_loopback" = "true"
    ) {
        let line = Line::new(app, Mode::status(500, "")).await;
        let start = line.app.server.clock().now();
        let mut warnings = Vec::new();
        for quarter in 0..24 {
            line.event().await;
            let now = line.app.server.clock().now();
            let failed = |webhook: &Webhook| webhook.last_error.as_ref().is_some_and(|error| error.at == now);
            let webhook = line.webhook_is(failed).await;
            warnings = line.warnings().await;
            let expected = match quarter {
                0..4 => &[][..],
                4..20 => &["webhook_failing"][..],
                _ => &["webhook_failing", "webhook_disabled"][..],
            };
            assert_eq!(warnings, expected, "after {quarter} quarters of a day");
            if webhook.status == WebhookStatus::Disabled {
                assert_eq!(webhook.disabled_reason, Some(DisabledReason::Failing));
                assert_eq!(now.since(start), Duration::from_hours(120));
                break;
            }
            line.app.advance(6 * 3600);
        }
        assert_eq!(warnings.len(), 2);
        let (failed, call) = (line.deliveries().await, line.ada.client.events().list());
        for event in call.types(vec!["system".to_owned()]).await.unwrap().events {
            let text = event.data["text"].as_str().unwrap();
            assert!(failed.iter().any(|delivery| text.contains(delivery.id.as_str())), "{text}");
            assert!(text.contains("of a direct_message") && text.contains("http_status 500"), "{text}");
            assert!(!text.contains("psst"), "{text}");
            assert!(text.starts_with(&format!("your webhook {} ", line.webhook)), "{text}");
            let is_over = event.data["code"] == "webhook_disabled";
            assert_eq!(text.contains("it has taken nothing for five days"), is_over, "{text}");
            assert_eq!(text.contains("for a day and will be disabled"), !is_over, "{text}");
        }
        line.receiver.set(Mode::ok());
        line.ada.client.webhooks().enable(&line.webhook).await.unwrap();
        let webhook = line.webhook_is(|webhook| webhook.last_success_at.is_some()).await;
        assert_eq!((webhook.status, webhook.breaker), (WebhookStatus::Active, None));
    }
}
