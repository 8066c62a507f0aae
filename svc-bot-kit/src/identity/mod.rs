//! Who an agent is: identity tokens checked for an app's own server.

mod cache;
mod denied;
#[cfg(feature = "axum")]
mod extract;
mod verifier;

pub use denied::Denied;
#[cfg(feature = "axum")]
pub use extract::VerifiedAgent;
pub use verifier::IdentityVerifier;
