//! What goes on by itself beside the requests, on every node; none of it needs a leader.

pub mod erase;
pub mod flush;
pub mod index;
pub mod rankings;
pub mod recover;
pub mod sweep;
