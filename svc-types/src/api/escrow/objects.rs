//! Objects of escrow: records, states, deliverables, disputes, the log.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::api::credits::Transfer;
use crate::credits::Credits;
use crate::id::{EscrowId, MessageId, PlanId, ServiceId};
use crate::page::Cursor;
use crate::secret::AccessToken;
use crate::text::{Checksum, Rating, Text, WebUrl, words};
use crate::time::Timestamp;

words! {
    /// State of an escrow (spec §3.1).
    EscrowStatus {
        /// Created, but not funded.
        Created = "created",
        /// The credits are held; the work can begin.
        Funded = "funded",
        /// Delivered; the buyer reviews the work.
        Delivered = "delivered",
        /// Accepted; the provider has the credits.
        Released = "released",
        /// Ended before the delivery; the buyer has the credits.
        Cancelled = "cancelled",
        /// The buyer disputes the work; all deadlines stop.
        Disputed = "disputed",
        /// Ended after the delivery; the buyer has the credits.
        Refunded = "refunded",
    }
}

words! {
    /// Side of an escrow.
    EscrowRole {
        /// Either side.
        Any = "any",
        /// The buyer, who pays.
        Buyer = "buyer",
        /// The provider, who does the work.
        Provider = "provider",
        /// A moderator, who resolves disputes.
        Moderator = "moderator",
    }
}

words! {
    /// Outcome of a dispute.
    DisputeOutcome {
        /// The provider receives the credits.
        Release = "release",
        /// The buyer receives the credits.
        Refund = "refund",
        /// Both receive a part.
        Split = "split",
    }
}

words! {
    /// How an escrow ended.
    CloseReason {
        /// The buyer cancelled it.
        BuyerCancelled = "buyer_cancelled",
        /// The provider declined it.
        ProviderDeclined = "provider_declined",
        /// Nothing was delivered before the deadline.
        Expired = "expired",
        /// The buyer accepted.
        Released = "released",
        /// The review window ended without an answer from the buyer.
        AutoReleased = "auto_released",
        /// A dispute was resolved in favor of the provider.
        DisputeReleased = "dispute_released",
        /// A dispute was resolved in favor of the buyer.
        DisputeRefunded = "dispute_refunded",
        /// The provider refunded the credits.
        ProviderRefunded = "provider_refunded",
        /// The credits were split between both.
        Split = "split",
    }
}

words! {
    /// Event of an escrow.
    EscrowAction {
        /// It was created.
        Created = "created",
        /// It was funded.
        Funded = "funded",
        /// The work was delivered.
        Delivered = "delivered",
        /// The work was delivered again.
        Redelivered = "redelivered",
        /// The buyer accepted.
        Released = "released",
        /// The review window ended without an answer from the buyer.
        AutoReleased = "auto_released",
        /// The buyer disputed the work.
        Disputed = "disputed",
        /// The provider responded to the dispute.
        DisputeResponse = "dispute_response",
        /// The provider refunded the credits.
        Refunded = "refunded",
        /// The dispute was resolved.
        Resolved = "resolved",
        /// It ended before the delivery.
        Cancelled = "cancelled",
        /// The buyer gave more time for the delivery.
        Extended = "extended",
        /// A party offered to split the credits.
        SplitOffered = "split_offered",
        /// The other party accepted the split.
        Split = "split",
    }
}

/// An escrow (spec §2.7).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Escrow {
    /// The escrow's id.
    pub id: EscrowId,
    /// Its state.
    pub status: EscrowStatus,
    /// The work, once delivered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deliverable: Option<Deliverable>,
    /// Amount in credits.
    pub amount: Credits,
    /// Username of the buyer.
    pub buyer_username: String,
    /// Username of the provider.
    pub provider_username: String,
    /// Id of the provider's service.
    pub service_id: ServiceId,
    /// The task.
    pub description: String,
    /// Notes of the provider about the delivery.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
    /// When it was created.
    pub created_at: Timestamp,
    /// Deadline of the delivery.
    pub expires_at: Timestamp,
    /// When it was funded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub funded_at: Option<Timestamp>,
    /// When the work was last delivered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delivered_at: Option<Timestamp>,
    /// When it is released automatically.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub review_ends_at: Option<Timestamp>,
    /// When it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closed_at: Option<Timestamp>,
    /// How it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub close_reason: Option<CloseReason>,
    /// Number of transitions so far.
    pub version: i64,
    /// Number of deliveries so far.
    pub deliverable_version: i64,
    /// The dispute, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dispute: Option<Dispute>,
    /// The buyer's rating.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rating: Option<Rating>,
    /// The buyer's feedback.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub feedback: Option<String>,
    /// The latest order that it pays for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<MessageId>,
    /// The offer to split the credits, or how they were split.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub split: Option<EscrowSplit>,
    /// The plan whose milestone it pays for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan_id: Option<PlanId>,
}

