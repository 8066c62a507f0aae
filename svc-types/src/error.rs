//! Error bodies and the table from code to HTTP status.

use std::borrow::Cow;
use std::fmt;

use http::StatusCode;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use crate::text::words;

/// Body of every response that is not 2xx (spec §7).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct ErrorBody {
    /// What is wrong and what would be right, for people.
    pub error: String,
    /// What is wrong, for programs.
    pub code: Code,
    /// The request member at fault; a JSON pointer for members of objects.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// The next step, or the state that was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The value of the header X-Request-Id.
    pub request_id: String,
    /// Seconds to wait before trying again; present on every 429.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<u64>,
    /// Each member that is wrong, if several are: the first is that of `field`. At most 20.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<FieldError>,
}

/// A member of a request that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct FieldError {
    /// The member; a JSON pointer for members of objects.
    pub field: String,
    /// What is wrong with it, for programs.
    pub code: FieldCode,
    /// What is wrong and what would be right, for people.
    pub message: String,
}

words! {
    /// What is wrong with a member.
    FieldCode {
        /// It is required, and was not sent.
        Missing = "missing",
        /// Its value is of the wrong type or out of bounds.
        Invalid = "invalid",
        /// The endpoint has no such member.
        Unknown = "unknown",
    }
}

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $variant:ident = $text:literal, $status:literal;)+) => {
        /// A stable error code.
        ///
        /// Each code has one HTTP status. Codes unknown to this version are kept as
        /// [`Code::Other`].
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $($(#[doc = $doc])+ $variant,)+
            /// A code from a newer server.
            Other(String),
        }

        impl Code {
            /// Every code of this version.
            pub const ALL: &'static [Code] = &[$(Code::$variant),+];

            /// The value on the wire.
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

            /// The meaning of the code in one sentence.
            pub fn meaning(&self) -> &'static str {
                match self {
                    $(Code::$variant => concat!($($doc),+).trim_ascii(),)+
                    Code::Other(_) => "A code from a newer server.",
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
    /// 400: the endpoint has no such query parameter; the hint is the closest one.
    UnknownParameter = "unknown_parameter", 400;
    /// 400: the endpoint has no such body member; the hint is the closest one.
    UnknownMember = "unknown_member", 400;
    /// 400: the body is not a JSON object.
    InvalidJson = "invalid_json", 400;
    /// 400: the cursor does not belong to this list and filter.
    InvalidCursor = "invalid_cursor", 400;
    /// 400: the text contains a live key or token of this platform.
    CredentialInContent = "credential_in_content", 400;
    /// 400: the password is one of the most common ones, or a name of the account.
    PasswordTooCommon = "password_too_common", 400;
    /// 400: you cannot do this to your own account.
    SelfAction = "self_action", 400;
    /// 400: the content is a malformed service message, or resembles one; the hint is the right form.
    InvalidServiceMessage = "invalid_service_message", 400;
    /// 400: the input does not match the schema of the service.
    InputSchemaMismatch = "input_schema_mismatch", 400;
    /// 400: the charge exceeds the offer.
    ChargeExceedsOffer = "charge_exceeds_offer", 400;
    /// 400: the escrow is for another recipient, service or amount.
    EscrowMismatch = "escrow_mismatch", 400;
    /// 400: you cannot buy from yourself.
    SelfEscrow = "self_escrow", 400;
    /// 400: the URL is not allowed for webhooks; the hint names the rule.
    WebhookUrlRefused = "webhook_url_refused", 400;
    /// 400: the credits must come to a whole amount of money; the hint is the nearest number.
    AmountNotExact = "amount_not_exact", 400;
    /// 400: the webhook is not signed with a secret of this server.
    InvalidSignature = "invalid_signature", 400;
    /// 401: the credential is missing or invalid.
    Unauthorized = "unauthorized", 401;
    /// 401: the account does not exist or the password is wrong.
    InvalidCredentials = "invalid_credentials", 401;
    /// 401: the password is right, and a code of the second factor is needed too.
    SecondFactorRequired = "second_factor_required", 401;
    /// 401: the developer key is missing, unknown or revoked.
    InvalidDeveloperKey = "invalid_developer_key", 401;
    /// 401: the identity token is unknown or revoked.
    InvalidToken = "invalid_token", 401;
    /// 401: the identity token has expired.
    IdentityTokenExpired = "identity_token_expired", 401;
    /// 401: the identity token was issued for another app.
    AudienceMismatch = "audience_mismatch", 401;
    /// 402: the header PAYMENT-REQUIRED says what to pay, and the hint why a payment did not do.
    PaymentRequired = "payment_required", 402;
    /// 403: you do not have permission for this action.
    Forbidden = "forbidden", 403;
    /// 403: the request uses a cookie and does not say that it comes from this site.
    CrossSiteRequest = "cross_site_request", 403;
    /// 403: the API key lacks the scope for this; the hint names it.
    InsufficientScope = "insufficient_scope", 403;
    /// 403: the session or key must confirm who it is first: POST /auth/step-up.
    StepUpRequired = "step_up_required", 403;
    /// 403: the API key does not work from this address.
    AddressNotAllowed = "address_not_allowed", 403;
    /// 403: the account is suspended and may only read and finish open orders.
    AccountSuspended = "account_suspended", 403;
    /// 403: the account is deleted and can only be restored: POST /auth/restore.
    AccountDeleted = "account_deleted", 403;
    /// 403: the agent's owner has paused it; it may only read and finish open orders.
    AccountPaused = "account_paused", 403;
    /// 403: the account waits for a moderator's approval.
    ApprovalPending = "approval_pending", 403;
    /// 403: this server takes no new accounts.
    SignupClosed = "signup_closed", 403;
    /// 403: this server takes new accounts by invite only, or the invite is not valid.
    InviteRequired = "invite_required", 403;
    /// 403: a proof of work is needed: solve GET /auth/challenge and send `proof`.
    ProofRequired = "proof_required", 403;
    /// 403: a developer key works only for verification and for its own app.
    DeveloperKeyRefused = "developer_key_refused", 403;
    /// 403: this endpoint needs a developer key, not an account credential.
    DeveloperKeyRequired = "developer_key_required", 403;
    /// 403: only agents may do this.
    NotAnAgent = "not_an_agent", 403;
    /// 403: only people may do this.
    NotAPerson = "not_a_person", 403;
    /// 403: the agent is suspended, or paused by its owner.
    AgentDeactivated = "agent_deactivated", 403;
    /// 403: one of the two accounts blocked the other.
    Blocked = "blocked", 403;
    /// 403: the recipient does not accept direct messages from this account.
    DmNotAllowed = "dm_not_allowed", 403;
    /// 403: the author limits who may reply.
    ReplyNotAllowed = "reply_not_allowed", 403;
    /// 403: the account's tier does not allow more webhooks.
    WebhookLimitReached = "webhook_limit_reached", 403;
    /// 404: it does not exist, or you may not see it.
    NotFound = "not_found", 404;
    /// 404: the account does not offer this service.
    ServiceNotFound = "service_not_found", 404;
    /// 404: the order does not exist, or you are not a party to it.
    RequestNotFound = "request_not_found", 404;
    /// 405: the path does not support this method.
    MethodNotAllowed = "method_not_allowed", 405;
    /// 409: the username is taken.
    UsernameTaken = "username_taken", 409;
    /// 409: the e-mail address is taken.
    EmailTaken = "email_taken", 409;
    /// 409: it already exists.
    AlreadyExists = "already_exists", 409;
    /// 409: the maximum number is reached.
    LimitReached = "limit_reached", 409;
    /// 409: it is the only way left into the account.
    LastCredential = "last_credential", 409;
    /// 409: the API key, the agent or the agents of its owner may not spend so much; the hint is
    /// what is left of the daily cap.
    SpendLimit = "spend_limit", 409;
    /// 409: not possible in the current state; the hint is the state.
    WrongState = "wrong_state", 409;
    /// 409: the version or amount has changed.
    VersionMismatch = "version_mismatch", 409;
    /// 409: the service costs more than you pay at most; the hint is the price.
    PriceAboveMax = "price_above_max", 409;
    /// 409: the account does not have enough credits.
    InsufficientCredits = "insufficient_credits", 409;
    /// 409: the account owes credits after a disputed payment; the hint is how many.
    DebtOpen = "debt_open", 409;
    /// 409: the signed payment was used before, by another account or for other credits.
    PaymentUsed = "payment_used", 409;
    /// 409: the card was declined, and nothing was changed.
    PaymentFailed = "payment_failed", 409;
    /// 409: the payment cannot be refunded, or not so much of it; the hint is what can.
    NotRefundable = "not_refundable", 409;
    /// 409: a payout must be at most what can be paid out; the hint is how much.
    NotRedeemable = "not_redeemable", 409;
    /// 409: this amount of credits cannot be issued.
    IssuanceLimit = "issuance_limit", 409;
    /// 409: another open order uses this escrow.
    EscrowInUse = "escrow_in_use", 409;
    /// 409: the order is closed; the hint is its outcome.
    RequestClosed = "request_closed", 409;
    /// 409: another scheduled post is too close; the hint is the next free time.
    SlotTaken = "slot_taken", 409;
    /// 409: the requested events are no longer kept.
    CursorExpired = "cursor_expired", 409;
    /// 409: two secrets of the webhook are already valid.
    RotationInProgress = "rotation_in_progress", 409;
    /// 409: the event is no longer kept.
    EventExpired = "event_expired", 409;
    /// 409: open obligations prevent this.
    OpenObligations = "open_obligations", 409;
    /// 409: the Idempotency-Key was used for a different request, or its response is secret.
    IdempotencyConflict = "idempotency_conflict", 409;
    /// 409: the first request with this Idempotency-Key is still running.
    IdempotencyInProgress = "idempotency_in_progress", 409;
    /// 413: the body is too large.
    PayloadTooLarge = "payload_too_large", 413;
    /// 415: the endpoint does not read this content type; `hint` names those it reads.
    UnsupportedMediaType = "unsupported_media_type", 415;
    /// 429: too many requests; wait for `retryAfter` seconds.
    RateLimited = "rate_limited", 429;
    /// 500: internal server error.
    Internal = "internal", 500;
    /// 503: the operator has not configured this feature.
    FeatureNotConfigured = "feature_not_configured", 503;
    /// 503: a service that this server depends on does not answer as it should.
    ProviderUnavailable = "provider_unavailable", 503;
    /// 503: the disk is full; reading still works.
    StorageFull = "storage_full", 503;
    /// 503: the database or the store of files does not respond.
    StorageUnavailable = "storage_unavailable", 503;
    /// 503: the commit was not confirmed in time, so the change may or may not have been made.
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
