//! The timeline of the database. A failover begins a new one, so an old primary that comes back has a
//! lower one: it may still answer, and its standbys have left it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Asks for it; only a primary has one.
pub(super) const SELECT_TIMELINE: &str =
    "select 'timeline ' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)";

/// The latest timeline that this node knows. Clones share it.
#[derive(Clone, Default)]
pub(in crate::db) struct Timeline(Arc<AtomicU32>);

impl Timeline {
    /// Whether a connection on this timeline is good: its timeline is the latest then.
    pub(super) fn accepts(&self, timeline: u32) -> bool {
        let known = self.0.fetch_max(timeline, Ordering::AcqRel);
        metrics::gauge!("svc_database_timeline").set(f64::from(timeline.max(known)));
        timeline >= known
    }

    /// Whether a standby was ever promoted, as far as this node knows.
    pub(super) fn is_later(&self) -> bool {
        self.0.load(Ordering::Acquire) > 1
    }
}

/// Reads the answer to [`SELECT_TIMELINE`]: hexadecimal digits, as in the names of WAL files.
pub(super) fn timeline_of(row: &str) -> Option<u32> {
    u32::from_str_radix(row.strip_prefix("timeline ")?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lower_timeline_than_one_that_is_known_is_refused() {
        let known = Timeline::default();
        assert_eq!(timeline_of("timeline 0000000A"), Some(10));
        assert!(known.accepts(1) && !known.is_later());
        assert!(known.accepts(10) && known.accepts(10) && known.is_later());
        assert!(!known.clone().accepts(9));
    }
}
