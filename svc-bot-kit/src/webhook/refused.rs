//! Why a webhook is refused.

use std::fmt;

use http::StatusCode;

use super::replay::StoreError;

/// Why a webhook is refused.
///
/// It contains neither secrets nor bodies, so it can be logged.
#[derive(Debug)]
#[non_exhaustive]
pub enum Refused {
    /// 401: a required header is missing.
    #[non_exhaustive]
    Missing {
        /// The name of the header.
        header: &'static str,
    },
    /// 401: a required header is empty.
    #[non_exhaustive]
    Empty {
        /// The name of the header.
        header: &'static str,
    },
    /// 401: a required header is repeated.
    #[non_exhaustive]
    Repeated {
        /// The name of the header.
        header: &'static str,
    },
    /// 401: the signature is not 64 lower-case hex digits.
    MalformedSignature,
    /// 401: the timestamp is not a number of seconds.
    MalformedTimestamp,
    /// 401: the signature matches the body with none of the secrets.
    #[non_exhaustive]
    WrongSignature {
        /// The probable cause.
        cause: Cause,
    },
    /// 401: the request is older than the tolerance.
    #[non_exhaustive]
    TooOld {
        /// How many seconds it is behind the local clock.
        seconds: u64,
    },
    /// 401: the request is further in the future than the tolerance.
    #[non_exhaustive]
    TooNew {
        /// How many seconds it is ahead of the local clock.
        seconds: u64,
    },
    /// 400: the body is not an event.
    #[non_exhaustive]
    Body {
        /// The column of the error in the body.
        at: usize,
    },
    /// 400: `X-Webhook-Event` and the body name different kinds.
    OtherKind,
    /// 413: the body is larger than 512 KiB.
    TooLarge,
    /// 415: the content type is not `application/json`.
    WrongType,
    /// 400: the body was not received completely.
    Interrupted,
    /// 200: the event was handled before, so the sender stops.
    Duplicate,
    /// 409: the event is being handled; the sender tries again, in case that fails.
    InProgress,
    /// 503: the replay guard's store failed.
    Store(StoreError),
}

/// The probable cause of a wrong signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cause {
    /// The body is empty.
    EmptyBody,
    /// The body was parsed and serialized again: the signature matches its original form.
    Reserialized,
    /// The secret is wrong, or the body was changed.
    Unknown,
}

impl Refused {
    /// The status of the response.
    ///
    /// ```
    /// assert_eq!(svc_bot_kit::Refused::Duplicate.status(), 200);
    /// ```
    pub fn status(&self) -> StatusCode {
        match self {
            Self::Body { .. } | Self::OtherKind | Self::Interrupted => StatusCode::BAD_REQUEST,
            Self::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::WrongType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::Duplicate => StatusCode::OK,
            Self::InProgress => StatusCode::CONFLICT,
            Self::Store(_) => StatusCode::SERVICE_UNAVAILABLE,
            _ => StatusCode::UNAUTHORIZED,
        }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { header } => write!(f, "the header {header} is missing"),
            Self::Empty { header } => write!(f, "the header {header} is empty"),
            Self::Repeated { header } => write!(f, "the header {header} must not be repeated"),
            Self::MalformedSignature => {
                f.write_str("x-webhook-signature must be 64 lower-case hex digits")
            }
            Self::MalformedTimestamp => {
                f.write_str("webhook-timestamp must be a number of seconds")
            }
            Self::WrongSignature { cause } => write!(f, "the signature does not fit: {cause}"),
            Self::TooOld { seconds } => write!(
                f,
                "the request is {seconds} seconds old: it was replayed, or a clock is wrong"
            ),
            Self::TooNew { seconds } => {
                write!(f, "the request is {seconds} seconds ahead: a clock is wrong")
            }
            Self::Body { at } => {
                write!(f, "the body is not an event: error at column {at}")
            }
            Self::OtherKind => f.write_str("x-webhook-event names another kind than the body"),
            Self::TooLarge => f.write_str("the body is larger than 512 KiB"),
            Self::WrongType => f.write_str("the content type must be application/json"),
            Self::Interrupted => f.write_str("the body ended early"),
            Self::Duplicate => f.write_str("the event was handled before"),
            Self::InProgress => f.write_str("the event is being handled"),
            Self::Store(error) => write!(f, "the replay guard failed: {error}"),
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::EmptyBody => "the body is empty; was it read before it got here?",
            Self::Reserialized => {
                "the body was parsed and written again; verify the bytes as they came"
            }
            Self::Unknown => {
                "the secret is that of another webhook, or the body was changed on its way; \
                 a body that was parsed and written again does not fit either"
            }
        })
    }
}

impl std::error::Error for Refused {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Store(error) => Some(error.as_ref()),
            _ => None,
        }
    }
}
