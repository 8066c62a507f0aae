//! Services that prove who somebody is elsewhere: Google by OpenID Connect, X by OAuth 2.
//!
//! Requests go through [`outbound`](crate::outbound), under the rules for webhooks. Tokens of these
//! services live as long as a function here, and are neither stored nor logged.
//!
//! | module | what it holds |
//! |---|---|
//! | `google` | metadata, keys and ID tokens |
//! | `x` | the account of an access token |
//! | `ask` | one request and its answer |

mod ask;
mod google;
mod x;

use std::time::Duration;

use svc_core::keys::Hash;
use svc_core::services::link::{self, Begun};
use svc_store::error::{Error, Refusal, Result};
use svc_types::Code;
use svc_types::api::links::LinkProvider;
use tokio::sync::Semaphore;
use url::Url;

use crate::app::ServerApp;

/// Time for all requests of a proof.
const PROOF_TIME: Duration = Duration::from_secs(10);

/// Proofs at once.
const PROOFS_MAX: usize = 32;

/// What is known of the services.
#[derive(Debug)]
pub(crate) struct Providers {
    google: google::Known,
    turns: Semaphore,
}

impl Default for Providers {
    fn default() -> Self {
        Self { google: google::Known::default(), turns: Semaphore::new(PROOFS_MAX) }
    }
}

/// The answer of a service, as the browser brings it.
#[derive(Clone)]
pub(crate) struct Answer {
    /// The code for its tokens.
    pub(crate) code: String,
    /// Who it says it is (RFC 9207).
    pub(crate) issuer: Option<String>,
}

/// An account elsewhere.
#[derive(Clone, Debug)]
pub(crate) struct Foreign {
    /// What is kept of it.
    pub(crate) subject: Hash,
    /// Its name, to be shown once.
    pub(crate) name: String,
}

/// Where people are sent to sign in.
pub(crate) async fn endpoint(app: &ServerApp, provider: &LinkProvider) -> Result<Url> {
    let url = match provider {
        LinkProvider::Google => google::metadata(app).await?.authorization_endpoint,
        _ => app.config.links.x.authorize_url.clone(),
    };
    ask::permitted(app, &url).ok_or_else(|| unavailable(provider, "its address is not allowed"))
}

/// Exchanges the code of an answer, and finds out whose it is.
pub(crate) async fn prove(
    app: &ServerApp,
    provider: &LinkProvider,
    answer: &Answer,
    begun: &Begun,
) -> Result<Foreign> {
    let Ok(_turn) = app.providers.turns.try_acquire() else {
        let message = "too many accounts are being linked at the moment";
        let refusal = Refusal::new(Code::Overloaded, message);
        return Err(refusal.retry_after(1).into());
    };
    let proof = async {
        match provider {
            LinkProvider::Google => google::prove(app, answer, begun).await,
            _ => x::prove(app, answer, begun).await,
        }
    };
    let proof = tokio::time::timeout(PROOF_TIME, proof).await;
    proof.unwrap_or_else(|_| Err(unavailable(provider, "it is too slow")))
}

/// 503 for a service that does not answer as it should.
pub(crate) fn unavailable(provider: &LinkProvider, why: &str) -> Error {
    tracing::warn!(%provider, why, "a provider of linked accounts does not answer as it should");
    let message = format!("{} does not answer as it should: {why}", link::name(provider));
    Refusal::new(Code::ProviderUnavailable, message).hint("begin again in a few minutes").into()
}

/// 400 for an answer that proves nothing.
fn unproved(provider: &LinkProvider, why: &str) -> Error {
    let message = format!("the answer of {} proves nothing: {why}", link::name(provider));
    Refusal::new(Code::ValidationFailed, message).hint("begin again").into()
}
