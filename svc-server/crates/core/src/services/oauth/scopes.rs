//! What a client may ask for: scopes of API keys, and facts about the account.

use std::fmt;

use svc_types::{Scope, Scopes};

use super::{Client, Denied, OauthError};

/// What every client may ask for, as discovery lists it.
pub const SUPPORTED: [&str; 10] = [
    "openid",
    "profile",
    "email",
    "offline_access",
    "read",
    "write",
    "dm",
    "exchange:spend",
    "exchange:sell",
    "identity",
];

/// What a client gets that asks for nothing.
const DEFAULT: &str = "read";

/// Scopes of a grant or token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GrantScopes {
    /// Parts of the interface.
    pub api: Scopes,
    /// An ID token and `/oauth/userinfo`.
    pub openid: bool,
    /// Names and picture in them.
    pub profile: bool,
    /// The verified e-mail address in them.
    pub email: bool,
}

impl GrantScopes {
    /// What a client asks for. `offline_access` changes nothing: every answer has a refresh token.
    pub fn asked(text: Option<&str>, client: &Client) -> Result<Self, Denied> {
        let text = text.filter(|text| !text.trim().is_empty()).unwrap_or(DEFAULT);
        for word in text.split_ascii_whitespace() {
            let is_own = client.is_built_in() && word == Scope::Account.as_str();
            if !SUPPORTED.contains(&word) && !is_own {
                return Err(refusal(word));
            }
        }
        Ok(Self::stored(text))
    }

    /// Reads scopes separated by spaces; unknown ones are left out.
    pub fn stored(text: &str) -> Self {
        let has = |word: &str| text.split_ascii_whitespace().any(|own| own == word);
        Self {
            api: Scopes::from(text),
            openid: has("openid"),
            profile: has("profile"),
            email: has("email"),
        }
    }

    /// Whether the set has every scope of the other.
    pub const fn holds(self, other: Self) -> bool {
        self.api.holds(other.api)
            && (self.openid || !other.openid)
            && (self.profile || !other.profile)
            && (self.email || !other.email)
    }

    /// The scopes of both.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Self::stored(&format!("{self} {other}"))
    }

    /// Whether agreeing asks for a fresh confirmation.
    pub fn needs_confirmation(self) -> bool {
        self.api.contains(&Scope::Account) || self.spends()
    }

    /// Whether it spends credits, within caps.
    pub fn spends(self) -> bool {
        self.api.contains(&Scope::ExchangeSpend)
    }

    /// Whether the e-mail address may be read. A program that manages the account could change it, too.
    pub fn reads_email(self) -> bool {
        self.email || self.api.contains(&Scope::Account)
    }

    /// The words, in one order.
    pub fn words(self) -> Vec<String> {
        let facts = [("openid", self.openid), ("profile", self.profile), ("email", self.email)];
        let facts = facts.into_iter().filter(|(_, has)| *has).map(|(word, _)| word.to_owned());
        facts.chain(self.api.iter().map(|scope| scope.to_string())).collect()
    }
}

/// The scopes separated by spaces.
impl fmt::Display for GrantScopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words().join(" "))
    }
}

fn refusal(word: &str) -> Denied {
    let reason = match word {
        "moderate" => "the scope moderate is not given to other programs",
        "account" => "the scope account is given to svc alone",
        _ => return Denied::new(OauthError::InvalidScope, unknown()),
    };
    Denied::new(OauthError::InvalidScope, reason)
}

fn unknown() -> String {
    format!("scope must name some of: {}", SUPPORTED.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_are_read_as_they_are_written() {
        let scopes = GrantScopes::stored("email read openid unheard-of exchange:spend");
        assert_eq!(scopes.to_string(), "openid email read exchange:spend");
        assert!(scopes.needs_confirmation() && scopes.spends() && !scopes.profile);
        let reader = GrantScopes::stored("read openid");
        assert!(scopes.holds(reader) && !reader.holds(scopes));
        assert_eq!(reader.with(GrantScopes::stored("dm")).to_string(), "openid read dm");
    }
}
