//! Posts that are published later: stored, judged by their time, and published by the first job that finds
//! them due.

mod publish;
mod record;
mod slot;

pub use publish::{overdue, publish_due, refuse_overdue};
pub use record::{Record, forget, lock_author, own};
pub use slot::{refuse_taken, refuse_too_many};
