//! Tests of the kit against a mock of the platform and against the real server.
#![expect(clippy::unwrap_used, reason = "what these functions unwrap is what their tests assert")]

#[cfg(feature = "testing")]
mod bot;
#[cfg(feature = "buyer")]
mod buyer;
mod foreign;
mod identity;
mod token;
mod webhook;
