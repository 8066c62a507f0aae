//! Settings of webhooks.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Deserializer};
use svc_types::Span;

use super::{Config, ConfigError, span};
use crate::outbound::address::Network;
use crate::outbound::resolve::SystemNames;
use crate::outbound::{Limits, Outbound, Rules};

/// Calls of webhooks.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Webhooks {
    allow_loopback: bool,
    allow_networks: Vec<Network>,
    proxy: String,
    #[serde(deserialize_with = "span")]
    connect_timeout: Duration,
    #[serde(deserialize_with = "span")]
    timeout: Duration,
    /// Pauses before a failed call is made again.
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
    /// What types alone can't say.
    pub(super) fn check(&self) -> Result<(), ConfigError> {
        if self.timeout < self.connect_timeout {
            let wrong = "webhooks.timeout must not be less than webhooks.connect_timeout";
            return Err(ConfigError(wrong.to_owned()));
        }
        if self.sends == 0 || self.sends_per_account == 0 || self.sends_per_webhook == 0 {
            let wrong =
                "webhooks.sends, sends_per_account and sends_per_webhook must be at least 1";
            return Err(ConfigError(wrong.to_owned()));
        }
        Ok(())
    }
}

impl Config {
    /// The client that calls webhooks.
    pub(crate) fn outbound(&self) -> Outbound {
        let Webhooks { allow_loopback, allow_networks, proxy, .. } = &self.webhooks;
        let loopback = *allow_loopback || self.dev;
        let rules = Rules { loopback, networks: allow_networks.clone() };
        let limits = Limits {
            connect: self.webhooks.connect_timeout,
            total: self.webhooks.timeout,
            proxy: Some(proxy.clone()).filter(|proxy| !proxy.is_empty()),
        };
        Outbound::new(rules, limits, Arc::new(SystemNames))
    }
}

fn spans<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Duration>, D::Error> {
    let spans = Vec::<Span>::deserialize(deserializer)?;
    Ok(spans.into_iter().map(Span::duration).collect())
}
