//! An endpoint with the input for its methods.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;
use svc_types::samples::{self, SampleVisitor};
use svc_types::{Declaration, Endpoint, published};

use super::text::pascal;
use crate::generate::schema::{Fields, Schemas};

/// An endpoint, the docs of its members, and a valid request.
pub(crate) struct Described {
    pub(crate) declared: Declaration,
    /// The name of each member on the wire, by its Rust name.
    pub(crate) wire: BTreeMap<String, String>,
    /// The schema of each member in the document, by its Rust name.
    pub(crate) schemas: BTreeMap<String, Value>,
    /// The doc of each member by its Rust name.
    pub(crate) docs: BTreeMap<String, String>,
    /// The sample's value of each member by its Rust name.
    pub(crate) sample: BTreeMap<String, Value>,
    /// The only member of the answer, if it has just one.
    pub(crate) answer: Option<String>,
    /// The name of the answer's schema in the document.
    pub(crate) answer_schema: String,
    /// The member of the answer that holds the items, if it is a page of a list.
    pub(crate) list: Option<String>,
}

impl Described {
    /// The group of its method, such as `messages`.
    pub(crate) fn group(&self) -> Option<&'static str> {
        self.declared.call.split_once('.').map(|(group, _)| group)
    }

    /// The name of its method, such as `send`.
    pub(crate) fn method(&self) -> &'static str {
        self.declared.call.rsplit('.').next().unwrap_or_default()
    }

    /// Whether the answer is a page of a list.
    pub(crate) fn is_paged(&self) -> bool {
        self.list.is_some()
    }
}

/// Every endpoint in the order of its declaration.
pub(crate) fn all() -> Vec<Described> {
    struct All(Vec<Described>);
    impl SampleVisitor for All {
        fn visit<E: Endpoint>(&mut self, sample: E) {
            self.0.push(described(&sample));
        }
    }
    let mut all = All(Vec::new());
    samples::visit(&mut all);
    complete(&mut all.0);
    all.0
}

/// Fills members that a sample omits from another sample of the same type.
fn complete(endpoints: &mut [Described]) {
    let mut values: BTreeMap<&str, Value> = BTreeMap::new();
    for endpoint in &*endpoints {
        for member in endpoint.declared.members {
            let value = &endpoint.sample[member.name];
            if !value.is_null() {
                values.entry(member.value).or_insert_with(|| value.clone());
            }
        }
    }
    for endpoint in endpoints {
        for member in endpoint.declared.members {
            if let Some(value) = endpoint.sample.get_mut(member.name).filter(|it| it.is_null()) {
                *value = values.get(member.value).cloned().unwrap_or_default();
            }
        }
    }
}

fn described<E: Endpoint>(sample: &E) -> Described {
    let declared = Declaration::of::<E>();
    let fields = Schemas::default().fields::<E>();
    let wire = wire_names(&declared, &fields);
    let docs = by_rust_name(&wire, &schema::<E>()["properties"])
        .into_iter()
        .map(|(name, it)| (name, published(it["description"].as_str().unwrap_or_default())));
    let answer = schema::<E::Response>();
    Described {
        docs: docs.collect(),
        schemas: by_rust_name(&wire, &fields.schemas.into()),
        sample: by_rust_name(&wire, &serde_json::to_value(sample).unwrap_or_default()),
        answer: only_member(&answer),
        answer_schema: E::Response::schema_name().into_owned(),
        list: wire.contains_key("cursor").then(|| list(&answer)).flatten(),
        wire,
        declared,
    }
}

/// What belongs to each member, by its Rust name.
fn by_rust_name(wire: &BTreeMap<String, String>, of: &Value) -> BTreeMap<String, Value> {
    wire.iter().map(|(name, wire)| (name.clone(), of[wire].clone())).collect()
}

/// Each member by its Rust name. The only members with a name of their own are called `type`.
fn wire_names(declared: &Declaration, fields: &Fields) -> BTreeMap<String, String> {
    let wire = |name: &str| {
        let wire = wire_name(name);
        if fields.schemas.contains_key(&wire) { wire } else { "type".to_owned() }
    };
    declared.members.iter().map(|it| (it.name.to_owned(), wire(it.name))).collect()
}

/// The list of a page: its only list that is always present.
fn list(page: &Value) -> Option<String> {
    let is_list = |name: &&str| page["properties"][name]["type"] == "array";
    let required = page["required"].as_array()?.iter().filter_map(Value::as_str);
    let lists: Vec<&str> = required.filter(is_list).collect();
    match lists.as_slice() {
        [only] => Some((*only).to_owned()),
        _ => None,
    }
}

/// The only member of an answer, if it has just one, whose name is the same in Rust.
fn only_member(answer: &Value) -> Option<String> {
    let members: Vec<_> = answer["properties"].as_object()?.keys().collect();
    match members.as_slice() {
        [name] if name.chars().all(|letter| letter.is_ascii_lowercase()) => Some((*name).clone()),
        _ => None,
    }
}

fn schema<T: JsonSchema>() -> Value {
    let settings =
        SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    settings.into_generator().into_root_schema_for::<T>().to_value()
}

/// `reply_to_id` as `replyToId`.
fn wire_name(member: &str) -> String {
    let mut words = member.trim_start_matches("r#").split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| name + &pascal(word))
}
