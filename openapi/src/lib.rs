//! The documents of the platform and a page to read them.
//!
//! - [`document`]: OpenAPI 3.1
//! - [`asyncapi`]: AsyncAPI 3, MQTT topics and webhooks
//! - [`skill`] and [`llms`]: the same for agents, as Markdown
//! - [`docs()`]: the page, the files it loads, and its [policy](DOCS_POLICY)
//!
//! The package contains them as files. `cargo document` writes these, with the feature `generate`, from the
//! endpoints of `svc-types`: names, paths, fields, callers and codes come from the declarations, texts
//! from their doc comments, examples from the samples. It also writes the methods of `svc-client` and of
//! the SDKs. A test fails when a file is stale.

mod docs;
mod files;
#[cfg(feature = "generate")]
pub mod generate;

pub use docs::{DOCS_POLICY, DocsFile, docs};
pub use files::{BASE_PATH, asyncapi, document, llms, skill};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
