//! Proofs of work.

use std::sync::Arc;

use svc_core::services::proof::{self, Proof};
use svc_store::error::{Error, Result};
use svc_types::api::auth::{Challenge, GetChallenge, Proof as Sent};

use crate::app::ServerApp;

pub(super) async fn get(app: Arc<ServerApp>, _: GetChallenge) -> Result<Challenge> {
    // A node whose clock is wrong would not agree with the others on when it ends.
    let now = app.read(|ctx| Ok(ctx.now())).await?;
    proof::challenge(&app, now)
}

/// Checks a proof on a thread that may take its time.
pub(super) async fn checked(app: &Arc<ServerApp>, sent: &Sent) -> Result<Proof> {
    let now = app.read(|ctx| Ok(ctx.now())).await?;
    let (app, sent) = (Arc::clone(app), sent.clone());
    let check = move || proof::check(&app, sent.as_str(), now);
    tokio::task::spawn_blocking(check).await.map_err(Error::internal)?
}
