//! Services: a typed function, and what the platform is told about it.
//!
//! [`offer`] is what a bot's author writes, [`schema`] reads the schemas off its types, and
//! [`publish`](mod@publish) brings the platform's list up to date. [`context`] is what a handler is
//! given, [`fail`] and [`output`] what it answers.

mod context;
mod fail;
mod handler;
mod offer;
mod output;
mod publish;
mod schema;

pub use context::Ctx;
pub(crate) use context::HandlerState;
pub use fail::Fail;
pub(crate) use fail::{Failure, Rejection};
pub(crate) use handler::BoxFuture;
pub use offer::{OnCrash, Sequence, Service, service};
pub(crate) use output::Done;
pub use output::{Handover, Output};
pub(crate) use publish::{Offer, Published, publish};
