//! One request and its answer.

use std::fmt;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use http::HeaderMap;
use reqwest::redirect::Policy;
use reqwest::{Client, Proxy, Response, retry};
use svc_core::config::Config;
use svc_types::api::webhooks::DeliveryErrorClass as Class;

use super::class::class_of;
use super::resolve::{Judged, Names, SystemNames};
use super::url::{Rules, judge};

/// Most bytes of an answer's body that are read.
const BODY_MAX: usize = 4_096;

/// Time for them, once the head is there.
const BODY_TIME: Duration = Duration::from_secs(1);

/// Time a connection waits for the next call.
const IDLE: Duration = Duration::from_secs(20);

/// Connections to one receiver that wait for the next call.
const IDLE_MAX: usize = 4;

/// How long a call may take, and which way it goes.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Until the connection stands, TLS included.
    pub connect: Duration,
    /// In all.
    pub total: Duration,
    /// An egress proxy, which judges names by itself.
    pub proxy: Option<String>,
}

/// The head of an answer, and the beginning of its body.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// The headers.
    pub headers: HeaderMap,
    /// The beginning of the body, for the log.
    pub body: Vec<u8>,
    /// Who answered.
    pub remote: Option<IpAddr>,
}

/// Calls addresses that users name.
pub struct Outbound {
    names: Mutex<Arc<dyn Names>>,
    rules: Rules,
    limits: Limits,
    /// Made with the first call: it reads the certificates of the system.
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

    /// A client with these rules and limits, which finds names there.
    pub fn new(rules: Rules, limits: Limits, names: Arc<dyn Names>) -> Self {
        Self { names: Mutex::new(names), rules, limits, client: OnceLock::new() }
    }

    /// Finds names there instead, if nobody was called yet.
    #[cfg(feature = "testing")]
    pub fn find_names_in(&self, names: Arc<dyn Names>) {
        *self.names.lock().unwrap_or_else(PoisonError::into_inner) = names;
    }

    /// Posts a body. The head of the answer decides what became of it; its body is read for the
    /// log, and whoever sends more of it, or too slowly, is not waited for.
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

    fn build(&self) -> Option<Client> {
        let Limits { connect, total, proxy } = &self.limits;
        let names = Arc::clone(&self.names.lock().unwrap_or_else(PoisonError::into_inner));
        let builder = Client::builder()
            .redirect(Policy::none())
            .no_proxy()
            .referer(false)
            // What is sent again must be in the log.
            .retry(retry::never())
            .connect_timeout(*connect)
            .timeout(*total)
            .pool_idle_timeout(IDLE)
            .pool_max_idle_per_host(IDLE_MAX)
            .http1_only()
            .tls_backend_rustls();
        let built = match proxy {
            None => builder.dns_resolver(Arc::new(Judged::new(names, self.rules.clone()))).build(),
            // It alone is looked up here, and may well stand inside; it judges what it connects to.
            Some(proxy) => Proxy::all(proxy).and_then(|proxy| builder.proxy(proxy).build()),
        };
        built.inspect_err(|error| tracing::error!(?error, "webhooks can not be called")).ok()
    }
}

/// Longest time a call takes in all.
pub fn longest(config: &Config) -> Duration {
    config.webhooks.timeout + BODY_TIME
}

/// The beginning of a body; what of it came in time.
async fn beginning(mut answer: Response) -> Vec<u8> {
    let mut body = Vec::new();
    let reading = async {
        while body.len() < BODY_MAX
            && let Ok(Some(bytes)) = answer.chunk().await
        {
            body.extend_from_slice(&bytes);
        }
    };
    // A body that is cut short, or late, changes nothing any more.
    let _ = tokio::time::timeout(BODY_TIME, reading).await;
    body.truncate(BODY_MAX);
    body
}
