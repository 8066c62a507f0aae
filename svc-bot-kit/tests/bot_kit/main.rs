//! Tests of the kit against a mock of the platform.
#![expect(clippy::unwrap_used, reason = "what these functions unwrap is what their tests assert")]

mod foreign;
mod identity;
mod webhook;
