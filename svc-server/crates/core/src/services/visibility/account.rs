//! Accounts that are suspended, restored or deleted. That takes effect at once; the counts of other
//! accounts follow in batches, of which the first is in the same transaction.

use svc_store::error::Result;
use svc_store::{returning, sql, values};
use svc_types::UserId;
use svc_types::api::users::AccountStatus;

use super::counting;
use crate::app::Ctx;
use crate::services::{channel, hashtag, identity_token, moderation, webhook};

/// Suspends an account whose row is locked; nothing happens when it is suspended.
pub fn suspend(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<()> {
    let rows = ctx.tx.execute(
        sql!(
            "update account set status = 'suspended'
             where id = $1 and status <> 'suspended' and deleted_at is null"
        ),
        values![account],
    )?;
    if rows == 0 {
        return Ok(());
    }
    ctx.effects.ended.push(account.clone());
    hashtag::note_account(ctx, account)?;
    counting::begin(ctx, account, -1)?;
    webhook::suspend(ctx, account)
}

/// Lifts the suspension of an account whose row is locked. One that is deleted stays out of the counts until it is
/// restored.
pub fn unsuspend(ctx: &mut Ctx<'_, '_>, account: &UserId, status: &AccountStatus) -> Result<()> {
    let is_deleted: Option<bool> = ctx.tx.optional_returning(
        returning!(
            "update account set status = $1 where id = $2 and status = 'suspended'",
            "deleted_at is not null",
            "account where id = $1",
        ),
        values![status, account],
        values![account],
    )?;
    if is_deleted != Some(false) {
        return Ok(());
    }
    // Identity tokens from before a suspension stay revoked after it.
    identity_token::revoke_all(ctx, account)?;
    hashtag::note_account(ctx, account)?;
    counting::begin(ctx, account, 1)?;
    webhook::unsuspend(ctx, account)
}

/// Takes an account out of every count before it is deleted. Its row is locked.
pub fn leave(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<()> {
    ctx.effects.ended.push(account.clone());
    hashtag::note_account(ctx, account)?;
    counting::begin(ctx, account, -1)?;
    webhook::suspend(ctx, account)
}

/// Counts an account again after its deletion was undone. Its row is locked.
pub fn come_back(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<()> {
    hashtag::note_account(ctx, account)?;
    counting::begin(ctx, account, 1)?;
    webhook::unsuspend(ctx, account)
}

/// Ends the channels, lists and webhooks of an account that will not be restored. It has only a few of each; what has
/// no such limit is deleted in batches, with its texts. No count includes the account any more.
pub fn forget(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<()> {
    channel::close_all_of(ctx, account)?;
    for sql in [
        sql!("delete from list_member where list in (select id from list where owner = $1)"),
        sql!("delete from list where owner = $1"),
    ] {
        ctx.tx.execute(sql, values![account])?;
    }
    webhook::forget(ctx, account)?;
    moderation::drop_all(ctx, account.as_str())
}
