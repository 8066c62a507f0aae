//! Work that lies in an escrow: looked at, compared, released.

use serde_json::Value;
use svc_client::types::api::escrow::{Deliverable, Escrow, Note};
use svc_client::types::api::messages::Message;
use svc_client::types::{Checksum, Rating};

use super::deal::Deal;
use super::place::key;
use crate::checksum::checksum;
use crate::error::{Error, Result};

/// The kind of deliverable whose data lies in the escrow itself.
const JSON: &str = "json";

/// Work that was delivered into an escrow; from [`Outcome::Delivered`](super::Outcome::Delivered).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Work {
    /// The escrow as it was seen, with the deliverable.
    pub escrow: Escrow,
    /// What the provider wrote with it, if anything.
    pub note: Option<Message>,
    pub(super) deal: Deal,
}

impl Work {
    /// What was delivered.
    ///
    /// ```
    /// # fn show(work: svc_bot_kit::Work) {
    /// if let Some(repository) = work.deliverable().and_then(|work| work.repository.as_ref()) {
    ///     println!("look at {repository}");
    /// }
    /// # }
    /// ```
    pub fn deliverable(&self) -> Option<&Deliverable> {
        self.escrow.deliverable.as_ref()
    }

    /// The data of a deliverable of the type `json`.
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

    /// Accepts the work: the credits go to the provider. The rating is 1 to 5 in half steps.
    ///
    /// Only the delivery that was seen is accepted: what was delivered anew since is a conflict.
    /// The checksum of a `json` deliverable is compared with its data; work that lies elsewhere and
    /// has a checksum takes [`release_checked`](Self::release_checked).
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

    /// Compares the checksum of a `json` deliverable with its data; there may be none to compare.
    ///
    /// Fails with [`Error::Unchecked`] when the work lies elsewhere and has a checksum.
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

    /// The same for work that lies elsewhere: `look` fetches it and says its checksum.
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

    /// Notes that the work was accepted by a call of one's own, so that its order counts as ended.
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

    /// Refuses the work; the platform mediates, and every clock stops.
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

    /// A key per delivery: an act on another one is another act.
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
