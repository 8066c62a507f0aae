//! The OpenAPI document.

use std::collections::BTreeMap;

use http::Method;
use serde::Serialize;
use serde_json::Value;
use svc_types::api::media::MediaEnvelope;
use svc_types::samples::{self, SampleVisitor};
use svc_types::{Endpoint, ErrorBody};
use utoipa::openapi::{Components, HttpMethod, OpenApi, Paths, Server};

use crate::BASE_PATH;
use crate::generate::operation::operation;
use crate::generate::refusal::Shared;
use crate::generate::schema::Schemas;
use crate::generate::{
    caller, client, code, example, extra, header, info, media, sdk, topup, webhook,
};

/// An OpenAPI 3.1 document.
///
/// Typed except for the component schemas: utoipa's schema type drops `const` and more, so they
/// stay the JSON that schemars wrote.
#[derive(Serialize)]
pub struct Document {
    #[serde(flatten)]
    frame: OpenApi,
    components: Parts,
}

#[derive(Serialize)]
struct Parts {
    #[serde(flatten)]
    typed: Components,
    schemas: BTreeMap<String, Value>,
}

/// Describes the interface at [`BASE_PATH`].
pub fn document() -> Document {
    let mut collected = Collected {
        paths: Paths::default(),
        schemas: Schemas::default(),
        shared: Shared::default(),
        rust: client::samples(),
        sdks: sdk::Samples::new(),
    };
    samples::visit(&mut collected);
    let Collected { mut paths, mut schemas, mut shared, .. } = collected;
    extra::add(&mut paths);
    topup::add(&mut paths, &mut shared);
    schemas.answer::<MediaEnvelope>();
    media::add(&mut paths, &mut shared);
    let webhooks = webhook::webhooks(&mut schemas);
    schemas.answer::<ErrorBody>();
    let mut typed = header::components();
    typed.examples = example::components(shared.codes());
    typed.responses = shared.into_responses();
    typed.add_security_schemes_from_iter(caller::security_schemes());
    Document {
        frame: OpenApi::builder()
            .info(info::info())
            .servers(Some([Server::new(BASE_PATH)]))
            .paths(paths)
            .webhooks(Some(webhooks))
            .tags(Some(info::tags()))
            .build(),
        components: Parts { typed, schemas: schemas.into_components() },
    }
}

impl Document {
    /// The document as text: indented JSON with a final newline.
    pub fn to_json(&self) -> String {
        let json = serde_json::to_string_pretty(self);
        json.expect("keys are strings and numbers are finite") + "\n"
    }
}

/// Paths and schemas, collected from the endpoints.
struct Collected {
    paths: Paths,
    schemas: Schemas,
    shared: Shared,
    /// Calls of the Rust client by the name of their endpoint.
    rust: BTreeMap<&'static str, String>,
    /// Calls by the SDKs.
    sdks: sdk::Samples,
}

impl SampleVisitor for Collected {
    fn visit<E: Endpoint>(&mut self, sample: E) {
        let mut operation = operation(&sample, &mut self.schemas, &mut self.shared);
        operation.extensions =
            self.rust.get(E::NAME).map(|rust| code::samples(&sample, rust, &self.sdks));
        let method = match E::METHOD {
            Method::GET => HttpMethod::Get,
            Method::POST => HttpMethod::Post,
            Method::PUT => HttpMethod::Put,
            Method::PATCH => HttpMethod::Patch,
            Method::DELETE => HttpMethod::Delete,
            other => unreachable!("no endpoint is called by {other}"),
        };
        self.paths.add_path_operation(E::PATH, vec![method], operation);
    }
}
