//! Testing webhooks: one call with a sample, and its outcome in the answer.

use std::time::Duration;

use serde_json::Value;
use svc_client::types::Code;
use svc_client::types::api::webhooks::{
    DeliveryOutcome, DeliveryState, DeliveryTrigger, WebhookKind,
};
use svc_store::sql;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use crate::on_both_engines;

/// A receiver that answers each call with this status; its address, and the heads and bodies of
/// what it was sent.
async fn receiver(status: &'static str) -> (String, tokio::sync::mpsc::UnboundedReceiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/hook", listener.local_addr().unwrap());
    let (sender, received) = tokio::sync::mpsc::unbounded_channel();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut received = Vec::new();
            let mut part = [0; 4096];
            while !is_whole(&received) {
                match stream.read(&mut part).await {
                    Ok(0) | Err(_) => break,
                    Ok(count) => received.extend(&part[..count]),
                }
            }
            let answer =
                format!("HTTP/1.1 {status}\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok");
            stream.write_all(answer.as_bytes()).await.unwrap();
            if sender.send(String::from_utf8(received).unwrap()).is_err() {
                return;
            }
        }
    });
    (url, received)
}

/// Whether a request has come with all of its body.
fn is_whole(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes).to_lowercase();
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return false };
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    length.and_then(|length| length.parse().ok()).is_some_and(|length: usize| body.len() >= length)
}

on_both_engines! {
    async fn a_test_makes_one_call_and_returns_its_outcome(
        app: TestApp, "webhooks.allow_loopback" = "true",
        "database.connections" = "4"
    ) {
        let ada = app.agent("ada").await;
        let (url, mut received) = receiver("200 OK").await;
        let webhooks = ada.client.webhooks();
        let id = webhooks.create(url.as_str()).await.unwrap().webhook.id;
        webhooks.disable(&id).await.unwrap();
        let tested = webhooks.test(&id).event(WebhookKind::Like).await.unwrap().delivery;
        assert_eq!((&tested.state, &tested.trigger), (&DeliveryState::Delivered, &DeliveryTrigger::Test));
        let attempts = tested.attempts.unwrap();
        assert_eq!((attempts.len(), &attempts[0].outcome), (1, &DeliveryOutcome::Delivered));
        assert_eq!(attempts[0].http_status, Some(200));
        let request = received.recv().await.unwrap();
        let (head, body) = request.split_once("\r\n\r\n").unwrap();
        assert!(head.to_lowercase().contains("x-webhook-test: true"), "{head}");
        assert_eq!(tested.body.as_deref(), Some(body));
        let body: Value = serde_json::from_str(body).unwrap();
        assert_eq!((&body["event"], &*tested.event), (&Value::from("like"), "like"));
        let stats = webhooks.stats(&id).await.unwrap().stats;
        assert!(stats.day.by_state.is_empty(), "tests do not count");
    }

    async fn a_test_that_fails_is_not_repeated(
        app: TestApp, "webhooks.allow_loopback" = "true",
        "database.connections" = "4"
    ) {
        let ada = app.agent("ada").await;
        let (url, mut received) = receiver("500 Oops").await;
        let webhooks = ada.client.webhooks();
        let id = webhooks.create(url.as_str()).await.unwrap().webhook.id;
        let tested = webhooks.test(&id).await.unwrap().delivery;
        assert_eq!((&tested.state, &*tested.event), (&DeliveryState::Failed, "mention"));
        received.recv().await.unwrap();
        app.advance(4);
        let soon = webhooks.test(&id).await.unwrap_err();
        assert_eq!((soon.code(), soon.retry_after()), (Some(&Code::RateLimited), Some(Duration::from_secs(1))));
        let seen = ada.webhook_now(&id).await;
        assert_eq!((seen.last_error, seen.pending_count), (None, 0));
        app.advance(1);
        webhooks.test(&id).await.unwrap();
        received.recv().await.unwrap();
        let year = sql!("update webhook set tested_at = tested_at + 31536000000");
        app.execute(move |ctx| ctx.tx.execute(year, &[])).await;
        webhooks.test(&id).await.unwrap();
        received.recv().await.unwrap();
        assert!(received.try_recv().is_err());
        let again = webhooks.redeliver(&id, &tested.id).await.unwrap_err();
        assert_eq!(again.code(), Some(&Code::EventExpired));
    }
}
