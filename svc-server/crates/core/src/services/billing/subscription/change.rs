//! What the provider must change: seats, cancellation, end. It is applied when the provider has done it.

use svc_store::error::{Error, Refusal, Result};
use svc_store::{row, sql, text_column, values};
use svc_types::api::tiers::{SubscriptionAnswer, SubscriptionStatus};
use svc_types::{Code, Id, SubscriptionId, Timestamp, UserId};

use super::super::queue::{self, Kind};
use super::begin::Asked;
use super::state::{self, Fact};
use super::{Record, find, ids, running, seat, take, text_of};
use crate::app::Ctx;
use crate::identity::Account;
use crate::services::account;

/// Id of a change; it is not shown outside.
struct ChangeId(String);

impl From<String> for ChangeId {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl Id for ChangeId {
    const PREFIX: &'static str = "sbc_";
}

/// What the provider must do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Charge for another number of seats.
    Seats,
    /// End it with the month.
    Cancel,
    /// Go on after the month.
    Resume,
    /// End it now.
    End,
}

impl Action {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Seats => "seats",
            Self::Cancel => "cancel",
            Self::Resume => "resume",
            Self::End => "end",
        }
    }
}

impl From<&str> for Action {
    fn from(name: &str) -> Self {
        match name {
            "seats" => Self::Seats,
            "cancel" => Self::Cancel,
            "resume" => Self::Resume,
            _ => Self::End,
        }
    }
}
text_column!(Action);

/// A change that was asked for.
#[derive(Clone, Debug)]
pub struct Change {
    /// Its id, which is the idempotency key too.
    pub id: String,
    /// The subscription.
    pub subscription: SubscriptionId,
    /// What the provider must do.
    pub action: Action,
    seats: Option<String>,
    status: String,
    /// When it was asked for.
    pub created_at: Timestamp,
}
row!(Change {
    id: "id",
    subscription: "subscription",
    action: "action",
    seats: "seats",
    status: "status",
    created_at: "created_at",
});

impl Change {
    /// Whether it waits for the provider.
    pub fn is_asked(&self) -> bool {
        self.status == "asked"
    }

    /// How many seats there will be.
    pub fn quantity(&self) -> usize {
        ids(self.seats.as_deref().unwrap_or_default()).len()
    }
}

/// Gives the seats of a subscription to others. Where as many are paid, the provider is not asked.
pub(super) fn seats(ctx: &mut Ctx<'_, '_>, record: &Record, accounts: &[UserId]) -> Result<Asked> {
    refuse_while_asked(ctx, &record.id)?;
    if i64::try_from(accounts.len()).is_ok_and(|count| count == record.quantity) {
        seat::assign(ctx, record, accounts, record.until)?;
        return Ok(Asked { subscription: record.id.clone(), work: None });
    }
    ask(ctx, record, Action::Seats, Some(&text_of(accounts)))
}

/// Cancels the caller's subscription at the end of the month.
pub fn cancel(ctx: &mut Ctx<'_, '_>, caller: &Account) -> Result<Asked> {
    let record = paid(ctx, caller)?;
    if record.cancels {
        return Err(wrong_state("the subscription is cancelled already"));
    }
    refuse_while_asked(ctx, &record.id)?;
    ask(ctx, &record, Action::Cancel, None)
}

/// Takes the cancellation of the caller's subscription back.
pub fn resume(ctx: &mut Ctx<'_, '_>, caller: &Account) -> Result<Asked> {
    let record = paid(ctx, caller)?;
    if !record.cancels {
        return Err(wrong_state("the subscription is not cancelled"));
    }
    refuse_while_asked(ctx, &record.id)?;
    ask(ctx, &record, Action::Resume, None)
}

/// Ends a subscription now.
pub(super) fn end(ctx: &mut Ctx<'_, '_>, record: &Record) -> Result<()> {
    let change = insert(ctx, record, Action::End, None)?;
    queue::raise(ctx, Kind::SubscriptionChange, &change.0)
}

fn paid(ctx: &mut Ctx<'_, '_>, caller: &Account) -> Result<Record> {
    account::lock(ctx, &caller.id)?;
    let none = || wrong_state("you have no subscription that is paid");
    let found = running(ctx, &caller.id)?.ok_or_else(none)?;
    let record = take(ctx, &found.id)?;
    let is_paid = matches!(record.status, SubscriptionStatus::Active | SubscriptionStatus::PastDue);
    if is_paid { Ok(record) } else { Err(none()) }
}

fn wrong_state(message: &'static str) -> Error {
    Error::refused(Code::WrongState, message)
}

