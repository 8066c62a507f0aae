//! Posts: written, found, ranked and shown.

mod delete;
pub mod rank;
mod record;
mod show;
pub mod text;
mod told;
mod write;

pub use delete::{delete, own};
pub use record::{Record, by_id, by_id_for, viewer_values, visible};
pub(in crate::services) use show::read_payload;
pub use show::{shown, shown_each, visible_all, wire, wire_all};
pub use told::everybody_of_deletion;
pub use write::{
    Draft, accept_text, attachment, create, edit_texts, find_context, refuse_language,
};
