//! Settings of webhooks.

use std::time::Duration;

use ipnet::IpNet;
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use svc_store::error::SetupError;
use url::Url;

use super::{duration, span};

/// Calls of webhooks.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Webhooks {
    /// Whether loopback may be called.
    pub allow_loopback: bool,
    /// Private networks that may be called, with TLS.
    #[serde(deserialize_with = "networks")]
    pub allow_networks: Vec<IpNet>,
    /// An egress proxy; empty for none.
    pub proxy: String,
    /// Time to connect, including TLS.
    #[serde(deserialize_with = "span")]
    pub connect_timeout: Duration,
    /// Time for a whole call.
    #[serde(deserialize_with = "span")]
    pub timeout: Duration,
    /// Pauses before each retry.
    #[serde(deserialize_with = "spans")]
    pub retries: Vec<Duration>,
    /// Calls at once of this server.
    pub sends: u32,
    /// Calls at once to the webhooks of one account.
    pub sends_per_account: u32,
    /// Calls at once to one webhook.
    pub sends_per_webhook: u32,
}

impl Webhooks {
    /// Checks what the types can't express.
    pub(super) fn check(&self) -> Result<(), SetupError> {
        if self.timeout < self.connect_timeout {
            let wrong = "webhooks.timeout must not be less than webhooks.connect_timeout";
            return Err(SetupError::new(wrong.to_owned()));
        }
        if !self.proxy.is_empty() && !is_proxy(&self.proxy) {
            let wrong = "webhooks.proxy must be http://host:port (or https://), or empty for none";
            return Err(SetupError::new(wrong.to_owned()));
        }
        let most = [
            ("sends", self.sends),
            ("sends_per_account", self.sends_per_account),
            ("sends_per_webhook", self.sends_per_webhook),
        ];
        match most.into_iter().find(|(_, most)| *most == 0) {
            Some((name, _)) => Err(SetupError::new(format!("webhooks.{name} must be at least 1"))),
            None => Ok(()),
        }
    }
}

fn is_proxy(text: &str) -> bool {
    let url = Url::parse(text).ok();
    url.is_some_and(|url| ["http", "https"].contains(&url.scheme()) && url.has_host())
}

fn spans<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Duration>, D::Error> {
    let texts = Vec::<String>::deserialize(deserializer)?;
    texts.iter().map(|text| duration(text)).collect()
}

fn networks<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<IpNet>, D::Error> {
    let texts = Vec::<String>::deserialize(deserializer)?;
    let network = |text: String| {
        text.parse()
            .map_err(|_| D::Error::custom("must be a network such as 10.1.0.0/16 or fd00::/8"))
    };
    texts.into_iter().map(network).collect()
}
