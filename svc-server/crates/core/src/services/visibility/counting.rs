//! Takes an account out of the counts at others, and puts it back, some rows at a time.
//!
//! Every transaction that moves the place of an account has locked its row `for update`, and every
//! one that changes or counts a row of it has locked that row, too. So a place never moves between
//! the question whether a row is counted and the answer's use.
//!
//! From there it goes on to accounts and posts of others, in no common order. So only one such transaction runs at a
//! time, on all nodes together.

use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::UserId;

use super::counts_of;
use super::kind::KINDS;
use super::place::Place;
use crate::app::Ctx;
use crate::ids;
use crate::services::account;

/// Waits until no other transaction moves a place, before the account is locked. Two accounts that follow each
/// other would otherwise wait for each other when both leave.
pub fn take_turn(ctx: &mut Ctx<'_, '_>) -> Result<()> {
    ctx.tx.lock(sql!("select pg_advisory_xact_lock(7383211, 2)"), &[])
}

/// Locks an account that may leave the counts or come back. Inserts of rows that refer to it wait.
pub fn lock_account(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<()> {
    take_turn(ctx)?;
    account::lock_with_rows(ctx, account)
}

/// Rows that a transaction takes out of the counts or puts back, so that no other write waits long.
/// Most accounts have fewer.
const BATCH: usize = 1_000;

/// Begins to add an account, whose row is locked, `more` times to every count. What is more than a batch
/// is left to [`finish_some_of`].
///
/// If the account has a place, rows behind it are counted and the others are not, whichever way it
/// moved. So it goes on from there.
pub(super) fn begin(ctx: &mut Ctx<'_, '_>, account: &UserId, more: i64) -> Result<()> {
    let after = counts_of(ctx, account)?.after;
    go_on(ctx, account, after.as_deref(), more)
}

/// A place that an account has, and the account.
pub type Unfinished = (String, UserId);

/// The next account that has a place, in the order of the places.
pub fn next_unfinished(ctx: &mut Ctx<'_, '_>, after: &Unfinished) -> Result<Option<Unfinished>> {
    ctx.tx.optional(
        sql!(
            "select counted_after, id from account
             where counted_after is not null and (counted_after, id) > ($1, $2)
             order by counted_after, id limit 1"
        ),
        values![after.0, after.1],
    )
}

/// Moves the place of this account, if it has one. Returns whether it had.
pub fn finish_some_of(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<bool> {
    // Another node may have moved it, or the account may stand again. What is read next is from after
    // the lock.
    lock_account(ctx, account)?;
    let counts = counts_of(ctx, account)?;
    let Some(after) = counts.after.as_deref() else { return Ok(false) };
    go_on(ctx, account, Some(after), counts.way())?;
    Ok(true)
}

/// Moves the place of an account by a batch.
fn go_on(ctx: &mut Ctx<'_, '_>, account: &UserId, after: Option<&str>, way: i64) -> Result<()> {
    let from = after.map_or_else(|| Ok(Place::first(way)), Place::parse)?;
    let place = moved(ctx, account, from, way)?.map(|place| place.to_string());
    if place.as_deref() == after {
        return Ok(());
    }
    let sql = sql!("update account set counted_after = $1 where id = $2");
    ctx.tx.write(sql, values![place, account])
}

/// Where the place is after a batch; none where it has arrived.
fn moved(ctx: &mut Ctx<'_, '_>, account: &UserId, from: Place, way: i64) -> Result<Option<Place>> {
    let (mut place, mut left) = (from, BATCH);
    while place != Place::last(way) {
        if left == 0 {
            return Ok(Some(place));
        }
        let (next, rows) = if way < 0 {
            take_out(ctx, account, &place, left)?
        } else {
            put_back(ctx, account, &place, left)?
        };
        (place, left) = (next, left.saturating_sub(rows));
    }
    Ok(None)
}

/// Takes rows behind a place out of the counts: where it is then, and how many they were.
fn take_out(
    ctx: &mut Ctx<'_, '_>,
    account: &UserId,
    place: &Place,
    most: usize,
) -> Result<(Place, usize)> {
    let Some(kind) = KINDS.get(place.kind) else { return Ok((Place::last(-1), 0)) };
    let rows = kind.behind(ctx, account, &place.key, most)?;
    let count = rows.len();
    let next = match rows.last() {
        Some(last) if count == most => Place { kind: place.kind, key: last.key.clone() },
        _ => Place::beginning_of(place.kind + 1),
    };
    kind.count(ctx, account, rows, -1)?;
    Ok((next, count))
}

/// Puts rows before a place back into the counts: where it is then, and how many they were.
fn put_back(
    ctx: &mut Ctx<'_, '_>,
    account: &UserId,
    place: &Place,
    most: usize,
) -> Result<(Place, usize)> {
    // Where a kind begins, the one before it ends.
    let (number, key) = match place.key.as_str() {
        "" => (place.kind.saturating_sub(1), ids::LAST),
        key => (place.kind, key),
    };
    let Some(kind) = KINDS.get(number) else { return Ok((Place::last(1), 0)) };
    let mut rows = kind.upto(ctx, account, key, most + 1)?;
    // The row before the batch: the place is behind it.
    let before = if rows.len() > most { rows.pop() } else { None };
    let next = match before {
        Some(row) => Place { kind: number, key: row.key },
        None => Place::beginning_of(number),
    };
    let count = rows.len();
    kind.count(ctx, account, rows, 1)?;
    Ok((next, count))
}
