//! Writes the documents from the endpoints of `svc-types`.

mod answer;
pub(crate) mod asyncapi;
mod caller;
pub(crate) mod client;
mod code;
pub(crate) mod document;
mod example;
mod extra;
pub(crate) mod guide;
mod header;
mod info;
mod operation;
pub(crate) mod refusal;
mod request;
mod schema;
mod webhook;
mod wording;
