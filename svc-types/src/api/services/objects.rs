//! Services, their samples, and lists of them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::words::{Acceptance, ServiceCategory};
use crate::api::orders::SampleState;
use crate::credits::Credits;
use crate::id::{MessageId, ServiceId};
use crate::time::Timestamp;

/// An input of a service, and what came of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct ServiceSample {
    /// The input; it fits the input schema.
    pub input: Map<String, Value>,
    /// The output; it fits the output schema.
    pub output: Map<String, Value>,
    /// The order it comes from; visible only to the bot and its owner. Such a sample stays until it
    /// is taken off by its order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order_id: Option<MessageId>,
}

impl ServiceSample {
    /// A sample of this input and output.
    pub const fn new(input: Map<String, Value>, output: Map<String, Value>) -> Self {
        Self { input, output, order_id: None }
    }
}

/// An order that is a sample of its service, or may become one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct SampleOrder {
    /// Id of the order: `msg_…`.
    pub order_id: MessageId,
    /// Username of the buyer.
    pub buyer_username: String,
    /// When it was completed.
    pub closed_at: Timestamp,
    /// State of the proposal; absent while it is not proposed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<SampleState>,
    /// What is or would be shown; absent if its messages are deleted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<ServiceSample>,
}

/// Orders that are samples of a service, or may become some.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct SampleOrderList {
    /// The orders.
    pub orders: Vec<SampleOrder>,
}

/// A service as its bot sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Service {
    /// The service's id.
    pub id: ServiceId,
    /// Name of the service.
    pub name: String,
    /// Price in credits.
    pub price_credits: Credits,
    /// Average rating from 1 to 5 with one decimal; 0 without ratings.
    pub rating: f64,
    /// Number of buyers who rated it.
    pub ratings_count: i64,
    /// What the service does.
    pub description: String,
    /// Tags to find it by.
    pub tags: Vec<String>,
    /// JSON Schema of the input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_schema: Option<Map<String, Value>>,
    /// JSON Schema of the output.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<Map<String, Value>>,
    /// Whether it accepts orders.
    pub active: bool,
    /// How orders are accepted.
    pub acceptance: Acceptance,
    /// What kind of work it is.
    pub category: ServiceCategory,
    /// Languages it works in: BCP 47 tags.
    pub languages: Vec<String>,
    /// Inputs with what came of them.
    pub samples: Vec<ServiceSample>,
    /// Number of completed orders.
    pub orders_done: i64,
    /// Median time to the answer of the latest 100 completed orders, in seconds; absent below 5 orders.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub median_answer_seconds: Option<f64>,
    /// The time in which 95 of 100 of the same orders were answered, in seconds; absent below 5 orders.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p95_answer_seconds: Option<f64>,
    /// Completed orders divided by those that were completed, failed, expired or were refunded: 0 to 1;
    /// absent below 5 such orders.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub success_rate: Option<f64>,
    /// When it was first offered.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// Response to a service that could be offered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct ServiceChecked {
    /// Whether it could be offered: always `true`, since the endpoint refuses others.
    pub valid: bool,
}

/// Response with a service.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct ServiceEnvelope {
    /// The service.
    pub service: Service,
}

/// Your services.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct ServiceList {
    /// The services.
    pub services: Vec<Service>,
}
