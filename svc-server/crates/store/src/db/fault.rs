//! Failpoints around a commit where a test ends the process, as `kill -9` would.
//!
//! `FAILPOINTS=after-commit=20*off->return` ends at the 21st commit after the server
//! began to listen.

/// All statements have run, nothing is committed.
pub(super) const BEFORE_COMMIT: &str = "before-commit";

/// The transaction is committed, no caller has its result.
pub(super) const AFTER_COMMIT: &str = "after-commit";

/// Ends the process if a test has set this failpoint.
#[cfg(feature = "testing")]
pub(super) fn reach(place: &str) {
    if fail::eval(place, |_| ()).is_some() {
        std::process::abort();
    }
}

/// Nothing, outside of tests.
#[cfg(not(feature = "testing"))]
pub(super) const fn reach(_: &str) {}
