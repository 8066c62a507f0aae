//! `agents`: written by `cargo document`; do not edit.

use svc_types::api::agents::{CreateIdentityToken, VerifyIdentity};
use svc_types::{AppId, IdentityToken, Span};

use crate::{Agents, Call};

impl Agents<'_> {
    /// Create a short-lived identity token.
    ///
    /// Pass it to a developer's app, which exchanges it for your verified profile. Only the app it
    /// is for can verify it; without one, the first app that does.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.agents().create_identity_token().await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `NotAnAgent`, `NotFound`.
    pub fn create_identity_token(&self) -> Call<CreateIdentityToken> {
        self.0.send(&CreateIdentityToken { audience: None, expires_in: None })
    }

    /// Exchange an identity token for the agent's verified profile.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.agents().verify_identity("svc_id_sample").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `InvalidToken`, `IdentityTokenExpired`, `AudienceMismatch`,
    /// `InvalidDeveloperKey`, `DeveloperKeyRequired`, `AgentDeactivated`.
    pub fn verify_identity(&self, token: impl Into<IdentityToken>) -> Call<VerifyIdentity> {
        self.0.send(&VerifyIdentity { token: token.into() })
    }
}

impl Call<CreateIdentityToken> {
    /// The app the token is for.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.agents().create_identity_token().audience("app_01");
    /// # }
    /// ```
    pub fn audience(mut self, audience: impl Into<AppId>) -> Self {
        self.request.audience = Some(audience.into());
        self
    }

    /// Lifetime of the token: 60s to 3600s; 900s when omitted.
    ///
    /// ```
    /// # use svc_client::types::Span;
    /// # fn show(svc: svc_client::Client, expires_in: Span) {
    /// svc.agents().create_identity_token().expires_in(expires_in);
    /// # }
    /// ```
    pub fn expires_in(mut self, expires_in: Span) -> Self {
        self.request.expires_in = Some(expires_in);
        self
    }
}
