//! The reference server.

pub mod clock;
pub mod error;
