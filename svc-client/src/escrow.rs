//! Escrow: credits held until the work is accepted.

mod options;

use svc_types::api::escrow::{
    CancelEscrow, CreateEscrow, DeclineEscrow, DeliverEscrow, Deliverable, DisputeEscrow,
    DisputeOutcome, FundEscrow, GetEscrow, ListEscrowEvents, ListEscrows, Note, RefundEscrow,
    ReleaseEscrow, ResolveEscrow, RespondToDispute,
};
use svc_types::{EscrowId, Handle, PositiveCredits, ServiceId};

use crate::call::Call;
use crate::group::group;

group! {
    /// Escrow: credits held until the work is accepted.
    Escrows by escrow
}

impl Escrows<'_> {
    /// Opens an escrow as the buyer: `funded` with enough credits, else `created`.
    ///
    /// ```no_run
    /// # use svc_client::types::api::escrow::EscrowStatus;
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let opened = svc.escrow().create("wordbot", "srv_01", 60, "a report on rust").await?;
    /// assert_eq!(opened.escrow.status, EscrowStatus::Funded);
    /// # Ok(()) }
    /// ```
    pub fn create(
        &self,
        provider: impl Into<Handle>,
        service: impl Into<ServiceId>,
        amount: impl Into<PositiveCredits>,
        description: impl Into<Note>,
    ) -> Call<CreateEscrow> {
        self.0.send(&CreateEscrow {
            provider_username: provider.into(),
            service_id: service.into(),
            amount: amount.into(),
            description: description.into(),
            expires_in: None,
        })
    }

    /// Lists one's own escrows, newest first.
    ///
    /// ```no_run
    /// # use svc_client::types::api::escrow::EscrowStatus;
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let work = svc.escrow().list().status(EscrowStatus::Funded).page().await?.items;
    /// # Ok(()) }
    /// ```
    pub fn list(&self) -> Call<ListEscrows> {
        self.0.send(&ListEscrows {
            role: None,
            status: None,
            counterparty: None,
            limit: None,
            cursor: None,
        })
    }

    /// Reads an escrow.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// println!("{}", svc.escrow().get("esc_01").await?.escrow.status);
    /// # Ok(()) }
    /// ```
    pub fn get(&self, id: impl Into<EscrowId>) -> Call<GetEscrow> {
        let escrow_id = id.into();
        self.0.send(&GetEscrow { escrow_id })
    }

    /// Lists what happened to an escrow, oldest first.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// for event in svc.escrow().events("esc_01").page().await?.items {
    ///     println!("{} {}", event.at, event.action);
    /// }
    /// # Ok(()) }
    /// ```
    pub fn events(&self, id: impl Into<EscrowId>) -> Call<ListEscrowEvents> {
        self.0.send(&ListEscrowEvents { escrow_id: id.into(), limit: None, cursor: None })
    }

    /// Pays for an escrow that was opened with too few credits.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.escrow().fund("esc_01").expected_amount(60).await?;
    /// # Ok(()) }
    /// ```
    pub fn fund(&self, id: impl Into<EscrowId>) -> Call<FundEscrow> {
        self.0.send(&FundEscrow { escrow_id: id.into(), expected_amount: None })
    }

    /// Takes an order back before the delivery.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.escrow().cancel("esc_01").reason("found another").await?;
    /// # Ok(()) }
    /// ```
    pub fn cancel(&self, id: impl Into<EscrowId>) -> Call<CancelEscrow> {
        self.0.send(&CancelEscrow { escrow_id: id.into(), reason: None })
    }

    /// Refuses the work before the delivery.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.escrow().decline("esc_01").reason("too much to do").await?;
    /// # Ok(()) }
    /// ```
    pub fn decline(&self, id: impl Into<EscrowId>) -> Call<DeclineEscrow> {
        self.0.send(&DeclineEscrow { escrow_id: id.into(), reason: None })
    }

    /// Delivers the work, or delivers it anew.
    ///
    /// ```no_run
    /// # use svc_client::types::api::escrow::Deliverable;
    /// # async fn show(svc: svc_client::Client, checksum: &str) -> svc_client::Result<()> {
    /// let work = Deliverable::code("https://git.example.org/report", "main", checksum);
    /// svc.escrow().deliver("esc_01", work).notes("see README").await?;
    /// # Ok(()) }
    /// ```
    pub fn deliver(&self, id: impl Into<EscrowId>, work: Deliverable) -> Call<DeliverEscrow> {
        self.0.send(&DeliverEscrow { escrow_id: id.into(), deliverable: work, notes: None })
    }

    /// Accepts the work: the credits go to the provider.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let released = svc.escrow().release("esc_01").deliverable_version(1).await?;
    /// println!("{} credits to {}", released.transfer.amount, released.transfer.to);
    /// # Ok(()) }
    /// ```
    pub fn release(&self, id: impl Into<EscrowId>) -> Call<ReleaseEscrow> {
        self.0.send(&ReleaseEscrow {
            escrow_id: id.into(),
            rating: None,
            feedback: None,
            deliverable_version: None,
        })
    }

    /// Refuses the work; the platform mediates, and every clock stops.
    ///
    /// ```no_run
    /// # use serde_json::json;
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.escrow().dispute("esc_01", "the tests fail").evidence(json!({ "failed": 3 })).await?;
    /// # Ok(()) }
    /// ```
    pub fn dispute(&self, id: impl Into<EscrowId>, reason: impl Into<Note>) -> Call<DisputeEscrow> {
        self.0.send(&DisputeEscrow { escrow_id: id.into(), reason: reason.into(), evidence: None })
    }

    /// Answers a dispute.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.escrow().respond("esc_01", "they pass here").await?;
    /// # Ok(()) }
    /// ```
    pub fn respond(
        &self,
        id: impl Into<EscrowId>,
        response: impl Into<Note>,
    ) -> Call<RespondToDispute> {
        self.0.send(&RespondToDispute {
            escrow_id: id.into(),
            response: response.into(),
            evidence: None,
        })
    }

    /// Gives the credits back after the delivery.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.escrow().refund("esc_01").reason("my fault").await?;
    /// # Ok(()) }
    /// ```
    pub fn refund(&self, id: impl Into<EscrowId>) -> Call<RefundEscrow> {
        self.0.send(&RefundEscrow { escrow_id: id.into(), reason: None })
    }

    /// Decides a dispute between others; for moderators.
    ///
    /// ```no_run
    /// # use svc_client::types::api::escrow::DisputeOutcome;
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.escrow().resolve("esc_01", DisputeOutcome::Refund, "the tests fail indeed").await?;
    /// # Ok(()) }
    /// ```
    pub fn resolve(
        &self,
        id: impl Into<EscrowId>,
        outcome: DisputeOutcome,
        note: impl Into<Note>,
    ) -> Call<ResolveEscrow> {
        self.0.send(&ResolveEscrow { escrow_id: id.into(), outcome, note: note.into() })
    }
}
