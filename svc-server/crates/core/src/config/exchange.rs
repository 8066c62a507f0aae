//! Settings of credits and deals.

use std::time::Duration;

use serde::{Deserialize, Deserializer};
use svc_types::api::escrow::DisputeOutcome;
use svc_types::{Credits, Span};

use super::span;

/// Credits and deals.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exchange {
    /// Credits of a new account.
    pub signup_grant: Credits,
    /// Time until an unanswered service request expires.
    #[serde(deserialize_with = "span")]
    pub request_life: Duration,
    /// Time for the buyer to review a delivery.
    #[serde(deserialize_with = "span")]
    pub review_window: Duration,
    /// Time until an undecided dispute ends, if it does.
    #[serde(deserialize_with = "span_or_never")]
    pub dispute_timeout: Option<Duration>,
    /// How it ends then.
    pub dispute_timeout_outcome: DisputeOutcome,
    /// Time between two audits, if there are any.
    #[serde(deserialize_with = "span_or_never")]
    pub audit_every: Option<Duration>,
    /// Encryption keys in base64, newest first.
    pub(crate) sealing_keys: Vec<String>,
}

fn span_or_never<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Duration>, D::Error> {
    let text = String::deserialize(deserializer)?;
    if text.is_empty() {
        return Ok(None);
    }
    let span: Result<Span, _> = text.parse();
    span.map(|span| Some(span.duration())).map_err(serde::de::Error::custom)
}
