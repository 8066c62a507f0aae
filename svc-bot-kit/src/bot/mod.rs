//! Bots: every order is answered once, whatever happens to the process.
//!
//! [`source`] takes in what happened; what there is to do is in the journal before anything is done.
//! [`run`] starts it in the order of [`lanes`]; [`work`] does one job: [`check`] what was ordered, run
//! the handler, store the [`answer`] in the journal, [`send`] it until the platform took it. A
//! process that ends anywhere goes on from the journal.

mod answer;
mod builder;
mod check;
mod crash;
mod lanes;
mod run;
mod send;
mod shared;
mod signals;
mod sort;
mod source;
mod start;
mod work;

pub use builder::{Bot, JournalPlace};
#[cfg(feature = "testing")]
pub(crate) use crash::Crash;
