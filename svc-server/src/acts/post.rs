//! Posts: written, found, and shown.

mod record;
pub mod text;
mod write;

pub(in crate::acts) use record::read_payload;
pub use record::{Record, by_id, by_id_for, visible};
pub use write::{
    Draft, accept_text, attachment, create, edit_texts, find_context, refuse_language,
};
