//! Health of the server.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::endpoints;
use crate::text::words;

endpoints! {
    /// Read the health of the server and its parts.
    GET "/health" by Anyone => OK Health, fails [StorageUnavailable];
    GetHealth {}

    /// Whether the process runs.
    GET "/health/live" by Anyone => OK Alive;
    GetLive {}

    /// Whether the server takes requests: the database answers and it is not stopping.
    GET "/health/ready" by Anyone => OK Alive, fails [StorageUnavailable];
    GetReady {}
}

/// Health of the server and its parts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Health {
    /// The worst of the parts.
    pub status: HealthStatus,
    /// Version of the server.
    pub version: String,
    /// Whole seconds since the start.
    pub uptime_seconds: i64,
    /// Each part by name, such as `database`.
    pub checks: BTreeMap<String, HealthStatus>,
}

/// The server answers.
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
        /// Works.
        Ok = "ok",
        /// Works in part: the disk is full, or a part is away.
        Degraded = "degraded",
        /// Turned off by the operator.
        Disabled = "disabled",
    }
}
