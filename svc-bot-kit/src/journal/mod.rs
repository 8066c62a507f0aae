//! The persistent state of a bot or a buyer: a SQLite file.
//!
//! [`journal`] is the handle. [`open`] creates or opens the file and locks it against other
//! processes; [`tables`] defines and migrates the schema. Each table has a file with its statements.
//! All of them run on one connection, on the thread of [`writer`], which may block on the disk.

mod backlog;
#[cfg(feature = "bot")]
mod channels;
#[cfg(feature = "bot")]
mod cursor;
#[cfg(feature = "bot")]
mod dialogues;
#[cfg(feature = "bot")]
mod jobs;
#[expect(clippy::module_inception, reason = "the file is named after its type")]
mod journal;
mod open;
#[cfg(feature = "bot")]
mod outbox;
#[cfg(feature = "bot")]
mod prune;
mod replay;
#[cfg(feature = "bot")]
mod steps;
mod tables;
mod writer;

pub use backlog::Backlog;
#[cfg(feature = "bot")]
pub(crate) use cursor::Position;
#[cfg(feature = "bot")]
pub(crate) use dialogues::DialogueChange;
#[cfg(feature = "bot")]
pub(crate) use jobs::{Ending, Job, Kind, NewJob, QueuedJob, State};
pub use journal::Journal;
#[cfg(feature = "bot")]
pub(crate) use outbox::{Call, NewCall};
