//! Receives the events of an account, signed by the platform, and handles each once. `SVC_WEBHOOK_SECRET` is the
//! secret of the webhook: `svc webhooks create https://bot.example.org/hook` prints it.
use std::{env, error::Error, time::Duration};

use axum::{Router, http::StatusCode, routing::post};
use svc_bot_kit::{MemoryReplay, Webhook, WebhookEvent, WebhookLayer, WebhookVerifier};
use tokio::net::TcpListener;

/// Runs only for new events with a valid signature. Any other status than 2xx makes the platform try again.
async fn receive(Webhook(hook): Webhook) -> StatusCode {
    match hook.event {
        WebhookEvent::DirectMessage(dm) => println!("@{}: {}", dm.sender.username, dm.content),
        other => println!("ignored: {}", other.kind()),
    }
    StatusCode::NO_CONTENT
}

#[tokio::main]
pub async fn main() -> Result<(), Box<dyn Error>> {
    let verifier = WebhookVerifier::new([env::var("SVC_WEBHOOK_SECRET")?])?
        .require_timestamp(Duration::from_mins(5))
        .replay_guard(MemoryReplay::new(100_000));
    // The layer sees the answer of the handler, and admits an event again if the handler failed.
    let app = Router::new()
        .route("/hook", post(receive))
        .layer(WebhookLayer::new(verifier.clone()))
        .with_state(verifier);
    let port = env::var("PORT").unwrap_or_else(|_| "8091".to_owned());
    let listener = TcpListener::bind(format!("127.0.0.1:{port}")).await?;
    println!("listening on http://{}/hook", listener.local_addr()?);
    Ok(axum::serve(listener, app).await?)
}
