//! The retry loop, through which every request passes.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use http::Method;
use svc_types::Code;
use tracing::Instrument;

use crate::answer::Received;
use crate::client::Client;
use crate::error::{Error, Outcome, Result};
use crate::plan::Plan;
use crate::rate_limit::RateLimit;
use crate::retry::{Repeat, Verdict, back_off, verdict};

/// Longest wait for a post window: twice the longest window of the platform.
const WINDOW_MAX: Duration = Duration::from_secs(3600);
/// How often a call waits for a window that another program then uses.
const WINDOWS_MAX: u32 = 16;

/// Number of calls of this process so far; it distinguishes concurrent calls in logs.
static CALLS: AtomicU64 = AtomicU64::new(1);

impl Client {
    /// Sends a call, with as many retries as its outcome allows.
    pub(crate) async fn run(&self, plan: Plan) -> Result<Received> {
        let (number, method) = (CALLS.fetch_add(1, Ordering::Relaxed), plan.method.clone());
        let span = tracing::debug_span!("call", number, %method, path = plan.url.path());
        let is_message = plan.is_message;
        let answered = self.send_plan(plan).instrument(span).await;
        if let (true, true, Some(on_sent)) = (answered.is_ok(), is_message, self.on_sent()) {
            on_sent();
        }
        answered
    }

    async fn send_plan(&self, mut plan: Plan) -> Result<Received> {
        let mut course = Course::new(self, &plan);
        if let Some(pause) = course.known_window(&plan) {
            self.clock().pause(pause).await;
        }
        loop {
            course.attempts += 1;
            let error = match self.attempt(&plan, course.attempt_limit()).await {
                Ok(received) => return Ok(course.succeeded(&plan, received)),
                Err(error) => error,
            };
            if let Some(window) = RateLimit::from_error(&error) {
                self.remember(&plan, window);
            }
            course.may_have_acted |= error.outcome() == Outcome::Unknown;
            let verdict = verdict(&error, plan.repeat);
            let Some(pause) = course.pause(&plan, &error, verdict) else {
                return Err(explain(error, &plan, verdict, &course));
            };
            tracing::debug!(%error, ?pause, attempts = course.attempts, "trying again");
            self.clock().pause(pause).await;
            if plan.repeat == Repeat::NewKey {
                plan.renew_key(self.clock());
            }
        }
    }

    /// Stores the post window as the server reports it.
    fn remember(&self, plan: &Plan, window: RateLimit) {
        if plan.takes_post_slot {
            self.note_post_window(window);
        }
    }
}

/// State of a call between its attempts.
struct Course<'a> {
    client: &'a Client,
    /// Deadline of the call, as time elapsed on the clock.
    end: Duration,
    /// Time limit of an attempt.
    attempt_timeout: Duration,
    attempts: u32,
    retries: u32,
    retries_max: u32,
    windows: u32,
    /// Whether an attempt may have had an effect although its answer was lost.
    may_have_acted: bool,
}

impl<'a> Course<'a> {
    fn new(client: &'a Client, plan: &Plan) -> Self {
        let settings = client.settings();
        let timeout = plan.options.timeout.unwrap_or(settings.timeout);
        Self {
            client,
            end: client.clock().elapsed().saturating_add(timeout),
            attempt_timeout: settings.attempt_timeout.saturating_add(plan.patience),
            attempts: 0,
            retries: 0,
            retries_max: if plan.options.no_retry { 0 } else { settings.retries },
            windows: 0,
            may_have_acted: false,
        }
    }

    /// Time limit of the next attempt.
    fn attempt_limit(&self) -> Duration {
        let left = self.end.saturating_sub(self.client.clock().elapsed());
        left.min(self.attempt_timeout)
    }

    fn succeeded(&self, plan: &Plan, received: Received) -> Received {
        if self.attempts == 1 {
            self.client.budget().give_back();
        }
        if let Some(window) = RateLimit::from_headers(&received.headers) {
            self.client.remember(plan, window);
        }
        Received { attempts: self.attempts, ..received }
    }

    /// How long to wait before the next attempt; `None` if the error is final.
    fn pause(&mut self, plan: &Plan, error: &Error, verdict: Verdict) -> Option<Duration> {
        if let (true, Error::RateLimited { retry_after, .. }) = (plan.options.when_allowed, error) {
            return self.window(*retry_after);
        }
        let retry_after = match verdict {
            Verdict::Final => return None,
            Verdict::Retry(retry_after) => retry_after,
            Verdict::InProgress(pause) => Some(pause),
        };
        let wait_max = plan.options.max_retry_wait;
        let wait_max = wait_max.unwrap_or(self.client.settings().max_retry_wait);
        let dice = self.client.clock().dice();
        let pause = retry_after.unwrap_or_else(|| back_off(self.retries, dice));
        let in_time = self.client.clock().elapsed().saturating_add(pause) < self.end;
        if self.retries_max == 0 || !in_time || retry_after.is_some_and(|wait| wait > wait_max) {
            return None;
        }
        // Waiting for a running request is not a retry: it adds no work.
        let free = matches!(verdict, Verdict::InProgress(_));
        (free || self.retry()).then_some(pause)
    }

    /// Takes one retry from the call and the client.
    fn retry(&mut self) -> bool {
        let allowed = self.retries < self.retries_max && self.client.budget().take();
        self.retries += u32::from(allowed);
        allowed
    }

    /// Time until the post window opens, if known before the request.
    fn known_window(&mut self, plan: &Plan) -> Option<Duration> {
        if !plan.options.when_allowed {
            return None;
        }
        let opens = self.client.rate_limit().next_post_at()?;
        let pause = opens.since(self.client.clock().now());
        self.window(pause)
    }

    /// Waits for a window; this time does not count against the timeout.
    fn window(&mut self, pause: Duration) -> Option<Duration> {
        if pause > WINDOW_MAX || self.windows >= WINDOWS_MAX {
            return None;
        }
        self.windows += 1;
        self.end = self.end.saturating_add(pause);
        Some(pause)
    }
}

/// Adds the details that only the loop knows.
fn explain(mut error: Error, plan: &Plan, verdict: Verdict, course: &Course<'_>) -> Error {
    let limited = matches!(error, Error::RateLimited { .. });
    let is_unclear = course.may_have_acted && (is_keyless(plan) || is_silent(&error));
    let details = error.details_mut();
    details.attempts = course.attempts;
    details.target = Some(plan.target());
    if is_unclear {
        details.outcome = Outcome::Unknown;
    }
    details.retryable = verdict != Verdict::Final || limited;
    details.idempotency_key = plan.repeat_key();
    if plan.repeat == Repeat::Never && details.outcome == Outcome::Unknown {
        details.hint = Some(plan.lost_hint.into());
    }
    error
}

/// Whether no refusal shows the outcome of an earlier attempt, since the call has no key: after a
/// deletion that took effect, the next attempt finds nothing.
fn is_keyless(plan: &Plan) -> bool {
    plan.repeat_key().is_none() && plan.method != Method::GET
}

/// Whether an error does not show the outcome of an earlier attempt: the platform did not answer, or
/// it refused the request before it looked at the key. All other refusals considered the key.
fn is_silent(error: &Error) -> bool {
    let Some(code) = error.code() else { return true };
    let is_early = matches!(
        code,
        Code::AccountPaused
            | Code::AccountSuspended
            | Code::AddressNotAllowed
            | Code::InsufficientScope
    );
    let status = error.status().map(|status| status.as_u16());
    is_early || matches!(status, Some(401 | 429 | 503))
}
