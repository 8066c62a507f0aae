//! Orders by direct message: opened by a `service.request`, closed by the first closing
//! `service.response`, by the clock, or by the end of the escrow that pays (spec §2.4, §2.5, §3.2).
//!
//! Rows are locked in this order: escrow, request, conversation, ledger, event counters.

mod close;
mod end;
mod input;
mod open;
mod record;

pub use close::{Answer, check_answer, close, is_over};
pub use end::{abandon, cancel, end_with_escrow, expire, note_reason};
pub use input::{Judged, Question, Terms, judge, question};
pub use open::{Opened, Order, Wishes, check, open};
pub use record::{Ended, Record, State, overdue, refuse_overdue, take};
