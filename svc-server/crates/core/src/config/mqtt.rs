//! Settings of the MQTT broker.

use std::net::SocketAddr;
use std::path::PathBuf;

use serde::Deserialize;
use url::Url;

use super::{SetupError, address_or_off};

/// The external broker, and how it asks the server for authorization.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BrokerSettings {
    url: String,
    /// File with the CA certificates to trust; empty for those of the system.
    pub tls_ca: PathBuf,
    /// Address at which the broker asks for authorization, if it does.
    #[serde(deserialize_with = "address_or_off")]
    pub internal_listen: Option<SocketAddr>,
    /// The secret that authenticates the broker.
    pub internal_secret: String,
}

impl BrokerSettings {
    /// The URL of the external broker; `None` for the embedded one.
    pub fn external(&self) -> Result<Option<Url>, SetupError> {
        if self.url == "embedded" {
            return Ok(None);
        }
        let url = Url::parse(&self.url).ok();
        let is_ours = |url: &Url| ["mqtt", "mqtts"].contains(&url.scheme());
        let is_whole = |url: &Url| url.username().is_empty() || url.password().is_some();
        let url = url.filter(|url| is_ours(url) && is_whole(url) && url.host_str().is_some());
        let wrong = "broker.url must be embedded or mqtt://user:password@host:port (or mqtts://)";
        url.map(Some).ok_or_else(|| SetupError::new(wrong.to_owned()))
    }
}

/// Bounds on clients of the embedded broker.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MqttLimits {
    /// Open connections in all.
    pub connections: usize,
    /// Open connections of one account.
    pub connections_per_account: usize,
    /// Messages that one connection may publish in a second.
    pub publishes_per_second: u32,
    /// CONNECTs of one address that may be refused in five minutes.
    pub refused_per_address: u32,
    /// Open connections of one address that have not sent a CONNECT yet.
    pub waiting_per_address: u32,
}
