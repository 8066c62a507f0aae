//! Ids, and random bytes for keys and tokens.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use svc_types::{Id, Timestamp};

/// Generates ids that sort by time.
#[derive(Debug)]
pub struct Ids {
    /// The latest id, so that the ids of one process only grow.
    latest: Mutex<u128>,
    /// Random prefix of the request ids of this process.
    process: u64,
    requests: AtomicU64,
}

impl Default for Ids {
    fn default() -> Self {
        let process = u64::from_ne_bytes(random());
        Self { latest: Mutex::default(), process, requests: AtomicU64::new(1) }
    }
}

impl Ids {
    /// A new id: a `UUIDv7` of `now`, larger than every earlier one of this process.
    pub fn next<I: Id>(&self, now: Timestamp) -> I {
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        *latest = uuid_v7(now, random()).max(*latest + 1);
        I::from_u128(*latest)
    }

    /// A request id: unique but guessable, because it grants nothing.
    pub fn request<I: Id>(&self) -> I {
        let number = self.requests.fetch_add(1, Ordering::Relaxed);
        I::from_u128(u128::from(self.process) << 64 | u128::from(number))
    }
}

/// RFC 9562 §5.7: 48 bits of milliseconds, version 7, variant 10, the rest random.
fn uuid_v7(now: Timestamp, random: [u8; 10]) -> u128 {
    let millis = u64::try_from(now.as_millis()).unwrap_or(0);
    uuid::Builder::from_unix_timestamp_millis(millis, &random).into_uuid().as_u128()
}

/// The smallest id of an instant, for range queries.
pub fn first_of<I: Id>(now: Timestamp) -> I {
    I::from_u128(uuid_v7(now, [0; 10]))
}

/// The instant an id was generated at; the epoch for text that is not an id.
pub fn instant_of(id: &str) -> Timestamp {
    // The first ten of 26 digits hold the two unused bits and the 48 of the milliseconds.
    let digits = id.rsplit('_').next().unwrap_or_default().bytes().take(10);
    Timestamp::from_millis(number(digits).unwrap_or_default())
}

/// The last 60 bits of an id, which are random; 0 for text that is not an id.
pub fn low_bits(id: &str) -> i64 {
    let digits = id.as_bytes().iter().copied();
    number(digits.skip(id.len().saturating_sub(12))).unwrap_or_default()
}

fn number(digits: impl Iterator<Item = u8>) -> Option<i64> {
    const DIGITS: &[u8] = b"0123456789abcdefghjkmnpqrstvwxyz";
    let value = |digit: u8| DIGITS.iter().position(|known| *known == digit);
    digits.map(value).try_fold(0_i64, |sum, digit| {
        let digit = i64::try_from(digit?).ok()?;
        Some(sum << 5 | digit)
    })
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

    #[test]
    fn an_id_of_another_type_keeps_its_number() {
        let post = PostId::from_u128(7);
        assert_eq!(same_number::<EventId>(&post), EventId::from_u128(7));
        assert_eq!(same_number::<EventId>(&"odd").as_str(), "evt_odd");
    }

    #[test]
    fn an_id_contains_its_instant() {
        for millis in [0, 1, 1_769_851_800_123, 253_402_300_799_999] {
            let id: PostId = first_of(Timestamp::from_millis(millis));
            assert_eq!(instant_of(id.as_str()).as_millis(), millis, "{id}");
        }
        assert_eq!(instant_of("post_!").as_millis(), 0);
    }

    #[test]
    fn an_id_contains_its_last_bits() {
        let bits: i64 = (1 << 60) - 7;
        let id = PostId::from_u128(u128::from(bits.unsigned_abs()) | 0b11 << 60);
        assert_eq!(low_bits(id.as_str()), bits);
        assert_eq!((low_bits(""), low_bits("odd!")), (0, 0));
    }

    #[test]
    fn ids_of_one_process_only_grow_even_when_the_clock_steps_back() {
        let ids = Ids::default();
        let times = [5_000, 5_000, 4_000, 6_000].map(Timestamp::from_millis);
        let made: Vec<PostId> = times.iter().map(|now| ids.next(*now)).collect();
        assert!(made.is_sorted_by(|a, b| a < b), "{made:?}");
    }
}
