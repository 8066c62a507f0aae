//! Where the primary was at instants that passed, so that the age of what a replica has is known.
//!
//! A replica that has replayed a mark has all that was committed before the instant of the mark. That is
//! true by this machine's clock alone, also while nothing is written, and for a replica that lost its
//! primary without noticing it.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError};

use super::Worker;
use super::client::{ROUND_TRIP, present};
use crate::db::job::Message;
use crate::db::position::Position;

/// Asks a primary for its timeline and for the end of its log, behind every commit that was answered.
pub(in crate::db) const SELECT_POSITION: &str =
    "select concat(left(pg_walfile_name(lsn), 8), ' ', lsn) from pg_current_wal_insert_lsn() lsn";

/// Time between two marks.
const MARK_EVERY: Duration = Duration::from_millis(250);

/// How long marks are kept: longer than a replica that is read may lag behind.
const KEPT: Duration = Duration::from_mins(2);

/// Marks, the oldest first. Clones share them.
#[derive(Clone, Default)]
pub(super) struct Marks(Arc<Mutex<VecDeque<(Instant, Position)>>>);

impl Marks {
    /// Marks where the primary is until the queue says stop.
    pub(super) fn run(&self, mut worker: Worker, queue: &Receiver<Message>) {
        self.mark(&mut worker);
        while let Err(RecvTimeoutError::Timeout) = queue.recv_timeout(MARK_EVERY) {
            self.mark(&mut worker);
        }
    }

    /// Asks on a connection of its own: jobs may wait in the queue for long.
    fn mark(&self, worker: &mut Worker) {
        let at = present();
        if worker.outage.is_down() {
            return;
        }
        let Ok((mut session, busy)) = worker.connect() else { return };
        session.end_by(at + ROUND_TRIP);
        match session.position() {
            Ok(Some(position)) => {
                self.add(at, position);
                worker.idle.put(session, busy);
            }
            Ok(None) => {}
            Err(error) => tracing::warn!(%error, "the primary did not tell its position"),
        }
    }

    fn add(&self, at: Instant, position: Position) {
        let mut marks = self.lock();
        marks.push_back((at, position));
        while marks.front().is_some_and(|(first, _)| at.duration_since(*first) > KEPT) {
            marks.pop_front();
        }
    }

    /// How old at most what a server at this position has is; none if it has no mark.
    pub(super) fn age(&self, position: Position) -> Option<Duration> {
        let newest = self.lock().iter().rev().find(|(_, mark)| position.includes(*mark)).copied();
        newest.map(|(at, _)| at.elapsed())
    }

    /// Whether there are marks.
    pub(super) fn is_any(&self) -> bool {
        !self.lock().is_empty()
    }

    /// How long marks are known.
    pub(super) fn oldest(&self) -> Duration {
        self.lock().front().map_or(Duration::ZERO, |(at, _)| at.elapsed())
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<(Instant, Position)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Position {
        text.parse().unwrap()
    }

    #[test]
    fn the_age_is_that_of_the_newest_mark_that_is_replayed() {
        let (marks, now) = (Marks::default(), present());
        let seconds = Duration::from_secs;
        assert_eq!((marks.age(at("1-0/5")), marks.is_any()), (None, false));
        for (ago, position) in [(200, "1-0/1"), (9, "1-0/4"), (6, "1-0/7"), (3, "1-0/7")] {
            marks.add(now.checked_sub(seconds(ago)).unwrap(), at(position));
        }
        let age = |position| marks.age(at(position)).map(|age| age.as_secs());
        assert_eq!((age("1-0/7"), age("1-0/9")), (Some(3), Some(3)), "nothing was written since");
        assert_eq!((age("1-0/6"), age("1-0/4")), (Some(9), Some(9)));
        assert_eq!(age("1-0/3"), None, "old marks are forgotten");
        assert_eq!(age("2-0/9"), None, "the past of another timeline is another");
        assert_eq!(marks.oldest().as_secs(), 9);
    }
}
