//! Deliveries: an event on its way to a webhook, and each attempt to send it.

use std::collections::BTreeMap;

use svc_store::error::{Error, Result};
use svc_store::{row, sql, values};
use svc_types::api::webhooks::{
    Delivery, DeliveryAttempt, DeliveryErrorClass, DeliveryOutcome, DeliveryState, DeliveryTrigger,
};
use svc_types::{DeliveryId, EventId, Timestamp, WebhookId, WebhookSecretId};

use crate::app::Ctx;
use crate::ids;
use crate::services::outbox;

/// How many of the newest deliveries in a window are counted.
const COUNTED_MAX: i64 = 10_000;

/// How many of the newest deliveries of a webhook, from one on, are in each state. Tests do not count.
pub fn count_by_state(
    ctx: &mut Ctx<'_, '_>,
    webhook: &WebhookId,
    first: &DeliveryId,
) -> Result<BTreeMap<String, u64>> {
    let counted: Vec<(String, i64)> = ctx.tx.all(
        sql!(
            "select state, count(*) from (
                select state from webhook_delivery
                where webhook = $1 and id >= $2 and trigger_kind <> 'test'
                order by id desc limit $3
             ) as newest
             group by state"
        ),
        values![webhook, first, COUNTED_MAX],
    )?;
    Ok(counted.into_iter().map(|(state, count)| (state, count.unsigned_abs())).collect())
}

/// A new delivery.
#[derive(Clone, Debug)]
pub struct Draft<'a> {
    /// Its webhook.
    pub webhook: &'a WebhookId,
    /// The event.
    pub event: &'a EventId,
    /// The event's kind.
    pub kind: &'a str,
    /// The event's number.
    pub seq: i64,
    /// How often the event was sent there before.
    pub replay_no: i64,
    /// What triggered it.
    pub trigger: DeliveryTrigger,
    /// Whether it waits for the webhook to be enabled.
    pub is_held: bool,
}

/// Inserts a delivery that is due at once, unless it is held.
pub fn insert(ctx: &mut Ctx<'_, '_>, draft: &Draft<'_>) -> Result<DeliveryId> {
    let (id, now): (DeliveryId, _) = (ctx.id(), ctx.now());
    let state = if draft.is_held { DeliveryState::Held } else { DeliveryState::Pending };
    let next_attempt_at = (!draft.is_held).then_some(now);
    ctx.tx.write(
        sql!(
            "insert into webhook_delivery (id, webhook, event, kind, seq, replay_no, trigger_kind,
                state, next_attempt_at, created_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"
        ),
        values![
            id,
            draft.webhook,
            draft.event,
            draft.kind,
            draft.seq,
            draft.replay_no,
            draft.trigger,
            state,
            next_attempt_at,
            now
        ],
    )?;
    if !draft.is_held {
        mark_due(ctx, draft.webhook)?;
    }
    Ok(id)
}

/// Marks a webhook as due, because a delivery waits for it. A paused webhook is not called before its pause ends.
pub(super) fn mark_due(ctx: &mut Ctx<'_, '_>, webhook: &WebhookId) -> Result<()> {
    let now = ctx.now();
    ctx.tx.write(
        sql!(
            "update webhook
             set due_at = case when breaker_until > $1 then breaker_until else $1 end
             where id = $2 and (due_at is null or due_at > $1)"
        ),
        values![now, webhook],
    )?;
    ctx.effects.deliveries = true;
    Ok(())
}

/// Whether a message waits for a webhook, or is on its way there.
pub fn is_message_open(ctx: &mut Ctx<'_, '_>, webhook: &WebhookId) -> Result<bool> {
    let found: Option<i64> = ctx.tx.optional(
        sql!(
            "select 1 from webhook_delivery
             where webhook = $1 and state in ('pending', 'sending', 'held')
                and kind = 'direct_message'
             limit 1"
        ),
        values![webhook],
    )?;
    Ok(found.is_some())
}

/// A delivery's row.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its id.
    pub id: DeliveryId,
    webhook: WebhookId,
    /// The event.
    pub event: EventId,
    /// The event's kind.
    pub kind: String,
    /// The event's number; none for a test.
    pub seq: Option<i64>,
    trigger: DeliveryTrigger,
    /// Its state.
    pub state: DeliveryState,
    attempt: i64,
    next_attempt_at: Option<Timestamp>,
    delivered_at: Option<Timestamp>,
    created_at: Timestamp,
}
row!(Record {
    id: "id",
    webhook: "webhook",
    event: "event",
    kind: "kind",
    seq: "seq",
    trigger: "trigger_kind",
    state: "state",
    attempt: "attempt",
    next_attempt_at: "next_attempt_at",
    delivered_at: "delivered_at",
    created_at: "created_at",
});

