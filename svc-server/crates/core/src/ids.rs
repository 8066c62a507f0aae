//! Ids, and random bytes for keys and tokens.
//!
//! The number of an id has 42 bits of milliseconds, 6 of the node that made it, and 15 of a counter:
//! ids sort by time, and no two nodes make the same one.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use svc_store::db::ID_BITS_BELOW_TIME;
use svc_store::error::{Error, Result};
use svc_types::{Id, Timestamp, id};

const COUNTER_BITS: u32 = 15;
const NODE_BITS: u32 = ID_BITS_BELOW_TIME - COUNTER_BITS;

/// Values of the counter.
const COUNTERS: u64 = 1 << COUNTER_BITS;

/// Milliseconds in an id last until 2109.
const MILLIS_MAX: u64 = (1 << 42) - 1;

/// How many nodes there may be.
pub const NODES_MAX: u64 = 1 << NODE_BITS;

/// Smaller than every id, name and key.
pub const FIRST: &str = "";

/// Larger than every id, name and key: none has this character.
pub const LAST: &str = "~";

/// 400 for a filter that is too long for any id; what else is no id finds nothing.
pub fn refuse_long(field: &str, id: Option<&str>) -> Result<()> {
    let most = id::TEXT_MAX;
    if id.is_none_or(|id| id.chars().count() <= most) {
        return Ok(());
    }
    Err(Error::invalid(field, format!("{field} must have at most {most} characters")))
}

/// Whether an id or a name can exist. None contains NUL, and PostgreSQL rejects a query that does.
pub fn can_exist(text: &str) -> bool {
    !text.contains('\0')
}

/// Generates ids that sort by time.
#[derive(Debug)]
pub struct Ids {
    /// Milliseconds and counter of the latest id, so that the ids of one node only grow.
    latest: Mutex<u64>,
    node: AtomicU64,
    /// Random prefix of the request ids of this process.
    process: u64,
    requests: AtomicU64,
}

impl Default for Ids {
    fn default() -> Self {
        let process = u64::from(u32::from_ne_bytes(random()));
        Self {
            latest: Mutex::default(),
            node: AtomicU64::new(0),
            process,
            requests: AtomicU64::new(1),
        }
    }
}

impl Ids {
    /// A new id of `now`, larger than every earlier one of this process.
    pub fn next<I: Id>(&self, now: Timestamp) -> I {
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        let millis = millis(now);
        // A counter that runs over borrows from the next millisecond.
        *latest = if *latest >> COUNTER_BITS < millis { first(millis) } else { *latest + 1 };
        I::from_number(joined(*latest, self.node.load(Ordering::Relaxed)))
    }

    /// A new id that is also larger than another node's, whose clock may be ahead.
    pub fn next_after<I: Id + AsRef<str>>(&self, now: Timestamp, other: &I) -> I {
        let (id, other): (I, _) = (self.next(now), number(other.as_ref()));
        if number(id.as_ref()) > other {
            return id;
        }
        let millis = other.unsigned_abs() >> ID_BITS_BELOW_TIME;
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        *latest = (*latest).max(millis << COUNTER_BITS | (COUNTERS - 1));
        drop(latest);
        self.next(now)
    }

    /// From now on ids are those of this node, and larger than `stored`, the number of an id.
    pub fn start(&self, node: u64, stored: u64) {
        let (millis, counter) = (stored >> ID_BITS_BELOW_TIME, stored % COUNTERS);
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        *latest = (*latest).max(millis << COUNTER_BITS | counter);
        self.node.store(node, Ordering::Relaxed);
    }

    /// A request id: unique but guessable, because it grants nothing.
    pub fn request<I: Id>(&self) -> I {
        let number = self.requests.fetch_add(1, Ordering::Relaxed);
        I::from_number(self.process << 32 | number & u64::from(u32::MAX))
    }
}

fn millis(now: Timestamp) -> u64 {
    u64::try_from(now.as_millis()).unwrap_or(0).min(MILLIS_MAX)
}

/// Milliseconds with a counter that begins at random in its lower half.
fn first(millis: u64) -> u64 {
    let counter = u64::from(u16::from_ne_bytes(random())) % (COUNTERS / 2);
    millis << COUNTER_BITS | counter
}

/// The number of an id: a node between milliseconds and counter.
const fn joined(latest: u64, node: u64) -> u64 {
    let (millis, counter) = (latest >> COUNTER_BITS, latest % COUNTERS);
    millis << ID_BITS_BELOW_TIME | node << COUNTER_BITS | counter
}

