//! What admins and the worker do to a payout.

use svc_store::error::{Error, Refusal, Result};
use svc_store::{sql, values};
use svc_types::api::credits::TransferKind;
use svc_types::api::payouts::PayoutStatus;
use svc_types::{Code, PayoutId, UserId};

use super::{Record, find, owe, wrong_state};
use crate::app::Ctx;
use crate::services::audit::{self, By, On};
use crate::services::billing::facts;
use crate::services::ledger::money::{self, Money, MoneyKind};
use crate::services::ledger::{self, Cause, Holder};
use crate::services::owner;

/// Approves a payout for an admin. Their own needs another admin, unless there is none.
pub fn approve(ctx: &mut Ctx<'_, '_>, admin: &UserId, id: &PayoutId) -> Result<Record> {
    let record = find(ctx, id)?;
    let is_own = owner::are_of_one(ctx, [admin, &record.person])?;
    if is_own && has_other_admin(ctx, admin)? {
        let message = "another admin has to approve your own payout";
        return Err(Error::refused(Code::Forbidden, message));
    }
    if is_of_suspended(ctx, &record)? {
        let refusal = Refusal::new(Code::WrongState, "the account that would be paid is suspended");
        return Err(refusal.hint("deny the payout, or wait for the end of the suspension").into());
    }
    super::approve(ctx, id)?;
    let detail = is_own.then_some("their own: there is no other admin");
    audit::write(ctx, By(admin.as_str()), "payout_approved", On(id.as_str()), detail)?;
    let record = find(ctx, id)?;
    record.notify(ctx, Some(admin))?;
    Ok(record)
}

/// Whether another person is behind an account that may approve payouts.
fn has_other_admin(ctx: &mut Ctx<'_, '_>, admin: &UserId) -> Result<bool> {
    let found: Option<i64> = ctx.tx.optional(
        sql!(
            "select 1 from account
             where role <> 'user' and role = 'admin' and status <> 'suspended'
                and deleted_at is null and coalesce(owner, id) <> (
                    select coalesce(own.owner, own.id) from account own where own.id = $1)
             limit 1"
        ),
        values![admin],
    )?;
    Ok(found.is_some())
}

/// Denies a payout for an admin; its credits return.
pub fn deny(ctx: &mut Ctx<'_, '_>, admin: &UserId, id: &PayoutId, reason: &str) -> Result<Record> {
    let record = find(ctx, id)?;
    let is_requested = |status: &PayoutStatus| *status == PayoutStatus::Requested;
    let ending = Ending { status: PayoutStatus::Denied, reason: Some(reason), actor: Some(admin) };
    let denied = end_as(ctx, &record, is_requested, ending)?;
    audit::write(ctx, By(admin.as_str()), "payout_denied", On(id.as_str()), Some(reason))?;
    Ok(denied)
}

/// Whether the person or the account that earned the credits is suspended.
fn is_of_suspended(ctx: &mut Ctx<'_, '_>, record: &Record) -> Result<bool> {
    let sql = sql!("select 1 from account where id in ($1, $2) and status = 'suspended' limit 1");
    Ok(ctx.tx.optional::<i64>(sql, values![record.person, record.account])?.is_some())
}

/// Whether a payout is no longer sent by the approval that it has.
fn is_held(ctx: &mut Ctx<'_, '_>, record: &Record) -> Result<bool> {
    let config = &ctx.app.config;
    Ok(!config.payouts.is_on(&config.billing) || is_of_suspended(ctx, record)?)
}

/// Begins to send a payout that was approved; none if it is not to be sent. From here on nobody can
/// cancel it. One whose seller owes credits by now is returned: they pay the debt. One whose seller was suspended
/// since, or that was approved before payouts were turned off, needs another approval.
pub fn begin(ctx: &mut Ctx<'_, '_>, id: &PayoutId) -> Result<Option<Record>> {
    lock(ctx, id)?;
    let (record, now) = (find(ctx, id)?, ctx.now());
    let is_approved = |status: &PayoutStatus| *status == PayoutStatus::Approved;
    if is_approved(&record.status) && is_held(ctx, &record)? {
        let sql =
            sql!("update payout set status = 'requested' where id = $1 and status = 'approved'");
        return ctx.tx.write(sql, values![id]).map(|()| None);
    }
    if is_approved(&record.status) && owe(ctx, &record.person, &record.account)? {
        let reason = Some("its seller owes credits");
        let ending = Ending { status: PayoutStatus::Returned, reason, actor: None };
        return end_as(ctx, &record, is_approved, ending).map(|_| None);
    }
    ctx.tx.execute(
        sql!(
            "update payout set status = 'sending', sending_at = $1
             where id = $2 and status = 'approved'"
        ),
        values![now, id],
    )?;
    Ok(Some(find(ctx, id)?).filter(|it| it.status == PayoutStatus::Sending))
}

/// Notes that the provider had too little money to send a payout, so that the next attempt is another
/// one: the provider keeps a refusal under its key. If it is held by now, it needs another approval.
pub fn wait(ctx: &mut Ctx<'_, '_>, record: &Record) -> Result<()> {
    let held = is_held(ctx, record)?;
    let status = if held { PayoutStatus::Requested } else { PayoutStatus::Sending };
    let sql = sql!(
        "update payout set attempt = $1, status = $2
         where id = $3 and attempt = $4 and status = 'sending'"
    );
    ctx.tx.write(sql, values![record.attempt + 1, status, record.id, record.attempt])
}

