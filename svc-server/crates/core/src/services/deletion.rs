//! Deleted accounts: hidden at once, restorable for a while, then erased.
//!
//! Until it is erased, a deleted account is what it was, and nothing shows it. Its password and its
//! default key lead to its restoration and nowhere else.

use svc_store::error::{Error, Refusal, Result};
use svc_store::{sql, values};
use svc_types::api::security::SecurityAction;
use svc_types::{Code, Timestamp, UserId};

use crate::app::Ctx;
use crate::identity::Account;
use crate::services::oauth::grant;
use crate::services::security::{self, About};
use crate::services::{
    audit, billing, escrow, invite, link, mail, owner, pending, sample, scheduled, search,
    service_request, visibility,
};

/// Samples that end with an account in its transaction; the erasure ends the others.
const SAMPLES_AT_ONCE: i64 = 200;

/// Deletes the account; the answer is when it will be erased. 409 while a deal is open.
pub fn delete(ctx: &mut Ctx<'_, '_>, caller: &Account) -> Result<Timestamp> {
    delete_by(ctx, caller, caller.id.as_str())
}

/// Deletes an account; `actor` did it, as the audit log names them.
pub fn delete_by(ctx: &mut Ctx<'_, '_>, caller: &Account, actor: &str) -> Result<Timestamp> {
    // Opening an escrow locks the account's row, so none can be opened from here on.
    ctx.tx.lock(sql!("select id from account where id = $1 for update"), values![caller.id])?;
    // No count includes an account that is suspended or deleted. One for which the operator or a timer acts may
    // have been suspended long ago, so this is asked on SQLite, too.
    visibility::keep_counted(ctx, caller)?;
    refuse_obligations(ctx, &caller.id)?;
    visibility::leave(ctx, &caller.id)?;
    let now = ctx.now();
    ctx.tx.execute(
        sql!(
            "update account set deleted_at = $1, updated_at = $1
             where id = $2 and deleted_at is null"
        ),
        values![now, caller.id],
    )?;
    billing::subscription::end_with(ctx, &caller.id)?;
    // It locks services, and the end of an ownership locks caps.
    sample::end_of_buyer(ctx, &caller.id, SAMPLES_AT_ONCE)?;
    owner::end_with(ctx, caller)?;
    pending::forget(ctx, &caller.id)?;
    end_credentials(ctx, &caller.id)?;
    scheduled::forget(ctx, &caller.id)?;
    invite::forget(ctx, &caller.id)?;
    mail::forget_account(ctx, &caller.id)?;
    link::forget_of(ctx, &caller.id)?;
    search::note(ctx, caller.id.as_str())?;
    security::note(ctx, &caller.id, &SecurityAction::AccountDeleted, About::default())?;
    audit::write(ctx, actor, "account_deleted", caller.id.as_str(), "")?;
    Ok(now.plus(ctx.app.config.accounts.erase_after))
}

/// Ends everything that acts as the account, but its password and its default key.
fn end_credentials(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<()> {
    for sql in [
        sql!("delete from api_key where account = $1 and is_default = false"),
        sql!("delete from session where account = $1"),
        sql!("update identity_token set revoked = true where account = $1"),
    ] {
        ctx.tx.execute(sql, values![account])?;
    }
    grant::end_all(ctx, account)
}

/// 409 while a deal is open, because the other party has a claim on it.
fn refuse_obligations(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<()> {
    escrow::refuse_overdue(ctx, account)?;
    service_request::refuse_overdue(ctx, account)?;
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
    ctx.tx.lock(sql!("select id from account where id = $1 for update"), values![caller.id])?;
    let (now, before) = (ctx.now(), erasable_before(ctx));
    let rows = ctx.tx.execute(
        sql!(
            "update account set deleted_at = null, updated_at = $1
             where id = $2 and deleted_at > $3 and erase_now = false"
        ),
        values![now, caller.id, before],
    )?;
    if rows == 0 {
        let refusal = Refusal::new(Code::WrongState, "the account is not deleted");
        return Err(refusal.into());
    }
    visibility::come_back(ctx, &caller.id)?;
    search::note(ctx, caller.id.as_str())?;
    security::note(ctx, &caller.id, &SecurityAction::AccountRestored, About::default())?;
    audit::write(ctx, caller.id.as_str(), "account_restored", caller.id.as_str(), "")
}

/// Accounts that were deleted by this time are erased.
pub fn erasable_before(ctx: &Ctx<'_, '_>) -> Timestamp {
    ctx.now().minus(ctx.app.config.accounts.erase_after)
}

/// When a deleted account will be erased; `None` for others.
pub fn erased_at(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<Option<Timestamp>> {
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
