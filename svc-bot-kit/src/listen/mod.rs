//! An account's events as they happen, none left out and none twice.
//!
//! The list of events is the truth: it is read by number. [`hints`] only tell when to look.

mod hints;
mod listener;
#[cfg(feature = "mqtt")]
mod mqtt;
mod notify;
mod source;

pub use listener::Listener;
#[cfg(any(feature = "bot", feature = "buyer"))]
pub(crate) use listener::is_passing;
pub use notify::Bell;
pub use source::Source;
