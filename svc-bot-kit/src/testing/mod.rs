//! What tests of bots need: crashes everywhere, time that passes when they say so, and a network on
//! which anything gets lost.
//!
//! A program whose bot is built with this feature aborts where `SVC_CRASH_AT` says: at a point that
//! [`Report::points`] names, and how many times it is passed, such as `a call is sent:2`.

mod exchange;
mod faults;
mod harness;

pub use crate::clock::Clock;
pub use faults::{Fault, FaultProxy};
pub use harness::{BotHarness, Report};
