//! Webhook calls: delivery, retries, and disabled receivers.

use std::time::Duration;

use http::Method;
use serde_json::{Value, json};
use svc_client::types::api::webhooks::{
    BreakerState, Delivery, DeliveryAttempt, DeliveryErrorClass, DeliveryState, DisabledReason,
    Webhook, WebhookStatus,
};
use svc_client::types::webhook::Secret;
use svc_client::types::{DeliveryId, Timestamp, WebhookId};
use svc_store::sql;

use crate::app::{Member, TestApp};
use crate::on_both_engines;
use crate::receiver::{Hit, Mode, Receiver, TIMEOUT};

/// As W3C Trace Context shows it.
const TRACE: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

/// An account with a receiver, and one that writes to it.
pub(crate) struct Line {
    pub(crate) app: TestApp,
    pub(crate) ada: Member,
    pub(crate) bob: Member,
    pub(crate) receiver: Receiver,
    pub(crate) webhook: WebhookId,
    secret: Secret,
}

impl Line {
    pub(crate) async fn new(app: TestApp, mode: Mode) -> Self {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let receiver = Receiver::start(mode).await;
        let answer = ada.client.webhooks().create(receiver.url()).await.unwrap();
        let secret = answer.secret.expose().parse().unwrap();
        Self { app, ada, bob, receiver, webhook: answer.webhook.id, secret }
    }

    /// Makes an event.
    pub(crate) async fn event(&self) {
        self.bob.write(&self.ada, "psst").await;
    }

    /// Makes an event by a request with this header `traceparent`.
    async fn write_traced(&self, trace: &str) {
        let request = self.bob.raw(&self.app, Method::POST, "/messages");
        let request = request.json(&json!({ "recipientUsername": "ada", "content": "psst" }));
        let answer = request.header("traceparent", trace).send().await.unwrap();
        assert_eq!(answer.status(), 201);
    }

    /// Makes events.
    pub(crate) async fn events(&self, count: usize) {
        for _ in 0..count {
            self.event().await;
        }
    }

    pub(crate) async fn now(&self) -> Webhook {
        self.ada.webhook_now(&self.webhook).await
    }

    /// Waits until the webhook is so.
    pub(crate) async fn webhook_is(&self, is: impl Fn(&Webhook) -> bool) -> Webhook {
        until(async || Some(self.now().await).filter(&is)).await
    }

    pub(crate) async fn deliveries(&self) -> Vec<Delivery> {
        self.ada.deliveries(&self.webhook).await
    }

    /// Waits until all deliveries are in this state.
    pub(crate) async fn all_are(&self, state: DeliveryState) -> Vec<Delivery> {
        let all = async || {
            let deliveries = self.deliveries().await;
            let is_so = deliveries.iter().all(|delivery| delivery.state == state);
            (is_so && !deliveries.is_empty()).then_some(deliveries)
        };
        until(all).await
    }

    /// Waits for the record of an attempt of the oldest delivery.
    pub(crate) async fn attempt(&self, n: u32) -> (Delivery, DeliveryAttempt) {
        let id = self.deliveries().await.pop().unwrap().id;
        attempt(&self.ada, &self.webhook, &id, n).await
    }

    /// Moves the clock to an instant.
    pub(crate) fn advance_to(&self, instant: Timestamp) {
        let clock = self.app.server.clock();
        clock.advance(instant.since(clock.now()));
    }

    /// Codes of the system notifications of the owner, oldest first.
    pub(crate) async fn warnings(&self) -> Vec<String> {
        let call = self.ada.client.events().list().types(vec!["system".to_owned()]);
        let events = call.await.unwrap().events;
        let code = |data| serde_json::to_value(data).unwrap()["code"].as_str().unwrap().to_owned();
        events.iter().map(|event| code(&event.data)).collect()
    }
}

