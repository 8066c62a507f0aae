//! Deleted accounts: hidden at once, restorable for a while, then erased.
//!
//! Until it is erased, a deleted account is what it was, except for its role, and nothing shows it. Its
//! password and its default key lead to its restoration and nowhere else.

use svc_store::error::{Error, Refusal, Result};
use svc_store::{sql, values};
use svc_types::api::security::SecurityAction;
use svc_types::api::users::Role;
use svc_types::{Code, Timestamp, UserId};

use crate::app::Ctx;
use crate::identity::Account;
use crate::services::audit::{self, By, On};
use crate::services::oauth::grant;
use crate::services::security::{self, About};
use crate::services::{
    billing, identity_token, invite, link, mail, overdue, owner, pending, sample, scheduled,
    search, visibility,
};

/// Samples that end with an account in its transaction; the erasure ends the others.
const SAMPLES_AT_ONCE: i64 = 200;

/// Deletes the account; the answer is when it will be erased. 403 if it is suspended, 409 while a deal is open.
pub fn delete(ctx: &mut Ctx<'_, '_>, caller: &Account) -> Result<Timestamp> {
    lock(ctx, &caller.id)?;
    owner::hold_unpaused(ctx, caller)?;
    // One for which a timer acts may have been suspended long ago, so this is asked on SQLite, too.
    visibility::keep_counted(ctx, caller)?;
    refuse_obligations(ctx, &caller.id)?;
    visibility::leave(ctx, &caller.id)?;
    end(ctx, caller, caller.id.as_str())
}

/// Deletes an account that may be suspended; `actor` did it, as the audit log names them.
pub fn delete_by(ctx: &mut Ctx<'_, '_>, account: &Account, actor: &str) -> Result<Timestamp> {
    lock(ctx, &account.id)?;
    let stands: Option<bool> = ctx.tx.optional(
        sql!("select status <> 'suspended' from account where id = $1 and deleted_at is null"),
        values![account.id],
    )?;
    let stands = stands.ok_or_else(|| Error::not_found("account"))?;
    refuse_obligations(ctx, &account.id)?;
    // A suspended account has left the counts, or is leaving them.
    if stands {
        visibility::leave(ctx, &account.id)?;
    }
    end(ctx, account, actor)
}

/// Locks an account. Opening an escrow locks its row, too, so none can be opened until the transaction ends.
fn lock(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<()> {
    visibility::lock_account(ctx, account)
}

/// Deletes an account that is locked and in no count, with what ends at once.
fn end(ctx: &mut Ctx<'_, '_>, account: &Account, actor: &str) -> Result<Timestamp> {
    let (now, id) = (ctx.now(), &account.id);
    ctx.tx.execute(
        sql!(
            "update account
             set deleted_at = $1, updated_at = $1, awaits_approval_since = null, role = 'user'
             where id = $2 and deleted_at is null"
        ),
        values![now, id],
    )?;
    billing::subscription::end_with(ctx, id)?;
    billing::withdrawn::name_pages(ctx, id)?;
    // It locks services, and the end of an ownership locks caps.
    sample::end_of_buyer(ctx, id, SAMPLES_AT_ONCE)?;
    // Before the ownership ends: the owner of an agent is notified, too.
    security::note(ctx, id, &SecurityAction::AccountDeleted, About::default())?;
    owner::end_with(ctx, account)?;
    pending::forget(ctx, id)?;
    end_credentials(ctx, id)?;
    scheduled::forget(ctx, id)?;
    invite::forget(ctx, id)?;
    mail::end_links(ctx, id)?;
    link::forget_of(ctx, id)?;
    search::note(ctx, id.as_str())?;
    audit::write(ctx, By(actor), "account_deleted", On(id.as_str()), None)?;
    if account.role != Role::User {
        audit::write(ctx, By(actor), "role_granted", On(id.as_str()), Some(Role::User.as_str()))?;
    }
    Ok(now.plus(ctx.app.config.accounts.erase_after))
}

/// Ends everything that acts as the account, but its password and its default key.
fn end_credentials(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<()> {
    for sql in [
        sql!("delete from api_key where account = $1 and is_default = false"),
        sql!("delete from session where account = $1"),
    ] {
        ctx.tx.execute(sql, values![account])?;
    }
    identity_token::revoke_all(ctx, account)?;
    grant::end_all(ctx, account)
}

/// 409 while a deal is open, because the other party has a claim on it.
fn refuse_obligations(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<()> {
    overdue::refuse(ctx, account)?;
    let open = open_deals(ctx, account)?;
    if open.is_empty() {
        return billing::refuse_obligations(ctx, account);
    }
    let refusal = Refusal::new(Code::OpenObligations, "an order is still open");
    Err(refusal.hint(open.join(", ")).into())
}

/// Ids of open escrows and orders of an account, some if there are many.
pub fn open_deals(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<Vec<String>> {
    ctx.tx.all(
        sql!(
            "select id from escrow
             where buyer = $1 and status in ('created', 'funded', 'delivered', 'disputed')
             union all
             select id from escrow
             where provider = $1 and status in ('created', 'funded', 'delivered', 'disputed')
             union all
             select id from service_request where requester = $1 and state = 'open'
             union all
             select id from service_request where provider = $1 and state = 'open'
             limit 100"
        ),
        values![account],
    )
}

/// Takes the deletion of the calling account back.
pub fn restore(ctx: &mut Ctx<'_, '_>, caller: &Account) -> Result<()> {
    if restore_by(ctx, &caller.id, caller.id.as_str())? {
        return Ok(());
    }
    Err(Error::refused(Code::WrongState, "the account is not deleted"))
}

/// Takes the deletion of an account back; `actor` did it, as the audit log names them. False if it is not deleted, is
/// suspended, or its erasure is due.
pub fn restore_by(ctx: &mut Ctx<'_, '_>, account: &UserId, actor: &str) -> Result<bool> {
    lock(ctx, account)?;
    let (now, before) = (ctx.now(), erasable_before(ctx));
    // The role has ended, also if an earlier server deleted the account, or somebody granted it meanwhile.
    let rows = ctx.tx.execute(
        sql!(
            "update account set deleted_at = null, updated_at = $1, role = 'user'
             where id = $2 and deleted_at > $3 and erase_now = false and status <> 'suspended'"
        ),
        values![now, account, before],
    )?;
    if rows == 0 {
        return Ok(false);
    }
    visibility::come_back(ctx, account)?;
    search::note(ctx, account.as_str())?;
    security::note(ctx, account, &SecurityAction::AccountRestored, About::default())?;
    audit::write(ctx, By(actor), "account_restored", On(account.as_str()), None)?;
    Ok(true)
}

/// Accounts that were deleted by this time are erased.
pub fn erasable_before(ctx: &Ctx<'_, '_>) -> Timestamp {
    ctx.now().minus(ctx.app.config.accounts.erase_after)
}

/// When a deleted account will be erased; `None` for others.
pub fn erases_at(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<Option<Timestamp>> {
    let sql = sql!("select deleted_at from account where id = $1");
    let deleted_at: Option<Timestamp> = ctx.tx.one(sql, values![account])?;
    Ok(deleted_at.map(|at| at.plus(ctx.app.config.accounts.erase_after)))
}

/// 403 for the credential of a deleted account.
pub fn refusal() -> Error {
    Refusal::new(Code::AccountDeleted, "the account is deleted, and can only be restored")
        .hint("POST /auth/restore takes the deletion back")
        .into()
}
