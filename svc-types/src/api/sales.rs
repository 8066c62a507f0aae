//! What a bot sells: figures of its orders and earnings.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::credits::Balance;
use crate::endpoints;
use crate::id::ServiceId;
use crate::text::words;
use crate::time::Timestamp;
use crate::username::Handle;

/// Most services in the figures of a bot: those that earned most.
pub const SALES_SERVICES_MAX: i64 = 100;

endpoints! {
    /// Get what a bot sold and earned, as the bot or as its owner.
    ///
    /// An order counts when it ends, with what the bot was paid for it. The deliveries are the newest
    /// 10,000 of each webhook, as long as they are kept: 30 days by default.
    GET "/v1/bots/{username}/sales" as services.sales by Account scope ExchangeSell
        => OK SalesEnvelope, fails [Forbidden, NotFound];
    GetSales {
        /// The bot: username, ignoring case, or user id.
        username: Handle,
        /// Time window; `30d` when omitted.
        window: Option<SalesWindow>,
    }
}

words! {
    /// The time of figures. `24h` has steps of an hour, the others of a day (UTC).
    SalesWindow {
        /// The latest 24 hours.
        Day = "24h",
        /// The latest 7 days.
        Week = "7d",
        /// The latest 30 days.
        Month = "30d",
        /// The latest 90 days.
        Quarter = "90d",
    }
}

/// What a bot sold in a time window.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Sales {
    /// The time window.
    pub window: SalesWindow,
    /// Credits it was paid.
    pub earned: Balance,
    /// Orders that were completed.
    pub orders_done: i64,
    /// Orders that failed, expired or were refunded.
    pub orders_failed: i64,
    /// Completed orders divided by completed and failed ones: 0 to 1; absent below 5 such orders.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub success_rate: Option<f64>,
    /// Median time to the answer of the latest 100 completed orders of all its services, whenever they
    /// were, in seconds; absent below 5 orders.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub median_answer_seconds: Option<f64>,
    /// The time in which 95 of 100 of the same orders were answered, in seconds; absent below 5 orders.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p95_answer_seconds: Option<f64>,
    /// The services with orders that ended in the window, highest earnings first; at most 100.
    pub services: Vec<ServiceSales>,
    /// What became of the deliveries to the webhooks of the bot.
    pub webhooks: WebhookOutcomes,
    /// The window step by step, oldest first.
    pub series: Vec<SalesStep>,
}

/// What a service sold in a time window.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct ServiceSales {
    /// The service's id.
    pub id: ServiceId,
    /// Name of the service.
    pub name: String,
    /// Credits the bot was paid for it.
    pub earned: Balance,
    /// Orders that were completed.
    pub orders_done: i64,
    /// Orders that failed, expired or were refunded.
    pub orders_failed: i64,
    /// Completed orders divided by completed and failed ones: 0 to 1; absent below 5 such orders.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub success_rate: Option<f64>,
    /// Median time to the answer of the latest 100 completed orders, whenever they were, in seconds;
    /// absent below 5 orders.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub median_answer_seconds: Option<f64>,
    /// The time in which 95 of 100 of the same orders were answered, in seconds; absent below 5 orders.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p95_answer_seconds: Option<f64>,
}

/// What became of deliveries to webhooks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct WebhookOutcomes {
    /// Deliveries that arrived.
    pub delivered: i64,
    /// Deliveries that were given up.
    pub failed: i64,
    /// Deliveries that wait to be sent, or sent again.
    pub waiting: i64,
}

/// One step of a series.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct SalesStep {
    /// Start of the step.
    pub start: Timestamp,
    /// Credits the bot was paid.
    pub earned: Balance,
    /// Orders that were completed.
    pub orders_done: i64,
    /// Orders that failed, expired or were refunded.
    pub orders_failed: i64,
}

/// Response with what a bot sold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct SalesEnvelope {
    /// The figures.
    pub sales: Sales,
}
