//! Reads the document and the declarations it is derived from.

use std::sync::LazyLock;

use schemars::SchemaGenerator;
use serde_json::Value;
use svc_openapi::generate::document;
use svc_types::{Endpoint, Visitor};

/// The document as it is published.
pub(crate) fn published() -> &'static Value {
    static DOCUMENT: LazyLock<Value> = LazyLock::new(|| parse(&document().to_json()));
    &DOCUMENT
}

pub(crate) fn parse(json: &str) -> Value {
    serde_json::from_str(json).expect("the document is JSON")
}

/// The declaration of an endpoint, with its fields as schemars describes them.
pub(crate) struct Declared {
    pub(crate) name: &'static str,
    pub(crate) method: String,
    pub(crate) path: &'static str,
    pub(crate) fields: Value,
}

pub(crate) fn declared() -> Vec<Declared> {
    struct All(Vec<Declared>);
    impl Visitor for All {
        fn visit<E: Endpoint>(&mut self) {
            let schema = E::json_schema(&mut SchemaGenerator::default());
            let fields = schema.get("properties").cloned();
            self.0.push(Declared {
                name: E::NAME,
                method: E::METHOD.as_str().to_lowercase(),
                path: E::PATH,
                fields: fields.unwrap_or_default(),
            });
        }
    }
    let mut all = All(Vec::new());
    svc_types::api::visit(&mut all);
    all.0
}

/// An operation of the document.
pub(crate) struct Operation {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) json: Value,
}

/// A parameter, or a member of the body.
pub(crate) struct Field {
    pub(crate) name: String,
    /// `path`, `query`, `header` or `body`.
    pub(crate) place: String,
    pub(crate) required: bool,
    pub(crate) description: String,
    pub(crate) schema: Value,
}

pub(crate) fn operations() -> Vec<Operation> {
    let mut operations = Vec::new();
    for (path, item) in members(&published()["paths"]) {
        let of_path = members(item).map(|(method, json)| {
            let (method, path, json) = (method.clone(), path.clone(), json.clone());
            Operation { method, path, json }
        });
        operations.extend(of_path);
    }
    operations
}

/// The operation of an endpoint.
pub(crate) fn find<'a>(operations: &'a [Operation], endpoint: &str) -> &'a Operation {
    let name = endpoint[..1].to_lowercase() + &endpoint[1..];
    let found = operations.iter().find(|operation| operation.name() == name);
    found.unwrap_or_else(|| panic!("{endpoint} is no operation"))
}

impl Operation {
    pub(crate) fn name(&self) -> &str {
        text(&self.json["operationId"])
    }

    pub(crate) fn fields(&self) -> Vec<Field> {
        let parameters = self.json["parameters"].as_array().into_iter().flatten().map(resolved);
        let parameters = parameters.map(|parameter| Field {
            name: text(&parameter["name"]).to_owned(),
            place: text(&parameter["in"]).to_owned(),
            required: parameter["required"] == true,
            description: text(&parameter["description"]).to_owned(),
            schema: parameter["schema"].clone(),
        });
        let body = resolved(&self.json["requestBody"]["content"]["application/json"]["schema"]);
        let required = body["required"].as_array().cloned().unwrap_or_default();
        let in_body = members(&body["properties"]).map(|(name, schema)| Field {
            name: name.clone(),
            place: "body".to_owned(),
            required: required.iter().any(|required| required == name),
            description: text(&schema["description"]).to_owned(),
            schema: schema.clone(),
        });
        parameters.chain(in_body).collect()
    }

    pub(crate) fn fields_in(&self, place: &str) -> impl Iterator<Item = Field> {
        self.fields().into_iter().filter(move |field| field.place == place)
    }
}

/// The members of an object; none when it is no object.
pub(crate) fn members(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

/// The value, or what it refers to.
pub(crate) fn resolved(value: &Value) -> Value {
    match value["$ref"].as_str() {
        Some(reference) => {
            let target = published().pointer(&reference[1..]).cloned();
            target.unwrap_or_else(|| panic!("{reference} leads nowhere"))
        }
        None => value.clone(),
    }
}

pub(crate) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
