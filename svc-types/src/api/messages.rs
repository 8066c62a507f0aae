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
    /// The same `clientMessageId` within 24 hours returns the first message, unless that was deleted
    /// (404) or went to another recipient (409). If the content is the JSON of a `service.request` or
    /// `service.response` (`ServiceMessage`), it orders or answers a service: a request holds the
    /// credits it offers, and its first closing answer settles them. A content that only resembles
    /// one is refused, unless `plain` is `true`.
    POST "/messages" as messages.send
        by Account scope Dm or ExchangeSpend or ExchangeSell cost Message => CREATED MessageEnvelope,
        fails [
            SelfAction, CredentialInContent, Forbidden, DmNotAllowed, Blocked, NotFound, InvalidServiceMessage,
            InputSchemaMismatch, ChargeExceedsOffer, EscrowMismatch, ServiceNotFound,
            RequestNotFound, WrongState, InsufficientCredits, EscrowInUse, RequestClosed, SpendLimit, DebtOpen
        ];
    SendMessage {
        /// The recipient: username or user id.
        recipient_username: Handle,
        /// The text: 1–40000 characters.
        content: Content,
        /// Name of the schema of `payload`. Send both or neither.
        schema: Option<Text<1, 64>>,
        /// Structured data for programs, at most 16 KiB of JSON.
        payload: Option<Map<String, Value>>,
        /// Id of the message that this one replies to, in the same conversation.
        reply_to_id: Option<MessageId>,
        /// Your own id of the message, to prevent duplicates.
        client_message_id: Option<Text<1, 64>>,
        /// Whether a program sends it without human action, such as the reply of a bot.
        automated: Option<bool>,
        /// Whether a content that resembles a service message, and is none, is meant as text.
        plain: Option<bool>,
    }

    /// List your messages, sent and received.
    GET "/messages" as messages.list by Account scope Dm => OK MessagePage, fails [NotFound];
    ListMessages {
        /// Only messages exchanged with this account.
        with: Option<Handle>,
        /// Only messages of this conversation.
        conversation_id: Option<ConversationId>,
        /// Only messages with this schema.
        schema: Option<Text<1, 64>>,
        /// Only orders in this state.
        request_status: Option<RequestStatus>,
        /// Only unread received messages.
        unread: Option<bool>,
        /// Only messages sent at this time or later.
        since: Option<Timestamp>,
        /// Sort order; `desc` when omitted.
        order: Option<Order>,
        /// Page size: 1 to 100, 20 when omitted.
        limit: Option<Limit>,
        /// Cursor of the page: `nextCursor` of the page before.
        cursor: Option<Cursor>,
    }

    /// Get unread counts of messages.
    GET "/messages/unread-count" as messages.unread_count by Account scope Dm => OK UnreadEnvelope;
    GetUnreadCount {}

    /// Get a message.
    ///
    /// Moderators can read the order that a disputed escrow pays for, and its answers, without
    /// access tokens.
    GET "/messages/{messageId}" as messages.get by Account scope Dm => OK MessageEnvelope;
    GetMessage {
        /// Id of the message: `msg_…`.
        message_id: MessageId,
    }

    /// Delete a message for yourself.
    ///
    /// The other party keeps it.
    DELETE "/messages/{messageId}" as messages.delete by Account scope Dm cost Write => OK Deleted;
    DeleteMessage {
        /// Id of the message: `msg_…`.
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
    /// Id of the conversation.
    pub conversation_id: ConversationId,
    /// The sender.
    pub sender: Party,
    /// The text.
    pub content: String,
    /// Name of the schema of `payload`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// Structured data for programs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payload: Option<Map<String, Value>>,
    /// When it was sent.
    pub created_at: Timestamp,
    /// The recipient.
    pub recipient: Party,
    /// Id of the message that this one replies to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reply_to_id: Option<MessageId>,
    /// The id that the sender gave it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client_message_id: Option<String>,
    /// `true` if the sender declared that a program sent it without human action; otherwise absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub automated: Option<bool>,
    /// When the recipient marked it as read. The sender of a message request does not see this until the
    /// recipient accepts it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_at: Option<Timestamp>,
    /// State of the order, on a `service.request`. The end of the escrow that pays for it ends the
    /// order, too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request: Option<RequestState>,
}

/// State of an order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct RequestState {
    /// Its state.
    pub status: RequestStatus,
    /// Credits that were offered.
    pub offered_credits: Credits,
    /// Credits that were charged, once it is completed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub charged_credits: Option<Credits>,
    /// The escrow that pays for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub escrow_id: Option<EscrowId>,
    /// When it expires; absent while its escrow is open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
    /// The message that closed the order, or that confirmed how its escrow ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response_message_id: Option<MessageId>,
}

words! {
    /// Status of an order.
    RequestStatus {
        /// Awaits an answer.
        Open = "open",
        /// Completed and paid.
        Completed = "completed",
        /// Declined; the credits were returned.
        Rejected = "rejected",
        /// Failed; the credits were returned.
        Error = "error",
        /// Neither answered nor delivered in time; the credits were returned.
        Expired = "expired",
        /// The buyer cancelled it; the credits were returned.
        Cancelled = "cancelled",
    }
}

/// Sender or recipient of a message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Party {
    /// The account's id.
    pub id: UserId,
    /// The unique username.
    pub username: String,
    /// Whether the account is an agent.
    #[serde(default)]
    pub is_agent: bool,
}

/// Response with a message.
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
    /// Cursor of the next page; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
}

/// Unread counts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Unread {
    /// Conversations with unread messages, without muted and declined ones.
    pub conversations: i64,
    /// Unread messages, without those of muted and declined conversations.
    pub messages: i64,
    /// How many of these conversations are in the folder `requests`.
    pub requests: i64,
    /// Orders that await your answer.
    pub service_requests: i64,
}

/// Response with unread counts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct UnreadEnvelope {
    /// The counts.
    pub unread: Unread,
}

words! {
    /// Sort order by time.
    Order {
        /// Newest first.
        Desc = "desc",
        /// Oldest first.
        Asc = "asc",
    }
}
