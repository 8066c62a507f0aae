//! The hours and days of UTC, by which counts and windows are divided.

use svc_types::Timestamp;

/// Milliseconds of an hour.
pub const HOUR_MS: i64 = 3_600_000;

/// Milliseconds of a day.
pub const DAY_MS: i64 = 24 * HOUR_MS;

/// When the hour of an instant began.
pub const fn hour_of(instant: Timestamp) -> Timestamp {
    Timestamp::from_millis(instant.as_millis() / HOUR_MS * HOUR_MS)
}

/// When the day of an instant began.
pub const fn day_of(instant: Timestamp) -> Timestamp {
    Timestamp::from_millis(instant.as_millis() / DAY_MS * DAY_MS)
}
