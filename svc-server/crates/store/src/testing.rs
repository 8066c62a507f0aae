//! What tests of every layer need of a database.

pub mod pooler;
pub mod postgres;
pub mod proxy;
pub(crate) mod sqlite;

use svc_types::Timestamp;

/// The initial time of a test's clock: 2026-01-31T09:30:00.000Z.
pub const START: Timestamp = Timestamp::from_millis(1_769_851_800_000);

/// Reports that tests do nothing here because a program or a library is missing. Where `SVC_TEST_SERVICES` is
/// `required`, they fail instead.
#[expect(clippy::print_stderr, reason = "a skipped test must be reported")]
pub fn left_out(missing: &str) {
    let required = std::env::var_os("SVC_TEST_SERVICES").is_some_and(|value| value == "required");
    assert!(!required, "SVC_TEST_SERVICES is required, but {missing} is missing");
    eprintln!("LEFT OUT: {missing} is missing here");
}
