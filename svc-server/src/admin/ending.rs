//! Deleting and erasing accounts.

use svc_core::app::Ctx;
use svc_core::identity::acting;
use svc_core::services::account::{Record, select_accounts};
use svc_core::services::{audit, deletion, erasure};
use svc_store::error::{Error, Refusal, Result};
use svc_store::values;
use svc_types::Code;
use svc_types::api::users::AccountStatus;

use super::{AccountLine, Line, OPERATOR, find};

/// Deletes an account, as it could do itself.
pub(super) fn delete(ctx: &mut Ctx<'_, '_>, username: &str) -> Result<Vec<Line>> {
    let record = find(ctx, username)?;
    let account = acting(ctx, &record.id)?.ok_or_else(|| Error::not_found("account"))?;
    if account.status == AccountStatus::Suspended {
        let refusal = Refusal::new(Code::AccountSuspended, format!("{username} is suspended"));
        return Err(refusal.hint("`svc-server admin unsuspend` lifts the suspension first").into());
    }
    deletion::delete_by(ctx, &account, OPERATOR)?;
    Ok(vec![ended(record, "deleted")])
}

/// Schedules the erasure of a deleted account for the next run, of the server or of this command.
pub(super) fn erase(ctx: &mut Ctx<'_, '_>, username: &str) -> Result<Vec<Line>> {
    let gone: Option<Record> = ctx.tx.optional(
        select_accounts!("where (a.id = $1 or a.username = $1) and a.deleted_at is not null"),
        values![username.to_lowercase()],
    )?;
    let Some(gone) = gone else {
        find(ctx, username)?;
        let refusal = Refusal::new(Code::WrongState, format!("{username} is not deleted"));
        return Err(refusal.hint("`svc-server admin delete` deletes it first").into());
    };
    erasure::hurry(ctx, &gone.id)?;
    audit::write(ctx, OPERATOR, "account_erase", gone.id.as_str(), "")?;
    Ok(vec![ended(gone, "erased")])
}

/// The line of an account that nobody sees any more, whatever its status was.
fn ended(record: Record, status: &str) -> Line {
    Line::Account(AccountLine { status: status.to_owned(), ..record.into() })
}
