//! Settings of the search for services.

use std::time::Duration;

use serde::Deserialize;
use svc_store::error::SetupError;
use url::Url;

use super::{is_on_loopback, span};
use crate::services::discovery::Synonyms;

/// Most time for a call of the embedder, for which a search waits.
const EMBEDDER_TIMEOUT_MAX: Duration = Duration::from_mins(1);

/// How services are found.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchSettings {
    /// Words of the same meaning, beside those that are built in.
    pub synonyms: Vec<String>,
    /// The program on loopback that turns texts into vectors; empty for none.
    pub embedder: String,
    /// Time for a call of it.
    #[serde(deserialize_with = "span")]
    pub embedder_timeout: Duration,
    /// How similar a service found by meaning must be at least, from 0 to 1.
    pub similarity: f64,
}

impl SearchSettings {
    /// Checks what the types can't express.
    pub(super) fn check(&self) -> Result<(), SetupError> {
        Synonyms::new(&self.synonyms).map(drop).map_err(SetupError::new)?;
        if !self.embedder.is_empty() && !is_permitted(&self.embedder) {
            let wrong =
                "search.embedder must be an http URL on loopback, as http://127.0.0.1:8600/embed";
            return Err(SetupError::new(wrong));
        }
        // A span is never empty.
        if self.embedder_timeout > EMBEDDER_TIMEOUT_MAX {
            let wrong = "search.embedder_timeout must be from 1s to 60s";
            return Err(SetupError::new(wrong));
        }
        if !(0.0..=1.0).contains(&self.similarity) {
            let wrong = "search.similarity must be between 0 and 1";
            return Err(SetupError::new(wrong));
        }
        Ok(())
    }
}

/// Texts of services leave the server only to programs of its own machine.
fn is_permitted(text: &str) -> bool {
    let Ok(url) = Url::parse(text) else { return false };
    let is_plain =
        url.username().is_empty() && url.password().is_none() && url.fragment().is_none();
    url.scheme() == "http" && is_on_loopback(&url) && is_plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_embedder_is_on_loopback() {
        for url in ["http://127.0.0.1:8600/embed", "http://localhost/?model=2", "http://[::1]:1"] {
            assert!(is_permitted(url), "{url}");
        }
        for url in [
            "http://10.0.0.1/",
            "http://example.org/",
            "https://localhost/",
            "a",
            "http://a@localhost/",
        ] {
            assert!(!is_permitted(url), "{url}");
        }
    }
}
