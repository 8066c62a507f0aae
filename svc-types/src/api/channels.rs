//! Channels: rooms that accounts join and write in.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Deleted;
use super::messages::{Order, Party};
use super::posts::Content;
use super::users::{User, UserPage, UserRef};
use crate::endpoints;
use crate::id::{ChannelId, MessageId};
use crate::page::{Cursor, Limit, paged};
use crate::text::{ChannelName, Text, words};
use crate::time::Timestamp;
use crate::username::Handle;

/// Most accounts added to a channel at once.
pub const CHANNEL_MEMBERS_AT_ONCE: usize = 100;

/// The newest messages of a channel among which unread ones are counted.
pub const CHANNEL_UNREAD_MAX: i64 = 100;

endpoints! {
    /// Make a channel; at most 100. Its owner is its first member.
    POST "/channels" by Account => CREATED ChannelEnvelope,
        fails [CredentialInContent, AlreadyExists, LimitReached];
    CreateChannel {
        /// What it is called: 3 to 64 of a-z, 0-9 and -, unique. It never changes.
        name: ChannelName,
        /// The same for people.
        title: Option<Text<0, 100>>,
        /// What it is about.
        description: Option<Text<0, 1000>>,
        /// Who may read and join it; `public` when left out.
        visibility: Option<ChannelVisibility>,
        /// Who may write in it; `members` when left out.
        post_policy: Option<PostPolicy>,
    }

    /// List public channels, or those one is in, by name.
    GET "/channels" by Optional => OK ChannelPage, fails [Unauthorized];
    ListChannels {
        /// What the name begins with.
        q: Option<Text<1, 64>>,
        /// Only those one is in, private ones too.
        mine: Option<bool>,
        /// Items per page.
        limit: Option<Limit>,
        /// Where the page begins.
        cursor: Option<Cursor>,
    }

    /// Read a channel. A private one is known to its members alone.
    GET "/channels/{channelId}" by Optional => OK ChannelEnvelope;
    GetChannel {
        /// The channel.
        channel_id: ChannelId,
    }

    /// Change one's own channel.
    ///
    /// Members that are left out stay as they are; an empty `title` or `description` removes it.
    /// Who is in a channel that turns private stays in it.
    PATCH "/channels/{channelId}" by Account => OK ChannelEnvelope,
        fails [CredentialInContent, Forbidden];
    UpdateChannel {
        /// The channel.
        channel_id: ChannelId,
        /// Its name for people.
        title: Option<Text<0, 100>>,
        /// What it is about.
        description: Option<Text<0, 1000>>,
        /// Who may read and join it.
        visibility: Option<ChannelVisibility>,
        /// Who may write in it.
        post_policy: Option<PostPolicy>,
    }

    /// Delete one's own channel with its messages. Its name is free again.
    DELETE "/channels/{channelId}" by Account => OK Deleted, fails [Forbidden];
    DeleteChannel {
        /// The channel.
        channel_id: ChannelId,
    }

    /// Join a public channel. It has at most 10000 members.
    ///
    /// To enter a private one, be added by its owner.
    POST "/channels/{channelId}/join" by Account => OK ChannelEnvelope,
        fails [Blocked, LimitReached];
    JoinChannel {
        /// The channel.
        channel_id: ChannelId,
    }

    /// Leave a channel. Its owner can't; it can be deleted.
    DELETE "/channels/{channelId}/join" by Account => OK ChannelEnvelope, fails [WrongState];
    LeaveChannel {
        /// The channel.
        channel_id: ChannelId,
    }

    /// Mark a channel read up to a message.
    POST "/channels/{channelId}/read" by Account cost Free => OK ChannelEnvelope, fails [Forbidden];
    ReadChannel {
        /// The channel.
        channel_id: ChannelId,
        /// The newest message that was read.
        last_read_message_id: MessageId,
    }

    /// List the members of a channel.
    GET "/channels/{channelId}/members" by Optional => OK UserPage;
    ListChannelMembers {
        /// The channel.
        channel_id: ChannelId,
        /// Items per page.
        limit: Option<Limit>,
        /// Where the page begins.
        cursor: Option<Cursor>,
    }

    /// Add accounts to one's own channel, all of them or none.
    ///
    /// Those who are in it stay. A channel has at most 10000 members.
    POST "/channels/{channelId}/members" by Account => OK ChannelEnvelope,
        fails [Forbidden, Blocked, LimitReached];
    AddChannelMembers {
        /// The channel.
        channel_id: ChannelId,
        /// Usernames or user ids, 1 to 100.
        #[schemars(length(min = 1, max = CHANNEL_MEMBERS_AT_ONCE))]
        usernames: Vec<Handle>,
    }

    /// Take an account out of one's own channel.
    DELETE "/channels/{channelId}/members/{username}" by Account => OK ChannelEnvelope,
        fails [Forbidden, WrongState];
    RemoveChannelMember {
        /// The channel.
        channel_id: ChannelId,
        /// Username, ignoring case, or user id.
        username: Handle,
    }

    /// List the messages of a channel. Those of suspended and deleted accounts are left out.
    GET "/channels/{channelId}/messages" by Optional => OK ChannelMessagePage;
    ListChannelMessages {
        /// The channel.
        channel_id: ChannelId,
        /// Order of the list; `desc` when left out.
        order: Option<Order>,
        /// Items per page.
        limit: Option<Limit>,
        /// Where the page begins.
        cursor: Option<Cursor>,
    }

    /// Write in a channel one is in.
    ///
    /// The same `clientMessageId` within 24 hours answers the first message again. Services are
    /// ordered and answered by direct messages alone.
    POST "/channels/{channelId}/messages" by Account cost Message => CREATED ChannelMessageEnvelope,
        fails [CredentialInContent, InvalidServiceMessage, Forbidden];
    PostChannelMessage {
        /// The channel.
        channel_id: ChannelId,
        /// The text.
        content: Content,
        /// Name of the form of `payload`; both or neither.
        schema: Option<Text<1, 64>>,
        /// Typed data for programs, at most 16 KiB of JSON.
        payload: Option<Map<String, Value>>,
        /// The message this one answers, of the same channel.
        reply_to_id: Option<MessageId>,
        /// An id of the sender's own, against sending twice.
        client_message_id: Option<Text<1, 64>>,
    }

    /// Delete one's own message, or one in one's own channel.
    DELETE "/channels/{channelId}/messages/{messageId}" by Account => OK Deleted,
        fails [Forbidden];
    DeleteChannelMessage {
        /// The channel.
        channel_id: ChannelId,
        /// The message.
        message_id: MessageId,
    }
}

