//! The error type of this crate.

use std::error::Error as StdError;

#[cfg(feature = "buyer")]
use svc_client::types::api::messages::Message;
#[cfg(feature = "buyer")]
use svc_client::types::schema::Fault;
#[cfg(feature = "buyer")]
use svc_client::types::{Checksum, Credits, EscrowId};

/// A result with [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of a bot, a journal or a buyer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A request to the platform failed, or the client is misconfigured.
    #[error(transparent)]
    Client(#[from] svc_client::Error),
    /// The journal can't be opened, read or written.
    #[error("the journal {problem}")]
    #[non_exhaustive]
    Journal {
        /// What is wrong, as the end of the sentence "the journal …".
        problem: String,
        /// The underlying error of SQLite or the file system.
        source: Option<Box<dyn StdError + Send + Sync>>,
    },
    /// The bot or the order is misconfigured.
    #[error("{problem}")]
    #[non_exhaustive]
    Config {
        /// What is wrong and what would be right.
        problem: String,
    },
    /// The order would exceed a spending limit. Nothing was sent.
    #[cfg(feature = "buyer")]
    #[error("{}", over_limit(limit, *asked, *left))]
    #[non_exhaustive]
    SpendLimit {
        /// The limit: `max_credits`, `per_order`, `per_provider`, `per_day` or `only`.
        limit: &'static str,
        /// The cost of the order.
        asked: Credits,
        /// The credits that the limit still allows.
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
        /// The names of the services it does offer.
        offers: Vec<String>,
    },
    /// The input does not match the published schema. Nothing was sent.
    #[cfg(feature = "buyer")]
    #[error("the input does not match the schema: {}", list(faults))]
    #[non_exhaustive]
    Input {
        /// The faults, at most 20.
        faults: Vec<Fault>,
    },
    /// The output of a completed order is not of the expected type.
    #[cfg(feature = "buyer")]
    #[error(
        "the order is completed and paid, but its output is not of the expected type: {source}"
    )]
    #[non_exhaustive]
    Output {
        /// The provider's answer, with the output as it was sent.
        answer: Box<Message>,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// The balance does not cover the escrow, which was cancelled. Nothing was ordered.
    #[cfg(feature = "buyer")]
    #[error("the balance does not cover the escrow of {}; nothing was ordered", asked.in_words())]
    #[non_exhaustive]
    InsufficientCredits {
        /// The amount of the escrow.
        asked: Credits,
    },
    /// The id belongs to an order of another service.
    #[cfg(feature = "buyer")]
    #[error("the order {id} is for the service {service}; use another id for a new order")]
    #[non_exhaustive]
    OrderExists {
        /// The order's id.
        id: String,
        /// The name of the service that was ordered.
        service: String,
    },
    /// The id belongs to an order with other input. Nothing was sent.
    #[cfg(feature = "buyer")]
    #[error(
        "the order {id} was begun with other input: {begun}, now {asked}; use another id for a new order"
    )]
    #[non_exhaustive]
    OrderDiffers {
        /// The order's id.
        id: String,
        /// SHA-256 of provider, service and input of the earlier order.
        begun: Checksum,
        /// SHA-256 of provider, service and input of this order.
        asked: Checksum,
    },
    /// The order with this id ended before it was sent, because its escrow was cancelled or refunded.
    #[cfg(feature = "buyer")]
    #[error("the escrow {escrow} of the order {id} has ended; use another id for a new order")]
    #[non_exhaustive]
    OrderEnded {
        /// The order's id.
        id: String,
        /// The escrow that ended.
        escrow: EscrowId,
    },
    /// The checksum of the work does not match. The escrow was not released.
    #[cfg(feature = "buyer")]
    #[error("the checksum of the work is not {claimed}; the escrow was not released")]
    #[non_exhaustive]
    Checksum {
        /// The checksum claimed by the provider.
        claimed: Checksum,
        /// The actual checksum; `None` if the work has no data.
        seen: Option<Checksum>,
    },
    /// The work is external and its checksum was not verified. The escrow was not released.
    #[cfg(feature = "buyer")]
    #[error("the work of {escrow} is external; verify it with release_checked")]
    #[non_exhaustive]
    Unchecked {
        /// The escrow.
        escrow: EscrowId,
    },
}

#[cfg(any(feature = "bot", feature = "buyer"))]
impl Error {
    pub(crate) fn config(problem: impl Into<String>) -> Self {
        Self::Config { problem: problem.into() }
    }
}

/// Why a limit refuses an order: `only` is about providers, all others are about credits.
#[cfg(feature = "buyer")]
fn over_limit(limit: &str, asked: Credits, left: Credits) -> String {
    match limit {
        "only" => {
            "the provider must be one of those that the buyer's limit `only` names".to_owned()
        }
        _ => format!("the order costs {}, and {limit} leaves {left}", asked.in_words()),
    }
}

#[cfg(feature = "buyer")]
fn list(faults: &[Fault]) -> String {
    faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}
