//! Deleting, restoring and erasing accounts, and deleting apps.

use std::sync::Arc;

use svc_core::app::{App, Ctx};
use svc_core::due;
use svc_core::identity::acting;
use svc_core::services::account::Record;
use svc_core::services::audit::{self, By, On};
use svc_core::services::oauth::{client, deleted_app};
use svc_core::services::{account, deletion, developer_app, erasure, moderation, visibility};
use svc_store::error::{Error, Refusal, Result};
use svc_types::api::users::AccountStatus;
use svc_types::{AppId, Code};

use super::{AccountLine, AppLine, Line, OPERATOR, bare, find, reload};

/// Deletes an account, suspended or not. One that waits for approval is rejected instead, which frees its name.
pub(super) fn delete(ctx: &mut Ctx<'_, '_>, username: &str) -> Result<Vec<Line>> {
    let record = find(ctx, username)?;
    let account = acting(ctx, &record.id)?.ok_or_else(|| Error::not_found("account"))?;
    if account.awaits_approval {
        let refusal = Refusal::new(Code::WrongState, format!("{username} is waiting for approval"));
        let hint = "a moderator rejects it, at /moderation/signups or by `svc moderation reject`";
        return Err(refusal.hint(hint).into());
    }
    // Before the accounts of the staff are locked.
    visibility::take_turn(ctx)?;
    account::refuse_last_admin(ctx, &record.id)?;
    deletion::delete_by(ctx, &account, OPERATOR)?;
    let gone = account::find_deleted(ctx, record.id.as_str())?.unwrap_or(record);
    Ok(vec![ended(gone, "deleted")])
}

/// Takes a deletion back, as the account could do itself.
pub(super) fn restore(ctx: &mut Ctx<'_, '_>, username: &str) -> Result<Vec<Line>> {
    let gone = found_deleted(ctx, username)?;
    if gone.status == AccountStatus::Suspended {
        let refusal = Refusal::new(Code::WrongState, format!("{username} is suspended"));
        return Err(refusal.hint("`svc-server admin unsuspend` lifts that first").into());
    }
    if deletion::restore_by(ctx, &gone.id, OPERATOR)? {
        return reload(ctx, username);
    }
    let message = format!("{username} is erased, or about to be, and can't be restored");
    Err(Error::refused(Code::WrongState, message))
}

/// Lifts a suspension, of a deleted account, too: that can be restored then.
pub(super) fn unsuspend(ctx: &mut Ctx<'_, '_>, username: &str, reason: &str) -> Result<Vec<Line>> {
    if let Some(gone) = account::find_deleted(ctx, bare(username))? {
        moderation::unsuspend(ctx, OPERATOR, &gone, reason)?;
        return Ok(vec![ended(gone, "deleted")]);
    }
    let record = find(ctx, username)?;
    moderation::unsuspend(ctx, OPERATOR, &record, reason)?;
    reload(ctx, username)
}

/// Schedules the erasure of a deleted account for the next run, of the server or of this command.
pub(super) fn erase(ctx: &mut Ctx<'_, '_>, username: &str) -> Result<Vec<Line>> {
    let gone = found_deleted(ctx, username)?;
    if !erasure::hurry(ctx, &gone.id)? {
        return Err(not_deleted(username));
    }
    audit::write(ctx, By(OPERATOR), "account_erase", On(gone.id.as_str()), None)?;
    Ok(vec![ended(gone, "erased")])
}

/// Deletes an app, also one that belongs to no account, or a program that registered itself.
pub(super) fn delete_app(ctx: &mut Ctx<'_, '_>, app: &str, reason: &str) -> Result<Vec<Line>> {
    let is_ended = if is_of_developer(app) {
        developer_app::end(ctx, &AppId::from(app), By(OPERATOR), Some(reason))?
    } else {
        client::end(ctx, app, By(OPERATOR), reason)?
    };
    if is_ended {
        return Ok(vec![Line::App(AppLine { app_id: app.to_owned(), deleted: true })]);
    }
    Err(Error::not_found(&format!("app: {app}")))
}

/// Whether a sweep ends the grants of a deleted app.
fn is_of_developer(app: &str) -> bool {
    app.starts_with("app_")
}

/// Ends what accounts allowed a program that was deleted, in batches: there may be any number of grants.
pub(super) async fn end_grants(app: &Arc<App>, deleted: &str) -> Result<()> {
    if is_of_developer(deleted) {
        return Ok(());
    }
    loop {
        let id = deleted.to_owned();
        let end = move |ctx: &mut Ctx<'_, '_>| {
            ctx.act_as_operator();
            deleted_app::end_some_of(ctx, &id)
        };
        if !due::write(app, end).await? {
            return Ok(());
        }
    }
}

/// The deleted account with this username or id; 409 for one that is not deleted.
fn found_deleted(ctx: &mut Ctx<'_, '_>, username: &str) -> Result<Record> {
    if let Some(gone) = account::find_deleted(ctx, bare(username))? {
        return Ok(gone);
    }
    find(ctx, username)?;
    Err(not_deleted(username))
}

fn not_deleted(username: &str) -> Error {
    let refusal = Refusal::new(Code::WrongState, format!("{username} is not deleted"));
    refusal.hint("`svc-server admin delete` deletes accounts").into()
}

/// The line of an account that nobody sees any more, whatever its status was.
fn ended(record: Record, status: &str) -> Line {
    Line::Account(AccountLine { status: status.to_owned(), ..record.into() })
}
