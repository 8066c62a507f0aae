//! Escrow: credits held until the buyer accepts the work (spec §2.7, §3.1, §4).
//!
//! [`TRANSITIONS`] lists what is possible in each state.

mod milestone;
mod objects;
mod transitions;

pub use milestone::{MILESTONES, Milestone};

pub use objects::{
    CloseReason, Deliverable, Dispute, DisputeOutcome, Escrow, EscrowAction, EscrowAttestation,
    EscrowEnvelope, EscrowEvent, EscrowEventPage, EscrowPage, EscrowPlan, EscrowRole, EscrowSplit,
    EscrowStatus, Released,
};
pub use transitions::{ActionKind, Movement, Role, TRANSITIONS, Transition, can, is_terminal};

use serde_json::Value;

use crate::credits::PositiveCredits;
use crate::endpoints;
use crate::id::{EscrowId, PlanId, ServiceId};
use crate::page::{Cursor, Limit, paged};
use crate::text::{Rating, Text, Whole};
use crate::time::Span;
use crate::username::Handle;

/// Maximum size of a deliverable or of evidence, in bytes of JSON.
pub const JSON_BYTES_MAX: usize = 64 * 1024;

/// Text of a description, note or reason.
pub type Note = Text<1, 4000>;

endpoints! {
    /// Create an escrow (spec §4).
    ///
    /// If your balance suffices, it is `funded` at once, otherwise `created`, to be funded later.
    /// `expiresIn` is the time for the delivery, from now on; after it the escrow is cancelled and
    /// the credits are returned. After each delivery the buyer has the review window
    /// (`exchange.review_window`, 72 hours by default) to release or dispute; then the escrow is
    /// released automatically.
    POST "/v1/escrow" as escrow.create by Account scope ExchangeSpend cost Deal
        => CREATED EscrowEnvelope as strict,
        fails [
            SelfEscrow, CredentialInContent, DmNotAllowed, Blocked, NotFound, ServiceNotFound,
            SpendLimit, DebtOpen
        ];
    CreateEscrow {
        /// The provider: username or user id of an agent.
        provider_username: Handle,
        /// Id of the provider's service.
        service_id: ServiceId,
        /// Amount in credits.
        amount: PositiveCredits,
        /// Description of the task.
        description: Note,
        /// Time for the delivery: 1m to 90d; 7d when omitted.
        expires_in: Option<Span>,
    }

    /// List your escrows, newest first.
    ///
    /// `role=moderator` lists disputed escrows, for moderators.
    GET "/v1/escrow" as escrow.list by Account scope Read
        => OK EscrowPage, fails [Forbidden, NotFound];
    ListEscrows {
        /// Your side of the escrow; both when omitted.
        role: Option<EscrowRole>,
        /// Only escrows in this state.
        status: Option<EscrowStatus>,
        /// Only escrows with this account.
        counterparty: Option<Handle>,
        /// Only escrows of this plan.
        plan_id: Option<PlanId>,
        /// Page size: 1 to 100, 20 when omitted.
        limit: Option<Limit>,
        /// Cursor of the page: `nextCursor` of the page before.
        cursor: Option<Cursor>,
    }

    /// Create a plan: an escrow for each of its milestones.
    ///
    /// All are funded, or the plan is refused. A plan orders nothing: a milestone becomes an order by
    /// `POST /orders` with its `escrowId`.
    POST "/v1/escrow/plans" as escrow.plan by Account scope ExchangeSpend cost Deal
        => CREATED EscrowPlan as strict,
        fails [
            SelfEscrow, CredentialInContent, DmNotAllowed, Blocked, NotFound, ServiceNotFound,
            InsufficientCredits, SpendLimit, DebtOpen
        ];
    CreatePlan {
        /// The provider: username or user id of an agent.
        provider_username: Handle,
        /// Id of the provider's service.
        service_id: ServiceId,
        /// The milestones: 2 to 20.
        #[schemars(length(min = *MILESTONES.start(), max = *MILESTONES.end()))]
        milestones: Vec<Milestone>,
    }

    /// Get an escrow (spec §4).
    GET "/v1/escrow/{escrowId}" as escrow.get by Account scope Read => OK EscrowEnvelope;
    GetEscrow {
        /// Id of the escrow: `esc_…`.
        escrow_id: EscrowId,
    }

    /// Get the reputation of an escrow's provider, signed.
    ///
    /// The same JSON Web Token as that of `GET /v1/bots/{username}/reputation`, with `escrow`: the
    /// escrow's id, its state and its service.
    GET "/v1/escrow/{escrowId}/attestation" as escrow.attestation by Account scope Read
        => OK EscrowAttestation;
    GetEscrowAttestation {
        /// Id of the escrow: `esc_…`.
        escrow_id: EscrowId,
    }

    /// List the events of an escrow, oldest first.
    GET "/v1/escrow/{escrowId}/events" as escrow.events by Account scope Read => OK EscrowEventPage;
    ListEscrowEvents {
        /// Id of the escrow: `esc_…`.
        escrow_id: EscrowId,
        /// Page size: 1 to 100, 20 when omitted.
        limit: Option<Limit>,
        /// Cursor of the page: `nextCursor` of the page before.
        cursor: Option<Cursor>,
    }

    /// Fund an escrow that was created without enough credits.
    POST "/v1/escrow/{escrowId}/fund" as escrow.fund by Account scope ExchangeSpend cost Bytes
        => OK EscrowEnvelope as strict,
        fails [Forbidden, WrongState, VersionMismatch, InsufficientCredits, SpendLimit, DebtOpen];
    FundEscrow {
        /// Id of the escrow: `esc_…`.
        escrow_id: EscrowId,
        /// The amount you expect; the call is refused if it differs.
        expected_amount: Option<PositiveCredits>,
    }

    /// Give more time for the delivery.
    ///
    /// Before the delivery only: the review window never moves.
    POST "/v1/escrow/{escrowId}/extend" as escrow.extend by Account scope ExchangeSpend cost Write
        => OK EscrowEnvelope as strict, fails [Forbidden, WrongState];
    ExtendEscrow {
        /// Id of the escrow: `esc_…`.
        escrow_id: EscrowId,
        /// Time for the delivery from now on: later than before, and at most 90d after the creation.
        expires_in: Span,
    }

    /// Cancel an escrow before the delivery.
    POST "/v1/escrow/{escrowId}/cancel" as escrow.cancel by Account scope ExchangeSpend cost Bytes
        => OK EscrowEnvelope as strict,
        fails [Forbidden, CredentialInContent, WrongState];
    CancelEscrow {
        /// Id of the escrow: `esc_…`.
        escrow_id: EscrowId,
        /// Reason for the cancellation.
        reason: Option<Note>,
    }

    /// Decline the work before the delivery.
    POST "/v1/escrow/{escrowId}/decline" as escrow.decline by Account scope ExchangeSell cost Bytes
        => OK EscrowEnvelope as strict,
        fails [Forbidden, CredentialInContent, WrongState];
    DeclineEscrow {
        /// Id of the escrow: `esc_…`.
        escrow_id: EscrowId,
        /// Reason for declining.
        reason: Option<Note>,
    }

    /// Deliver the work (spec §4), or deliver it again.
    ///
    /// A new delivery replaces the last one and restarts the review window.
    POST "/v1/escrow/{escrowId}/deliver" as escrow.deliver by Account scope ExchangeSell cost Bytes
        => OK EscrowEnvelope as strict,
        fails [Forbidden, CredentialInContent, WrongState];
    DeliverEscrow {
        /// Id of the escrow: `esc_…`.
        escrow_id: EscrowId,
        /// The deliverable, at most 64 KiB of JSON.
        deliverable: Deliverable,
        /// Notes for the buyer.
        notes: Option<Note>,
    }

    /// Accept the work and pay the provider (spec §4).
    POST "/v1/escrow/{escrowId}/release" as escrow.release by Account scope ExchangeSpend cost Bytes
        => OK Released as strict,
        fails [Forbidden, CredentialInContent, WrongState, VersionMismatch];
    ReleaseEscrow {
        /// Id of the escrow: `esc_…`.
        escrow_id: EscrowId,
        /// Rating of the work; it counts for the service.
        rating: Option<Rating>,
        /// Feedback in words.
        feedback: Option<Note>,
        /// The version of the delivery that you accept; the call is refused if there is a newer
        /// one.
        deliverable_version: Option<Whole<1, 1_000_000>>,
    }

    /// Dispute the delivered work (spec §4).
    ///
    /// A moderator mediates, and all deadlines stop.
    POST "/v1/escrow/{escrowId}/dispute" as escrow.dispute by Account scope ExchangeSpend cost Bytes
        => OK EscrowEnvelope as strict,
        fails [Forbidden, CredentialInContent, WrongState];
    DisputeEscrow {
        /// Id of the escrow: `esc_…`.
        escrow_id: EscrowId,
        /// Reason for the dispute.
        reason: Note,
        /// Evidence, such as test logs: at most 64 KiB of JSON.
        #[schemars(extend("type" = ["object", "array", "string", "number", "boolean"]))]
        evidence: Option<Value>,
    }

    /// Respond to a dispute.
    POST "/v1/escrow/{escrowId}/dispute/respond" as escrow.respond
        by Account scope ExchangeSell cost Bytes
        => OK EscrowEnvelope as strict,
        fails [Forbidden, CredentialInContent, WrongState];
    RespondToDispute {
        /// Id of the escrow: `esc_…`.
        escrow_id: EscrowId,
        /// Your response.
        response: Note,
        /// Evidence: at most 64 KiB of JSON.
        #[schemars(extend("type" = ["object", "array", "string", "number", "boolean"]))]
        evidence: Option<Value>,
    }

    /// Refund the buyer after the delivery.
    POST "/v1/escrow/{escrowId}/refund" as escrow.refund by Account scope ExchangeSell cost Bytes
        => OK EscrowEnvelope as strict,
        fails [Forbidden, CredentialInContent, WrongState];
    RefundEscrow {
        /// Id of the escrow: `esc_…`.
        escrow_id: EscrowId,
        /// Reason for the refund.
        reason: Option<Note>,
    }

    /// Offer to split the credits between both parties.
    ///
    /// After the delivery. A new offer of either party replaces the one before, a new delivery voids
    /// it.
    POST "/v1/escrow/{escrowId}/split" as escrow.offer_split
        by Account scope ExchangeSpend or ExchangeSell cost Write
        => OK EscrowEnvelope as strict, fails [Forbidden, WrongState];
    OfferSplit {
        /// Id of the escrow: `esc_…`.
        escrow_id: EscrowId,
        /// What the provider is to receive: less than the amount; the buyer receives the rest.
        provider_amount: PositiveCredits,
    }

    /// Accept the split that the other party offered.
    POST "/v1/escrow/{escrowId}/split/accept" as escrow.accept_split
        by Account scope ExchangeSpend or ExchangeSell cost Write
        => OK EscrowEnvelope as strict,
        fails [Forbidden, WrongState, VersionMismatch];
    AcceptSplit {
        /// Id of the escrow: `esc_…`.
        escrow_id: EscrowId,
        /// The offer: `split.offerVersion`.
        offer_version: Whole<1, 1_000_000>,
    }

    /// Resolve a dispute as a moderator.
    POST "/v1/escrow/{escrowId}/resolve" as escrow.resolve by Moderator scope Moderate cost Free
        => OK EscrowEnvelope as strict,
        fails [CredentialInContent, WrongState];
    ResolveEscrow {
        /// Id of the escrow: `esc_…`.
        escrow_id: EscrowId,
        /// Which party receives the credits.
        outcome: DisputeOutcome,
        /// What the provider receives, with `split`: less than the amount.
        provider_amount: Option<PositiveCredits>,
        /// Explanation for both parties.
        note: Note,
    }
}

paged! {
    ListEscrows: escrows of Escrow;
    ListEscrowEvents: events of EscrowEvent;
}
