//! The OpenAPI document of the platform, read off its endpoints, and a page to read it on.
//!
//! - [`document()`]: OpenAPI 3.1, written by walking [`svc_types::api::visit`]
//! - [`codes`]: the refusals an endpoint may answer with, the common ones included
//! - [`docs()`]: the page, what it loads, and the [policy](DOCS_POLICY) it is served under
//!
//! Nothing here is written twice: names, paths, fields, callers and codes come from the
//! declarations in `svc-types`, texts from their doc comments. `cargo document` writes
//! `openapi/openapi.json`, and a test fails when that file is stale.

mod answer;
mod caller;
mod docs;
mod document;
mod extra;
mod header;
mod info;
mod operation;
mod refusal;
mod request;
mod schema;
mod wording;

pub use docs::{DOCS_POLICY, DocsFile, docs};
pub use document::{BASE_PATH, Document, document};
pub use refusal::codes;
