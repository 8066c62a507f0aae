//! The client: server, credentials and retries.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use http::{HeaderMap, Method};
use reqwest::Url;
use serde_json::{Map, Value};
use svc_types::{ApiKey, Declaration, DeveloperKey, Endpoint, Who};

use crate::builder::{ClientBuilder, Settings};
use crate::call::Call;
use crate::clock::Clock;
use crate::declared::Declared;
use crate::error::Result;
use crate::rate_limit::{RateLimit, RateLimits};
use crate::retry::Budget;
use crate::untyped::Untyped;

/// A client of one server, as an account, as a developer app, or anonymously.
///
/// Cheap to clone; clones share connections, rate-limit knowledge and the retry budget.
#[derive(Clone)]
pub struct Client {
    shared: Arc<Shared>,
    /// Called for each message sent, if messages are marked as automated.
    on_sent: Option<OnSent>,
}

/// Callback for each message sent, directly or in a channel.
type OnSent = Arc<dyn Fn() + Send + Sync>;

/// State shared by the clones of a client.
pub(crate) struct Shared {
    pub(crate) http: reqwest::Client,
    /// Ends in `/api`, without a final slash.
    pub(crate) base: Url,
    pub(crate) api_key: Option<ApiKey>,
    pub(crate) developer_key: Option<DeveloperKey>,
    pub(crate) account_headers: HeaderMap,
    pub(crate) settings: Settings,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) budget: Budget,
    pub(crate) rate_limits: Mutex<RateLimits>,
}

impl Client {
    /// A client configured by the environment: `SVC_URL` and `SVC_API_KEY`.
    ///
    /// For calls without an account use [`Client::builder`]. `SVC_ALLOW_PLAIN_HTTP=1` has the
    /// effect of [`ClientBuilder::allow_plain_http`].
    ///
    /// ```no_run
    /// # fn main() -> svc_client::Result<()> {
    /// let svc = svc_client::Client::from_env()?;
    /// # Ok(()) }
    /// ```
    pub fn from_env() -> Result<Self> {
        ClientBuilder::from_env()?.require_api_key()?.build()
    }

    /// A builder for the server at `url`, with or without a trailing `/api`.
    ///
    /// ```
    /// # fn main() -> svc_client::Result<()> {
    /// let svc = svc_client::Client::builder("https://svc.example/api")
    ///     .api_key("svc_ak_example")
    ///     .build()?;
    /// # Ok(()) }
    /// ```
    pub fn builder(url: impl Into<String>) -> ClientBuilder {
        ClientBuilder::new(url.into())
    }

    /// Sends any request of [`types::api`](crate::types::api).
    ///
    /// All named methods call this one. The request is cloned into the call, which is sent when
    /// awaited.
    ///
    /// ```no_run
    /// use svc_client::types::api::posts::GetPost;
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let request = GetPost { post_id: "post_01".into(), include: None };
    /// println!("{}", svc.send(&request).await?.post.content);
    /// # Ok(()) }
    /// ```
    pub fn send<E: Endpoint>(&self, request: &E) -> Call<E> {
        Call::new(self.clone(), request.clone())
    }

    /// Sends the members of a request by the declaration of its endpoint, and returns the body of
    /// the answer as JSON text.
    ///
    /// For programs that treat all endpoints alike, such as a command line: it is not generic, so
    /// no code is compiled per endpoint. It gives the same guarantees as [`send`](Self::send).
    ///
    /// ```no_run
    /// use serde_json::json;
    /// use svc_client::types::Declaration;
    /// use svc_client::types::api::posts::GetPost;
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let members = json!({ "postId": "post_01" }).as_object().cloned().unwrap_or_default();
    /// println!("{}", svc.send_declared(Declaration::of::<GetPost>(), members).await?);
    /// # Ok(()) }
    /// ```
    pub fn send_declared(
        &self,
        declaration: Declaration,
        members: Map<String, Value>,
    ) -> Call<Declared> {
        Call::new(self.clone(), Declared::new(declaration, members))
    }

