//! The interface to the broker of live events, whose implementation is in `svc-mqtt`.

use std::fmt::Debug;

use svc_types::api::connect::ChannelPublish;

use crate::app::App;
use crate::effects::CommitEffects;

/// A broker of live events.
pub trait LiveSink: Debug + Send + Sync {
    /// Whether there is a broker, so that events are prepared for it.
    fn is_on(&self) -> bool;

    /// The endpoint for clients.
    fn endpoint(&self, app: &App) -> Option<Endpoint>;

    /// Ends the connections and subscriptions that a transaction revoked. This is called before the
    /// response is sent, so that an account that left a channel receives no further message of it.
    fn revoke(&self, effects: &CommitEffects);

    /// The streams that its clients follow: accounts and channels.
    fn streams(&self) -> Vec<String>;
}

/// How clients reach the broker.
#[derive(Clone, Debug)]
pub struct Endpoint {
    /// `mqtt://host:port` or `mqtts://host:port`.
    pub url: String,
    /// How clients publish in channels.
    pub channel_publish: ChannelPublish,
}

impl App {
    /// Whether events are prepared for a broker: that of this node, or of another one on its database.
    pub(crate) fn relays(&self) -> bool {
        self.live.is_on() || self.node.is_beside_broker()
    }
}

/// No broker: only streams and webhooks deliver events.
#[derive(Clone, Copy, Debug)]
pub struct NoBroker;

impl LiveSink for NoBroker {
    fn is_on(&self) -> bool {
        false
    }

    fn endpoint(&self, _: &App) -> Option<Endpoint> {
        None
    }

    fn revoke(&self, _: &CommitEffects) {}

    fn streams(&self) -> Vec<String> {
        Vec::new()
    }
}
