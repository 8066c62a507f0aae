//! Settings of how long things are kept.

use std::time::Duration;

use serde::Deserialize;
use svc_store::error::SetupError;

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

impl Retention {
    /// Checks what the types can't express.
    pub(super) fn check(&self) -> Result<(), SetupError> {
        if self.idempotency < Duration::from_hours(24) {
            return Err(SetupError::new("retention.idempotency must be at least 24h".to_owned()));
        }
        if self.notifications < self.events {
            let message = "retention.notifications must be at least retention.events";
            return Err(SetupError::new(message.to_owned()));
        }
        Ok(())
    }
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
