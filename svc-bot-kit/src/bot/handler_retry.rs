//! Whether and when a failed handler runs again.

use std::time::Duration;

use svc_client::types::{MessageId, Timestamp};

use super::handler_error::{Decision, HandlerError, HandlerKind, is_retryable, request};
use super::isolate::{HandlerFailure, run_isolated};
use super::retry::{random_fraction, with_jitter};
use super::shared::Shared;
use crate::error::Result;
use crate::journal::Job;
use crate::service::Failure;

/// The pause after the first failure; doubled after each.
const PAUSE_MIN: Duration = Duration::from_secs(2);
/// The longest pause, unless the handler or the platform asks for a longer one.
const PAUSE_MAX: Duration = Duration::from_secs(5 * 60);
/// Attempts per job at most.
const ATTEMPTS_MAX: u32 = 10;
/// How long after the first failure a handler may run again.
const TIME_MAX: Duration = Duration::from_secs(60 * 60);
/// How long `Bot::on_error` may take.
const HOOK_TIMEOUT: Duration = Duration::from_secs(10);

/// Whether a handler may run a second time for the same job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Restart {
    Allowed,
    /// Only if the handler asks for it, because its steps may not be safe to repeat.
    OnRequest,
}

/// A failed handler on which no decision was made yet.
pub(super) struct Failed<'a> {
    pub(super) job: &'a Job,
    pub(super) handler: HandlerKind,
    pub(super) requester: &'a str,
    pub(super) restart: Restart,
    pub(super) failure: HandlerFailure,
}

/// Decides on a job whose handler failed. Returns whether the job was postponed for a retry.
pub(super) async fn postpone(shared: &Shared, failed: Failed<'_>) -> Result<bool> {
    let Failed { job, handler, requester, restart, failure } = failed;
    let now = shared.clock.now();
    let until = now.plus(pause(job.failures, &failure));
    let error = HandlerError {
        handler,
        request_id: Some(MessageId::from(job.id.as_str())),
        requester: requester.to_owned(),
        attempt: job.failures + 1,
        is_last: is_last(job, now, until),
        decision: default_decision(restart, &failure),
        failure,
    };
    match decide(shared, &error).await {
        Decision::Retry => {
            tracing::warn!(%error, attempt = error.attempt, at = %until, "the handler will be retried");
            shared.journal.postpone(&job.id, job.starts, now, until).await?;
            shared.crash.point("a job is put off").await;
            return Ok(true);
        }
        Decision::Drop => {
            tracing::info!(%error, attempt = error.attempt, "the error was dropped");
        }
        Decision::Fail => tracing::error!(
            error = &error as &dyn std::error::Error,
            attempt = error.attempt,
            "the handler failed"
        ),
    }
    Ok(false)
}

/// The decision of `Bot::on_error`, within the limits on attempts.
pub(super) async fn decide(shared: &Shared, error: &HandlerError) -> Decision {
    let decision = match &shared.hooks.on_error {
        None => error.decision,
        Some(hook) => {
            let decided = run_isolated(async { Ok(hook(error)) }, HOOK_TIMEOUT).await;
            decided.unwrap_or_else(|failure| {
                tracing::error!(?failure, "Bot::on_error failed");
                error.decision
            })
        }
    };
    if decision == Decision::Retry && error.is_last { Decision::Fail } else { decision }
}

fn default_decision(restart: Restart, failure: &HandlerFailure) -> Decision {
    let is_asked_for = matches!(failure, HandlerFailure::Fail(fail) if matches!(fail.failure(), Failure::Retry(_)));
    if is_asked_for || restart == Restart::Allowed && is_retryable(failure) {
        Decision::Retry
    } else {
        Decision::Fail
    }
}

fn is_last(job: &Job, now: Timestamp, until: Timestamp) -> bool {
    let since = job.failed_at.unwrap_or(now);
    job.failures + 1 >= ATTEMPTS_MAX || until.since(since) > TIME_MAX
}

/// How long to wait after this failure and `failures` earlier ones: the requested time, otherwise a
/// pause that doubles with each failure.
pub(super) fn pause(failures: u32, failure: &HandlerFailure) -> Duration {
    let doubled = PAUSE_MIN.saturating_mul(2_u32.saturating_pow(failures)).min(PAUSE_MAX);
    if let HandlerFailure::Fail(fail) = failure {
        match fail.failure() {
            Failure::Retry(after) => return (*after).min(TIME_MAX),
            Failure::Error(error) => {
                let asked = request(&**error).and_then(svc_client::Error::retry_after);
                return asked.unwrap_or_default().max(with_jitter(doubled, random_fraction()));
            }
            Failure::Rejected(_) => {}
        }
    }
    with_jitter(doubled, random_fraction())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::{Kind, State};
    use crate::service::Fail;

    const NOW: Timestamp = Timestamp::from_millis(1_000_000_000);

    fn failed(failures: u32, before: Duration) -> Job {
        Job {
            id: "msg_1".to_owned(),
            kind: Kind::Message,
            state: State::Running,
            starts: 1,
            event: String::new(),
            ingested_at: NOW,
            escrow: None,
            failures,
            failed_at: Some(NOW.minus(before)),
            retry_at: None,
        }
    }

    #[test]
    fn pauses_double_from_two_seconds_to_five_minutes() {
        for (failures, longest) in [(0, 2), (1, 4), (7, 256), (8, 300), (u32::MAX, 300)] {
            let longest = Duration::from_secs(longest);
            let pause = pause(failures, &HandlerFailure::Timeout);
            assert!(pause <= longest && pause >= longest.mul_f64(0.75), "{failures}: {pause:?}");
        }
        let asked = HandlerFailure::Fail(Fail::retry(Duration::from_secs(7)));
        assert_eq!(pause(3, &asked), Duration::from_secs(7));
        let forever = HandlerFailure::Fail(Fail::retry(Duration::MAX));
        assert_eq!(pause(0, &forever), TIME_MAX);
    }

    #[test]
    fn a_handler_is_tried_ten_times_within_an_hour() {
        let soon = NOW.plus(PAUSE_MIN);
        assert!(!is_last(&failed(8, Duration::ZERO), NOW, soon));
        assert!(is_last(&failed(9, Duration::ZERO), NOW, soon));
        assert!(!is_last(&failed(1, Duration::from_secs(60 * 60 - 2)), NOW, soon));
        assert!(is_last(&failed(1, TIME_MAX), NOW, soon));
    }
}
