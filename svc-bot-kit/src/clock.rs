//! The one look at the time of day.

use svc_types::Timestamp;

#[expect(clippy::disallowed_methods, reason = "a bot has no clock but that of its machine")]
pub(crate) fn now() -> Timestamp {
    let since_1970 = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    Timestamp::from_millis(0).plus(since_1970.unwrap_or_default())
}
