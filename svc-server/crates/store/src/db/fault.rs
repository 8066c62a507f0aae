//! Places around a commit where a test lets the process end, as `kill -9` would.
//!
//! `FAILPOINTS=after-commit=20*off->return` lets twenty commits pass and ends at the next.

/// All writes of a transaction are made, none is committed.
pub(super) const BEFORE_COMMIT: &str = "before-commit";

/// The transaction is committed, nobody is answered.
pub(super) const AFTER_COMMIT: &str = "after-commit";

/// Ends the process when a test says so.
#[cfg(feature = "testing")]
pub(super) fn reach(place: &str) {
    if fail::eval(place, |_| ()).is_some() {
        std::process::abort();
    }
}

/// Nothing, outside of tests.
#[cfg(not(feature = "testing"))]
pub(super) const fn reach(_: &str) {}
