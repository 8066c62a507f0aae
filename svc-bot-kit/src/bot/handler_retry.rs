//! Whether and when a handler that failed starts again.

use std::time::Duration;

use svc_client::types::{MessageId, Timestamp};

use super::handler_error::{Decision, HandlerError, HandlerKind, is_retryable, request};
use super::isolate::{Unwell, carefully};
use super::retry::{about, chance};
use super::shared::Shared;
use crate::error::Result;
use crate::journal::Job;
use crate::service::Failure;

/// The pause after the first failure; doubled after each.
const PAUSE_MIN: Duration = Duration::from_secs(2);
/// The longest pause of our own choice.
const PAUSE_MAX: Duration = Duration::from_secs(5 * 60);
/// How often a handler is tried at most.
const TRIES_MAX: u32 = 10;
/// How long after its first failure a handler is tried at most.
const TIME_MAX: Duration = Duration::from_secs(60 * 60);
/// How long the hook of errors may take.
const HOOK_TIMEOUT: Duration = Duration::from_secs(10);

/// Whether a handler may start a second time for what it failed at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Restart {
    /// Its author has said so.
    Allowed,
    /// Only when it asks for that itself: its steps may not be safe to repeat.
    OnRequest,
}

/// A handler that failed, before anything is decided about it.
pub(super) struct Failed<'a> {
    pub(super) job: &'a Job,
    pub(super) handler: HandlerKind,
    pub(super) requester: &'a str,
    pub(super) restart: Restart,
    pub(super) unwell: Unwell,
}

/// Decides about a job whose handler failed; true when it was put off, so that it is tried again.
pub(super) async fn put_off(shared: &Shared, failed: Failed<'_>) -> Result<bool> {
    let Failed { job, handler, requester, restart, unwell } = failed;
    let now = shared.clock.now();
    let until = now.plus(pause(job.failures, &unwell));
    let error = HandlerError {
        handler,
        request_id: Some(MessageId::from(job.id.as_str())),
        requester: requester.to_owned(),
        attempt: job.failures + 1,
        is_last: is_last(job, now, until),
        decision: advice(restart, &unwell),
        unwell,
    };
    match decide(shared, &error).await {
        Decision::Retry => {
            tracing::warn!(%error, attempt = error.attempt, at = %until, "starts again later");
            shared.journal.put_off(&job.id, job.starts, now, until).await?;
            shared.crash.point("a job is put off").await;
            return Ok(true);
        }
        Decision::Drop => tracing::info!(%error, attempt = error.attempt, "dropped"),
        Decision::Fail => tracing::error!(
            error = &error as &dyn std::error::Error,
            attempt = error.attempt,
            "given up"
        ),
    }
    Ok(false)
}

/// What the author decides, as far as there is a choice.
pub(super) async fn decide(shared: &Shared, error: &HandlerError) -> Decision {
    let decision = match &shared.hooks.on_error {
        None => error.decision,
        Some(hook) => {
            let asked = async { Ok(hook(error)) };
            carefully(asked, HOOK_TIMEOUT).await.unwrap_or_else(|unwell| {
                tracing::error!(?unwell, "the hook of errors went wrong");
                error.decision
            })
        }
    };
    if decision == Decision::Retry && error.is_last { Decision::Fail } else { decision }
}

/// What is decided where nobody says otherwise.
fn advice(restart: Restart, unwell: &Unwell) -> Decision {
    let is_asked_for =
        matches!(unwell, Unwell::Fail(fail) if matches!(fail.failure(), Failure::Retry(_)));
    if is_asked_for || restart == Restart::Allowed && is_retryable(unwell) {
        Decision::Retry
    } else {
        Decision::Fail
    }
}

fn is_last(job: &Job, now: Timestamp, until: Timestamp) -> bool {
    let since = job.failed_at.unwrap_or(now);
    job.failures + 1 >= TRIES_MAX || until.since(since) > TIME_MAX
}

/// How long to wait after so many failures before this one: as long as is asked for, else doubled.
pub(super) fn pause(failures: u32, unwell: &Unwell) -> Duration {
    let doubled = PAUSE_MIN.saturating_mul(2_u32.saturating_pow(failures)).min(PAUSE_MAX);
    if let Unwell::Fail(fail) = unwell {
        match fail.failure() {
            Failure::Retry(after) => return (*after).min(TIME_MAX),
            Failure::Error(error) => {
                let asked = request(&**error).and_then(svc_client::Error::retry_after);
                return asked.unwrap_or_default().max(about(doubled, chance()));
            }
            Failure::Rejected(_) => {}
        }
    }
    about(doubled, chance())
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
            taken_in: NOW,
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
            let pause = pause(failures, &Unwell::Slow);
            assert!(pause <= longest && pause >= longest.mul_f64(0.75), "{failures}: {pause:?}");
        }
        let asked = Unwell::Fail(Fail::retry(Duration::from_secs(7)));
        assert_eq!(pause(3, &asked), Duration::from_secs(7));
        let forever = Unwell::Fail(Fail::retry(Duration::MAX));
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
