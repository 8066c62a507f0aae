//! What goes wrong in this crate beside single requests.

use std::error::Error as StdError;

/// A result with [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a bot can't begin or go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The platform can't be used: it refuses, or the client is set up wrongly.
    #[error(transparent)]
    Client(#[from] svc_client::Error),
    /// The journal can't be opened, read or written.
    #[error("the journal {problem}")]
    #[non_exhaustive]
    Journal {
        /// What is wrong with it.
        problem: String,
        /// What the storage said.
        source: Option<Box<dyn StdError + Send + Sync>>,
    },
    /// The bot is set up wrongly.
    #[error("{problem}")]
    #[non_exhaustive]
    Config {
        /// What is wrong, and what would be right.
        problem: String,
    },
}
