//! Views, collected in memory until they are counted.
//!
//! A read never waits for a write: it is noted here, and [`flush`](crate::tasks::flush) writes all
//! notes about once a second. Memory is bounded: views over the limit are dropped, and their number
//! is logged. Notes since the last flush are lost when the process ends.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};
use std::mem;
use std::sync::{Mutex, MutexGuard, PoisonError};

use svc_types::{PostId, Timestamp, UserId};

use crate::network::Network;
use crate::utc::{day_of, hour_of};

/// Shards, each with its own lock.
const SHARDS: usize = 16;

/// Most reads in a shard.
const READS_MAX: usize = 1_024;

/// Most reads that a shard remembers, so that a repeated one costs no write. All are forgotten when
/// there are more; the database deduplicates the rest.
const KNOWN_MAX: usize = 8_192;

/// Most posts in a shard that feeds showed, and most whose counts changed.
const POSTS_MAX: usize = 2_048;

/// Who reads.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reader {
    /// An account.
    Account(UserId),
    /// An anonymous reader in this network, which is never stored.
    Network(Network),
}

/// What is read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// A post, by itself or its thread.
    Post(PostId),
    /// The embed of a post.
    Embed(PostId),
    /// The profile of the account.
    Profile,
}

/// A read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Read {
    /// The author of the post, or the owner of the profile.
    pub account: UserId,
    /// What is read.
    pub target: Target,
    /// Who reads.
    pub reader: Reader,
    /// When the hour of the read began.
    pub hour: Timestamp,
}

/// How often feeds showed a post in an hour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The post.
    pub post: PostId,
    /// Its author.
    pub author: UserId,
    /// When the hour began.
    pub hour: Timestamp,
    /// How often.
    pub times: i64,
}

/// A post whose counts changed, and the start of the hour.
pub type Changed = (PostId, Timestamp);

/// Notes to write.
#[derive(Clone, Debug, Default)]
pub struct Notes {
    /// Reads, possibly with duplicates.
    pub reads: Vec<Read>,
    /// Posts that feeds showed.
    pub shown: Vec<Shown>,
    /// Posts whose counts changed.
    pub changed: Vec<Changed>,
    /// Number of dropped notes.
    pub lost: usize,
}

/// Collects notes in shards.
#[derive(Debug, Default)]
pub struct Views {
    shards: [Mutex<Shard>; SHARDS],
    /// Posts of the previous flush, which are counted once more: the change may not have been
    /// committed then.
    again: Mutex<Vec<Changed>>,
    /// Held during a flush, so that a caller that acquires it knows that earlier notes are written.
    pub(crate) flushing: tokio::sync::Mutex<()>,
    hasher: RandomState,
}

#[derive(Debug, Default)]
struct Shard {
    known: HashSet<u64>,
    reads: Vec<Read>,
    shown: HashMap<(PostId, Timestamp), (UserId, i64)>,
    changed: HashMap<PostId, Timestamp>,
    lost: usize,
}

impl Views {
    /// Notes a read, unless it was noted today or the reader is the author.
    pub fn note_read(&self, account: &UserId, target: &Target, reader: &Reader, now: Timestamp) {
        if matches!(reader, Reader::Account(reader) if reader == account) {
            return;
        }
        let key = self.hasher.hash_one((day_of(now), target.subject(account), target, reader));
        let mut shard = self.shard(key);
        if shard.known.contains(&key) {
            return;
        }
        if shard.reads.len() >= READS_MAX {
            shard.lost += 1;
            return;
        }
        if shard.known.len() >= KNOWN_MAX {
            shard.known.clear();
        }
        shard.known.insert(key);
        let (account, target, reader) = (account.clone(), target.clone(), reader.clone());
        shard.reads.push(Read { account, target, reader, hour: hour_of(now) });
    }

