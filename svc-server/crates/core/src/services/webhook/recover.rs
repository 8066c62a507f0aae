//! Recoveries: events of a span of time that are sent to a webhook again, batch by batch.
//!
//! A recovery is a row with a cursor, so that any server continues it after a restart. It reads the
//! account's events by number and locks the webhook during each batch, so that two recoveries of
//! the same events see each other's deliveries.

use svc_store::error::{Error, Result};
use svc_store::{row, sql, values};
use svc_types::api::webhooks::{
    DeliveryState, DeliveryTrigger, RecoverableState, Recovery, RecoveryStatus, WebhookKind,
};
use svc_types::{DeliveryId, EventId, RecoveryId, Timestamp, WebhookId};

use super::delivery::{self, Draft};
use super::record::Record as Webhook;
use crate::app::Ctx;
use crate::select_webhooks;
use crate::services::outbox;

/// Events read in one transaction, so that no other write waits long.
const BATCH: i64 = 200;

/// Events read at once by a read that only counts.
const COUNT_BATCH: i64 = 1_000;

/// Which events a recovery includes.
#[derive(Clone, Debug)]
pub struct Scope {
    /// Events from this instant on.
    pub since: Timestamp,
    /// Events up to this instant.
    pub until: Timestamp,
    /// The states of their deliveries.
    pub states: Vec<RecoverableState>,
}

impl Scope {
    fn holds(&self, state: &RecoverableState) -> bool {
        self.states.contains(state)
    }

    /// States as they are stored, between commas.
    fn words(&self) -> String {
        let words: Vec<&str> = self.states.iter().map(RecoverableState::as_str).collect();
        format!(",{},", words.join(","))
    }
}

/// A recovery's row.
#[derive(Clone, Debug)]
pub struct Record {
    id: RecoveryId,
    webhook: WebhookId,
    since: Timestamp,
    until_at: Timestamp,
    states: String,
    matched: i64,
    queued: i64,
    after_seq: i64,
    through_seq: i64,
    status: RecoveryStatus,
    created_at: Timestamp,
}
row!(Record {
    id: "id",
    webhook: "webhook",
    since: "since",
    until_at: "until_at",
    states: "states",
    matched: "matched",
    queued: "queued",
    after_seq: "after_seq",
    through_seq: "through_seq",
    status: "status",
    created_at: "created_at",
});

impl Record {
    fn scope(&self) -> Scope {
        let states = self.states.split(',').filter(|state| !state.is_empty());
        let states = states.map(RecoverableState::from).collect();
        Scope { since: self.since, until: self.until_at, states }
    }

    /// The same as the API returns it.
    pub fn into_api(self) -> Recovery {
        Recovery {
            states: self.scope().states,
            id: self.id,
            since: self.since,
            until: self.until_at,
            matched: self.matched.unsigned_abs(),
            queued: self.queued.unsigned_abs(),
            status: self.status,
            created_at: self.created_at,
        }
    }
}

/// The recovery with this id, if there is one.
pub fn by_id(ctx: &mut Ctx<'_, '_>, id: &RecoveryId) -> Result<Option<Record>> {
    let sql = sql!("select ", Record::COLUMNS, " from webhook_recovery where id = $1");
    ctx.tx.optional(sql, values![id])
}

/// The recovery of a webhook with this id, else 404.
pub fn of(ctx: &mut Ctx<'_, '_>, webhook: &WebhookId, id: &RecoveryId) -> Result<Record> {
    let found = by_id(ctx, id)?.filter(|record| record.webhook == *webhook);
    found.ok_or_else(|| Error::not_found("recovery"))
}

/// The number of running recoveries of a webhook.
pub fn count_running(ctx: &mut Ctx<'_, '_>, webhook: &WebhookId) -> Result<i64> {
    let sql =
        sql!("select count(*) from webhook_recovery where webhook = $1 and status = 'running'");
    ctx.tx.one(sql, values![webhook])
}

