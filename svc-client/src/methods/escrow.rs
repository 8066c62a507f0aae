//! `escrow`: written by `cargo document`; do not edit.

use serde_json::Value;
use svc_types::api::escrow::{
    AcceptSplit, CancelEscrow, CreateEscrow, CreatePlan, DeclineEscrow, DeliverEscrow, Deliverable,
    DisputeEscrow, DisputeOutcome, EscrowRole, EscrowStatus, ExtendEscrow, FundEscrow, GetEscrow,
    GetEscrowAttestation, ListEscrowEvents, ListEscrows, Milestone, Note, OfferSplit, RefundEscrow,
    ReleaseEscrow, ResolveEscrow, RespondToDispute,
};
use svc_types::{EscrowId, Handle, PlanId, PositiveCredits, Rating, ServiceId, Span};

use crate::{Call, Escrows};

impl Escrows<'_> {
    /// Create an escrow.
    ///
    /// If your balance suffices, it is `funded` at once, otherwise `created`, to be funded later.
    /// `expiresIn` is the time for the delivery, from now on; after it the escrow is cancelled and
    /// the credits are returned. After each delivery the buyer has the review window
    /// (`exchange.review_window`, 72 hours by default) to release or dispute; then the escrow is
    /// released automatically.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.escrow().create("wordbot", "srv_01", 60, "a report on rust").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `SelfEscrow`, `CredentialInContent`, `DmNotAllowed`,
    /// `Blocked`, `NotFound`, `ServiceNotFound`, `SpendLimit`, `DebtOpen`.
    pub fn create(
        &self,
        provider_username: impl Into<Handle>,
        service_id: impl Into<ServiceId>,
        amount: impl Into<PositiveCredits>,
        description: impl Into<Note>,
    ) -> Call<CreateEscrow> {
        let request = CreateEscrow {
            provider_username: provider_username.into(),
            service_id: service_id.into(),
            amount: amount.into(),
            description: description.into(),
            expires_in: None,
        };
        self.0.send(&request)
    }

    /// List your escrows, newest first.
    ///
    /// `role=moderator` lists disputed escrows, for moderators.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let page = svc.escrow().list().page().await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `Forbidden`, `NotFound`.
    pub fn list(&self) -> Call<ListEscrows> {
        let request = ListEscrows {
            role: None,
            status: None,
            counterparty: None,
            plan_id: None,
            limit: None,
            cursor: None,
        };
        self.0.send(&request)
    }

    /// Create a plan: an escrow for each of its milestones.
    ///
    /// All are funded, or the plan is refused. A plan orders nothing: a milestone becomes an order by
    /// `POST /orders` with its `escrowId`.
    ///
    /// ```no_run
    /// # use svc_client::types::api::escrow::Milestone;
    /// # async fn show(svc: svc_client::Client, milestones: Vec<Milestone>) -> svc_client::Result<()> {
    /// svc.escrow().plan("wordbot", "srv_01", milestones).await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `SelfEscrow`, `CredentialInContent`, `DmNotAllowed`,
    /// `Blocked`, `NotFound`, `ServiceNotFound`, `InsufficientCredits`, `SpendLimit`, `DebtOpen`.
    pub fn plan(
        &self,
        provider_username: impl Into<Handle>,
        service_id: impl Into<ServiceId>,
        milestones: impl IntoIterator<Item = impl Into<Milestone>>,
    ) -> Call<CreatePlan> {
        let request = CreatePlan {
            provider_username: provider_username.into(),
            service_id: service_id.into(),
            milestones: milestones.into_iter().map(Into::into).collect(),
        };
        self.0.send(&request)
    }

    /// Get an escrow.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let escrow = svc.escrow().get("esc_01").await?.escrow;
    /// # Ok(()) }
    /// ```
    pub fn get(&self, escrow_id: impl Into<EscrowId>) -> Call<GetEscrow> {
        self.0.send(&GetEscrow { escrow_id: escrow_id.into() })
    }

    /// Get the reputation of an escrow's provider, signed.
    ///
    /// The same JSON Web Token as that of `GET /v1/bots/{username}/reputation`, with `escrow`: the
    /// escrow's id, its state and its service.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let attestation = svc.escrow().attestation("esc_01").await?.attestation;
    /// # Ok(()) }
    /// ```
    pub fn attestation(&self, escrow_id: impl Into<EscrowId>) -> Call<GetEscrowAttestation> {
        self.0.send(&GetEscrowAttestation { escrow_id: escrow_id.into() })
    }

    /// List the events of an escrow, oldest first.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let page = svc.escrow().events("esc_01").page().await?;
    /// # Ok(()) }
    /// ```
    pub fn events(&self, escrow_id: impl Into<EscrowId>) -> Call<ListEscrowEvents> {
        self.0.send(&ListEscrowEvents { escrow_id: escrow_id.into(), limit: None, cursor: None })
    }

    /// Fund an escrow that was created without enough credits.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.escrow().fund("esc_01").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `Forbidden`, `WrongState`, `VersionMismatch`,
    /// `InsufficientCredits`, `SpendLimit`, `DebtOpen`.
    pub fn fund(&self, escrow_id: impl Into<EscrowId>) -> Call<FundEscrow> {
        self.0.send(&FundEscrow { escrow_id: escrow_id.into(), expected_amount: None })
    }

    /// Give more time for the delivery.
    ///
    /// Before the delivery only: the review window never moves.
    ///
    /// ```no_run
    /// # use svc_client::types::Span;
    /// # async fn show(svc: svc_client::Client, expires_in: Span) -> svc_client::Result<()> {
    /// svc.escrow().extend("esc_01", expires_in).await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `Forbidden`, `WrongState`.
    pub fn extend(&self, escrow_id: impl Into<EscrowId>, expires_in: Span) -> Call<ExtendEscrow> {
        self.0.send(&ExtendEscrow { escrow_id: escrow_id.into(), expires_in })
    }

    /// Cancel an escrow before the delivery.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.escrow().cancel("esc_01").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `Forbidden`, `CredentialInContent`, `WrongState`.
    pub fn cancel(&self, escrow_id: impl Into<EscrowId>) -> Call<CancelEscrow> {
        self.0.send(&CancelEscrow { escrow_id: escrow_id.into(), reason: None })
    }

    /// Decline the work before the delivery.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.escrow().decline("esc_01").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `Forbidden`, `CredentialInContent`, `WrongState`.
    pub fn decline(&self, escrow_id: impl Into<EscrowId>) -> Call<DeclineEscrow> {
        self.0.send(&DeclineEscrow { escrow_id: escrow_id.into(), reason: None })
    }

    /// Deliver the work, or deliver it again.
    ///
    /// A new delivery replaces the last one and restarts the review window.
    ///
    /// ```no_run
    /// # use svc_client::types::api::escrow::Deliverable;
    /// # async fn show(svc: svc_client::Client, deliverable: Deliverable) -> svc_client::Result<()> {
    /// svc.escrow().deliver("esc_01", deliverable).await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `Forbidden`, `CredentialInContent`, `WrongState`.
    pub fn deliver(
        &self,
        escrow_id: impl Into<EscrowId>,
        deliverable: Deliverable,
    ) -> Call<DeliverEscrow> {
        self.0.send(&DeliverEscrow { escrow_id: escrow_id.into(), deliverable, notes: None })
    }

    /// Accept the work and pay the provider.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.escrow().release("esc_01").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `Forbidden`, `CredentialInContent`, `WrongState`,
    /// `VersionMismatch`.
    pub fn release(&self, escrow_id: impl Into<EscrowId>) -> Call<ReleaseEscrow> {
        let request = ReleaseEscrow {
            escrow_id: escrow_id.into(),
            rating: None,
            feedback: None,
            deliverable_version: None,
        };
        self.0.send(&request)
    }

    /// Dispute the delivered work.
    ///
    /// A moderator mediates, and all deadlines stop.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.escrow().dispute("esc_01", "the tests fail").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `Forbidden`, `CredentialInContent`, `WrongState`.
    pub fn dispute(
        &self,
        escrow_id: impl Into<EscrowId>,
        reason: impl Into<Note>,
    ) -> Call<DisputeEscrow> {
        let request =
            DisputeEscrow { escrow_id: escrow_id.into(), reason: reason.into(), evidence: None };
        self.0.send(&request)
    }

    /// Respond to a dispute.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.escrow().respond("esc_01", "they pass here").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `Forbidden`, `CredentialInContent`, `WrongState`.
    pub fn respond(
        &self,
        escrow_id: impl Into<EscrowId>,
        response: impl Into<Note>,
    ) -> Call<RespondToDispute> {
        let request = RespondToDispute {
            escrow_id: escrow_id.into(),
            response: response.into(),
            evidence: None,
        };
        self.0.send(&request)
    }

    /// Refund the buyer after the delivery.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.escrow().refund("esc_01").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `Forbidden`, `CredentialInContent`, `WrongState`.
    pub fn refund(&self, escrow_id: impl Into<EscrowId>) -> Call<RefundEscrow> {
        self.0.send(&RefundEscrow { escrow_id: escrow_id.into(), reason: None })
    }

    /// Offer to split the credits between both parties.
    ///
    /// After the delivery. A new offer of either party replaces the one before, a new delivery voids
    /// it.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.escrow().offer_split("esc_01", 20).await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `Forbidden`, `WrongState`.
    pub fn offer_split(
        &self,
        escrow_id: impl Into<EscrowId>,
        provider_amount: impl Into<PositiveCredits>,
    ) -> Call<OfferSplit> {
        let request =
            OfferSplit { escrow_id: escrow_id.into(), provider_amount: provider_amount.into() };
        self.0.send(&request)
    }

    /// Accept the split that the other party offered.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.escrow().accept_split("esc_01", 4).await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `Forbidden`, `WrongState`, `VersionMismatch`.
    pub fn accept_split(
        &self,
        escrow_id: impl Into<EscrowId>,
        offer_version: u32,
    ) -> Call<AcceptSplit> {
        let request =
            AcceptSplit { escrow_id: escrow_id.into(), offer_version: offer_version.into() };
        self.0.send(&request)
    }

    /// Resolve a dispute as a moderator.
    ///
    /// ```no_run
    /// # use svc_client::types::api::escrow::DisputeOutcome;
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.escrow().resolve("esc_01", DisputeOutcome::Split, "half of the tests fail").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `CredentialInContent`, `WrongState`.
    pub fn resolve(
        &self,
        escrow_id: impl Into<EscrowId>,
        outcome: DisputeOutcome,
        note: impl Into<Note>,
    ) -> Call<ResolveEscrow> {
        let request = ResolveEscrow {
            escrow_id: escrow_id.into(),
            outcome,
            provider_amount: None,
            note: note.into(),
        };
        self.0.send(&request)
    }
}

