//! What other accounts or moderators keep about the account, and what it registered.

use serde_json::Value;
use svc_store::error::{Error, Result};
use svc_store::{sql, values};

use super::events::{empty_within, naming};
use super::{BATCH, Gone, last};
use crate::app::Ctx;
use crate::services::oauth::deleted_app::{self, Ending};

/// Empties what the account wrote in reports, and what reports of it show.
pub(super) fn reports(ctx: &mut Ctx<'_, '_>, gone: &Gone, after: &str) -> Result<Option<String>> {
    let ids: Vec<String> = ctx.tx.all(
        sql!(
            "select id from (
                select id from report where reporter = $1 and id > $2
                union select id from report where owner = $1 and id > $2
             ) own order by id limit $3"
        ),
        values![gone.id, after, BATCH],
    )?;
    for id in &ids {
        for sql in [
            sql!("update report set comment = null where id = $1 and reporter = $2"),
            sql!("update report set snapshot = '{}' where id = $1 and owner = $2"),
        ] {
            ctx.tx.execute(sql, values![id, gone.id])?;
        }
    }
    Ok(last(ids))
}

/// Empties what reports of other accounts' posts quote of the account.
pub(super) fn quotes(ctx: &mut Ctx<'_, '_>, gone: &Gone, after: &str) -> Result<Option<String>> {
    let ids: Vec<String> = ctx.tx.all(
        sql!("select id from report where id > $1 order by id limit $2"),
        values![after, BATCH],
    )?;
    let Some(upto) = ids.last() else { return Ok(None) };
    // Another account whose words they show may be erased at the same time, by another node.
    let sql =
        sql!("select id from report where id > $1 and id <= $2 order by id for no key update");
    ctx.tx.lock(sql, values![after, upto])?;
    let found: Vec<(String, String)> = ctx.tx.all(
        sql!(
            "select id, snapshot from report
             where id > $1 and id <= $2 and snapshot like $3 escape '\\'
             order by id"
        ),
        values![after, upto, naming(gone)],
    )?;
    for (id, snapshot) in found {
        let mut snapshot: Value = serde_json::from_str(&snapshot).map_err(Error::internal)?;
        empty_within(gone.id.as_str(), false, &mut snapshot);
        let sql = sql!("update report set snapshot = $1 where id = $2");
        ctx.tx.execute(sql, values![snapshot.to_string(), id])?;
    }
    Ok(last(ids))
}

/// Ends what others allowed to the account's apps, which names them.
pub(super) fn grants(ctx: &mut Ctx<'_, '_>, gone: &Gone, after: &str) -> Result<Option<String>> {
    let found: Vec<Ending> = ctx.tx.all(
        sql!(
            "select ",
            Ending::COLUMNS,
            " from developer_app d join oauth_grant g on g.client_id = d.id
             join account a on a.id = g.account
             where d.owner = $1 and g.id > $2 order by g.id limit $3"
        ),
        values![gone.id, after, BATCH],
    )?;
    let upto = last(found.iter().map(|grant| grant.id.to_string()).collect());
    deleted_app::end_all(ctx, found)?;
    Ok(upto)
}

/// Ends the account's apps. Their rows stay, because tokens and deals refer to them.
pub(super) fn apps(ctx: &mut Ctx<'_, '_>, gone: &Gone) -> Result<()> {
    let now = ctx.now();
    ctx.tx.execute(
        sql!(
            "update developer_app
             set app_name = '', website = '', description = null, redirect_uris = null,
                deleted_at = coalesce(deleted_at, $1)
             where owner = $2"
        ),
        values![now, gone.id],
    )?;
    Ok(())
}

/// Stored answers that are searched in one transaction.
const ANSWERS_AT_ONCE: i64 = 1_000;

/// Empties stored answers to others that name the account by id or, as deals do, by username. Those
/// from after its deletion do not show what it wrote. Their keys stay, so that nothing is done twice.
pub(super) fn answers(ctx: &mut Ctx<'_, '_>, gone: &Gone, after: &str) -> Result<Option<String>> {
    let after: i64 = after.parse().unwrap_or_default();
    let upto: Option<i64> = ctx.tx.one(
        sql!(
            "select max(id) from (
                select id, created_at from idempotency where id > $1 order by id limit $2) batch
             where created_at <= $3"
        ),
        values![after, ANSWERS_AT_ONCE, gone.deleted_at],
    )?;
    let Some(upto) = upto else { return Ok(None) };
    let sql = sql!("select username from account where id = $1");
    let name: String = ctx.tx.one(sql, values![gone.id])?;
    let (id, name) = (gone.id.as_str().as_bytes(), format!("\"{name}\"").into_bytes());
    ctx.tx.execute_pair(NAMING, values![gone.deleted_at, id, name, after, upto])?;
    Ok(Some(upto.to_string()))
}

/// Answers are bytes, which each engine searches in its own way.
const NAMING: svc_store::db::Pair = svc_store::db::Pair::new(
    sql!(
        "update idempotency set body = null, headers = null
         where created_at <= $1 and body is not null
            and (instr(body, $2) > 0 or instr(body, $3) > 0) and id > $4 and id <= $5"
    ),
    sql!(
        "update idempotency set body = null, headers = null
         where created_at <= $1 and body is not null
            and (position($2 in body) > 0 or position($3 in body) > 0) and id > $4 and id <= $5"
    ),
);
