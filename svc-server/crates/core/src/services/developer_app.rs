//! Developer apps: whether they work, their end, and what is noted of their use.

use std::collections::BTreeSet;
use std::time::Duration;

use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::api::security::SecurityAction;
use svc_types::{AppId, SecurityEntryId, Timestamp, UserId};

use crate::app::Ctx;
use crate::app_uses::AppUse;
use crate::identity::{DeveloperApp, credentials};
use crate::ids;
use crate::keys::{self, Hash, NewKey};
use crate::services::audit::{self, By, On};
use crate::services::oauth::deleted_app;
use crate::services::security::{self, About};
use crate::services::{account, wrong_clock};

/// Time between two entries of the same change in the log of the app's account: the key of an app is not limited.
const NOTED_EVERY: Duration = Duration::from_mins(10);

/// Most old keys of an app that still work. A further one ends the one that ends first.
const OLD_KEYS_MAX: i64 = 10;

/// Deletes an app. Its key and its tokens end at once; a sweep ends its grants. `why` is for the audit log. False if
/// there is no such app, or no longer.
pub fn end(ctx: &mut Ctx<'_, '_>, id: &AppId, by: By<'_>, why: Option<&str>) -> Result<bool> {
    hold_account(ctx, id)?;
    let now = ctx.now();
    let sql = sql!("update developer_app set deleted_at = $1 where id = $2 and deleted_at is null");
    if ctx.tx.execute(sql, values![now, id])? == 0 {
        return Ok(false);
    }
    deleted_app::check_streams(ctx, id)?;
    audit::write(ctx, by, "developer_deleted", On(id.as_str()), why)?;
    note(ctx, id, &SecurityAction::AppDeleted)?;
    Ok(true)
}

/// Locks the account of an app, and the owner of that account, before the app: their logs are written to.
pub fn hold_account(ctx: &mut Ctx<'_, '_>, id: &AppId) -> Result<()> {
    let found: Option<(UserId, Option<UserId>)> = ctx.tx.optional(
        sql!(
            "select a.id, a.owner from developer_app d join account a on a.id = d.owner
             where d.id = $1"
        ),
        values![id],
    )?;
    let Some((own, owner)) = found else { return Ok(()) };
    let accounts: BTreeSet<UserId> = [Some(own), owner].into_iter().flatten().collect();
    accounts.iter().try_for_each(|one| account::hold(ctx, one))
}

/// Adds what happened to an app to the log of its account, if it has one, unless that was noted within ten minutes.
pub fn note(ctx: &mut Ctx<'_, '_>, app: &AppId, action: &SecurityAction) -> Result<()> {
    let sql = sql!("select owner from developer_app where id = $1");
    let Some(owner) = ctx.tx.one::<Option<UserId>>(sql, values![app])? else { return Ok(()) };
    let (since, far) = (ctx.now().minus(NOTED_EVERY), ctx.now().plus(NOTED_EVERY));
    // After a clock was far ahead, new ids are too, so the time of an entry says whether it is old.
    let first: SecurityEntryId = ids::first_of(since);
    let noted: Option<i64> = ctx.tx.optional(
        sql!(
            "select 1 from security_entry
             where account = $1 and id >= $2 and action = $3 and app = $4 and at > $5 and at < $6
             limit 1"
        ),
        values![owner, first, action, app, since, far],
    )?;
    if noted.is_some() {
        return Ok(());
    }
    security::note(ctx, &owner, action, About::app(app))
}

/// Replaces the key of a locked app. The old one works until this instant, or ends now, with all earlier ones.
pub fn replace_key(
    ctx: &mut Ctx<'_, '_>,
    app: &AppId,
    (key_id, hash): (&str, &Hash),
    old_until: Option<Timestamp>,
) -> Result<()> {
    if let Some(until) = old_until {
        keep_old_key(ctx, app, until)?;
    } else {
        let sql = sql!("delete from developer_old_key where app = $1");
        ctx.tx.write(sql, values![app])?;
    }
    let sql = sql!("update developer_app set key_id = $1, key_hash = $2 where id = $3");
    ctx.tx.execute(sql, values![key_id, hash, app])?;
    note(ctx, app, &SecurityAction::AppKeyReplaced)
}

/// Ends a developer key that somebody found in public. An app without an account keeps it: nobody could replace it.
pub fn report_key(ctx: &mut Ctx<'_, '_>, key: &str) -> Result<()> {
    let Some(DeveloperApp { id, .. }) = credentials::developer(ctx, key)? else { return Ok(()) };
    hold_account(ctx, &id)?;
    let lock = sql!("select id from developer_app where id = $1 for no key update");
    ctx.tx.lock(lock, values![id])?;
    // Again behind the lock: it may have been replaced meanwhile.
    let Some(DeveloperApp { key_id, .. }) = credentials::developer(ctx, key)? else {
        return Ok(());
    };
    let sql = sql!("select owner from developer_app where id = $1");
    let Some(owner) = ctx.tx.one::<Option<UserId>>(sql, values![id])? else { return Ok(()) };
    let old = sql!("delete from developer_old_key where key_id = $1");
    if ctx.tx.execute(old, values![key_id])? == 0 {
        // One that nobody gets.
        let NewKey { key_id: unknown, hash, .. } = keys::generate(keys::DEVELOPER_KEY);
        let sql = sql!("update developer_app set key_id = $1, key_hash = $2 where id = $3");
        ctx.tx.execute(sql, values![unknown, hash, id])?;
    }
    audit::write(ctx, By("server"), "developer_key_reported", On(id.as_str()), None)?;
    security::note(ctx, &owner, &SecurityAction::KeyReported, About::app(&id))
}

/// Keeps the present key of a locked app beside the next one.
fn keep_old_key(ctx: &mut Ctx<'_, '_>, app: &AppId, until: Timestamp) -> Result<()> {
    ctx.tx.execute(
        sql!(
            "delete from developer_old_key where key_id in (
                select key_id from developer_old_key where app = $1
                order by expires_at desc, key_id limit 100 offset $2)"
        ),
        values![app, OLD_KEYS_MAX - 1],
    )?;
    ctx.tx.execute(
        sql!(
            "insert into developer_old_key (key_id, key_hash, app, expires_at)
             select key_id, key_hash, id, cast($1 as bigint) from developer_app where id = $2"
        ),
        values![until, app],
    )?;
    Ok(())
}

forget_expired! {
    /// Deletes old keys that work no longer.
    pub fn forget_old_keys: "developer_old_key" by "key_id"
}

/// That the account of an app `d`, if it has one, is neither suspended nor deleted.
pub const OWNER_STANDS: &str = "not exists (
    select 1 from account o
    where o.id = d.owner and (o.deleted_at is not null or o.status = 'suspended'))";

/// That the app of a grant `g`, if it has one, is not deleted, and its account neither suspended nor deleted.
pub const APP_WORKS: &str = "not exists (
    select 1 from developer_app d left join account o on o.id = d.owner
    where d.id = g.client_id
        and (d.deleted_at is not null or o.deleted_at is not null or o.status = 'suspended'))";

/// Writes uses of apps.
pub fn note_uses(ctx: &mut Ctx<'_, '_>, uses: &[(AppId, AppUse)]) -> Result<()> {
    let far = wrong_clock::far_ahead(ctx.now());
    for (app, noted) in uses {
        ctx.tx.execute(
            sql!(
                "update developer_app set
                    last_used_at = case when last_used_at > $1 and last_used_at < $2
                        then last_used_at else $1 end,
                    verifications = verifications + $3
                 where id = $4"
            ),
            values![noted.at, far, noted.verifications, app],
        )?;
    }
    Ok(())
}
