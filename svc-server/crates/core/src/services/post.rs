//! Posts: writing, lookup, ranking and views.

pub mod code;
mod delete;
mod draft;
pub mod html;
mod notify;
pub mod rank;
mod record;
mod show;
pub mod text;
mod write;

pub use delete::{delete, own, own_locked};
pub use draft::Draft;
pub use notify::{empty_events, everybody_of_deletion, shown_of};
pub use record::{Record, by_id, viewer_values, visible};
pub(in crate::services) use show::read_payload;
pub use show::{
    load_each_visible, load_visible, to_api, to_api_all, visible_records, without_unwanted_quotes,
};
pub use write::{
    accept_edit, accept_text, attachment, create, edit_texts, find_context, is_language,
    refuse_blank, refuse_blank_warning, refuse_language,
};
