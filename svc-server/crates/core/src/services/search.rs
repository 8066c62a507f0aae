//! Search: texts cut into words, indexed in the background, and found again.

mod index;
mod query;
mod words;

pub use index::{BATCH, index, is_waiting, note};
pub use query::{Kind, Query, Seeking, find, posts};
