//! What accounts are told in the app: notices, their counts, and what each account wants.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Deleted;
use super::posts::PostRef;
use super::users::UserRef;
use crate::endpoints;
use crate::id::{EscrowId, EventId, MessageId, NotificationId, PostId};
use crate::page::{Cursor, Limit, paged};
use crate::text::{CommaList, words};
use crate::time::Timestamp;

/// Most ids that are marked as read in one call.
pub const READ_IDS_MAX: usize = 100;

/// Up to which number unread notices are counted exactly.
pub const UNREAD_COUNT_MAX: u32 = 1000;

endpoints! {
    /// List one's own notices, newest first.
    GET "/notifications" by Account => OK NotificationPage;
    ListNotifications {
        /// Only notices of these types.
        types: Option<CommaList<NotificationType>>,
        /// No notices of these types.
        exclude_types: Option<CommaList<NotificationType>>,
        /// Only those that are not read.
        unread: Option<bool>,
        /// Items per page.
        limit: Option<Limit>,
        /// Where the page begins.
        cursor: Option<Cursor>,
    }

    /// Count what is not read.
    ///
    /// Counts are exact up to 1000.
    GET "/notifications/unread-count" by Account => OK UnreadNotifications;
    CountUnreadNotifications {
        /// Only notices of these types.
        types: Option<CommaList<NotificationType>>,
    }

    /// Read what one wants to be told.
    GET "/notifications/preferences" by Account => OK PreferencesEnvelope;
    GetPreferences {}

    /// Say what one wants to be told; what is left out stays.
    ///
    /// Escrows, orders, moderation and the system are told whatever `from` says.
    PUT "/notifications/preferences" by Account => OK PreferencesEnvelope;
    UpdatePreferences {
        /// What changes.
        preferences: PreferencesUpdate,
    }

    /// Mark notices as read: exactly one of `ids`, `upTo`, `postId` and `all`.
    ///
    /// Ids that are none of one's own notices are left out.
    POST "/notifications/read" by Account cost Free => OK NotificationsRead, fails [NotFound];
    ReadNotifications {
        /// These, 1 to 100.
        ids: Option<Vec<NotificationId>>,
        /// This one and all before it.
        up_to: Option<NotificationId>,
        /// All about this post.
        post_id: Option<PostId>,
        /// All there are.
        all: Option<bool>,
    }

    /// Read a notice.
    GET "/notifications/{notificationId}" by Account => OK NotificationEnvelope;
    GetNotification {
        /// The notice.
        notification_id: NotificationId,
    }

    /// Delete a notice.
    DELETE "/notifications/{notificationId}" by Account => OK Deleted;
    DeleteNotification {
        /// The notice.
        notification_id: NotificationId,
    }

    /// Mark a notice as read.
    POST "/notifications/{notificationId}/read" by Account cost Free => OK NotificationEnvelope;
    ReadNotification {
        /// The notice.
        notification_id: NotificationId,
    }
}

paged! {
    ListNotifications: notifications of Notification;
}

words! {
    /// What a notice is about.
    NotificationType {
        /// Somebody follows you.
        Follow = "follow",
        /// Somebody likes a post of yours.
        Like = "like",
        /// Somebody answers a post of yours.
        Reply = "reply",
        /// Somebody reposts a post of yours.
        Repost = "repost",
        /// A post names you.
        Mention = "mention",
        /// Somebody writes to you.
        DirectMessage = "direct_message",
        /// Somebody quotes a post of yours.
        Quote = "quote",
        /// An escrow of yours moved.
        Escrow = "escrow",
        /// An order of yours ended.
        ServiceRequest = "service_request",
        /// Moderators did something about what is yours.
        Moderation = "moderation",
        /// The operator or the server tells you something.
        System = "system",
    }
}

words! {
    /// From whom notices come.
    NotifyFrom {
        /// From everybody.
        Everyone = "everyone",
        /// Only from accounts one follows.
        Following = "following",
    }
}

/// Something an account is told.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Notification {
    /// The notice's id.
    pub id: NotificationId,
    /// The event it came from.
    pub event_id: EventId,
    /// What it is about.
    pub r#type: NotificationType,
    /// Who did it; absent for the system, and when the account is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actor: Option<UserRef>,
    /// The post it is about: your own, or the one that names you.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub post_id: Option<PostId>,
    /// The message it is about; on `service_request` the order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message_id: Option<MessageId>,
    /// The escrow it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub escrow_id: Option<EscrowId>,
    /// The post to show: the reply or quote itself, else the post it is about; absent when it is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub post: Option<PostRef>,
    /// What it says, on `escrow`, `service_request`, `moderation` and `system`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Equal for notices that may be shown as one.
    pub group_key: String,
    /// Whether it was read.
    pub read: bool,
    /// When it happened.
    pub created_at: Timestamp,
}

/// A notice in its wrapper.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct NotificationEnvelope {
    /// The notice.
    pub notification: Notification,
}

/// A page of notices.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct NotificationPage {
    /// The notices.
    pub notifications: Vec<Notification>,
    /// How many of the types asked for are not read; 1000 stands for more.
    pub unread_count: u32,
    /// Where the next page begins; absent at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
}

/// How many notices are not read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct UnreadNotifications {
    /// In all.
    pub unread_count: u32,
    /// By type; types with nothing unread are left out.
    pub by_type: BTreeMap<String, u32>,
    /// True when a count stands for more than 1000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capped: Option<bool>,
}

/// What was marked as read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct NotificationsRead {
    /// How many were not read before.
    pub marked: u64,
    /// How many are not read now; 1000 stands for more.
    pub unread_count: u32,
}

/// Ways in which a type is told.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Channels {
    /// As a notice in the app.
    pub in_app: bool,
    /// To webhooks that list the kind.
    pub webhook: bool,
    /// By MQTT.
    pub mqtt: bool,
}

/// What an account wants to be told.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Preferences {
    /// The ways, by type.
    pub types: BTreeMap<String, Channels>,
    /// From whom.
    pub from: NotifyFrom,
}

/// Preferences in their wrapper.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct PreferencesEnvelope {
    /// The preferences.
    pub preferences: Preferences,
}

/// A change of ways; those left out stay.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChannelsUpdate {
    /// As a notice in the app.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_app: Option<bool>,
    /// To webhooks that list the kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub webhook: Option<bool>,
    /// By MQTT.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mqtt: Option<bool>,
}

/// A change of preferences; what is left out stays.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PreferencesUpdate {
    /// The ways, by type; types left out stay.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub types: Option<BTreeMap<String, ChannelsUpdate>>,
    /// From whom.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<NotifyFrom>,
}
