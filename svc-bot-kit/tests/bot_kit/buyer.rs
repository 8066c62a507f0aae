//! Buying from a bot on the real server.

mod escrow;
mod limits;
mod lossy;
mod market;
mod once;
mod resumed;
