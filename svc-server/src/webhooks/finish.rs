//! What an attempt changes in the database.
//!
//! A webhook's row is locked while its deliveries change. Several rows are locked in the order of
//! account and id, after their accounts and before the event counters.

use std::borrow::Cow;
use std::collections::BTreeSet;

use svc_core::app::Ctx;
use svc_core::services::notification::{self, Data, NewNotification};
use svc_core::services::webhook;
use svc_store::db::{SLOTS, slots};
use svc_store::error::Result;
use svc_store::{row, sql, values};
use svc_types::api::connect::SystemData;
use svc_types::api::webhooks::{
    DeliveryErrorClass, DeliveryOutcome, DeliveryState, DisabledReason,
};
use svc_types::{Timestamp, UserId, WebhookId};

use super::attempt::Attempt;
use super::health::{Consequence, Health};
use super::schedule::{self, Hint};

/// Attempts of one webhook.
type Group<'a> = (&'a UserId, &'a WebhookId, Vec<&'a Attempt>);

/// A notification to the owner of a webhook.
type OwnerNotification = (UserId, SystemData);

/// What was recorded.
#[derive(Debug, Default)]
pub(super) struct Finished {
    /// Attempts that came too late: their claims had expired.
    pub(super) fenced: u64,
    /// Webhooks that were disabled.
    pub(super) disabled: Vec<DisabledReason>,
    notifications: Vec<OwnerNotification>,
}

/// Records the results of these attempts.
pub(super) fn finish(ctx: &mut Ctx<'_, '_>, owner: &str, attempts: &[Attempt]) -> Result<Finished> {
    keep_accounts(ctx, attempts.iter().map(|attempt| &attempt.request.account))?;
    let mut finished = Finished::default();
    for group in &by_webhook(attempts) {
        of_webhook(ctx, owner, group, &mut finished)?;
    }
    if !finished.notifications.is_empty() {
        let notifications = finished.notifications.iter();
        let notifications = notifications
            .map(|(to, data)| NewNotification::new(to, Data::System(Cow::Borrowed(data))));
        let notifications = notifications.collect();
        notification::notify(ctx, None, notifications)?;
    }
    Ok(finished)
}

/// Lets no account be suspended or deleted until the transaction ends. When a webhook changes for the second time in
/// a transaction, PostgreSQL looks for its account, and what ends that waits for the webhook.
pub(super) fn keep_accounts<'a>(
    ctx: &mut Ctx<'_, '_>,
    accounts: impl Iterator<Item = &'a UserId>,
) -> Result<()> {
    let accounts: BTreeSet<&UserId> = accounts.collect();
    let accounts: Vec<&UserId> = accounts.into_iter().collect();
    let lock =
        sql!("select id from account where id in (", slots!(1), ") order by id for key share");
    accounts.chunks(SLOTS).try_for_each(|some| ctx.tx.lock(lock, &slots(some)))
}

/// Attempts by webhook, in the order in which webhooks are locked.
fn by_webhook(attempts: &[Attempt]) -> Vec<Group<'_>> {
    let mut sorted: Vec<&Attempt> = attempts.iter().collect();
    sorted.sort_by_key(|attempt| (&attempt.request.account, &attempt.request.webhook));
    let groups = sorted.chunk_by(|a, b| a.request.webhook == b.request.webhook);
    let named = groups.map(|group| {
        let request = &group[0].request;
        (&request.account, &request.webhook, group.to_vec())
    });
    named.collect()
}

/// The current state of a webhook.
struct State {
    is_down: bool,
    is_deleted: bool,
    url: String,
}
row!(State {
    is_down: "status <> 'active' or suspended_at is not null",
    is_deleted: "deleted_at is not null",
    url: "url",
});

/// What the attempts of a webhook come to.
struct Summary<'a> {
    health: Health,
    /// Those that are recorded, since their claims had not expired.
    ended: i64,
    /// The class and the status of the last failure.
    last: Option<(DeliveryErrorClass, Option<u16>)>,
    /// Why the webhook is to be disabled, and the attempt that decided it.
    end: Option<(DisabledReason, &'a Attempt)>,
}

