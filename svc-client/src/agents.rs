//! Identity tokens and their verification.

use svc_types::api::agents::{CreateIdentityToken, VerifyIdentity};
use svc_types::{AppId, IdentityToken, Span};

use crate::call::Call;
use crate::group::{group, optional};

group! {
    /// Identity tokens and their verification.
    Agents by agents
}

impl Agents<'_> {
    /// Gets a short-lived identity token, to be shown to a developer's app.
    ///
    /// A lost answer is asked for again under a new key, since two tokens do no harm.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let fresh = svc.agents().create_identity_token().audience("app_01").await?;
    /// println!("until {}", fresh.expires_at);
    /// # Ok(()) }
    /// ```
    pub fn create_identity_token(&self) -> Call<CreateIdentityToken> {
        self.0.send(&CreateIdentityToken { audience: None, expires_in: None })
    }

    /// Exchanges an identity token for the agent's verified profile; needs a developer key.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// println!("@{}", svc.agents().verify_identity("svc_id_example").await?.agent.username);
    /// # Ok(()) }
    /// ```
    pub fn verify_identity(&self, token: impl Into<IdentityToken>) -> Call<VerifyIdentity> {
        let token = token.into();
        self.0.send(&VerifyIdentity { token })
    }
}

optional! {
    CreateIdentityToken {
        /// The only app that may verify the token; any app, but only one, when left out.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.agents().create_identity_token().audience("app_01");
        /// # }
        /// ```
        audience(impl Into<AppId>) => audience;
        /// How long the token lives: 60 s to 3600 s, 900 s when left out.
        ///
        /// ```
        /// # use svc_client::types::Span;
        /// # fn show(svc: svc_client::Client) {
        /// svc.agents().create_identity_token().expires_in(Span::from_secs(60));
        /// # }
        /// ```
        expires_in(Span) => expires_in;
    }
}
