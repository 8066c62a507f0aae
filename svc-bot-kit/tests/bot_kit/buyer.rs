//! Buying from a bot on the real server.

mod escrow;
mod limits;
mod market;
mod once;
mod reconcile;
mod repeat;
mod resumed;
