//! New addresses are taken back: by the link that the former address got, or when the account is recovered.

use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::UserId;
use svc_types::api::pending::PENDING_FOR;
use svc_types::api::security::SecurityAction;

use super::address;
use super::token::{self, Kind};
use crate::app::Ctx;
use crate::services::security::{self, About};

/// Keeps the address that a link was sent to, or gives it back to an account whose address another one has
/// replaced since. False if there is no such link, nothing to take back, or another account has the address now.
pub fn undo(ctx: &mut Ctx<'_, '_>, link: &str) -> Result<bool> {
    let Some(token::Owner { account, email }) = token::find(ctx, Kind::Undo, link)? else {
        return Ok(false);
    };
    address::lock(ctx, &account, &email)?;
    if address::is_taken(ctx, &account, &email)? || !token::end_undo(ctx, &account, link)? {
        return Ok(false);
    }
    let addresses = address::of(ctx, &account)?;
    if addresses.verified() != Some(email.as_str()) {
        address::make_pending(ctx, &account, &addresses, Some(email.as_str()))?;
        address::replace(ctx, &account, &addresses, &email)?;
        return Ok(true);
    }
    if addresses.pending.is_none() {
        return Ok(false);
    }
    address::make_pending(ctx, &account, &addresses, None)?;
    security::note(ctx, &account, &SecurityAction::ChangeCancelled, About::default())?;
    Ok(true)
}

/// Gives up the address that is pending for an account which is recovered: a thief may have entered it, and its
/// link would lead back in. False if none is.
pub fn give_up_pending(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<bool> {
    let sql = sql!("select pending_email from account where id = $1 and pending_email is not null");
    let Some(email) = ctx.tx.optional::<String>(sql, values![account])? else {
        return Ok(false);
    };
    token::end(ctx, Kind::Verify, account, &email)?;
    address::set_pending(ctx, account, None)?;
    Ok(true)
}

/// Whether the operator led somebody back into an account lately, by a link or a new password. Its mailbox may be a
/// thief's, and takes nothing back for as long as its link would work.
pub fn is_led_back(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<bool> {
    // The link of the operator may be used a day after it was made.
    let since = ctx.now().minus(PENDING_FOR.duration()).minus(Kind::Recover.life());
    let found: Option<i64> = ctx.tx.optional(
        sql!(
            "select 1 from security_entry
             where account = $1 and action in ($2, $3) and at > $4 and by_operator = true
                and agent is null
             limit 1"
        ),
        values![
            account,
            SecurityAction::RecoveryLinkCreated,
            SecurityAction::PasswordChanged,
            since
        ],
    )?;
    Ok(found.is_some())
}
