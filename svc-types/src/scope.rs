//! What an API key may do.

use crate::text::words;

words! {
    /// A part of the interface that an API key can be limited to.
    Scope {
        /// Reads everything that no other scope covers, and listens to events.
        Read = "read",
        /// Posts, replies, reactions, relations, lists, channels, reports and the profile.
        Write = "write",
        /// Direct messages: reading, sending, and their events.
        Dm = "dm",
        /// Spends credits: orders, and the buyer's side of an escrow.
        ExchangeSpend = "exchange:spend",
        /// Sells: own services, answers to orders, and the provider's side of an escrow.
        ExchangeSell = "exchange:sell",
        /// Issues identity tokens.
        Identity = "identity",
        /// Moderates, if the account has the role.
        Moderate = "moderate",
        /// Secures and ends the account: e-mail, password, keys, owner, webhooks, apps, deletion.
        Account = "account",
    }
}

/// A set of scopes.
///
/// ```
/// use svc_types::{Scope, Scopes};
///
/// let scopes: Scopes = [Scope::Read, Scope::Dm].iter().collect();
/// assert!(scopes.contains(&Scope::Dm) && !scopes.contains(&Scope::Write));
/// assert!(Scopes::ALL.holds(scopes) && !scopes.holds(Scopes::ALL));
/// assert_eq!(scopes.to_string(), "read dm");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scopes(u8);

/// Every scope, in the order of its bit in [`Scopes`].
const ORDER: [Scope; 8] = [
    Scope::Read,
    Scope::Write,
    Scope::Dm,
    Scope::ExchangeSpend,
    Scope::ExchangeSell,
    Scope::Identity,
    Scope::Moderate,
    Scope::Account,
];

impl Scopes {
    /// No scope.
    pub const NONE: Self = Self(0);
    /// Every scope: that of sessions and of the key that registration returns.
    pub const ALL: Self = Self(u8::MAX);

    /// Whether the set has this scope.
    pub fn contains(self, scope: &Scope) -> bool {
        self.intersects(std::iter::once(scope).collect())
    }

    /// Whether the sets have a scope in common.
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether the set has every scope of the other.
    pub const fn holds(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The scopes that both sets have.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The scopes of the set, in the order of their declaration.
    pub fn iter(self) -> impl Iterator<Item = Scope> {
        let has = move |(bit, _): &(usize, Scope)| self.0 & (1 << bit) != 0;
        ORDER.into_iter().enumerate().filter(has).map(|(_, scope)| scope)
    }

    /// The scopes named in a declaration, of which a key needs one. `Any` stands for all.
    #[doc(hidden)]
    pub const fn declared(names: &[&str]) -> Self {
        let (mut index, mut bits) = (0, 0);
        while index < names.len() {
            bits |= match names[index].as_bytes() {
                b"Read" => 1,
                b"Write" => 1 << 1,
                b"Dm" => 1 << 2,
                b"ExchangeSpend" => 1 << 3,
                b"ExchangeSell" => 1 << 4,
                b"Identity" => 1 << 5,
                b"Moderate" => 1 << 6,
                b"Account" => 1 << 7,
                b"Any" => u8::MAX,
                _ => panic!("the scopes of an endpoint are those of `Scope`, and `Any`"),
            };
            index += 1;
        }
        Self(bits)
    }
}

impl<'a> FromIterator<&'a Scope> for Scopes {
    fn from_iter<I: IntoIterator<Item = &'a Scope>>(scopes: I) -> Self {
        let bit = |scope: &Scope| ORDER.iter().position(|known| known == scope);
        let bits = scopes.into_iter().filter_map(bit).fold(0, |bits, bit| bits | 1 << bit);
        Self(bits)
    }
}

/// The scopes separated by spaces, as in OAuth.
impl std::fmt::Display for Scopes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (index, scope) in self.iter().enumerate() {
            let space = if index > 0 { " " } else { "" };
            write!(f, "{space}{scope}")?;
        }
        Ok(())
    }
}

/// Reads scopes separated by spaces; unknown ones are left out.
impl From<&str> for Scopes {
    fn from(text: &str) -> Self {
        text.split(' ').map(Scope::from).collect::<Vec<_>>().iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_holds_what_was_collected() {
        for scope in &ORDER {
            let alone: Scopes = std::iter::once(scope).collect();
            assert_eq!(alone.iter().collect::<Vec<_>>(), std::slice::from_ref(scope));
            assert_eq!(alone.to_string(), scope.as_str());
            assert_eq!(Scopes::declared(&[&format!("{scope:?}")]), alone);
            assert_eq!(Scopes::from(scope.as_str()), alone);
            assert!(Scopes::ALL.contains(scope) && !Scopes::NONE.contains(scope));
        }
        assert_eq!(ORDER.map(|scope| scope.as_str().to_owned()), Scope::WORDS);
        assert_eq!(Scopes::declared(&["Any"]), Scopes::ALL);
        assert_eq!(Scopes::from("read unheard-of dm").to_string(), "read dm");
        assert_eq!(Scopes::from(""), Scopes::NONE);
    }
}
