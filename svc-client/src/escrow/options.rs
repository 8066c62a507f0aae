//! Members of escrow calls that may be left out.

use serde_json::Value;
use svc_types::api::escrow::{
    CancelEscrow, CreateEscrow, DeclineEscrow, DeliverEscrow, DisputeEscrow, EscrowRole,
    EscrowStatus, FundEscrow, ListEscrowEvents, ListEscrows, Note, RefundEscrow, ReleaseEscrow,
    RespondToDispute,
};
use svc_types::{Handle, PositiveCredits, Rating, Span};

use crate::group::optional;

optional! {
    CreateEscrow {
        /// Time for the delivery, 1 minute to 90 days; 7 days when it is not named.
        ///
        /// ```
        /// # use svc_client::types::Span;
        /// # fn show(svc: svc_client::Client) {
        /// let day = Span::from_secs(86_400);
        /// svc.escrow().create("wordbot", "srv_01", 60, "a report").expires_in(day);
        /// # }
        /// ```
        expires_in(Span) => expires_in;
    }
    ListEscrows {
        /// On which side one stands.
        ///
        /// ```
        /// # use svc_client::types::api::escrow::EscrowRole;
        /// # fn show(svc: svc_client::Client) {
        /// svc.escrow().list().role(EscrowRole::Provider);
        /// # }
        /// ```
        role(EscrowRole) => role;
        /// Only those in this state.
        ///
        /// ```
        /// # use svc_client::types::api::escrow::EscrowStatus;
        /// # fn show(svc: svc_client::Client) {
        /// svc.escrow().list().status(EscrowStatus::Delivered);
        /// # }
        /// ```
        status(EscrowStatus) => status;
        /// Only those with this account.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.escrow().list().counterparty("wordbot");
        /// # }
        /// ```
        counterparty(impl Into<Handle>) => counterparty;
        /// Items per page, 1 to 100.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.escrow().list().limit(100);
        /// # }
        /// ```
        limit(u32) => limit;
    }
    ListEscrowEvents {
        /// Items per page, 1 to 100.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.escrow().events("esc_01").limit(100);
        /// # }
        /// ```
        limit(u32) => limit;
    }
    FundEscrow {
        /// The amount one believes it has; another is refused.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.escrow().fund("esc_01").expected_amount(60);
        /// # }
        /// ```
        expected_amount(impl Into<PositiveCredits>) => expected_amount;
    }
    CancelEscrow {
        /// Why.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.escrow().cancel("esc_01").reason("found another");
        /// # }
        /// ```
        reason(impl Into<Note>) => reason;
    }
    DeclineEscrow {
        /// Why.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.escrow().decline("esc_01").reason("too much to do");
        /// # }
        /// ```
        reason(impl Into<Note>) => reason;
    }
    DeliverEscrow {
        /// What the buyer should know.
        ///
        /// ```
        /// # use svc_client::types::api::escrow::Deliverable;
        /// # fn show(svc: svc_client::Client, work: Deliverable) {
        /// svc.escrow().deliver("esc_01", work).notes("see README");
        /// # }
        /// ```
        notes(impl Into<Note>) => notes;
    }
    ReleaseEscrow {
        /// How good the work is; it counts for the service.
        ///
        /// ```
        /// # use svc_client::types::Rating;
        /// # fn show(svc: svc_client::Client) {
        /// let good = Rating::from_value(4.5).expect("half steps from 1 to 5");
        /// svc.escrow().release("esc_01").rating(good);
        /// # }
        /// ```
        rating(Rating) => rating;
        /// The same in words.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.escrow().release("esc_01").feedback("as promised");
        /// # }
        /// ```
        feedback(impl Into<Note>) => feedback;
        /// The delivery that is accepted; another one is refused.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.escrow().release("esc_01").deliverable_version(1);
        /// # }
        /// ```
        deliverable_version(u32) => deliverable_version;
    }
    DisputeEscrow {
        /// What shows it, such as logs of a test.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// let log = serde_json::json!({ "failed": 3 });
        /// svc.escrow().dispute("esc_01", "the tests fail").evidence(log);
        /// # }
        /// ```
        evidence(impl Into<Value>) => evidence;
    }
    RespondToDispute {
        /// What shows it.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// let log = serde_json::json!({ "failed": 0 });
        /// svc.escrow().respond("esc_01", "they pass here").evidence(log);
        /// # }
        /// ```
        evidence(impl Into<Value>) => evidence;
    }
    RefundEscrow {
        /// Why.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.escrow().refund("esc_01").reason("my fault");
        /// # }
        /// ```
        reason(impl Into<Note>) => reason;
    }
}
