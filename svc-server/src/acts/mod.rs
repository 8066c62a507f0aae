//! Transaction scripts that more than one feature needs, each named by its noun.
//!
//! A script gets the transaction first, then who, then what. It waits for nothing and calls
//! nobody outside.

pub mod account;
pub mod audit;
pub mod columns;
pub mod message;
pub mod post;
pub mod secrets;
pub mod session;
