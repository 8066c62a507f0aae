//! Search: texts cut into words, indexed in the background, and found again.

mod index;
mod query;
pub(super) mod words;

pub use index::{BATCH, index, is_waiting, note};
pub(super) use query::asked;
pub use query::{Kind, Query, Seeking, find, posts};