impl Escrow {
    /// What the provider receives once it is released: of a split, their part. An offer to split that nobody
    /// accepted changes nothing.
    pub fn amount_paid(&self) -> Credits {
        match (&self.close_reason, &self.split) {
            (Some(CloseReason::Split), Some(split)) => split.provider_amount,
            _ => self.amount,
        }
    }
}

/// A split of an escrow's credits. A new delivery voids an offer, a new offer replaces it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct EscrowSplit {
    /// What the provider receives; the buyer receives the rest.
    pub provider_amount: Credits,
    /// The escrow's version that the offer made, which its acceptance names.
    pub offer_version: i64,
    /// Username of the party that offered it; absent if a moderator decided it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by_username: Option<String>,
    /// When it was offered or decided.
    pub at: Timestamp,
}

/// Delivered work (spec §2.7). Other members are kept as they are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Deliverable {
    /// Type of the deliverable; `code` for a repository.
    #[serde(rename = "type")]
    pub kind: Text<1, 64>,
    /// URL of the work. The platform never fetches it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repository: Option<WebUrl>,
    /// Branch of the repository.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch: Option<Text<1, 256>>,
    /// SHA-256 of the work, as `sha256:` and hexadecimal digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checksum: Option<Checksum>,
    /// A temporary credential for read access. Only the two parties see it, when they read the
    /// escrow, until the escrow ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub access_token: Option<AccessToken>,
    /// All other members.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

impl Deliverable {
    /// A deliverable of this type.
    pub fn new(kind: impl Into<Text<1, 64>>) -> Self {
        Self {
            kind: kind.into(),
            repository: None,
            branch: None,
            checksum: None,
            access_token: None,
            rest: Map::new(),
        }
    }

    /// A branch of a repository.
    pub fn code(
        repository: impl Into<WebUrl>,
        branch: impl Into<Text<1, 256>>,
        checksum: impl Into<Checksum>,
    ) -> Self {
        Self {
            repository: Some(repository.into()),
            branch: Some(branch.into()),
            checksum: Some(checksum.into()),
            ..Self::new("code")
        }
    }
}

/// A dispute.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Dispute {
    /// The buyer's reason.
    pub reason: String,
    /// Evidence: any JSON.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("type" = ["object", "array", "string", "number", "boolean"]))]
    pub evidence: Option<Value>,
    /// When it was opened.
    pub opened_at: Timestamp,
    /// The provider's response.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response: Option<String>,
    /// Evidence: any JSON.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("type" = ["object", "array", "string", "number", "boolean"]))]
    pub response_evidence: Option<Value>,
    /// When the provider responded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub responded_at: Option<Timestamp>,
    /// The outcome.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<DisputeOutcome>,
    /// Explanation of the moderator.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// When it was resolved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resolved_at: Option<Timestamp>,
}

/// An entry of an escrow's log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct EscrowEvent {
    /// Number of the entry, starting at 1.
    pub seq: i64,
    /// What happened.
    pub action: EscrowAction,
    /// The state before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<EscrowStatus>,
    /// The state after.
    pub to: EscrowStatus,
    /// The account that did it; absent for deadlines. Only moderators see which moderator decided a dispute.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actor_username: Option<String>,
    /// Note of the actor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// When it happened.
    pub at: Timestamp,
}

/// Response with an escrow.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct EscrowEnvelope {
    /// The escrow.
    pub escrow: Escrow,
}

/// A plan: an escrow for each milestone, in their order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct EscrowPlan {
    /// The plan's id.
    pub plan_id: PlanId,
    /// The escrows.
    pub escrows: Vec<Escrow>,
}

/// A released escrow and its transfer (spec §2.7).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Released {
    /// The transfer.
    pub transfer: Transfer,
    /// The escrow.
    pub escrow: Escrow,
}

/// A page of escrows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct EscrowPage {
    /// The escrows.
    pub escrows: Vec<Escrow>,
    /// Cursor of the next page; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
}

/// A page of an escrow's log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct EscrowEventPage {
    /// The entries.
    pub events: Vec<EscrowEvent>,
    /// Cursor of the next page; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
}

/// The reputation of an escrow's provider, signed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct EscrowAttestation {
    /// A JSON Web Token.
    pub attestation: String,
}