impl<'a> Summary<'a> {
    /// Counts a success or a failure. Returns the warning to the owner if it is time for one.
    fn count(&mut self, attempt: &'a Attempt, state: &State, now: Timestamp) -> Option<SystemData> {
        let Some(class) = attempt.failure() else {
            self.health.succeed(now);
            return None;
        };
        let mut warned = None;
        let consequence = self.health.fail(now);
        if attempt.status() == Some(410) {
            self.end = Some((DisabledReason::Gone, attempt));
        } else if consequence == Consequence::End {
            self.end = self.end.take().or(Some((DisabledReason::Failing, attempt)));
        } else if consequence == Consequence::Warn && !state.is_down {
            warned = Some(warning(attempt, &class));
        }
        self.last = Some((class, attempt.status()));
        warned
    }
}

fn of_webhook(
    ctx: &mut Ctx<'_, '_>,
    owner: &str,
    (account, id, attempts): &Group<'_>,
    finished: &mut Finished,
) -> Result<()> {
    ctx.tx.lock(sql!("select id from webhook where id = $1 for no key update"), values![id])?;
    let sql = sql!("select ", State::COLUMNS, " from webhook where id = $1");
    // The webhook may have been erased with its account during the call; its result is dropped.
    let Some(state) = ctx.tx.optional::<State>(sql, values![id])? else { return Ok(()) };
    let mut summary = Summary { health: health(ctx, id)?, ended: 0, last: None, end: None };
    for attempt in attempts {
        if !advance(ctx, owner, attempt, &state)? {
            finished.fenced += 1;
            continue;
        }
        summary.ended += 1;
        // A response of the former URL does not count against the new one.
        if attempt.request.url == state.url {
            let warned = summary.count(attempt, &state, ctx.now());
            finished.notifications.extend(warned.map(|data| ((*account).clone(), data)));
        }
    }
    keep(ctx, id, &summary)?;
    match summary.end {
        Some((reason, attempt)) if webhook::disable(ctx, id, &reason)? => {
            finished
                .notifications
                .push(((*account).clone(), disabled_notification(attempt, &reason)));
            finished.disabled.push(reason);
            Ok(())
        }
        _ => Ok(()),
    }
}

fn health(ctx: &mut Ctx<'_, '_>, id: &WebhookId) -> Result<Health> {
    ctx.tx.one(sql!("select ", Health::COLUMNS, " from webhook where id = $1"), values![id])
}

/// Updates a delivery that `owner` still holds, and records the attempt.
fn advance(ctx: &mut Ctx<'_, '_>, owner: &str, attempt: &Attempt, state: &State) -> Result<bool> {
    let failed = attempt.failure().is_some();
    let next = if failed { next_attempt(ctx, attempt) } else { None };
    let becomes = match next {
        _ if !failed => DeliveryState::Delivered,
        None => DeliveryState::Failed,
        Some(_) if state.is_deleted => DeliveryState::Cancelled,
        Some(_) if state.is_down => DeliveryState::Held,
        Some(_) => DeliveryState::Pending,
    };
    let next = next.filter(|_| becomes == DeliveryState::Pending);
    let delivered_at = (!failed).then_some(ctx.now());
    let rows = ctx.tx.execute(
        sql!(
            "update webhook_delivery
             set state = $1, next_attempt_at = $2, delivered_at = $3, lease_owner = null,
                lease_until = null
             where id = $4 and state = 'sending' and lease_owner = $5 and attempt = $6"
        ),
        values![
            becomes,
            next,
            delivered_at,
            attempt.request.delivery,
            owner,
            attempt.request.attempt
        ],
    )?;
    if rows == 1 {
        record(ctx, attempt, next)?;
    }
    Ok(rows == 1)
}

/// The time of the next retry; `None` after the last attempt.
fn next_attempt(ctx: &Ctx<'_, '_>, attempt: &Attempt) -> Option<Timestamp> {
    let (now, retries) = (ctx.now(), &ctx.app.config.webhooks.retries);
    let hint = match &attempt.result {
        Ok(answer) => Hint::of_answer(answer.status, &answer.headers, now),
        Err(class) => Hint::of_class(class),
    };
    schedule::pause(retries, attempt.request.attempt, hint).map(|pause| now.plus(pause))
}

