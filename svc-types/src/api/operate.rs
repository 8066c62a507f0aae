//! What operators watch: figures of the whole platform.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::escrow::EscrowStatus;
use super::orders::OrderStatus;
use super::webhooks::DeliveryErrorClass;
use crate::credits::{Balance, Credits};
use crate::endpoints;
use crate::id::{DeliveryId, EscrowId, MessageId, ServiceId, WebhookId};
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
        /// Only deliveries that began in this time window; all when omitted.
        window: Option<OverviewWindow>,
        /// Page size: 1 to 100, 20 when omitted.
        limit: Option<Limit>,
        /// Cursor of the page: `nextCursor` of the page before.
        cursor: Option<Cursor>,
    }

    /// List ended orders of all accounts, latest end first, without their contents.
    ///
    /// These are the orders that `ordersDone` and `ordersFailed` of `GET /moderation/overview` count.
    GET "/moderation/orders" as moderation.orders by Admin scope Moderate => OK EndedOrderPage;
    ListEndedOrders {
        /// How they ended; `completed` when omitted.
        outcome: Option<OrderOutcome>,
        /// Only orders that ended in this time window; `7d` when omitted.
        window: Option<OverviewWindow>,
        /// Page size: 1 to 100, 20 when omitted.
        limit: Option<Limit>,
        /// Cursor of the page: `nextCursor` of the page before.
        cursor: Option<Cursor>,
    }

    /// List escrows that hold credits, oldest first, without their contents.
    ///
    /// These are the escrows that `escrowsOpen` and `escrowsHold` of `GET /moderation/overview` count.
    GET "/moderation/escrows" as moderation.escrows by Admin scope Moderate => OK OpenEscrowPage;
    ListOpenEscrows {
        /// Page size: 1 to 100, 20 when omitted.
        limit: Option<Limit>,
        /// Cursor of the page: `nextCursor` of the page before.
        cursor: Option<Cursor>,
    }

    /// List the entries of a queue, longest overdue first, without contents or addresses.
    ///
    /// The queue `search` is listed by id, since it holds no times.
    GET "/moderation/queues/{queue}" as moderation.queue by Admin scope Moderate => OK QueuePage;
    ListQueue {
        /// The queue.
        queue: QueueName,
        /// Page size: 1 to 100, 20 when omitted.
        limit: Option<Limit>,
        /// Cursor of the page: `nextCursor` of the page before.
        cursor: Option<Cursor>,
    }
}

paged! {
    ListFailedDeliveries: deliveries of FailedDelivery;
    ListEndedOrders: orders of EndedOrder;
    ListOpenEscrows: escrows of OpenEscrow;
    ListQueue: entries of QueueEntry;
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
    /// How orders ended.
    OrderOutcome {
        /// Completed and paid.
        Completed = "completed",
        /// Failed, expired or refunded.
        Failed = "failed",
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

/// An ended order, without its contents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct EndedOrder {
    /// Id of the order; for an escrow, its latest order. Absent if the escrow has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order_id: Option<MessageId>,
    /// The escrow that paid for it. However many orders it paid for, it is listed once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub escrow_id: Option<EscrowId>,
    /// The service.
    pub service_id: ServiceId,
    /// Name of the service.
    pub service_name: String,
    /// Whether the service is offered now.
    pub service_active: bool,
    /// The buyer.
    pub buyer_username: String,
    /// The provider.
    pub provider_username: String,
    /// Credits that were offered, or that the escrow held.
    pub credits: Credits,
    /// How it ended: `completed`, `error`, `expired` or `refunded`.
    pub status: OrderStatus,
    /// Whether its escrow was disputed. Moderators can read such an order.
    pub was_disputed: bool,
    /// When the order was placed, or the escrow created.
    pub created_at: Timestamp,
    /// When it ended.
    pub closed_at: Timestamp,
}

/// A page of orders that ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct EndedOrderPage {
    /// The orders.
    pub orders: Vec<EndedOrder>,
    /// Cursor of the next page; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
}

/// An escrow that holds credits, without its contents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct OpenEscrow {
    /// The escrow's id.
    pub id: EscrowId,
    /// The latest order that it pays for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order_id: Option<MessageId>,
    /// The buyer.
    pub buyer_username: String,
    /// The provider.
    pub provider_username: String,
    /// Credits that it holds.
    pub amount: Credits,
    /// Its state.
    pub status: EscrowStatus,
    /// When it was created.
    pub created_at: Timestamp,
    /// When its deadline takes effect; absent for a dispute that awaits a decision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub due_at: Option<Timestamp>,
}

/// A page of escrows that hold credits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct OpenEscrowPage {
    /// The escrows.
    pub escrows: Vec<OpenEscrow>,
    /// Cursor of the next page; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
}

/// Something that waits in a queue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct QueueEntry {
    /// What it is: `escrow`, `order`, `post`, `account`, `service`, `webhook`, or the kind of a mail.
    pub kind: String,
    /// Its id.
    pub id: String,
    /// When it became due; absent in the queue `search`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub due_at: Option<Timestamp>,
    /// Attempts so far; for a webhook, failures since its last success.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attempts: Option<i64>,
    /// The owner of a webhook.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub username: Option<String>,
    /// When an escrow, an order or a mail was created.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created_at: Option<Timestamp>,
}

/// A page of what waits in a queue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct QueuePage {
    /// The entries.
    pub entries: Vec<QueueEntry>,
    /// Cursor of the next page; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
}
