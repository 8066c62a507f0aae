//! Where live events go, as the rules see it: a broker they know nothing else of.

use std::fmt::Debug;

use svc_types::api::connect::ChannelPublish;

use crate::app::App;
use crate::effects::CommitEffects;

/// Takes live events to those who subscribed.
pub trait LiveSink: Debug + Send + Sync {
    /// Whether there is a broker, so that events are prepared for it.
    fn is_on(&self) -> bool;

    /// Where clients find it.
    fn endpoint(&self, app: &App) -> Option<Endpoint>;

    /// Ends the connections and subscriptions that a transaction revoked. It is called before the
    /// request is answered, so that an account that left a channel receives nothing more of it.
    fn revoke(&self, news: &CommitEffects);
}

/// How clients reach the broker.
#[derive(Clone, Debug)]
pub struct Endpoint {
    /// `mqtt://host:port` or `mqtts://host:port`.
    pub url: String,
    /// How they write in channels.
    pub channel_publish: ChannelPublish,
}

/// No broker: streams and webhooks alone carry events.
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
}
