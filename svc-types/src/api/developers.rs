//! Developer apps and their keys (spec §2.9, §4).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Deleted;
use crate::endpoints;
use crate::id::AppId;
use crate::page::{Cursor, Limit, paged};
use crate::secret::DeveloperKey;
use crate::text::{Text, WebUrl, Whole, words};
use crate::time::Timestamp;

/// Most redirect URIs of an app.
pub const REDIRECT_URIS_MAX: usize = 10;

endpoints! {
    /// Register a developer app (spec §4).
    ///
    /// No account is required. If you are signed in, the app belongs to your account; a key needs the
    /// scope `account` for that.
    POST "/v1/developers/register" as developers.register by Optional cost Write
        => CREATED DeveloperRegistered as secret,
        fails [InsufficientScope, CredentialInContent, LimitReached, RateLimited];
    RegisterDeveloper {
        /// Name of the app.
        app_name: Text<1, 100>,
        /// URL of the app's website.
        website: WebUrl,
        /// What the app does.
        description: Option<Text<0, 1000>>,
        /// Where people return from "Sign in with svc", at most 10: `https` URLs, loopback URLs such
        /// as `http://127.0.0.1/callback`, or a scheme of the app such as `org.example.app:/done`.
        #[schemars(length(max = REDIRECT_URIS_MAX))]
        redirect_uris: Option<Vec<Text<1, 2000>>>,
        /// How ID tokens for the app are signed; `ES256` when omitted.
        id_token_signed_response_alg: Option<IdTokenAlg>,
    }

    /// Get your app.
    GET "/v1/developers/me" as developers.me by Developer
        => OK DeveloperEnvelope, fails [InvalidDeveloperKey, DeveloperKeyRequired];
    GetDeveloper {}

    /// Update your app.
    PATCH "/v1/developers/me" as developers.update by Developer => OK DeveloperEnvelope,
        fails [InvalidDeveloperKey, DeveloperKeyRequired, CredentialInContent];
    UpdateDeveloper {
        /// Name of the app.
        app_name: Option<Text<1, 100>>,
        /// URL of the app's website.
        website: Option<WebUrl>,
        /// What the app does.
        description: Option<Text<0, 1000>>,
        /// Where people return from "Sign in with svc", at most 10; an empty list removes all.
        #[schemars(length(max = REDIRECT_URIS_MAX))]
        redirect_uris: Option<Vec<Text<1, 2000>>>,
        /// How ID tokens for the app are signed from now on.
        id_token_signed_response_alg: Option<IdTokenAlg>,
    }

    /// Delete your app.
    ///
    /// Its developer key and its tokens end at once; accounts no longer see it among their grants.
    DELETE "/v1/developers/me" as developers.delete by Developer
        => OK Deleted, fails [InvalidDeveloperKey, DeveloperKeyRequired];
    DeleteDeveloper {}

    /// Rotate your developer key.
    ///
    /// The old key ends at once, or after an overlap. Until then it verifies identities and is a secret of the app,
    /// but changes nothing about it. An overlap of 0 also ends the keys that earlier rotations left.
    POST "/v1/developers/me/rotate-key" as developers.rotate_key by Developer
        => OK NewDeveloperKey as secret,
        fails [InvalidDeveloperKey, DeveloperKeyRequired];
    RotateDeveloperKey {
        /// Seconds until the old key ends, at most 7 days; 0 when omitted.
        overlap_seconds: Option<Whole<0, 604_800>>,
    }

    /// List the apps that your account registered, newest first.
    GET "/v1/developers/apps" as developers.apps by Account scope Account => OK DeveloperPage;
    ListApps {
        /// Page size: 1 to 100, 20 when omitted.
        limit: Option<Limit>,
        /// Cursor of the page: `nextCursor` of the page before.
        cursor: Option<Cursor>,
    }

    /// Get an app that your account registered.
    GET "/v1/developers/apps/{appId}" as developers.app by Account scope Account
        => OK DeveloperEnvelope;
    GetApp {
        /// Id of the app: `app_…`.
        app_id: AppId,
    }

    /// Rotate the developer key of an app that your account registered.
    ///
    /// The old key ends at once, or after an overlap. Until then it verifies identities and is a secret of the app,
    /// but changes nothing about it. An overlap of 0 also ends the keys that earlier rotations left.
    POST "/v1/developers/apps/{appId}/rotate-key" as developers.rotate_app_key
        by Account scope Account cost Write
        => OK NewDeveloperKey as secret;
    RotateAppKey {
        /// Id of the app: `app_…`.
        app_id: AppId,
        /// Seconds until the old key ends, at most 7 days; 0 when omitted.
        overlap_seconds: Option<Whole<0, 604_800>>,
    }

    /// Delete an app that your account registered.
    ///
    /// Its developer key and its tokens end at once; accounts no longer see it among their grants.
    DELETE "/v1/developers/apps/{appId}" as developers.delete_app
        by Account scope Account cost Write
        => OK Deleted;
    DeleteApp {
        /// Id of the app: `app_…`.
        app_id: AppId,
    }
}

words! {
    /// An algorithm that signs ID tokens.
    IdTokenAlg {
        /// ECDSA on the curve P-256.
        Es256 = "ES256",
        /// RSA with PKCS #1 v1.5, for libraries and services that support nothing else.
        Rs256 = "RS256",
    }
}

paged! {
    ListApps: developers of Developer;
}

/// A developer's app.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Developer {
    /// The app's id, used as the audience of identity tokens.
    pub id: AppId,
    /// Name of the app.
    pub app_name: String,
    /// URL of the app's website.
    pub website: String,
    /// What the app does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Where people return from "Sign in with svc".
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub redirect_uris: Vec<String>,
    /// How ID tokens for the app are signed, if it has chosen; otherwise `ES256`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id_token_signed_response_alg: Option<IdTokenAlg>,
    /// When its developer key was last used; absent before the first use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_used_at: Option<Timestamp>,
    /// Number of identities it has verified, counted about once a second.
    #[serde(default)]
    pub verifications_count: i64,
    /// When it was registered.
    pub created_at: Timestamp,
}

/// A new app and its developer key.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct DeveloperRegistered {
    /// The developer key. It is shown only once. This member is spelled with underscores.
    #[serde(rename = "developer_api_key")]
    pub developer_api_key: DeveloperKey,
    /// The app.
    pub developer: Developer,
}

/// A new developer key.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct NewDeveloperKey {
    /// The developer key. It is shown only once. This member is spelled with underscores.
    #[serde(rename = "developer_api_key")]
    pub developer_api_key: DeveloperKey,
    /// When the old key ends; absent if it has ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub previous_expires_at: Option<Timestamp>,
}

/// Response with an app.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct DeveloperEnvelope {
    /// The app.
    pub developer: Developer,
}

/// A page of apps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct DeveloperPage {
    /// The apps.
    pub developers: Vec<Developer>,
    /// Cursor of the next page; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
}