    /// Calls a path without a type in this version, with the same key, retries and errors.
    ///
    /// The path is below the base URL and percent-encoded.
    ///
    /// ```no_run
    /// use serde_json::Value;
    /// use svc_client::http::Method;
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let news = svc.request(Method::GET, "/v1/anything").query("since", "2026-01-31");
    /// println!("{}", news.send::<Value>().await?);
    /// # Ok(()) }
    /// ```
    pub fn request(&self, method: Method, path: impl Into<String>) -> Call<Untyped> {
        Call::new(self.clone(), Untyped::new(method, path.into()))
    }

    /// The latest rate limits received by this client and its clones.
    ///
    /// ```
    /// # fn show(svc: &svc_client::Client) {
    /// println!("{:?}", svc.rate_limit().posts);
    /// # }
    /// ```
    pub fn rate_limit(&self) -> RateLimits {
        *self.rate_limits()
    }

    /// A client for messages that a program sends on its own, such as replies of a bot:
    /// `messages().send` marks direct messages as [automated]. `on_sent` is called for each message sent
    /// by this client or a clone of it, directly or in a channel, but not for those in a
    /// [`batch`](Self::batch).
    ///
    /// [automated]: crate::types::api::messages::Message::automated
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let bot = svc.automated(|| println!("replied"));
    /// let sent = bot.messages().send("ada", "I am away until Monday").await?;
    /// assert_eq!(sent.message.automated, Some(true));
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn automated(&self, on_sent: impl Fn() + Send + Sync + 'static) -> Self {
        Self { shared: Arc::clone(&self.shared), on_sent: Some(Arc::new(on_sent)) }
    }

    /// How direct messages of this client are marked.
    pub(crate) fn automated_mark(&self) -> Option<bool> {
        self.on_sent.is_some().then_some(true)
    }

    pub(crate) fn on_sent(&self) -> Option<&OnSent> {
        self.on_sent.as_ref()
    }

    pub(crate) fn new(shared: Shared) -> Self {
        Self { shared: Arc::new(shared), on_sent: None }
    }

    pub(crate) fn note_post_window(&self, window: RateLimit) {
        self.rate_limits().posts = Some(window);
    }

    fn rate_limits(&self) -> std::sync::MutexGuard<'_, RateLimits> {
        let limits = self.shared.rate_limits.lock();
        limits.unwrap_or_else(PoisonError::into_inner)
    }

    /// The key for an endpoint called by `who`.
    ///
    /// A developer key is never sent to account endpoints, and public endpoints receive no key.
    pub(crate) fn credential(&self, who: Who) -> Option<&str> {
        match who {
            Who::Anyone => None,
            Who::Developer => self.shared.developer_key.as_ref().map(DeveloperKey::expose),
            _ => self.shared.api_key.as_ref().map(ApiKey::expose),
        }
    }

    /// The headers that say which account calls an endpoint called by `who`; none where its key is
    /// not sent either.
    pub(crate) fn account_headers(&self, who: Who) -> Option<&HeaderMap> {
        match who {
            Who::Anyone | Who::Developer => None,
            _ => Some(&self.shared.account_headers),
        }
    }

    /// The key for a path without a declaration: the account's, otherwise the app's.
    pub(crate) fn any_credential(&self) -> Who {
        let is_account = self.shared.api_key.is_some() || !self.shared.account_headers.is_empty();
        let is_app = self.shared.developer_key.is_some() && !is_account;
        if is_app { Who::Developer } else { Who::Optional }
    }

    pub(crate) fn http(&self) -> &reqwest::Client {
        &self.shared.http
    }

    pub(crate) fn base(&self) -> &Url {
        &self.shared.base
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.shared.settings
    }

    pub(crate) fn clock(&self) -> &dyn Clock {
        &*self.shared.clock
    }

    pub(crate) fn budget(&self) -> &Budget {
        &self.shared.budget
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("base", &self.shared.base.as_str())
            .field("api_key", &self.shared.api_key)
            .field("developer_key", &self.shared.developer_key)
            .finish_non_exhaustive()
    }
}
