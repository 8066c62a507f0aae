//! Escrows as they are stored, and as their parties see them.

use svc_store::error::{Error, Overdue, Result};
use svc_store::{row, sql, values};
use svc_types::api::escrow::{
    CloseReason, Deliverable, Dispute, Escrow, EscrowSplit, EscrowStatus,
};
use svc_types::{Credits, EscrowId, MessageId, PlanId, Rating, ServiceId, Timestamp, UserId};
use url::Url;

use crate::app::Ctx;
use crate::identity::Account;
use crate::services::message::without_tokens;

/// An escrow's row with the names of both parties.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its id.
    pub id: EscrowId,
    /// Who pays.
    pub buyer: UserId,
    /// Their name.
    pub buyer_name: String,
    /// The person behind the buyer.
    pub(super) buyer_person: UserId,
    /// Who does the work.
    pub provider: UserId,
    /// Their name.
    pub provider_name: String,
    /// The person behind the provider.
    pub(super) provider_person: UserId,
    /// The provider's service.
    pub service: ServiceId,
    /// What the work is worth.
    pub amount: Credits,
    pub(super) description: String,
    /// Its state.
    pub status: EscrowStatus,
    /// Larger after each move.
    pub version: i64,
    pub(super) created_at: Timestamp,
    pub(super) expires_at: Timestamp,
    /// When it advances because time has passed.
    pub due_at: Option<Timestamp>,
    pub(super) funded_at: Option<Timestamp>,
    pub(super) delivered_at: Option<Timestamp>,
    pub(super) review_ends_at: Option<Timestamp>,
    pub(super) closed_at: Option<Timestamp>,
    pub(super) close_reason: Option<CloseReason>,
    pub(super) deliverable: Option<String>,
    /// How often something was delivered.
    pub deliverable_version: i64,
    pub(super) access_token: Option<Vec<u8>>,
    pub(super) notes: Option<String>,
    pub(super) dispute: Option<String>,
    pub(super) rating_half: Option<i64>,
    pub(super) feedback: Option<String>,
    pub(super) order: Option<MessageId>,
    pub(super) plan: Option<PlanId>,
    pub(super) split_amount: Option<i64>,
    pub(super) split_by: Option<UserId>,
    pub(super) split_version: Option<i64>,
    pub(super) split_at: Option<Timestamp>,
}
row!(Record {
    id: "e.id",
    buyer: "e.buyer",
    buyer_name: "b.username",
    buyer_person: "coalesce(b.owner, b.id)",
    provider: "e.provider",
    provider_name: "p.username",
    provider_person: "coalesce(p.owner, p.id)",
    service: "e.service",
    amount: "e.amount",
    description: "e.description",
    status: "e.status",
    version: "e.version",
    created_at: "e.created_at",
    expires_at: "e.expires_at",
    due_at: "e.due_at",
    funded_at: "e.funded_at",
    delivered_at: "e.delivered_at",
    review_ends_at: "e.review_ends_at",
    closed_at: "e.closed_at",
    close_reason: "e.close_reason",
    deliverable: "e.deliverable",
    deliverable_version: "e.deliverable_version",
    access_token: "e.access_token",
    notes: "e.notes",
    dispute: "e.dispute",
    rating_half: "e.rating_half",
    feedback: "e.feedback",
    order: "(
        select max(q.id) from service_request q where q.escrow = e.id and q.escrow is not null
    )",
    plan: "e.plan",
    split_amount: "e.split_amount",
    split_by: "e.split_by",
    split_version: "e.split_version",
    split_at: "e.split_at",
});

/// A statement that reads escrow [`Record`]s: `select_escrows!("where e.id = $1")`.
#[macro_export]
macro_rules! select_escrows {
    ($rest:expr) => {
        svc_store::sql!(
            "select ",
            $crate::services::escrow::Record::COLUMNS,
            " from escrow e
             join account b on b.id = e.buyer
             join account p on p.id = e.provider ",
            $rest
        )
    };
}

/// The role of a caller in an escrow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Pays.
    Buyer,
    /// Does the work.
    Provider,
    /// Decides disputes, and neither is nor owns a party.
    Moderator,
}

impl Record {
    /// The role of an account, if it may know of the escrow. Moderators see disputed ones, but not those of
    /// an agent that they own.
    pub fn side(&self, account: &Account) -> Option<Side> {
        if account.id == self.buyer {
            Some(Side::Buyer)
        } else if account.id == self.provider {
            Some(Side::Provider)
        } else {
            let moderates = account.is_moderator() && self.dispute.is_some();
            (moderates && !self.is_between(account.person())).then_some(Side::Moderator)
        }
    }

