//! How the values of svc-types are kept in columns.

use svc_types::api::billing::PaymentStatus;
use svc_types::api::channels::{ChannelVisibility, PostPolicy};
use svc_types::api::conversations::ConversationFolder;
use svc_types::api::credits::TransferKind;
use svc_types::api::escrow::{CloseReason, EscrowAction, EscrowStatus};
use svc_types::api::export::{ExportFailure, ExportState};
use svc_types::api::feed::Window;
use svc_types::api::leaderboard::Metric;
use svc_types::api::links::LinkProvider;
use svc_types::api::lists::{ListVisibility, RepliesPolicy};
use svc_types::api::messages::RequestStatus;
use svc_types::api::moderation::ModerationActionType;
use svc_types::api::notifications::{NotificationType, NotifyFrom};
use svc_types::api::orders::{OrderRole, OrderStatus, ProgressState, SampleState};
use svc_types::api::payouts::PayoutStatus;
use svc_types::api::pending::PendingKind;
use svc_types::api::posts::{PostFormat, ReplyPolicy};
use svc_types::api::reports::{ReportReason, ReportStatus, SubjectType};
use svc_types::api::scheduled::ScheduledStatus;
use svc_types::api::security::SecurityAction;
use svc_types::api::services::{Acceptance, ServiceCategory};
use svc_types::api::users::{AccountStatus, DmPolicy, Role, Tier};
use svc_types::api::webhooks::{
    DeliveryErrorClass, DeliveryOutcome, DeliveryState, DeliveryTrigger, DisabledReason,
    RecoveryStatus, SecretRole, WebhookKind, WebhookStatus,
};
use svc_types::credits::Amount;
use svc_types::{
    ActionId, AppId, ChannelId, ChannelName, ConversationId, DeliveryId, EscrowId, EventId,
    GrantId, Handle, InviteId, ListId, MediaId, MessageId, NotificationId, PasskeyId, PaymentId,
    PayoutId, PendingChangeId, PlanId, PostId, RecoveryId, ReportId, RepostId, ReviewId,
    ScheduledPostId, SecurityEntryId, ServiceId, SessionId, Text, TransferId, UserId, Username,
    WebhookId, WebhookSecretId,
};
use svc_types::{PassId, SubscriptionId, api::tiers::SubscriptionStatus};

use super::value::{Bind, Column, Value};
use crate::text_column;

text_column!(
    UserId,
    PostId,
    MediaId,
    RepostId,
    MessageId,
    ConversationId,
    AppId,
    Username,
    Tier,
    Role,
    AccountStatus,
    DmPolicy,
    PostFormat,
    ReplyPolicy,
    EscrowId,
    PaymentId,
    PaymentStatus,
    PassId,
    SubscriptionId,
    SubscriptionStatus,
    PayoutId,
    PayoutStatus,
    ServiceId,
    TransferId,
    EventId,
    NotificationId,
    PasskeyId,
    NotificationType,
    NotifyFrom,
    TransferKind,
    EscrowStatus,
    EscrowAction,
    CloseReason,
    RequestStatus,
    ProgressState,
    OrderRole,
    OrderStatus,
    SampleState,
    Acceptance,
    ServiceCategory,
    ReviewId,
    ConversationFolder,
    ReportId,
    ActionId,
    SubjectType,
    ReportReason,
    ReportStatus,
    ModerationActionType,
    ScheduledPostId,
    ScheduledStatus,
    Metric,
    Window,
    ListId,
    ListVisibility,
    RepliesPolicy,
    WebhookId,
    WebhookSecretId,
    DeliveryId,
    RecoveryId,
    WebhookKind,
    WebhookStatus,
    DisabledReason,
    SecretRole,
    DeliveryState,
    DeliveryTrigger,
    DeliveryOutcome,
    DeliveryErrorClass,
    RecoveryStatus,
    GrantId,
    LinkProvider,
    InviteId,
    SessionId,
    PendingChangeId,
    PlanId,
    SecurityEntryId,
    PendingKind,
    SecurityAction,
    ExportState,
    ExportFailure,
    ChannelId,
    ChannelName,
    ChannelVisibility,
    PostPolicy,
);

impl<const MIN: usize, const MAX: usize> Bind for Text<MIN, MAX> {
    fn bind(&self) -> Value<'_> {
        Value::Text(self.as_str())
    }
}

impl<const MIN: i64, const MAX: i64> Bind for Amount<MIN, MAX> {
    fn bind(&self) -> Value<'_> {
        Value::Integer(self.micros())
    }
}

impl<const MIN: i64, const MAX: i64> Column for Amount<MIN, MAX> {
    fn from_value(value: Value<'_>) -> Option<Self> {
        i64::from_value(value).map(Self::from_micros)
    }
}

impl Bind for Handle {
    fn bind(&self) -> Value<'_> {
        Value::Text(self.as_str())
    }
}
