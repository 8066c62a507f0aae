//! Claims the deliveries to send next: selects webhooks, then deliveries of each.
//!
//! Selecting deliveries first would let the backlog of one hanging receiver fill every batch.

use std::collections::HashMap;
use std::time::Duration;

use svc_core::app::Ctx;
use svc_core::services::outbox;
use svc_core::services::webhook::secret;
use svc_store::db::{SLOTS, slots};
use svc_store::error::Result;
use svc_store::trace::Trace;
use svc_store::{row, select_free, sql, values};
use svc_types::api::webhooks::DeliveryTrigger;
use svc_types::{DeliveryId, EventId, Timestamp, UserId, WebhookId};

use super::finish::DUE;
use super::lease;
use super::request::{Keys, OutboundRequest};

/// Webhooks per look, so that other writes do not wait long. A transaction looks twice.
const WEBHOOKS: i64 = 64;

/// Deliveries of kinds that are no longer listed, which one claim cancels.
const CANCELLED_MAX: i64 = 1_000;

/// Retry time of a webhook whose secrets can't be decrypted.
const POSTPONED: Duration = Duration::from_mins(1);

/// Claimed deliveries.
#[derive(Debug, Default)]
pub(super) struct Claim {
    pub(super) requests: Vec<OutboundRequest>,
    /// Whether more may be due.
    pub(super) is_more: bool,
}

/// A webhook with due deliveries and free slots.
struct Due {
    id: WebhookId,
    account: UserId,
    url: String,
    /// The kinds it lists, between commas.
    events: String,
    /// How many calls may run concurrently.
    most: i64,
    in_flight: i64,
    of_account: i64,
}
row!(Due { id, account, url, events, most, in_flight, of_account });

impl Due {
    /// Whether it still wants a delivery: its kind is listed, or its owner asked for it.
    fn wants(&self, delivery: &Taken) -> bool {
        delivery.trigger == DeliveryTrigger::Manual
            || self.events.contains(&format!(",{},", delivery.kind))
    }
}

/// A claimed delivery.
struct Taken {
    id: DeliveryId,
    event: EventId,
    kind: String,
    trigger: DeliveryTrigger,
    seq: Option<i64>,
    attempt: i64,
    body: Option<String>,
}
row!(Taken {
    id: "id",
    event: "event",
    kind: "kind",
    trigger: "trigger_kind",
    seq: "seq",
    attempt: "attempt",
    body: "body",
});

/// Claims at most `most` due deliveries for `owner`, for the time of a lease.
///
/// Accounts without a running call come first. Otherwise a few accounts with slow receivers and a long
/// backlog would take each slot that becomes free, because theirs has been due longest.
pub(super) fn claim(ctx: &mut Ctx<'_, '_>, owner: &str, most: usize) -> Result<Claim> {
    let mut claim = Claim::default();
    let mut room = Room {
        free: i64::try_from(most).unwrap_or(i64::MAX),
        per_account: i64::from(ctx.app.config.webhooks.sends_per_account),
        of_account: HashMap::new(),
    };
    for busy_below in [1, room.per_account] {
        claim_some(ctx, owner, busy_below, &mut room, &mut claim)?;
    }
    claim.is_more &= !claim.requests.is_empty();
    Ok(claim)
}

/// What may still be claimed.
struct Room {
    free: i64,
    per_account: i64,
    /// Running calls. Webhooks of one account share its limit: each counts the claims before it.
    of_account: HashMap<UserId, i64>,
}

/// Claims deliveries of accounts with fewer running calls than this.
fn claim_some(
    ctx: &mut Ctx<'_, '_>,
    owner: &str,
    busy_below: i64,
    room: &mut Room,
    claim: &mut Claim,
) -> Result<()> {
    let limit = room.free.min(WEBHOOKS);
    if limit == 0 {
        return Ok(());
    }
    let due = due(ctx, busy_below, limit)?;
    // Deliveries of a webhook without free slots wait for a call to finish, not for another claim.
    claim.is_more |= i64::try_from(due.len()).is_ok_and(|found| found == limit);
    for due in due {
        let running = room.of_account.entry(due.account.clone()).or_insert(due.of_account);
        let left = room.per_account - *running;
        let wanted = (due.most - due.in_flight).min(left).min(room.free);
        if wanted <= 0 {
            continue;
        }
        let requests = of_webhook(ctx, &due, owner, wanted)?;
        let taken = i64::try_from(requests.len()).unwrap_or(i64::MAX);
        *running += taken;
        room.free -= taken;
        claim.requests.extend(requests);
    }
    Ok(())
}

