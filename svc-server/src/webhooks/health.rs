//! The health of a webhook: a circuit breaker, a warning to its owner, and disabling.

use std::time::Duration;

use svc_core::backoff;
use svc_store::row;
use svc_types::Timestamp;

/// Consecutive failures that open the breaker.
const OPENS_AFTER: i64 = 5;

/// The first pause. It doubles with each failed probe.
const PAUSE: Duration = Duration::from_mins(1);

/// The longest pause.
const PAUSE_MAX: Duration = Duration::from_mins(30);

/// Time without a success after which the owner is warned.
const WARNED_AFTER: Duration = Duration::from_hours(24);

/// Time without a success after which the webhook is disabled.
const ENDS_AFTER: Duration = Duration::from_hours(120);

/// Failed attempts that disabling takes at least.
const ENDS_WITH: i64 = 10;

/// The health columns of a webhook.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Health {
    pub(super) failures_in_row: i64,
    pub(super) breaker_step: i64,
    pub(super) breaker_until: Option<Timestamp>,
    pub(super) first_failure_at: Option<Timestamp>,
    pub(super) failed_attempts: i64,
    pub(super) warned_at: Option<Timestamp>,
    pub(super) last_success_at: Option<Timestamp>,
}
row!(Health {
    failures_in_row: "failures_in_row",
    breaker_step: "breaker_step",
    breaker_until: "breaker_until",
    first_failure_at: "first_failure_at",
    failed_attempts: "failed_attempts",
    warned_at: "warned_at",
    last_success_at: "last_success_at",
});

/// The consequence of a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Consequence {
    /// Nothing more.
    None,
    /// The owner is warned.
    Warn,
    /// The webhook is disabled.
    End,
}

impl Health {
    /// A success resets everything.
    pub(super) fn succeed(&mut self, now: Timestamp) {
        *self = Self { last_success_at: Some(now), ..Self::default() };
    }

    /// Counts a failure, and opens the breaker or keeps it open.
    pub(super) fn fail(&mut self, now: Timestamp) -> Consequence {
        self.failures_in_row += 1;
        self.failed_attempts += 1;
        let first = *self.first_failure_at.get_or_insert(now);
        // Calls that were running when the breaker opened are not probes.
        let is_open = self.breaker_until.is_some_and(|until| now < until);
        if self.failures_in_row >= OPENS_AFTER && !is_open {
            self.breaker_until =
                Some(now.plus(backoff::pause(PAUSE, self.breaker_step, PAUSE_MAX)));
            self.breaker_step += 1;
        }
        let failing = now.since(first);
        if failing >= ENDS_AFTER && self.failed_attempts >= ENDS_WITH {
            return Consequence::End;
        }
        if failing >= WARNED_AFTER && self.warned_at.is_none() {
            self.warned_at = Some(now);
            return Consequence::Warn;
        }
        Consequence::None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: Timestamp = Timestamp::from_millis(1_769_851_800_000);

    fn pauses_in_minutes(health: &mut Health, now: &mut Timestamp, probes: usize) -> Vec<u64> {
        let mut pauses = Vec::new();
        for _ in 0..probes {
            health.fail(*now);
            let until = health.breaker_until.unwrap();
            pauses.push(until.since(*now).as_secs() / 60);
            *now = until;
        }
        pauses
    }

    #[test]
    fn the_fifth_failure_in_a_row_opens_the_breaker_and_failed_probes_double_the_pause() {
        let (mut health, mut now) = (Health::default(), START);
        for _ in 0..4 {
            health.fail(now);
            assert_eq!(health.breaker_until, None);
        }
        let pauses = pauses_in_minutes(&mut health, &mut now, 8);
        assert_eq!(pauses, [1, 2, 4, 8, 16, 30, 30, 30]);
    }

    #[test]
    fn calls_running_when_the_breaker_opens_are_not_probes() {
        let mut health = Health::default();
        for _ in 0..8 {
            health.fail(START);
        }
        assert_eq!(health.breaker_until, Some(START.plus(PAUSE)));
        assert_eq!(health.failures_in_row, 8);
    }

    #[test]
    fn one_success_resets_everything() {
        let mut health = Health::default();
        for _ in 0..8 {
            health.fail(START);
        }
        health.succeed(START);
        let fresh = Health { last_success_at: Some(START), ..Health::default() };
        assert_eq!(health, fresh);
    }

    #[test]
    fn an_owner_is_warned_after_a_day_of_failures_and_the_webhook_disabled_after_five() {
        let mut health = Health::default();
        let at = |hours: u64| START.plus(Duration::from_hours(hours));
        assert_eq!(health.fail(at(0)), Consequence::None);
        assert_eq!(health.fail(at(23)), Consequence::None);
        assert_eq!(health.fail(at(24)), Consequence::Warn);
        assert_eq!(health.fail(at(25)), Consequence::None, "once");
        for hours in [119, 120, 121, 122, 123] {
            assert_eq!(health.fail(at(hours)), Consequence::None, "nine attempts are too few");
        }
        assert_eq!(health.fail(at(124)), Consequence::End);
    }

    #[test]
    fn a_burst_of_failures_disables_nothing() {
        let mut health = Health::default();
        for _ in 0..1_000 {
            assert_eq!(health.fail(START), Consequence::None);
        }
    }
}
