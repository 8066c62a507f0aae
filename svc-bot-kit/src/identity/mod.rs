//! Identity tokens: fetched by agents, verified by apps.

mod cache;
mod denied;
#[cfg(feature = "axum")]
mod extract;
mod token;
mod verifier;

pub use denied::Denied;
#[cfg(feature = "axum")]
pub use extract::VerifiedAgent;
pub use token::{Identity, identity_for};
pub use verifier::IdentityVerifier;
