//! One request and its response.

use std::fmt;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use http::{HeaderMap, Method};
use reqwest::redirect::Policy;
use reqwest::{Client, Proxy, Request, RequestBuilder, Response, retry};
use svc_core::config::Config;
use svc_types::api::webhooks::DeliveryErrorClass as Class;

use super::class::class_of;
use super::resolve::{Judged, Names, SystemNames};
use super::span::CallSpan;
use super::url::{Rules, judge};

/// Most bytes of a response body that are read.
const BODY_MAX: usize = 4_096;

/// Time to read them, once the headers have arrived.
const BODY_TIME: Duration = Duration::from_secs(1);

/// Idle time after which a connection is closed.
const IDLE: Duration = Duration::from_secs(20);

/// Idle connections per receiver.
const IDLE_MAX: usize = 4;

/// Timeouts and proxy of a call.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Timeout of the connection, with TLS.
    pub connect: Duration,
    /// Timeout of the whole call.
    pub total: Duration,
    /// An egress proxy, which checks names itself.
    pub proxy: Option<String>,
}

/// A response, with the beginning of its body.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// The headers.
    pub headers: HeaderMap,
    /// The beginning of the body, for the log.
    pub body: Vec<u8>,
    /// The address that responded.
    pub remote: Option<IpAddr>,
}

/// Calls user-supplied addresses.
pub struct Outbound {
    names: Mutex<Arc<dyn Names>>,
    rules: Rules,
    limits: Limits,
    /// Built at the first call, because that reads the system's certificates.
    client: OnceLock<Option<Client>>,
}

impl fmt::Debug for Outbound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { names, rules, limits, client: _ } = self;
        f.debug_tuple("Outbound").field(names).field(rules).field(limits).finish()
    }
}

impl Outbound {
    /// The client that calls webhooks.
    pub fn of(config: &Config) -> Self {
        let webhooks = &config.webhooks;
        let limits = Limits {
            connect: webhooks.connect_timeout,
            total: webhooks.timeout,
            proxy: Some(webhooks.proxy.clone()).filter(|proxy| !proxy.is_empty()),
        };
        Self::new(Rules::of(config), limits, Arc::new(SystemNames))
    }

    /// A client with these rules, limits and resolver.
    pub fn new(rules: Rules, limits: Limits, names: Arc<dyn Names>) -> Self {
        Self { names: Mutex::new(names), rules, limits, client: OnceLock::new() }
    }

    /// Replaces the resolver, unless a call was made before.
    #[cfg(feature = "testing")]
    pub fn find_names_in(&self, names: Arc<dyn Names>) {
        *self.names.lock().unwrap_or_else(PoisonError::into_inner) = names;
    }

    /// Posts a body. The status of the response decides the result. Its body is read for the log
    /// only,
    /// up to a size and a time.
    pub async fn post(&self, url: &str, headers: HeaderMap, body: String) -> Result<Answer, Class> {
        let url = judge(url, &self.rules).map_err(|_| Class::BlockedAddress)?;
        let with_tls = url.scheme() == "https";
        let client = self.client.get_or_init(|| self.build()).as_ref().ok_or(Class::Tls)?;
        let request = client.post(url).headers(headers).body(body);
        let answer = request.send().await.map_err(|error| class_of(&error, with_tls))?;
        let (status, headers) = (answer.status().as_u16(), answer.headers().clone());
        let remote = answer.remote_addr().map(|address| address.ip());
        Ok(Answer { status, headers, body: beginning(answer).await, remote })
    }

    /// Gets the first `bytes_max` bytes of a document; one byte more shows that it is longer.
    pub async fn get(&self, url: &str, bytes_max: usize) -> Result<Answer, Class> {
        self.fetch(url, bytes_max, Client::get).await
    }

    /// The same, with an Authorization.
    pub async fn get_as(
        &self,
        url: &str,
        authorization: HeaderValue,
        bytes_max: usize,
    ) -> Result<Answer, Class> {
        let ask = |client: &Client, url| client.get(url).header(AUTHORIZATION, authorization);
        self.fetch(url, bytes_max, ask).await
    }

    /// Posts a form and reads the answer as [`get`](Self::get) does.
    pub async fn post_form(
        &self,
        url: &str,
        authorization: Option<HeaderValue>,
        form: String,
        bytes_max: usize,
    ) -> Result<Answer, Class> {
        let ask = |client: &Client, url| {
            let content_type = "application/x-www-form-urlencoded";
            let request = client.post(url).header(CONTENT_TYPE, content_type).body(form);
            match authorization {
                Some(authorization) => request.header(AUTHORIZATION, authorization),
                None => request,
            }
        };
        self.fetch(url, bytes_max, ask).await
    }

