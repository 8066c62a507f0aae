//! Posts: written, found, and shown.

mod record;
pub mod text;
mod write;

pub use record::{Record, by_id, by_id_for, visible};
pub use write::{Draft, attachment, create, edit_texts, refuse_language};