    /// Whether one person is behind both parties.
    pub fn is_of_one(&self) -> bool {
        self.buyer_person == self.provider_person
    }

    /// Whether a person is behind one of the parties.
    fn is_between(&self, person: &UserId) -> bool {
        [&self.buyer_person, &self.provider_person].contains(&person)
    }

    /// Whether it is overdue to advance.
    pub fn is_overdue(&self, now: Timestamp) -> bool {
        self.due_at.is_some_and(|due| due <= now)
    }

    /// The dispute, if there was one.
    pub fn dispute(&self) -> Result<Option<Dispute>> {
        read(self.dispute.as_deref())
    }

    /// The buyer's rating.
    pub(super) fn rating(&self) -> Option<Rating> {
        let half_steps = self.rating_half.and_then(|half| u8::try_from(half).ok());
        half_steps.and_then(Rating::from_half_steps)
    }

    /// Sets what a delivery contains.
    pub fn set_delivery(
        &mut self,
        deliverable: String,
        access_token: Option<Vec<u8>>,
        notes: Option<&str>,
    ) {
        self.deliverable = Some(deliverable);
        self.access_token = access_token;
        self.notes = notes.map(str::to_owned);
    }

    /// Sets the buyer's rating and feedback.
    pub fn set_judgement(&mut self, rating: Option<Rating>, feedback: Option<&str>) {
        self.rating_half = rating.map(|rating| rating.half_steps().into());
        self.feedback = feedback.map(str::to_owned);
    }

    /// Sets what both parties are to receive: micro-credits of the provider, and who offers it.
    pub fn set_split(&mut self, provider_amount: Credits, by: &Account, at: Timestamp) {
        self.split_amount = Some(provider_amount.micros());
        self.split_by = Some(by.id.clone());
        self.split_at = Some(at);
    }

    /// Sets the end of the time for the delivery.
    pub fn set_expiry(&mut self, expires_at: Timestamp) {
        self.expires_at = expires_at;
        self.due_at = Some(expires_at);
    }

    /// When it was created.
    pub fn created_at(&self) -> Timestamp {
        self.created_at
    }

    /// When the time for the delivery ends.
    pub fn expires_at(&self) -> Timestamp {
        self.expires_at
    }

    /// The offer to split the credits, or how they were split.
    pub fn split(&self) -> Option<EscrowSplit> {
        let by = self.split_by.as_ref()?;
        let names = [(&self.buyer, &self.buyer_name), (&self.provider, &self.provider_name)];
        let name = names.into_iter().find(|(id, _)| *id == by).map(|(_, name)| name.clone());
        Some(EscrowSplit {
            provider_amount: Credits::from_micros(self.split_amount?),
            offer_version: self.split_version?,
            by_username: name,
            at: self.split_at?,
        })
    }

    /// Whether the open offer of a split is this party's own.
    pub fn offered_split(&self, account: &Account) -> bool {
        self.split_by.as_ref() == Some(&account.id)
    }

    /// Sets the dispute, as JSON.
    pub fn set_dispute(&mut self, dispute: String) {
        self.dispute = Some(dispute);
    }

    /// The escrow as this side sees it. Only the parties see the access token.
    pub fn into_api(self, ctx: &Ctx<'_, '_>, side: Side) -> Result<Escrow> {
        if side == Side::Moderator {
            return self.judged();
        }
        let token = self.access_token.as_deref().and_then(|encrypted| self.token(ctx, encrypted));
        let mut escrow = self.acted()?;
        if let Some(deliverable) = &mut escrow.deliverable {
            deliverable.access_token = token.map(Into::into);
        }
        Ok(escrow)
    }

    /// The escrow as moderators see it: without access tokens, wherever in the deliverable they stand.
    pub fn judged(self) -> Result<Escrow> {
        let mut escrow = self.acted()?;
        if let Some(deliverable) = &mut escrow.deliverable {
            deliverable.rest.values_mut().for_each(without_tokens);
        }
        Ok(escrow)
    }

    /// The access token. One that no key of this server decrypts is omitted, so that the deal can
    /// go on.
    fn token(&self, ctx: &Ctx<'_, '_>, encrypted: &[u8]) -> Option<String> {
        let opened = ctx.app.encrypt.decrypt(self.id.as_str(), encrypted);
        opened
            .map_err(|error| tracing::error!(%error, escrow = %self.id, "an access token is lost"))
            .ok()
    }