/// Begins a recovery of a webhook that is locked; a dry run only stores the count.
pub fn begin(
    ctx: &mut Ctx<'_, '_>,
    webhook: &Webhook,
    scope: &Scope,
    matched: i64,
    is_dry: bool,
) -> Result<RecoveryId> {
    let (id, now): (RecoveryId, _) = (ctx.id(), ctx.now());
    let latest = outbox::head(ctx, &webhook.account)?.last;
    let status = if is_dry { RecoveryStatus::Done } else { RecoveryStatus::Running };
    ctx.tx.execute(
        sql!(
            "insert into webhook_recovery (id, webhook, since, until_at, states, matched,
                after_seq, through_seq, status, created_at)
             values ($1, $2, $3, $4, $5, $6, 0, $7, $8, $9)"
        ),
        values![
            id,
            webhook.id,
            scope.since,
            scope.until,
            scope.words(),
            matched,
            latest,
            status,
            now
        ],
    )?;
    Ok(id)
}

/// An event, and its latest delivery to the webhook.
struct Candidate {
    event: EventId,
    seq: i64,
    kind: String,
    created_at: Timestamp,
    delivery: Option<DeliveryId>,
    replay_no: Option<i64>,
    state: Option<DeliveryState>,
    /// Whether the account wants its type through webhooks now.
    is_wanted: bool,
}
row!(Candidate {
    event: "e.id",
    seq: "n.seq",
    kind: "e.kind",
    created_at: "e.created_at",
    delivery: "d.id",
    replay_no: "d.replay_no",
    state: "d.state",
    is_wanted: "coalesce(p.webhook, true)",
});

/// The account's events after this number, oldest first.
fn load(
    ctx: &mut Ctx<'_, '_>,
    webhook: &Webhook,
    after: i64,
    through: i64,
    most: i64,
) -> Result<Vec<Candidate>> {
    ctx.tx.all(
        sql!(
            "select ",
            Candidate::COLUMNS,
            " from account_event n join event e on e.id = n.event
             left join webhook_delivery d on d.event = e.id and d.webhook = $1
                and d.replay_no = (select max(l.replay_no) from webhook_delivery l
                    where l.event = e.id and l.webhook = $1)
             left join notification_preference p on p.account = n.account and p.type = n.type
             where n.account = $2 and n.seq > $3 and n.seq <= $4
             order by n.seq limit $5"
        ),
        values![webhook.id, webhook.account, after, through, most],
    )
}

/// Selects the events of a recovery.
struct Filter {
    kinds: Vec<WebhookKind>,
    is_down: bool,
    scope: Scope,
}

impl Filter {
    fn of(webhook: &Webhook, scope: Scope) -> Self {
        Self { kinds: webhook.kinds(), is_down: webhook.down_since().is_some(), scope }
    }

    fn takes(&self, candidate: &Candidate) -> bool {
        let is_in_time = (self.scope.since..=self.scope.until).contains(&candidate.created_at);
        let is_listed = self.kinds.iter().any(|kind| kind.as_str() == candidate.kind);
        let is_asked_for = is_listed && candidate.is_wanted;
        is_in_time && is_asked_for && self.takes_state(candidate.state.as_ref())
    }

    fn takes_state(&self, state: Option<&DeliveryState>) -> bool {
        match state {
            None => self.scope.holds(&RecoverableState::Missing),
            Some(DeliveryState::Failed) => self.scope.holds(&RecoverableState::Failed),
            Some(DeliveryState::Cancelled) => self.scope.holds(&RecoverableState::Cancelled),
            // While the webhook is down, a held delivery waits already.
            Some(DeliveryState::Held) => !self.is_down && self.scope.holds(&RecoverableState::Held),
            Some(_) => false,
        }
    }
}

/// The result of a count.
#[derive(Clone, Copy, Debug)]
pub struct Counted {
    /// How many events match.
    pub matched: i64,
    /// The last event read, if there are more.
    pub last: Option<i64>,
}

