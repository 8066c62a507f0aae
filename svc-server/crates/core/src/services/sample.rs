//! Samples of services that are orders: proposed by their sellers, agreed to by their buyers.
//!
//! A sample that its buyer agreed to is stored with the other samples of the service, together with
//! the id of its order; the row of the proposal says how far it is. Who acts locks the order first,
//! then its messages, then the service. Proposals change under the lock of their service.

mod act;
mod end;
mod judge;
mod list;
mod record;
mod stored;

pub use act::{answer, propose, withdraw};
pub use end::{end_of_buyer, end_of_message, end_of_service};
pub use judge::{Judged, Question, judge, load_answer, load_proposal};
pub use list::of_service;
pub use record::of_order;
pub use stored::{merged, stored};
