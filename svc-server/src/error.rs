//! Why the server refuses or fails, and what the caller is told of it.

use std::error::Error as StdError;
use std::fmt;
use std::panic::Location;

use svc_types::Code;

/// What a handler, a script or a database job answers.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A refusal the caller is told, or a fault that is logged and hidden.
#[derive(Debug)]
pub enum Error {
    /// The request is refused; everything in here is shown to the caller.
    Refused(Box<Refusal>),
    /// Something broke inside; the caller learns only that.
    Internal(Box<Fault>),
}

/// What the caller is told.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// The code, which fixes the status.
    pub code: Code,
    /// What is wrong and what would be right.
    pub message: String,
    /// The request member at fault.
    pub field: Option<String>,
    /// What to do next, or which state was found.
    pub hint: Option<String>,
    /// Whole seconds to wait.
    pub retry_after: Option<u64>,
}

/// What only the log is told.
#[derive(Debug)]
pub struct Fault {
    /// The cause.
    pub cause: Box<dyn StdError + Send + Sync>,
    /// Where the cause became an error of ours.
    pub place: &'static Location<'static>,
}

impl Error {
    /// A refusal with this code and text.
    pub fn refused(code: Code, message: impl Into<String>) -> Self {
        let message = message.into();
        Self::Refused(Box::new(Refusal {
            code,
            message,
            field: None,
            hint: None,
            retry_after: None,
        }))
    }

    /// A fault of ours.
    #[track_caller]
    pub fn internal(cause: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        Self::Internal(Box::new(Fault {
            cause: cause.into(),
            place: Location::caller(),
        }))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(refusal) => f.write_str(&refusal.message),
            Self::Internal(fault) => write!(f, "{} (at {})", fault.cause, fault.place),
        }
    }
}

impl StdError for Error {}
