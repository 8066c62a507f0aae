//! What tests of bots need: crashes everywhere.

mod harness;

pub use harness::{BotHarness, Report};