    /// Posts JSON and reads the answer as [`get`](Self::get) does.
    pub async fn post_json(
        &self,
        url: &str,
        body: String,
        bytes_max: usize,
    ) -> Result<Answer, Class> {
        let ask = |client: &Client, url| {
            client.post(url).header(CONTENT_TYPE, "application/json").body(body)
        };
        self.fetch(url, bytes_max, ask).await
    }

    /// Sends a request with these headers and this body, and reads the answer as [`get`](Self::get)
    /// does.
    pub async fn send(
        &self,
        method: Method,
        url: &str,
        headers: HeaderMap,
        body: Option<String>,
        bytes_max: usize,
    ) -> Result<Answer, Class> {
        let ask = |client: &Client, url| {
            let request = client.request(method, url).headers(headers);
            match body {
                Some(body) => request.body(body),
                None => request,
            }
        };
        self.fetch(url, bytes_max, ask).await
    }

    async fn fetch(
        &self,
        url: &str,
        bytes_max: usize,
        ask: impl FnOnce(&Client, url::Url) -> RequestBuilder,
    ) -> Result<Answer, Class> {
        let url = judge(url, &self.rules).map_err(|_| Class::BlockedAddress)?;
        let with_tls = url.scheme() == "https";
        let client = self.client.get_or_init(|| self.build()).as_ref().ok_or(Class::Tls)?;
        let class_of = |error: reqwest::Error| class_of(&error, with_tls);
        let request = ask(client, url).header(ACCEPT, "application/json");
        let request = request.build().map_err(class_of)?;
        let span = CallSpan::of(&request);
        let answer = receive(client, request, bytes_max).await.map_err(class_of);
        span.end(answer.as_ref().map(|answer| answer.status));
        answer
    }

    fn build(&self) -> Option<Client> {
        let Limits { connect, total, proxy } = &self.limits;
        let names = Arc::clone(&self.names.lock().unwrap_or_else(PoisonError::into_inner));
        let builder = Client::builder()
            .redirect(Policy::none())
            .no_proxy()
            .referer(false)
            // Every retry must be in the log, so the client makes none.
            .retry(retry::never())
            .connect_timeout(*connect)
            .timeout(*total)
            .pool_idle_timeout(IDLE)
            .pool_max_idle_per_host(IDLE_MAX)
            .http1_only()
            // Receivers that compare names byte by byte find them as spec §6.1 spells them.
            .http1_title_case_headers()
            .tls_backend_rustls();
        let built = match proxy {
            None => builder.dns_resolver(Arc::new(Judged::new(names, self.rules.clone()))).build(),
            // Only the proxy's own name is resolved here. It may be internal, and checks its
            // targets.
            Some(proxy) => Proxy::all(proxy).and_then(|proxy| builder.proxy(proxy).build()),
        };
        built
            .inspect_err(|error| tracing::error!(?error, "failed to build the client for webhooks"))
            .ok()
    }
}

/// An answer with the first `bytes_max` bytes of its body, and one more if it is longer.
async fn receive(
    client: &Client,
    request: Request,
    bytes_max: usize,
) -> Result<Answer, reqwest::Error> {
    let mut answer = client.execute(request).await?;
    let (status, headers) = (answer.status().as_u16(), answer.headers().clone());
    let remote = answer.remote_addr().map(|address| address.ip());
    let mut body = Vec::new();
    while body.len() <= bytes_max
        && let Some(bytes) = answer.chunk().await?
    {
        body.extend_from_slice(&bytes);
    }
    body.truncate(bytes_max + 1);
    Ok(Answer { status, headers, body, remote })
}

/// Longest time of a call, with its body.
pub fn longest(config: &Config) -> Duration {
    config.webhooks.timeout + BODY_TIME
}

/// The beginning of a body, as far as it arrives in time.
async fn beginning(mut answer: Response) -> Vec<u8> {
    let mut body = Vec::new();
    let reading = async {
        while body.len() < BODY_MAX
            && let Ok(Some(bytes)) = answer.chunk().await
        {
            body.extend_from_slice(&bytes);
        }
    };
    // A truncated or late body does not change the result.
    let _ = tokio::time::timeout(BODY_TIME, reading).await;
    body.truncate(BODY_MAX);
    body
}
