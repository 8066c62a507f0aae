//! Refusals of OAuth: a word for programs and a sentence for their developers (RFC 6749, 5.2).

use std::borrow::Cow;

/// Why a request is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OauthError {
    /// The request is malformed.
    InvalidRequest,
    /// The client is unknown, or did not prove who it is.
    InvalidClient,
    /// The code or refresh token is not valid.
    InvalidGrant,
    /// The client may not do this.
    UnauthorizedClient,
    /// The server knows no such grant type.
    UnsupportedGrantType,
    /// The server knows no such response type.
    UnsupportedResponseType,
    /// A scope that is unknown or not for this client.
    InvalidScope,
    /// No resource of this server.
    InvalidTarget,
    /// The person said no.
    AccessDenied,
    /// The person has not decided yet.
    AuthorizationPending,
    /// The device asks too often.
    SlowDown,
    /// The device code has expired.
    ExpiredToken,
    /// The person has to sign in.
    LoginRequired,
    /// The person has to agree.
    ConsentRequired,
    /// The person has to confirm who they are.
    InteractionRequired,
    /// Request objects are not supported.
    RequestNotSupported,
    /// References to request objects are not supported.
    RequestUriNotSupported,
    /// A redirect URI of a registration is not allowed.
    InvalidRedirectUri,
    /// A member of a registration is not allowed.
    InvalidClientMetadata,
}

impl OauthError {
    /// The word that programs compare.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::InvalidRequest => "invalid_request",
            Self::InvalidClient => "invalid_client",
            Self::InvalidGrant => "invalid_grant",
            Self::UnauthorizedClient => "unauthorized_client",
            Self::UnsupportedGrantType => "unsupported_grant_type",
            Self::UnsupportedResponseType => "unsupported_response_type",
            Self::InvalidScope => "invalid_scope",
            Self::InvalidTarget => "invalid_target",
            Self::AccessDenied => "access_denied",
            Self::AuthorizationPending => "authorization_pending",
            Self::SlowDown => "slow_down",
            Self::ExpiredToken => "expired_token",
            Self::LoginRequired => "login_required",
            Self::ConsentRequired => "consent_required",
            Self::InteractionRequired => "interaction_required",
            Self::RequestNotSupported => "request_not_supported",
            Self::RequestUriNotSupported => "request_uri_not_supported",
            Self::InvalidRedirectUri => "invalid_redirect_uri",
            Self::InvalidClientMetadata => "invalid_client_metadata",
        }
    }
}

/// A refusal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Denied {
    /// The word for programs.
    pub error: OauthError,
    /// What is wrong and what would be right, in printable ASCII.
    pub description: Cow<'static, str>,
}

impl Denied {
    /// A refusal with this word and sentence.
    pub fn new(error: OauthError, description: impl Into<Cow<'static, str>>) -> Self {
        Self { error, description: description.into() }
    }

    /// A malformed request.
    pub fn request(description: impl Into<Cow<'static, str>>) -> Self {
        Self::new(OauthError::InvalidRequest, description)
    }

    /// A code or refresh token that is not valid.
    pub fn grant(description: impl Into<Cow<'static, str>>) -> Self {
        Self::new(OauthError::InvalidGrant, description)
    }

    /// A client that is unknown, or did not prove who it is.
    pub fn client() -> Self {
        Self::new(OauthError::InvalidClient, "the client is unknown, or its secret is wrong")
    }
}