/// Counts a batch of the events that a recovery would send.
pub fn count(
    ctx: &mut Ctx<'_, '_>,
    webhook: &Webhook,
    scope: &Scope,
    after: i64,
) -> Result<Counted> {
    let filter = Filter::of(webhook, scope.clone());
    let found = load(ctx, webhook, after, i64::MAX, COUNT_BATCH)?;
    let matched = found.iter().filter(|candidate| filter.takes(candidate)).count();
    let is_full = i64::try_from(found.len()).is_ok_and(|found| found == COUNT_BATCH);
    let last = found.last().map(|last| last.seq).filter(|_| is_full);
    Ok(Counted { matched: i64::try_from(matched).unwrap_or(i64::MAX), last })
}

/// Running recoveries, oldest first.
pub fn running(ctx: &mut Ctx<'_, '_>) -> Result<Vec<RecoveryId>> {
    let sql = sql!("select id from webhook_recovery where status = 'running' order by id limit $1");
    ctx.tx.all(sql, values![BATCH])
}

/// Queues the next events of a recovery, and ends it after the last.
pub fn go_on(ctx: &mut Ctx<'_, '_>, id: &RecoveryId) -> Result<()> {
    let Some(Record { webhook, .. }) = by_id(ctx, id)? else { return Ok(()) };
    let sql = sql!("select id from webhook where id = $1 for no key update");
    ctx.tx.lock(sql, values![webhook])?;
    // Another server may have continued it before the lock was free.
    let Some(recovery) = by_id(ctx, id)?.filter(|it| it.status == RecoveryStatus::Running) else {
        return Ok(());
    };
    let webhook: Option<Webhook> =
        ctx.tx.optional(select_webhooks!("w.id = $1"), values![webhook])?;
    let Some(webhook) = webhook else { return note(ctx, id, 0, None) };
    let found = load(ctx, &webhook, recovery.after_seq, recovery.through_seq, BATCH)?;
    let filter = Filter::of(&webhook, recovery.scope());
    let mut queued = 0;
    for candidate in found.iter().filter(|candidate| filter.takes(candidate)) {
        queue(ctx, &webhook, candidate, filter.is_down)?;
        queued += 1;
    }
    let is_full = i64::try_from(found.len()).is_ok_and(|found| found == BATCH);
    note(ctx, id, queued, found.last().map(|last| last.seq).filter(|_| is_full))
}

/// Sends an event again.
fn queue(
    ctx: &mut Ctx<'_, '_>,
    webhook: &Webhook,
    candidate: &Candidate,
    is_held: bool,
) -> Result<()> {
    if let (Some(delivery), Some(DeliveryState::Held)) = (&candidate.delivery, &candidate.state) {
        let now = ctx.now();
        let sql = sql!(
            "update webhook_delivery set state = 'pending', next_attempt_at = $1
             where id = $2 and state = 'held'"
        );
        ctx.tx.execute(sql, values![now, delivery])?;
        return delivery::mark_due(ctx, &webhook.id);
    }
    let draft = Draft {
        webhook: &webhook.id,
        event: &candidate.event,
        kind: &candidate.kind,
        seq: candidate.seq,
        replay_no: candidate.replay_no.map_or(0, |last| last + 1),
        trigger: DeliveryTrigger::Recover,
        is_held,
    };
    delivery::insert(ctx, &draft).map(drop)
}

/// Stores the cursor of a recovery; without one, the recovery is done.
fn note(ctx: &mut Ctx<'_, '_>, id: &RecoveryId, queued: i64, last: Option<i64>) -> Result<()> {
    ctx.tx.execute(
        sql!(
            "update webhook_recovery set queued = queued + $1,
                after_seq = coalesce(cast($2 as bigint), after_seq),
                status = case when cast($2 as bigint) is null then 'done' else status end
             where id = $3"
        ),
        values![queued, last, id],
    )?;
    Ok(())
}
