//! Locks on the row of an account, until the transaction ends. On SQLite the single writer is the lock.

use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::UserId;

use crate::app::Ctx;

/// Locks an account: of two transactions that do, the second sees what the first has changed. Rows that refer
/// to the account can still be inserted.
#[track_caller]
pub fn lock(ctx: &mut Ctx<'_, '_>, id: &UserId) -> Result<()> {
    ctx.tx.lock(sql!("select id from account where id = $1 for no key update"), values![id])
}

/// Locks an account like [`lock`]; inserts of rows that refer to it wait, too.
#[track_caller]
pub fn lock_with_rows(ctx: &mut Ctx<'_, '_>, id: &UserId) -> Result<()> {
    ctx.tx.lock(sql!("select id from account where id = $1 for update"), values![id])
}

/// Makes [`lock_with_rows`] of other transactions wait; they can still [`lock`] the account.
#[track_caller]
pub fn hold(ctx: &mut Ctx<'_, '_>, id: &UserId) -> Result<()> {
    ctx.tx.lock(sql!("select id from account where id = $1 for key share"), values![id])
}
