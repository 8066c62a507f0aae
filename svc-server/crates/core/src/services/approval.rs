//! Accounts that wait for a moderator's approval.
//!
//! Such an account is stored as suspended, so that nothing shows or counts it, and its credentials
//! reach nothing at all. Nobody but moderators ever saw it, so a rejected one leaves no trace: its name
//! and address are free again.

use svc_store::error::{Error, Refusal, Result};
use svc_store::{row, sql, values};
use svc_types::api::signups::Signup;
use svc_types::{Code, Timestamp, UserId};

use crate::app::Ctx;
use crate::config::GrantCondition;
use crate::page::Page;
use crate::services::audit::{self, By, On};
use crate::services::{api_key, grant, mail, search, visibility};

/// An account that waits.
#[derive(Debug)]
pub struct Record {
    /// Its id.
    pub id: UserId,
    username: String,
    display_name: String,
    bio: String,
    email: Option<String>,
    email_verified: bool,
    is_agent: bool,
    created_at: Timestamp,
}
row!(Record {
    id: "a.id",
    username: "a.username",
    display_name: "a.display_name",
    bio: "a.bio",
    email: "a.email",
    email_verified: "a.email_verified_at is not null",
    is_agent: "a.is_agent",
    created_at: "a.created_at",
});

impl Record {
    /// The account as moderators see it.
    pub fn into_api(self) -> Signup {
        Signup {
            user_id: self.id,
            username: self.username,
            display_name: self.display_name,
            bio: self.bio,
            email: self.email,
            email_verified: self.email_verified,
            is_agent: self.is_agent,
            created_at: self.created_at,
        }
    }
}

/// 403 for the credential of an account that waits.
pub fn refusal() -> Error {
    let message = "the account waits for a moderator's approval and may do nothing yet";
    Refusal::new(Code::ApprovalPending, message).hint("try again later").into()
}

/// A page of the accounts that wait, oldest first.
pub fn list(ctx: &mut Ctx<'_, '_>, page: &Page) -> Result<Vec<Record>> {
    ctx.tx.all(
        sql!(
            "select ",
            Record::COLUMNS,
            " from account a
             where a.awaits_approval_since is not null and a.id > $1
             order by a.id limit $2"
        ),
        values![page.after_one().unwrap_or(""), page.rows()],
    )
}

/// Approves an account; `actor` is a moderator, or the operator.
pub fn approve(ctx: &mut Ctx<'_, '_>, actor: &str, account: &UserId) -> Result<()> {
    visibility::lock_account(ctx, account)?;
    let now = ctx.now();
    let rows = ctx.tx.execute(
        sql!(
            "update account
             set status = 'active', awaits_approval_since = null, updated_at = $1
             where id = $2 and awaits_approval_since is not null"
        ),
        values![now, account],
    )?;
    if rows == 0 {
        return Err(not_waiting(ctx, account)?);
    }
    // A moderator may have followed it already.
    visibility::come_back(ctx, account)?;
    for condition in [GrantCondition::Approval, GrantCondition::Nothing] {
        grant::pay(ctx, account, condition, account.as_str())?;
    }
    search::note(ctx, account.as_str())?;
    audit::write(ctx, By(actor), "signup_approved", On(account.as_str()), None)
}

/// Rejects an account, which is erased in the next round.
pub fn reject(ctx: &mut Ctx<'_, '_>, actor: &str, account: &UserId) -> Result<()> {
    visibility::lock_account(ctx, account)?;
    let now = ctx.now();
    // No username begins like an id, so the id is a name that nobody else can want.
    let rows = ctx.tx.execute(
        sql!(
            "update account
             set awaits_approval_since = null, username = id, email = null, pending_email = null,
                password_hash = null, deleted_at = $1, updated_at = $1, erase_now = true
             where id = $2 and awaits_approval_since is not null"
        ),
        values![now, account],
    )?;
    if rows == 0 {
        return Err(not_waiting(ctx, account)?);
    }
    api_key::end_all(ctx, account)?;
    mail::forget_account(ctx, account)?;
    search::note(ctx, account.as_str())?;
    audit::write(ctx, By(actor), "signup_rejected", On(account.as_str()), None)
}

/// Why an account can't be approved or rejected: 404 if there is none.
fn not_waiting(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<Error> {
    let sql = sql!("select 1 from account where id = $1 and deleted_at is null");
    if ctx.tx.optional::<i64>(sql, values![account])?.is_none() {
        return Ok(Error::not_found("account"));
    }
    let refusal = Refusal::new(Code::WrongState, "the account does not wait for approval");
    Ok(refusal.hint("GET /moderation/signups lists those that do").into())
}
