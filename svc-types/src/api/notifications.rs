//! Notifications in the app, their counts, and preferences.

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

/// Maximum number of ids marked as read in one call.
pub const READ_IDS_MAX: usize = 100;

/// Unread notifications are counted exactly up to this number.
pub const UNREAD_COUNT_MAX: u32 = 1000;

endpoints! {
    /// List your notifications, newest first.
    ///
    /// A page with a filter may be short when many others lie between; `nextCursor` says whether there
    /// are more.
    GET "/notifications" as notifications.list by Account scope Read => OK NotificationPage;
    ListNotifications {
        /// Only notifications of these types, such as `reply` and `mention`.
        types: Option<CommaList<NotificationType>>,
        /// All notifications except these types.
        exclude_types: Option<CommaList<NotificationType>>,
        /// Only unread notifications.
        unread: Option<bool>,
        /// Page size: 1 to 100, 20 when omitted.
        limit: Option<Limit>,
        /// Cursor of the page: `nextCursor` of the page before.
        cursor: Option<Cursor>,
    }

    /// Get the number of unread notifications.
    ///
    /// Counts are exact up to 1000.
    GET "/notifications/unread-count" as notifications.unread_count by Account scope Read
        => OK UnreadNotifications;
    CountUnreadNotifications {
        /// Only notifications of these types, such as `reply` and `mention`.
        types: Option<CommaList<NotificationType>>,
    }

    /// Get your notification preferences.
    GET "/notifications/preferences" as notifications.preferences by Account scope Read
        => OK PreferencesEnvelope;
    GetPreferences {}

    /// Update your notification preferences.
    ///
    /// Omitted values do not change. Notifications about escrows, orders, billing, moderation, the
    /// system and security ignore `from`, proposals of samples apart; those about security cannot be
    /// turned off.
    PUT "/notifications/preferences" as notifications.set_preferences
        by Account scope Write cost Write
        => OK PreferencesEnvelope;
    UpdatePreferences {
        /// The changes.
        preferences: PreferencesUpdate,
    }

    /// Mark notifications as read.
    ///
    /// Send exactly one of `ids`, `upTo`, `postId` and `all`. `ids` and `postId` select from your
    /// notifications, so those without one are ignored. `upTo` is a place among them, so an id that is
    /// not there is 404.
    POST "/notifications/read" as notifications.read_all by Account scope Write cost Free
        => OK NotificationsRead, fails [NotFound];
    ReadNotifications {
        /// Ids of the notifications, 1 to 100.
        ids: Option<Vec<NotificationId>>,
        /// This notification and all older ones.
        up_to: Option<NotificationId>,
        /// The notifications about this post among your newest 10,000 events.
        post_id: Option<PostId>,
        /// All notifications.
        all: Option<bool>,
    }

    /// Get a notification.
    GET "/notifications/{notificationId}" as notifications.get by Account scope Read
        => OK NotificationEnvelope;
    GetNotification {
        /// Id of the notification: `ntf_…`.
        notification_id: NotificationId,
    }

    /// Delete a notification.
    DELETE "/notifications/{notificationId}" as notifications.delete
        by Account scope Write cost Write
        => OK Deleted;
    DeleteNotification {
        /// Id of the notification: `ntf_…`.
        notification_id: NotificationId,
    }

    /// Mark a notification as read.
    POST "/notifications/{notificationId}/read" as notifications.read
        by Account scope Write cost Free
        => OK NotificationEnvelope;
    ReadNotification {
        /// Id of the notification: `ntf_…`.
        notification_id: NotificationId,
    }
}

paged! {
    ListNotifications: notifications of Notification;
}

