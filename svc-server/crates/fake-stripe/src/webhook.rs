//! Webhooks as Stripe sends them.

use hmac::{Hmac, KeyInit, Mac};
use serde_json::Value;
use sha2::Sha256;

use crate::WEBHOOK_SECRET;

/// One webhook, ready to be sent.
#[derive(Clone, Debug)]
pub struct Delivery {
    /// What happened, such as `charge.refunded`.
    pub kind: String,
    /// The body.
    pub body: String,
    /// The value of `Stripe-Signature`.
    pub signature: String,
}

impl Delivery {
    pub(crate) fn of(event: &Value, now: i64) -> Self {
        let kind = event["type"].as_str().expect("events have a type").to_owned();
        let body = event.to_string();
        Self { kind, signature: sign(&body, WEBHOOK_SECRET, now), body }
    }
}

/// The value of `Stripe-Signature` for a body at a time in seconds.
///
/// # Panics
/// Never: HMAC takes keys of any length.
pub fn sign(body: &str, secret: &str, time: i64) -> String {
    let mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes());
    let mac = mac.expect("HMAC takes keys of any length").chain_update(format!("{time}.{body}"));
    let digest = mac.finalize().into_bytes();
    let hex = digest.iter().fold(String::new(), |text, byte| format!("{text}{byte:02x}"));
    format!("t={time},v1={hex}")
}
