//! Services: typed functions that are published on the platform.
//!
//! [`offer`] is the builder of a service, [`schema`] derives the schemas from its types, and
//! [`publish`](mod@publish) updates the platform's list. A handler receives a [`context`], may report
//! [`progress`], and returns an [`output`] or a [`fail`].

mod context;
mod dialogue;
mod fail;
mod handler;
mod offer;
mod output;
mod progress;
mod publish;
mod schema;
mod sent;
mod state;

pub use context::Ctx;
pub(crate) use context::{Chat, HandlerState, Place};
pub use dialogue::Dialogue;
pub use fail::Fail;
pub(crate) use fail::{Failure, Rejection};
pub(crate) use handler::BoxFuture;
pub use offer::{OnCrash, Sequence, Service, service};
pub(crate) use output::Done;
pub use output::{Handover, Output};
pub(crate) use publish::{Offer, Published, name_key, publish};
pub use state::State;
pub(crate) use state::States;