fn refuse_while_asked(ctx: &mut Ctx<'_, '_>, subscription: &SubscriptionId) -> Result<()> {
    let sql = sql!(
        "select 1 from subscription_change
         where subscription = $1 and status = 'asked' and action <> 'end'"
    );
    if ctx.tx.optional::<i64>(sql, values![subscription])?.is_none() {
        return Ok(());
    }
    let refusal =
        Refusal::new(Code::WrongState, "another change of the subscription is being made");
    Err(refusal.hint("try again in a minute").into())
}

/// Asks for a change that the present request makes.
fn ask(
    ctx: &mut Ctx<'_, '_>,
    record: &Record,
    action: Action,
    seats: Option<&str>,
) -> Result<Asked> {
    let change = insert(ctx, record, action, seats)?;
    queue::raise_for_request(ctx, Kind::SubscriptionChange, &change.0)?;
    Ok(Asked { subscription: record.id.clone(), work: Some(change.0) })
}

fn insert(
    ctx: &mut Ctx<'_, '_>,
    record: &Record,
    action: Action,
    seats: Option<&str>,
) -> Result<ChangeId> {
    let (id, now): (ChangeId, _) = (ctx.id(), ctx.now());
    ctx.tx.write(
        sql!(
            "insert into subscription_change (id, subscription, action, seats, status, created_at)
             values ($1, $2, $3, $4, 'asked', $5)"
        ),
        values![id.0, record.id, action, seats, now],
    )?;
    Ok(id)
}

/// A change.
pub fn by_id(ctx: &mut Ctx<'_, '_>, id: &str) -> Result<Option<Change>> {
    let sql = sql!("select ", Change::COLUMNS, " from subscription_change where id = $1");
    ctx.tx.optional(sql, values![id])
}

/// Applies a change that the provider has made.
pub fn done(ctx: &mut Ctx<'_, '_>, id: &str, fact: &Fact) -> Result<()> {
    queue::note_changed(ctx, &fact.id)?;
    let record = take(ctx, &fact.ours)?;
    let Some(change) = by_id(ctx, id)?.filter(Change::is_asked) else { return Ok(()) };
    close(ctx, id, "done")?;
    match change.seats {
        Some(seats) => state::store(ctx, &record, fact, ids(&seats)),
        None => state::apply(ctx, fact),
    }
}

/// Notes that the provider refuses a change: nothing is changed.
pub fn declined(ctx: &mut Ctx<'_, '_>, id: &str) -> Result<()> {
    close(ctx, id, "declined")
}

fn close(ctx: &mut Ctx<'_, '_>, id: &str, status: &str) -> Result<()> {
    let sql = sql!("update subscription_change set status = $1 where id = $2 and status = 'asked'");
    ctx.tx.write(sql, values![status, id])
}

/// The outcome of a request.
pub fn outcome(ctx: &mut Ctx<'_, '_>, asked: &Asked) -> Result<SubscriptionAnswer> {
    let change = match &asked.work {
        Some(work) => by_id(ctx, work)?,
        None => None,
    };
    match change {
        Some(change) if change.is_asked() => return Err(unavailable()),
        Some(change) if change.status == "declined" => return Err(refused(change.action)),
        _ => {}
    }
    let record = find(ctx, &asked.subscription)?;
    let (status, url) = (record.status.clone(), record.url.clone());
    match (status, url) {
        (SubscriptionStatus::Creating, _) => Err(unavailable()),
        (SubscriptionStatus::Open, url) => {
            Ok(SubscriptionAnswer { subscription: record.into_api(ctx)?, url })
        }
        (SubscriptionStatus::Ended, _) if record.provider_id.is_none() => {
            let refusal = Refusal::new(Code::WrongState, "the page of this subscription is closed");
            Err(refusal.hint("subscribe again, with another Idempotency-Key").into())
        }
        _ => Ok(SubscriptionAnswer { subscription: record.into_api(ctx)?, url: None }),
    }
}

/// Why the provider has not made a change. Only seats are paid for.
fn refused(action: Action) -> Error {
    if action == Action::Seats {
        let message = "the payment was declined, and nothing was changed";
        let hint = "POST /v1/billing/portal has a page on which you change the card";
        return Refusal::new(Code::PaymentFailed, message).hint(hint).into();
    }
    let message = "the provider of payments refused this, and nothing was changed";
    let hint = "GET /v1/billing/tier shows what the subscription is now";
    Refusal::new(Code::WrongState, message).hint(hint).into()
}

fn unavailable() -> Error {
    let message =
        "the provider of payments does not answer; what you asked for is done when it does";
    let refusal = Refusal::new(Code::ProviderUnavailable, message);
    refusal.hint("repeat the request with the same Idempotency-Key").into()
}
