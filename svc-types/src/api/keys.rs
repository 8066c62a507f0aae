//! API keys: what each may do, from where, and until when.

use std::ops::RangeInclusive;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Deleted;
use crate::credits::{Credits, PositiveCredits};
use crate::endpoints;
use crate::scope::Scope;
use crate::secret::ApiKey;
use crate::text::Text;
use crate::time::{Span, Timestamp};

/// Most keys of an account beside the default one.
pub const KEYS_MAX: usize = 25;

/// Most networks that a key can be limited to.
pub const KEY_NETWORKS_MAX: usize = 10;

/// How long a key with an end lives.
pub const KEY_LIFE: RangeInclusive<Span> =
    Span::from_secs(60 * 60)..=Span::from_secs(365 * 24 * 60 * 60);

endpoints! {
    /// List your API keys: the default one, then the others by name.
    ///
    /// A key is listed until it is deleted, even after it has expired.
    GET "/auth/keys" as keys.list by Account scope Account => OK ApiKeyList;
    ListApiKeys {}

    /// Get the API key of this request.
    ///
    /// 404 for a session.
    GET "/auth/keys/current" as keys.current by Account scope Any
        => OK ApiKeyEnvelope, fails [NotFound];
    GetCurrentApiKey {}

    /// Create an API key.
    ///
    /// It may do no more than its scopes say, and no more than the credential that creates it; a key
    /// with an end, networks or caps creates none. The key is shown once. An account has at most 25
    /// keys beside the default one.
    POST "/auth/keys" as keys.create by Account scope Account cost Free
        => CREATED CreatedApiKey as secret as strict as guarded,
        fails [AlreadyExists, LimitReached, RateLimited];
    CreateApiKey {
        /// Your name for it, unique among your keys: 1–64 characters.
        name: Text<1, 64>,
        /// What it may do: at least one scope.
        #[schemars(length(min = 1))]
        scopes: Vec<Scope>,
        /// Lifetime: 1 hour to 365 days; without end when omitted.
        expires_in: Option<Span>,
        /// The networks such as `203.0.113.0/24`, or addresses, it works from, at most 10;
        /// everywhere when omitted.
        #[schemars(length(max = KEY_NETWORKS_MAX))]
        allow_from: Option<Vec<Text<2, 43>>>,
        /// The most it may spend; without caps when omitted.
        spend: Option<KeySpend>,
    }

    /// Rename an API key, or change what it may do.
    ///
    /// Other scopes or networks end the open connections of the account, which have to be opened
    /// again, and its claim link. The default key keeps its name and every scope, and has no caps. A
    /// change that lets the key do more asks for a confirmation: `POST /auth/step-up`.
    PATCH "/auth/keys/{keyId}" as keys.update by Account scope Account cost Free
        => OK ApiKeyEnvelope as strict,
        fails [StepUpRequired, NotFound, AlreadyExists, WrongState, RateLimited];
    UpdateApiKey {
        /// Public part of the key.
        key_id: Text<1, 64>,
        /// The new name: 1–64 characters.
        name: Option<Text<1, 64>>,
        /// What it may do from now on: at least one scope.
        #[schemars(length(min = 1))]
        scopes: Option<Vec<Scope>>,
        /// The networks or addresses that it may be used from, at most 10; an empty list stands for
        /// everywhere.
        #[schemars(length(max = KEY_NETWORKS_MAX))]
        allow_from: Option<Vec<Text<2, 43>>>,
        /// The most it may spend. Both caps are replaced; an empty object removes them.
        spend: Option<KeySpend>,
    }

    /// Delete an API key.
    ///
    /// It ends at once, with its open connections. The only way left into an account cannot be
    /// deleted: a password, a passkey, or a key with every scope and without an end, networks or caps
    /// has to remain.
    DELETE "/auth/keys/{keyId}" as keys.delete by Account scope Account cost Free
        => OK Deleted, fails [NotFound, LastCredential];
    DeleteApiKey {
        /// Public part of the key.
        key_id: Text<1, 64>,
    }

    /// Report an API key, a developer key or an OAuth token that you found in public.
    ///
    /// A valid key ends at once, regardless of its owner, except for the developer key of an app without an
    /// account, which nobody could replace; with a valid token, all tokens that the program got together with it
    /// end. The response does not say whether it was valid.
    POST "/auth/keys/report" as keys.report by Anyone => OK ApiKeyReported;
    ReportApiKey {
        /// The whole key or token: `svc_ak_…`, `svc_dk_…`, `svc_at_…` or `svc_rt_…`.
        token: ApiKey,
    }
}

/// Caps on what an API key may spend. Held and paid credits count, returned ones do not.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct KeySpend {
    /// Most credits for an order, escrow or pass.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub per_order: Option<PositiveCredits>,
    /// Most credits in 24 hours.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub per_day: Option<PositiveCredits>,
}

/// Caps of an API key, and what counts towards them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct KeySpending {
    /// Most credits for an order, escrow or pass.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub per_order: Option<Credits>,
    /// Most credits in 24 hours.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub per_day: Option<Credits>,
    /// Credits that it holds or has paid of the last 24 hours.
    pub spent_today: Credits,
}

/// An API key without its secret.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct ApiKeyInfo {
    /// Public part of the key, which names it.
    pub key_id: String,
    /// Its name; `default` for the key that registration returned.
    pub name: String,
    /// Whether it is the key that registration or regeneration returned.
    pub is_default: bool,
    /// What it may do.
    pub scopes: Vec<Scope>,
    /// The networks it works from; everywhere when empty.
    pub allow_from: Vec<String>,
    /// The most it may spend; absent without caps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spend: Option<KeySpending>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it expires; never without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
    /// When it was last used, to the minute.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_used_at: Option<Timestamp>,
    /// The /24 or /48 network it was last used from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_used_from: Option<String>,
}

/// Your API keys.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct ApiKeyList {
    /// The default key, then the others by name.
    pub keys: Vec<ApiKeyInfo>,
}

/// An API key.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct ApiKeyEnvelope {
    /// The key.
    pub key: ApiKeyInfo,
}

/// A new API key and its secret.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct CreatedApiKey {
    /// The key without its secret.
    pub key: ApiKeyInfo,
    /// The whole key. It is shown only once.
    pub api_key: ApiKey,
}

/// Response to the report of a key.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct ApiKeyReported {
    /// Always `true`.
    pub received: bool,
}