/// The smallest id of an instant, for range queries.
pub fn first_of<I: Id>(now: Timestamp) -> I {
    I::from_number(millis(now) << ID_BITS_BELOW_TIME)
}

/// The instant an id was generated at; the epoch for text that is not an id.
pub fn instant_of(id: &str) -> Timestamp {
    instant_of_number(id::number(id).unwrap_or_default())
}

/// The instant of the number of an id.
pub fn instant_of_number(number: u64) -> Timestamp {
    let millis = number >> ID_BITS_BELOW_TIME;
    Timestamp::from_millis(i64::try_from(millis).unwrap_or_default())
}

/// The number of an id; 0 for text that is not an id.
pub fn number(id: &str) -> i64 {
    id::number(id).and_then(|number| i64::try_from(number).ok()).unwrap_or_default()
}

/// Random bytes from the operating system.
///
/// # Panics
/// If the operating system has none: keys can't be generated safely.
pub fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the operating system gives random bytes");
    bytes
}

/// The number of the node that made an id; 0 for text that is not an id.
pub fn node_of(id: &str) -> u64 {
    (id::number(id).unwrap_or_default() >> COUNTER_BITS) & (NODES_MAX - 1)
}

/// The id of another type with the same number.
pub fn same_number<I: Id>(id: &impl AsRef<str>) -> I {
    let id = id.as_ref();
    let number = id.split_once('_').map_or(id, |(_, number)| number);
    I::from(format!("{}{number}", I::PREFIX))
}

#[cfg(test)]
mod tests {
    use svc_types::{EventId, PostId};

    use super::*;

    fn made(ids: &Ids, times: &[i64]) -> Vec<PostId> {
        times.iter().map(|now| ids.next(Timestamp::from_millis(*now))).collect()
    }

    #[test]
    fn an_id_of_another_type_keeps_its_number() {
        let post = PostId::from_number(7);
        assert_eq!(same_number::<EventId>(&post), EventId::from_number(7));
        assert_eq!(same_number::<EventId>(&"odd").as_str(), "evt_odd");
    }

    #[test]
    fn an_id_contains_its_instant() {
        for millis in [0, 1, 1_769_851_800_123, 4_398_046_511_103] {
            let id: PostId = first_of(Timestamp::from_millis(millis));
            assert_eq!(instant_of(id.as_str()).as_millis(), millis, "{id}");
        }
        assert_eq!(instant_of("post_!").as_millis(), 0);
    }

    #[test]
    fn ids_of_one_process_only_grow_even_when_the_clock_steps_back() {
        let ids = Ids::default();
        let made = made(&ids, &[5_000, 5_000, 4_000, 6_000]);
        assert!(made.is_sorted_by(|a, b| a < b), "{made:?}");
    }

    #[test]
    fn a_millisecond_with_many_ids_borrows_from_the_next() {
        let ids = Ids::default();
        ids.start(NODES_MAX - 1, 0);
        let made = made(&ids, &vec![5_000; 70_000]);
        assert!(made.is_sorted_by(|a, b| a < b));
        assert!(made.iter().all(|id| node_of(id.as_str()) == 63), "the node stays");
    }

    #[test]
    fn ids_are_larger_than_what_was_stored_before() {
        let (earlier, ids) = (Ids::default(), Ids::default());
        let stored = made(&earlier, &[9_000]).remove(0);
        ids.start(3, number(stored.as_str()).unsigned_abs());
        assert!(made(&ids, &[5_000])[0] > stored);
    }

    #[test]
    fn an_id_is_larger_than_that_of_a_node_whose_clock_is_ahead() {
        let [ahead, behind] = [5, 2].map(|node| {
            let ids = Ids::default();
            ids.start(node, 0);
            ids
        });
        let now = Timestamp::from_millis(5_000);
        for millis in [5_000, 5_001, 9_000] {
            let other: PostId = ahead.next(Timestamp::from_millis(millis));
            let id = behind.next_after(now, &other);
            assert!(id > other, "{id} {other}");
            assert!(behind.next::<PostId>(now) > id);
        }
    }

    #[test]
    fn nodes_make_different_ids_of_one_instant() {
        let [one, other] = [1, 2].map(|node| {
            let ids = Ids::default();
            ids.start(node, 0);
            made(&ids, &[5_000; 1_000])
        });
        assert!(one.iter().all(|id| !other.contains(id)));
    }
}
