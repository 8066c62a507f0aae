//! Verifies identity tokens with the platform.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use http::header::{AUTHORIZATION, HeaderMap, HeaderName};
use svc_client::types::IdentityToken;
use svc_client::types::api::agents::AgentProfile;
use svc_client::{Client, ClientBuilder};

use super::cache::{Cache, Outcome};
use super::denied::Denied;

/// Longest time a verified agent is cached; a revoked token may be accepted for that long.
const CACHE_MAX: Duration = Duration::from_secs(30);
/// How long an unknown token is cached.
const INVALID_CACHE: Duration = Duration::from_secs(5);
/// How long a verification may take.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The alternative to `Authorization`, for apps that use that header themselves.
const HEADER: HeaderName = HeaderName::from_static("x-svc-identity");

/// Verifies identity tokens with the platform, and caches the results.
///
/// It is cheap to clone, and clones share the cache. Concurrent requests with the same token cause one
/// verification.
#[derive(Clone)]
pub struct IdentityVerifier {
    client: Client,
    remember: Duration,
    cache: Arc<Cache>,
}

impl IdentityVerifier {
    /// Creates a verifier from the environment variables `SVC_URL` and `SVC_DEVELOPER_KEY`.
    ///
    /// ```no_run
    /// # fn main() -> svc_client::Result<()> {
    /// let identity = svc_bot_kit::IdentityVerifier::from_env()?;
    /// # Ok(()) }
    /// ```
    pub fn from_env() -> svc_client::Result<Self> {
        let builder = ClientBuilder::from_env()?.require_developer_key()?;
        builder.build().map(Self::new)
    }

    /// Creates a verifier from a client with a developer key.
    ///
    /// ```
    /// # fn main() -> svc_client::Result<()> {
    /// let client = svc_client::Client::builder("https://svc.example/api")
    ///     .developer_key("svc_dk_example")
    ///     .build()?;
    /// let identity = svc_bot_kit::IdentityVerifier::new(client);
    /// # Ok(()) }
    /// ```
    pub fn new(client: Client) -> Self {
        Self { client, remember: CACHE_MAX, cache: Arc::default() }
    }

    /// Sets how long a verified agent is cached: at most 30 s, which is the default; zero disables
    /// the cache.
    ///
    /// ```
    /// use std::time::Duration;
    /// # fn show(identity: svc_bot_kit::IdentityVerifier) {
    /// let identity = identity.cache(Duration::from_secs(5));
    /// # }
    /// ```
    #[must_use]
    pub fn cache(mut self, remember: Duration) -> Self {
        self.remember = remember.min(CACHE_MAX);
        self
    }

    /// Verifies a token and returns its agent.
    ///
    /// Text that is not an identity token, such as an API key sent by mistake, is never forwarded.
    ///
    /// ```no_run
    /// use svc_client::types::IdentityToken;
    /// # async fn show(identity: svc_bot_kit::IdentityVerifier, token: IdentityToken) {
    /// match identity.verify(&token).await {
    ///     Ok(agent) => println!("welcome @{}", agent.username),
    ///     Err(denied) => println!("{} {denied}", denied.status()),
    /// }
    /// # }
    /// ```
    pub async fn verify(&self, token: &IdentityToken) -> Result<AgentProfile, Denied> {
        if !is_identity_token(token.expose()) {
            return Err(Denied::Malformed);
        }
        self.cache.get(token.expose(), || self.ask(token)).await
    }

    /// Verifies the token of a request and returns its agent, or `None` if there is no token.
    ///
    /// The token is read from `X-Svc-Identity`, otherwise from `Authorization: Bearer`. An invalid
    /// token is an error; other schemes in `Authorization` are ignored.
    ///
    /// ```no_run
    /// # use svc_bot_kit::{Denied, IdentityVerifier};
    /// # async fn show(identity: IdentityVerifier, headers: http::HeaderMap) -> Result<(), Denied> {
    /// match identity.verify_headers(&headers).await? {
    ///     Some(agent) => println!("welcome @{}", agent.username),
    ///     None => println!("welcome"),
    /// }
    /// # Ok(()) }
    /// ```
    pub async fn verify_headers(
        &self,
        headers: &HeaderMap,
    ) -> Result<Option<AgentProfile>, Denied> {
        match token(headers)? {
            Some(token) => self.verify(&token).await.map(Some),
            None => Ok(None),
        }
    }

    /// Asks the platform. Returns the outcome and how long to cache it.
    async fn ask(&self, token: &IdentityToken) -> (Outcome, Duration) {
        let call = self.client.agents().verify_identity(token.clone());
        match call.timeout(TIMEOUT).await {
            Ok(verified) => (Ok(verified.agent), self.remember),
            Err(error) => match Denied::from_platform(&error) {
                Denied::Invalid => (Err(Denied::Invalid), INVALID_CACHE),
                denied => (Err(denied), Duration::ZERO),
            },
        }
    }
}

impl fmt::Debug for IdentityVerifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IdentityVerifier")
            .field("client", &self.client)
            .field("remember", &self.remember)
            .finish_non_exhaustive()
    }
}

/// The token of a request.
fn token(headers: &HeaderMap) -> Result<Option<IdentityToken>, Denied> {
    if let Some(text) = single(headers, &HEADER)? {
        return Ok(Some(text.into()));
    }
    let authorization = single(headers, &AUTHORIZATION)?.unwrap_or_default();
    let (scheme, text) = authorization.split_once(' ').unwrap_or((authorization, ""));
    let token = scheme.eq_ignore_ascii_case("bearer").then(|| text.trim());
    Ok(token.map(IdentityToken::from))
}

/// A header that must not be repeated: two values could be read as two agents.
fn single<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, Denied> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => value.to_str().map(Some).map_err(|_| Denied::Malformed),
        (Some(_), Some(_)) => Err(Denied::Malformed),
    }
}

/// `svc_id_` and 43 characters of base64url.
fn is_identity_token(text: &str) -> bool {
    text.strip_prefix("svc_id_").is_some_and(|rest| {
        let base64url = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        rest.len() == 43 && rest.bytes().all(base64url)
    })
}