/// Records an attempt.
pub(super) fn record(
    ctx: &mut Ctx<'_, '_>,
    attempt: &Attempt,
    next: Option<Timestamp>,
) -> Result<()> {
    let class = attempt.failure();
    let outcome =
        if class.is_none() { DeliveryOutcome::Delivered } else { DeliveryOutcome::Failed };
    let duration = i64::try_from(attempt.duration.as_millis()).unwrap_or(i64::MAX);
    let remote = attempt.result.as_ref().ok().and_then(|answer| answer.remote);
    ctx.tx.write(
        sql!(
            "insert into webhook_attempt (delivery, n, started_at, duration_ms, outcome,
                http_status, error_class, remote_ip, secret, request_headers, response_headers,
                response_body, next_attempt_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)"
        ),
        values![
            attempt.request.delivery,
            attempt.request.attempt,
            attempt.started_at,
            duration,
            outcome,
            attempt.status().map(i64::from),
            class,
            remote.map(|address| address.to_string()),
            attempt.request.keys.id,
            attempt.request_headers(),
            attempt.response_headers(),
            attempt.response_body(),
            next
        ],
    )?;
    Ok(())
}

/// Stores the health of a webhook, frees its slots, and sets when it is due again.
fn keep(ctx: &mut Ctx<'_, '_>, id: &WebhookId, summary: &Summary<'_>) -> Result<()> {
    let (health, last) = (&summary.health, summary.last.as_ref());
    let failed_at = last.map(|_| ctx.now());
    let class = last.map(|(class, _)| class);
    let status = last.and_then(|(_, status)| *status).map(i64::from);
    ctx.tx.write(
        sql!(
            "update webhook set
                in_flight = case when in_flight > $1 then in_flight - $1 else 0 end,
                failures_in_row = $2, breaker_step = $3, breaker_until = $4, first_failure_at = $5,
                failed_attempts = $6, warned_at = $7, last_success_at = $8,
                last_error_status = case when cast($9 as bigint) is null then last_error_status
                    else $10 end,
                last_error_class = coalesce($11, last_error_class),
                last_error_at = coalesce($9, last_error_at)
             where id = $12"
        ),
        values![
            summary.ended,
            health.failures_in_row,
            health.breaker_step,
            health.breaker_until,
            health.first_failure_at,
            health.failed_attempts,
            health.warned_at,
            health.last_success_at,
            failed_at,
            status,
            class,
            id
        ],
    )?;
    is_due_again(ctx, id)
}

/// When a webhook is due: when its first delivery is due and its pause is over.
pub(super) const DUE: &str = "(
    select case when webhook.breaker_until > min(d.next_attempt_at)
        then webhook.breaker_until else min(d.next_attempt_at) end
    from webhook_delivery d where d.webhook = webhook.id and d.state = 'pending')";

/// Sets when a locked webhook is due.
pub(super) fn is_due_again(ctx: &mut Ctx<'_, '_>, id: &WebhookId) -> Result<()> {
    ctx.tx.write(
        sql!(
            "update webhook set due_at = ",
            DUE,
            " where id = $1 and status = 'active' and suspended_at is null"
        ),
        values![id],
    )?;
    Ok(())
}

/// Describes how the latest attempt failed.
fn failure_text(attempt: &Attempt, class: &DeliveryErrorClass) -> String {
    let status = attempt.status().map(|status| format!(" {status}")).unwrap_or_default();
    let (kind, delivery) = (&attempt.request.kind, &attempt.request.delivery);
    format!("the latest attempt, of a {kind} (delivery {delivery}), ended with {class}{status}")
}

fn warning(attempt: &Attempt, class: &DeliveryErrorClass) -> SystemData {
    let (webhook, failure) = (&attempt.request.webhook, failure_text(attempt, class));
    let text = format!(
        "your webhook {webhook} has taken nothing for a day and will be disabled if that goes on: \
         {failure}"
    );
    SystemData { code: "webhook_failing".to_owned(), text }
}

fn disabled_notification(attempt: &Attempt, reason: &DisabledReason) -> SystemData {
    let why = match reason {
        DisabledReason::Gone => "it answered 410",
        _ => "it has taken nothing for five days",
    };
    let class = attempt.failure().unwrap_or(DeliveryErrorClass::HttpStatus);
    let (webhook, failure) = (&attempt.request.webhook, failure_text(attempt, &class));
    let text = format!("your webhook {webhook} is disabled, because {why}: {failure}");
    SystemData { code: "webhook_disabled".to_owned(), text }
}
