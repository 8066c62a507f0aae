//! Search: texts cut into words, indexed in the background, and found again.

mod index;
mod query;
pub(super) mod words;

pub use index::{BATCH, NOTE, index, index_one, is_waiting, note, waiting};
pub(super) use query::asked;
pub use query::{Kind, Query, Seeking, find, posts};
