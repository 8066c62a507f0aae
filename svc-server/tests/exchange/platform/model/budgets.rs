//! How much an account may do within a time: buckets that hold a number of acts and fill up again evenly.

use super::{DAY, HOUR, MINUTE, Model, Outcome, Refusal, SECOND};
use crate::step::Actor;

/// What is counted apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Class {
    Writes,
    Messages,
    /// First messages.
    Strangers,
    Deals,
    /// Messages to this account.
    Peer(Actor),
}

/// The settings of the server; each class has few, so that histories use them up.
pub(crate) const SETTINGS: [(&str, &str); 6] = [
    ("limits.new.writes", "6/1h"),
    ("limits.new.bytes", "0/1d"),
    ("limits.new.messages", "5/1h"),
    ("limits.new.strangers", "2/1d"),
    ("limits.new.deals", "3/1h"),
    ("limits.dm_per_peer", "4/1h"),
];

impl Class {
    /// How many a full bucket holds, and in what time an empty one fills up.
    const fn rate(self) -> (i64, i64) {
        match self {
            Self::Writes => (6, HOUR),
            Self::Messages => (5, HOUR),
            Self::Strangers => (2, DAY),
            Self::Deals => (3, HOUR),
            Self::Peer(_) => (4, HOUR),
        }
    }
}

/// Time between two top-level posts.
const POST_WINDOW: i64 = 30 * MINUTE;

impl Model {
    /// Takes one of each class; 429 until the emptiest bucket has one.
    pub(super) fn pay(&mut self, who: Actor, classes: &[Class]) -> Result<(), Refusal> {
        let mut wait = 0;
        for class in classes {
            let (count, time) = class.rate();
            let full_at = self.budgets.entry((who, *class)).or_insert(0);
            *full_at = (*full_at).max(self.now) + time / count;
            wait = wait.max(*full_at - self.now - time);
        }
        if wait > 0 { Err(limited(wait)) } else { Ok(()) }
    }

    /// Takes the place of a top-level post; 429 until the window is over.
    pub(super) fn take_window(&mut self, who: Actor) -> Result<(), Refusal> {
        let account = self.accounts.get_mut(&who).unwrap();
        let next = account.posted_at.map_or(self.now, |at| at + POST_WINDOW);
        if next > self.now {
            return Err(limited(next - self.now));
        }
        account.posted_at = Some(self.now);
        Ok(())
    }

    /// Milliseconds until the next top-level post; none if it may be now.
    pub(crate) fn until_next_post(&self, who: Actor) -> Option<i64> {
        let at = self.accounts.get(&who)?.posted_at?;
        Some(at + POST_WINDOW - self.now).filter(|wait| *wait > 0)
    }
}

fn limited(wait: i64) -> Outcome {
    Outcome::Limited((wait + SECOND - 1) / SECOND)
}
