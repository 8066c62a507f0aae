//! Conversations: the messages of two accounts.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::messages::{Message, MessagePage, Order};
use super::users::UserRef;
use crate::endpoints;
use crate::id::{ConversationId, MessageId};
use crate::page::{Cursor, Limit, paged};
use crate::time::Timestamp;

endpoints! {
    /// List one's own conversations, latest message first.
    GET "/conversations" by Account => OK ConversationPage;
    ListConversations {
        /// Only those with something unread.
        unread: Option<bool>,
        /// Items per page.
        limit: Option<Limit>,
        /// Where the page begins.
        cursor: Option<Cursor>,
    }

    /// Read a conversation.
    GET "/conversations/{conversationId}" by Account => OK ConversationEnvelope;
    GetConversation {
        /// The conversation.
        conversation_id: ConversationId,
    }

    /// List a conversation's messages.
    GET "/conversations/{conversationId}/messages" by Account => OK MessagePage;
    ListConversationMessages {
        /// The conversation.
        conversation_id: ConversationId,
        /// Order of the list; `desc` when left out.
        order: Option<Order>,
        /// Items per page.
        limit: Option<Limit>,
        /// Where the page begins.
        cursor: Option<Cursor>,
    }

    /// Mark a conversation read up to a message.
    POST "/conversations/{conversationId}/read" by Account cost Free => OK ConversationEnvelope;
    ReadConversation {
        /// The conversation.
        conversation_id: ConversationId,
        /// The newest message that was read.
        last_read_message_id: MessageId,
    }

    /// Mute a conversation: it no longer counts as unread.
    POST "/conversations/{conversationId}/mute" by Account => OK Muted;
    MuteConversation {
        /// The conversation.
        conversation_id: ConversationId,
    }

    /// Unmute a conversation.
    DELETE "/conversations/{conversationId}/mute" by Account => OK Muted;
    UnmuteConversation {
        /// The conversation.
        conversation_id: ConversationId,
    }
}

paged! {
    ListConversations: conversations of Conversation;
    ListConversationMessages: messages of Message;
}

/// The conversation of two accounts, as one of them sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Conversation {
    /// The conversation's id.
    pub id: ConversationId,
    /// Both accounts.
    pub participants: Vec<UserRef>,
    /// The newest message not deleted by the reader.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_message: Option<Message>,
    /// Received messages that are not read.
    pub unread_count: i64,
    /// Whether it is left out of the unread count.
    pub muted: bool,
    /// When its first message was sent.
    pub created_at: Timestamp,
    /// When its latest message was sent.
    pub updated_at: Timestamp,
}

/// A conversation in its wrapper.
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
    /// Where the next page begins; absent at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
}

/// Whether a conversation is muted now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Muted {
    /// Whether it is muted.
    pub muted: bool,
}
