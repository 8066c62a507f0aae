//! Storage of the svc server: transactions over SQLite or PostgreSQL, the clock, and the error type
//! that every layer above returns.
//!
//! | module | what it holds |
//! |---|---|
//! | [`db`] | the database behind one small interface; the only place that knows an engine |
//! | [`clock`] | the one source of time, moved by hand in tests |
//! | [`error`] | refusals that callers see, faults that only the log sees |
//! | [`panics`] | panics that are caught, so that work in the background goes on |
//! | [`trace`] | the trace that work belongs to, and its spans |

pub mod clock;
pub mod db;
pub mod error;
pub mod panics;
#[cfg(feature = "testing")]
pub mod testing;
pub mod trace;
