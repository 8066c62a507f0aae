//! Settings of linked accounts.

use std::fmt;

use serde::Deserialize;
use svc_store::error::SetupError;
use svc_types::api::links::LinkProvider;
use url::Url;

use super::is_on_loopback;

/// The services whose accounts can be linked.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Links {
    /// Google, or another OpenID provider in its place.
    pub google: GoogleLinks,
    /// X.
    pub x: XLinks,
}

/// An OpenID provider.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GoogleLinks {
    /// Its issuer, below which its metadata is found.
    pub issuer: String,
    /// What it calls this server; empty if nothing is linked there.
    pub client_id: String,
    /// What this server proves itself with.
    pub client_secret: String,
}

/// X.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct XLinks {
    /// Where people agree.
    pub authorize_url: String,
    /// Where a code is exchanged.
    pub token_url: String,
    /// Base of its API.
    pub api_url: String,
    /// What it calls this server; empty if nothing is linked there.
    pub client_id: String,
    /// What this server proves itself with; empty for a public client.
    pub client_secret: String,
}

impl fmt::Debug for GoogleLinks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { issuer, client_id, client_secret: _ } = self;
        f.debug_tuple("GoogleLinks").field(issuer).field(client_id).finish()
    }
}

impl fmt::Debug for XLinks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { authorize_url, token_url, api_url, client_id, client_secret: _ } = self;
        let mut tuple = f.debug_tuple("XLinks");
        tuple.field(authorize_url).field(token_url).field(api_url).field(client_id).finish()
    }
}

impl Links {
    /// Id and secret of this server at a provider; `None` if nothing is linked there.
    pub fn client(&self, provider: &LinkProvider) -> Option<(&str, &str)> {
        let (id, secret) = match provider {
            LinkProvider::Google => (&self.google.client_id, &self.google.client_secret),
            LinkProvider::X => (&self.x.client_id, &self.x.client_secret),
            _ => return None,
        };
        Some((id.as_str(), secret.as_str())).filter(|(id, _)| !id.is_empty())
    }

    /// Checks what the types can't express.
    pub(super) fn check(&self) -> Result<(), SetupError> {
        let Self { google, x } = self;
        for (name, url) in [
            ("google.issuer", &google.issuer),
            ("x.authorize_url", &x.authorize_url),
            ("x.token_url", &x.token_url),
            ("x.api_url", &x.api_url),
        ] {
            if !is_permitted(url) {
                let wrong = format!(
                    "links.{name} must be an https URL without query and fragment; http is for loopback"
                );
                return Err(SetupError::new(wrong));
            }
        }
        let clients = [("google", google.client()), ("x", x.client())];
        for (name, (id, secret)) in clients {
            if id.is_empty() && !secret.is_empty() {
                let wrong = format!("links.{name}.client_secret needs links.{name}.client_id");
                return Err(SetupError::new(wrong));
            }
        }
        Ok(())
    }
}

impl GoogleLinks {
    fn client(&self) -> (&str, &str) {
        (&self.client_id, &self.client_secret)
    }
}

impl XLinks {
    fn client(&self) -> (&str, &str) {
        (&self.client_id, &self.client_secret)
    }
}

/// Whether a URL is https, or http on this machine, without query and fragment.
pub(super) fn is_permitted(text: &str) -> bool {
    let Ok(url) = Url::parse(text) else { return false };
    let is_plain = url.query().is_none() && url.fragment().is_none() && url.username().is_empty();
    is_plain && (url.scheme() == "https" || url.scheme() == "http" && is_on_loopback(&url))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn providers_are_reached_by_https_except_on_this_machine() {
        for url in [
            "https://accounts.google.com",
            "https://api.x.com/2/oauth2/token",
            "http://127.0.0.1:4711",
            "http://[::1]:4711",
            "http://localhost:4711/x",
        ] {
            assert!(is_permitted(url), "{url}");
        }
        for url in [
            "",
            "accounts.google.com",
            "http://accounts.google.com",
            "https://user@accounts.google.com",
            "https://accounts.google.com/?x",
            "https://accounts.google.com/#x",
            "javascript:alert(1)",
        ] {
            assert!(!is_permitted(url), "{url}");
        }
    }
}