/// Returns a payout that the provider refuses to send.
pub fn give_up(ctx: &mut Ctx<'_, '_>, id: &PayoutId, reason: &str) -> Result<()> {
    let record = find(ctx, id)?;
    if record.status != PayoutStatus::Sending || record.provider_id.is_some() {
        return Ok(());
    }
    let is_sending = |status: &PayoutStatus| *status == PayoutStatus::Sending;
    let ending = Ending { status: PayoutStatus::Returned, reason: Some(reason), actor: None };
    end_as(ctx, &record, is_sending, ending).map(|_| ())
}

/// Applies what a transfer is now. Repeated, it does nothing.
pub fn apply(ctx: &mut Ctx<'_, '_>, fact: &facts::Transfer) -> Result<()> {
    lock(ctx, &fact.payout)?;
    let record = find(ctx, &fact.payout)?;
    let is_ours = record.provider_id.as_ref().is_none_or(|known| *known == fact.id)
        && (record.amount, record.currency.as_str()) == (fact.amount, fact.currency.as_str());
    if !is_ours {
        tracing::error!(payout = %record.id, transfer = fact.id, "a transfer does not match");
        metrics::counter!("svc_billing_mismatches_total").increment(1);
        return Ok(());
    }
    if record.status == PayoutStatus::Sending {
        send(ctx, &record, &fact.id)?;
    }
    if fact.reversed == record.amount && find(ctx, &record.id)?.status == PayoutStatus::Sent {
        return take_back(ctx, &record);
    }
    Ok(())
}

/// The payouts, then the accounts of the ledger are locked.
fn lock(ctx: &mut Ctx<'_, '_>, id: &PayoutId) -> Result<()> {
    ctx.tx.lock(sql!("select id from payout where id = $1 for update"), values![id])
}

/// The money left: the credits are gone.
fn send(ctx: &mut Ctx<'_, '_>, record: &Record, provider_id: &str) -> Result<()> {
    let now = ctx.now();
    let rows = ctx.tx.execute(
        sql!(
            "update payout set status = 'sent', provider_id = $1, closed_at = $2
             where id = $3 and status = 'sending'"
        ),
        values![provider_id, now, record.id],
    )?;
    if rows != 1 {
        return Err(Error::internal("a payout changed while it was locked"));
    }
    let reference = record.id.as_str();
    let entries = [(Money::Payouts, record.amount), (Money::Receivable, -record.amount)];
    money::post(ctx, MoneyKind::Payout, reference, &record.currency, &entries)?;
    let cause = Cause { kind: TransferKind::Sent, reference, reason: None, actor: None };
    let micros = record.credits.micros();
    let entries = [(Holder::Payable(reference), -micros), (Holder::Redeemed, micros)];
    ledger::post(ctx, &cause, &entries)?;
    find(ctx, &record.id)?.notify(ctx, None)
}

/// The money came back after it was sent: the credits are the seller's again.
fn take_back(ctx: &mut Ctx<'_, '_>, record: &Record) -> Result<()> {
    let reason = "the transfer was reversed";
    let rows = ctx.tx.execute(
        sql!(
            "update payout set status = 'returned', reason = $1 where id = $2 and status = 'sent'"
        ),
        values![reason, record.id],
    )?;
    if rows != 1 {
        return Err(Error::internal("a payout changed while it was locked"));
    }
    let entries = [(Money::Payouts, -record.amount), (Money::Receivable, record.amount)];
    let reference = record.id.as_str();
    money::post(ctx, MoneyKind::Returned, reference, &record.currency, &entries)?;
    give_back(ctx, record, Holder::Redeemed, Some(reason), None)?;
    find(ctx, &record.id)?.notify(ctx, None)
}

/// How a payout ends before it was sent.
pub(super) struct Ending<'a> {
    pub(super) status: PayoutStatus,
    pub(super) reason: Option<&'a str>,
    /// Who ended it, unless the server did.
    pub(super) actor: Option<&'a UserId>,
}

/// Ends a payout before it was sent, if it is in a state that allows this: 409 otherwise.
pub(super) fn end_as(
    ctx: &mut Ctx<'_, '_>,
    record: &Record,
    is_allowed: impl Fn(&PayoutStatus) -> bool,
    ending: Ending<'_>,
) -> Result<Record> {
    let Ending { status, reason, actor } = ending;
    lock(ctx, &record.id)?;
    let record = find(ctx, &record.id)?;
    if !is_allowed(&record.status) {
        return Err(wrong_state(&record.status));
    }
    let now = ctx.now();
    let rows = ctx.tx.execute(
        sql!(
            "update payout set status = $1, reason = $2, closed_at = $3
             where id = $4 and status = $5"
        ),
        values![status, reason, now, record.id, record.status],
    )?;
    if rows != 1 {
        return Err(Error::internal("a payout changed while it was locked"));
    }
    give_back(ctx, &record, Holder::Payable(record.id.as_str()), reason, actor)?;
    let ended = find(ctx, &record.id)?;
    ended.notify(ctx, actor)?;
    Ok(ended)
}

/// Returns the credits as what they were: earned, long ago.
fn give_back(
    ctx: &mut Ctx<'_, '_>,
    record: &Record,
    from: Holder<'_>,
    reason: Option<&str>,
    actor: Option<&UserId>,
) -> Result<()> {
    ledger::available_locked(ctx, &record.account)?;
    let kind = TransferKind::Returned;
    let cause = Cause { kind, reference: record.id.as_str(), reason, actor };
    let micros = record.credits.micros();
    ledger::post(ctx, &cause, &[(from, -micros), (Holder::Seller(&record.account), micros)])
        .map(|_| ())
}
