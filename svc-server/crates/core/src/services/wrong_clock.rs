//! What a wrong clock left behind. What it leased or put off while it was far ahead would wait until its time comes. No
//! right clock makes a wait that long, so all of that is due now.
//!
//! Deadlines of deals, of scheduled posts and of pending changes stay as they are: their accounts were notified of
//! them.

use std::time::Duration;

use svc_store::db::Sql;
use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::{Timestamp, WebhookId};

use crate::app::Ctx;

const HOUR: Duration = Duration::from_hours(1);
const DAY: Duration = Duration::from_hours(24);

/// What has already happened and is dated later than this was dated by a clock that was far ahead.
pub fn far_ahead(now: Timestamp) -> Timestamp {
    now.plus(DAY)
}

/// What makes some waiting work due, and more than the longest wait that it may have.
const WAITING: [(Sql, Duration); 8] = [
    (
        sql!(
            "update mail_outbox set due_at = $1 where id in (
                select id from mail_outbox where due_at > $2 order by due_at limit $3)"
        ),
        Duration::from_hours(12),
    ),
    (
        sql!(
            "update entry_mail set due_at = $1 where account in (
                select account from entry_mail where due_at > $2 order by due_at limit $3)"
        ),
        HOUR,
    ),
    (
        sql!(
            "update post_code set due_at = $1 where post in (
                select post from post_code where due_at > $2 order by due_at limit $3)"
        ),
        HOUR,
    ),
    (
        sql!(
            "update provider_object set due_at = $1 where id in (
                select id from provider_object where due_at is not null and due_at > $2
                order by due_at, id limit $3)"
        ),
        Duration::from_hours(3),
    ),
    (
        sql!(
            "update payment set look_at = $1 where id in (
                select id from payment where look_at is not null and look_at > $2
                order by look_at, id limit $3)"
        ),
        HOUR,
    ),
    (
        sql!(
            "update export set due_at = $1 where account in (
                select account from export where due_at is not null and due_at > $2
                order by due_at, account limit $3)"
        ),
        HOUR,
    ),
    (
        sql!(
            "update object set delete_at = $1 where name in (
                select name from object where delete_at > $2 order by delete_at limit $3)"
        ),
        Duration::from_hours(48),
    ),
    (
        sql!(
            "update hashtag set due_at = $1 where name in (
                select name from hashtag where due_at is not null and due_at > $2
                order by due_at, name limit $3)"
        ),
        DAY,
    ),
];

/// A call of a webhook is leased for three times its longest time.
const CALLS: u32 = 4;

/// A retry of a webhook is put off for at most this many times the longest pause: a receiver may ask for twice as
/// long, and a fifth is random.
const PAUSES: u32 = 3;

/// Makes some of what waits for too long due now; how much that was.
pub fn make_due(ctx: &mut Ctx<'_, '_>, most: i64) -> Result<u64> {
    let now = ctx.now();
    let mut made = 0;
    for (sql, longest) in WAITING {
        made += ctx.tx.execute(sql, values![now, now.plus(longest), most])?;
    }
    let longest = ctx.app.config.webhooks.timeout.saturating_mul(CALLS).max(DAY);
    let lost = ctx.tx.execute(
        sql!(
            "update webhook_delivery set lease_until = $1 where id in (
                select id from webhook_delivery where state = 'sending' and lease_until > $2
                order by lease_until limit $3)"
        ),
        values![now, now.plus(longest), most],
    )?;
    Ok(made + lost)
}

/// Makes a webhook due that waits for too long, and some of its deliveries, of which the next sweep finds the rest.
/// Returns whether there was one.
pub fn make_webhook_due(ctx: &mut Ctx<'_, '_>, most: i64) -> Result<bool> {
    let (now, retries) = (ctx.now(), &ctx.app.config.webhooks.retries);
    let longest = retries.iter().max().copied().unwrap_or_default();
    let far = now.plus(longest.saturating_mul(PAUSES).max(DAY));
    let found: Option<WebhookId> = ctx.tx.optional(
        sql!(
            "select id from webhook where status = 'active' and due_at is not null and due_at > $1
             order by due_at, id limit 1"
        ),
        values![far],
    )?;
    let Some(webhook) = found else { return Ok(false) };
    let sql = sql!("select id from webhook where id = $1 for no key update");
    ctx.tx.lock(sql, values![webhook])?;
    ctx.tx.write(
        sql!(
            "update webhook_delivery set next_attempt_at = $1 where id in (
                select id from webhook_delivery
                where webhook = $2 and state = 'pending' and next_attempt_at > $3
                order by next_attempt_at, id limit $4)"
        ),
        values![now, webhook, far, most],
    )?;
    ctx.tx.write(
        sql!(
            "update webhook set due_at = $1,
                breaker_until = case when breaker_until > $2 then null else breaker_until end
             where id = $3 and due_at > $2"
        ),
        values![now, far, webhook],
    )?;
    ctx.effects.deliveries = true;
    Ok(true)
}
