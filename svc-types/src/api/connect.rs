//! Events of an account, live and listed by number (spec §6).

mod data;
mod members;
mod samples;
mod webhook_event;

pub use data::{
    BillingData, ChannelMessageDeletedData, EscrowData, FollowData, LikeData, MentionData,
    ModerationData, OrderData, PostDeletedData, QuoteData, ReplyData, RepostData, ServiceData,
    SystemData,
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
    /// Get the MQTT broker and topics (spec §6.2).
    ///
    /// Connect with MQTT 3.1.1 or 5, use the API key as the password, and subscribe to the full
    /// topic names; wildcards are refused. Read events that you missed with
    /// `GET /v1/connect/events`.
    GET "/v1/connect" as events.connect by Account scope Read
        => OK ConnectEnvelope, fails [FeatureNotConfigured];
    GetConnect {}

    /// List your events, oldest first.
    ///
    /// Events are numbered without gaps. Set `after` to the last number you have seen; `nextCursor`
    /// of the response is the number for the next call. A page of some `types` may be empty and
    /// have a `nextCursor` when many others lie between.
    GET "/v1/connect/events" as events.list by Account scope Read
        => OK EventPage, fails [CursorExpired];
    ListEvents {
        /// Only events with a higher number; starts at the oldest event kept when omitted.
        after: Option<u64>,
        /// Only events of these kinds, such as `order` and `direct_message`.
        types: Option<CommaList<String>>,
        /// Page size: 1 to 100, 20 when omitted.
        limit: Option<Limit>,
    }
}

/// How to receive events live over MQTT.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Connect {
    /// URL of the broker: `mqtt://host:port`, or `mqtts://host:port` with TLS.
    pub broker_url: String,
    /// MQTT user name.
    pub username: String,
    /// MQTT client id: use it as is, or append `:` and 1 to 64 characters of `A-Za-z0-9_.-`.
    pub client_id_prefix: String,
    /// Topics that you may subscribe to.
    pub topics: ConnectTopics,
    /// How to send channel messages: by publishing to their topics, or only by the API.
    pub channel_publish: ChannelPublish,
    /// Quality of service for subscriptions.
    pub qos: u8,
    /// Keep-alive interval in seconds.
    pub keep_alive_seconds: u16,
    /// Maximum packet size in bytes, in both directions.
    pub max_packet_bytes: u32,
    /// MQTT versions that the broker supports.
    pub protocols: Vec<String>,
    /// Sequence number of the account's newest event; 0 without events.
    pub latest_seq: u64,
}

/// Topics of an account.
///
/// Each message is an event with `id`, `event`, `timestamp`, `data` and `seq`; events of the global
/// feed have no `seq`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct ConnectTopics {
    /// Topic of your direct messages.
    pub dm: String,
    /// Topic of all other events of your account.
    pub notifications: String,
    /// Topics of your channels.
    pub channels: Vec<String>,
    /// Topic of new public posts.
    pub feed_global: String,
}

words! {
    /// How to send channel messages.
    ChannelPublish {
        /// By publishing to their topics, and by the API.
        Mqtt = "mqtt",
        /// Only by the API.
        Api = "api",
    }
}

/// Response with the connection data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct ConnectEnvelope {
    /// How to receive events live.
    pub connect: Connect,
}

/// An event of an account.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Event {
    /// The event's id, the same in every delivery.
    pub id: EventId,
    /// Sequence number among the account's events.
    pub seq: u64,
    /// The kind of event.
    pub event: String,
    /// When it happened.
    pub timestamp: Timestamp,
    /// Data of the event; its members depend on the kind.
    pub data: EventData,
}

/// A page of events.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct EventPage {
    /// The events.
    pub events: Vec<Event>,
    /// The number to send as `after` for the next page; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<u64>,
    /// Sequence number of the account's newest event; 0 without events.
    pub latest_seq: u64,
    /// Sequence number of the oldest event kept; `latestSeq` + 1 if none is.
    pub oldest_seq: u64,
}
