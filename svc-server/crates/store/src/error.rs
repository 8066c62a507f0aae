//! The error of the server: refusals for the caller, and internal faults for the log.

use std::error::Error as StdError;
use std::fmt;
use std::panic::Location;
use std::time::Duration;

use svc_types::wire::Rejected;
use svc_types::{
    ActionId, Code, EscrowId, FieldError, MessageId, PendingChangeId, ScheduledPostId, Timestamp,
    UserId,
};

/// The result of a handler, a service function or a database job.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A refusal that the caller sees, or a fault that is logged and hidden.
#[derive(Debug)]
pub enum Error {
    /// The request is refused; the caller sees all of this.
    Refused(Box<Refusal>),
    /// An internal fault; the caller sees only that there was one.
    Internal(Box<Fault>),
    /// The job found something overdue. It is advanced and the job runs again, so that callers never
    /// see this.
    Overdue(Overdue),
    /// A read took longer than a caller may keep others waiting.
    TooLong,
}

/// An item that time should have advanced, or work outside of the transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Overdue {
    /// This escrow.
    Escrow(EscrowId),
    /// This service request.
    Request(MessageId),
    /// This scheduled post.
    ScheduledPost(ScheduledPostId),
    /// This pending change of an account.
    Change(PendingChangeId),
    /// Any item of this account.
    Account(UserId),
    /// Any deal that counts towards the caps of this owner's agents.
    AgentsOf(UserId),
    /// The temporary measure of this moderation action.
    Measure(ActionId),
    /// The vector of this search term, which has to be asked for.
    Term(String),
}

/// A refusal, as the caller sees it.
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
    /// The budget that had not enough.
    pub budget: Option<Budget>,
    /// The scope that the credential lacks, for the header of RFC 6750.
    pub scope: Option<String>,
    /// What our own page may send in place of the password, which was right. Programs do not get it.
    pub step: Option<Step>,
    /// Each wrong member, as far as they are known.
    pub errors: Vec<FieldError>,
    /// Whether the texts are in the language of a page, which made them itself.
    pub is_translated: bool,
}

/// A token that stands for a password for some minutes; `Debug` hides it.
#[derive(Clone, PartialEq, Eq)]
pub struct Step(String);

impl Step {
    /// Exposes the token, for the page that sends it.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl From<String> for Step {
    fn from(token: String) -> Self {
        Self(token)
    }
}

impl fmt::Debug for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Step([redacted])")
    }
}

/// A rate limit, as in the headers of spec §8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Most calls in the window.
    pub limit: u64,
    /// Calls left in the window.
    pub remaining: u64,
    /// When the window ends.
    pub reset: Timestamp,
}

/// The remaining budget of an account, as in the headers `RateLimit-Policy` and
/// `RateLimit` (draft 11).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Its name.
    pub name: &'static str,
    /// What is counted, where it is not requests.
    pub unit: Option<&'static str>,
    /// How much there may be in the window.
    pub count: u32,
    /// The window.
    pub window: Duration,
    /// What is left.
    pub left: u64,
    /// Time until nothing of it is used.
    pub full_in: Duration,
}

/// An internal fault, which only the log shows.
#[derive(Debug)]
pub struct Fault {
    /// The cause.
    pub cause: Box<dyn StdError + Send + Sync>,
    /// Where the cause became an [`Error`].
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

    /// Something that does not exist, or is private.
    pub fn not_found(what: &str) -> Self {
        Self::refused(Code::NotFound, format!("no such {what}"))
    }

    /// An internal fault.
    #[track_caller]
    pub fn internal(cause: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        Self::Internal(Box::new(Fault { cause: cause.into(), place: Location::caller() }))
    }

    /// A configuration error, which the operator can fix.
    #[track_caller]
    pub fn setup(text: impl Into<String>) -> Self {
        Self::internal(SetupError::new(text))
    }

    /// Whether this is a configuration error.
    pub fn is_setup(&self) -> bool {
        matches!(self, Self::Internal(fault) if fault.cause.is::<SetupError>())
    }

    /// Adds the member at fault to a refusal; other errors stay unchanged.
    #[must_use]
    pub fn about(self, field: &str) -> Self {
        match self {
            Self::Refused(refusal) => refusal.field(field).into(),
            other => other,
        }
    }

    /// The code that the caller sees.
    pub fn code(&self) -> Code {
        match self {
            Self::Refused(refusal) => refusal.code.clone(),
            Self::TooLong => Code::Overloaded,
            Self::Internal(_) | Self::Overdue(_) => Code::Internal,
        }
    }
}

impl Refusal {
    /// A refusal with this code and text.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        let message = message.into();
        Self {
            code,
            message,
            field: None,
            hint: None,
            retry_after: None,
            window: None,
            budget: None,
            scope: None,
            step: None,
            errors: Vec::new(),
            is_translated: false,
        }
    }

    /// Names the request member at fault.
    #[must_use]
    pub fn field(mut self, field: &str) -> Self {
        self.field = Some(field.to_owned());
        self
    }

    /// Adds the next step, or the state that was found.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Adds the whole seconds to wait.
    #[must_use]
    pub const fn retry_after(mut self, seconds: u64) -> Self {
        self.retry_after = Some(seconds);
        self
    }

    /// Names the scope that the credential lacks.
    #[must_use]
    pub fn scope(mut self, scope: &str) -> Self {
        self.scope = Some(scope.to_owned());
        self
    }

    /// Names the budget that had not enough.
    #[must_use]
    pub const fn budget(mut self, budget: Budget) -> Self {
        self.budget = Some(budget);
        self
    }

    /// Adds what our own page sends in place of the password.
    #[must_use]
    pub fn step(mut self, step: Step) -> Self {
        self.step = Some(step);
        self
    }

    /// Says that the texts are in the language of a page.
    #[must_use]
    pub const fn translated(mut self) -> Self {
        self.is_translated = true;
        self
    }

    /// Adds the limit that was hit, and the seconds until it resets.
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

impl From<Vec<Rejected>> for Error {
    /// The first problem of a request, and each wrong member.
    fn from(problems: Vec<Rejected>) -> Self {
        let errors: Vec<FieldError> = problems.iter().filter_map(Rejected::field_error).collect();
        match problems.into_iter().next().map(Self::from) {
            Some(Self::Refused(refusal)) => Refusal { errors, ..*refusal }.into(),
            Some(error) => error,
            None => Self::internal("a request was refused without a problem"),
        }
    }
}

impl From<Rejected> for Error {
    fn from(rejected: Rejected) -> Self {
        let errors = rejected.field_error().into_iter().collect();
        let refusal = Refusal::new(rejected.code, rejected.message);
        Refusal { field: rejected.field, hint: rejected.hint, errors, ..refusal }.into()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(refusal) => f.write_str(&refusal.message),
            Self::Internal(fault) => write!(f, "{} (at {})", fault.cause, fault.place),
            Self::Overdue(overdue) => write!(f, "overdue: {overdue:?}"),
            Self::TooLong => f.write_str("reading this takes too long"),
        }
    }
}

impl StdError for Error {}

/// A configuration error; the text says what is wrong and what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SetupError(String);

impl SetupError {
    /// What is wrong, and what would be right.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}
