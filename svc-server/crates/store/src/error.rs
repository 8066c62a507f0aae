//! Why the server refuses or fails, and what the caller is told of it.

use std::error::Error as StdError;
use std::fmt;
use std::panic::Location;

use svc_types::wire::Rejected;
use svc_types::{ActionId, Code, EscrowId, MessageId, ScheduledPostId, Timestamp, UserId};

/// What a handler, a script or a database job answers.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A refusal the caller is told, or a fault that is logged and hidden.
#[derive(Debug)]
pub enum Error {
    /// The request is refused; everything in here is shown to the caller.
    Refused(Box<Refusal>),
    /// Something broke inside; the caller learns only that.
    Internal(Box<Fault>),
    /// What was found should have been moved by the clock. The edge moves it and asks again, so
    /// that nobody outside sees this.
    Overdue(Overdue),
}

/// What the clock should have moved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Overdue {
    /// This escrow.
    Escrow(EscrowId),
    /// This service request.
    Request(MessageId),
    /// This scheduled post.
    ScheduledPost(ScheduledPostId),
    /// Something of this account's.
    Account(UserId),
    /// What this action of a moderator did for a time.
    Measure(ActionId),
}

/// What the caller is told.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// The limit that was hit.
    pub window: Option<Window>,
}

/// A rate limit as the headers of spec §8 tell it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Most calls in the window.
    pub limit: u64,
    /// Calls left in the window.
    pub remaining: u64,
    /// When the window ends.
    pub reset: Timestamp,
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
        Refusal::new(code, message).into()
    }

    /// A member of the request that is wrong.
    pub fn invalid(field: &str, message: impl Into<String>) -> Self {
        Refusal::new(Code::ValidationFailed, message).field(field).into()
    }

    /// Something that does not exist, or is private to others.
    pub fn not_found(what: &str) -> Self {
        Self::refused(Code::NotFound, format!("no such {what}"))
    }

    /// A fault of ours.
    #[track_caller]
    pub fn internal(cause: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        Self::Internal(Box::new(Fault { cause: cause.into(), place: Location::caller() }))
    }

    /// A fault of how the server was set up, which its operator mends.
    #[track_caller]
    pub fn setup(text: impl Into<String>) -> Self {
        Self::internal(SetupError::new(text))
    }

    /// Whether the server was set up wrongly.
    pub fn is_setup(&self) -> bool {
        matches!(self, Self::Internal(fault) if fault.cause.is::<SetupError>())
    }

    /// A refusal about a member of the request; anything else stays as it is.
    #[must_use]
    pub fn about(self, field: &str) -> Self {
        match self {
            Self::Refused(refusal) => refusal.field(field).into(),
            other => other,
        }
    }

    /// The code the caller gets.
    pub fn code(&self) -> Code {
        match self {
            Self::Refused(refusal) => refusal.code.clone(),
            Self::Internal(_) | Self::Overdue(_) => Code::Internal,
        }
    }
}

impl Refusal {
    /// A refusal with this code and text.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { code, message, field: None, hint: None, retry_after: None, window: None }
    }

    /// Names the request member at fault.
    #[must_use]
    pub fn field(mut self, field: &str) -> Self {
        self.field = Some(field.to_owned());
        self
    }

    /// Says what to do next, or which state was found.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Says how many whole seconds to wait.
    #[must_use]
    pub const fn retry_after(mut self, seconds: u64) -> Self {
        self.retry_after = Some(seconds);
        self
    }

    /// Tells the limit that was hit, and the seconds left of it.
    #[must_use]
    pub fn window(mut self, window: Window, now: Timestamp) -> Self {
        let left = window.reset.since(now).as_millis().div_ceil(1000);
        self.retry_after = Some(u64::try_from(left).unwrap_or(u64::MAX).max(1));
        self.window = Some(window);
        self
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(Box::new(refusal))
    }
}

impl From<Box<Refusal>> for Error {
    fn from(refusal: Box<Refusal>) -> Self {
        Self::Refused(refusal)
    }
}

impl From<Rejected> for Error {
    fn from(rejected: Rejected) -> Self {
        let refusal = Refusal::new(rejected.code, rejected.message);
        Refusal { field: rejected.field, hint: rejected.hint, ..refusal }.into()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(refusal) => f.write_str(&refusal.message),
            Self::Internal(fault) => write!(f, "{} (at {})", fault.cause, fault.place),
            Self::Overdue(overdue) => write!(f, "overdue: {overdue:?}"),
        }
    }
}

impl StdError for Error {}

/// The server is set up wrongly; the text says how and what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SetupError(String);

impl SetupError {
    /// What is wrong, and what would be right.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}
