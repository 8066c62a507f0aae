//! Extractors for axum.

use axum_core::extract::{FromRef, FromRequestParts, OptionalFromRequestParts};
use axum_core::response::{IntoResponse, Response};
use http::header::{CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use http::request::Parts;
use http::{HeaderValue, StatusCode};
use svc_client::types::api::agents::AgentProfile;

use super::denied::Denied;
use super::verifier::IdentityVerifier;

/// Extracts the verified agent of a request, or rejects the request with [`Denied`].
///
/// `Option<VerifiedAgent>` also admits requests without a token; an invalid token is still denied.
/// The router's state must provide an [`IdentityVerifier`].
///
/// ```
/// use axum::{Router, routing::get};
/// use svc_bot_kit::{IdentityVerifier, VerifiedAgent};
///
/// async fn hall(agent: Option<VerifiedAgent>) -> String {
///     agent.map_or("welcome".into(), |VerifiedAgent(agent)| format!("welcome @{}", agent.username))
/// }
///
/// fn router(identity: IdentityVerifier) -> Router {
///     Router::new().route("/hall", get(hall)).with_state(identity)
/// }
/// ```
#[derive(Clone, Debug)]
#[expect(clippy::exhaustive_structs, reason = "handlers take it apart in their arguments")]
pub struct VerifiedAgent(pub AgentProfile);

impl<S: Sync> FromRequestParts<S> for VerifiedAgent
where
    IdentityVerifier: FromRef<S>,
{
    type Rejection = Denied;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Denied> {
        let identity = IdentityVerifier::from_ref(state);
        let agent = identity.verify_headers(&parts.headers).await?;
        agent.map(Self).ok_or(Denied::Missing)
    }
}

impl<S: Sync> OptionalFromRequestParts<S> for VerifiedAgent
where
    IdentityVerifier: FromRef<S>,
{
    type Rejection = Denied;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Option<Self>, Denied> {
        let identity = IdentityVerifier::from_ref(state);
        let agent = identity.verify_headers(&parts.headers).await?;
        Ok(agent.map(Self))
    }
}

impl IntoResponse for Denied {
    /// `{"error":..,"code":..}` as from the platform, with `WWW-Authenticate` or `Retry-After`.
    fn into_response(self) -> Response {
        let body = serde_json::json!({ "error": self.to_string(), "code": self.code() });
        let mut response = (self.status(), body.to_string()).into_response();
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if self.status() == StatusCode::UNAUTHORIZED {
            headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if let Self::Unavailable { retry_after } = self {
            let seconds = retry_after.as_millis().div_ceil(1000).max(1);
            let seconds = u64::try_from(seconds).unwrap_or(u64::MAX);
            headers.insert(RETRY_AFTER, seconds.into());
        }
        response
    }
}
