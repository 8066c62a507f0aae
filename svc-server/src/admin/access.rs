//! Ways back into an account that the operator hands out.

use svc_core::app::Ctx;
use svc_core::services::account::Record;
use svc_core::services::{audit, mail};
use svc_store::error::Result;

use super::line::AccountLine;
use super::{Line, OPERATOR, Prepared, Secret};

/// Creates a link that leads back into an account.
pub(super) fn recover(ctx: &mut Ctx<'_, '_>, record: Record) -> Result<Vec<Line>> {
    let link = mail::recovery_link(ctx, &record.id)?;
    audit::write(ctx, OPERATOR, "recovery_link_created", record.id.as_str(), "")?;
    Ok(vec![Line::Account(AccountLine { link: Some(Secret(link)), ..record.into() })])
}

/// Sets the password that was prepared.
pub(super) fn reset_password(
    ctx: &mut Ctx<'_, '_>,
    record: Record,
    prepared: &Prepared,
) -> Result<Vec<Line>> {
    mail::reset_password(ctx, &record.id, &prepared.hash)?;
    audit::write(ctx, OPERATOR, "password_reset", record.id.as_str(), "")?;
    let password = Some(Secret(prepared.password.clone()));
    Ok(vec![Line::Account(AccountLine { password, ..record.into() })])
}
