//! Writes the documents from the endpoints of `svc-types`.

mod answer;
mod asyncapi;
mod caller;
mod client;
mod code;
mod document;
mod example;
mod extra;
mod guide;
mod header;
mod info;
mod operation;
mod refusal;
mod request;
mod schema;
mod webhook;
mod wording;

pub use asyncapi::asyncapi;
pub use client::files as client_files;
pub use document::{Document, document};
pub use guide::{llms, skill};
pub use refusal::codes;