/// Webhooks with due deliveries and free slots, of accounts with fewer running calls than this. A webhook
/// whose pause is over gets a single probe. Calls of deleted webhooks do not count: the index by account has only
/// the others.
fn due(ctx: &mut Ctx<'_, '_>, busy_below: i64, most: i64) -> Result<Vec<Due>> {
    let now = ctx.now();
    ctx.tx.take(
        select_free!(
            "select id, account, url, events,
                case when breaker_step = 0 then max_in_flight else 1 end, in_flight,
                (select cast(coalesce(sum(o.in_flight), 0) as bigint) from webhook o
                    where o.account = webhook.account and o.deleted_at is null)
             from webhook
             where status = 'active' and due_at is not null and due_at <= $1
                and suspended_at is null
                and in_flight < case when breaker_step = 0 then max_in_flight else 1 end
                and (select cast(coalesce(sum(o.in_flight), 0) as bigint) from webhook o
                    where o.account = webhook.account and o.deleted_at is null) < $2
             order by due_at limit $3"
        ),
        values![now, busy_below, most],
    )
}

/// The age of the oldest delivery that is ready to be sent.
pub fn lag(ctx: &mut Ctx<'_, '_>) -> Result<Option<Duration>> {
    let (now, of_account) = (ctx.now(), i64::from(ctx.app.config.webhooks.sends_per_account));
    let oldest: Option<Timestamp> = ctx.tx.optional(
        sql!(
            "select due_at from webhook
             where status = 'active' and due_at is not null and due_at <= $1
                and suspended_at is null
                and in_flight < case when breaker_step = 0 then max_in_flight else 1 end
                and (select cast(coalesce(sum(o.in_flight), 0) as bigint) from webhook o
                    where o.account = webhook.account and o.deleted_at is null) < $2
             order by due_at limit 1"
        ),
        values![now, of_account],
    )?;
    Ok(oldest.map(|oldest| now.since(oldest)))
}

/// Claims deliveries of a locked webhook.
fn of_webhook(
    ctx: &mut Ctx<'_, '_>,
    due: &Due,
    owner: &str,
    most: i64,
) -> Result<Vec<OutboundRequest>> {
    let keys = match secret::live(ctx, &due.id).and_then(|live| live.map(Keys::new).transpose()) {
        Ok(Some(keys)) => keys,
        Ok(None) => return postpone(ctx, due),
        Err(error) => {
            tracing::error!(%error, webhook = %due.id, "a webhook's secrets can't be decrypted");
            return postpone(ctx, due);
        }
    };
    let taken = take(ctx, &due.id, owner, most)?;
    let (taken, unwanted): (Vec<Taken>, Vec<Taken>) =
        taken.into_iter().partition(|delivery| due.wants(delivery));
    cancel(ctx, due, &unwanted)?;
    let events = stored(ctx, &taken)?;
    let mut requests = Vec::with_capacity(taken.len());
    for delivery in taken {
        // Several may belong to one event, after a redelivery.
        let (stored, trace) = events.get(&delivery.event).cloned().unzip();
        let Some(body) = delivery.body.or(stored) else {
            give_up(ctx, &delivery.id)?;
            continue;
        };
        requests.push(OutboundRequest {
            delivery: delivery.id,
            account: due.account.clone(),
            webhook: due.id.clone(),
            url: due.url.clone(),
            event: delivery.event,
            kind: delivery.kind,
            seq: delivery.seq,
            attempt: delivery.attempt,
            is_test: false,
            body,
            trace: trace.flatten().as_deref().and_then(Trace::read),
            keys: keys.clone(),
        });
    }
    note_taken(ctx, &due.id, requests.len())?;
    Ok(requests)
}

