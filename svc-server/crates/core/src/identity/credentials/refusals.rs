//! What a caller receives whose credentials do not count.

use svc_store::error::{Error, Refusal};
use svc_types::Code;

use crate::services::oauth::Resource;

/// 401 without a valid key or session.
pub fn unauthorized() -> Error {
    Refusal::new(Code::Unauthorized, "a valid API key or session is needed")
        .hint("send Authorization: Bearer svc_ak_…, or sign in")
        .into()
}

/// An Authorization header that names no key.
pub(super) fn malformed() -> Error {
    Refusal::new(Code::Unauthorized, "the Authorization header must be Bearer and an API key")
        .hint("send Authorization: Bearer svc_ak_…")
        .into()
}

/// An unknown key. Its message differs from that of a missing one, which points at the header.
pub(super) fn wrong_key() -> Error {
    Refusal::new(Code::Unauthorized, "the API key is not valid")
        .hint("see that it is whole, of this server, and has not been replaced, deleted or expired")
        .into()
}

/// An access token that is unknown, has expired, or has ended.
pub fn wrong_token() -> Error {
    Refusal::new(Code::Unauthorized, "the access token is not valid")
        .hint(
            "it lives for an hour; get a new one with the refresh token, or ask the account again",
        )
        .into()
}

/// An access token for another part of the server.
pub(super) fn wrong_resource(called: Resource) -> Error {
    let refusal =
        Refusal::new(Code::Unauthorized, "the access token was given for another resource");
    let hint = match called {
        Resource::Api => "ask for a token with the resource of this API",
        Resource::Mcp => "ask for a token with the resource of this MCP endpoint",
    };
    refusal.hint(hint).into()
}

pub(super) fn wrong_address() -> Error {
    Refusal::new(Code::AddressNotAllowed, "the API key does not work from this address")
        .hint("its owner can change allowFrom: PATCH /auth/keys/{keyId}")
        .into()
}

/// 401 for the cookie of a session that has ended.
pub fn ended_session() -> Error {
    Refusal::new(Code::Unauthorized, "the session has ended")
        .hint("sign in again, or send Authorization: Bearer svc_ak_…")
        .into()
}

pub(super) fn cross_site() -> Error {
    Refusal::new(Code::CrossSiteRequest, "a cookie counts only for requests of the same site")
        .hint("send an API key, or the header Origin with the origin of this server")
        .into()
}
