//! Webhooks: verifies their sender and handles each event once.
//!
//! [`verifier`] checks requests, [`refused`] is its error, and [`replay`] detects repeated events.
//! [`extract`], [`layer`] and [`router`] integrate with axum; [`sign`] creates signed requests.

mod cause;
#[cfg(feature = "axum")]
mod extract;
#[cfg(feature = "axum")]
mod layer;
#[cfg(feature = "axum")]
mod receive;
mod refused;
mod replay;
#[cfg(feature = "axum")]
mod router;
pub mod sign;
mod verified;
mod verifier;

#[cfg(feature = "axum")]
pub use extract::Webhook;
#[cfg(feature = "axum")]
pub use layer::{WebhookLayer, WebhookService};
pub use refused::{Cause, Refused};
pub use replay::{MemoryReplay, ReplayKey, ReplayStore, Seen, StoreError};
#[cfg(feature = "axum")]
pub use router::{WebhookRouter, WebhookRoutes};
pub use verified::Verified;
pub use verifier::WebhookVerifier;
