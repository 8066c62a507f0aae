//! The ledger of credits: double entry, append-only, and written only by [`post`].
//!
//! A movement is a transfer with entries that sum to nothing. `(kind, reference)` is unique, so
//! that credits are held once and settled once, whatever races or is repeated.
//!
//! | module | what it holds |
//! |---|---|
//! | `holder` | the accounts of the ledger |
//! | `backing` | which credits move first: those that money stands behind, or the others |
//! | `earning` | what sellers earned of backed credits, by days |
//! | `money` | the other ledger, of money, with the same shape |

mod backing;
pub mod earning;
mod holder;
pub mod money;

use svc_store::db::Returning;
use svc_store::error::{Error, Result};
use svc_store::{returning, sql, values};
use svc_types::api::credits::TransferKind;
use svc_types::credits::TOTAL_MAX;
use svc_types::{TransferId, UserId};

pub use self::holder::Holder;
use crate::app::Ctx;

/// What a movement is for.
#[derive(Clone, Debug)]
pub struct Cause<'a> {
    /// Why credits move.
    pub kind: TransferKind,
    /// What for: once per kind.
    pub reference: &'a str,
    /// The reason in words.
    pub reason: Option<&'a str>,
    /// Who moves them; none for the clock.
    pub actor: Option<&'a UserId>,
}

