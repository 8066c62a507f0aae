//! Payouts: credits that sellers earned, paid out as money.
//!
//! A payout takes its credits at once and keeps them on an account of its own, until the provider sent
//! the money or the payout ended otherwise. Nothing that was bought or granted is paid out: the ledger
//! counts what sales brought of credits that money stands behind (`ledger_account.earned`).
//!
//! | module | what it holds |
//! |---|---|
//! | `destination` | the account at the provider to which a person's payouts go |
//! | `earnings` | how many credits can be paid out |
//! | `sending` | what the worker and admins do to a payout |

pub mod destination;
mod earnings;
pub mod sending;

use svc_store::error::{Error, Refusal, Result};
use svc_store::{row, sql, values};
use svc_types::api::billing::BillingObject;
use svc_types::api::credits::TransferKind;
use svc_types::api::payouts::{ListPayouts, Payout, PayoutPage, PayoutStatus};
use svc_types::{Code, Credits, PayoutId, Timestamp, UserId};

pub use self::earnings::{Earned, of_all};
use self::sending::Ending;
use super::debt;
use super::notify::{Change, notify};
use super::queue::{self, Kind};
use crate::app::{App, Ctx};
use crate::identity::Account;
use crate::page::Page;
use crate::services::ledger::{self, Cause, Holder};
use crate::services::{account, owner};

/// A stored payout.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its id.
    pub id: PayoutId,
    /// Who is paid.
    pub person: UserId,
    person_username: String,
    /// Who earned the credits: the person, or an agent of theirs.
    pub account: UserId,
    username: String,
    /// Where the money goes: our id of the account at the provider.
    pub destination: String,
    /// Its status.
    pub status: PayoutStatus,
    /// What is paid out.
    pub credits: Credits,
    /// The currency.
    pub currency: String,
    /// The money.
    pub amount: i64,
    /// What the provider calls the transfer.
    pub provider_id: Option<String>,
    /// How often the provider had too little money for it.
    pub attempt: i64,
    reason: Option<String>,
    /// When it was requested.
    pub created_at: Timestamp,
    closed_at: Option<Timestamp>,
}
row!(Record {
    id: "id",
    person: "person",
    person_username: "(select a.username from account a where a.id = payout.person)",
    account: "account",
    username: "(select a.username from account a where a.id = payout.account)",
    destination: "destination",
    status: "status",
    credits: "credits",
    currency: "currency",
    amount: "amount",
    provider_id: "provider_id",
    attempt: "attempt",
    reason: "reason",
    created_at: "created_at",
    closed_at: "closed_at",
});

impl Record {
    /// Notifies the person who is paid and the account that earned the credits of its status.
    fn notify(&self, ctx: &mut Ctx<'_, '_>, actor: Option<&UserId>) -> Result<()> {
        let change = Change {
            object: BillingObject::Payout,
            id: self.id.as_str(),
            status: self.status.as_str(),
            account: &self.account,
            person: Some(&self.person),
            payment: None,
            credits: Some(self.credits),
        };
        notify(ctx, actor, &change)
    }
}

impl From<Record> for Payout {
    fn from(record: Record) -> Self {
        Self {
            payout_id: record.id,
            person: record.person,
            person_username: record.person_username,
            account: record.account,
            username: record.username,
            status: record.status,
            credits: record.credits,
            currency: record.currency,
            amount: record.amount,
            reason: record.reason,
            created_at: record.created_at,
            closed_at: record.closed_at,
        }
    }
}

/// 503 where nothing is paid out.
pub fn require(app: &App) -> Result<()> {
    if app.config.payouts.is_on(&app.config.billing) {
        return Ok(());
    }
    let refusal = Refusal::new(Code::FeatureNotConfigured, "this server pays nothing out");
    Err(refusal.hint("its operator turns this on by the setting payouts.enabled").into())
}

