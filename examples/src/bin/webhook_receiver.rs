//! Receives webhooks signed by the platform, each event once.
//!
//! ```console
//! $ SVC_WEBHOOK_SECRET=$(svc listen --print-secret) cargo run --bin webhook_receiver
//! listening on http://127.0.0.1:8091/hook
//! @ada likes post_01kdya0svee4hr04hmasw9nf6y
//! $ svc listen --forward-to http://127.0.0.1:8091/hook    # in another shell
//! $ svc trigger like --to http://127.0.0.1:8091/hook
//! ```
//!
//! `SVC_EXAMPLE_LISTEN` sets another address; with port 0 the system chooses one.
#![expect(clippy::print_stdout, reason = "an example prints its results")]
#![expect(clippy::disallowed_methods, reason = "an example has no config of its own")]

use std::{env, error::Error, time::Duration};

use axum::{Router, http::StatusCode, routing::post};
use svc_bot_kit::{MemoryReplay, Webhook, WebhookEvent, WebhookLayer, WebhookVerifier};
use tokio::net::TcpListener;

/// Runs only for new events with a valid signature.
async fn receive(Webhook(hook): Webhook) -> StatusCode {
    match hook.event {
        WebhookEvent::Like(like) => println!("@{} likes {}", like.actor_username, like.post_id),
        WebhookEvent::DirectMessage(dm) => println!("@{}: {}", dm.sender.username, dm.content),
        other => println!("ignored: {}", other.kind()),
    }
    StatusCode::NO_CONTENT
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut secrets = vec![env::var("SVC_WEBHOOK_SECRET")?];
    secrets.extend(env::var("SVC_WEBHOOK_SECRET_OLD")); // during a rotation
    let verifier = WebhookVerifier::new(secrets)?
        .require_timestamp(Duration::from_mins(5))
        .replay_guard(MemoryReplay::new(100_000));
    // The layer sees the handler's response and admits an event again if the handler failed.
    let app = Router::new()
        .route("/hook", post(receive))
        .layer(WebhookLayer::new(verifier.clone()))
        .with_state(verifier);
    let address = env::var("SVC_EXAMPLE_LISTEN").unwrap_or_else(|_| "127.0.0.1:8091".to_owned());
    let listener = TcpListener::bind(address).await?;
    println!("listening on http://{}/hook", listener.local_addr()?);
    Ok(axum::serve(listener, app).await?)
}
