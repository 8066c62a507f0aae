//! Escrows: found, moved by the table of svc-types, and shown (spec §2.7, §3.1).

mod act;
mod advance;
mod clock;
mod create;
mod log;
mod notify;
mod parties;
mod record;
mod reencrypt;

pub use act::Act;
pub use advance::{Moved, advance, give_back};
pub use clock::{advance_due, reschedule_disputes};
pub use create::{Draft, Plan, create};
pub use log::lines;
pub use parties::{agent, offer, refuse_vain};
pub use record::{
    Record, Side, locked, of_party, overdue, refuse_if_overdue, refuse_overdue, take,
};
pub use reencrypt::reencrypt;
