//! E-mail: links that verify an address or lead back into an account, and the mails with them.
//!
//! A mail is written into the outbox in the transaction of its cause; the edge sends it. Links are
//! stored as hashes, and the texts of waiting mails encrypted, so that the database holds no link.
//!
//! | module | what it holds |
//! |---|---|
//! | `address` | the address of an account: pending, verified, taken |
//! | `undo` | new addresses that are taken back |
//! | `reset` | lost passwords and keys |
//! | `token` | the tokens of links |
//! | `entries` | mails about entries of the security log |
//! | `outbox` | mails on their way |
//! | `text` | what they say |

mod address;
mod entries;
mod outbox;
mod reset;
mod text;
mod token;
mod undo;

pub use self::address::{
    adopt, announce, greet, is_entered, is_of_another, propose, send_again, taken as address_taken,
    verify,
};
pub use self::entries::{announce_entry, due_entry_mails, forget_entry_mails, write_entry_mail};
pub use self::outbox::{Claim, Mail, MailId, Outcome, claim, is_any_due, record, reencrypt};
pub use self::reset::{
    Link, change_password, finish as finish_reset, link as reset_link, recovery_link,
    request as request_reset, reset_password,
};

pub use self::undo::{give_up_pending, is_led_back, undo};

use svc_store::error::{Refusal, Result};
use svc_store::{sql, values};
use svc_types::{Code, UserId};

use crate::app::{App, Ctx};

/// Whether mails are sent.
pub fn is_on(app: &App) -> bool {
    app.config.mail.is_on()
}

/// 503 where no mails are sent.
pub fn require(app: &App) -> Result<()> {
    if is_on(app) {
        return Ok(());
    }
    let refusal = Refusal::new(Code::FeatureNotConfigured, "this server sends no mail");
    Err(refusal.hint("its operator turns mail on by the setting mail.url").into())
}

/// Deletes expired tokens.
pub fn forget(ctx: &mut Ctx<'_, '_>, most: i64) -> Result<u64> {
    token::forget(ctx, most)
}

/// Deletes mails whose time is over where none are sent any more; elsewhere, what sends them gives them up.
pub fn forget_unsent(ctx: &mut Ctx<'_, '_>, most: i64) -> Result<u64> {
    if is_on(ctx.app) {
        return Ok(0);
    }
    let now = ctx.now();
    ctx.tx.execute(
        sql!(
            "delete from mail_outbox where id in
             (select id from mail_outbox where due_at <= $1 and expires_at <= $1 limit $2)"
        ),
        values![now, most],
    )
}

/// Deletes the links of an account that is being deleted, and the mails that bring them. What waits to be mailed from
/// its security log is due now: a thief may have deleted the account to hide it.
pub fn end_links(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<()> {
    ctx.tx.execute(sql!("delete from mail_token where account = $1"), values![account])?;
    entries::hurry(ctx, account)?;
    let sql = sql!("delete from mail_outbox where account = $1 and kind <> $2");
    ctx.tx.execute(sql, values![account, entries::KIND]).map(drop)
}

/// Deletes the links of an account and its waiting mails.
pub fn forget_account(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<()> {
    ctx.tx.execute(sql!("delete from mail_token where account = $1"), values![account])?;
    ctx.tx.execute(sql!("delete from entry_mail where account = $1"), values![account])?;
    ctx.tx.execute(sql!("delete from mail_outbox where account = $1"), values![account]).map(drop)
}
