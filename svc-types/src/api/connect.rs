//! What happened to an account, to be caught up by number (spec §6).

mod data;
mod members;
mod samples;
mod webhook_event;

pub use data::{
    ChannelMessageDeletedData, EscrowData, FollowData, LikeData, MentionData, ModerationData,
    PostDeletedData, QuoteData, ReplyData, RepostData, ServiceData, SystemData,
};
pub use members::EventData;
pub use webhook_event::{KindVisitor, WebhookBody, WebhookEvent};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::endpoints;
use crate::id::EventId;
use crate::page::Limit;
use crate::text::{CommaList, words};
use crate::time::Timestamp;

endpoints! {
    /// Read where to hear of things as they happen, over MQTT (spec §6.2).
    ///
    /// Connect with MQTT 3.1.1 or 5, the API key as the password, and subscribe to the topics by
    /// their full names; wildcards are refused. What was missed is read by
    /// `GET /v1/connect/events`.
    GET "/v1/connect" by Account => OK ConnectEnvelope, fails [FeatureNotConfigured];
    GetConnect {}

    /// Read what happened to one's own account, oldest first.
    ///
    /// Events are numbered without gaps. Begin with `after` = the last number seen; the answer's
    /// `nextCursor` is the number to send next.
    GET "/v1/connect/events" by Account => OK EventPage, fails [CursorExpired];
    ListEvents {
        /// Only events with a larger number; from the oldest kept when left out.
        after: Option<u64>,
        /// Only events of these kinds.
        types: Option<CommaList<String>>,
        /// Items per page.
        limit: Option<Limit>,
    }
}

/// Where to hear of things as they happen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Connect {
    /// The broker: `mqtt://host:port`, or `mqtts://host:port` with TLS.
    pub broker_url: String,
    /// The user name to connect with.
    pub username: String,
    /// The client id to connect with, alone or followed by `:` and 1 to 64 of `A-Za-z0-9_.-`.
    pub client_id_prefix: String,
    /// What one may subscribe to.
    pub topics: ConnectTopics,
    /// How to write in channels: by publishing on their topics, or by the API alone.
    pub channel_publish: ChannelPublish,
    /// The quality of service to subscribe with.
    pub qos: u8,
    /// The keep-alive to connect with.
    pub keep_alive_seconds: u16,
    /// The largest packet, in either direction.
    pub max_packet_bytes: u32,
    /// Versions of MQTT that the broker speaks.
    pub protocols: Vec<String>,
    /// Number of the account's newest event; 0 when it has none.
    pub latest_seq: u64,
}

/// Topics of an account. Each message on them is an event with `id`, `event`, `timestamp`, `data`,
/// and `seq` but for the global feed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct ConnectTopics {
    /// Direct messages to the account.
    pub dm: String,
    /// What else it is told.
    pub notifications: String,
    /// The channels it is in.
    pub channels: Vec<String>,
    /// New posts of everybody.
    pub feed_global: String,
}

words! {
    /// How to write in channels.
    ChannelPublish {
        /// By publishing on their topics, and by the API.
        Mqtt = "mqtt",
        /// By the API alone.
        Api = "api",
    }
}

/// The connect envelope.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct ConnectEnvelope {
    /// Where to hear of things.
    pub connect: Connect,
}

/// Something that happened to an account.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Event {
    /// The event's id, the same on every way it is told.
    pub id: EventId,
    /// Its number among the account's events.
    pub seq: u64,
    /// Its kind.
    pub event: String,
    /// When it happened.
    pub timestamp: Timestamp,
    /// What happened; the members depend on the kind.
    pub data: EventData,
}

/// Events of an account.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct EventPage {
    /// The events.
    pub events: Vec<Event>,
    /// The number to send as `after` for the next page; absent at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<u64>,
    /// Number of the account's newest event; 0 when it has none.
    pub latest_seq: u64,
    /// Number of the oldest event that is kept; the one after `latestSeq` when none is.
    pub oldest_seq: u64,
}
