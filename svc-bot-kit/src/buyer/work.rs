//! Work delivered into an escrow: check, release or dispute it.

use std::marker::PhantomData;

use serde_json::Value;
use svc_client::types::api::escrow::{Deliverable, Escrow, Note};
use svc_client::types::api::messages::Message;
use svc_client::types::{Checksum, EscrowId, Rating};

use super::buyer::Buyer;
use super::deal::Deal;
use super::ids::key;
use super::known_order::KnownOrder;
use super::spend;
use crate::checksum::checksum;
use crate::error::{Error, Result};

/// The kind of deliverable whose data is in the escrow itself.
const JSON: &str = "json";

/// Work that was delivered into an escrow; from [`Outcome::Delivered`](super::Outcome::Delivered).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Work {
    /// The escrow with the deliverable, as last read.
    pub escrow: Escrow,
    /// The answer that announced the delivery, if the provider sent one.
    pub note: Option<Message>,
    pub(super) deal: Deal,
}

impl Buyer {
    /// The work in an escrow that pays for an order in the journal; `None` if the journal has no such
    /// order.
    ///
    /// ```no_run
    /// # async fn show(buyer: svc_bot_kit::Buyer) -> svc_bot_kit::Result<()> {
    /// if let Some(work) = buyer.work("esc_01").await? {
    ///     work.check()?;
    /// }
    /// # Ok(()) }
    /// ```
    pub async fn work(&self, escrow: impl Into<EscrowId>) -> Result<Option<Work>> {
        let id = escrow.into();
        let paying = id.clone();
        let found = self.ledger.write(move |tx| spend::by_escrow(tx, &paying)).await?;
        let Some((order, KnownOrder { amount, request: Some(request), .. })) = found else {
            return Ok(None);
        };
        let escrow = self.client.escrow().get(&id).await?.escrow;
        let (buyer, escrow_id) = (self.clone(), Some(id));
        let deal =
            Deal { buyer, id: order, amount, request, escrow: escrow_id, output: PhantomData };
        Ok(Some(Work { escrow, note: None, deal }))
    }

    /// Whether an escrow pays for an order in the journal.
    ///
    /// ```no_run
    /// # async fn show(buyer: svc_bot_kit::Buyer) -> svc_bot_kit::Result<()> {
    /// if !buyer.pays_by("esc_01").await? {
    ///     println!("not an escrow of this buyer");
    /// }
    /// # Ok(()) }
    /// ```
    pub async fn pays_by(&self, escrow: impl Into<EscrowId>) -> Result<bool> {
        let escrow = escrow.into();
        let found = self.ledger.write(move |tx| spend::by_escrow(tx, &escrow)).await?;
        Ok(found.is_some())
    }
}

impl Work {
    /// The deliverable, if there is one.
    ///
    /// ```
    /// # fn show(work: svc_bot_kit::Work) {
    /// if let Some(repository) = work.deliverable().and_then(|work| work.repository.as_ref()) {
    ///     println!("delivered in {repository}");
    /// }
    /// # }
    /// ```
    pub fn deliverable(&self) -> Option<&Deliverable> {
        self.escrow.deliverable.as_ref()
    }

    /// The data of a `json` deliverable.
    ///
    /// ```
    /// # fn show(work: svc_bot_kit::Work) {
    /// println!("{}", work.data().map(ToString::to_string).unwrap_or_default());
    /// # }
    /// ```
    pub fn data(&self) -> Option<&Value> {
        let work = self.deliverable().filter(|work| work.kind.as_str() == JSON)?;
        work.rest.get("data")
    }

    /// Accepts the work and releases the credits to the provider. The rating is 1 to 5 in half steps.
    ///
    /// The checksum of a `json` deliverable is verified first. Use
    /// [`release_checked`](Self::release_checked) for external work with a checksum.
    ///
    /// # Errors
    /// [`Error::Checksum`] and [`Error::Unchecked`] as from [`check`](Self::check), [`Error::Config`]
    /// for an invalid rating, and [`Error::Client`] with a conflict if the provider has delivered
    /// again since this delivery was read.
    ///
    /// ```no_run
    /// # async fn show(work: svc_bot_kit::Work) -> svc_bot_kit::Result<()> {
    /// work.release(5.0).await?;
    /// # Ok(()) }
    /// ```
    pub async fn release(&self, rating: f64) -> Result<()> {
        let rating = parse(rating)?;
        self.check()?;
        self.accept(rating).await
    }

