//! How events travel to webhooks (spec §6.1): names of headers, and signatures.

#[cfg(feature = "signing")]
mod signing;
pub mod vectors;

#[cfg(feature = "signing")]
pub use signing::{Secret, SecretError};

/// HMAC-SHA256 of the body in 64 lower-case hex digits; the key is the whole secret.
pub const SIGNATURE: &str = "x-webhook-signature";
/// The kind of the event. No signature covers it: the body's `event` decides.
pub const EVENT: &str = "x-webhook-event";
/// Id of the event, the same however often it is sent. No signature covers it.
pub const ID: &str = "x-webhook-id";
/// Id of the event as Standard Webhooks names it; `webhook-signature` covers it.
pub const STANDARD_ID: &str = "webhook-id";
/// Unix seconds of this attempt; `webhook-signature` covers them.
pub const STANDARD_TIMESTAMP: &str = "webhook-timestamp";
/// Signatures over id, time and body, one per live secret, with spaces between.
pub const STANDARD_SIGNATURE: &str = "webhook-signature";
/// Id of the delivery.
pub const DELIVERY: &str = "x-webhook-delivery";
/// Which attempt of the delivery it is, from 1 on.
pub const ATTEMPT: &str = "x-webhook-attempt";
/// The event's number among the account's: a hint for their order.
pub const SEQ: &str = "x-webhook-seq";
/// `true` on test sends, absent on others.
pub const TEST: &str = "x-webhook-test";

/// What the sender calls itself in `User-Agent`.
pub const USER_AGENT: &str = "Svc-Webhooks/1.0";

/// Most bytes of a body, wherever it travels.
pub const EVENT_BYTES_MAX: usize = 512 * 1024;
