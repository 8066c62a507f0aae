//! What a failed statement means for its transaction and for the caller.

use crossbeam_channel::TrySendError;
use svc_types::Code;

use crate::error::{Error, Refusal};

/// What a failed statement means for its transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trouble {
    /// The job itself is at fault; running it again would not help.
    Statement,
    /// Another transaction was in the way; the job may succeed when it runs again.
    Conflict,
    /// A value is taken. Of two updates at once to one value the second waits, then fails; when
    /// it runs again it sees why. What fails each time is the job's own fault.
    Duplicate,
    /// The disk is full.
    Full,
    /// Too many jobs wait for a thread, so this one was not run.
    Overloaded,
    /// The database does not answer, or not in time; nothing was committed.
    Unavailable,
    /// A statement was interrupted because its job took too long.
    TooLong,
    /// The database did not answer in time, before the commit was sent: the connection is given up.
    Overrun,
    /// The connection was lost before the commit was sent.
    Lost,
    /// The connection was lost, or nothing was answered, while committing.
    OutcomeUnknown,
}

/// Seconds after which a caller may try again.
const RETRY_AFTER_SECONDS: u64 = 1;

impl Trouble {
    /// What it means that a job found no place in a queue.
    pub(super) const fn of<T>(error: &TrySendError<T>) -> Self {
        match error {
            TrySendError::Full(_) => Self::Overloaded,
            TrySendError::Disconnected(_) => Self::Unavailable,
        }
    }

    /// Its name in traces.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Statement => "statement",
            Self::Conflict => "conflict",
            Self::Duplicate => "duplicate",
            Self::Full => "full",
            Self::Overloaded => "overloaded",
            Self::Unavailable => "unavailable",
            Self::TooLong => "too_long",
            Self::Overrun => "overrun",
            Self::Lost => "lost",
            Self::OutcomeUnknown => "outcome_unknown",
        }
    }

    /// The error for the caller.
    pub(super) fn error(self) -> Error {
        match self {
            Self::Statement | Self::Duplicate => Error::internal("the transaction failed"),
            Self::TooLong => Error::TooLong,
            Self::Full => refused(Code::StorageFull, "the disk of the server is full"),
            Self::Conflict => refused(Code::StorageUnavailable, "the database is too busy"),
            Self::Overloaded => refused(Code::Overloaded, "too many requests are waiting"),
            Self::Unavailable | Self::Overrun | Self::Lost => {
                refused(Code::StorageUnavailable, "the database does not answer")
            }
            Self::OutcomeUnknown => {
                let message =
                    "the commit was not confirmed, so the change may or may not have been made";
                refused(Code::OutcomeUnknown, message)
            }
        }
    }
}

/// A refusal after which the caller may soon try again.
fn refused(code: Code, message: &str) -> Error {
    Refusal::new(code, message).retry_after(RETRY_AFTER_SECONDS).into()
}
