//! Who an agent is: tokens shown by agents, and checked for an app's own server.

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
