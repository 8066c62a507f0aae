//! Requests: parameters and a body.

use serde_json::{Map, Value};
use svc_types::endpoint::path_parameters;
use svc_types::{Declaration, wire};
use utoipa::openapi::path::{Parameter, ParameterIn};
use utoipa::openapi::request_body::RequestBody;
use utoipa::openapi::{Content, Required};

use crate::generate::answer::JSON;
use crate::generate::erased::ErasedEndpoint;
use crate::generate::schema::{Fields, Schemas, typed};
use crate::generate::{example, wording};

/// A request by the rule of [`wire`].
pub(crate) struct Request {
    /// Fields in the path and in the query.
    pub(crate) parameters: Vec<Parameter>,
    /// All other fields, if there are any.
    pub(crate) body: Option<RequestBody>,
}

impl Request {
    /// Splits the fields of an endpoint; those of the body become a component named after the
    /// endpoint.
    pub(crate) fn of(endpoint: &ErasedEndpoint, schemas: &mut Schemas) -> Self {
        let declared = &endpoint.declared;
        let mut values = endpoint.sample.clone();
        let Fields { schemas: mut fields, mut required } = schemas.fields(endpoint.request);
        let mut parameters = Vec::new();
        for name in path_parameters(declared.path) {
            let field = fields.remove(name).expect("a path parameter is a field");
            parameters.push(parameter(
                name,
                ParameterIn::Path,
                field,
                Required::True,
                values.remove(name),
            ));
        }
        if wire::in_query(&declared.method) {
            for (name, field) in std::mem::take(&mut fields) {
                let needed = needed(required.contains(&name));
                let value = values.remove(&name);
                parameters.push(parameter(&name, ParameterIn::Query, field, needed, value));
            }
        }
        required.retain(|name| fields.contains_key(name));
        let rest = Fields { schemas: fields, required };
        Self { parameters, body: body(declared, schemas, rest, values) }
    }
}

/// The body is required if one of its members is.
fn body(
    declared: &Declaration,
    schemas: &mut Schemas,
    fields: Fields,
    values: Map<String, Value>,
) -> Option<RequestBody> {
    if fields.schemas.is_empty() {
        return None;
    }
    let needed = needed(!fields.required.is_empty());
    let (summary, _) = wording::summary_and_details(declared.doc);
    let schema = schemas.add_body(declared.name, &summary, fields, declared.strict);
    let mut content = Content::new(Some(schema));
    content.examples = example::one(values.into());
    let body = RequestBody::builder().content(JSON, content);
    Some(body.required(Some(needed)).build())
}

fn parameter(
    name: &str,
    place: ParameterIn,
    mut field: Value,
    needed: Required,
    sample: Option<Value>,
) -> Parameter {
    let members = field.as_object_mut();
    let description = members.and_then(|members| members.remove("description"));
    Parameter::builder()
        .name(name)
        .parameter_in(place)
        .required(needed)
        .description(description.as_ref().and_then(Value::as_str))
        .schema(Some(typed(field)))
        .example(sample)
        .build()
}

fn needed(required: bool) -> Required {
    if required { Required::True } else { Required::False }
}
