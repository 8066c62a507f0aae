//! What operators watch: figures of the whole platform.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::webhooks::DeliveryErrorClass;
use crate::credits::Balance;
use crate::endpoints;
use crate::id::{DeliveryId, WebhookId};
use crate::page::{Cursor, Limit, paged};
use crate::text::words;
use crate::time::Timestamp;

endpoints! {
    /// Get figures of the whole platform.
    ///
    /// Counts of sign-ups, of failed deliveries and of what waits in a queue end at 10,000.
    GET "/moderation/overview" as moderation.overview by Admin scope Moderate
        => OK OverviewEnvelope;
    GetOverview {
        /// Time window; `7d` when omitted.
        window: Option<OverviewWindow>,
    }

    /// List deliveries to the webhooks of all accounts that were given up, newest first.
    GET "/moderation/failed-deliveries" as moderation.failed_deliveries by Admin scope Moderate
        => OK FailedDeliveryPage;
    ListFailedDeliveries {
        /// Page size: 1 to 100, 20 when omitted.
        limit: Option<Limit>,
        /// Cursor of the page: `nextCursor` of the page before.
        cursor: Option<Cursor>,
    }
}

paged! {
    ListFailedDeliveries: deliveries of FailedDelivery;
}

words! {
    /// The time of figures. `24h` has steps of an hour, `7d` of a day (UTC).
    OverviewWindow {
        /// The latest 24 hours.
        Day = "24h",
        /// The latest 7 days.
        Week = "7d",
    }
}

words! {
    /// Work that waits to be done.
    QueueName {
        /// Orders and escrows whose deadline has passed.
        Deadlines = "deadlines",
        /// Mails that can be sent.
        Mail = "mail",
        /// Texts that changed since they were indexed.
        Search = "search",
        /// Webhooks with deliveries that can be sent.
        Webhooks = "webhooks",
    }
}

/// Figures of the whole platform.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Overview {
    /// The time window.
    pub window: OverviewWindow,
    /// Accounts that were created in the window.
    pub signups: i64,
    /// Accounts that wait for approval.
    pub signups_waiting: i64,
    /// Orders that were completed in the window.
    pub orders_done: i64,
    /// Orders that failed, expired or were refunded in the window.
    pub orders_failed: i64,
    /// Escrows that hold credits.
    pub escrows_open: i64,
    /// Credits that these escrows hold.
    pub escrows_hold: Balance,
    /// Open disputes.
    pub disputes_open: i64,
    /// When the oldest open dispute was opened; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub oldest_dispute_at: Option<Timestamp>,
    /// Deliveries to webhooks that began in the window and were given up.
    pub deliveries_failed: i64,
    /// Work that waits, by name.
    pub queues: Vec<Queue>,
    /// The window step by step, oldest first.
    pub series: Vec<OverviewStep>,
}

/// Work that waits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Queue {
    /// What waits.
    pub name: QueueName,
    /// How much of it.
    pub waiting: i64,
    /// For how many seconds the oldest has waited; absent if nothing waits, or if it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lag_seconds: Option<f64>,
}

/// One step of a series.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct OverviewStep {
    /// Start of the step.
    pub start: Timestamp,
    /// Accounts that were created.
    pub signups: i64,
    /// Orders that were completed.
    pub orders_done: i64,
    /// Orders that failed, expired or were refunded.
    pub orders_failed: i64,
}

/// Response with figures of the whole platform.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct OverviewEnvelope {
    /// The figures.
    pub overview: Overview,
}

/// A delivery that was given up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct FailedDelivery {
    /// The delivery's id.
    pub id: DeliveryId,
    /// The webhook.
    pub webhook_id: WebhookId,
    /// The owner of the webhook.
    pub username: String,
    /// The kind of the event.
    pub kind: String,
    /// Attempts that were made.
    pub attempts: i64,
    /// HTTP status of the last answer; absent without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<i64>,
    /// Why the last attempt failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_class: Option<DeliveryErrorClass>,
    /// When the delivery began.
    pub created_at: Timestamp,
}

/// A page of deliveries that were given up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct FailedDeliveryPage {
    /// The deliveries.
    pub deliveries: Vec<FailedDelivery>,
    /// Cursor of the next page; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
}
