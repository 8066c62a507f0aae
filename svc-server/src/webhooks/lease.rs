//! Expired claims: their deliveries become pending again.

use std::time::Duration;

use svc_core::app::Ctx;
use svc_core::config::Config;
use svc_store::error::Result;
use svc_store::{row, sql, values};
use svc_types::{DeliveryId, Timestamp, UserId, WebhookId};

use super::finish::{is_due_again, keep_accounts};
use crate::outbound::longest;

/// Claims taken back per transaction.
pub(super) const BATCH: i64 = 100;

/// Webhooks recounted per transaction.
const RECOUNTED: i64 = 100;

/// A delivery whose lease has ended.
struct Lost {
    id: DeliveryId,
    webhook: WebhookId,
    account: UserId,
    attempt: i64,
    lease_until: Timestamp,
    is_test: bool,
}
row!(Lost {
    id: "d.id",
    webhook: "d.webhook",
    account: "w.account",
    attempt: "d.attempt",
    lease_until: "d.lease_until",
    is_test: "d.trigger_kind = 'test'",
});

/// The length of a lease: well over the longest call.
pub(super) fn time(config: &Config) -> Duration {
    longest(config) * 3
}

/// Whether there are claims whose lease has ended, or will end within `ahead`.
pub(super) fn is_any_lost(ctx: &mut Ctx<'_, '_>, ahead: Duration) -> Result<bool> {
    let by = ctx.now().plus(ahead);
    let found: Option<i64> = ctx.tx.optional(
        sql!(
            "select 1 from webhook_delivery
             where state = 'sending' and lease_until <= $1 limit 1"
        ),
        values![by],
    )?;
    Ok(found.is_some())
}

/// Takes back claims whose lease has ended, or will end within `ahead`, and returns their number.
/// The result of the lost attempt is unknown: the receiver may have got the event.
pub(super) fn take_back(ctx: &mut Ctx<'_, '_>, ahead: Duration) -> Result<u64> {
    let by = ctx.now().plus(ahead);
    let mut lost: Vec<Lost> = ctx.tx.all(
        sql!(
            "select ",
            Lost::COLUMNS,
            " from webhook_delivery d join webhook w on w.id = d.webhook
             where d.state = 'sending' and d.lease_until <= $1
             order by d.lease_until limit $2"
        ),
        values![by, BATCH],
    )?;
    lost.sort_by(|a, b| (&a.account, &a.webhook).cmp(&(&b.account, &b.webhook)));
    keep_accounts(ctx, lost.iter().map(|lost| &lost.account))?;
    let mut taken = 0;
    for lost in lost {
        let sql = sql!("select id from webhook where id = $1 for no key update");
        ctx.tx.lock(sql, values![lost.webhook])?;
        if give_back(ctx, &lost)? {
            record(ctx, &lost)?;
            taken += 1;
        }
    }
    Ok(taken)
}

/// Makes a delivery pending again, or ends it. False when another server already did.
fn give_back(ctx: &mut Ctx<'_, '_>, lost: &Lost) -> Result<bool> {
    let is_last = i64::try_from(ctx.app.config.webhooks.retries.len()).unwrap_or(i64::MAX);
    let is_over = lost.is_test || lost.attempt > is_last;
    let now = ctx.now();
    let rows = ctx.tx.execute(
        sql!(
            "update webhook_delivery set lease_owner = null, lease_until = null,
                state = case when $1 then 'failed' else (
                    select case when w.deleted_at is not null then 'cancelled'
                        when w.status <> 'active' or w.suspended_at is not null then 'held'
                        else 'pending' end
                    from webhook w where w.id = webhook_delivery.webhook) end,
                next_attempt_at = case when $1 then null else (
                    select cast($2 as bigint) from webhook w where w.id = webhook_delivery.webhook
                        and w.status = 'active' and w.suspended_at is null
                        and w.deleted_at is null) end
             where id = $3 and state = 'sending' and attempt = $4 and lease_until = $5"
        ),
        values![is_over, now, lost.id, lost.attempt, lost.lease_until],
    )?;
    if rows == 1 && !lost.is_test {
        ctx.tx.execute(
            sql!("update webhook set in_flight = in_flight - 1 where id = $1 and in_flight > 0"),
            values![lost.webhook],
        )?;
        is_due_again(ctx, &lost.webhook)?;
    }
    Ok(rows == 1)
}

fn record(ctx: &mut Ctx<'_, '_>, lost: &Lost) -> Result<()> {
    let started_at = lost.lease_until.minus(time(&ctx.app.config));
    ctx.tx.execute(
        sql!(
            "insert into webhook_attempt (delivery, n, started_at, duration_ms, outcome, error_class)
             values ($1, $2, $3, 0, 'lost', 'lost')"
        ),
        values![lost.id, lost.attempt, started_at],
    )?;
    Ok(())
}

/// Webhooks with counted calls, in locking order.
pub(super) fn busy(
    ctx: &mut Ctx<'_, '_>,
    after: &(UserId, WebhookId),
) -> Result<Vec<(UserId, WebhookId)>> {
    ctx.tx.all(
        sql!(
            "select account, id from webhook
             where in_flight > 0 and (account, id) > ($1, $2)
             order by account, id limit $3"
        ),
        values![after.0, after.1, RECOUNTED],
    )
}

/// Recounts the running calls of webhooks, in case a counter is wrong.
pub(super) fn recount(ctx: &mut Ctx<'_, '_>, webhooks: &[(UserId, WebhookId)]) -> Result<()> {
    for (_, id) in webhooks {
        let sql = sql!("select id from webhook where id = $1 for no key update");
        ctx.tx.lock(sql, values![id])?;
        ctx.tx.execute(
            sql!(
                "update webhook set in_flight = (
                    select count(*) from webhook_delivery
                    where webhook = $1 and state = 'sending' and trigger_kind <> 'test')
                 where id = $1"
            ),
            values![id],
        )?;
    }
    Ok(())
}