/// Waits until something is there to be seen.
pub(crate) async fn until<T>(look: impl AsyncFn() -> Option<T>) -> T {
    let looking = async {
        loop {
            if let Some(seen) = look().await {
                return seen;
            }
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(TIMEOUT, looking).await.expect("it comes about in time")
}

/// Waits for the record of an attempt; its delivery since then.
pub(crate) async fn attempt(
    who: &Member,
    webhook: &WebhookId,
    id: &DeliveryId,
    n: u32,
) -> (Delivery, DeliveryAttempt) {
    let read = async || who.client.webhooks().delivery(webhook, id).await.unwrap().delivery;
    let look = async || {
        let attempts = read().await.attempts.unwrap_or_default();
        attempts.into_iter().find(|attempt| attempt.n == n)
    };
    let attempt = until(look).await;
    // On PostgreSQL a read may have begun before the attempt was written down.
    (read().await, attempt)
}

/// Seconds until the next attempt.
fn pause(attempt: &DeliveryAttempt, now: Timestamp) -> u64 {
    attempt.next_attempt_at.unwrap().since(now).as_secs()
}

/// Whether a request is signed as the specification says, by this secret alone.
fn is_signed(hit: &Hit, secret: &Secret) -> bool {
    let (id, time) = (hit.header("webhook-id"), hit.header("webhook-timestamp"));
    let standard = hit.header("webhook-signature");
    secret.verify_body(&hit.body, hit.header("x-webhook-signature"))
        && secret.verify_standard(id, time.parse().unwrap(), &hit.body, standard)
}

on_both_engines! {
    async fn an_event_arrives_as_specified(
        app: TestApp, "webhooks.allow_loopback" = "true"
    ) {
        let line = Line::new(app, Mode::ok()).await;
        line.event().await;
        let hit = line.receiver.reaches(1).await.remove(0);
        let event = line.ada.client.events().list().await.unwrap().events.remove(0);
        assert!(hit.head.starts_with("POST /hook HTTP/1.1\r\n"), "{}", hit.head);
        assert_eq!(hit.header("Content-Type"), "application/json");
        assert_eq!(hit.header("X-Webhook-Signature"), line.secret.sign_body(&hit.body));
        assert_eq!(hit.header("X-Webhook-Event"), "direct_message");
        assert_eq!(hit.header("X-Webhook-Id"), event.id.as_str());
        assert_eq!(hit.header("User-Agent"), "Svc-Webhooks/1.0");
        for name in ["Content-Type", "X-Webhook-Signature", "X-Webhook-Event", "X-Webhook-Id", "User-Agent"] {
            assert!(hit.head.contains(&format!("\r\n{name}: ")), "{name} is spelt otherwise: {}", hit.head);
        }
        assert!(is_signed(&hit, &line.secret));
        let (delivery, attempt) = line.attempt(1).await;
        assert_eq!(hit.header("webhook-id"), event.id.as_str());
        assert_eq!(hit.header("webhook-timestamp"), "1769851800");
        assert_eq!(hit.header("X-Webhook-Delivery"), delivery.id.as_str());
        assert_eq!(hit.header("X-Webhook-Attempt"), "1");
        assert_eq!(hit.header("X-Webhook-Seq"), event.seq.to_string());
        assert!(!hit.head.to_lowercase().contains("x-webhook-test"));
        let body: Value = serde_json::from_slice(&hit.body).unwrap();
        let members: Vec<&String> = body.as_object().unwrap().keys().collect();
        assert_eq!((members.len(), &body["data"]["content"]), (3, &Value::from("psst")));
        assert_eq!(delivery.body.as_deref().map(str::as_bytes), Some(&*hit.body));

        assert_eq!(delivery.state, DeliveryState::Delivered);
        let sent = attempt.request_headers.unwrap();
        assert_eq!(sent["x-webhook-signature"], "[redacted]");
        assert_eq!(sent["webhook-signature"], "[redacted]");
        assert_eq!(sent["x-webhook-id"], event.id.as_str());
        assert_eq!(attempt.http_status, Some(200));
        assert_eq!(attempt.response_body.as_deref(), Some("ok"));
        assert_eq!(attempt.response_headers.unwrap()["content-length"], "2");
        assert_eq!(attempt.secret_id, Some(line.now().await.secrets.remove(0).id));
        assert_eq!(attempt.remote_ip.as_deref(), Some("127.0.0.1"));
        assert_eq!(line.now().await.last_success_at, Some(line.app.server.clock().now()));
    }

    async fn of_long_headers_of_an_answer_the_first_are_recorded(
        app: TestApp, "webhooks.allow_loopback" = "true"
    ) {
        let long = "x".repeat(3_000);
        let headers = format!("x-first: 1\r\nx-one: {long}\r\nx-two: {long}\r\n");
        let line = Line::new(app, Mode::status(200, &headers)).await;
        line.event().await;
        let (delivery, attempt) = line.attempt(1).await;
        assert_eq!(delivery.state, DeliveryState::Delivered);
        let kept = attempt.response_headers.unwrap();
        assert_eq!(kept["x-first"], "1");
        let bytes: usize = kept.iter().map(|(name, value)| name.len() + value.len()).sum();
        assert!(bytes <= 4_096, "{bytes}");
    }

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

    async fn an_event_carries_the_trace_that_a_trusted_proxy_named(
        app: TestApp, "webhooks.allow_loopback" = "true", "trusted_proxies" = "127.0.0.1"
    ) {
        let line = Line::new(app, Mode::ok()).await;
        line.write_traced(TRACE).await;
        let hit = line.receiver.reaches(1).await.remove(0);
        assert_eq!(hit.header("traceparent"), TRACE);
        line.write_traced("00-short").await;
        let hit = line.receiver.reaches(2).await.remove(1);
        assert!(!hit.head.contains("traceparent"), "{}", hit.head);
    }

    async fn a_client_names_no_trace(app: TestApp, "webhooks.allow_loopback" = "true") {
        let line = Line::new(app, Mode::ok()).await;
        line.write_traced(TRACE).await;
        let hit = line.receiver.reaches(1).await.remove(0);
        assert!(!hit.head.contains("traceparent"), "{}", hit.head);
    }

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
        let calls = sql!("select cast(sum(in_flight) as bigint) from webhook");
        until(async || (line.app.count(calls).await == 0).then_some(())).await;
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
        let fine = until(async || Some(carol.webhook_now(&hers).await).filter(has_worked)).await;
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

    async fn both_secrets_sign_until_the_new_one_is_promoted(
        app: TestApp, "webhooks.allow_loopback" = "true"
    ) {
        let line = Line::new(app, Mode::ok()).await;
        let hooks = line.ada.client.webhooks();
        let new: Secret = hooks.rotate_secret(&line.webhook).await.unwrap().secret.expose().parse().unwrap();
        let signed = |hit: &Hit, secret: &Secret| secret.verify_body(&hit.body, hit.header("X-Webhook-Signature"));
        let both = |hit: &Hit| {
            let time = hit.header("webhook-timestamp").parse().unwrap();
            [&line.secret, &new].map(|secret| {
                secret.verify_standard(hit.header("webhook-id"), time, &hit.body, hit.header("webhook-signature"))
            })
        };
        line.event().await;
        let hit = line.receiver.reaches(1).await.remove(0);
        assert_eq!((signed(&hit, &line.secret), both(&hit)), (true, [true, true]));
        hooks.promote_secret(&line.webhook).await.unwrap();
        line.event().await;
        let hit = line.receiver.reaches(2).await.remove(1);
        assert_eq!((signed(&hit, &new), both(&hit)), (true, [true, true]));
        line.app.advance(86_400);
        line.event().await;
        let hit = line.receiver.reaches(3).await.remove(2);
        assert_eq!((signed(&hit, &new), both(&hit)), (true, [false, true]));
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
        until(async || {
            let sending = line.deliveries().await.iter().any(|d| d.state == DeliveryState::Sending);
            (!sending).then_some(())
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

    async fn an_answer_with_a_character_that_no_database_holds_is_recorded(
        app: TestApp, "webhooks.allow_loopback" = "true"
    ) {
        let odd = "HTTP/1.1 200 Told\r\ncontent-length: 3\r\n\r\na\0b".to_owned();
        let line = Line::new(app, Mode::Says(odd)).await;
        line.event().await;
        let (delivery, attempt) = line.attempt(1).await;
        assert_eq!(delivery.state, DeliveryState::Delivered);
        assert_eq!(attempt.response_body.as_deref(), Some("a\u{fffd}b"));
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
