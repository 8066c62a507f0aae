//! What of the reads is forgotten: who viewed what, and the counts of hours.

use std::time::Duration;

use svc_store::error::Result;
use svc_store::{sql, values};

use crate::app::Ctx;
use crate::expired::Sweep;
use crate::utc;

/// Time the counts of an hour are kept; those of its day stay.
const HOURS_KEPT: Duration = Duration::from_hours(8 * 24);

/// All that is forgotten.
pub const SWEEPS: [Sweep; 4] = [post_viewers, account_viewers, salts, hours];

fn post_viewers(ctx: &mut Ctx<'_, '_>, rows: i64) -> Result<u64> {
    let now = ctx.now();
    // Like `forget_expired!`, it keeps what is renewed meanwhile.
    ctx.tx.execute(
        sql!(
            "delete from post_viewer where +kept_until <= $1 and (post, viewer) in
             (select post, viewer from post_viewer where kept_until <= $1 limit $2)"
        ),
        values![now, rows],
    )
}

fn account_viewers(ctx: &mut Ctx<'_, '_>, rows: i64) -> Result<u64> {
    let now = ctx.now();
    // Like `forget_expired!`, it keeps what is renewed meanwhile.
    ctx.tx.execute(
        sql!(
            "delete from account_viewer where +kept_until <= $1 and (account, viewer) in
             (select account, viewer from account_viewer where kept_until <= $1 limit $2)"
        ),
        values![now, rows],
    )
}

/// Salts of the days before; without theirs the hashes of addresses say nothing.
fn salts(ctx: &mut Ctx<'_, '_>, rows: i64) -> Result<u64> {
    let today = utc::day_of(ctx.now());
    ctx.tx.execute(
        sql!(
            "delete from viewer_salt where day in
             (select day from viewer_salt where day < $1 limit $2)"
        ),
        values![today, rows],
    )
}

fn hours(ctx: &mut Ctx<'_, '_>, rows: i64) -> Result<u64> {
    let before = ctx.now().minus(HOURS_KEPT);
    ctx.tx.execute(
        sql!(
            "delete from tally where (subject, step, start) in
             (select subject, step, start from tally
              where step = 3600000 and start < $1 limit $2)"
        ),
        values![before, rows],
    )
}