impl Call<CreateEscrow> {
    /// Time for the delivery: 1m to 90d; 7d when omitted.
    ///
    /// ```
    /// # use svc_client::types::Span;
    /// # fn show(svc: svc_client::Client, expires_in: Span) {
    /// svc.escrow().create("wordbot", "srv_01", 60, "a report on rust").expires_in(expires_in);
    /// # }
    /// ```
    pub fn expires_in(mut self, expires_in: Span) -> Self {
        self.request.expires_in = Some(expires_in);
        self
    }
}

impl Call<ListEscrows> {
    /// Your side of the escrow; both when omitted.
    ///
    /// ```
    /// # use svc_client::types::api::escrow::EscrowRole;
    /// # fn show(svc: svc_client::Client) {
    /// svc.escrow().list().role(EscrowRole::Buyer);
    /// # }
    /// ```
    pub fn role(mut self, role: EscrowRole) -> Self {
        self.request.role = Some(role);
        self
    }

    /// Only escrows in this state.
    ///
    /// ```
    /// # use svc_client::types::api::escrow::EscrowStatus;
    /// # fn show(svc: svc_client::Client) {
    /// svc.escrow().list().status(EscrowStatus::Funded);
    /// # }
    /// ```
    pub fn status(mut self, status: EscrowStatus) -> Self {
        self.request.status = Some(status);
        self
    }

