//! Debts: what a buyer owes after a disputed payment whose credits were spent.
//!
//! A balance never goes below 0. What is missing is owed on an account of its own, and income pays it
//! before anything else.

use svc_store::error::{Error, Refusal, Result};
use svc_store::{sql, values};
use svc_types::api::credits::TransferKind;
use svc_types::api::escrow::{ActionKind, EscrowStatus};
use svc_types::{Balance, Code, EscrowId, Id, UserId};

use crate::app::Ctx;
use crate::services::audit::{self, By, On};
use crate::services::ledger::{self, Cause, Holder};
use crate::services::{escrow, overdue};

/// Debtors and escrows of one that a sweep loads at once.
const BATCH: i64 = 100;

/// That an account of the ledger, `d`, is a debt that is owed. Its id and not its kind, which no index has: the ledger
/// keeps an account of every order and escrow.
pub(super) const OWED: &str = "d.id >= 'debt:' and d.id < 'debt;' and d.balance < 0";

/// Id of a payment towards a debt; it is not shown outside.
struct CollectId(String);

impl From<String> for CollectId {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl Id for CollectId {
    const PREFIX: &'static str = "col_";
}

/// What an account owes, in micro-credits.
pub fn of(ctx: &mut Ctx<'_, '_>, user: &UserId) -> Result<i64> {
    let sql = sql!("select 0 - balance from ledger_account where id = $1");
    let owed = ctx.tx.optional(sql, values![Holder::Debt(user).id()])?;
    Ok(owed.unwrap_or(0))
}

/// Pays what an account owes from what it has; what it still owes.
pub fn collect(ctx: &mut Ctx<'_, '_>, user: &UserId) -> Result<i64> {
    let available = ledger::available_locked(ctx, user)?;
    let owed = of(ctx, user)?;
    let part = available.min(owed);
    if part > 0 {
        let reference: CollectId = ctx.id();
        let kind = TransferKind::Collect;
        let cause = Cause { kind, reference: &reference.0, reason: None, actor: None };
        ledger::post(ctx, &cause, &[(Holder::User(user), -part), (Holder::Debt(user), part)])?;
    }
    Ok(owed - part)
}

/// 409 while an account owes credits. Where nothing is sold nobody does, and nothing is asked.
pub fn refuse(ctx: &mut Ctx<'_, '_>, user: &UserId) -> Result<()> {
    if !ctx.app.config.sells_credits() {
        return Ok(());
    }
    let owed = collect(ctx, user)?;
    if owed == 0 { Ok(()) } else { Err(open(owed)) }
}

/// 409 for what a user can't pay now, because of a debt or of the balance. It only reads: what pays judges again. What
/// is overdue is advanced first.
pub fn refuse_unpayable(ctx: &mut Ctx<'_, '_>, user: &UserId, micros: i64) -> Result<()> {
    overdue::judged(ctx, user, None, |ctx| {
        let owed = if ctx.app.config.sells_credits() { of(ctx, user)? } else { 0 };
        let left = ledger::available(ctx, user)? - owed;
        if left < 0 { Err(open(-left)) } else { ledger::refuse_short(user, left, micros) }
    })
}

/// The refusal of an account that owes credits.
fn open(owed: i64) -> Error {
    let message =
        "the account owes credits, because a payment for credits that it spent is disputed";
    let refusal = Refusal::new(Code::DebtOpen, message);
    refusal.hint(Balance::from_micros(owed).to_string()).into()
}

/// Forgives what an account owes; how much that was.
pub fn forgive(ctx: &mut Ctx<'_, '_>, actor: &str, user: &UserId, reason: &str) -> Result<Balance> {
    let owed = collect(ctx, user)?;
    if owed > 0 {
        let (reference, by): (CollectId, _) = (ctx.id(), UserId::from(actor));
        let cause = Cause {
            kind: TransferKind::Forgive,
            reference: &reference.0,
            reason: Some(reason),
            actor: Some(&by),
        };
        ledger::post(ctx, &cause, &[(Holder::WrittenOff, -owed), (Holder::Debt(user), owed)])?;
        let amount = Balance::from_micros(owed);
        audit::write(
            ctx,
            By(actor),
            "debt_forgiven",
            On(user.as_str()),
            Some(&format!("{amount}: {reason}")),
        )?;
    }
    Ok(Balance::from_micros(owed))
}

/// Accounts that owe credits and have some, or have paid for work that can be called off.
pub fn collectable(ctx: &mut Ctx<'_, '_>) -> Result<Vec<UserId>> {
    ctx.tx.all(
        sql!(
            "select substr(d.id, 6) from ledger_account d where ",
            OWED,
            "   and (exists (
                        select 1 from ledger_account u
                        where u.id = 'user:' || substr(d.id, 6) and u.balance > 0)
                    or exists (
                        select 1 from escrow e
                        where e.buyer = substr(d.id, 6) and e.status = 'funded'))
             order by d.id limit $1"
        ),
        values![BATCH],
    )
}

/// Usernames of accounts that owe credits, and what each owes; the largest debts come first.
pub fn debtors(ctx: &mut Ctx<'_, '_>, most: i64) -> Result<Vec<(String, Balance)>> {
    ctx.tx.all(
        sql!(
            "select a.username, 0 - d.balance from ledger_account d
             join account a on a.id = substr(d.id, 6) where ",
            OWED,
            " order by d.balance, d.id limit $1"
        ),
        values![most],
    )
}

/// Escrows that an account pays and that nobody has delivered yet.
pub fn funded(ctx: &mut Ctx<'_, '_>, user: &UserId) -> Result<Vec<EscrowId>> {
    ctx.tx.all(
        sql!("select id from escrow where buyer = $1 and status = 'funded' order by id limit $2"),
        values![user, BATCH],
    )
}

/// Calls off an escrow of somebody who owes credits, unless it was delivered meanwhile.
pub fn call_off(ctx: &mut Ctx<'_, '_>, id: &EscrowId) -> Result<()> {
    let Some(record) = escrow::locked(ctx, id)? else { return Ok(()) };
    if record.status != EscrowStatus::Funded || of(ctx, &record.buyer)? == 0 {
        return Ok(());
    }
    let act = escrow::Act { action: ActionKind::Cancel, by: None, note: None };
    escrow::advance(ctx, &record, act, |_| {}).map(|_| ())
}