/// Marks the deliveries that have been due longest.
fn take(ctx: &mut Ctx<'_, '_>, webhook: &WebhookId, owner: &str, most: i64) -> Result<Vec<Taken>> {
    let now = ctx.now();
    let until = now.plus(lease::time(&ctx.app.config));
    let most = most.min(i64::try_from(SLOTS).unwrap_or(i64::MAX));
    ctx.tx.all(
        sql!(
            "update webhook_delivery
             set state = 'sending', attempt = attempt + 1, next_attempt_at = null,
                lease_owner = $1, lease_until = $2
             where state = 'pending' and id in (
                select id from webhook_delivery
                where webhook = $3 and state = 'pending' and next_attempt_at <= $4
                order by next_attempt_at, id limit $5)
             returning ",
            Taken::COLUMNS
        ),
        values![owner, until, webhook, now, most],
    )
}

/// The bodies and traces of events. What moderators hide by now has no text.
fn stored(
    ctx: &mut Ctx<'_, '_>,
    taken: &[Taken],
) -> Result<HashMap<EventId, (String, Option<String>)>> {
    let ids: Vec<&EventId> = taken.iter().map(|delivery| &delivery.event).collect();
    let sql = sql!(
        "select e.id, e.body, e.trace, ",
        outbox::IS_HIDDEN,
        " from event e where e.id in (",
        slots!(1),
        ")"
    );
    let rows: Vec<(EventId, String, Option<String>, bool)> = ctx.tx.all(sql, &slots(&ids))?;
    let mut stored = HashMap::with_capacity(rows.len());
    for (id, body, trace, is_hidden) in rows {
        let body = if is_hidden { outbox::without_text(&body)? } else { body };
        stored.insert(id, (body, trace));
    }
    Ok(stored)
}

/// Ends claimed deliveries whose webhook no longer lists their kind, and others that would be next: what it lists
/// waits behind them.
fn cancel(ctx: &mut Ctx<'_, '_>, due: &Due, unwanted: &[Taken]) -> Result<()> {
    if unwanted.is_empty() {
        return Ok(());
    }
    for delivery in unwanted {
        let sql = sql!(
            "update webhook_delivery set state = 'cancelled', attempt = attempt - 1,
                lease_owner = null, lease_until = null
             where id = $1"
        );
        ctx.tx.write(sql, values![delivery.id])?;
    }
    let now = ctx.now();
    ctx.tx.write(
        sql!(
            "update webhook_delivery set state = 'cancelled', next_attempt_at = null
             where state || '' = 'pending' and id in (
                select id from webhook_delivery
                where webhook = $1 and state = 'pending' and next_attempt_at <= $2
                    and trigger_kind <> 'manual' and $3 not like '%,' || kind || ',%'
                order by next_attempt_at, id limit $4)"
        ),
        values![due.id, now, due.events, CANCELLED_MAX],
    )
}

/// Ends a delivery whose event was deleted.
fn give_up(ctx: &mut Ctx<'_, '_>, delivery: &DeliveryId) -> Result<()> {
    let sql = sql!(
        "update webhook_delivery set state = 'failed', lease_owner = null, lease_until = null
         where id = $1"
    );
    ctx.tx.write(sql, values![delivery])
}

/// Counts the calls of a webhook that begin, and sets when it is due again. One statement: its account is not locked.
fn note_taken(ctx: &mut Ctx<'_, '_>, webhook: &WebhookId, taken: usize) -> Result<()> {
    let taken = i64::try_from(taken).unwrap_or(i64::MAX);
    ctx.tx.write(
        sql!("update webhook set in_flight = in_flight + $1, due_at = ", DUE, " where id = $2"),
        values![taken, webhook],
    )
}

fn postpone(ctx: &mut Ctx<'_, '_>, due: &Due) -> Result<Vec<OutboundRequest>> {
    let later = ctx.now().plus(POSTPONED);
    let sql = sql!("update webhook set due_at = $1 where id = $2");
    ctx.tx.write(sql, values![later, due.id])?;
    Ok(Vec::new())
}