/// Moves credits: entries of zero are omitted, the others sum to zero.
///
/// 409 when an account has too little. Accounts are locked in the order of their ids. What money
/// stands behind is decided in `backing`: of those who get, the ones named first get what no money
/// stands behind.
///
/// # Panics
/// When the entries don't balance, in any build: that would be a fault of the caller.
pub fn post(
    ctx: &mut Ctx<'_, '_>,
    cause: &Cause<'_>,
    entries: &[(Holder<'_>, i64)],
) -> Result<TransferId> {
    let moves = entries.iter().filter(|(_, micros)| *micros != 0);
    let mut gives: Vec<Side<'_>> = vec![];
    let mut gets: Vec<Side<'_>> = vec![];
    for (holder, micros) in moves {
        let sides = if *micros < 0 { &mut gives } else { &mut gets };
        sides.push(Side::new(*holder, *micros));
    }
    let sum: i128 = gives.iter().chain(&gets).map(|side| i128::from(side.micros)).sum();
    assert!(sum == 0 && !gives.is_empty(), "the entries of a transfer must balance");
    let transfer: TransferId = ctx.id();
    gives.sort_by(|a, b| a.id.cmp(&b.id));
    lock(ctx, &gives, &gets)?;
    let earned = earning::of_giver(ctx, cause, &gives)?;
    for side in &mut gives {
        side.give(ctx, cause)?;
    }
    backing::share(&gives, &mut gets);
    earning::keep(earned, &gives, &mut gets);
    gets.sort_by(|a, b| a.id.cmp(&b.id));
    for side in &mut gets {
        side.get(ctx)?;
    }
    earning::note(ctx, cause, &gets)?;
    insert(ctx, &transfer, cause)?;
    gives.append(&mut gets);
    for two in gives.chunks(2) {
        insert_entries(ctx, &transfer, two)?;
    }
    Ok(transfer)
}

/// Locks the accounts in the order of their ids, so that transfers between the same two don't wait
/// for each other. Only those who give are known to be changed first: nothing is locked where that
/// is the order anyway, as it is whenever one user pays into a hold or is paid from it.
fn lock(ctx: &mut Ctx<'_, '_>, gives: &[Side<'_>], gets: &[Side<'_>]) -> Result<()> {
    let wanted = |side: &&Side<'_>| !matches!(side.holder, Holder::Hold(_));
    let last_to_give = gives.iter().filter(wanted).map(|side| &side.id).max();
    let first_to_get = gets.iter().filter(wanted).map(|side| &side.id).min();
    if last_to_give.zip(first_to_get).is_none_or(|(give, get)| give < get) {
        return Ok(());
    }
    let mut ids: Vec<&String> = gives.iter().chain(gets).map(|side| &side.id).collect();
    ids.sort();
    for id in ids {
        lock_account(ctx, id)?;
    }
    Ok(())
}

fn lock_account(ctx: &mut Ctx<'_, '_>, id: &str) -> Result<()> {
    ctx.tx.lock(sql!("select id from ledger_account where id = $1 for update"), values![id])
}

/// One side of a transfer.
struct Side<'a> {
    holder: Holder<'a>,
    id: String,
    micros: i64,
    /// The part that money stands behind.
    backed: i64,
    /// The part of this that was earned before, and stays so.
    earned: i64,
    /// The balance afterwards, and the number of the entry.
    after: (i64, i64),
}

impl<'a> Side<'a> {
    fn new(holder: Holder<'a>, micros: i64) -> Self {
        Self { holder, id: holder.id(), micros, backed: 0, earned: 0, after: (0, 0) }
    }

    /// The part that was earned and can be paid out.
    const fn earned(&self) -> i64 {
        if matches!(self.holder, Holder::Seller(_)) { self.backed } else { self.earned }
    }

    /// Takes credits from an account.
    fn give(&mut self, ctx: &mut Ctx<'_, '_>, cause: &Cause<'_>) -> Result<()> {
        let Some(statement) = backing::giving(self.holder, &cause.kind) else {
            self.backed = backing::given_by_contra(ctx, self.holder, self.micros, cause)?;
            return self.get(ctx);
        };
        if self.take(ctx, statement)? {
            return Ok(());
        }
        // What came back meanwhile counts, and from here on nobody else changes the balance.
        lock_account(ctx, &self.id)?;
        if self.take(ctx, statement)? {
            return Ok(());
        }
        let sql = sql!("select balance from ledger_account where id = $1");
        let balance: Option<i64> = ctx.tx.optional(sql, values![self.id])?;
        Err(self.holder.refusal(self.micros, balance.unwrap_or_default()))
    }

    /// Takes credits by this statement, if the account has as many.
    fn take(&mut self, ctx: &mut Ctx<'_, '_>, statement: Returning) -> Result<bool> {
        let changed: Option<(i64, i64, i64)> = ctx.tx.optional_returning(
            statement,
            values![self.micros, self.id, self.holder.balance_min()],
            values![self.id],
        )?;
        if let Some((balance, seq, backed)) = changed {
            (self.after, self.backed) = ((balance, seq), backed);
        }
        Ok(changed.is_some())
    }

    /// Adds credits to an account, which opens it.
    fn get(&mut self, ctx: &mut Ctx<'_, '_>) -> Result<()> {
        self.after = ctx.tx.one_returning(
            returning!(
                "insert into ledger_account
                    (id, kind, balance, entries, backed, backed_moved, earned)
                 values ($1, $2, $3, 1, $4, $4, $5)
                 on conflict (id) do update
                 set balance = ledger_account.balance + excluded.balance,
                    entries = ledger_account.entries + 1,
                    backed = ledger_account.backed + excluded.backed,
                    backed_moved = excluded.backed_moved,
                    earned = ledger_account.earned + excluded.earned",
                "balance, entries",
                "ledger_account where id = $1",
            ),
            values![self.id, self.holder.kind(), self.micros, self.backed, self.earned()],
            values![self.id],
        )?;
        Ok(())
    }
}

/// Writes one entry or two: most transfers have two.
fn insert_entries(ctx: &mut Ctx<'_, '_>, transfer: &TransferId, sides: &[Side<'_>]) -> Result<()> {
    match sides {
        [a, b] => ctx.tx.execute(
            sql!(
                "insert into ledger_entry
                    (account, seq, transfer, amount, balance_after, backed)
                 values ($1, $2, $3, $4, $5, $6), ($7, $8, $3, $9, $10, $11)"
            ),
            values![
                a.id, a.after.1, transfer, a.micros, a.after.0, a.backed, b.id, b.after.1,
                b.micros, b.after.0, b.backed
            ],
        )?,
        sides => {
            let mut rows = 0;
            for side in sides {
                rows += ctx.tx.execute(
                    sql!(
                        "insert into ledger_entry
                            (account, seq, transfer, amount, balance_after, backed)
                         values ($1, $2, $3, $4, $5, $6)"
                    ),
                    values![
                        side.id,
                        side.after.1,
                        transfer,
                        side.micros,
                        side.after.0,
                        side.backed
                    ],
                )?;
            }
            rows
        }
    };
    Ok(())
}

fn insert(ctx: &mut Ctx<'_, '_>, transfer: &TransferId, cause: &Cause<'_>) -> Result<()> {
    let (kind, now) = (&cause.kind, ctx.now());
    let actor = cause.actor.map_or("system", UserId::as_str);
    let rows = ctx.tx.execute(
        sql!(
            "insert into ledger_transfer (id, kind, ref, reason, actor, at)
             values ($1, $2, $3, $4, $5, $6) on conflict do nothing"
        ),
        values![transfer, kind, cause.reference, cause.reason, actor, now],
    )?;
    if rows == 1 {
        return Ok(());
    }
    // The guards before this one failed; the transaction is rolled back, and nothing moved.
    Err(Error::internal(format!("credits would move twice: {kind} {}", cause.reference)))
}

/// What a user can spend, in micro-credits.
pub fn available(ctx: &mut Ctx<'_, '_>, user: &UserId) -> Result<i64> {
    let balance = ctx.tx.optional(
        sql!("select balance from ledger_account where id = $1"),
        values![Holder::User(user).id()],
    )?;
    Ok(balance.unwrap_or(0))
}

/// The same, locked until the transaction ends.
pub fn available_locked(ctx: &mut Ctx<'_, '_>, user: &UserId) -> Result<i64> {
    lock_account(ctx, &Holder::User(user).id())?;
    available(ctx, user)
}

/// 409 where a user with this balance can't pay so much, in the words of [`post`].
pub fn refuse_short(user: &UserId, balance: i64, micros: i64) -> Result<()> {
    if balance >= micros { Ok(()) } else { Err(Holder::User(user).refusal(-micros, balance)) }
}

/// Issues the sign-up grant to a user, unless no more may be issued: nobody is turned away for it.
pub fn grant_at_sign_up(ctx: &mut Ctx<'_, '_>, user: &UserId, micros: i64) -> Result<()> {
    if !can_issue(ctx, micros)? {
        return Ok(());
    }
    let kind = TransferKind::Grant;
    let cause = Cause { kind, reference: user.as_str(), reason: Some("sign-up"), actor: None };
    post(ctx, &cause, &[(Holder::Issuance, -micros), (Holder::User(user), micros)]).map(|_| ())
}

fn can_issue(ctx: &mut Ctx<'_, '_>, micros: i64) -> Result<bool> {
    let sql = sql!("select id from ledger_account where id = 'issuance' for update");
    ctx.tx.lock(sql, values![])?;
    let sql = sql!("select balance from ledger_account where id = 'issuance'");
    let issued: i64 = ctx.tx.one(sql, values![])?;
    Ok(issued - micros >= -TOTAL_MAX)
}

/// Takes what a deleted account leaves.
pub fn forfeit(ctx: &mut Ctx<'_, '_>, user: &UserId) -> Result<()> {
    let micros = available_locked(ctx, user)?;
    if micros == 0 {
        return Ok(());
    }
    let kind = TransferKind::Forfeit;
    let cause = Cause { kind, reference: user.as_str(), reason: None, actor: Some(user) };
    post(ctx, &cause, &[(Holder::User(user), -micros), (Holder::Forfeited, micros)]).map(|_| ())
}
