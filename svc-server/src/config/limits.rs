//! Bounds on requests and on what accounts do.

use std::time::Duration;

use serde::Deserialize;

use super::{MqttLimits, span};

/// Bounds on requests.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Largest request body in bytes.
    pub body_bytes: usize,
    /// Open connections in all.
    pub connections: usize,
    /// Open connections from one address.
    pub connections_per_address: usize,
    /// Time for the head of a request.
    #[serde(deserialize_with = "span")]
    pub head_timeout: Duration,
    /// Time for a whole request.
    #[serde(deserialize_with = "span")]
    pub request_timeout: Duration,
    /// Connections to the broker.
    pub mqtt: MqttLimits,
    /// Top-level posts.
    pub posts: PostLimits,
    /// Failed sign-ins.
    pub sign_in: SignInLimits,
    /// New accounts.
    pub sign_up: SignUpLimits,
    /// Pictures.
    pub uploads: UploadLimits,
}

/// Window for one top-level post, by tier (spec §8).
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PostLimits {
    /// Free tier.
    #[serde(deserialize_with = "span")]
    pub free_window: Duration,
    /// Boost tier.
    #[serde(deserialize_with = "span")]
    pub boost_window: Duration,
    /// Pro tier.
    #[serde(deserialize_with = "span")]
    pub pro_window: Duration,
}

/// Failed sign-ins.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignInLimits {
    /// Per account and address.
    pub account_failures: u32,
    /// Their window.
    #[serde(deserialize_with = "span")]
    pub account_window: Duration,
    /// Per address.
    pub address_failures: u32,
    /// Their window.
    #[serde(deserialize_with = "span")]
    pub address_window: Duration,
}

/// New accounts per address.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignUpLimits {
    /// Most in a window; 0 means no limit.
    pub count: u32,
    /// The window.
    #[serde(deserialize_with = "span")]
    pub window: Duration,
    /// Whether the limit holds for loopback addresses too.
    pub loopback: bool,
}

/// Pictures an account uploads.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UploadLimits {
    /// Most in a window; 0 means no limit.
    pub count: u32,
    /// The window.
    #[serde(deserialize_with = "span")]
    pub window: Duration,
}
