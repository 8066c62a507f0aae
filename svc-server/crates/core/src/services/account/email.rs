//! Changes of an e-mail address that no mail verifies.

use svc_store::error::{Refusal, Result};
use svc_store::{sql, values};
use svc_types::api::security::SecurityAction;
use svc_types::{Code, Timestamp, UserId};

use super::lock;
use crate::app::Ctx;
use crate::identity::Account;
use crate::services::pending::{self, Change};
use crate::services::security::{self, About};
use crate::services::{credential, step_up};

/// Changes the e-mail address of an account, where no mails are sent, or makes the change wait:
/// until when. 409 if another account has the address.
pub fn change_email(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    email: &str,
) -> Result<Option<Timestamp>> {
    let sql = sql!("select email from account where id = $1");
    let before: Option<String> = ctx.tx.one(sql, values![caller.id])?;
    if before.as_deref() == Some(email) {
        return Ok(None);
    }
    // What ends the credential at the same time waits, or is seen here.
    lock(ctx, &caller.id)?;
    credential::hold(ctx, caller)?;
    step_up::require(ctx, caller)?;
    refuse_taken_email(ctx, email, &caller.id)?;
    match pending::delay(ctx, caller, Change::Email(email))? {
        Some(until) => Ok(Some(until)),
        None => set_email(ctx, caller, email).map(|()| None),
    }
}

/// Sets the e-mail address of an account, which nothing verifies; 409 if another account has it.
pub fn set_email(ctx: &mut Ctx<'_, '_>, caller: &Account, email: &str) -> Result<()> {
    refuse_taken_email(ctx, email, &caller.id)?;
    let now = ctx.now();
    ctx.tx.execute(
        sql!(
            "update account
             set email = $1, email_verified_at = null, pending_email = null, updated_at = $2
             where id = $3"
        ),
        values![email, now, caller.id],
    )?;
    security::note(ctx, &caller.id, &SecurityAction::EmailChanged, About::default())
}

/// 409 if another account has an e-mail address.
fn refuse_taken_email(ctx: &mut Ctx<'_, '_>, email: &str, own: &UserId) -> Result<()> {
    let sql = sql!("select id from account where email = $1");
    let holder: Option<UserId> = ctx.tx.optional(sql, values![email])?;
    if holder.is_some_and(|holder| holder != *own) {
        let refusal = Refusal::new(Code::EmailTaken, "the e-mail address is taken");
        return Err(refusal.field("email").into());
    }
    Ok(())
}
