//! What an attempt changes in the database.
//!
//! A webhook's row is held while what waits for it is changed; several are locked in the order of
//! account and id, before counters of events.

use std::borrow::Cow;

use svc_core::app::Ctx;
use svc_core::services::notification::{self, Data, NewNotification};
use svc_core::services::webhook;
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

/// What the owner of a webhook is told.
type Told = (UserId, SystemData);

/// What was written down.
#[derive(Debug, Default)]
pub(super) struct Finished {
    /// Attempts that came too late: their deliveries have been taken back.
    pub(super) fenced: u64,
    /// Webhooks that were disabled.
    pub(super) disabled: Vec<DisabledReason>,
    told: Vec<Told>,
}

/// Writes down what became of these attempts.
pub(super) fn finish(ctx: &mut Ctx<'_, '_>, owner: &str, attempts: &[Attempt]) -> Result<Finished> {
    let mut finished = Finished::default();
    for group in &by_webhook(attempts) {
        of_webhook(ctx, owner, group, &mut finished)?;
    }
    if !finished.told.is_empty() {
        let told = finished.told.iter();
        let notifications =
            told.map(|(to, data)| NewNotification::new(to, Data::System(Cow::Borrowed(data))));
        let notifications = notifications.collect();
        notification::notify(ctx, None, notifications)?;
    }
    Ok(finished)
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

/// A webhook at the moment.
struct State {
    is_down: bool,
    is_deleted: bool,
    url: String,
}
row!(State { is_down, is_deleted, url });

fn of_webhook(
    ctx: &mut Ctx<'_, '_>,
    owner: &str,
    (account, id, attempts): &Group<'_>,
    finished: &mut Finished,
) -> Result<()> {
    ctx.tx.lock(sql!("select id from webhook where id = $1 for no key update"), values![id])?;
    let state: State = ctx.tx.one(
        sql!(
            "select status <> 'active' or suspended_at is not null, deleted_at is not null, url
             from webhook where id = $1"
        ),
        values![id],
    )?;
    let mut health = health(ctx, id)?;
    let (mut ended, mut last) = (0, None);
    let mut end: Option<(DisabledReason, &Attempt)> = None;
    for attempt in attempts {
        if !settle(ctx, owner, attempt, &state)? {
            finished.fenced += 1;
            continue;
        }
        ended += 1;
        // What the receiver of before says is no judgement of the new one.
        if attempt.request.url != state.url {
            continue;
        }
        let now = ctx.now();
        let Some(class) = attempt.failure() else {
            health.succeed(now);
            continue;
        };
        let consequence = health.fail(now);
        if attempt.status() == Some(410) {
            end = Some((DisabledReason::Gone, *attempt));
        } else if consequence == Consequence::End {
            end = end.or(Some((DisabledReason::Failing, *attempt)));
        } else if consequence == Consequence::Warn && !state.is_down {
            finished.told.push(((*account).clone(), warning(attempt, &class)));
        }
        last = Some((class, attempt.status()));
    }
    keep(ctx, id, ended, &health, last.as_ref())?;
    match end {
        Some((reason, attempt)) if webhook::disable(ctx, id, &reason)? => {
            finished.told.push(((*account).clone(), the_end(attempt, &reason)));
            finished.disabled.push(reason);
            Ok(())
        }
        _ => Ok(()),
    }
}

fn health(ctx: &mut Ctx<'_, '_>, id: &WebhookId) -> Result<Health> {
    ctx.tx.one(
        sql!(
            "select failures_in_row, breaker_step, breaker_until, first_failure_at, failed_attempts,
                warned_at, last_success_at
             from webhook where id = $1"
        ),
        values![id],
    )
}

/// Moves a delivery on, if it still is that of `owner`, and notes the attempt.
fn settle(ctx: &mut Ctx<'_, '_>, owner: &str, attempt: &Attempt, state: &State) -> Result<bool> {
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
        note(ctx, attempt, next)?;
    }
    Ok(rows == 1)
}

/// When a failed delivery is sent again; never when that was the last attempt.
fn next_attempt(ctx: &Ctx<'_, '_>, attempt: &Attempt) -> Option<Timestamp> {
    let (now, retries) = (ctx.now(), &ctx.app.config.webhooks.retries);
    let hint = match &attempt.result {
        Ok(answer) => Hint::of_answer(answer.status, &answer.headers, now),
        Err(class) => Hint::of_class(class),
    };
    schedule::pause(retries, attempt.request.attempt, hint).map(|pause| now.plus(pause))
}

/// Notes an attempt.
pub(super) fn note(
    ctx: &mut Ctx<'_, '_>,
    attempt: &Attempt,
    next: Option<Timestamp>,
) -> Result<()> {
    let class = attempt.failure();
    let outcome =
        if class.is_none() { DeliveryOutcome::Delivered } else { DeliveryOutcome::Failed };
    let duration = i64::try_from(attempt.duration.as_millis()).unwrap_or(i64::MAX);
    let remote = attempt.result.as_ref().ok().and_then(|answer| answer.remote);
    ctx.tx.execute(
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

/// Writes down how a webhook has fared, frees its slots, and says when it is due again.
fn keep(
    ctx: &mut Ctx<'_, '_>,
    id: &WebhookId,
    ended: i64,
    health: &Health,
    last: Option<&(DeliveryErrorClass, Option<u16>)>,
) -> Result<()> {
    let failed_at = last.map(|_| ctx.now());
    let class = last.map(|(class, _)| class);
    let status = last.and_then(|(_, status)| *status).map(i64::from);
    ctx.tx.execute(
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
            ended,
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

/// Says when a webhook that is locked is due: when its first delivery is, and its pause is over.
pub(super) fn is_due_again(ctx: &mut Ctx<'_, '_>, id: &WebhookId) -> Result<()> {
    ctx.tx.execute(
        sql!(
            "update webhook set due_at = (
                select case when webhook.breaker_until > min(d.next_attempt_at)
                    then webhook.breaker_until else min(d.next_attempt_at) end
                from webhook_delivery d where d.webhook = $1 and d.state = 'pending')
             where id = $1 and status = 'active' and suspended_at is null"
        ),
        values![id],
    )?;
    Ok(())
}

/// How the latest attempt failed, in words.
fn told_of(attempt: &Attempt, class: &DeliveryErrorClass) -> String {
    let status = attempt.status().map(|status| format!(" {status}")).unwrap_or_default();
    let (kind, delivery) = (&attempt.request.kind, &attempt.request.delivery);
    format!("the latest attempt, of a {kind} (delivery {delivery}), ended with {class}{status}")
}

fn warning(attempt: &Attempt, class: &DeliveryErrorClass) -> SystemData {
    let (webhook, told) = (&attempt.request.webhook, told_of(attempt, class));
    let text = format!(
        "your webhook {webhook} has taken nothing for a day and will be disabled if that goes on: \
         {told}"
    );
    SystemData { code: "webhook_failing".to_owned(), text }
}

fn the_end(attempt: &Attempt, reason: &DisabledReason) -> SystemData {
    let why = match reason {
        DisabledReason::Gone => "it answered 410",
        _ => "it has taken nothing for five days",
    };
    let class = attempt.failure().unwrap_or(DeliveryErrorClass::HttpStatus);
    let (webhook, told) = (&attempt.request.webhook, told_of(attempt, &class));
    let text = format!("your webhook {webhook} is disabled, because {why}: {told}");
    SystemData { code: "webhook_disabled".to_owned(), text }
}
