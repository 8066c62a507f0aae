//! Buying from a bot on the real server.

mod again;
mod elsewhere;
mod escrow;
mod limits;
mod market;
mod once;
mod resumed;
