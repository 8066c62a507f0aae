//! Grants: what you allowed other programs to do in your name, by OAuth.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Deleted;
use super::keys::KeySpend;
use super::users::UserRef;
use crate::endpoints;
use crate::id::GrantId;
use crate::time::Timestamp;

endpoints! {
    /// List what you allowed other programs to do in your name, newest first.
    GET "/auth/grants" as grants.list by Account scope Account => OK GrantList;
    ListGrants {}

    /// End a grant.
    ///
    /// Its tokens end at once, and the program has to ask again.
    DELETE "/auth/grants/{grantId}" as grants.delete by Account scope Account cost Free
        => OK Deleted, fails [NotFound];
    DeleteGrant {
        /// Id of the grant: `grt_…`.
        grant_id: GrantId,
    }
}

/// A program that acts for accounts, as it was named when it was allowed to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct GrantClient {
    /// Its id: `app_…`, `cli_…`, the URL of its document, or `svc`.
    pub client_id: String,
    /// The name it gives itself.
    pub name: String,
    /// The host it belongs to.
    pub host: String,
}

/// What an account allowed a program to do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Grant {
    /// Id of the grant.
    pub grant_id: GrantId,
    /// The program.
    pub client: GrantClient,
    /// The account it acts for.
    pub user: UserRef,
    /// What it may do: scopes of API keys, and `openid`, `profile`, `email`.
    pub scopes: Vec<String>,
    /// The URL below which its tokens work.
    pub resource: String,
    /// The most it may spend; absent without caps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub caps: Option<KeySpend>,
    /// When it was given.
    pub created_at: Timestamp,
    /// When it was last used, to the minute.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_used_at: Option<Timestamp>,
}

/// Your grants.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct GrantList {
    /// The grants, newest first, at most 100.
    pub grants: Vec<Grant>,
}
