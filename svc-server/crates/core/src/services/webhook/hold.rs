//! Webhooks that are called or not, and what happens meanwhile to what waits for them.
//!
//! A webhook is down while its owner or the server disabled it, or while its account is suspended.
//! What waits is held then, for 72 hours at most, and goes on when the webhook is up again.

use std::time::Duration;

use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::api::connect::SystemData;
use svc_types::api::users::Tier;
use svc_types::api::webhooks::{DisabledReason, WebhookStatus};
use svc_types::{UserId, WebhookId};

use super::record::Record;
use super::{most, secret, settle};
use crate::app::Ctx;
use crate::select_webhooks;
use crate::services::notification::{self, Data, NewNotification};

/// How long what waits for a webhook that is down is held.
pub(super) const HELD_MAX: Duration = Duration::from_hours(72);

/// Stops calling a webhook that is locked, and says whether it was called before.
pub fn disable(ctx: &mut Ctx<'_, '_>, id: &WebhookId, reason: &DisabledReason) -> Result<bool> {
    let now = ctx.now();
    let rows = ctx.tx.execute(
        sql!(
            "update webhook set status = 'disabled', disabled_reason = $1, disabled_at = $2,
                due_at = null, updated_at = $2
             where id = $3 and status = 'active' and deleted_at is null"
        ),
        values![reason, now, id],
    )?;
    if rows == 1 {
        settle::hold(ctx, id)?;
    }
    Ok(rows == 1)
}

/// How long a webhook that is not called has been down; none when it is called.
pub fn down_for(ctx: &Ctx<'_, '_>, record: &Record) -> Option<Duration> {
    record.down_since().map(|since| ctx.now().since(since))
}

/// Calls a webhook that is locked again, with its failures forgotten.
pub fn enable(ctx: &mut Ctx<'_, '_>, record: &Record) -> Result<()> {
    let now = ctx.now();
    ctx.tx.write(
        sql!(
            "update webhook set status = 'active', disabled_reason = null, disabled_at = null,
                updated_at = $1
             where id = $2 and status = 'disabled' and deleted_at is null"
        ),
        values![now, record.id],
    )?;
    forget_failures(ctx, &record.id)?;
    match record.held_since() {
        Some(since) if record.suspended_at.is_none() => settle::resume(ctx, &record.id, since),
        _ => Ok(()),
    }
}

/// Closes the breaker of a webhook, and counts its failures from nothing. What waited for the end
/// of a pause is due when it was planned.
pub fn forget_failures(ctx: &mut Ctx<'_, '_>, id: &WebhookId) -> Result<()> {
    let sql = sql!(
        "update webhook set failures_in_row = 0, breaker_step = 0, breaker_until = null,
            first_failure_at = null, failed_attempts = 0, warned_at = null,
            due_at = case when due_at is null then null else (
                select min(next_attempt_at) from webhook_delivery
                where webhook = $1 and state = 'pending') end
         where id = $1"
    );
    ctx.tx.write(sql, values![id])
}

/// Holds what waits for the webhooks of an account that was suspended; its row is locked.
pub fn suspend(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<()> {
    let now = ctx.now();
    for record in all(ctx, account)? {
        ctx.tx.write(
            sql!("update webhook set suspended_at = $1, due_at = null where id = $2"),
            values![now, record.id],
        )?;
        settle::hold(ctx, &record.id)?;
    }
    Ok(())
}

/// Lets what waits for the webhooks of an account go on; its row is locked.
pub fn unsuspend(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<()> {
    for record in all(ctx, account)? {
        let sql = sql!("update webhook set suspended_at = null where id = $1");
        ctx.tx.write(sql, values![record.id])?;
        match record.held_since() {
            Some(since) if record.status == WebhookStatus::Active => {
                settle::resume(ctx, &record.id, since)?;
            }
            _ => {}
        }
    }
    Ok(())
}

/// An account's webhooks, oldest first, locked.
fn all(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<Vec<Record>> {
    ctx.tx.lock(
        sql!(
            "select id from webhook where account = $1 and deleted_at is null
             order by id for no key update"
        ),
        values![account],
    )?;
    ctx.tx.all(select_webhooks!("w.account = $1 order by w.id"), values![account])
}

/// Ends a webhook that is locked: what waits is cancelled, its secrets are forgotten. The row
/// stays as long as deliveries refer to it.
pub fn withdraw(ctx: &mut Ctx<'_, '_>, id: &WebhookId) -> Result<()> {
    let now = ctx.now();
    ctx.tx.write(
        sql!(
            "update webhook set deleted_at = $1, due_at = null, status = 'disabled',
                disabled_reason = coalesce(disabled_reason, 'manual'),
                disabled_at = coalesce(disabled_at, $1)
             where id = $2"
        ),
        values![now, id],
    )?;
    settle::cancel(ctx, id)?;
    secret::forget(ctx, id)
}

/// Ends all webhooks of an account that is about to be deleted.
pub fn forget(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<()> {
    all(ctx, account)?.iter().try_for_each(|record| withdraw(ctx, &record.id))
}

/// Disables the newest active webhooks beyond the limit of a tier, and notifies the account, which is locked.
/// The oldest active ones stay, up to the limit.
pub fn keep_within_tier(ctx: &mut Ctx<'_, '_>, account: &UserId, tier: &Tier) -> Result<()> {
    let most = most(tier);
    let records = all(ctx, account)?;
    let active = records.iter().filter(|record| record.status == WebhookStatus::Active);
    let mut disabled = 0;
    for record in active.skip(usize::try_from(most).unwrap_or(usize::MAX)) {
        if disable(ctx, &record.id, &DisabledReason::TierLimit)? {
            disabled += 1;
        }
    }
    if disabled == 0 {
        return Ok(());
    }
    let text = format!(
        "the tier {tier} has {most} webhooks; {disabled} of yours, the newest, are disabled now"
    );
    let data = SystemData { code: "webhook_limit".to_owned(), text };
    let data = Data::System(std::borrow::Cow::Owned(data));
    notification::notify(ctx, None, vec![NewNotification::new(account, data)])
}
