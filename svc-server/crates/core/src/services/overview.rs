//! Figures of the whole platform, for operators, and the lists of what they count.

mod escrows;
mod orders;
mod queues;
mod window;

pub use escrows::{escrows, open_escrows};
pub use orders::{ended_orders, key_of_ended};
pub use queues::{key_of_entry, keys, queues, waiting};
pub use window::Steps;

use std::collections::BTreeMap;

use svc_store::error::Result;
use svc_store::{row, sql, values};
use svc_types::api::operate::FailedDelivery;
use svc_types::api::webhooks::DeliveryErrorClass;
use svc_types::{DeliveryId, Timestamp, UserId, WebhookId};

use crate::app::Ctx;
use crate::ids;
use crate::page::Page;

/// Where counting ends.
const COUNTED_MAX: i64 = 10_000;

/// What happened in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// Accounts that were created.
    pub signups: i64,
    /// Completed orders.
    pub completed: i64,
    /// Failed orders.
    pub failed: i64,
}

/// The steps of this length, at least an hour, from a time of the latest 8 days on, by their start.
/// Steps in which nothing happened are left out.
pub fn steps(ctx: &mut Ctx<'_, '_>, step_ms: i64, from: Timestamp) -> Result<BTreeMap<i64, Step>> {
    let mut steps = BTreeMap::<i64, Step>::new();
    let first: UserId = ids::first_of(from);
    let created: Vec<Timestamp> = ctx.tx.all(
        sql!("select created_at from account where id >= $1 order by id desc limit $2"),
        values![first, COUNTED_MAX],
    )?;
    for at in created {
        let start = at.as_millis() / step_ms * step_ms;
        steps.entry(start).or_default().signups += 1;
    }
    let sold: Vec<(i64, i64, i64)> = ctx.tx.all(
        sql!(
            "select start, cast(sum(completed) as bigint), cast(sum(failed) as bigint) from sale
             where step = 3600000 and start >= $1 group by start"
        ),
        values![from],
    )?;
    for (hour, completed, failed) in sold {
        let step = steps.entry(hour / step_ms * step_ms).or_default();
        step.completed += completed;
        step.failed += failed;
    }
    Ok(steps)
}

/// How many accounts wait for approval.
pub fn signups_waiting(ctx: &mut Ctx<'_, '_>) -> Result<i64> {
    ctx.tx.one(
        sql!(
            "select count(*) from (select id from account where awaits_approval_since is not null
             limit $1) as waiting"
        ),
        values![COUNTED_MAX],
    )
}

/// How many disputes are open, and when the oldest was opened.
pub fn disputes(ctx: &mut Ctx<'_, '_>) -> Result<(i64, Option<Timestamp>)> {
    ctx.tx.one(
        sql!(
            "select count(*), min((
                select max(v.at) from escrow_event v
                where v.escrow = e.id and v.to_status = 'disputed' and v.action = 'disputed'
             )) from escrow e where e.status = 'disputed'"
        ),
        values![],
    )
}

/// How many deliveries to webhooks that began from a time on were given up.
pub fn deliveries_failed(ctx: &mut Ctx<'_, '_>, from: Timestamp) -> Result<i64> {
    let first: DeliveryId = ids::first_of(from);
    ctx.tx.one(
        sql!(
            "select count(*) from (select id from webhook_delivery
             where state = 'failed' and id >= $1 limit $2) as failed"
        ),
        values![first, COUNTED_MAX],
    )
}

/// A delivery that was given up, with its last attempt.
struct Failed {
    id: DeliveryId,
    webhook: WebhookId,
    username: String,
    kind: String,
    attempts: i64,
    status: Option<i64>,
    error_class: Option<DeliveryErrorClass>,
    created_at: Timestamp,
}
row!(Failed {
    id: "d.id",
    webhook: "d.webhook",
    username: "a.username",
    kind: "d.kind",
    attempts: "d.attempt",
    status: "t.http_status",
    error_class: "t.error_class",
    created_at: "d.created_at",
});

/// A page of the deliveries that were given up, newest first; from a time on, if one is given.
pub fn failed_deliveries(
    ctx: &mut Ctx<'_, '_>,
    from: Option<Timestamp>,
    page: &Page,
) -> Result<Vec<FailedDelivery>> {
    let first = from.map_or_else(|| DeliveryId::from(""), ids::first_of);
    let found: Vec<Failed> = ctx.tx.all(
        sql!(
            "select ",
            Failed::COLUMNS,
            " from webhook_delivery d
             join webhook w on w.id = d.webhook
             join account a on a.id = w.account
             left join webhook_attempt t on t.delivery = d.id and t.n = d.attempt
             where d.state = 'failed' and d.id >= $1 and d.id < $2
             order by d.id desc limit $3"
        ),
        values![first, page.before(), page.rows()],
    )?;
    let shown = |failed: Failed| FailedDelivery {
        id: failed.id,
        webhook_id: failed.webhook,
        username: failed.username,
        kind: failed.kind,
        attempts: failed.attempts,
        status: failed.status,
        error_class: failed.error_class,
        created_at: failed.created_at,
    };
    Ok(found.into_iter().map(shown).collect())
}
