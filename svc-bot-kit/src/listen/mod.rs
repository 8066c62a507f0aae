//! An account's events in order, without gaps or duplicates.
//!
//! The platform's list of events is the source of truth and is read by sequence number. [`hints`]
//! only trigger a poll. [`channels`] reads the messages of channels, whose lists have no numbers.

mod channel_hints;
mod channels;
mod hints;
mod listener;
mod live;
#[cfg(feature = "mqtt")]
mod mqtt;
mod notifier;
mod passing;
mod source;
mod stream;

pub use channels::ChannelListener;
pub use listener::Listener;
pub use notifier::Notifier;
#[cfg(any(feature = "bot", feature = "buyer"))]
pub(crate) use passing::{asked_wait, may_answer_later};
#[cfg(feature = "bot")]
pub(crate) use passing::{is_inactive, is_passing};
pub use source::Source;
