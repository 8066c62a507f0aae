//! Where people agreed to return to, and what they allowed there.
//!
//! An app can add websites, and so can a thief of its key. What was allowed at one of them is asked for again at
//! another.

use std::fmt;

use super::GrantScopes;

/// Most origins of a grant.
const ORIGINS_MAX: usize = 20;

/// The origins of a grant, each with what was allowed there, the latest last.
///
/// Each is stored as a line, such as `https://example.org openid read`.
#[derive(Clone, Debug, Default)]
pub struct Origins(Vec<(String, GrantScopes)>);

impl Origins {
    /// Reads what is stored.
    pub fn stored(text: &str) -> Self {
        let lines = text.lines().filter_map(|line| line.split_once(' '));
        let read =
            |(origin, scopes): (&str, &str)| (origin.to_owned(), GrantScopes::stored(scopes));
        Self(lines.map(read).collect())
    }

    /// Whether these scopes were allowed at this origin.
    pub fn cover(&self, scopes: GrantScopes, origin: &str) -> bool {
        self.allowed_at(origin).is_some_and(|allowed| allowed.holds(scopes))
    }

    /// The same with these scopes at this origin. The oldest origins are asked for again.
    #[must_use]
    pub fn with(mut self, scopes: GrantScopes, origin: &str) -> Self {
        let allowed = self.allowed_at(origin).map_or(scopes, |before| before.with(scopes));
        self.0.retain(|(own, _)| own != origin);
        self.0.push((origin.to_owned(), allowed));
        self.0.drain(..self.0.len().saturating_sub(ORIGINS_MAX));
        self
    }

    fn allowed_at(&self, origin: &str) -> Option<GrantScopes> {
        self.0.iter().find(|(own, _)| own == origin).map(|(_, scopes)| *scopes)
    }
}

impl fmt::Display for Origins {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = self.0.iter().map(|(origin, scopes)| format!("{origin} {scopes}"));
        f.write_str(&lines.collect::<Vec<_>>().join("\n"))
    }
}
