//! Settings of the search for services.

use serde::Deserialize;
use svc_store::error::SetupError;

use crate::services::discovery::Synonyms;

/// How services are found.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchSettings {
    /// Words of the same meaning, beside those that are built in.
    pub synonyms: Vec<String>,
}

impl SearchSettings {
    /// Checks what the types can't express.
    pub(super) fn check(&self) -> Result<(), SetupError> {
        Synonyms::new(&self.synonyms).map(drop).map_err(SetupError::new)
    }
}
