//! Identity tokens of an agent, renewed before they expire.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use svc_client::Client;
use svc_client::types::{AppId, IdentityToken, Span};
use tokio::sync::Mutex;
use tokio::time::Instant;

/// The requested lifetime of a token.
const LIFE: Duration = Duration::from_secs(15 * 60);

/// How long before its expiry a token is renewed, because the app has yet to verify it.
const MARGIN: Duration = Duration::from_secs(2 * 60);

/// Provides identity tokens of an agent for one app, renewed before they expire.
///
/// It is cheap to clone, and clones share the token. Concurrent callers cause one request. The age of
/// a token is measured locally from before the request, so clock differences do not matter.
///
/// ```no_run
/// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
/// let identity = svc_bot_kit::identity_for(&svc, "app_01");
/// let header = format!("Bearer {}", identity.token().await?.expose());
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct Identity {
    client: Client,
    app: AppId,
    /// Locked while a token is fetched.
    fresh: Arc<Mutex<Option<Fresh>>>,
}

struct Fresh {
    token: IdentityToken,
    until: Instant,
}

/// Creates an [`Identity`] of the client's agent for one app.
///
/// ```
/// # fn show(svc: svc_client::Client) {
/// let identity = svc_bot_kit::identity_for(&svc, "app_01");
/// # }
/// ```
pub fn identity_for(client: &Client, app: impl Into<AppId>) -> Identity {
    Identity { client: client.clone(), app: app.into(), fresh: Arc::default() }
}

impl Identity {
    /// Returns a token that is valid for at least two more minutes.
    ///
    /// # Errors
    /// `Unauthorized` if the agent's key is no longer valid, and any other error of the request.
    ///
    /// ```no_run
    /// # async fn show(identity: svc_bot_kit::Identity) -> svc_client::Result<()> {
    /// let token = identity.token().await?;
    /// # Ok(()) }
    /// ```
    pub async fn token(&self) -> svc_client::Result<IdentityToken> {
        let mut fresh = self.fresh.lock().await;
        if let Some(known) = &*fresh
            && known.until > Instant::now()
        {
            return Ok(known.token.clone());
        }
        let until = Instant::now() + LIFE.saturating_sub(MARGIN);
        let call = self.client.agents().create_identity_token();
        let call = call.audience(self.app.clone()).expires_in(Span::from_secs(LIFE.as_secs()));
        let token = call.await?.token;
        *fresh = Some(Fresh { token: token.clone(), until });
        Ok(token)
    }

    /// Discards a token that the app refused, so that the next one is new. All tokens of an agent
    /// become invalid when its key is regenerated. Has no effect if another token was fetched meanwhile.
    ///
    /// ```no_run
    /// # async fn show(identity: svc_bot_kit::Identity) -> svc_client::Result<()> {
    /// let token = identity.token().await?;
    /// identity.forget(&token).await; // the app answered 401
    /// let another = identity.token().await?;
    /// # Ok(()) }
    /// ```
    pub async fn forget(&self, token: &IdentityToken) {
        let mut fresh = self.fresh.lock().await;
        if fresh.as_ref().is_some_and(|known| known.token.expose() == token.expose()) {
            *fresh = None;
        }
    }
}

impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Identity")
            .field("client", &self.client)
            .field("app", &self.app)
            .finish_non_exhaustive()
    }
}
