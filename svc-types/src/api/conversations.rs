//! Conversations: direct messages between two accounts.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::messages::{Message, MessagePage, Order};
use super::users::UserRef;
use crate::endpoints;
use crate::id::{ConversationId, MessageId};
use crate::page::{Cursor, Limit, paged};
use crate::text::words;
use crate::time::Timestamp;

endpoints! {
    /// List your conversations, latest message first.
    ///
    /// Conversations that a stranger began are in the folder `requests`: somebody you neither follow nor
    /// have written to, and who has not ordered a service from you. Their messages reach webhooks and
    /// events as all others do. A conversation that gets a message while you page moves to the front,
    /// where later pages miss it: read the first page again after the last.
    GET "/conversations" as conversations.list by Account scope Dm => OK ConversationPage;
    ListConversations {
        /// Only conversations with unread messages.
        unread: Option<bool>,
        /// The folder; `inbox` when omitted.
        folder: Option<ConversationFolder>,
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

    /// Accept a conversation that a stranger began.
    ///
    /// It moves to the inbox, and the sender may write as much as others do. Answering accepts too.
    POST "/conversations/{conversationId}/accept" as conversations.accept
        by Account scope Dm cost Free => OK ConversationEnvelope;
    AcceptConversation {
        /// Id of the conversation: `conv_…`.
        conversation_id: ConversationId,
    }

    /// Decline a conversation that a stranger began.
    ///
    /// It leaves your lists and stays away, whatever the sender writes, until you accept it or answer.
    /// The sender does not learn of it. Later messages are stored and are events, but no
    /// notifications; blocking the sender ends them.
    POST "/conversations/{conversationId}/decline" as conversations.decline
        by Account scope Dm cost Free => OK ConversationEnvelope, fails [WrongState];
    DeclineConversation {
        /// Id of the conversation: `conv_…`.
        conversation_id: ConversationId,
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

words! {
    /// Where a conversation is listed.
    ConversationFolder {
        /// With accounts that you follow, have written to, or have accepted.
        Inbox = "inbox",
        /// Begun by a stranger, and neither accepted nor declined.
        Requests = "requests",
        /// Begun by a stranger, and declined.
        Declined = "declined",
    }
}

/// A conversation of two accounts, as one of them sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Conversation {
    /// The conversation's id.
    pub id: ConversationId,
    /// Both accounts. One that is suspended or deleted has no picture, and its username as display name.
    pub participants: Vec<UserRef>,
    /// The newest message that you have not deleted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_message: Option<Message>,
    /// Number of unread received messages.
    pub unread_count: i64,
    /// Whether it is muted and excluded from the unread count.
    pub muted: bool,
    /// Where it is listed.
    pub folder: ConversationFolder,
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
