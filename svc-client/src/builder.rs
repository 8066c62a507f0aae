//! Sets up a [`Client`].

use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use http::HeaderMap;
use svc_types::{ApiKey, DeveloperKey};

use crate::address::{address, is_loopback};
use crate::client::{Client, Shared};
use crate::clock::{Clock, SystemClock};
use crate::error::{Error, Result};
use crate::plan::bearer;
use crate::rate_limit::RateLimits;
use crate::retry::Budget;

/// Time limits and retries of a client.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) retries: u32,
    pub(crate) timeout: Duration,
    pub(crate) attempt_timeout: Duration,
    pub(crate) max_retry_wait: Duration,
}

/// Sets up a [`Client`]; from [`Client::builder`].
///
/// Each example continues with [`build`](Self::build).
#[must_use = "a builder does nothing until `build` is called"]
pub struct ClientBuilder {
    url: String,
    api_key: Option<ApiKey>,
    developer_key: Option<DeveloperKey>,
    account_headers: HeaderMap,
    plain_http: bool,
    connect_timeout: Duration,
    settings: Settings,
    http: Option<reqwest::Client>,
    clock: Option<Arc<dyn Clock>>,
}

impl ClientBuilder {
    pub(crate) fn new(url: String) -> Self {
        Self {
            url,
            api_key: None,
            developer_key: None,
            account_headers: HeaderMap::new(),
            plain_http: false,
            connect_timeout: Duration::from_secs(5),
            settings: Settings {
                retries: 2,
                timeout: Duration::from_secs(120),
                attempt_timeout: Duration::from_secs(30),
                max_retry_wait: Duration::from_secs(60),
            },
            http: None,
            clock: None,
        }
    }

    /// Reads `SVC_URL`, with or without a trailing `/api`, and, if set, `SVC_API_KEY`,
    /// `SVC_DEVELOPER_KEY` and `SVC_ALLOW_PLAIN_HTTP`.
    ///
    /// ```no_run
    /// # fn main() -> svc_client::Result<()> {
    /// let svc = svc_client::ClientBuilder::from_env()?.retries(0).build()?;
    /// # Ok(()) }
    /// ```
    pub fn from_env() -> Result<Self> {
        let url = variable("SVC_URL")
            .ok_or_else(|| Error::config("SVC_URL must be set, such as https://svc.example"))?;
        let mut builder = Self::new(url);
        builder.api_key = variable("SVC_API_KEY").map(ApiKey::from);
        builder.developer_key = variable("SVC_DEVELOPER_KEY").map(DeveloperKey::from);
        builder.plain_http = variable("SVC_ALLOW_PLAIN_HTTP").as_deref() == Some("1");
        Ok(builder)
    }

    /// The key of the account to act as.
    ///
    /// ```
    /// # let builder = svc_client::Client::builder("https://svc.example/api");
    /// builder.api_key("svc_ak_example");
    /// ```
    pub fn api_key(mut self, key: impl Into<ApiKey>) -> Self {
        self.api_key = Some(key.into());
        self
    }

    /// The key of a developer app, for verifying identities and managing the app.
    ///
    /// ```
    /// # let builder = svc_client::Client::builder("https://svc.example/api");
    /// builder.developer_key("svc_dk_example");
    /// ```
    pub fn developer_key(mut self, key: impl Into<DeveloperKey>) -> Self {
        self.developer_key = Some(key.into());
        self
    }

    /// Headers that say without a key which account calls, such as the cookie of a session with the
    /// server's origin. Calls by them are retried like those by a key. Calls of public endpoints and of
    /// those for apps are sent without them.
    ///
    /// ```
    /// use svc_client::http::header::{COOKIE, HeaderMap, HeaderValue, ORIGIN};
    /// # let builder = svc_client::Client::builder("https://svc.example/api");
    /// let cookie = HeaderValue::from_static("svc_session=example");
    /// let origin = HeaderValue::from_static("https://svc.example");
    /// builder.account_headers(HeaderMap::from_iter([(COOKIE, cookie), (ORIGIN, origin)]));
    /// ```
    pub fn account_headers(mut self, mut headers: HeaderMap) -> Self {
        headers.values_mut().for_each(|value| value.set_sensitive(true));
        self.account_headers = headers;
        self
    }

    /// Allows `http://` to other hosts, where the key can be read in transit.
    ///
    /// ```
    /// # let builder = svc_client::Client::builder("https://svc.example/api");
    /// builder.allow_plain_http(true);
    /// ```
    pub fn allow_plain_http(mut self, allow: bool) -> Self {
        self.plain_http = allow;
        self
    }

    /// Maximum number of retries per call, made only where they are safe: 2 by default; 0 disables
    /// retries.
    ///
    /// ```
    /// # let builder = svc_client::Client::builder("https://svc.example/api");
    /// builder.retries(5);
    /// ```
    pub fn retries(mut self, retries: u32) -> Self {
        self.settings.retries = retries;
        self
    }

