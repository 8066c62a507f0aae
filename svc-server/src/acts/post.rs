//! Posts: written, found, ranked and shown.

pub mod rank;
mod record;
mod show;
pub mod text;
mod told;
mod write;

pub use record::{Record, by_id, by_id_for, viewer_values, visible};
pub use show::{shown, shown_each, visible_all, wire, wire_all};
pub use write::{Draft, attachment, create, edit_texts, refuse_language};
