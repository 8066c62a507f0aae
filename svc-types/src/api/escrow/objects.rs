//! What escrows are made of: records, words, deliverables, disputes, the log.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::api::credits::Transfer;
use crate::credits::Credits;
use crate::id::{EscrowId, MessageId, ServiceId};
use crate::page::Cursor;
use crate::secret::AccessToken;
use crate::text::{Checksum, Rating, Text, WebUrl, words};
use crate::time::Timestamp;

words! {
    /// State of an escrow (spec §3.1).
    EscrowStatus {
        /// Opened, but not paid for.
        Created = "created",
        /// The credits are held; the work can begin.
        Funded = "funded",
        /// Delivered, and to be reviewed.
        Delivered = "delivered",
        /// Accepted; the provider has the credits.
        Released = "released",
        /// Ended before the delivery; the buyer has the credits.
        Cancelled = "cancelled",
        /// The buyer refuses the work; every clock stands still.
        Disputed = "disputed",
        /// Ended after the delivery; the buyer has the credits.
        Refunded = "refunded",
    }
}

words! {
    /// A side of an escrow.
    EscrowRole {
        /// Either.
        Any = "any",
        /// Who pays.
        Buyer = "buyer",
        /// Who does the work.
        Provider = "provider",
        /// Neither: who decides disputes.
        Moderator = "moderator",
    }
}

words! {
    /// How a dispute is decided.
    DisputeOutcome {
        /// For the provider.
        Release = "release",
        /// For the buyer.
        Refund = "refund",
    }
}

words! {
    /// How an escrow ended.
    CloseReason {
        /// The buyer took it back.
        BuyerCancelled = "buyer_cancelled",
        /// The provider refused it.
        ProviderDeclined = "provider_declined",
        /// Nothing was delivered in time.
        Expired = "expired",
        /// The buyer accepted.
        Released = "released",
        /// The buyer said nothing in time.
        AutoReleased = "auto_released",
        /// A dispute was decided for the provider.
        DisputeReleased = "dispute_released",
        /// A dispute was decided for the buyer.
        DisputeRefunded = "dispute_refunded",
        /// The provider gave the credits back.
        ProviderRefunded = "provider_refunded",
    }
}

words! {
    /// What happened to an escrow.
    EscrowAction {
        /// It was opened.
        Created = "created",
        /// It was paid for.
        Funded = "funded",
        /// The work was delivered.
        Delivered = "delivered",
        /// The work was delivered anew.
        Redelivered = "redelivered",
        /// The buyer accepted.
        Released = "released",
        /// The buyer said nothing in time.
        AutoReleased = "auto_released",
        /// The buyer refused the work.
        Disputed = "disputed",
        /// The provider answered the dispute.
        DisputeResponse = "dispute_response",
        /// The provider gave the credits back.
        Refunded = "refunded",
        /// The dispute was decided.
        Resolved = "resolved",
        /// It ended before the delivery.
        Cancelled = "cancelled",
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
    /// What the work is worth.
    pub amount: Credits,
    /// Who pays.
    pub buyer_username: String,
    /// Who does the work.
    pub provider_username: String,
    /// The provider's service.
    pub service_id: ServiceId,
    /// What is to be done.
    pub description: String,
    /// What the provider said with the delivery.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
    /// When it was opened.
    pub created_at: Timestamp,
    /// From this instant on nothing can be delivered.
    pub expires_at: Timestamp,
    /// When it was paid for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub funded_at: Option<Timestamp>,
    /// When the work was last delivered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delivered_at: Option<Timestamp>,
    /// At this instant it is released by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub review_ends_at: Option<Timestamp>,
    /// When it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closed_at: Option<Timestamp>,
    /// How it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub close_reason: Option<CloseReason>,
    /// How many transitions it made.
    pub version: i64,
    /// How often something was delivered.
    pub deliverable_version: i64,
    /// The dispute, if there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dispute: Option<Dispute>,
    /// The buyer's rating.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rating: Option<Rating>,
    /// The same in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub feedback: Option<String>,
    /// The latest order that it pays for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<MessageId>,
}

/// Work that was delivered (spec §2.7). Members beside these are kept as they are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Deliverable {
    /// What it is; `code` for a repository.
    #[serde(rename = "type")]
    pub kind: Text<1, 64>,
    /// Where the work lies. It is never fetched by the platform.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repository: Option<WebUrl>,
    /// The branch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch: Option<Text<1, 256>>,
    /// SHA-256 of the work.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checksum: Option<Checksum>,
    /// A temporary credential for reading. Only the two parties see it, when they read the escrow,
    /// and only until it ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub access_token: Option<AccessToken>,
    /// All other members.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

impl Deliverable {
    /// Work of this kind.
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
    /// Why the buyer refuses the work.
    pub reason: String,
    /// What shows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("type" = ["object", "array", "string", "number", "boolean"]))]
    pub evidence: Option<Value>,
    /// When it was opened.
    pub opened_at: Timestamp,
    /// The provider's side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response: Option<String>,
    /// What shows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("type" = ["object", "array", "string", "number", "boolean"]))]
    pub response_evidence: Option<Value>,
    /// When the provider answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub responded_at: Option<Timestamp>,
    /// How it was decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<DisputeOutcome>,
    /// Why it was decided so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// When it was decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resolved_at: Option<Timestamp>,
}

/// A line of an escrow's log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct EscrowEvent {
    /// Its number, from 1.
    pub seq: i64,
    /// What happened.
    pub action: EscrowAction,
    /// The state before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<EscrowStatus>,
    /// The state after.
    pub to: EscrowStatus,
    /// Who did it; absent when the clock did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actor_username: Option<String>,
    /// What was said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// When it happened.
    pub at: Timestamp,
}

/// An escrow in its wrapper.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct EscrowEnvelope {
    /// The escrow.
    pub escrow: Escrow,
}

/// A released escrow, and the credits on their way (spec §2.7).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Released {
    /// The credits.
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
    /// Where the next page begins; absent at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
}

/// A page of an escrow's log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct EscrowEventPage {
    /// The lines.
    pub events: Vec<EscrowEvent>,
    /// Where the next page begins; absent at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
}