    /// Time limit of a call, including its pauses: 120 s by default.
    ///
    /// ```
    /// # let builder = svc_client::Client::builder("https://svc.example/api");
    /// builder.timeout(std::time::Duration::from_secs(10));
    /// ```
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.settings.timeout = timeout;
        self
    }

    /// Time limit of one attempt: 30 s by default, and as much longer as a request lets the server wait.
    ///
    /// ```
    /// # let builder = svc_client::Client::builder("https://svc.example/api");
    /// builder.attempt_timeout(std::time::Duration::from_secs(10));
    /// ```
    pub fn attempt_timeout(mut self, timeout: Duration) -> Self {
        self.settings.attempt_timeout = timeout;
        self
    }

    /// Time limit for connecting: 5 s by default. Has no effect on a custom HTTP client.
    ///
    /// ```
    /// # let builder = svc_client::Client::builder("https://svc.example/api");
    /// builder.connect_timeout(std::time::Duration::from_secs(1));
    /// ```
    pub fn connect_timeout(mut self, timeout: Duration) -> Self {
        self.connect_timeout = timeout;
        self
    }

    /// The longest Retry-After to wait for: 60 s by default. A longer one fails at once.
    ///
    /// ```
    /// # let builder = svc_client::Client::builder("https://svc.example/api");
    /// builder.max_retry_wait(std::time::Duration::from_secs(5));
    /// ```
    pub fn max_retry_wait(mut self, wait: Duration) -> Self {
        self.settings.max_retry_wait = wait;
        self
    }

    /// Uses a custom HTTP client, for proxies, certificates or another TLS library. The default one uses
    /// the proxies of the environment (`HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`), but none to this machine.
    ///
    /// It must not retry, nor follow redirects, since they could send the key to another host.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let builder = svc_client::Client::builder("https://svc.example/api");
    /// let http = reqwest::Client::builder()
    ///     .redirect(reqwest::redirect::Policy::none())
    ///     .retry(reqwest::retry::never())
    ///     .no_proxy()
    ///     .build()?;
    /// builder.http_client(http);
    /// # Ok(()) }
    /// ```
    pub fn http_client(mut self, http: reqwest::Client) -> Self {
        self.http = Some(http);
        self
    }

    /// Fails if no API key is set, so that a program finds out when it starts.
    ///
    /// ```
    /// # let builder = svc_client::Client::builder("https://svc.example/api");
    /// assert!(builder.require_api_key().is_err());
    /// ```
    pub fn require_api_key(self) -> Result<Self> {
        let missing = "the account's API key must be set; from_env reads it from SVC_API_KEY";
        match self.api_key {
            Some(_) => Ok(self),
            None => Err(Error::config(missing)),
        }
    }

    /// Fails if no developer key is set, so that a program finds out when it starts.
    ///
    /// ```
    /// # let builder = svc_client::Client::builder("https://svc.example/api");
    /// assert!(builder.require_developer_key().is_err());
    /// ```
    pub fn require_developer_key(self) -> Result<Self> {
        let missing = "the developer key must be set; from_env reads it from SVC_DEVELOPER_KEY";
        match self.developer_key {
            Some(_) => Ok(self),
            None => Err(Error::config(missing)),
        }
    }

    /// Builds the client, or reports what is wrong with its settings.
    ///
    /// ```
    /// use svc_client::{Client, Error};
    /// let wrong = Client::builder("svc.example").build();
    /// assert!(matches!(wrong, Err(Error::Config { .. })));
    /// ```
    pub fn build(self) -> Result<Client> {
        let base = address(&self.url, self.plain_http)?;
        let api_key = self.api_key.as_ref().map(ApiKey::expose);
        let developer_key = self.developer_key.as_ref().map(DeveloperKey::expose);
        for key in [api_key, developer_key].into_iter().flatten() {
            bearer(key)?;
        }
        let http = match self.http {
            Some(http) => http,
            None => transport(self.connect_timeout, is_loopback(&base))?,
        };
        Ok(Client::new(Shared {
            http,
            base,
            api_key: self.api_key,
            developer_key: self.developer_key,
            account_headers: self.account_headers,
            settings: self.settings,
            clock: self.clock.unwrap_or_else(|| Arc::new(SystemClock::new())),
            budget: Budget::full(),
            rate_limits: Mutex::new(RateLimits::default()),
        }))
    }

    #[cfg(feature = "mock")]
    pub(crate) fn clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = Some(clock);
        self
    }
}

impl fmt::Debug for ClientBuilder {
    /// Without the URL, which is not checked yet and may hold a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientBuilder")
            .field("api_key", &self.api_key)
            .field("developer_key", &self.developer_key)
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}

/// An environment variable that is set and not empty.
#[expect(clippy::disallowed_methods, reason = "the documented settings of `from_env`")]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// The default HTTP client: without redirects and without its own retries.
///
/// What goes to this machine is not encrypted, and a proxy of the environment would read the key.
fn transport(connect_timeout: Duration, is_local: bool) -> Result<reqwest::Client> {
    let builder = reqwest::Client::builder();
    let builder = if is_local { builder.no_proxy() } else { builder };
    let builder = builder
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never())
        .referer(false)
        .connect_timeout(connect_timeout);
    builder.build().map_err(|error| {
        let mut failure = Error::config("the TLS library could not be set up");
        failure.details_mut().source = Some(Box::new(error));
        failure
    })
}
