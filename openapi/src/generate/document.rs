//! The OpenAPI document.

use std::collections::BTreeMap;

use http::Method;
use serde::Serialize;
use serde_json::Value;
use svc_types::ErrorBody;
use svc_types::api::media::MediaEnvelope;
use utoipa::openapi::{Components, HttpMethod, OpenApi, Paths, Server};

use crate::BASE_PATH;
use crate::generate::erased::{self, ErasedType};
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
    let (mut schemas, mut shared) = (Schemas::default(), Shared::default());
    let mut paths = paths(&mut schemas, &mut shared);
    extra::add(&mut paths);
    topup::add(&mut paths, &mut shared);
    schemas.answer(ErasedType::of::<MediaEnvelope>());
    media::add(&mut paths, &mut shared);
    let webhooks = webhook::webhooks(&mut schemas);
    schemas.answer(ErasedType::of::<ErrorBody>());
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

/// The endpoints by path. Their schemas and errors are added to the shared ones.
fn paths(schemas: &mut Schemas, shared: &mut Shared) -> Paths {
    let rust = client::samples();
    let sdks = sdk::Samples::new();
    let mut paths = Paths::default();
    for endpoint in erased::endpoints() {
        let mut operation = operation(&endpoint, schemas, shared);
        let rust = rust.get(endpoint.declared.name);
        operation.extensions = rust.map(|rust| code::samples(&endpoint, rust, &sdks));
        let method = method(&endpoint.declared.method);
        paths.add_path_operation(endpoint.declared.path, vec![method], operation);
    }
    paths
}

fn method(declared: &Method) -> HttpMethod {
    match *declared {
        Method::GET => HttpMethod::Get,
        Method::POST => HttpMethod::Post,
        Method::PUT => HttpMethod::Put,
        Method::PATCH => HttpMethod::Patch,
        Method::DELETE => HttpMethod::Delete,
        ref other => unreachable!("no endpoint is called by {other}"),
    }
}
