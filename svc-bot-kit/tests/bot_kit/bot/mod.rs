//! Bots on the real server.

mod away;
mod crashes;
mod market;
mod orders;
mod publishing;
mod schedule;
