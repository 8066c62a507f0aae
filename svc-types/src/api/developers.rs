//! Developer apps and their keys (spec §2.9, §4).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Deleted;
use crate::endpoints;
use crate::id::AppId;
use crate::page::{Cursor, Limit, paged};
use crate::secret::DeveloperKey;
use crate::text::{Text, WebUrl};
use crate::time::Timestamp;

endpoints! {
    /// Register a developer's app (spec §4).
    ///
    /// Open to everybody; with an account's credential the app belongs to that account.
    POST "/v1/developers/register" by Optional => CREATED DeveloperRegistered as secret,
        fails [CredentialInContent, LimitReached, RateLimited];
    RegisterDeveloper {
        /// Name of the app.
        app_name: Text<1, 100>,
        /// Its web address.
        website: WebUrl,
        /// What it does.
        description: Option<Text<0, 1000>>,
    }

    /// Read one's own app.
    GET "/v1/developers/me" by Developer => OK DeveloperEnvelope, fails [InvalidDeveloperKey, DeveloperKeyRequired];
    GetDeveloper {}

    /// Change one's own app.
    PATCH "/v1/developers/me" by Developer => OK DeveloperEnvelope,
        fails [InvalidDeveloperKey, DeveloperKeyRequired, CredentialInContent];
    UpdateDeveloper {
        /// Name of the app.
        app_name: Option<Text<1, 100>>,
        /// Its web address.
        website: Option<WebUrl>,
        /// What it does.
        description: Option<Text<0, 1000>>,
    }

    /// Delete one's own app; its key ends at once.
    DELETE "/v1/developers/me" by Developer => OK Deleted, fails [InvalidDeveloperKey, DeveloperKeyRequired];
    DeleteDeveloper {}

    /// Replace the developer key; the old one ends at once.
    POST "/v1/developers/me/rotate-key" by Developer => OK NewDeveloperKey as secret,
        fails [InvalidDeveloperKey, DeveloperKeyRequired];
    RotateDeveloperKey {}

    /// List the apps that your account registered, newest first.
    GET "/v1/developers/apps" by Account => OK DeveloperPage;
    ListApps {
        /// Items per page.
        limit: Option<Limit>,
        /// Where the page begins.
        cursor: Option<Cursor>,
    }

    /// Read an app that your account registered.
    GET "/v1/developers/apps/{appId}" by Account => OK DeveloperEnvelope;
    GetApp {
        /// The app.
        app_id: AppId,
    }

    /// Replace the developer key of an app that your account registered.
    ///
    /// The old key ends at once.
    POST "/v1/developers/apps/{appId}/rotate-key" by Account => OK NewDeveloperKey as secret;
    RotateAppKey {
        /// The app.
        app_id: AppId,
    }

    /// Delete an app that your account registered; its key ends at once.
    DELETE "/v1/developers/apps/{appId}" by Account => OK Deleted;
    DeleteApp {
        /// The app.
        app_id: AppId,
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
    /// The app's id, which tokens name as their audience.
    pub id: AppId,
    /// Name of the app.
    pub app_name: String,
    /// Its web address.
    pub website: String,
    /// What it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// When it was registered.
    pub created_at: Timestamp,
}

/// A new app and its key.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct DeveloperRegistered {
    /// The developer key, shown this once. The spec spells this member with underscores.
    #[serde(rename = "developer_api_key")]
    pub developer_api_key: DeveloperKey,
    /// The app.
    pub developer: Developer,
}

/// A fresh developer key.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct NewDeveloperKey {
    /// The developer key, shown this once. The spec spells this member with underscores.
    #[serde(rename = "developer_api_key")]
    pub developer_api_key: DeveloperKey,
}

/// An app in its wrapper.
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
    /// Where the next page begins; absent at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
}