paged! {
    ListChannels: channels of Channel;
    ListChannelMembers: users of User;
    ListChannelMessages: messages of ChannelMessage;
}

/// A channel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Channel {
    /// The channel's id.
    pub id: ChannelId,
    /// What it is called.
    pub name: String,
    /// The same for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Whose it is.
    pub owner: UserRef,
    /// Who may read and join it.
    pub visibility: ChannelVisibility,
    /// Who may write in it.
    pub post_policy: PostPolicy,
    /// How many accounts are in it.
    pub members_count: i64,
    /// Its MQTT topic.
    pub topic: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// What the reader is to it; absent without an account.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub viewer: Option<ChannelViewer>,
}

/// What a reader is to a channel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct ChannelViewer {
    /// Whether one is in it.
    pub member: bool,
    /// Whether it is one's own.
    pub owner: bool,
    /// Messages of others behind the last one that was read, among the newest 100.
    pub unread_count: i64,
}

/// A channel in its wrapper.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct ChannelEnvelope {
    /// The channel.
    pub channel: Channel,
}

/// A page of channels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct ChannelPage {
    /// The channels.
    pub channels: Vec<Channel>,
    /// Where the next page begins; absent at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
}

/// A message of a channel; what it shares with a direct message has the same name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct ChannelMessage {
    /// The message's id; later messages have larger ids.
    pub message_id: MessageId,
    /// The channel it belongs to.
    pub channel_id: ChannelId,
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
    /// The message this one answers, which may be gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reply_to_id: Option<MessageId>,
    /// The sender's own id, as sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client_message_id: Option<String>,
}

/// A message of a channel in its wrapper.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct ChannelMessageEnvelope {
    /// The message.
    pub message: ChannelMessage,
}

/// A page of messages of a channel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct ChannelMessagePage {
    /// The messages.
    pub messages: Vec<ChannelMessage>,
    /// Where the next page begins; absent at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
}

words! {
    /// Who may read and join a channel.
    ChannelVisibility {
        /// Everybody.
        Public = "public",
        /// Its members read it; its owner adds them.
        Private = "private",
    }
}

words! {
    /// Who may write in a channel.
    PostPolicy {
        /// Its members.
        Members = "members",
        /// Its owner.
        Owner = "owner",
    }
}
