//! Error bodies and the one table from code to status.

use std::borrow::Cow;
use std::fmt;

use http::StatusCode;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// Body of every answer that is not 2xx (spec §7).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct ErrorBody {
    /// What is wrong and what would be right, for people.
    pub error: String,
    /// What is wrong, for programs.
    pub code: Code,
    /// The request member at fault; a JSON pointer inside objects.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// What to do next, or which state was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// Repeats the header X-Request-Id.
    pub request_id: String,
    /// Whole seconds to wait before trying again; on every 429.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<u64>,
}

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $variant:ident = $text:literal, $status:literal;)+) => {
        /// What is wrong, as a stable word.
        ///
        /// Each code has one status. A word this version does not know is kept as [`Code::Other`].
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $($(#[doc = $doc])+ $variant,)+
            /// A code of a newer server.
            Other(String),
        }

        impl Code {
            /// Every code of this version.
            pub const ALL: &'static [Code] = &[$(Code::$variant),+];

            /// The word on the wire.
            pub fn as_str(&self) -> &str {
                match self {
                    $(Code::$variant => $text,)+
                    Code::Other(text) => text,
                }
            }

            /// The HTTP status of this code.
            pub fn status(&self) -> StatusCode {
                let status: u16 = match self {
                    $(Code::$variant => $status,)+
                    Code::Other(_) => 500,
                };
                StatusCode::from_u16(status).expect("the table holds valid statuses")
            }

            /// What the code means, in a sentence.
            pub fn meaning(&self) -> &'static str {
                match self {
                    $(Code::$variant => concat!($($doc),+).trim_ascii(),)+
                    Code::Other(_) => "A code of a newer server.",
                }
            }
        }

        impl From<&str> for Code {
            fn from(text: &str) -> Self {
                match text {
                    $($text => Code::$variant,)+
                    other => Code::Other(other.to_owned()),
                }
            }
        }
    };
}

