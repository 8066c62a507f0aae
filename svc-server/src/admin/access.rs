//! Approval, and ways back into an account that the operator hands out.

use svc_core::app::Ctx;
use svc_core::services::account::Record;
use svc_core::services::audit::{self, By, On};
use svc_core::services::{approval, mail};
use svc_store::error::{Refusal, Result};
use svc_types::Code;

use super::line::AccountLine;
use super::{Line, OPERATOR, Prepared, Secret};

/// Approves an account that waits.
pub(super) fn approve(ctx: &mut Ctx<'_, '_>, record: &Record) -> Result<()> {
    if record.awaits_approval {
        return approval::approve(ctx, OPERATOR, &record.id);
    }
    let message = format!("{} does not wait for approval", record.username);
    let refusal = Refusal::new(Code::WrongState, message);
    Err(refusal.hint("`svc-server admin list-users` shows those that do as pending").into())
}

/// Creates a link that leads back into an account.
pub(super) fn recover(ctx: &mut Ctx<'_, '_>, record: Record) -> Result<Vec<Line>> {
    let link = mail::recovery_link(ctx, &record.id)?;
    audit::write(ctx, By(OPERATOR), "recovery_link_created", On(record.id.as_str()), None)?;
    Ok(vec![Line::Account(AccountLine { link: Some(Secret(link)), ..record.into() })])
}

/// Sets the password that was prepared.
pub(super) fn reset_password(
    ctx: &mut Ctx<'_, '_>,
    record: Record,
    prepared: &Prepared,
) -> Result<Vec<Line>> {
    mail::reset_password(ctx, &record.id, &prepared.hash)?;
    audit::write(ctx, By(OPERATOR), "password_reset", On(record.id.as_str()), None)?;
    let password = Some(Secret(prepared.password.clone()));
    Ok(vec![Line::Account(AccountLine { password, ..record.into() })])
}
