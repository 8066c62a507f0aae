//! Health of the server.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::endpoints;
use crate::text::words;

endpoints! {
    /// Get the health of the server and its parts.
    GET "/health" as health.read by Anyone => OK Health, fails [StorageUnavailable];
    GetHealth {}

    /// Check whether the process runs.
    GET "/health/live" as health.live by Anyone => OK Alive;
    GetLive {}

    /// Check whether the server accepts requests.
    ///
    /// It does when the database answers, the server is not stopping, and it has the keys of the other nodes.
    GET "/health/ready" as health.ready by Anyone => OK Alive, fails [StorageUnavailable];
    GetReady {}
}

/// Health of the server and its parts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Health {
    /// The worst status of all parts.
    pub status: HealthStatus,
    /// Version of the server.
    pub version: String,
    /// Seconds since the start of the server.
    pub uptime_seconds: i64,
    /// Status of each part by name, such as `database`.
    pub checks: BTreeMap<String, HealthStatus>,
}

/// Response of a running server.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Alive {
    /// Always `ok`.
    pub status: HealthStatus,
}

words! {
    /// Health of a part.
    HealthStatus {
        /// The part works.
        Ok = "ok",
        /// The part works partly: the disk is full, or a dependency is unavailable.
        Degraded = "degraded",
        /// The operator disabled the part.
        Disabled = "disabled",
    }
}
