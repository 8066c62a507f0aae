//! What happened to an account, to be caught up by number (spec §6).

mod data;
mod members;
mod webhook_event;

pub use data::{
    ChannelMessageDeletedData, EscrowData, FollowData, LikeData, MentionData, ModerationData,
    QuoteData, ReplyData, RepostData, ServiceData, SystemData,
};
pub use members::EventData;
pub use webhook_event::{WebhookBody, WebhookEvent};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::endpoints;
use crate::id::EventId;
use crate::page::Limit;
use crate::text::CommaList;
use crate::time::Timestamp;

endpoints! {
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
    /// Number of the oldest event that is kept; 0 when there is none.
    pub oldest_seq: u64,
}
