//! Whose posts and profiles the account read. Viewers are noted to count each of them once; the counts stay.

use svc_store::db::Sql;
use svc_store::error::Result;
use svc_store::{sql, values};

use super::Gone;
use crate::app::Ctx;

/// Viewers among which one transaction looks for the account.
const VIEWERS: i64 = 1_000;

/// Takes the account out of the viewers of some posts.
pub(super) fn of_posts(ctx: &mut Ctx<'_, '_>, gone: &Gone, after: &str) -> Result<Option<String>> {
    let end = sql!(
        "select max(post) from (
            select post from post_viewer where post > $1 order by post limit $2) batch"
    );
    let delete = sql!("delete from post_viewer where viewer = $1 and post > $2 and post <= $3");
    forget(ctx, gone, after, (end, delete))
}

/// Takes the account out of the viewers of some accounts.
pub(super) fn of_accounts(
    ctx: &mut Ctx<'_, '_>,
    gone: &Gone,
    after: &str,
) -> Result<Option<String>> {
    let end = sql!(
        "select max(account) from (
            select account from account_viewer where account > $1 order by account limit $2) batch"
    );
    let delete =
        sql!("delete from account_viewer where viewer = $1 and account > $2 and account <= $3");
    forget(ctx, gone, after, (end, delete))
}

/// Finds where a batch ends, and deletes what the account viewed up to there.
fn forget(
    ctx: &mut Ctx<'_, '_>,
    gone: &Gone,
    after: &str,
    (end, delete): (Sql, Sql),
) -> Result<Option<String>> {
    let upto: Option<String> = ctx.tx.one(end, values![after, VIEWERS])?;
    if let Some(upto) = &upto {
        ctx.tx.execute(delete, values![gone.id, after, upto])?;
    }
    Ok(upto)
}
