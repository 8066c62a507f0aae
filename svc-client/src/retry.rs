//! Which calls are retried, and when.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::Duration;

use svc_types::api::agents::CreateIdentityToken;
use svc_types::{Code, Declaration, Endpoint};

use crate::error::{Error, Outcome};

/// The first pause between two attempts; doubled after each.
const BACK_OFF_MIN: Duration = Duration::from_millis(500);
/// The longest pause without a Retry-After.
const BACK_OFF_MAX: Duration = Duration::from_secs(8);
/// Shortest pause before requesting the answer of a running request again.
const IN_PROGRESS: Duration = Duration::from_secs(1);

/// How a call may be repeated once it may have reached the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Repeat {
    /// With the same bytes, and the same idempotency key if it has one.
    Same,
    /// With a new key: its answer is secret, so the server does not store it, and a second effect
    /// is harmless.
    NewKey,
    /// Not at all: a second effect would do harm.
    Never,
}

impl Repeat {
    /// How calls of an endpoint may be repeated by an authenticated caller.
    pub(crate) fn of(declared: &Declaration) -> Self {
        match declared.secret {
            _ if declared.name == CreateIdentityToken::NAME => Self::NewKey,
            _ if declared.repeatable => Self::Same,
            true => Self::Never,
            false => Self::Same,
        }
    }
}

/// What to check if the answer of a call without a hint of its own was lost.
pub(crate) const LOST_HINT: &str = "check whether it took effect before calling again";

/// What to check if the answer of a call was lost and the call is not repeated.
pub(crate) fn lost_hint(endpoint: &str) -> &'static str {
    svc_types::endpoint::lost_hint(endpoint).unwrap_or(LOST_HINT)
}

/// What to do after an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Give up.
    Final,
    /// Try again, after a back-off if the server sent no Retry-After.
    Retry(Option<Duration>),
    /// The first request with this key is still running: wait for its answer.
    InProgress(Duration),
}

/// The retry table: what follows from the error alone.
pub(crate) fn verdict(error: &Error, repeat: Repeat) -> Verdict {
    let broken = matches!(error, Error::Transport { .. } | Error::Timeout { .. });
    if broken && error.outcome() == Outcome::NotSent {
        return Verdict::Retry(None);
    }
    if repeat == Repeat::Never {
        return Verdict::Final;
    }
    let retry_after = error.retry_after();
    match (error.status().map(|status| status.as_u16()), error.code()) {
        (None, _) if broken => Verdict::Retry(None),
        (Some(408 | 500 | 502 | 504), _) => Verdict::Retry(retry_after),
        (Some(429), _) if retry_after.is_some() => Verdict::Retry(retry_after),
        (Some(503), code) if retry_after.is_some() || code == Some(&Code::OutcomeUnknown) => {
            Verdict::Retry(retry_after)
        }
        (Some(409), Some(Code::IdempotencyInProgress)) => {
            Verdict::InProgress(retry_after.unwrap_or_default().max(IN_PROGRESS))
        }
        _ => Verdict::Final,
    }
}

/// The pause before retry number `retry` (from 0): doubled, capped, times 0.75 to 1.
pub(crate) fn back_off(retry: u32, dice: u8) -> Duration {
    let full = BACK_OFF_MIN * 2_u32.saturating_pow(retry.min(8));
    full.min(BACK_OFF_MAX) * (3 * 255 + u32::from(dice)) / (4 * 255)
}

/// Retries left to a client, so that retries do not multiply an outage. Counted in fifths.
pub(crate) struct Budget(AtomicU32);

impl Budget {
    const FULL: u32 = 20 * Self::RETRY;
    const RETRY: u32 = 5;
    const SUCCESS: u32 = 1;

    pub(crate) fn full() -> Self {
        Self(AtomicU32::new(Self::FULL))
    }

    /// Takes one retry, if any is left.
    pub(crate) fn take(&self) -> bool {
        self.0.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(Self::RETRY)).is_ok()
    }

    /// Returns a fifth of a retry, for a success at the first attempt.
    pub(crate) fn give_back(&self) {
        let more = |left: u32| Some((left + Self::SUCCESS).min(Self::FULL));
        let _ = self.0.fetch_update(Relaxed, Relaxed, more);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn back_off_doubles_to_eight_seconds_and_spreads_by_a_quarter() {
        let longest: Vec<u128> = (0..6).map(|n| back_off(n, 255).as_millis()).collect();
        assert_eq!(longest, [500, 1000, 2000, 4000, 8000, 8000]);
        assert_eq!(back_off(0, 0), Duration::from_millis(375));
        assert_eq!(back_off(u32::MAX, 0), Duration::from_secs(6));
    }

    #[test]
    fn the_budget_holds_twenty_retries_and_five_successes_give_one_back() {
        let budget = Budget::full();
        budget.give_back();
        assert_eq!((0..30).filter(|_| budget.take()).count(), 20);
        (0..4).for_each(|_| budget.give_back());
        assert!(!budget.take());
        budget.give_back();
        assert!(budget.take());
    }
}
