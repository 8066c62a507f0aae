//! Schemas of requests and answers: what schemars writes, as OpenAPI wants it.

use std::collections::BTreeMap;

use schemars::generate::{SchemaGenerator, SchemaSettings};
use schemars::transform::{Transform, transform_subschemas};
use schemars::{JsonSchema, Schema as JsonSchemaOf};
use serde_json::{Map, Value, json};
use svc_types::endpoint::path_parameters;
use svc_types::{Endpoint, wire};
use utoipa::openapi::path::{Parameter, ParameterIn};
use utoipa::openapi::request_body::RequestBody;
use utoipa::openapi::{Content, Ref, RefOr, Required, Schema};

use crate::operation::JSON;
use crate::wording;

/// Where the document keeps them.
const PATH: &str = "/components/schemas";

/// The schemas of the document, each written once.
///
/// Requests and answers have contracts of their own: a default makes a member optional for who
/// writes it, not for who reads it.
pub(crate) struct Schemas {
    requests: SchemaGenerator,
    answers: SchemaGenerator,
    bodies: BTreeMap<String, Value>,
}

/// A request by the travel rule.
pub(crate) struct Request {
    /// Its fields in the path, in order, and in the query.
    pub(crate) parameters: Vec<Parameter>,
    /// Its fields in the body, if there are any.
    pub(crate) body: Option<RequestBody>,
}

impl Default for Schemas {
    fn default() -> Self {
        let settings = SchemaSettings::draft2020_12().with(|settings| {
            settings.definitions_path = PATH.into();
            settings.meta_schema = None;
            settings.transforms.push(Box::new(Published));
        });
        Self {
            requests: settings.clone().for_deserialize().into_generator(),
            answers: settings.for_serialize().into_generator(),
            bodies: BTreeMap::new(),
        }
    }
}

impl Schemas {
    /// Splits a request by the travel rule; what travels in the body becomes a component.
    pub(crate) fn request<E: Endpoint>(&mut self) -> Request {
        let mut schema = E::json_schema(&mut self.requests);
        Published.transform(&mut schema);
        let required = required_names(&schema);
        let mut fields = properties(&schema);
        let in_path: Vec<&str> = path_parameters(E::PATH).collect();
        let mut parameters: Vec<Parameter> = in_path
            .iter()
            .filter_map(|name| {
                Some(parameter(
                    name,
                    ParameterIn::Path,
                    fields.remove(*name)?,
                    true,
                ))
            })
            .collect();
        if wire::in_query(&E::METHOD) {
            let in_query = fields.into_iter().map(|(name, field)| {
                parameter(&name, ParameterIn::Query, field, required.contains(&name))
            });
            parameters.extend(in_query);
            return Request {
                parameters,
                body: None,
            };
        }
        let required = required
            .into_iter()
            .filter(|name| fields.contains_key(name))
            .collect();
        Request {
            parameters,
            body: self.body::<E>(fields, required),
        }
    }

    fn body<E: Endpoint>(
        &mut self,
        fields: Map<String, Value>,
        required: Vec<String>,
    ) -> Option<RequestBody> {
        if fields.is_empty() {
            return None;
        }
        let must_be_sent = if required.is_empty() {
            Required::False
        } else {
            Required::True
        };
        let (summary, _) = wording::summary_and_details(E::DOC);
        let mut schema = json!({ "type": "object", "description": summary });
        schema["properties"] = fields.into();
        if !required.is_empty() {
            schema["required"] = required.into();
        }
        self.bodies.insert(E::NAME.to_owned(), schema);
        let content = Content::new(Some(schema_reference(E::NAME)));
        let body = RequestBody::builder()
            .content(JSON, content)
            .required(Some(must_be_sent));
        Some(body.build())
    }

    /// Points to the schema of an answer, and says what it is.
    pub(crate) fn answer<T: JsonSchema>(&mut self) -> (Ref, String) {
        self.answers.subschema_for::<T>();
        let name = T::schema_name();
        let description = self.answers.definitions()[name.as_ref()]["description"].as_str();
        (
            schema_reference(&name),
            wording::public(description.unwrap_or_default()),
        )
    }

    /// Every schema by name.
    pub(crate) fn into_components(mut self) -> BTreeMap<String, Value> {
        let mut components = self.bodies;
        let read = self.requests.take_definitions(true);
        let written = self.answers.take_definitions(true);
        for (name, schema) in read.into_iter().chain(written) {
            let same = components.get(&name).is_none_or(|known| *known == schema);
            assert!(
                same,
                "{name} names two different schemas; rename one of the types"
            );
            components.insert(name, schema);
        }
        components.values_mut().for_each(Value::sort_all_objects);
        components
    }
}

/// Whether a request has a field of this name.
pub(crate) fn has_field<E: Endpoint>(name: &str) -> bool {
    properties(&E::json_schema(&mut SchemaGenerator::default())).contains_key(name)
}

/// Points to a schema by name.
pub(crate) fn schema_reference(name: &str) -> Ref {
    Ref::new(format!("#{PATH}/{name}"))
}

/// A schema in utoipa's types, for parameters and headers, which are simple enough for them.
pub(crate) fn typed(schema: Value) -> RefOr<Schema> {
    serde_json::from_value(schema).expect("a scalar's schema is known to utoipa")
}

fn parameter(name: &str, place: ParameterIn, mut field: Value, required: bool) -> Parameter {
    let description = field
        .as_object_mut()
        .and_then(|field| field.remove("description"));
    Parameter::builder()
        .name(name)
        .parameter_in(place)
        .required(if required {
            Required::True
        } else {
            Required::False
        })
        .description(description.as_ref().and_then(Value::as_str))
        .schema(Some(typed(field)))
        .build()
}

fn properties(schema: &JsonSchemaOf) -> Map<String, Value> {
    schema
        .get("properties")
        .and_then(Value::as_object)
        .cloned()
        .unwrap_or_default()
}

fn required_names(schema: &JsonSchemaOf) -> Vec<String> {
    let names = schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten();
    names.filter_map(Value::as_str).map(str::to_owned).collect()
}

/// Makes a schema say what travels: a member that may be absent is never `null`, and texts speak
/// to callers.
#[derive(Clone)]
struct Published;

impl Transform for Published {
    fn transform(&mut self, schema: &mut JsonSchemaOf) {
        transform_subschemas(self, schema);
        let required = required_names(schema);
        if let Some(Value::Object(properties)) = schema.get_mut("properties") {
            let optional = properties
                .iter_mut()
                .filter(|(name, _)| !required.contains(name));
            optional
                .filter_map(|(_, field)| field.as_object_mut())
                .for_each(drop_null);
        }
        if let Some(Value::String(description)) = schema.get_mut("description") {
            *description = wording::public(description);
        }
    }
}

/// Undoes what schemars does for an `Option`.
fn drop_null(schema: &mut Map<String, Value>) {
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            schema["type"] = only.clone();
        }
    }
    if let Some(Value::Array(variants)) = schema.get_mut("anyOf") {
        variants.retain(|variant| *variant != json!({ "type": "null" }));
        if let [Value::Object(only)] = variants.as_slice() {
            let only = only.clone();
            schema.remove("anyOf");
            schema.extend(only);
        }
    }
}
