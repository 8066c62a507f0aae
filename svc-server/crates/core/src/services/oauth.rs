//! OAuth 2.1 and OpenID: programs that act for accounts within what these allowed.
//!
//! A grant is what an account allowed a client to do. Each exchange of a code or of a device code
//! begins a family of tokens: one refresh token that is replaced at every use, and the access tokens
//! it brought. Tokens are opaque and stored as hashes, so that what ends ends at once.
//!
//! | module | what it holds |
//! |---|---|
//! | [`client`] | programs: developer apps, registered ones, documents, and `svc` |
//! | [`redirect`] | where people may return to |
//! | [`scopes`] | what a client may ask for |
//! | [`choice`] | the account that a person chooses for a program |
//! | [`grant`] | what accounts allowed |
//! | [`origins`] | the websites where they did |
//! | [`deleted_app`] | the same, of apps that were deleted |
//! | [`code`] | from consent to the first tokens |
//! | [`token`] | families of tokens |
//! | `successor` | refresh tokens that follow one another |
//! | [`device`] | sign-in on a device without a browser |
//! | [`id_token`] | who signed in, signed |
//! | [`signing`] | the keys that sign |
//! | [`denied`] | refusals, as RFC 6749 words them |

pub mod choice;
pub mod client;
pub mod code;
pub mod deleted_app;
pub mod denied;
pub mod device;
pub mod grant;
pub mod id_token;
pub mod origins;
pub mod redirect;
pub mod scopes;
pub mod signing;
mod successor;
pub mod token;

pub use self::client::Client;
pub use self::denied::{Denied, OauthError};
pub use self::scopes::GrantScopes;

use svc_store::error::Result;

use crate::app::App;
use crate::expired::Sweep;

/// The result of a step: what it gives, or its refusal, which keeps what the step changed.
pub type Outcome<T> = Result<Result<T, Denied>>;

/// What removes rows that are no longer needed.
pub const SWEEPS: [Sweep; 7] = [
    code::forget,
    token::forget_access,
    token::forget_families,
    device::forget,
    grant::forget,
    client::forget,
    signing::forget,
];

/// The part of the server that tokens work for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resource {
    /// The API.
    Api,
    /// The tools for agents.
    Mcp,
}

impl Resource {
    const ALL: [Self; 2] = [Self::Api, Self::Mcp];

    /// As it is stored, and at the end of its URL.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Api => "api",
            Self::Mcp => "mcp",
        }
    }

    /// The URL that names it.
    pub fn url(self, app: &App) -> String {
        format!("{}/{}", app.public_url, self.as_str())
    }

    /// The resource with this URL.
    pub fn named(app: &App, url: &str) -> Result<Self, Denied> {
        let url = url.strip_suffix('/').unwrap_or(url);
        let found = Self::ALL.into_iter().find(|resource| resource.url(app) == url);
        found.ok_or_else(|| {
            let [api, mcp] = Self::ALL.map(|resource| resource.url(app));
            Denied::new(OauthError::InvalidTarget, format!("resource must be {api} or {mcp}"))
        })
    }

    /// The resource with this stored name.
    pub fn stored(text: &str) -> Self {
        if text == Self::Mcp.as_str() { Self::Mcp } else { Self::Api }
    }
}