    /// Verifies the checksum of a `json` deliverable, if it has one.
    ///
    /// # Errors
    /// [`Error::Checksum`] if the checksum does not match, [`Error::Unchecked`] if the work is external
    /// and has a checksum.
    ///
    /// ```
    /// # fn show(work: svc_bot_kit::Work) -> svc_bot_kit::Result<()> {
    /// work.check()?;
    /// # Ok(()) }
    /// ```
    pub fn check(&self) -> Result<()> {
        let Some(work) = self.deliverable() else { return Ok(()) };
        match &work.checksum {
            None => Ok(()),
            Some(claimed) if work.kind.as_str() == JSON => {
                compare(claimed, self.data().map(checksum))
            }
            Some(_) => Err(Error::Unchecked { escrow: self.escrow.id.clone() }),
        }
    }

    /// Like [`release`](Self::release) for external work: `look` fetches the work and returns its
    /// checksum.
    ///
    /// ```no_run
    /// use svc_client::types::Checksum;
    /// # async fn fetch(_: String) -> svc_bot_kit::Result<Checksum> { Ok("sha256:..".into()) }
    /// # async fn show(work: svc_bot_kit::Work) -> svc_bot_kit::Result<()> {
    /// work.release_checked(4.5, async |work| {
    ///     fetch(work.repository.as_ref().map(ToString::to_string).unwrap_or_default()).await
    /// }).await?;
    /// # Ok(()) }
    /// ```
    pub async fn release_checked(
        &self,
        rating: f64,
        look: impl AsyncFnOnce(&Deliverable) -> Result<Checksum>,
    ) -> Result<()> {
        let rating = parse(rating)?;
        if let Some(work) = self.deliverable()
            && let Some(claimed) = &work.checksum
        {
            compare(claimed, Some(look(work).await?))?;
        }
        self.accept(rating).await
    }

    /// Records that you released the escrow with a call of your own.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client, work: svc_bot_kit::Work) -> svc_bot_kit::Result<()> {
    /// svc.escrow().release(&work.escrow.id).await?;
    /// work.note_release().await?;
    /// # Ok(()) }
    /// ```
    pub async fn note_release(&self) -> Result<()> {
        self.deal.settle(self.deal.amount).await
    }

    /// Disputes the work. The platform mediates, and all deadlines are suspended.
    ///
    /// ```no_run
    /// # async fn show(work: svc_bot_kit::Work) -> svc_bot_kit::Result<()> {
    /// work.dispute("the report is about another topic").await?;
    /// # Ok(()) }
    /// ```
    pub async fn dispute(&self, reason: impl Into<Note>) -> Result<()> {
        let call = self.deal.buyer.client.escrow().dispute(&self.escrow.id, reason);
        call.idempotency_key(self.key("dispute")).await?;
        Ok(())
    }

    async fn accept(&self, rating: Rating) -> Result<()> {
        let call = self.deal.buyer.client.escrow().release(&self.escrow.id);
        let version = u32::try_from(self.escrow.deliverable_version).unwrap_or(u32::MAX);
        let call = call.with(|release| {
            release.deliverable_version = Some(version.into());
            release.rating = Some(rating);
        });
        call.idempotency_key(self.key("release")).await?;
        self.note_release().await
    }

    /// An idempotency key per step and delivery.
    fn key(&self, step: &str) -> String {
        key(&self.deal.id, &format!("{step}:{}", self.escrow.deliverable_version))
    }
}

fn parse(rating: f64) -> Result<Rating> {
    Rating::from_value(rating)
        .ok_or_else(|| Error::config("a rating must be a number from 1 to 5 in half steps"))
}

fn compare(claimed: &Checksum, seen: Option<Checksum>) -> Result<()> {
    match seen {
        Some(seen) if seen == *claimed => Ok(()),
        seen => Err(Error::Checksum { claimed: claimed.clone(), seen }),
    }
}
