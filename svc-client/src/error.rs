//! Errors of calls.

use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

use http::{Method, StatusCode};
use svc_types::{Code, Timestamp};

/// A result with [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The error of a call.
///
/// The variant follows the status, so it is also right for answers of proxies;
/// [`code`](Self::code) is more specific and present if the platform answered.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// 429: too many calls; try again after `retry_after`.
    #[non_exhaustive]
    RateLimited {
        /// How long to wait; one second if the server sent no Retry-After.
        retry_after: Duration,
        /// Calls allowed per window.
        limit: Option<u64>,
        /// Calls left in this window.
        remaining: Option<u64>,
        /// Start of the next window.
        reset: Option<Timestamp>,
        /// All other details.
        details: Box<Details>,
    },
    /// 401: the credential is missing or invalid.
    #[non_exhaustive]
    Unauthorized {
        /// All other details.
        details: Box<Details>,
    },
    /// 403: the caller may not do this.
    #[non_exhaustive]
    Forbidden {
        /// All other details.
        details: Box<Details>,
    },
    /// 404: it does not exist, or you may not see it.
    #[non_exhaustive]
    NotFound {
        /// All other details.
        details: Box<Details>,
    },
    /// 409: it already exists, or is in another state.
    #[non_exhaustive]
    Conflict {
        /// All other details.
        details: Box<Details>,
    },
    /// 400, 405, 413, 415 and every other 4xx, or refused by this client before sending: the
    /// request is invalid.
    #[non_exhaustive]
    Invalid {
        /// All other details.
        details: Box<Details>,
    },
    /// 500, 502, 504 and every other 5xx: the server failed.
    #[non_exhaustive]
    Server {
        /// All other details.
        details: Box<Details>,
    },
    /// 503: the feature is not configured, or the server is temporarily unavailable.
    #[non_exhaustive]
    Unavailable {
        /// All other details.
        details: Box<Details>,
    },
    /// The answer was 2xx, but not as this version expects.
    #[non_exhaustive]
    Decode {
        /// The invalid member, such as `message.createdAt`; `.` for the whole body.
        path: String,
        /// All other details.
        details: Box<Details>,
    },
    /// The connection failed or was lost.
    #[non_exhaustive]
    Transport {
        /// All other details.
        details: Box<Details>,
    },
    /// No answer in time, or 408.
    #[non_exhaustive]
    Timeout {
        /// All other details.
        details: Box<Details>,
    },
    /// The client is misconfigured, or the base URL redirects.
    #[non_exhaustive]
    Config {
        /// All other details.
        details: Box<Details>,
    },
}

/// Details common to all [`Error`]s; read through its methods.
pub struct Details {
    pub(crate) message: Cow<'static, str>,
    pub(crate) status: Option<StatusCode>,
    pub(crate) code: Option<Code>,
    pub(crate) field: Option<String>,
    pub(crate) hint: Option<Cow<'static, str>>,
    pub(crate) request_id: Option<String>,
    pub(crate) idempotency_key: Option<String>,
    pub(crate) attempts: u32,
    pub(crate) outcome: Outcome,
    pub(crate) retryable: bool,
    /// The value of Retry-After.
    pub(crate) retry_after: Option<Duration>,
    /// The value of PAYMENT-REQUIRED.
    pub(crate) payment_required: Option<String>,
    pub(crate) source: Option<Box<dyn std::error::Error + Send + Sync>>,
    /// Method, server and path of the request, if it was built.
    pub(crate) target: Option<Target>,
}

/// Method, server and path of a request, without its query, which may contain text of users.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    pub(crate) method: Method,
    /// Scheme, host and port.
    pub(crate) address: String,
    pub(crate) path: String,
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}{}", self.method, self.address, self.path)
    }
}

impl Details {
    /// A problem found before anything was sent.
    pub(crate) fn new(message: impl Into<Cow<'static, str>>) -> Box<Self> {
        Box::new(Self {
            message: message.into(),
            status: None,
            code: None,
            field: None,
            hint: None,
            request_id: None,
            idempotency_key: None,
            attempts: 0,
            outcome: Outcome::NotSent,
            retryable: false,
            retry_after: None,
            payment_required: None,
            source: None,
            target: None,
        })
    }
}

/// What is known about the effect of a failed call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Outcome {
    /// The request did not reach the server: it has no effect.
    NotSent,
    /// The server refused the request: it has no effect.
    Refused,
    /// The server may have executed the request.
    Unknown,
}

impl fmt::Debug for Details {
    /// Omits unknown members, because this is what `main` prints when it returns an error.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn known<T: fmt::Debug>(fact: Option<&T>) -> Option<&dyn fmt::Debug> {
            fact.map(|fact| fact as &dyn fmt::Debug)
        }
        let mut output = f.debug_struct("Details");
        output.field("message", &self.message);
        for (name, fact) in [
            ("status", known(self.status.as_ref())),
            ("code", known(self.code.as_ref())),
            ("field", known(self.field.as_ref())),
            ("hint", known(self.hint.as_ref())),
            ("request_id", known(self.request_id.as_ref())),
            ("idempotency_key", known(self.idempotency_key.as_ref())),
            ("retry_after", known(self.retry_after.as_ref())),
            ("payment_required", known(self.payment_required.as_ref())),
            ("target", known(self.target.as_ref())),
            ("source", known(self.source.as_ref())),
        ] {
            if let Some(fact) = fact {
                output.field(name, fact);
            }
        }
        output.field("attempts", &self.attempts);
        output.field("outcome", &self.outcome);
        output.field("retryable", &self.retryable).finish()
    }
}

impl Error {
    pub(crate) fn details(&self) -> &Details {
        match self {
            Self::RateLimited { details, .. }
            | Self::Unauthorized { details }
            | Self::Forbidden { details }
            | Self::NotFound { details }
            | Self::Conflict { details }
            | Self::Invalid { details }
            | Self::Server { details }
            | Self::Unavailable { details }
            | Self::Decode { details, .. }
            | Self::Transport { details }
            | Self::Timeout { details }
            | Self::Config { details } => details,
        }
    }

    pub(crate) fn details_mut(&mut self) -> &mut Details {
        match self {
            Self::RateLimited { details, .. }
            | Self::Unauthorized { details }
            | Self::Forbidden { details }
            | Self::NotFound { details }
            | Self::Conflict { details }
            | Self::Invalid { details }
            | Self::Server { details }
            | Self::Unavailable { details }
            | Self::Decode { details, .. }
            | Self::Transport { details }
            | Self::Timeout { details }
            | Self::Config { details } => details,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let details = self.details();
        f.write_str(&details.message)?;
        let status = details.status.map(|status| match &details.code {
            Some(code) => format!("{} {code}", status.as_u16()),
            None => status.as_u16().to_string(),
        });
        let target = details.target.as_ref().map(Target::to_string);
        let id = details.request_id.as_ref().map(|id| format!("request {id}"));
        let facts: Vec<String> = [status, target, id].into_iter().flatten().collect();
        if facts.is_empty() { Ok(()) } else { write!(f, " ({})", facts.join(", ")) }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        let source = self.details().source.as_deref()?;
        Some(source)
    }
}
