//! Webhooks on the wire (spec §6.1): names of headers, and signatures.

#[cfg(feature = "signing")]
mod signing;
pub mod vectors;

#[cfg(feature = "signing")]
pub use signing::{Secret, SecretError};

/// HMAC-SHA256 of the body in 64 lower-case hex digits; the key is the whole secret.
pub const SIGNATURE: &str = "x-webhook-signature";
/// The kind of the event. No signature covers it; use `event` of the body.
pub const EVENT: &str = "x-webhook-event";
/// Id of the event, the same for each attempt. No signature covers it.
pub const ID: &str = "x-webhook-id";
/// Id of the event in Standard Webhooks; `webhook-signature` covers it.
pub const STANDARD_ID: &str = "webhook-id";
/// Unix seconds of the attempt; `webhook-signature` covers them.
pub const STANDARD_TIMESTAMP: &str = "webhook-timestamp";
/// Signatures over id, time and body, one per valid secret, separated by spaces.
pub const STANDARD_SIGNATURE: &str = "webhook-signature";
/// Id of the delivery.
pub const DELIVERY: &str = "x-webhook-delivery";
/// Number of the attempt, starting at 1.
pub const ATTEMPT: &str = "x-webhook-attempt";
/// The event's sequence number: a hint for ordering.
pub const SEQ: &str = "x-webhook-seq";
/// `true` for tests, otherwise absent.
pub const TEST: &str = "x-webhook-test";

/// Value of `User-Agent`.
pub const USER_AGENT: &str = "Svc-Webhooks/1.0";

/// Maximum size of a body in bytes, in every kind of delivery.
pub const EVENT_BYTES_MAX: usize = 512 * 1024;
