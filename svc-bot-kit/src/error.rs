//! What goes wrong in this crate beside single requests.

use std::error::Error as StdError;

#[cfg(feature = "buyer")]
use svc_client::types::schema::Fault;
#[cfg(feature = "buyer")]
use svc_client::types::{Checksum, Credits, EscrowId};

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
    /// The order would cost more than a limit leaves; nothing was sent.
    #[cfg(feature = "buyer")]
    #[error("the order costs {}, and {limit} leaves {left}", asked.in_words())]
    #[non_exhaustive]
    SpendLimit {
        /// The limit: `max_credits`, `per_order`, `per_provider`, `per_day` or `only`.
        limit: &'static str,
        /// What it costs.
        asked: Credits,
        /// What may still be spent.
        left: Credits,
    },
    /// The provider offers no such service.
    #[cfg(feature = "buyer")]
    #[error("@{provider} offers no service {service}")]
    #[non_exhaustive]
    NoService {
        /// The provider, as the order names it.
        provider: String,
        /// The service, as the order names it.
        service: String,
        /// What it does offer, in its own words.
        offers: Vec<String>,
    },
    /// The input does not fit what the service publishes; nothing was sent.
    #[cfg(feature = "buyer")]
    #[error("the input does not fit: {}", list(faults))]
    #[non_exhaustive]
    Input {
        /// Every fault, up to 20.
        faults: Vec<Fault>,
    },
    /// The balance is short of what the escrow takes; it was cancelled, and nothing was ordered.
    #[cfg(feature = "buyer")]
    #[error("the escrow takes {}, more than is there; nothing was ordered", asked.in_words())]
    #[non_exhaustive]
    InsufficientCredits {
        /// What the escrow takes.
        asked: Credits,
    },
    /// The id stands for an order of another service.
    #[cfg(feature = "buyer")]
    #[error("the order {id} is one of {service}; a new order takes another id")]
    #[non_exhaustive]
    OrderExists {
        /// The order's id.
        id: String,
        /// The service it is one of, in its provider's words.
        service: String,
    },
    /// The id stands for an order with other input; nothing was sent.
    #[cfg(feature = "buyer")]
    #[error(
        "the order {id} was begun with other input: {begun}, now {asked}; a new order takes another id"
    )]
    #[non_exhaustive]
    OrderDiffers {
        /// The order's id.
        id: String,
        /// SHA-256 of provider, service and input of the order that was begun.
        begun: Checksum,
        /// The same of the order that was asked for.
        asked: Checksum,
    },
    /// The order of this id ended before it was sent: its escrow was cancelled.
    #[cfg(feature = "buyer")]
    #[error("the order {id} ended with its escrow {escrow}; a new order takes another id")]
    #[non_exhaustive]
    OrderEnded {
        /// The order's id.
        id: String,
        /// The escrow that was to pay.
        escrow: EscrowId,
    },
    /// The work is not what its checksum says; it was not released.
    #[cfg(feature = "buyer")]
    #[error("the checksum of the work is not {claimed}; it was not released")]
    #[non_exhaustive]
    Checksum {
        /// What was delivered as its checksum.
        claimed: Checksum,
        /// What it is; none when there is nothing to take it of.
        seen: Option<Checksum>,
    },
    /// The work of an escrow lies elsewhere and was not looked at; it was not released.
    #[cfg(feature = "buyer")]
    #[error("the work of {escrow} lies elsewhere; release_checked takes its checksum")]
    #[non_exhaustive]
    Unchecked {
        /// The escrow.
        escrow: EscrowId,
    },
}

#[cfg(any(feature = "bot", feature = "buyer"))]
impl Error {
    /// What is asked for can't be done so.
    pub(crate) fn config(problem: impl Into<String>) -> Self {
        Self::Config { problem: problem.into() }
    }
}

#[cfg(feature = "buyer")]
fn list(faults: &[Fault]) -> String {
    faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}