    /// Notes that a feed showed these posts of these authors.
    pub fn note_shown<'a>(
        &self,
        mut posts: impl Iterator<Item = (&'a PostId, &'a UserId)>,
        now: Timestamp,
    ) {
        let Some(first) = posts.next() else { return };
        let hour = hour_of(now);
        // Any shard will do: `take` merges them.
        let mut shard = self.shard(self.hasher.hash_one(first));
        for (post, author) in std::iter::once(first).chain(posts) {
            let key = (post.clone(), hour);
            if let Some((_, times)) = shard.shown.get_mut(&key) {
                *times += 1;
            } else if shard.shown.len() < POSTS_MAX {
                shard.shown.insert(key, (author.clone(), 1));
            } else {
                shard.lost += 1;
            }
        }
    }

    /// Notes that the counts of a post change, even if the transaction rolls back later.
    pub fn note_changed(&self, post: &PostId, now: Timestamp) {
        let mut shard = self.shard(self.hasher.hash_one(post));
        if shard.changed.contains_key(post) {
            return;
        }
        if shard.changed.len() < POSTS_MAX {
            shard.changed.insert(post.clone(), hour_of(now));
        } else {
            shard.lost += 1;
        }
    }

    /// Takes all notes.
    pub fn take(&self) -> Notes {
        let mut notes = Notes::default();
        let mut shown: BTreeMap<(PostId, Timestamp), (UserId, i64)> = BTreeMap::new();
        let mut changed = Vec::new();
        for shard in &self.shards {
            let mut shard = locked(shard);
            notes.reads.append(&mut shard.reads);
            notes.lost += mem::take(&mut shard.lost);
            changed.extend(mem::take(&mut shard.changed));
            for (key, (author, times)) in mem::take(&mut shard.shown) {
                shown.entry(key).or_insert((author, 0)).1 += times;
            }
        }
        let shown = shown.into_iter();
        notes.shown.extend(shown.map(|((post, hour), (author, times))| Shown {
            post,
            author,
            hour,
            times,
        }));
        notes.changed = mem::replace(&mut *locked(&self.again), changed.clone());
        notes.changed.append(&mut changed);
        notes
    }

    fn shard(&self, key: u64) -> MutexGuard<'_, Shard> {
        let index = usize::try_from(key % SHARDS as u64).unwrap_or_default();
        locked(&self.shards[index])
    }
}

impl Target {
    /// The post, if it is one.
    pub const fn post(&self) -> Option<&PostId> {
        match self {
            Self::Post(post) | Self::Embed(post) => Some(post),
            Self::Profile => None,
        }
    }

    /// The account, for a profile; a post identifies itself.
    fn subject<'a>(&self, account: &'a UserId) -> Option<&'a UserId> {
        self.post().is_none().then_some(account)
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use svc_types::Id;

    use super::*;
    use crate::utc::HOUR_MS;

    const NOON: Timestamp = Timestamp::from_millis(12 * HOUR_MS);

    fn post(number: u64) -> PostId {
        PostId::from_number(number)
    }

    fn account(number: u64) -> UserId {
        UserId::from_number(number)
    }

    fn reader(number: u64) -> Reader {
        Reader::Account(account(number))
    }

    #[test]
    fn a_read_is_noted_once_a_day_and_never_by_the_author() {
        let views = Views::default();
        let read = |by, now| views.note_read(&account(1), &Target::Post(post(2)), &reader(by), now);
        read(1, NOON);
        assert_eq!(views.take().reads, []);
        read(3, NOON);
        read(3, NOON.plus(Duration::from_hours(1)));
        assert_eq!(views.take().reads.len(), 1);
        read(3, NOON.plus(Duration::from_hours(2)));
        assert_eq!(views.take().reads, []);
        read(3, NOON.plus(Duration::from_hours(12)));
        views.note_read(&account(1), &Target::Profile, &reader(3), NOON);
        views.note_read(&account(4), &Target::Profile, &reader(3), NOON);
        assert_eq!(views.take().reads.len(), 3);
    }

    #[test]
    fn memory_is_bounded_and_drops_are_counted() {
        let views = Views::default();
        let most = SHARDS * READS_MAX;
        for number in 0..2 * most as u64 {
            views.note_read(&account(1), &Target::Post(post(2)), &reader(number + 3), NOON);
        }
        let notes = views.take();
        assert_eq!(notes.reads.len() + notes.lost, 2 * most);
        assert!(notes.reads.len() <= most && notes.reads.len() > most / 2);
        // A dropped read is noted when it comes again.
        for number in 0..2 * most as u64 {
            views.note_read(&account(1), &Target::Post(post(2)), &reader(number + 3), NOON);
        }
        let again = views.take();
        assert_eq!(again.reads.len() + again.lost, notes.lost);
        assert!(!again.reads.is_empty());
    }

    #[test]
    fn posts_shown_in_feeds_are_counted_and_bounded() {
        let views = Views::default();
        for _ in 0..3 {
            let ids: Vec<(PostId, UserId)> = (0..20).map(|n| (post(n), account(1))).collect();
            views.note_shown(ids.iter().map(|(post, author)| (post, author)), NOON);
        }
        let notes = views.take();
        assert_eq!(notes.shown.len(), 20);
        assert!(notes.shown.iter().all(|shown| shown.times == 3 && shown.hour == NOON));
        for number in 0..100_000 {
            views.note_shown([(&post(number), &account(1))].into_iter(), NOON);
        }
        let notes = views.take();
        assert_eq!((notes.shown.len(), notes.lost), (SHARDS * POSTS_MAX, 100_000 - 32_768));
    }

    #[test]
    fn a_changed_post_is_flushed_twice() {
        let views = Views::default();
        views.note_changed(&post(1), NOON);
        views.note_changed(&post(1), NOON);
        let taken = [(); 3].map(|()| views.take().changed);
        assert_eq!(taken, [vec![(post(1), NOON)], vec![(post(1), NOON)], vec![]]);
    }
}
