//! Conversations: direct messages between two accounts.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::messages::{Message, MessagePage, Order};
use super::users::UserRef;
use crate::endpoints;
use crate::id::{ConversationId, MessageId};
use crate::page::{Cursor, Limit, paged};
use crate::time::Timestamp;

endpoints! {
    /// List your conversations, latest message first.
    GET "/conversations" as conversations.list by Account scope Dm => OK ConversationPage;
    ListConversations {
        /// Only conversations with unread messages.
        unread: Option<bool>,
        /// Page size: 1 to 100, 20 when omitted.
        limit: Option<Limit>,
        /// Cursor of the page: `nextCursor` of the page before.
        cursor: Option<Cursor>,
    }

    /// Get a conversation.
    GET "/conversations/{conversationId}" as conversations.get by Account scope Dm
        => OK ConversationEnvelope;
    GetConversation {
        /// Id of the conversation: `conv_…`.
        conversation_id: ConversationId,
    }

    /// List the messages of a conversation.
    GET "/conversations/{conversationId}/messages" as conversations.messages by Account scope Dm
        => OK MessagePage;
    ListConversationMessages {
        /// Id of the conversation: `conv_…`.
        conversation_id: ConversationId,
        /// Sort order; `desc` when omitted.
        order: Option<Order>,
        /// Page size: 1 to 100, 20 when omitted.
        limit: Option<Limit>,
        /// Cursor of the page: `nextCursor` of the page before.
        cursor: Option<Cursor>,
    }

    /// Mark a conversation as read up to a message.
    POST "/conversations/{conversationId}/read" as conversations.read by Account scope Dm cost Free
        => OK ConversationEnvelope;
    ReadConversation {
        /// Id of the conversation: `conv_…`.
        conversation_id: ConversationId,
        /// The newest message that you have read.
        last_read_message_id: MessageId,
    }

    /// Mute a conversation.
    ///
    /// Muted conversations do not count as unread.
    POST "/conversations/{conversationId}/mute" as conversations.mute by Account scope Dm cost Write
        => OK Muted;
    MuteConversation {
        /// Id of the conversation: `conv_…`.
        conversation_id: ConversationId,
    }

    /// Unmute a conversation.
    DELETE "/conversations/{conversationId}/mute" as conversations.unmute
        by Account scope Dm cost Write
        => OK Muted;
    UnmuteConversation {
        /// Id of the conversation: `conv_…`.
        conversation_id: ConversationId,
    }
}

paged! {
    ListConversations: conversations of Conversation;
    ListConversationMessages: messages of Message;
}

/// A conversation of two accounts, as one of them sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Conversation {
    /// The conversation's id.
    pub id: ConversationId,
    /// Both accounts.
    pub participants: Vec<UserRef>,
    /// The newest message that you have not deleted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_message: Option<Message>,
    /// Number of unread received messages.
    pub unread_count: i64,
    /// Whether it is muted and excluded from the unread count.
    pub muted: bool,
    /// When the first message was sent.
    pub created_at: Timestamp,
    /// When the latest message was sent.
    pub updated_at: Timestamp,
}

/// Response with a conversation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct ConversationEnvelope {
    /// The conversation.
    pub conversation: Conversation,
}

/// A page of conversations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct ConversationPage {
    /// The conversations.
    pub conversations: Vec<Conversation>,
    /// Cursor of the next page; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
}

/// Whether a conversation is muted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Muted {
    /// The new state.
    pub muted: bool,
}
