//! Places in PostgreSQL's log of changes: which commits a replica has, and which ones a read must see.

use std::cell::Cell;
use std::fmt;
use std::str::FromStr;

tokio::task_local! {
    static COMMITTED: Cell<Option<Position>>;
}

/// A place in the log of a primary: its timeline, and the LSN there.
///
/// ```
/// use svc_store::db::Position;
///
/// let position: Position = "1-0/16B3748".parse().unwrap();
/// assert_eq!(position.to_string(), "1-0/16B3748");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    timeline: u32,
    lsn: u64,
}

/// The text is not a [`Position`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a position is a timeline and an LSN, such as 1-0/16B3748")]
pub struct PositionError;

/// How old what a read sees may be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Freshness {
    /// It sees all that was committed before: the primary answers.
    #[default]
    Latest,
    /// It may be as old as the settings allow, but sees this commit if one is named: a replica may answer.
    Recent(Option<Position>),
}

impl Position {
    /// Reads the first digits of the name of a WAL file, and an LSN: `00000001 0/16B3748`.
    pub(super) fn of_wal(row: &str) -> Option<Self> {
        let (timeline, lsn) = row.split_once(' ')?;
        Some(Self { timeline: hexadecimal(timeline)?, lsn: lsn_of(lsn)? })
    }

    /// Whether a server that is here has what was committed there. Other timelines may have another past.
    pub(super) const fn includes(self, there: Self) -> bool {
        self.timeline == there.timeline && self.lsn >= there.lsn
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (high, low) = (self.lsn >> 32, self.lsn & u64::from(u32::MAX));
        write!(f, "{}-{high:X}/{low:X}", self.timeline)
    }
}

impl FromStr for Position {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Self, PositionError> {
        let (timeline, lsn) = text.split_once('-').ok_or(PositionError)?;
        // The parser would take a sign.
        let is_number = timeline.bytes().all(|byte| byte.is_ascii_digit());
        let timeline = timeline.parse().ok().filter(|_| is_number).ok_or(PositionError)?;
        Ok(Self { timeline, lsn: lsn_of(lsn).ok_or(PositionError)? })
    }
}

/// Both halves of an LSN.
fn lsn_of(text: &str) -> Option<u64> {
    let (high, low) = text.split_once('/')?;
    Some(u64::from(hexadecimal(high)?) << 32 | u64::from(hexadecimal(low)?))
}

fn hexadecimal(digits: &str) -> Option<u32> {
    let is_short = digits.len() <= 8 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    u32::from_str_radix(digits, 16).ok().filter(|_| is_short)
}

/// Does work, and returns the position of the last commit that it waited for. There is none if no
/// replicas are read. Work in a task that is spawned does not count.
pub async fn noting_commits<F: Future>(work: F) -> (F::Output, Option<Position>) {
    let noting = async {
        let output = work.await;
        (output, COMMITTED.with(Cell::get))
    };
    COMMITTED.scope(Cell::default(), noting).await
}

/// Notes the position of a commit. Of several at once the first may be noted last.
pub(super) fn note_commit(position: Position) {
    // Tasks in the background note none.
    let _ = COMMITTED.try_with(|noted| {
        if !noted.get().is_some_and(|known| known.includes(position)) {
            noted.set(Some(position));
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Position {
        text.parse().unwrap()
    }

    #[test]
    fn a_position_is_read_as_it_is_written_and_as_postgres_reports_it() {
        for text in ["1-0/0", "1-0/16B3748", "4294967295-FFFFFFFF/FFFFFFFF"] {
            assert_eq!(at(text).to_string(), text);
        }
        assert_eq!(Position::of_wal("0000000A 1/2F").unwrap().to_string(), "10-1/2F");
        for text in [
            "",
            "1",
            "1-",
            "-0/1",
            "1-0",
            "1-0/",
            "1-/1",
            "+1-0/1",
            "1-+0/1",
            "1-0/1 ",
            " 1-0/1",
            "1-0/123456789",
            "4294967296-0/1",
            "1-0/16B3748-1",
            "a-0/1",
            "1-0/g",
        ] {
            assert_eq!(text.parse::<Position>(), Err(PositionError), "{text:?}");
        }
    }

    #[test]
    fn what_was_committed_earlier_on_the_same_timeline_is_included() {
        assert!(at("1-0/A").includes(at("1-0/9")) && at("1-0/A").includes(at("1-0/A")));
        assert!(at("1-1/0").includes(at("1-0/FFFFFFFF")));
        for there in ["1-0/B", "2-0/9", "2-0/B"] {
            assert!(!at("1-0/A").includes(at(there)), "{there}");
        }
        assert!(!at("2-0/A").includes(at("1-0/9")), "it may have been lost");
    }

    #[tokio::test]
    async fn the_last_commit_of_some_work_is_noted() {
        note_commit(at("1-0/1"));
        assert_eq!(noting_commits(async { 7 }).await, (7, None));
        let work = async {
            for text in ["1-0/2", "1-0/3", "1-0/2"] {
                note_commit(at(text));
            }
        };
        assert_eq!(noting_commits(work).await.1, Some(at("1-0/3")));
    }
}
