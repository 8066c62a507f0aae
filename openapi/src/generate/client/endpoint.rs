//! An endpoint with the input for its methods.

use std::collections::BTreeMap;

use serde_json::Value;
use svc_types::{Declaration, published};

use super::text::pascal;
use crate::generate::erased::{self, ErasedEndpoint};
use crate::generate::schema::{Fields, Schemas, inlined};

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
    let mut all: Vec<Described> = erased::endpoints().into_iter().map(described).collect();
    complete(&mut all);
    all
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

fn described(endpoint: ErasedEndpoint) -> Described {
    let ErasedEndpoint { declared, request, sample, response, .. } = endpoint;
    let fields = Schemas::default().fields(request);
    let wire = wire_names(&declared, &fields);
    let docs = by_rust_name(&wire, &inlined(request)["properties"])
        .into_iter()
        .map(|(name, it)| (name, published(it["description"].as_str().unwrap_or_default())));
    let answer = inlined(response.schema);
    Described {
        docs: docs.collect(),
        schemas: by_rust_name(&wire, &fields.schemas.into()),
        sample: by_rust_name(&wire, &sample.into()),
        answer: only_member(&answer),
        answer_schema: (response.name)().into_owned(),
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

/// `reply_to_id` as `replyToId`.
fn wire_name(member: &str) -> String {
    let mut words = member.trim_start_matches("r#").split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| name + &pascal(word))
}
