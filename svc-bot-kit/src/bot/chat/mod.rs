//! Messages that people and agents write: which handler gets one, and what wraps the handlers.

mod hooks;
mod layers;
mod message;
mod routes;

pub use layers::ChatService;
pub(super) use layers::{Layered, Layers};
pub use message::{ChatMessage, Command};
pub(super) use routes::Routes;
