//! The time of the next retry.

use std::time::Duration;

use http::HeaderMap;
use http::header::RETRY_AFTER;
use svc_core::ids;
use svc_types::Timestamp;
use svc_types::api::webhooks::DeliveryErrorClass;

/// Shortest pause after a response or timeout of an overloaded receiver.
const BUSY_MIN: Duration = Duration::from_mins(1);

/// A Retry-After that is always honoured.
const RETRY_AFTER_MAX: Duration = Duration::from_hours(1);

/// Jitter: a pause is up to a fifth longer, so that simultaneous failures are not retried together.
const JITTER_PERCENT: u64 = 20;

/// How a failed call changes the next pause.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hint {
    is_busy: bool,
    asked: Option<Duration>,
}

impl Hint {
    /// From an unsuccessful response.
    pub(super) fn of_answer(status: u16, headers: &HeaderMap, now: Timestamp) -> Self {
        let asked = matches!(status, 429 | 503).then(|| retry_after(headers, now)).flatten();
        Self { is_busy: matches!(status, 429 | 502 | 504), asked }
    }

    /// From a call without a response.
    pub(super) const fn of_class(class: &DeliveryErrorClass) -> Self {
        use DeliveryErrorClass::{ConnectTimeout, Timeout};
        Self { is_busy: matches!(class, Timeout | ConnectTimeout), asked: None }
    }

    /// The pause for a planned one: never shorter, and at most twice as long or an hour.
    fn pause(self, planned: Duration) -> Duration {
        let planned = if self.is_busy { planned.max(BUSY_MIN) } else { planned };
        let most = RETRY_AFTER_MAX.max(planned * 2);
        self.asked.map_or(planned, |asked| planned.max(asked.min(most)))
    }
}

/// The pause after `failed` failed calls; `None` after the last one.
pub(super) fn pause(retries: &[Duration], failed: i64, hint: Hint) -> Option<Duration> {
    let planned = usize::try_from(failed - 1).ok().and_then(|index| retries.get(index))?;
    let jitter = u64::from_le_bytes(ids::random()) % (JITTER_PERCENT * 10 + 1);
    let pause = hint.pause(*planned);
    let more = pause.as_millis() * u128::from(jitter) / 1_000;
    Some(pause + Duration::from_millis(u64::try_from(more).unwrap_or(u64::MAX)))
}

/// The time in Retry-After: seconds, or until a date.
fn retry_after(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = text.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let date = jiff::fmt::rfc2822::parse(text).ok()?.timestamp();
    Some(Timestamp::from_millis(date.as_millisecond()).since(now))
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;

    const NOW: Timestamp = Timestamp::from_millis(1_769_851_800_000);

    fn asked(status: u16, text: &'static str) -> Hint {
        let headers = HeaderMap::from_iter([(RETRY_AFTER, HeaderValue::from_static(text))]);
        Hint::of_answer(status, &headers, NOW)
    }

    fn secs(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn twelve_attempts_take_three_days() {
        let retries = [5, 30, 120, 600, 1800, 7200, 18000, 36000, 50400, 72000, 72000].map(secs);
        let hint = Hint::of_class(&DeliveryErrorClass::Reset);
        let mut whole = Duration::ZERO;
        for (failed, planned) in (1..).zip(retries) {
            let next = pause(&retries, failed, hint).unwrap();
            assert!(planned <= next && next <= planned.mul_f64(1.2), "{next:?}");
            whole += planned;
        }
        assert_eq!(whole, secs(258_155));
        assert_eq!(pause(&retries, 12, hint), None);
        assert_eq!(pause(&[], 1, hint), None);
    }

    #[test]
    fn a_busy_receiver_gets_a_pause_of_a_minute() {
        let plain = HeaderMap::new();
        for status in [429, 502, 504] {
            let hint = Hint::of_answer(status, &plain, NOW);
            assert_eq!(hint.pause(secs(5)), secs(60), "{status}");
            assert_eq!(hint.pause(secs(120)), secs(120), "{status}");
        }
        assert_eq!(Hint::of_answer(500, &plain, NOW).pause(secs(5)), secs(5));
        assert_eq!(Hint::of_answer(503, &plain, NOW).pause(secs(5)), secs(5));
        for class in [DeliveryErrorClass::Timeout, DeliveryErrorClass::ConnectTimeout] {
            assert_eq!(Hint::of_class(&class).pause(secs(5)), secs(60));
        }
        assert_eq!(Hint::of_class(&DeliveryErrorClass::Dns).pause(secs(5)), secs(5));
    }

    #[test]
    fn a_receiver_may_ask_for_a_longer_pause_within_limits() {
        assert_eq!(asked(429, "300").pause(secs(5)), secs(300));
        assert_eq!(asked(503, "300").pause(secs(5)), secs(300));
        assert_eq!(asked(429, "2").pause(secs(5)), secs(60));
        assert_eq!(asked(503, "2").pause(secs(5)), secs(5));
        assert_eq!(asked(503, "86400").pause(secs(5)), secs(3600));
        assert_eq!(asked(503, "86400").pause(secs(7200)), secs(14_400));
        assert_eq!(asked(500, "300").pause(secs(5)), secs(5));
        assert_eq!(asked(503, "Sat, 31 Jan 2026 09:40:00 GMT").pause(secs(5)), secs(600));
        assert_eq!(asked(503, "Sat, 31 Jan 2026 09:00:00 GMT").pause(secs(5)), secs(5));
        for odd in ["", "soon", "-5", "1e9", "99999999999999999999"] {
            assert_eq!(asked(503, odd).pause(secs(5)), secs(5), "{odd}");
        }
    }
}
