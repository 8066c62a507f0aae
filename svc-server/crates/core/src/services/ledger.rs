//! The ledger of credits: double entry, append-only, and written by [`post`] alone.
//!
//! A movement is a transfer with entries that sum to nothing. `(kind, reference)` is unique, so
//! that credits are held once and settled once, whatever races or is repeated.

use svc_store::error::{Error, Refusal, Result};
use svc_store::{returning, sql, values};
use svc_types::api::credits::TransferKind;
use svc_types::credits::TOTAL_MAX;
use svc_types::{Balance, Code, TransferId, UserId};

use crate::app::Ctx;

/// Whose credits an account of the ledger holds.
#[derive(Clone, Copy, Debug)]
pub enum Holder<'a> {
    /// Nobody's: where credits come from; its balance is what was issued, below 0.
    Issuance,
    /// What a user can spend.
    User(&'a UserId),
    /// What an escrow or a service request holds, by its id.
    Hold(&'a str),
    /// What deleted accounts left behind.
    Forfeited,
}

impl Holder<'_> {
    /// The id of its row.
    pub fn id(self) -> String {
        match self {
            Self::Issuance => "issuance".to_owned(),
            Self::User(id) => format!("user:{id}"),
            Self::Hold(id) => format!("hold:{id}"),
            Self::Forfeited => "forfeited".to_owned(),
        }
    }

    const fn kind(self) -> &'static str {
        match self {
            Self::Issuance => "issuance",
            Self::User(_) => "user",
            Self::Hold(_) => "hold",
            Self::Forfeited => "forfeited",
        }
    }

    /// How low its balance may go.
    const fn balance_min(self) -> i64 {
        match self {
            Self::Issuance => -TOTAL_MAX,
            _ => 0,
        }
    }

    /// Why so much can't leave an account of the ledger that holds `balance`.
    fn refusal(self, micros: i64, balance: i64) -> Error {
        match self {
            Self::Issuance => {
                Error::refused(Code::IssuanceLimit, "so many credits can't be issued")
            }
            Self::User(_) => {
                let needed = Balance::from_micros(-micros);
                let available = Balance::from_micros(balance);
                let message =
                    format!("there are too few credits: {needed} needed, {available} available");
                let refusal = Refusal::new(Code::InsufficientCredits, message);
                refusal.hint("GET /v1/credits shows what is available").into()
            }
            Self::Hold(_) | Self::Forfeited => {
                Error::internal("more would leave an account of the ledger than it has")
            }
        }
    }
}

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
/// 409 when an account has too little. Accounts are locked in the order of their ids.
///
/// # Panics
/// When the entries don't balance, in any build: that would be a fault of the caller.
pub fn post(
    ctx: &mut Ctx<'_, '_>,
    cause: &Cause<'_>,
    entries: &[(Holder<'_>, i64)],
) -> Result<TransferId> {
    let mut entries: Vec<(String, Holder<'_>, i64)> = entries
        .iter()
        .filter(|(_, micros)| *micros != 0)
        .map(|(holder, micros)| (holder.id(), *holder, *micros))
        .collect();
    let sum: i128 = entries.iter().map(|(_, _, micros)| i128::from(*micros)).sum();
    assert!(sum == 0 && entries.len() >= 2, "the entries of a transfer must balance");
    entries.sort_by(|a, b| a.0.cmp(&b.0));
    let transfer: TransferId = ctx.id();
    let moved = entries
        .iter()
        .map(|(id, holder, micros)| change(ctx, id, *holder, *micros))
        .collect::<Result<Vec<_>>>()?;
    insert(ctx, &transfer, cause)?;
    let entries: Vec<Entry<'_>> = entries
        .iter()
        .zip(moved)
        .map(|((account, _, micros), (balance, seq))| Entry {
            account,
            seq,
            micros: *micros,
            balance,
        })
        .collect();
    for two in entries.chunks(2) {
        insert_entries(ctx, &transfer, two)?;
    }
    Ok(transfer)
}

/// One side of a transfer, as it is written down.
struct Entry<'a> {
    account: &'a str,
    seq: i64,
    micros: i64,
    balance: i64,
}

/// Writes one entry or two: most transfers have two.
fn insert_entries(
    ctx: &mut Ctx<'_, '_>,
    transfer: &TransferId,
    entries: &[Entry<'_>],
) -> Result<()> {
    match entries {
        [a, b] => ctx.tx.execute(
            sql!(
                "insert into ledger_entry (account, seq, transfer, amount, balance_after)
                 values ($1, $2, $3, $4, $5), ($6, $7, $3, $8, $9)"
            ),
            values![
                a.account, a.seq, transfer, a.micros, a.balance, b.account, b.seq, b.micros,
                b.balance
            ],
        )?,
        entries => {
            let mut rows = 0;
            for entry in entries {
                rows += ctx.tx.execute(
                    sql!(
                        "insert into ledger_entry (account, seq, transfer, amount, balance_after)
                         values ($1, $2, $3, $4, $5)"
                    ),
                    values![entry.account, entry.seq, transfer, entry.micros, entry.balance],
                )?;
            }
            rows
        }
    };
    Ok(())
}

/// Changes one balance; the new one, and the number of the entry.
fn change(ctx: &mut Ctx<'_, '_>, id: &str, holder: Holder<'_>, micros: i64) -> Result<(i64, i64)> {
    if micros > 0 {
        return ctx.tx.one_returning(
            returning!(
                "insert into ledger_account (id, kind, balance, entries) values ($1, $2, $3, 1)
                 on conflict (id) do update
                 set balance = ledger_account.balance + excluded.balance,
                    entries = ledger_account.entries + 1",
                "balance, entries",
                "ledger_account where id = $1",
            ),
            values![id, holder.kind(), micros],
            values![id],
        );
    }
    let changed = ctx.tx.optional_returning(
        returning!(
            "update ledger_account set balance = balance + $1, entries = entries + 1
             where id = $2 and balance + $1 >= $3",
            "balance, entries",
            "ledger_account where id = $1",
        ),
        values![micros, id, holder.balance_min()],
        values![id],
    )?;
    if let Some(changed) = changed {
        return Ok(changed);
    }
    let sql = sql!("select balance from ledger_account where id = $1");
    let balance: Option<i64> = ctx.tx.optional(sql, values![id])?;
    Err(holder.refusal(micros, balance.unwrap_or_default()))
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
    ctx.tx.lock(
        sql!("select id from ledger_account where id = $1 for update"),
        values![Holder::User(user).id()],
    )?;
    available(ctx, user)
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
