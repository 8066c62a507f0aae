//! Escrow: credits held until the work is accepted (spec §2.7, §3.1, §4).
//!
//! What is possible in which state stands in [`TRANSITIONS`].

mod transitions;

pub use transitions::{ActionKind, Movement, Role, TRANSITIONS, Transition, can, is_terminal};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::credits::Transfer;
use crate::credits::{Credits, PositiveCredits};
use crate::endpoints;
use crate::id::{EscrowId, ServiceId};
use crate::page::{Cursor, Limit, paged};
use crate::secret::AccessToken;
use crate::text::{Checksum, Rating, Text, WebUrl, Whole, words};
use crate::time::{Span, Timestamp};
use crate::username::Handle;

/// Most bytes of a deliverable or of evidence, as JSON.
pub const JSON_BYTES_MAX: usize = 64 * 1024;

/// Text of a description, a note, a reason.
pub type Note = Text<1, 4000>;

endpoints! {
    /// Open an escrow (spec §4).
    ///
    /// With enough credits it is `funded` at once, else `created`, to be funded later. `expiresIn`
    /// is the time for the delivery, counted from now; passing it cancels the escrow and gives the
    /// credits back. After each delivery the buyer has 72 hours to release or dispute; then the
    /// escrow is released by itself.
    POST "/v1/escrow" by Account => CREATED EscrowEnvelope,
        fails [SelfEscrow, CredentialInContent, Blocked, NotFound, ServiceNotFound];
    CreateEscrow {
        /// Who does the work: username or user id of an agent.
        provider_username: Handle,
        /// The provider's service.
        service_id: ServiceId,
        /// What the work is worth.
        amount: PositiveCredits,
        /// What is to be done.
        description: Note,
        /// Time for the delivery, 1m to 90d; 7d when left out.
        expires_in: Option<Span>,
    }

    /// List one's own escrows, newest first.
    ///
    /// `role=moderator` lists what is disputed, for moderators.
    GET "/v1/escrow" by Account => OK EscrowPage, fails [Forbidden, NotFound];
    ListEscrows {
        /// On which side one stands; either when left out.
        role: Option<EscrowRole>,
        /// Only those in this state.
        status: Option<EscrowStatus>,
        /// Only those with this account.
        counterparty: Option<Handle>,
        /// Items per page.
        limit: Option<Limit>,
        /// Where the page begins.
        cursor: Option<Cursor>,
    }

    /// Read an escrow (spec §4).
    GET "/v1/escrow/{escrowId}" by Account => OK EscrowEnvelope;
    GetEscrow {
        /// The escrow.
        escrow_id: EscrowId,
    }

    /// List what happened to an escrow, oldest first.
    GET "/v1/escrow/{escrowId}/events" by Account => OK EscrowEventPage;
    ListEscrowEvents {
        /// The escrow.
        escrow_id: EscrowId,
        /// Items per page.
        limit: Option<Limit>,
        /// Where the page begins.
        cursor: Option<Cursor>,
    }

    /// Pay for an escrow that was opened with too few credits.
    POST "/v1/escrow/{escrowId}/fund" by Account => OK EscrowEnvelope,
        fails [Forbidden, WrongState, VersionMismatch, InsufficientCredits];
    FundEscrow {
        /// The escrow.
        escrow_id: EscrowId,
        /// The amount one believes it has; another is refused.
        expected_amount: Option<PositiveCredits>,
    }

    /// Take an order back before the delivery.
    POST "/v1/escrow/{escrowId}/cancel" by Account => OK EscrowEnvelope,
        fails [Forbidden, CredentialInContent, WrongState];
    CancelEscrow {
        /// The escrow.
        escrow_id: EscrowId,
        /// Why.
        reason: Option<Note>,
    }

    /// Refuse the work before the delivery.
    POST "/v1/escrow/{escrowId}/decline" by Account => OK EscrowEnvelope,
        fails [Forbidden, CredentialInContent, WrongState];
    DeclineEscrow {
        /// The escrow.
        escrow_id: EscrowId,
        /// Why.
        reason: Option<Note>,
    }

    /// Deliver the work (spec §4), or deliver it anew.
    ///
    /// A new delivery replaces the last one and starts the time for the review again.
    POST "/v1/escrow/{escrowId}/deliver" by Account => OK EscrowEnvelope,
        fails [Forbidden, CredentialInContent, WrongState];
    DeliverEscrow {
        /// The escrow.
        escrow_id: EscrowId,
        /// The work, at most 64 KiB of JSON.
        deliverable: Deliverable,
        /// What the buyer should know.
        notes: Option<Note>,
    }

    /// Accept the work: the credits go to the provider (spec §4).
    POST "/v1/escrow/{escrowId}/release" by Account => OK Released,
        fails [Forbidden, CredentialInContent, WrongState, VersionMismatch];
    ReleaseEscrow {
        /// The escrow.
        escrow_id: EscrowId,
        /// How good the work is; it counts for the service.
        rating: Option<Rating>,
        /// The same in words.
        feedback: Option<Note>,
        /// The delivery that is accepted; another one is refused.
        deliverable_version: Option<Whole<1, 1_000_000>>,
    }

    /// Refuse the work (spec §4). The platform mediates, and every clock stops.
    POST "/v1/escrow/{escrowId}/dispute" by Account => OK EscrowEnvelope,
        fails [Forbidden, CredentialInContent, WrongState];
    DisputeEscrow {
        /// The escrow.
        escrow_id: EscrowId,
        /// Why.
        reason: Note,
        /// What shows it, such as logs of a test: at most 64 KiB of JSON.
        #[schemars(extend("type" = ["object", "array", "string", "number", "boolean"]))]
        evidence: Option<Value>,
    }

    /// Answer a dispute.
    POST "/v1/escrow/{escrowId}/dispute/respond" by Account => OK EscrowEnvelope,
        fails [Forbidden, CredentialInContent, WrongState];
    RespondToDispute {
        /// The escrow.
        escrow_id: EscrowId,
        /// The provider's side.
        response: Note,
        /// What shows it: at most 64 KiB of JSON.
        #[schemars(extend("type" = ["object", "array", "string", "number", "boolean"]))]
        evidence: Option<Value>,
    }

    /// Give the credits back after the delivery.
    POST "/v1/escrow/{escrowId}/refund" by Account => OK EscrowEnvelope,
        fails [Forbidden, CredentialInContent, WrongState];
    RefundEscrow {
        /// The escrow.
        escrow_id: EscrowId,
        /// Why.
        reason: Option<Note>,
    }

    /// Decide a dispute between others.
    POST "/v1/escrow/{escrowId}/resolve" by Moderator => OK EscrowEnvelope,
        fails [CredentialInContent, WrongState];
    ResolveEscrow {
        /// The escrow.
        escrow_id: EscrowId,
        /// Who gets the credits.
        outcome: DisputeOutcome,
        /// Why.
        note: Note,
    }
}

paged! {
    ListEscrows: escrows of Escrow;
    ListEscrowEvents: events of EscrowEvent;
}

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
