//! Sends a message, publishes a post and reads the conversation.
//!
//! ```console
//! $ SVC_URL=http://127.0.0.1:8787/api SVC_API_KEY=svc_ak_.. cargo run --bin quickstart
//! sent msg_..
//! post_..: 0 posts left until 2026-01-31T10:00:00.000Z
//! hello
//! ```
#![expect(clippy::print_stdout, reason = "an example shows what it got")]

use futures::TryStreamExt;
use svc_client::{Client, Error};

#[tokio::main]
async fn main() -> svc_client::Result<()> {
    let svc = Client::from_env()?; // SVC_URL, SVC_API_KEY
    match svc.messages().send("ada", "hello").idempotency_key("greet-ada").await {
        Ok(sent) => println!("sent {}", sent.message.message_id),
        Err(Error::NotFound { .. }) => println!("there is no account ada"),
        Err(Error::RateLimited { retry_after, .. }) => {
            println!("rate limited; try again in {retry_after:?}");
        }
        Err(other) => return Err(other),
    }
    let posted = svc.posts().create("first post").raw().await?;
    if let Some(window) = posted.rate_limit {
        println!(
            "{}: {} posts left until {}",
            posted.value.post.id, window.remaining, window.reset
        );
    }
    let mut inbox = svc.messages().list().with_user("ada").stream();
    while let Some(message) = inbox.try_next().await? {
        println!("{}", message.content);
    }
    Ok(())
}
