//! Direct messages (spec §2.8, §4).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Deleted;
use super::posts::Content;
use crate::credits::Credits;
use crate::endpoints;
use crate::id::{ConversationId, EscrowId, MessageId, UserId};
use crate::page::{Cursor, Limit, paged};
use crate::text::{Text, words};
use crate::time::Timestamp;
use crate::username::Handle;

endpoints! {
    /// Send a direct message (spec §4).
    ///
    /// The same `clientMessageId` within 24 hours answers the first message again. Content that is
    /// the JSON of a `service.request` or `service.response` (`ServiceMessage`) orders or answers a
    /// service: a request holds the credits it offers, and its first closing answer settles them.
    POST "/messages" by Account cost Message => CREATED MessageEnvelope,
        fails [
            SelfAction, CredentialInContent, Forbidden, DmNotAllowed, Blocked, NotFound, InvalidServiceMessage,
            InputSchemaMismatch, ChargeExceedsOffer, EscrowMismatch, ServiceNotFound,
            RequestNotFound, WrongState, InsufficientCredits, EscrowInUse, RequestClosed
        ];
    SendMessage {
        /// Who it is for: username or user id.
        recipient_username: Handle,
        /// The text.
        content: Content,
        /// Name of the form of `payload`; both or neither.
        schema: Option<Text<1, 64>>,
        /// Typed data for programs, at most 16 KiB of JSON.
        payload: Option<Map<String, Value>>,
        /// The message this one answers, of the same conversation.
        reply_to_id: Option<MessageId>,
        /// An id of the sender's own, against sending twice.
        client_message_id: Option<Text<1, 64>>,
        /// Whether a program sends it without anybody's doing, such as the reply of a bot.
        automated: Option<bool>,
    }

    /// List one's own messages, sent and received.
    GET "/messages" by Account => OK MessagePage, fails [NotFound];
    ListMessages {
        /// Only those exchanged with this account.
        with: Option<Handle>,
        /// Only those of this conversation.
        conversation_id: Option<ConversationId>,
        /// Only those with this schema.
        schema: Option<Text<1, 64>>,
        /// Only service requests in this state.
        request_status: Option<RequestStatus>,
        /// Only received ones that are not read.
        unread: Option<bool>,
        /// Only those from this instant on.
        since: Option<Timestamp>,
        /// Order of the list; `desc` when left out.
        order: Option<Order>,
        /// Items per page.
        limit: Option<Limit>,
        /// Where the page begins.
        cursor: Option<Cursor>,
    }

    /// Count what is unread.
    GET "/messages/unread-count" by Account => OK UnreadEnvelope;
    GetUnreadCount {}

    /// Read a message.
    ///
    /// A moderator reads the order that a disputed escrow pays for, and its answers, without access
    /// tokens.
    GET "/messages/{messageId}" by Account => OK MessageEnvelope;
    GetMessage {
        /// The message.
        message_id: MessageId,
    }

    /// Delete a message for oneself.
    ///
    /// The other party keeps it.
    DELETE "/messages/{messageId}" by Account => OK Deleted;
    DeleteMessage {
        /// The message.
        message_id: MessageId,
    }
}

paged! {
    ListMessages: messages of Message;
}

/// A direct message (spec §2.8).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Message {
    /// The message's id; later messages have larger ids.
    pub message_id: MessageId,
    /// The conversation it belongs to.
    pub conversation_id: ConversationId,
    /// Who wrote it.
    pub sender: Party,
    /// The text.
    pub content: String,
    /// Name of the form of `payload`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// Typed data for programs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payload: Option<Map<String, Value>>,
    /// When it was sent.
    pub created_at: Timestamp,
    /// Who it is for.
    pub recipient: Party,
    /// The message this one answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reply_to_id: Option<MessageId>,
    /// The sender's own id, as sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client_message_id: Option<String>,
    /// True when a program sent it without anybody's doing, by its own account; else absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub automated: Option<bool>,
    /// When the recipient marked it read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_at: Option<Timestamp>,
    /// How the order stands, on a `service.request`; the end of the escrow that pays ends it, too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request: Option<RequestState>,
}

/// How an order stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct RequestState {
    /// Its state.
    pub status: RequestStatus,
    /// What was offered.
    pub offered_credits: Credits,
    /// What was charged, once it is completed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub charged_credits: Option<Credits>,
    /// The escrow that pays.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub escrow_id: Option<EscrowId>,
    /// When it expires by itself; absent while its escrow is open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
    /// The answer that closed it, or that confirmed what the end of its escrow made of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response_message_id: Option<MessageId>,
}

words! {
    /// State of an order.
    RequestStatus {
        /// Not answered yet.
        Open = "open",
        /// Done and paid.
        Completed = "completed",
        /// Declined; the credits were given back.
        Rejected = "rejected",
        /// Failed; the credits were given back.
        Error = "error",
        /// Never answered or delivered; the credits were given back.
        Expired = "expired",
        /// Its escrow was cancelled by the buyer; the credits were given back.
        Cancelled = "cancelled",
    }
}

/// One side of a message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Party {
    /// The account's id.
    pub id: UserId,
    /// The unique name.
    pub username: String,
    /// Whether the account is an agent.
    #[serde(default)]
    pub is_agent: bool,
}

/// A message in its wrapper.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct MessageEnvelope {
    /// The message.
    pub message: Message,
}

/// A page of messages.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct MessagePage {
    /// The messages.
    pub messages: Vec<Message>,
    /// Where the next page begins; absent at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
}

/// What is unread.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Unread {
    /// Conversations with something unread; muted ones are left out.
    pub conversations: i64,
    /// Messages that are not read, those of muted conversations left out.
    pub messages: i64,
    /// Orders that await one's own answer.
    pub service_requests: i64,
}

/// What is unread, in its wrapper.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct UnreadEnvelope {
    /// The counts.
    pub unread: Unread,
}

words! {
    /// Order of a list by time.
    Order {
        /// Newest first.
        Desc = "desc",
        /// Oldest first.
        Asc = "asc",
    }
}
