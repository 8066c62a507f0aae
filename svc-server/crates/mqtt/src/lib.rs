//! Real-time events over MQTT (spec §6.2): from a broker inside the server, or an external one.
//!
//! The database is authoritative. A client that missed a live event reads it by cursor
//! (`GET /v1/connect/events`).

pub mod embedded;
mod envelope;
pub mod external;
mod follow;
mod gone;
pub mod policy;
mod push;
pub mod relay;
#[cfg(feature = "testing")]
pub mod testing;
mod under_way;
mod wire;

use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use embedded::Hub;
use external::External;
use svc_core::app::App;
use svc_core::config::Config;
use svc_core::effects::CommitEffects;
use svc_core::live::{Endpoint, LiveSink};
use svc_store::error::Result;
use svc_store::trace::Trace;
use svc_types::EventId;
use svc_types::api::connect::ChannelPublish;
use svc_types::api::health::HealthStatus;
use under_way::UnderWay;
use url::Url;

/// Largest packet in either direction. Events are smaller.
pub const PACKET_BYTES_MAX: usize = 524_288;

/// An event as it is published.
pub(crate) struct Outgoing<'a> {
    pub(crate) topic: &'a str,
    pub(crate) envelope: Bytes,
    pub(crate) trace: Option<Trace>,
}

/// Where live events go.
#[derive(Debug)]
pub struct Broker {
    kind: Kind,
    address: OnceLock<SocketAddr>,
    internal: OnceLock<SocketAddr>,
    pub(crate) under_way: UnderWay,
}

#[derive(Debug)]
enum Kind {
    Off,
    Embedded(Arc<Hub>),
    External(Arc<External>),
}

impl Broker {
    /// The broker of these settings.
    pub fn new(config: &Config) -> Self {
        // `Config::load` has validated the URL.
        let external = config.broker.external().ok().flatten();
        let kind = match (external, config.mqtt_listen) {
            (Some(url), _) => {
                Kind::External(Arc::new(External::new(url, config.broker.tls_ca.clone())))
            }
            (None, Some(_)) => Kind::Embedded(Arc::new(Hub::new(config.limits.mqtt.clone()))),
            (None, None) => Kind::Off,
        };
        let (address, internal) = (OnceLock::new(), OnceLock::new());
        Self { kind, address, internal, under_way: UnderWay::default() }
    }

    /// Refuses settings with which an external broker is never reached. One that is down may be up later.
    pub async fn check(&self) -> Result<()> {
        match self.external() {
            Some(external) => external.check().await,
            None => Ok(()),
        }
    }

    /// Address of the embedded broker.
    pub fn address(&self) -> Option<SocketAddr> {
        self.address.get().copied()
    }

    /// Address at which an external broker asks for authorization.
    pub fn internal(&self) -> Option<SocketAddr> {
        self.internal.get().copied()
    }

    /// Sets the address at which an external broker asks for authorization.
    pub fn is_answered_at(&self, address: SocketAddr) {
        let _ = self.internal.set(address);
    }

    /// Sets the address of the embedded broker.
    pub fn listens_at(&self, address: SocketAddr) {
        // A server starts once.
        let _ = self.address.set(address);
    }

    /// The URL for clients: at the host of `public_url`, if that is set.
    fn url(&self, config: &Config, public_url: &str) -> Option<String> {
        if let Some(external) = self.external() {
            return Some(external.public_url());
        }
        let address = self.address()?;
        let public = Url::parse(public_url).ok().filter(|_| config.has_public_url());
        let host = public.as_ref().and_then(Url::host_str);
        let host = host.map_or_else(|| bracketed(address.ip()), str::to_owned);
        let scheme = if config.mqtt_tls().is_some() { "mqtts" } else { "mqtt" };
        Some(format!("{scheme}://{host}:{}", address.port()))
    }

    /// The sessions of the embedded broker.
    pub(crate) const fn hub(&self) -> Option<&Arc<Hub>> {
        match &self.kind {
            Kind::Embedded(hub) => Some(hub),
            Kind::Off | Kind::External(_) => None,
        }
    }

    /// The connection to an external broker.
    pub const fn external(&self) -> Option<&Arc<External>> {
        match &self.kind {
            Kind::External(external) => Some(external),
            Kind::Off | Kind::Embedded(_) => None,
        }
    }

    /// Sends an envelope to all subscribers. `delivered` is called once the broker has it, and dropped
    /// when it can't be sent now. Never blocks.
    pub(crate) fn publish(
        &self,
        event: &EventId,
        message: Outgoing<'_>,
        delivered: impl FnOnce() + Send + 'static,
    ) {
        match &self.kind {
            Kind::Off => delivered(),
            Kind::Embedded(hub) => {
                hub.publish(message.topic, message.envelope, message.trace);
                delivered();
            }
            Kind::External(external) => external.publish(event, message, Box::new(delivered)),
        }
    }

    /// Whether a topic may have subscribers.
    pub(crate) fn reaches(&self, topic: &str) -> bool {
        match &self.kind {
            Kind::Off => false,
            Kind::Embedded(hub) => hub.has_listener(topic),
            Kind::External(_) => true,
        }
    }

    /// Whether events can be sent now, and no earlier one is queued.
    pub(crate) fn is_idle(&self) -> bool {
        self.external().is_none_or(|external| external.is_idle())
    }

    /// The state for the health check.
    pub fn health(&self) -> HealthStatus {
        match &self.kind {
            Kind::Off => HealthStatus::Disabled,
            Kind::External(external) if !external.is_connected() => HealthStatus::Degraded,
            Kind::Embedded(_) | Kind::External(_) => HealthStatus::Ok,
        }
    }
}

impl LiveSink for Broker {
    fn is_on(&self) -> bool {
        !matches!(self.kind, Kind::Off)
    }

    fn endpoint(&self, app: &App) -> Option<Endpoint> {
        let url = self.url(&app.config, &app.public_url)?;
        let channel_publish = match self.kind {
            Kind::External(_) => ChannelPublish::Api,
            Kind::Off | Kind::Embedded(_) => ChannelPublish::Mqtt,
        };
        Some(Endpoint { url, channel_publish })
    }

    fn revoke(&self, effects: &CommitEffects) {
        let Some(hub) = self.hub() else { return };
        for account in &effects.ended {
            hub.end(account);
        }
        for (account, channel) in &effects.left {
            hub.revoke(account, channel);
        }
    }

    fn streams(&self) -> Vec<String> {
        self.hub().map(|hub| hub.streams()).unwrap_or_default()
    }
}

/// An address in the form of URLs, with brackets around IPv6.
fn bracketed(address: IpAddr) -> String {
    match address {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => format!("[{address}]"),
    }
}