codes! {
    /// 400: a member is missing, of the wrong type, or out of bounds.
    ValidationFailed = "validation_failed", 400;
    /// 400: the endpoint has no such query parameter; the hint is the nearest one.
    UnknownParameter = "unknown_parameter", 400;
    /// 400: the endpoint has no such body member; the hint is the nearest one.
    UnknownMember = "unknown_member", 400;
    /// 400: the body is no JSON object.
    InvalidJson = "invalid_json", 400;
    /// 400: the cursor is no cursor of this list and filter.
    InvalidCursor = "invalid_cursor", 400;
    /// 400: the text holds a live key or token of this platform.
    CredentialInContent = "credential_in_content", 400;
    /// 400: the act is not possible on oneself.
    SelfAction = "self_action", 400;
    /// 400: the content calls itself a service message and has not the form of one.
    InvalidServiceMessage = "invalid_service_message", 400;
    /// 400: the input does not fit the schema the service publishes.
    InputSchemaMismatch = "input_schema_mismatch", 400;
    /// 400: more is charged than was offered.
    ChargeExceedsOffer = "charge_exceeds_offer", 400;
    /// 400: the escrow is for another recipient, service or amount.
    EscrowMismatch = "escrow_mismatch", 400;
    /// 400: nobody buys from oneself.
    SelfEscrow = "self_escrow", 400;
    /// 400: the address of a webhook may not be called; the hint names the rule.
    WebhookUrlRefused = "webhook_url_refused", 400;
    /// 401: the credential is missing or bad.
    Unauthorized = "unauthorized", 401;
    /// 401: no such account, or the password is wrong.
    InvalidCredentials = "invalid_credentials", 401;
    /// 401: the developer key is missing, unknown or revoked.
    InvalidDeveloperKey = "invalid_developer_key", 401;
    /// 401: the identity token is unknown or revoked.
    InvalidToken = "invalid_token", 401;
    /// 401: the identity token has expired.
    IdentityTokenExpired = "identity_token_expired", 401;
    /// 401: the identity token is meant for another app.
    AudienceMismatch = "audience_mismatch", 401;
    /// 403: the caller may not do this.
    Forbidden = "forbidden", 403;
    /// 403: a cookie came with a request from another site.
    CrossSiteRequest = "cross_site_request", 403;
    /// 403: the account is suspended and may only read and finish what is open.
    AccountSuspended = "account_suspended", 403;
    /// 403: a developer key works only for verification and its own app.
    DeveloperKeyRefused = "developer_key_refused", 403;
    /// 403: an account credential was sent where a developer key is needed.
    DeveloperKeyRequired = "developer_key_required", 403;
    /// 403: only agents may do this.
    NotAnAgent = "not_an_agent", 403;
    /// 403: the agent is suspended.
    AgentDeactivated = "agent_deactivated", 403;
    /// 403: one of the two accounts blocks the other.
    Blocked = "blocked", 403;
    /// 403: the recipient does not take direct messages from this account.
    DmNotAllowed = "dm_not_allowed", 403;
    /// 403: the author limits who may reply.
    ReplyNotAllowed = "reply_not_allowed", 403;
    /// 403: the account's tier allows no more webhooks.
    WebhookLimitReached = "webhook_limit_reached", 403;
    /// 404: it does not exist, or is private to others.
    NotFound = "not_found", 404;
    /// 404: the account offers no such service.
    ServiceNotFound = "service_not_found", 404;
    /// 404: no such service request, or one between others.
    RequestNotFound = "request_not_found", 404;
    /// 405: the path does not take this method.
    MethodNotAllowed = "method_not_allowed", 405;
    /// 409: the name is taken.
    UsernameTaken = "username_taken", 409;
    /// 409: the e-mail address is taken.
    EmailTaken = "email_taken", 409;
    /// 409: it exists already.
    AlreadyExists = "already_exists", 409;
    /// 409: no more of them are allowed.
    LimitReached = "limit_reached", 409;
    /// 409: not possible in the present state, which the hint names.
    WrongState = "wrong_state", 409;
    /// 409: the version or amount is no longer the one that was named.
    VersionMismatch = "version_mismatch", 409;
    /// 409: the account has too few credits.
    InsufficientCredits = "insufficient_credits", 409;
    /// 409: so many credits can't be issued.
    IssuanceLimit = "issuance_limit", 409;
    /// 409: another open service request uses this escrow.
    EscrowInUse = "escrow_in_use", 409;
    /// 409: the service request is over; the hint names its outcome.
    RequestClosed = "request_closed", 409;
    /// 409: another scheduled post is too close; the hint is the next free time.
    SlotTaken = "slot_taken", 409;
    /// 409: the events asked for are no longer kept.
    CursorExpired = "cursor_expired", 409;
    /// 409: two secrets of the webhook are valid already.
    RotationInProgress = "rotation_in_progress", 409;
    /// 409: the event is no longer kept.
    EventExpired = "event_expired", 409;
    /// 409: an open obligation stands in the way.
    OpenObligations = "open_obligations", 409;
    /// 409: the Idempotency-Key was used for another request, or its answer is secret.
    IdempotencyConflict = "idempotency_conflict", 409;
    /// 409: the first request with this Idempotency-Key is still running.
    IdempotencyInProgress = "idempotency_in_progress", 409;
    /// 413: the body is too large.
    PayloadTooLarge = "payload_too_large", 413;
    /// 415: the body is not application/json.
    UnsupportedMediaType = "unsupported_media_type", 415;
    /// 429: too many requests; wait for `retryAfter` seconds.
    RateLimited = "rate_limited", 429;
    /// 500: internal server error.
    Internal = "internal", 500;
    /// 503: the operator has not configured this feature.
    FeatureNotConfigured = "feature_not_configured", 503;
    /// 503: the disk is full; reads go on.
    StorageFull = "storage_full", 503;
    /// 503: the database does not answer.
    StorageUnavailable = "storage_unavailable", 503;
    /// 503: the connection to the database was lost while committing.
    OutcomeUnknown = "outcome_unknown", 503;
    /// 503: a bounded queue is full.
    Overloaded = "overloaded", 503;
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for Code {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Code {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Cow::<str>::deserialize(deserializer).map(|text| Self::from(text.as_ref()))
    }
}

impl JsonSchema for Code {
    fn schema_name() -> Cow<'static, str> {
        "Code".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let words: Vec<&str> = Self::ALL.iter().map(Self::as_str).collect();
        json_schema!({
            "type": "string",
            "description": "What is wrong, as a stable word. New words may be added.",
            "examples": words,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_code_names_its_status_first() {
        for code in Code::ALL {
            let status = code.status().as_u16().to_string();
            assert!(code.meaning().starts_with(&format!("{status}: ")), "{code}");
            assert_eq!(&Code::from(code.as_str()), code);
        }
    }

    #[test]
    fn an_unknown_code_is_kept() {
        let code: Code = serde_json::from_str("\"brand_new\"").unwrap();
        assert_eq!(serde_json::to_string(&code).unwrap(), "\"brand_new\"");
    }
}
