//! Settings of how long things are kept.

use std::time::Duration;

use serde::Deserialize;

use super::span;

/// How long things are kept.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Retention {
    /// Responses stored for an Idempotency-Key.
    #[serde(deserialize_with = "span")]
    pub idempotency: Duration,
    /// Events of accounts.
    #[serde(deserialize_with = "span")]
    pub events: Duration,
    /// Notifications.
    #[serde(deserialize_with = "span")]
    pub notifications: Duration,
    /// Webhook deliveries and their attempts.
    #[serde(deserialize_with = "span")]
    pub deliveries: Duration,
}

/// Backups, and what they must not bring back.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Backup {
    pub(super) erasures: String,
    /// Age from which a backup is not restored any more.
    #[serde(deserialize_with = "span")]
    pub horizon: Duration,
}