/// 403 for agents, whose earnings go to their owners.
pub fn require_person(caller: &Account) -> Result<()> {
    if caller.is_agent {
        let message = "only people are paid; the earnings of an agent go to its owner";
        return Err(Error::refused(Code::NotAPerson, message));
    }
    Ok(())
}

/// 409 unless the account has a verified e-mail address.
fn require_email(ctx: &mut Ctx<'_, '_>, person: &UserId) -> Result<()> {
    let sql = sql!("select 1 from account where id = $1 and email_verified_at is not null");
    if ctx.tx.optional::<i64>(sql, values![person])?.is_some() {
        return Ok(());
    }
    let refusal = Refusal::new(Code::WrongState, "payouts need a verified e-mail address");
    Err(refusal.hint("no_verified_email").into())
}

/// Asks for a payout of what the person or an agent of theirs earned.
pub fn request(
    ctx: &mut Ctx<'_, '_>,
    person: &Account,
    credits: Credits,
    from: Option<&str>,
) -> Result<Record> {
    require_person(person)?;
    require_email(ctx, &person.id)?;
    let earner = earner(ctx, person, from)?;
    account::keep(ctx, &person.id, &earner)?;
    refuse_debts(ctx, &person.id, &earner)?;
    let amount = amount_of(ctx, credits)?;
    let destination = destination::enabled(ctx, &person.id)?;
    refuse_beyond(ctx, &earner, credits)?;
    let (id, now): (PayoutId, _) = (ctx.id(), ctx.now());
    let currency = ctx.app.config.billing.currency.clone();
    let status = PayoutStatus::Requested;
    ctx.tx.write(
        sql!(
            "insert into payout (id, person, account, destination, status, credits, currency, amount,
                created_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9)"
        ),
        values![id, person.id, earner, destination, status, credits, currency, amount, now],
    )?;
    let kind = TransferKind::Payout;
    let cause = Cause { kind, reference: id.as_str(), reason: None, actor: Some(&person.id) };
    let micros = credits.micros();
    let entries = [(Holder::User(&earner), -micros), (Holder::Payable(id.as_str()), micros)];
    ledger::post(ctx, &cause, &entries)?;
    if !ctx.app.config.payouts.review {
        approve(ctx, &id)?;
    }
    let record = find(ctx, &id)?;
    record.notify(ctx, Some(&person.id))?;
    Ok(record)
}

/// The account whose earnings are meant.
fn earner(ctx: &mut Ctx<'_, '_>, person: &Account, from: Option<&str>) -> Result<UserId> {
    match from {
        None => Ok(person.id.clone()),
        Some(it) if it == person.id.as_str() || it.eq_ignore_ascii_case(&person.username) => {
            Ok(person.id.clone())
        }
        Some(handle) => owner::acting_for(ctx, person, handle),
    }
}

/// 409 while one of them owes credits. They are locked in the order of their ids.
fn refuse_debts(ctx: &mut Ctx<'_, '_>, person: &UserId, earner: &UserId) -> Result<()> {
    debt::refuse(ctx, person.min(earner))?;
    if person == earner { Ok(()) } else { debt::refuse(ctx, person.max(earner)) }
}

/// Whether one of them still owes credits after the credits that both have were collected. They are locked
/// in the order of their ids.
fn owe(ctx: &mut Ctx<'_, '_>, person: &UserId, earner: &UserId) -> Result<bool> {
    let owed = debt::collect(ctx, person.min(earner))?;
    let more = if person == earner { 0 } else { debt::collect(ctx, person.max(earner))? };
    Ok(owed + more > 0)
}

/// The money for credits; 400 if it is no whole amount.
fn amount_of(ctx: &Ctx<'_, '_>, credits: Credits) -> Result<i64> {
    let config = &ctx.app.config;
    let (payouts, billing) = (&config.payouts, &config.billing);
    if credits < payouts.min {
        let message = format!("credits must be at least {}", payouts.min);
        return Err(Error::invalid("credits", message));
    }
    let Some(amount) = payouts.amount_of(credits, billing) else {
        let message = "the credits must be worth a whole amount of money";
        let refusal = Refusal::new(Code::AmountNotExact, message).field("credits");
        let nearest = payouts.nearest(credits, billing).map(|credits| credits.to_string());
        return Err(refusal.hint(nearest.unwrap_or_default()).into());
    };
    Ok(amount)
}

