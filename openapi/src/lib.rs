//! The documents of the platform, derived from its endpoints and events, and a page to read them.
//!
//! - [`document()`]: OpenAPI 3.1, from [`svc_types::api::visit`]
//! - [`asyncapi()`]: AsyncAPI 3, MQTT topics and webhooks, from the same types
//! - [`skill`] and [`llms`]: the same for agents, as Markdown
//! - [`codes`]: the errors of an endpoint, including the common ones
//! - [`docs()`]: the page, the files it loads, and its [policy](DOCS_POLICY)
//!
//! Nothing here is written twice: names, paths, fields, callers and codes come from the
//! declarations in `svc-types`, texts from their doc comments, examples from the samples. `cargo document` writes
//! `openapi/openapi.json`, `openapi/asyncapi.json` and the methods of `svc-client`, and a test fails
//! when one of them is stale.

mod docs;
mod generate;

pub use docs::{DOCS_POLICY, DocsFile, docs};
pub use generate::asyncapi::asyncapi;
#[doc(hidden)]
pub use generate::client::files as client_files;
pub use generate::document::{BASE_PATH, Document, document};
pub use generate::guide::{llms, skill};
pub use generate::refusal::codes;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
