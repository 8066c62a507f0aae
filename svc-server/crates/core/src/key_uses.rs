//! Uses of API keys, collected in memory until they are written.
//!
//! A request never waits for a write: its key is noted here, and [`flush`](crate::tasks::flush)
//! writes each noted key at its first use and then at most once a minute. Uses since the last flush
//! are lost when the process ends.

use std::collections::HashMap;
use std::mem;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use svc_types::Timestamp;

use crate::network::Network;

/// Time between two writes for one key.
const WRITE_EVERY: Duration = Duration::from_mins(1);

/// Most keys that are remembered. Uses of further keys are written when others are forgotten.
const KEYS_MAX: usize = 65_536;

/// When and from where a key was used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyUse {
    /// When.
    pub at: Timestamp,
    /// The network it was used from.
    pub from: Network,
}

/// Collects uses by key id.
#[derive(Debug, Default)]
pub struct KeyUses(Mutex<HashMap<String, Noted>>);

/// The last noted use of a key, and whether it still has to be written.
#[derive(Debug)]
struct Noted {
    last: KeyUse,
    is_written: bool,
}

impl KeyUses {
    /// Notes a use, unless the last one was noted within a minute.
    pub fn note(&self, key_id: &str, from: Network, at: Timestamp) {
        let mut keys = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let noted = Noted { last: KeyUse { at, from }, is_written: false };
        if let Some(known) = keys.get_mut(key_id) {
            if at.since(known.last.at) >= WRITE_EVERY {
                *known = noted;
            }
        } else if keys.len() < KEYS_MAX {
            keys.insert(key_id.to_owned(), noted);
        }
    }

    /// Takes the uses to write, and forgets keys that were not used for a minute. They are in the order of the keys, in
    /// which every node writes them: nodes would deadlock otherwise.
    pub fn take(&self, now: Timestamp) -> Vec<(String, KeyUse)> {
        let mut keys = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        keys.retain(|_, noted| !noted.is_written || now.since(noted.last.at) < WRITE_EVERY);
        let unwritten = keys.iter_mut().filter_map(|(key_id, noted)| {
            (!mem::replace(&mut noted.is_written, true)).then(|| (key_id.clone(), noted.last))
        });
        let mut uses: Vec<(String, KeyUse)> = unwritten.collect();
        drop(keys);
        uses.sort_by(|(one, _), (other, _)| one.cmp(other));
        uses
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOON: Timestamp = Timestamp::from_millis(12 * 3_600_000);

    fn network() -> Network {
        Network::of("203.0.113.9".parse().unwrap()).around()
    }

    #[test]
    fn a_key_is_written_at_its_first_use_and_once_a_minute() {
        let uses = KeyUses::default();
        let seconds = |seconds| NOON.plus(Duration::from_secs(seconds));
        let written =
            |now| uses.take(now).into_iter().map(|(_, noted)| noted.at).collect::<Vec<_>>();
        uses.note("a", network(), NOON);
        assert_eq!(written(seconds(1)), [NOON]);
        uses.note("a", network(), seconds(59));
        assert_eq!(written(seconds(60)), []);
        uses.note("a", network(), seconds(61));
        uses.note("a", network(), seconds(62));
        assert_eq!(written(seconds(63)), [seconds(61)]);
        assert_eq!(written(seconds(63)), []);
    }

    #[test]
    fn memory_is_bounded() {
        let uses = KeyUses::default();
        for number in 0..2 * KEYS_MAX {
            uses.note(&number.to_string(), network(), NOON);
        }
        assert_eq!(uses.take(NOON).len(), KEYS_MAX);
        let later = NOON.plus(WRITE_EVERY);
        assert_eq!(uses.take(later).len(), 0);
        uses.note("x", network(), later);
        assert_eq!(uses.take(later).len(), 1);
    }
}
