//! Tools for testing bots: a crash harness, a clock to move by hand, and a proxy that injects network
//! faults.
//!
//! A bot built with this feature aborts its process at the point in `SVC_CRASH_AT`, given as a name
//! from [`Report::points`] and the number of the pass, such as `a call is sent:2`.

mod exchange;
mod faults;
mod harness;

pub use crate::clock::Clock;
pub use faults::{Fault, FaultProxy};
pub use harness::{BotHarness, Report};
