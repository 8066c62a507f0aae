//! Metrics of webhook deliveries.

use std::time::Duration;

use svc_types::api::webhooks::DisabledReason;

use super::attempt::Attempt;

/// Counts finished calls.
pub(super) fn attempts(attempts: &[Attempt]) {
    for attempt in attempts {
        let class = attempt.failure();
        let outcome = if class.is_none() { "delivered" } else { "failed" };
        metrics::counter!("svc_webhook_deliveries_total", "outcome" => outcome).increment(1);
        let class = class.as_ref().map_or("none", |class| class.as_str()).to_owned();
        metrics::counter!("svc_webhook_attempts_total", "class" => class).increment(1);
        let seconds = attempt.duration.as_secs_f64();
        metrics::histogram!("svc_webhook_attempt_seconds").record(seconds);
    }
}

/// Counts attempts that lost their lease, and disabled webhooks.
pub(super) fn finished(fenced: u64, disabled: &[DisabledReason]) {
    metrics::counter!("svc_webhook_fenced_total").increment(fenced);
    for reason in disabled {
        let reason = reason.as_str().to_owned();
        metrics::counter!("svc_webhook_disabled_total", "reason" => reason).increment(1);
    }
}

/// Counts expired claims.
pub(super) fn lease_expired(count: u64) {
    metrics::counter!("svc_webhook_lease_expired_total").increment(count);
}

/// Sets the number of running calls.
pub(super) fn in_flight(count: usize) {
    metrics::gauge!("svc_webhook_in_flight").set(to_f64(count));
}

/// Sets the age of the oldest delivery that is ready to be sent.
pub(super) fn lag(lag: Option<Duration>) {
    metrics::gauge!("svc_webhook_lag_seconds").set(lag.unwrap_or_default().as_secs_f64());
}

/// Sets how many deliveries wait.
pub(super) fn waiting(count: i64) {
    metrics::gauge!("svc_webhook_deliveries_waiting").set(found(count));
}

/// Sets the number of open breakers.
pub(super) fn breakers_open(count: i64) {
    metrics::gauge!("svc_webhook_breaker_open").set(found(count));
}

fn found(count: i64) -> f64 {
    to_f64(usize::try_from(count).unwrap_or(0))
}

fn to_f64(count: usize) -> f64 {
    u32::try_from(count).unwrap_or(u32::MAX).into()
}
