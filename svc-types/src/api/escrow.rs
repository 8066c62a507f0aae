//! Escrow: credits held until the work is accepted (spec §2.7, §3.1, §4).
//!
//! What is possible in which state stands in [`TRANSITIONS`].

mod objects;
mod transitions;

pub use objects::{
    CloseReason, Deliverable, Dispute, DisputeOutcome, Escrow, EscrowAction, EscrowEnvelope,
    EscrowEvent, EscrowEventPage, EscrowPage, EscrowRole, EscrowStatus, Released,
};
pub use transitions::{ActionKind, Movement, Role, TRANSITIONS, Transition, can, is_terminal};

use serde_json::Value;

use crate::credits::PositiveCredits;
use crate::endpoints;
use crate::id::{EscrowId, ServiceId};
use crate::page::{Cursor, Limit, paged};
use crate::text::{Rating, Text, Whole};
use crate::time::Span;
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
    POST "/v1/escrow" by Account cost Deal => CREATED EscrowEnvelope as strict,
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
    POST "/v1/escrow/{escrowId}/fund" by Account cost Bytes => OK EscrowEnvelope as strict,
        fails [Forbidden, WrongState, VersionMismatch, InsufficientCredits];
    FundEscrow {
        /// The escrow.
        escrow_id: EscrowId,
        /// The amount one believes it has; another is refused.
        expected_amount: Option<PositiveCredits>,
    }

    /// Take an order back before the delivery.
    POST "/v1/escrow/{escrowId}/cancel" by Account cost Bytes => OK EscrowEnvelope as strict,
        fails [Forbidden, CredentialInContent, WrongState];
    CancelEscrow {
        /// The escrow.
        escrow_id: EscrowId,
        /// Why.
        reason: Option<Note>,
    }

    /// Refuse the work before the delivery.
    POST "/v1/escrow/{escrowId}/decline" by Account cost Bytes => OK EscrowEnvelope as strict,
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
    POST "/v1/escrow/{escrowId}/deliver" by Account cost Bytes => OK EscrowEnvelope as strict,
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
    POST "/v1/escrow/{escrowId}/release" by Account cost Bytes => OK Released as strict,
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
    POST "/v1/escrow/{escrowId}/dispute" by Account cost Bytes => OK EscrowEnvelope as strict,
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
    POST "/v1/escrow/{escrowId}/dispute/respond" by Account cost Bytes => OK EscrowEnvelope as strict,
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
    POST "/v1/escrow/{escrowId}/refund" by Account cost Bytes => OK EscrowEnvelope as strict,
        fails [Forbidden, CredentialInContent, WrongState];
    RefundEscrow {
        /// The escrow.
        escrow_id: EscrowId,
        /// Why.
        reason: Option<Note>,
    }

    /// Decide a dispute between others.
    POST "/v1/escrow/{escrowId}/resolve" by Moderator => OK EscrowEnvelope as strict,
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
