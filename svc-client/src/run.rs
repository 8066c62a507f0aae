//! The retry loop: the one place that talks to a server.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tracing::Instrument;

use crate::answer::Received;
use crate::client::Client;
use crate::error::{Error, Outcome, Result};
use crate::plan::Plan;
use crate::rate_limit::RateLimit;
use crate::retry::{Repeat, Verdict, back_off, verdict};

/// Longest wait for a post window; the longest window of the platform is half of it.
const WINDOW_MAX: Duration = Duration::from_secs(3600);
/// How often a call waits for a window that another program then takes.
const WINDOWS_MAX: u32 = 16;

/// Calls of this process so far: their numbers tell those that are under way at once apart.
static CALLS: AtomicU64 = AtomicU64::new(1);

impl Client {
    /// Sends a call as often as its outcome allows.
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

/// Where a call stands between its attempts.
struct Course<'a> {
    client: &'a Client,
    /// When the whole call must be over, on the clock's own scale.
    end: Duration,
    attempts: u32,
    retries: u32,
    retries_max: u32,
    windows: u32,
    /// Whether an attempt may have had its effect, though its answer was lost.
    may_have_acted: bool,
}

impl<'a> Course<'a> {
    fn new(client: &'a Client, plan: &Plan) -> Self {
        let settings = client.settings();
        let timeout = plan.options.timeout.unwrap_or(settings.timeout);
        Self {
            client,
            end: client.clock().elapsed().saturating_add(timeout),
            attempts: 0,
            retries: 0,
            retries_max: if plan.options.no_retry { 0 } else { settings.retries },
            windows: 0,
            may_have_acted: false,
        }
    }

    /// Time the next attempt may take.
    fn attempt_limit(&self) -> Duration {
        let left = self.end.saturating_sub(self.client.clock().elapsed());
        left.min(self.client.settings().attempt_timeout)
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

    /// How long to wait before the next attempt; nothing when the error is final.
    fn pause(&mut self, plan: &Plan, error: &Error, verdict: Verdict) -> Option<Duration> {
        if let (true, Error::RateLimited { retry_after, .. }) = (plan.options.when_allowed, error) {
            return self.window(*retry_after);
        }
        let asked = match verdict {
            Verdict::Final => return None,
            Verdict::Retry(asked) => asked,
            Verdict::InProgress(pause) => Some(pause),
        };
        let wait_max = plan.options.max_retry_wait;
        let wait_max = wait_max.unwrap_or(self.client.settings().max_retry_wait);
        let dice = self.client.clock().dice();
        let pause = asked.unwrap_or_else(|| back_off(self.retries, dice));
        let in_time = self.client.clock().elapsed().saturating_add(pause) < self.end;
        if self.retries_max == 0 || !in_time || asked.is_some_and(|asked| asked > wait_max) {
            return None;
        }
        // Waiting for a request that is still running is no retry: it multiplies no work.
        let free = matches!(verdict, Verdict::InProgress(_));
        (free || self.retry()).then_some(pause)
    }

    /// Takes one retry of the call and of the client.
    fn retry(&mut self) -> bool {
        let allowed = self.retries < self.retries_max && self.client.budget().take();
        self.retries += u32::from(allowed);
        allowed
    }

    /// Time until the post window opens, as far as it is known before asking.
    fn known_window(&mut self, plan: &Plan) -> Option<Duration> {
        if !plan.options.when_allowed {
            return None;
        }
        let opens = self.client.rate_limit().next_post_at()?;
        let pause = opens.since(self.client.clock().now());
        self.window(pause)
    }

    /// Waits for a window; this time is not counted as time of the call.
    fn window(&mut self, pause: Duration) -> Option<Duration> {
        if pause > WINDOW_MAX || self.windows >= WINDOWS_MAX {
            return None;
        }
        self.windows += 1;
        self.end = self.end.saturating_add(pause);
        Some(pause)
    }
}

/// Adds what only the loop knows.
fn explain(mut error: Error, plan: &Plan, verdict: Verdict, course: &Course<'_>) -> Error {
    let limited = matches!(error, Error::RateLimited { .. });
    // These say nothing about an earlier attempt; any other refusal was made in view of its key.
    let is_silent = limited || matches!(error, Error::Unauthorized { .. });
    let details = error.details_mut();
    details.attempts = course.attempts;
    details.target = Some(plan.target());
    if course.may_have_acted && (is_silent || details.outcome == Outcome::NotSent) {
        details.outcome = Outcome::Unknown;
    }
    details.retryable = verdict != Verdict::Final || limited;
    if plan.repeat == Repeat::Same {
        details.idempotency_key = plan.key().map(str::to_owned);
    }
    if plan.repeat == Repeat::Never && details.outcome == Outcome::Unknown {
        details.hint = Some(plan.lost_hint.into());
    }
    error
}