/// 409 beyond what the account can have paid out.
fn refuse_beyond(ctx: &mut Ctx<'_, '_>, earner: &UserId, credits: Credits) -> Result<()> {
    ledger::available_locked(ctx, earner)?;
    let most = earnings::of(ctx, earner)?.redeemable();
    if credits.micros() <= most {
        return Ok(());
    }
    let message = "a payout must be at most what can be paid out at present";
    let refusal = Refusal::new(Code::NotRedeemable, message);
    Err(refusal.hint(Credits::from_micros(most).to_string()).into())
}

/// Lets a payout be sent.
fn approve(ctx: &mut Ctx<'_, '_>, id: &PayoutId) -> Result<()> {
    let rows = ctx.tx.execute(
        sql!("update payout set status = 'approved' where id = $1 and status = 'requested'"),
        values![id],
    )?;
    if rows != 1 {
        return Err(wrong_state(&find(ctx, id)?.status));
    }
    queue::raise(ctx, Kind::NewTransfer, id.as_str())
}

/// Ends a payout that is not being sent, for its person; its credits return.
pub fn cancel(ctx: &mut Ctx<'_, '_>, person: &UserId, id: &PayoutId) -> Result<Record> {
    let record = find(ctx, id)?;
    if record.person != *person {
        return Err(Error::not_found("payout"));
    }
    let is_early =
        |status: &PayoutStatus| matches!(status, PayoutStatus::Requested | PayoutStatus::Approved);
    let ending = Ending { status: PayoutStatus::Cancelled, reason: None, actor: Some(person) };
    sending::end_as(ctx, &record, is_early, ending)
}

/// 409: not in this state, which the hint names.
fn wrong_state(status: &PayoutStatus) -> Error {
    let refusal = Refusal::new(Code::WrongState, format!("the payout is {status}"));
    refusal.hint(status.as_str()).into()
}

/// A payout.
pub fn find(ctx: &mut Ctx<'_, '_>, id: &PayoutId) -> Result<Record> {
    let sql = sql!("select ", Record::COLUMNS, " from payout where id = $1");
    let found = ctx.tx.optional(sql, values![id])?;
    found.ok_or_else(|| Error::not_found("payout"))
}

/// Whether there is such a payout.
pub fn exists(ctx: &mut Ctx<'_, '_>, id: &PayoutId) -> Result<bool> {
    let sql = sql!("select 1 from payout where id = $1");
    Ok(ctx.tx.optional::<i64>(sql, values![id])?.is_some())
}

/// Payouts of a person, newest first.
pub fn list(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &ListPayouts) -> Result<PayoutPage> {
    let page = Page::of(request, request.limit, request.cursor.as_ref(), 1)?;
    let mut records: Vec<Record> = ctx.tx.all(
        sql!(
            "select ",
            Record::COLUMNS,
            " from payout
             where person = $1 and (cast($2 as text) is null or id < $2)
             order by id desc limit $3"
        ),
        values![caller.id, page.after_one(), page.rows()],
    )?;
    let next_cursor = page.cut(&mut records, |record| vec![record.id.to_string()]);
    Ok(PayoutPage { payouts: records.into_iter().map(Payout::from).collect(), next_cursor })
}

/// Payouts that wait for approval, the oldest first.
pub fn requested(ctx: &mut Ctx<'_, '_>, most: i64) -> Result<Vec<Payout>> {
    let sql = sql!(
        "select ",
        Record::COLUMNS,
        " from payout where status = 'requested' order by id limit $1"
    );
    let records: Vec<Record> = ctx.tx.all(sql, values![most])?;
    Ok(records.into_iter().map(Payout::from).collect())
}
