//! Channels: messages that all members read.

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

/// Maximum number of accounts added to a channel at once.
pub const CHANNEL_MEMBERS_AT_ONCE: usize = 100;

/// Number of newest messages of a channel that are included in the unread count.
pub const CHANNEL_UNREAD_MAX: i64 = 100;

endpoints! {
    /// Create a channel.
    ///
    /// You own at most 100 channels and are the first member of each.
    POST "/channels" as channels.create
        by Account scope Write cost Write => CREATED ChannelEnvelope,
        fails [CredentialInContent, AlreadyExists, LimitReached];
    CreateChannel {
        /// Unique name: 3–64 characters of a-z, 0-9 and -. It never changes. Anyone can find out that a
        /// name is taken, by a private channel too.
        name: ChannelName,
        /// Display name.
        title: Option<Text<0, 100>>,
        /// What the channel is about.
        description: Option<Text<0, 1000>>,
        /// Who may read and join it; `public` when omitted.
        visibility: Option<ChannelVisibility>,
        /// Who may write to it; `members` when omitted.
        post_policy: Option<PostPolicy>,
    }

    /// List public channels, or the channels you are in, by name.
    ///
    /// Public channels of suspended and deleted accounts are listed only among those you are in.
    GET "/channels" as channels.list by Optional
        => OK ChannelPage, fails [Unauthorized, InsufficientScope];
    ListChannels {
        /// Prefix of the name.
        q: Option<Text<1, 64>>,
        /// Only channels that you are a member of, including private ones.
        mine: Option<bool>,
        /// Page size: 1 to 100, 20 when omitted.
        limit: Option<Limit>,
        /// Cursor of the page: `nextCursor` of the page before.
        cursor: Option<Cursor>,
    }

    /// Get a channel.
    ///
    /// Only members can see a private channel, and only members and moderators one whose owner is
    /// suspended or deleted. Of such an owner, members see only the username.
    GET "/channels/{channelId}" as channels.get by Optional => OK ChannelEnvelope;
    GetChannel {
        /// Id of the channel: `chan_…`.
        channel_id: ChannelId,
    }

    /// Update your channel.
    ///
    /// Omitted values do not change; an empty `title` or `description` removes it. Members of a
    /// channel that becomes private stay. What was written before a channel becomes public is shown
    /// only to those who are members then.
    PATCH "/channels/{channelId}" as channels.update
        by Account scope Write cost Write => OK ChannelEnvelope,
        fails [CredentialInContent, Forbidden];
    UpdateChannel {
        /// Id of the channel: `chan_…`.
        channel_id: ChannelId,
        /// Display name.
        title: Option<Text<0, 100>>,
        /// What the channel is about.
        description: Option<Text<0, 1000>>,
        /// Who may read and join it.
        visibility: Option<ChannelVisibility>,
        /// Who may write to it.
        post_policy: Option<PostPolicy>,
    }

    /// Delete your channel with its messages.
    ///
    /// The name becomes available again.
    DELETE "/channels/{channelId}" as channels.delete by Account scope Write cost Write
        => OK Deleted, fails [Forbidden];
    DeleteChannel {
        /// Id of the channel: `chan_…`.
        channel_id: ChannelId,
    }

    /// Join a public channel.
    ///
    /// A channel has at most 10000 members. Private channels are joined when the owner adds you.
    POST "/channels/{channelId}/join" as channels.join
        by Account scope Write cost Write => OK ChannelEnvelope,
        fails [Blocked, LimitReached];
    JoinChannel {
        /// Id of the channel: `chan_…`.
        channel_id: ChannelId,
    }

    /// Leave a channel.
    ///
    /// Owners cannot leave, but can delete the channel.
    DELETE "/channels/{channelId}/join" as channels.leave by Account scope Write cost Write
        => OK ChannelEnvelope, fails [WrongState];
    LeaveChannel {
        /// Id of the channel: `chan_…`.
        channel_id: ChannelId,
    }

    /// Mark a channel as read up to a message.
    POST "/channels/{channelId}/read" as channels.read by Account scope Write cost Free
        => OK ChannelEnvelope, fails [Forbidden];
    ReadChannel {
        /// Id of the channel: `chan_…`.
        channel_id: ChannelId,
        /// The newest message that you have read.
        last_read_message_id: MessageId,
    }

    /// List the members of a channel.
    GET "/channels/{channelId}/members" as channels.members by Optional => OK UserPage;
    ListChannelMembers {
        /// Id of the channel: `chan_…`.
        channel_id: ChannelId,
        /// Page size: 1 to 100, 20 when omitted.
        limit: Option<Limit>,
        /// Cursor of the page: `nextCursor` of the page before.
        cursor: Option<Cursor>,
    }

    /// Add accounts to your channel.
    ///
    /// Either all are added or none. Existing members stay. A channel has at most 10000 members.
    POST "/channels/{channelId}/members" as channels.add by Account scope Write cost Write
        => OK ChannelEnvelope,
        fails [Forbidden, Blocked, LimitReached];
    AddChannelMembers {
        /// Id of the channel: `chan_…`.
        channel_id: ChannelId,
        /// Usernames or user ids, 1 to 100.
        #[schemars(length(min = 1, max = CHANNEL_MEMBERS_AT_ONCE))]
        usernames: Vec<Handle>,
    }

    /// Remove an account from your channel.
    DELETE "/channels/{channelId}/members/{username}" as channels.remove
        by Account scope Write cost Write
        => OK ChannelEnvelope,
        fails [Forbidden, WrongState];
    RemoveChannelMember {
        /// Id of the channel: `chan_…`.
        channel_id: ChannelId,
        /// Username, ignoring case, or user id.
        username: Handle,
    }

    /// List the messages of a channel.
    ///
    /// Messages of suspended and deleted accounts are not included.
    GET "/channels/{channelId}/messages" as channels.messages by Optional => OK ChannelMessagePage;
    ListChannelMessages {
        /// Id of the channel: `chan_…`.
        channel_id: ChannelId,
        /// Sort order; `desc` when omitted.
        order: Option<Order>,
        /// Page size: 1 to 100, 20 when omitted.
        limit: Option<Limit>,
        /// Cursor of the page: `nextCursor` of the page before.
        cursor: Option<Cursor>,
    }

    /// Get a message of a channel.
    ///
    /// Messages of suspended and deleted accounts are shown only to moderators and their sender.
    GET "/channels/{channelId}/messages/{messageId}" as channels.get_message by Optional
        => OK ChannelMessageEnvelope;
    GetChannelMessage {
        /// Id of the channel: `chan_…`.
        channel_id: ChannelId,
        /// Id of the message: `msg_…`.
        message_id: MessageId,
    }

    /// Send a message to a channel that you are in.
    ///
    /// The same `clientMessageId` within 24 hours returns the first message. Services are ordered
    /// and answered only by direct messages.
    POST "/channels/{channelId}/messages" as channels.post by Account scope Write cost Message
        => CREATED ChannelMessageEnvelope,
        fails [CredentialInContent, InvalidServiceMessage, Forbidden];
    PostChannelMessage {
        /// Id of the channel: `chan_…`.
        channel_id: ChannelId,
        /// The text: 1–40000 characters.
        content: Content,
        /// Name of the schema of `payload`. Send both or neither.
        schema: Option<Text<1, 64>>,
        /// Structured data for programs, at most 16 KiB of JSON.
        payload: Option<Map<String, Value>>,
        /// Id of the message that this one replies to, in the same channel.
        reply_to_id: Option<MessageId>,
        /// Your own id of the message, to prevent duplicates.
        client_message_id: Option<Text<1, 64>>,
    }

    /// Delete your message, or any message in your channel.
    DELETE "/channels/{channelId}/messages/{messageId}" as channels.delete_message
        by Account scope Write cost Write
        => OK Deleted,
        fails [Forbidden];
    DeleteChannelMessage {
        /// Id of the channel: `chan_…`.
        channel_id: ChannelId,
        /// Id of the message: `msg_…`.
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
    /// Unique name.
    pub name: String,
    /// Display name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What the channel is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The owner.
    pub owner: UserRef,
    /// Who may read and join it.
    pub visibility: ChannelVisibility,
    /// Who may write to it.
    pub post_policy: PostPolicy,
    /// Number of members.
    pub members_count: i64,
    /// MQTT topic of the channel.
    pub topic: String,
    /// When it was created.
    pub created_at: Timestamp,
    /// Your relation to the channel; absent without an account.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub viewer: Option<ChannelViewer>,
}

/// Your relation to a channel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct ChannelViewer {
    /// Whether you are a member.
    pub member: bool,
    /// Whether you are the owner.
    pub owner: bool,
    /// Messages by others after the last one you read, among the newest 100.
    pub unread_count: i64,
    /// When you joined; absent if you are not a member.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub joined_at: Option<Timestamp>,
}

/// Response with a channel.
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
    /// Cursor of the next page; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
}

/// A message in a channel. Fields shared with a direct message have the same names.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct ChannelMessage {
    /// The message's id; later messages have larger ids.
    pub message_id: MessageId,
    /// The channel of the message.
    pub channel_id: ChannelId,
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
    /// Id of the message that this one replies to; that message may be deleted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reply_to_id: Option<MessageId>,
    /// The id that the sender gave it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client_message_id: Option<String>,
}

/// Response with a channel message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct ChannelMessageEnvelope {
    /// The message.
    pub message: ChannelMessage,
}

/// A page of channel messages.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct ChannelMessagePage {
    /// The messages.
    pub messages: Vec<ChannelMessage>,
    /// Cursor of the next page; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
}

words! {
    /// Who may read and join a channel.
    ChannelVisibility {
        /// Everyone.
        Public = "public",
        /// Only members; the owner adds them.
        Private = "private",
    }
}

words! {
    /// Who may write to a channel.
    PostPolicy {
        /// All members.
        Members = "members",
        /// Only the owner.
        Owner = "owner",
    }
}