/// A statement that reads delivery [`Record`]s: `select_deliveries!("where id = $1")`.
#[macro_export]
macro_rules! select_deliveries {
    ($rest:literal) => {
        svc_store::sql!(
            "select ",
            $crate::services::webhook::delivery::Record::COLUMNS,
            " from webhook_delivery ",
            $rest
        )
    };
}

impl Record {
    /// The same as lists return it.
    pub fn into_api(self) -> Delivery {
        Delivery {
            id: self.id,
            webhook_id: self.webhook,
            event_id: self.event,
            event: self.kind,
            state: self.state,
            trigger: self.trigger,
            attempts_count: u32::try_from(self.attempt).unwrap_or(u32::MAX),
            next_attempt_at: self.next_attempt_at,
            delivered_at: self.delivered_at,
            created_at: self.created_at,
            body: None,
            attempts: None,
        }
    }
}

/// The first delivery that is not too old to be listed. On PostgreSQL older ones stay a little longer, until they
/// go with the partition of their attempts.
pub fn first_listed(ctx: &Ctx<'_, '_>) -> DeliveryId {
    ids::first_of(ctx.now().minus(ctx.app.config.retention.deliveries))
}

/// The delivery of a webhook with this id, else 404.
pub fn of(ctx: &mut Ctx<'_, '_>, webhook: &WebhookId, id: &DeliveryId) -> Result<Record> {
    let found: Option<Record> = ctx
        .tx
        .optional(select_deliveries!("where id = $1 and webhook = $2"), values![id, webhook])?;
    let listed = found.filter(|record| record.id >= first_listed(ctx));
    listed.ok_or_else(|| Error::not_found("delivery"))
}

struct Attempt {
    n: i64,
    started_at: Timestamp,
    duration_ms: i64,
    outcome: DeliveryOutcome,
    next_attempt_at: Option<Timestamp>,
    http_status: Option<i64>,
    error_class: Option<DeliveryErrorClass>,
    remote_ip: Option<String>,
    secret: Option<WebhookSecretId>,
    request_headers: Option<String>,
    response_headers: Option<String>,
    response_body: Option<String>,
}
row!(Attempt {
    n: "n",
    started_at: "started_at",
    duration_ms: "duration_ms",
    outcome: "outcome",
    next_attempt_at: "next_attempt_at",
    http_status: "http_status",
    error_class: "error_class",
    remote_ip: "remote_ip",
    secret: "secret",
    request_headers: "request_headers",
    response_headers: "response_headers",
    response_body: "response_body",
});

/// A delivery with its body, without the text of what moderators hide by now, and its attempts.
pub fn whole(ctx: &mut Ctx<'_, '_>, webhook: &WebhookId, id: &DeliveryId) -> Result<Delivery> {
    let record = of(ctx, webhook, id)?;
    let (body, is_hidden): (Option<String>, bool) = ctx.tx.one(
        sql!(
            "select coalesce(d.body, e.body), coalesce(",
            outbox::IS_HIDDEN,
            ", false)
             from webhook_delivery d left join event e on e.id = d.event
             where d.id = $1"
        ),
        values![id],
    )?;
    let body = match body {
        Some(body) if is_hidden => Some(outbox::without_text(&body)?),
        body => body,
    };
    let attempts: Vec<Attempt> = ctx.tx.all(
        sql!("select ", Attempt::COLUMNS, " from webhook_attempt where delivery = $1 order by n"),
        values![id],
    )?;
    let attempts = attempts.into_iter().map(Attempt::into_api).collect::<Result<_>>()?;
    Ok(Delivery { body, attempts: Some(attempts), ..record.into_api() })
}

impl Attempt {
    fn into_api(self) -> Result<DeliveryAttempt> {
        Ok(DeliveryAttempt {
            n: u32::try_from(self.n).unwrap_or(u32::MAX),
            started_at: self.started_at,
            duration_ms: self.duration_ms.unsigned_abs(),
            outcome: self.outcome,
            next_attempt_at: self.next_attempt_at,
            http_status: self.http_status.and_then(|status| u16::try_from(status).ok()),
            error_class: self.error_class,
            remote_ip: self.remote_ip,
            secret_id: self.secret,
            request_headers: headers(self.request_headers.as_deref())?,
            response_headers: headers(self.response_headers.as_deref())?,
            response_body: self.response_body,
        })
    }
}

fn headers(json: Option<&str>) -> Result<Option<BTreeMap<String, String>>> {
    json.map(|json| serde_json::from_str(json).map_err(Error::internal)).transpose()
}