    /// The escrow as the answer to an action: without the access token, because answers are stored
    /// for their Idempotency-Key, and the token must not outlive the escrow.
    pub fn acted(self) -> Result<Escrow> {
        let deliverable = deliverable(self.deliverable.as_deref())?;
        let split = self.split();
        Ok(Escrow {
            deliverable,
            dispute: self.dispute()?,
            rating: self.rating(),
            id: self.id,
            status: self.status,
            amount: self.amount,
            buyer_username: self.buyer_name,
            provider_username: self.provider_name,
            service_id: self.service,
            description: self.description,
            notes: self.notes,
            created_at: self.created_at,
            expires_at: self.expires_at,
            funded_at: self.funded_at,
            delivered_at: self.delivered_at,
            review_ends_at: self.review_ends_at,
            closed_at: self.closed_at,
            close_reason: self.close_reason,
            version: self.version,
            deliverable_version: self.deliverable_version,
            feedback: self.feedback,
            request_id: self.order,
            plan_id: self.plan,
            split,
        })
    }
}

/// A JSON column.
fn read<T: serde::de::DeserializeOwned>(json: Option<&str>) -> Result<Option<T>> {
    json.map(serde_json::from_str).transpose().map_err(Error::internal)
}

/// The work as it was delivered. Earlier servers took URLs such as `https:example.org` for its repository. Clients read
/// none, so they get what browsers make of it.
fn deliverable(stored: Option<&str>) -> Result<Option<Deliverable>> {
    let Some(stored) = stored else { return Ok(None) };
    if let Ok(deliverable) = serde_json::from_str(stored) {
        return Ok(Some(deliverable));
    }
    let mut members: serde_json::Value = serde_json::from_str(stored).map_err(Error::internal)?;
    if let Some(repository) = members.get_mut("repository") {
        let url = repository.as_str().and_then(|text| Url::parse(text).ok());
        *repository = url.map(|url| url.as_str().to_owned()).into();
    }
    serde_json::from_value(members).map(Some).map_err(Error::internal)
}

/// The escrow with this id.
pub(super) fn by_id(ctx: &mut Ctx<'_, '_>, id: &EscrowId) -> Result<Option<Record>> {
    ctx.tx.optional(select_escrows!("where e.id = $1"), values![id])
}

/// The escrow with this id that `caller` may know of, and the caller's role; else 404.
///
/// An overdue escrow is advanced first.
pub fn of_party(ctx: &mut Ctx<'_, '_>, id: &EscrowId, caller: &Account) -> Result<(Record, Side)> {
    let found = by_id(ctx, id)?.and_then(|record| {
        let side = record.side(caller)?;
        Some((record, side))
    });
    let (record, side) = found.ok_or_else(|| Error::not_found("escrow"))?;
    if record.is_overdue(ctx.now()) {
        return Err(Error::Overdue(Overdue::Escrow(record.id)));
    }
    Ok((record, side))
}

/// The same, locked until the transaction ends.
pub fn take(ctx: &mut Ctx<'_, '_>, id: &EscrowId, caller: &Account) -> Result<(Record, Side)> {
    lock(ctx, id)?;
    of_party(ctx, id, caller)
}

/// Locks an escrow until the transaction ends.
pub(super) fn lock(ctx: &mut Ctx<'_, '_>, id: &EscrowId) -> Result<()> {
    ctx.tx.lock(sql!("select id from escrow where id = $1 for update"), values![id])
}

/// The escrow with this id, locked until the transaction ends.
pub fn locked(ctx: &mut Ctx<'_, '_>, id: &EscrowId) -> Result<Option<Record>> {
    lock(ctx, id)?;
    by_id(ctx, id)
}

/// Fails if an escrow is overdue, so that it is advanced before the order that it pays for is read.
pub fn refuse_if_overdue(ctx: &mut Ctx<'_, '_>, id: &EscrowId) -> Result<()> {
    let sql = sql!("select due_at from escrow where id = $1");
    let due: Option<Option<Timestamp>> = ctx.tx.optional(sql, values![id])?;
    match due.flatten() {
        Some(due) if due <= ctx.now() => Err(Error::Overdue(Overdue::Escrow(id.clone()))),
        _ => Ok(()),
    }
}

/// Fails if escrows of an account are overdue, so that they are advanced before they are read.
pub fn refuse_overdue(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<()> {
    if overdue(ctx, account, 1)?.is_empty() {
        Ok(())
    } else {
        Err(Error::Overdue(Overdue::Account(account.clone())))
    }
}

/// Overdue escrows of an account.
pub fn overdue(ctx: &mut Ctx<'_, '_>, account: &UserId, limit: i64) -> Result<Vec<EscrowId>> {
    let now = ctx.due_by_now();
    // Read along the index of due escrows, which the sweep keeps short.
    ctx.tx.all(
        sql!(
            "select id from escrow
             where due_at is not null and due_at <= $1 and $2 in (buyer, provider)
             order by due_at, id limit $3"
        ),
        values![now, account, limit],
    )
}
