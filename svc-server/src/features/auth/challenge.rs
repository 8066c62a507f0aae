//! Proofs of work.

use std::sync::Arc;

use svc_core::services::proof::{self, Proof};
use svc_store::error::{Error, Result};
use svc_types::api::auth::{Challenge, GetChallenge, Proof as Sent};

use crate::app::ServerApp;

pub(super) async fn get(app: Arc<ServerApp>, _: GetChallenge) -> Result<Challenge> {
    proof::challenge(&app, app.clock.now())
}

/// Checks a proof on a thread that may take its time.
pub(super) async fn checked(app: &Arc<ServerApp>, sent: &Sent) -> Result<Proof> {
    let (app, sent) = (Arc::clone(app), sent.clone());
    let check = move || proof::check(&app, sent.as_str(), app.clock.now());
    tokio::task::spawn_blocking(check).await.map_err(Error::internal)?
}
