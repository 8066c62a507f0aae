//! Sends events on, as the platform sends webhooks.

use std::time::Duration;

use clap::Args;
use reqwest::{Request, Url};
use serde_json::json;
use svc_bot_kit::{Secret, sign};
use svc_client::http;
use svc_client::types::Span;
use svc_client::types::api::connect::Event;
use svc_client::types::webhook::{SIGNATURE, STANDARD_SIGNATURE};

use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::output::Output;
use crate::time;

/// How long a receiver may take, as for webhooks of the platform.
const TIMEOUT: Duration = Duration::from_secs(15);
/// The first pause before an event is sent again.
const PAUSE_MIN: Duration = Duration::from_secs(1);
/// The longest pause.
const PAUSE_MAX: Duration = Duration::from_secs(30);

/// Faults on purpose, for trying out a receiver.
#[derive(Clone, Debug, Args)]
pub(crate) struct Faults {
    /// Send each event this many times more.
    #[arg(long, value_name = "NUMBER", default_value_t = 0, requires = "forward_to")]
    duplicate: u32,
    /// Wait before each event.
    #[arg(long, value_name = "TIME", requires = "forward_to")]
    delay: Option<Span>,
    /// Break the signatures.
    #[arg(long, requires = "forward_to")]
    bad_signature: bool,
}

/// Sends to one address.
pub(crate) struct Forward {
    client: reqwest::Client,
    url: Url,
    secret: Secret,
    faults: Faults,
    attempts: u32,
}

impl Forward {
    pub(super) fn new(
        url: &str,
        secret: Secret,
        faults: &Faults,
        attempts: Option<u32>,
    ) -> Result<Self> {
        let (client, url) = (client()?, address(url)?);
        let attempts = attempts.unwrap_or(u32::MAX);
        Ok(Self { client, url, secret, faults: faults.clone(), attempts })
    }

    /// Sends an event until it arrives or the attempts are used up, and reports each.
    pub(super) async fn send(&self, event: &Event, out: Output) -> Result<()> {
        if let Some(delay) = self.faults.delay {
            tokio::time::sleep(delay.duration()).await;
        }
        let mut pause = PAUSE_MIN;
        for attempt in 1..=self.attempts {
            if self.attempt(event, attempt, out).await? {
                break;
            }
            if attempt < self.attempts {
                tokio::time::sleep(pause).await;
                pause = (pause * 2).min(PAUSE_MAX);
            }
        }
        for _ in 0..self.faults.duplicate {
            self.attempt(event, 1, out).await?;
        }
        Ok(())
    }

    /// Sends an event once and prints the outcome; returns whether it arrived.
    async fn attempt(&self, event: &Event, attempt: u32, out: Output) -> Result<bool> {
        let mut request = sign::forwarded(&self.secret, event, attempt, time::now());
        if self.faults.bad_signature {
            for name in [SIGNATURE, STANDARD_SIGNATURE] {
                let broken = http::HeaderValue::from_static("broken");
                request.headers_mut().insert(name, broken);
            }
        }
        let sent = deliver(&self.client, &self.url, request).await?;
        let line = format!("{}  {}  {}", time::second(time::now()), event.event, event.id);
        let json = json!({
            "id": event.id, "seq": event.seq, "event": event.event, "attempt": attempt,
            "status": sent.status, "error": sent.error, "ms": sent.ms,
        });
        out.local(&json, &format!("{line}  {}", sent.words()))?;
        Ok(sent.arrived())
    }
}

/// The outcome of a request.
pub(crate) struct Sent {
    pub(crate) status: Option<u16>,
    pub(crate) error: Option<String>,
    pub(crate) ms: u64,
}

impl Sent {
    /// Whether the receiver has taken it.
    pub(crate) fn arrived(&self) -> bool {
        self.status.is_some_and(|status| (200..300).contains(&status))
    }

    /// Status and time: `204  3 ms`.
    pub(crate) fn words(&self) -> String {
        let outcome = match (self.status, &self.error) {
            (Some(status), _) => status.to_string(),
            (None, error) => error.clone().unwrap_or_default(),
        };
        format!("{outcome}  {} ms", self.ms)
    }
}

/// A client without redirects and proxies that spells headers in title case, like the one of the platform.
pub(crate) fn client() -> Result<reqwest::Client> {
    let builder = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none());
    let built = builder.no_proxy().http1_title_case_headers().timeout(TIMEOUT).build();
    built.map_err(|error| Error::new(Exit::Other, "network", error.to_string()))
}

/// Where to send to.
pub(crate) fn address(text: &str) -> Result<Url> {
    let url = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
    url.ok_or_else(|| {
        Error::usage(format!("{text} must be an address such as http://localhost:8091/hook"))
    })
}

/// Sends a request; a receiver that can't be reached is an outcome too.
pub(crate) async fn deliver(
    client: &reqwest::Client,
    url: &Url,
    mut request: http::Request<Vec<u8>>,
) -> Result<Sent> {
    let broken = |error: &dyn std::fmt::Display| Error::usage(error.to_string());
    *request.uri_mut() =
        url.as_str().parse().map_err(|error: http::uri::InvalidUri| broken(&error))?;
    let request = Request::try_from(request).map_err(|error| broken(&error))?;
    let began = tokio::time::Instant::now();
    let answer = client.execute(request).await;
    let ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
    Ok(match answer {
        Ok(answer) => Sent { status: Some(answer.status().as_u16()), error: None, ms },
        Err(error) => Sent { status: None, error: Some(reason(&error)), ms },
    })
}

/// Why nothing arrived, in a word or two.
fn reason(error: &reqwest::Error) -> String {
    let words = if error.is_timeout() {
        "no answer in time"
    } else if error.is_connect() {
        "could not connect"
    } else {
        "the connection broke"
    };
    words.to_owned()
}
