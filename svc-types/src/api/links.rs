//! Linked accounts: proof that an account elsewhere belongs to the same person.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Deleted;
use crate::endpoints;
use crate::secret::LinkUrl;
use crate::text::words;
use crate::time::Timestamp;

endpoints! {
    /// List the accounts elsewhere that are linked to yours.
    GET "/auth/links" as links.list by Account scope Account => OK LinkList;
    ListLinks {}

    /// Begin to link an account elsewhere.
    ///
    /// Open the URL in a browser within ten minutes and sign in there. It works once. Then
    /// `googleVerified` or `xVerified` of your account is true. Another account of the same provider
    /// replaces the one that is linked. An account elsewhere is linked to one account here only.
    POST "/auth/links/{provider}/begin" as links.begin by Account scope Account cost Free
        => OK LinkBegun as secret as guarded,
        fails [FeatureNotConfigured, ProviderUnavailable, RateLimited];
    BeginLink {
        /// Where the other account is.
        provider: LinkProvider,
    }

    /// Unlink an account elsewhere.
    ///
    /// `googleVerified` or `xVerified` of your account becomes false.
    DELETE "/auth/links/{provider}" as links.delete by Account scope Account cost Free
        => OK Deleted as guarded, fails [NotFound];
    DeleteLink {
        /// Where the other account is.
        provider: LinkProvider,
    }
}

words! {
    /// A service whose accounts can be linked.
    LinkProvider {
        /// Google, with a verified e-mail address.
        Google = "google",
        /// X.
        X = "x",
    }
}

/// A link that was begun.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct LinkBegun {
    /// Where to sign in, in a browser, within ten minutes. It is shown only once, and works once.
    pub url: LinkUrl,
}

/// A linked account.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Link {
    /// Where it is.
    pub provider: LinkProvider,
    /// Since when it is linked.
    pub linked_at: Timestamp,
}

/// Your linked accounts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct LinkList {
    /// The linked accounts, at most one of each provider.
    pub links: Vec<Link>,
}