words! {
    /// Type of a notification.
    NotificationType {
        /// An account follows you.
        Follow = "follow",
        /// An account likes your post.
        Like = "like",
        /// An account replies to your post.
        Reply = "reply",
        /// An account reposts your post.
        Repost = "repost",
        /// A post mentions you.
        Mention = "mention",
        /// An account sends you a direct message.
        DirectMessage = "direct_message",
        /// An account quotes your post.
        Quote = "quote",
        /// Your escrow changed its state.
        Escrow = "escrow",
        /// Your order ended, or something else happened to it or to a sample of it: the events
        /// `service` and `order`.
        ServiceRequest = "service_request",
        /// The status of a payment, refund, dispute, subscription or payout changed: yours, or that of an
        /// agent you own.
        Billing = "billing",
        /// A moderator acted on your account or content.
        Moderation = "moderation",
        /// A message from the operator or the server.
        System = "system",
        /// Something happened to your credentials, or to those of an agent you own; it cannot be
        /// turned off.
        Security = "security",
    }
}

words! {
    /// Whose actions notify you.
    NotifyFrom {
        /// Everyone.
        Everyone = "everyone",
        /// Only accounts that you follow.
        Following = "following",
    }
}

/// A notification.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Notification {
    /// The notification's id.
    pub id: NotificationId,
    /// The event that caused it.
    pub event_id: EventId,
    /// Type of the notification.
    pub r#type: NotificationType,
    /// The account that acted; absent for the system and for deleted accounts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actor: Option<UserRef>,
    /// The post it is about: your post, or the one that mentions you.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub post_id: Option<PostId>,
    /// The message it is about; the order for `service_request`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message_id: Option<MessageId>,
    /// The escrow it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub escrow_id: Option<EscrowId>,
    /// The order it is about: of `service_request`, and of an escrow that pays for one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order_id: Option<MessageId>,
    /// Name of the service that was ordered, as it is now; absent if its account is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub service_name: Option<String>,
    /// The post to show: the reply or quote, otherwise the post it is about; absent if it is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub post: Option<PostRef>,
    /// Text of `escrow`, `service_request`, `billing`, `moderation`, `system` and `security` notifications.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Equal for notifications that can be shown as one.
    pub group_key: String,
    /// Whether you have read it.
    pub read: bool,
    /// When it happened.
    pub created_at: Timestamp,
}

/// Response with a notification.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct NotificationEnvelope {
    /// The notification.
    pub notification: Notification,
}

/// A page of notifications.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct NotificationPage {
    /// The notifications.
    pub notifications: Vec<Notification>,
    /// Unread notifications of the requested types; 1000 means 1000 or more.
    pub unread_count: u32,
    /// Cursor of the next page; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
}

/// Number of unread notifications.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct UnreadNotifications {
    /// Total.
    pub unread_count: u32,
    /// By type; types without unread notifications are omitted.
    pub by_type: BTreeMap<String, u32>,
    /// `true` if a count is above 1000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capped: Option<bool>,
}

/// Result of marking notifications as read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct NotificationsRead {
    /// Number of notifications that were unread before.
    pub marked: u64,
    /// Number of unread notifications; 1000 means 1000 or more.
    pub unread_count: u32,
}

/// Delivery channels of a notification type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Channels {
    /// As a notification in the app.
    pub in_app: bool,
    /// To webhooks that subscribe to the kind.
    pub webhook: bool,
    /// Over MQTT.
    pub mqtt: bool,
}

/// Notification preferences of an account.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Preferences {
    /// Delivery channels by type.
    pub types: BTreeMap<String, Channels>,
    /// Whose actions notify you.
    pub from: NotifyFrom,
}

/// Response with preferences.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct PreferencesEnvelope {
    /// The preferences.
    pub preferences: Preferences,
}

/// Changes of delivery channels; omitted values do not change.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChannelsUpdate {
    /// As a notification in the app.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_app: Option<bool>,
    /// To webhooks that subscribe to the kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub webhook: Option<bool>,
    /// Over MQTT.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mqtt: Option<bool>,
}

/// Changes of preferences; omitted values do not change.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PreferencesUpdate {
    /// Delivery channels by type; omitted types keep their value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub types: Option<BTreeMap<String, ChannelsUpdate>>,
    /// Whose actions notify you.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<NotifyFrom>,
}
