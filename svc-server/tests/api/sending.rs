//! Webhook calls: delivery, retries, and disabled receivers.

mod at_once;
mod retries;

use http::Method;
use serde_json::{Value, json};
use svc_client::types::api::webhooks::{Delivery, DeliveryAttempt, DeliveryState, Webhook};
use svc_client::types::webhook::Secret;
use svc_client::types::{DeliveryId, Timestamp, WebhookId};
use svc_server::testing::{found, until};
use svc_store::sql;

use crate::app::{Member, TestApp};
use crate::on_both_engines;
use crate::receiver::{Hit, Mode, Receiver};

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
        found("the webhook is so", async || Some(self.now().await).filter(&is)).await
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
        found(&format!("all deliveries are {state:?}"), all).await
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

/// Waits until no call is under way.
pub(crate) async fn calls_end(app: &TestApp) {
    let under_way = sql!("select cast(coalesce(sum(in_flight), 0) as bigint) from webhook");
    until("every call ends", async || app.count(under_way).await == 0).await;
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
    let attempt = found("an attempt is recorded", look).await;
    // On PostgreSQL a read may have begun before the attempt was written down.
    (read().await, attempt)
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

    async fn an_answer_with_a_character_that_no_database_holds_is_recorded(
        app: TestApp, "webhooks.allow_loopback" = "true"
    ) {
        let odd = "HTTP/1.1 200 Status\r\ncontent-length: 3\r\n\r\na\0b".to_owned();
        let line = Line::new(app, Mode::Says(odd)).await;
        line.event().await;
        let (delivery, attempt) = line.attempt(1).await;
        assert_eq!(delivery.state, DeliveryState::Delivered);
        assert_eq!(attempt.response_body.as_deref(), Some("a\u{fffd}b"));
    }
}
