//! Schemas of the document: those of schemars, adapted to OpenAPI.

use std::collections::BTreeMap;

use schemars::generate::{SchemaGenerator, SchemaSettings};
use schemars::transform::{Transform, transform_subschemas};
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value, json};
use svc_types::api::escrow::JSON_BYTES_MAX;
use svc_types::published;
use svc_types::service_message::ServiceMessage;
use utoipa::openapi::{self, Ref, RefOr};

use crate::generate::erased::{ErasedType, WriteSchema};

/// Where the document stores its schemas.
const PLACE: &str = "/components/schemas";

/// The schemas of the document, each written once.
///
/// Requests and responses have separate contracts: a member with a default is optional for the
/// sender, not for the receiver.
pub(crate) struct Schemas {
    requests: SchemaGenerator,
    answers: SchemaGenerator,
    bodies: BTreeMap<String, Value>,
}

/// The fields of a request by name, and which of them are required.
pub(crate) struct Fields {
    pub(crate) schemas: Map<String, Value>,
    pub(crate) required: Vec<String>,
}

impl Default for Schemas {
    fn default() -> Self {
        let settings = SchemaSettings::draft2020_12().with(|settings| {
            settings.definitions_path = PLACE.into();
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
    /// The fields of a request; the types they refer to become components.
    pub(crate) fn fields(&mut self, request: WriteSchema) -> Fields {
        let mut schema = request(&mut self.requests);
        Published.transform(&mut schema);
        Fields::of(&schema)
    }

    /// Adds the body of a request under its name; a strict one allows no other members.
    pub(crate) fn add_body(
        &mut self,
        name: &str,
        description: &str,
        fields: Fields,
        strict: bool,
    ) -> Ref {
        let mut schema = json!({ "type": "object", "description": description });
        if strict {
            schema["additionalProperties"] = false.into();
        }
        schema["properties"] = fields.schemas.into();
        if !fields.required.is_empty() {
            schema["required"] = fields.required.into();
        }
        self.bodies.insert(name.to_owned(), schema);
        reference(name)
    }

    /// A reference to the schema of a response, with a description.
    pub(crate) fn answer(&mut self, response: ErasedType) -> (Ref, String) {
        (response.define)(&mut self.answers);
        let name = (response.name)();
        let description = &self.answers.definitions()[name.as_ref()]["description"];
        let description = published(description.as_str().unwrap_or_default());
        (reference(&name), description)
    }

    /// Adds an object without a Rust type, whose members are always present.
    pub(crate) fn add_object(
        &mut self,
        name: &str,
        description: &str,
        members: &[(&str, Value)],
    ) -> Ref {
        let required: Vec<&str> = members.iter().map(|(name, _)| *name).collect();
        let properties: Map<String, Value> =
            members.iter().map(|(name, schema)| ((*name).to_owned(), schema.clone())).collect();
        let schema = json!({
            "type": "object",
            "description": description,
            "properties": properties,
            "required": required,
        });
        self.bodies.insert(name.to_owned(), schema);
        reference(name)
    }

    /// The schema of a scalar in a response, with its own description.
    pub(crate) fn inline<T: JsonSchema>(&mut self, description: &str) -> Value {
        let mut schema = self.answers.subschema_for::<T>();
        schema.insert("description".to_owned(), description.into());
        schema.to_value()
    }

    /// Every schema by name.
    pub(crate) fn into_components(mut self) -> BTreeMap<String, Value> {
        let service_message = self.answers.subschema_for::<ServiceMessage>().to_value();
        let mut components = self.bodies;
        let read = self.requests.take_definitions(true);
        let written = self.answers.take_definitions(true);
        for (name, schema) in read.into_iter().chain(written) {
            let known = components.get(&name).unwrap_or(&schema);
            assert_eq!(*known, schema, "{name} is the name of two types");
            components.insert(name, schema);
        }
        for message in ["Message", "DirectMessage", "SendMessage"] {
            if let Some(content) = components.get_mut(message).and_then(content_of) {
                content.insert("contentMediaType".to_owned(), "application/json".into());
                content.insert("contentSchema".to_owned(), service_message.clone());
            }
        }
        close_members(&mut components);
        components.values_mut().for_each(Value::sort_all_objects);
        components
    }
}

impl Fields {
    /// The fields of a request as its type declares them.
    pub(crate) fn declared(request: WriteSchema) -> Self {
        Self::of(&request(&mut SchemaGenerator::default()))
    }

    fn of(schema: &Schema) -> Self {
        let properties = schema.get("properties").and_then(Value::as_object);
        let required = schema.get("required").and_then(Value::as_array);
        let names = required.into_iter().flatten().filter_map(Value::as_str);
        Self {
            schemas: properties.cloned().unwrap_or_default(),
            required: names.map(str::to_owned).collect(),
        }
    }
}

/// Closes the objects inside strict bodies. They are written out there, because the same type may
/// have more members in a response.
fn close_members(components: &mut BTreeMap<String, Value>) {
    let known = components.clone();
    let strict = components.values_mut().filter(|body| body["additionalProperties"] == false);
    let members = strict.filter_map(|body| body.get_mut("properties")?.as_object_mut());
    for member in members.flat_map(Map::values_mut) {
        close(member, &known);
        if let Some(items) = member.get_mut("items") {
            close(items, &known);
        }
    }
}

/// Replaces a reference to an object by the object without further members.
fn close(schema: &mut Value, known: &BTreeMap<String, Value>) {
    let Some(Value::Object(object)) = referenced(schema, known) else { return };
    if object.contains_key("properties") && !object.contains_key("additionalProperties") {
        let mut closed = object.clone();
        closed.insert("additionalProperties".to_owned(), false.into());
        closed.extend(schema.get("description").map(|own| ("description".to_owned(), own.clone())));
        *schema = closed.into();
    }
}

/// The component that a schema refers to.
fn referenced<'a>(schema: &Value, known: &'a BTreeMap<String, Value>) -> Option<&'a Value> {
    known.get(schema.get("$ref")?.as_str()?.rsplit('/').next()?)
}

/// The schema of the content of a message, which may be a service message.
fn content_of(message: &mut Value) -> Option<&mut Map<String, Value>> {
    message.get_mut("properties")?.get_mut("content")?.as_object_mut()
}

/// The schema of a type with those of its members written out.
pub(crate) fn inlined(write: WriteSchema) -> Value {
    let settings =
        SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    write(&mut settings.into_generator()).to_value()
}

/// A reference to a schema by name.
pub(crate) fn reference(name: &str) -> Ref {
    Ref::new(format!("#{PLACE}/{name}"))
}

/// A schema in utoipa's types, for parameters and headers, which are simple enough.
pub(crate) fn typed(schema: Value) -> RefOr<openapi::Schema> {
    serde_json::from_value(schema).expect("utoipa knows the schemas of scalars")
}

/// Adapts a schema to the wire: an absent member is never `null`, and texts address users of the
/// API.
#[derive(Clone)]
struct Published;

impl Transform for Published {
    fn transform(&mut self, schema: &mut Schema) {
        transform_subschemas(self, schema);
        let required = Fields::of(schema).required;
        if let Some(Value::Object(members)) = schema.get_mut("properties") {
            for (name, member) in members {
                let Some(member) = member.as_object_mut() else { continue };
                if !required.contains(name) {
                    drop_null(member);
                }
                spread_kinds(member);
            }
        }
        // utoipa knows no `const`.
        if let Some(only) = schema.remove("const") {
            schema.insert("enum".to_owned(), Value::Array(vec![only]));
        }
        if let Some(Value::String(description)) = schema.get_mut("description") {
            *description = published(description);
        }
    }
}

/// Removes what schemars adds for an `Option`.
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

/// Describes each variant of a value with several types. Generated clients treat an object or array
/// without further description as empty, or refuse it; evidence and inputs are such values.
fn spread_kinds(schema: &mut Map<String, Value>) {
    let Some(Value::Array(kinds)) = schema.get("type") else { return };
    let each = kinds.iter().map(|kind| match kind.as_str() {
        Some("object") => json!({ "type": "object", "additionalProperties": true }),
        Some("array") => json!({ "type": "array", "items": {} }),
        Some("string") => json!({ "type": "string", "maxLength": JSON_BYTES_MAX }),
        _ => json!({ "type": kind }),
    });
    let each = each.collect();
    schema.remove("type");
    schema.insert("anyOf".to_owned(), each);
}
