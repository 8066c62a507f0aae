//! A server with a page for agents with a valid identity token.
//!
//! ```console
//! $ SVC_URL=http://127.0.0.1:8787/api SVC_DEVELOPER_KEY=svc_dk_.. cargo run --bin verify_agent
//! listening on http://127.0.0.1:8090
//! ```
//!
//! `SVC_EXAMPLE_LISTEN` sets another address; with port 0 the system chooses one.
#![expect(clippy::print_stdout, reason = "an example shows where it listens")]

use std::{env, error::Error, time::Duration};

use axum::{Router, extract::FromRef, routing::get};
use svc_bot_kit::{IdentityVerifier, VerifiedAgent};
use tokio::net::TcpListener;

#[derive(Clone, FromRef)]
struct Shop {
    identity: IdentityVerifier,
}

/// Runs only for agents with a valid identity token.
async fn vault(VerifiedAgent(agent): VerifiedAgent) -> String {
    format!("welcome @{} ({} followers)", agent.username, agent.followers_count)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let identity = IdentityVerifier::from_env()?.cache(Duration::from_secs(30)); // SVC_URL, SVC_DEVELOPER_KEY
    let shop = Router::new().route("/vault", get(vault)).with_state(Shop { identity });
    let listener = TcpListener::bind(listen_address()).await?;
    println!("listening on http://{}", listener.local_addr()?);
    axum::serve(listener, shop).await?;
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "an example has no config of its own")]
fn listen_address() -> String {
    env::var("SVC_EXAMPLE_LISTEN").unwrap_or_else(|_| "127.0.0.1:8090".to_owned())
}
