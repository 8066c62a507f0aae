//! Grants of deleted developer apps, and of other programs that the operator deletes.
//!
//! The tokens of such an app are refused at once. Its grants are ended in batches, because there may be any
//! number of them.

use std::collections::BTreeSet;

use svc_store::error::Result;
use svc_store::{row, sql, values};
use svc_types::{AppId, GrantId, UserId};

use super::grant;
use crate::app::Ctx;
use crate::services::account;

/// That the app of a grant `g`, if it has one, is not deleted.
pub const APP_NOT_DELETED: &str = "not exists (
    select 1 from developer_app d where d.id = g.client_id and d.deleted_at is not null)";

/// Most grants that end in one transaction, so that no other write waits long.
const GRANTS_AT_ONCE: i64 = 200;

/// Most apps whose grants are looked up in one transaction.
const APPS_AT_ONCE: i64 = 200;

/// Most accounts whose streams are authenticated again as soon as an app is deleted. All others follow
/// within two minutes.
const CHECKED_MAX: i64 = 1_000;

/// The apps that a sweep has next, up to a limit.
const NEXT: &str = "select id from developer_app
    where deleted_at is not null and grants_ended_at is null
    order by deleted_at, id limit ";

/// A grant that ends with its app.
#[derive(Debug)]
pub struct Ending {
    /// The grant.
    pub id: GrantId,
    account: UserId,
    /// The owner of the account, who is notified too.
    owner: Option<UserId>,
}
row!(Ending { id: "g.id", account: "g.account", owner: "a.owner" });

/// Lets streams that tokens of an app opened authenticate again, because the app was deleted.
pub fn check_streams(ctx: &mut Ctx<'_, '_>, app: &AppId) -> Result<()> {
    let accounts: Vec<UserId> = ctx.tx.all(
        sql!("select account from oauth_grant where client_id = $1 order by id desc limit $2"),
        values![app, CHECKED_MAX],
    )?;
    ctx.effects.checked.extend(accounts);
    Ok(())
}

/// Ends a batch of grants of deleted apps. Returns whether there may be more.
pub fn end_some(ctx: &mut Ctx<'_, '_>) -> Result<bool> {
    let found: Vec<Ending> = ctx.tx.all(
        sql!(
            "select ",
            Ending::COLUMNS,
            " from (",
            NEXT,
            "$1) d join oauth_grant g on g.client_id = d.id
             join account a on a.id = g.account
             limit $2"
        ),
        values![APPS_AT_ONCE, GRANTS_AT_ONCE],
    )?;
    let is_full = found.len() as u64 == GRANTS_AT_ONCE.unsigned_abs();
    end_all(ctx, found)?;
    let done = note_ended(ctx)?;
    Ok(is_full || done == APPS_AT_ONCE.unsigned_abs())
}

/// Ends a batch of grants of a client that was deleted. Returns whether there may be more.
pub fn end_some_of(ctx: &mut Ctx<'_, '_>, client: &str) -> Result<bool> {
    let found: Vec<Ending> = ctx.tx.all(
        sql!(
            "select ",
            Ending::COLUMNS,
            " from oauth_grant g join account a on a.id = g.account
             where g.client_id = $1 order by g.id limit $2"
        ),
        values![client, GRANTS_AT_ONCE],
    )?;
    let is_full = found.len() as u64 == GRANTS_AT_ONCE.unsigned_abs();
    end_all(ctx, found)?;
    Ok(is_full)
}

/// Ends grants. All their accounts are locked first, as everywhere, because their logs are written to.
pub fn end_all(ctx: &mut Ctx<'_, '_>, mut grants: Vec<Ending>) -> Result<()> {
    grants.sort_by(|one, other| one.id.cmp(&other.id));
    let accounts = grants.iter().map(|grant| &grant.account);
    let owners = grants.iter().filter_map(|grant| grant.owner.as_ref());
    let accounts: BTreeSet<&UserId> = accounts.chain(owners).collect();
    for account in accounts {
        account::hold(ctx, account)?;
    }
    for Ending { id, account, .. } in &grants {
        grant::end(ctx, account, id)?;
    }
    Ok(())
}

/// Marks those of the next apps that have no grants any more. Returns how many there are.
fn note_ended(ctx: &mut Ctx<'_, '_>) -> Result<u64> {
    // In the order in which their uses are noted.
    ctx.tx.lock(
        sql!(
            "select id from developer_app where id in (",
            NEXT,
            "$1) order by id for no key update"
        ),
        values![APPS_AT_ONCE],
    )?;
    let now = ctx.now();
    ctx.tx.execute(
        sql!(
            "update developer_app set grants_ended_at = $1 where id in (",
            NEXT,
            "$2) and not exists (select 1 from oauth_grant g where g.client_id = developer_app.id)"
        ),
        values![now, APPS_AT_ONCE],
    )
}