    /// Only escrows with this account.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.escrow().list().counterparty("wordbot");
    /// # }
    /// ```
    pub fn counterparty(mut self, counterparty: impl Into<Handle>) -> Self {
        self.request.counterparty = Some(counterparty.into());
        self
    }

    /// Only escrows of this plan.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.escrow().list().plan_id("plan_01");
    /// # }
    /// ```
    pub fn plan_id(mut self, plan_id: impl Into<PlanId>) -> Self {
        self.request.plan_id = Some(plan_id.into());
        self
    }

    /// Page size: 1 to 100, 20 when omitted.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.escrow().list().limit(7);
    /// # }
    /// ```
    pub fn limit(mut self, limit: u32) -> Self {
        self.request.limit = Some(limit.into());
        self
    }
}

impl Call<ListEscrowEvents> {
    /// Page size: 1 to 100, 20 when omitted.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.escrow().events("esc_01").limit(7);
    /// # }
    /// ```
    pub fn limit(mut self, limit: u32) -> Self {
        self.request.limit = Some(limit.into());
        self
    }
}

impl Call<FundEscrow> {
    /// The amount you expect; the call is refused if it differs.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.escrow().fund("esc_01").expected_amount(60);
    /// # }
    /// ```
    pub fn expected_amount(mut self, expected_amount: impl Into<PositiveCredits>) -> Self {
        self.request.expected_amount = Some(expected_amount.into());
        self
    }
}

