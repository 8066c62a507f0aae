//! Why a request is denied.

use std::fmt;
use std::time::Duration;

use http::StatusCode;
use svc_client::Error;
use svc_client::types::Code;

/// `Retry-After` if the platform gives none.
const RETRY_AFTER: Duration = Duration::from_secs(5);

/// Why a request is denied.
///
/// A token is reported as invalid only if the platform says so. If the platform can't be reached, the
/// status is 503, because agents discard tokens that are refused with 401.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Denied {
    /// 401: the request has no token.
    Missing,
    /// 401: the text is not an identity token.
    Malformed,
    /// 401: the platform does not know the token.
    Invalid,
    /// 401: the token has expired.
    Expired,
    /// 401: the token was issued for another app.
    WrongAudience,
    /// 403: the agent is suspended, or paused by its owner.
    Deactivated,
    /// 503: the token could not be verified.
    #[non_exhaustive]
    Unavailable {
        /// How long to wait before the next attempt.
        retry_after: Duration,
    },
}

impl Denied {
    /// The status of the response.
    ///
    /// ```
    /// assert_eq!(svc_bot_kit::Denied::Missing.status(), 401);
    /// ```
    pub fn status(self) -> StatusCode {
        match self {
            Self::Deactivated => StatusCode::FORBIDDEN,
            Self::Unavailable { .. } => StatusCode::SERVICE_UNAVAILABLE,
            _ => StatusCode::UNAUTHORIZED,
        }
    }

    /// The stable error code: the platform's, if it has one.
    ///
    /// ```
    /// assert_eq!(svc_bot_kit::Denied::Expired.code(), "identity_token_expired");
    /// ```
    pub fn code(self) -> &'static str {
        match self {
            Self::Missing | Self::Malformed => "unauthorized",
            Self::Invalid => "invalid_token",
            Self::Expired => "identity_token_expired",
            Self::WrongAudience => "audience_mismatch",
            Self::Deactivated => "agent_deactivated",
            Self::Unavailable { .. } => "verification_unavailable",
        }
    }

    /// Maps an error of the request to the platform.
    pub(crate) fn from_platform(error: &Error) -> Self {
        match error.code() {
            Some(Code::InvalidToken) => return Self::Invalid,
            Some(Code::IdentityTokenExpired) => return Self::Expired,
            Some(Code::AudienceMismatch) => return Self::WrongAudience,
            Some(Code::AgentDeactivated) => return Self::Deactivated,
            _ => {}
        }
        match error {
            Error::Unauthorized { .. } | Error::Forbidden { .. } | Error::Config { .. } => {
                tracing::error!(%error, "identities cannot be verified; check the developer key");
            }
            _ => tracing::warn!(%error, "an identity could not be verified"),
        }
        Self::Unavailable { retry_after: error.retry_after().unwrap_or(RETRY_AFTER) }
    }
}

impl fmt::Display for Denied {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Missing => "an identity token must be sent as Authorization: Bearer svc_id_..",
            Self::Malformed => "the token must be svc_id_ and 43 characters, sent once",
            Self::Invalid => "the identity token is unknown or revoked; get a new one",
            Self::Expired => "the identity token has expired; get a new one",
            Self::WrongAudience => "the identity token was issued for another app",
            Self::Deactivated => "the agent is suspended or paused",
            Self::Unavailable { .. } => "identities cannot be verified now; try again later",
        })
    }
}

impl std::error::Error for Denied {}
