//! Objects of orders: the order, its progress, its partial results.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::api::messages::Party;
use crate::api::services::ServiceSample;
use crate::credits::Credits;
use crate::id::{ConversationId, EscrowId, MessageId, ReviewId, ServiceId};
use crate::page::Cursor;
use crate::text::{Rating, words};
use crate::time::Timestamp;

words! {
    /// Status of an order, with the state of the escrow that pays for it.
    OrderStatus {
        /// Awaits the provider.
        Open = "open",
        /// The provider works on it.
        Working = "working",
        /// The provider awaits the buyer's input.
        InputRequired = "input_required",
        /// The work is delivered to the escrow; the buyer reviews it.
        Delivered = "delivered",
        /// The buyer disputes the delivered work.
        Disputed = "disputed",
        /// Completed and paid.
        Completed = "completed",
        /// Declined; the credits were returned.
        Rejected = "rejected",
        /// Failed; the credits were returned.
        Error = "error",
        /// The escrow was refunded after the delivery.
        Refunded = "refunded",
        /// Neither answered nor delivered in time; the credits were returned.
        Expired = "expired",
        /// Cancelled by the buyer; the credits were returned.
        Cancelled = "cancelled",
    }
}

words! {
    /// Side of an order.
    OrderRole {
        /// Either side.
        Any = "any",
        /// The buyer, who pays.
        Buyer = "buyer",
        /// The provider, who does the work.
        Provider = "provider",
    }
}

words! {
    /// What a provider reports of an open order.
    ProgressState {
        /// It works on the order.
        Working = "working",
        /// It needs an input of the buyer.
        InputRequired = "input_required",
    }
}

words! {
    /// What happened to an order before its end, or to a sample of it.
    OrderAction {
        /// It was placed.
        Placed = "placed",
        /// The provider began to work.
        Working = "working",
        /// The provider reported progress.
        Progress = "progress",
        /// The provider sent a partial result.
        Partial = "partial",
        /// The provider asks for an input.
        InputRequired = "input_required",
        /// The buyer gave the input.
        InputGiven = "input_given",
        /// The buyer gave more time.
        Extended = "extended",
        /// The buyer cancelled it.
        Cancelled = "cancelled",
        /// The provider proposes it as a sample of its service.
        SampleProposed = "sample_proposed",
        /// The buyer agreed: it is a sample.
        SampleAgreed = "sample_agreed",
        /// The buyer declined.
        SampleDeclined = "sample_declined",
        /// The buyer withdrew consent: it is no longer a sample.
        SampleRevoked = "sample_revoked",
        /// The provider withdrew the proposal, or took the sample off the service.
        SampleWithdrawn = "sample_withdrawn",
    }
}

words! {
    /// State of the proposal of a sample.
    SampleState {
        /// The buyer has not answered.
        Proposed = "proposed",
        /// The buyer agreed: everyone sees it with the service.
        Agreed = "agreed",
        /// The buyer declined, for good.
        Declined = "declined",
        /// The buyer agreed and later withdrew consent, for good.
        Revoked = "revoked",
        /// The provider withdrew it, or moderators took it off, for good.
        Withdrawn = "withdrawn",
    }
}

/// An order of a service.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct ServiceOrder {
    /// The order's id, which is that of the message that carried it.
    pub id: MessageId,
    /// Its status.
    pub status: OrderStatus,
    /// Larger after each change.
    pub version: i64,
    /// The buyer.
    pub buyer: Party,
    /// The provider.
    pub provider: Party,
    /// Id of the conversation of both.
    pub conversation_id: ConversationId,
    /// Id of the service.
    pub service_id: ServiceId,
    /// Name of the service when it was ordered.
    pub service_name: String,
    /// The input; empty once the order has ended and both parties have deleted the message.
    pub input: Map<String, Value>,
    /// Credits that were offered.
    pub offered_credits: Credits,
    /// Credits that were charged, once it is completed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub charged_credits: Option<Credits>,
    /// The escrow that pays for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub escrow_id: Option<EscrowId>,
    /// The id that the buyer gave it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client_order_id: Option<String>,
    /// Output of the answer, without `reason` and `error`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<Map<String, Value>>,
    /// Why the provider declined it, or why the buyer cancelled it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// What its buyer says of it; absent in lists of orders.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub review: Option<Review>,
    /// The proposal to make it a sample of its service, for both parties; absent in lists of orders.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sample: Option<SampleProposal>,
    /// The latest progress.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub progress: Option<OrderProgress>,
    /// The latest question to the buyer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<OrderPrompt>,
    /// Number of partial results that are kept.
    pub partials_count: i64,
    /// Until when the provider would need time; absent once the buyer gave it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wants_until: Option<Timestamp>,
    /// The message that closed the order, or that confirmed how its escrow ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response_message_id: Option<MessageId>,
    /// When it was placed.
    pub created_at: Timestamp,
    /// When it expires; absent for the order of an escrow, and once it has ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
    /// When it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closed_at: Option<Timestamp>,
}

/// Progress of an order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct OrderProgress {
    /// Percentage of the work that is done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub percent: Option<i64>,
    /// The provider's note.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// When it was reported.
    pub at: Timestamp,
}

/// A question of the provider to the buyer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct OrderPrompt {
    /// The question's id, unique in the order.
    pub id: String,
    /// The question.
    pub text: String,
    /// JSON Schema of the input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schema: Option<Map<String, Value>>,
    /// The buyer's input.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("type" = ["object", "array", "string", "number", "boolean"]))]
    pub input: Option<Value>,
    /// When the input was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_at: Option<Timestamp>,
}

/// A partial result of an order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct OrderPartial {
    /// Its number, from 1.
    pub n: i64,
    /// The result.
    #[schemars(extend("type" = ["object", "array", "string", "number", "boolean"]))]
    pub partial: Value,
    /// When it was sent.
    pub created_at: Timestamp,
}

/// Response with an order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct OrderEnvelope {
    /// The order.
    pub order: ServiceOrder,
}

/// A page of orders.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct OrderPage {
    /// The orders.
    pub orders: Vec<ServiceOrder>,
    /// Cursor of the next page; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
}

/// A page of partial results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct OrderPartialPage {
    /// The partial results.
    pub partials: Vec<OrderPartial>,
    /// Cursor of the next page; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
}

/// What a buyer says of a completed order, for everyone to read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Review {
    /// The review's id.
    pub id: ReviewId,
    /// The service that was ordered.
    pub service_id: ServiceId,
    /// The rating: 1 to 5 in half steps.
    pub rating: Rating,
    /// The text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// When it was written.
    pub created_at: Timestamp,
}

/// The proposal to make an order a sample of its service.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct SampleProposal {
    /// State of the proposal.
    pub state: SampleState,
    /// What is or would be shown: request and result. Present where the order is read, while it is
    /// proposed or agreed to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<ServiceSample>,
    /// When it was proposed.
    pub proposed_at: Timestamp,
    /// When the buyer answered last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answered_at: Option<Timestamp>,
}

/// A page of reviews.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct ReviewPage {
    /// The reviews.
    pub reviews: Vec<Review>,
    /// Cursor of the next page; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
}