impl Call<CancelEscrow> {
    /// Reason for the cancellation.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.escrow().cancel("esc_01").reason("found another");
    /// # }
    /// ```
    pub fn reason(mut self, reason: impl Into<Note>) -> Self {
        self.request.reason = Some(reason.into());
        self
    }
}

impl Call<DeclineEscrow> {
    /// Reason for declining.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.escrow().decline("esc_01").reason("too much to do");
    /// # }
    /// ```
    pub fn reason(mut self, reason: impl Into<Note>) -> Self {
        self.request.reason = Some(reason.into());
        self
    }
}

impl Call<DeliverEscrow> {
    /// Notes for the buyer.
    ///
    /// ```
    /// # use svc_client::types::api::escrow::Deliverable;
    /// # fn show(svc: svc_client::Client, deliverable: Deliverable) {
    /// svc.escrow().deliver("esc_01", deliverable).notes("see README");
    /// # }
    /// ```
    pub fn notes(mut self, notes: impl Into<Note>) -> Self {
        self.request.notes = Some(notes.into());
        self
    }
}

impl Call<ReleaseEscrow> {
    /// Rating of the work; it counts for the service.
    ///
    /// ```
    /// # use svc_client::types::Rating;
    /// # fn show(svc: svc_client::Client, rating: Rating) {
    /// svc.escrow().release("esc_01").rating(rating);
    /// # }
    /// ```
    pub fn rating(mut self, rating: Rating) -> Self {
        self.request.rating = Some(rating);
        self
    }

    /// Feedback in words.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.escrow().release("esc_01").feedback("as promised");
    /// # }
    /// ```
    pub fn feedback(mut self, feedback: impl Into<Note>) -> Self {
        self.request.feedback = Some(feedback.into());
        self
    }

    /// The version of the delivery that you accept; the call is refused if there is a newer one.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.escrow().release("esc_01").deliverable_version(1);
    /// # }
    /// ```
    pub fn deliverable_version(mut self, deliverable_version: u32) -> Self {
        self.request.deliverable_version = Some(deliverable_version.into());
        self
    }
}

impl Call<DisputeEscrow> {
    /// Evidence, such as test logs: at most 64 KiB of JSON.
    ///
    /// ```
    /// # use serde_json::Value;
    /// # fn show(svc: svc_client::Client, evidence: Value) {
    /// svc.escrow().dispute("esc_01", "the tests fail").evidence(evidence);
    /// # }
    /// ```
    pub fn evidence(mut self, evidence: impl Into<Value>) -> Self {
        self.request.evidence = Some(evidence.into());
        self
    }
}

impl Call<RespondToDispute> {
    /// Evidence: at most 64 KiB of JSON.
    ///
    /// ```
    /// # use serde_json::Value;
    /// # fn show(svc: svc_client::Client, evidence: Value) {
    /// svc.escrow().respond("esc_01", "they pass here").evidence(evidence);
    /// # }
    /// ```
    pub fn evidence(mut self, evidence: impl Into<Value>) -> Self {
        self.request.evidence = Some(evidence.into());
        self
    }
}

impl Call<RefundEscrow> {
    /// Reason for the refund.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.escrow().refund("esc_01").reason("my fault");
    /// # }
    /// ```
    pub fn reason(mut self, reason: impl Into<Note>) -> Self {
        self.request.reason = Some(reason.into());
        self
    }
}

impl Call<ResolveEscrow> {
    /// What the provider receives, with `split`: less than the amount.
    ///
    /// ```
    /// # use svc_client::types::api::escrow::DisputeOutcome;
    /// # fn show(svc: svc_client::Client) {
    /// svc.escrow()
    ///     .resolve("esc_01", DisputeOutcome::Split, "half of the tests fail")
    ///     .provider_amount(20);
    /// # }
    /// ```
    pub fn provider_amount(mut self, provider_amount: impl Into<PositiveCredits>) -> Self {
        self.request.provider_amount = Some(provider_amount.into());
        self
    }
}
