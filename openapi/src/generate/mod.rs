//! Writes the documents from the endpoints of `svc-types`.

mod answer;
mod asyncapi;
mod caller;
mod client;
mod code;
mod document;
mod erased;
mod example;
mod extra;
mod guide;
mod header;
mod info;
mod media;
mod operation;
mod refusal;
mod request;
mod schema;
mod sdk;
mod topup;
mod webhook;
mod wording;

use std::collections::BTreeMap;

pub use asyncapi::asyncapi;
pub use document::{Document, document};
pub use guide::{llms, skill};
pub use refusal::codes;

/// Every file that is written from the declarations, by its path from the root of the repository.
pub fn files() -> BTreeMap<String, String> {
    let documents = [
        ("openapi/openapi.json", document().to_json()),
        ("openapi/asyncapi.json", asyncapi()),
        ("openapi/skill.md", skill()),
        ("openapi/llms.txt", llms()),
    ];
    let documents = documents.map(|(path, text)| (path.to_owned(), text));
    documents.into_iter().chain(sdk::sources()).collect()
}
