//! An endpoint with the input for its methods.

use std::collections::BTreeMap;

use schemars::generate::SchemaSettings;
use serde_json::Value;
use svc_types::samples::{self, SampleVisitor};
use svc_types::{Declaration, Endpoint, published};

use super::exceptions;
use super::text::pascal;

/// An endpoint, the docs of its members, and a valid request.
pub(crate) struct Described {
    pub(crate) declared: Declaration,
    /// The doc of each member by its Rust name.
    pub(crate) docs: BTreeMap<String, String>,
    /// The sample's value of each member by its Rust name.
    pub(crate) sample: BTreeMap<String, Value>,
    /// The only member of the answer, if it has just one.
    pub(crate) answer: Option<String>,
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
        let has_cursor = self.declared.members.iter().any(|member| member.name == "cursor");
        has_cursor && !exceptions::NOT_PAGED.contains(&self.declared.name)
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
    let request = schema::<E>();
    let sample = serde_json::to_value(sample).unwrap_or_default();
    let declared = Declaration::of::<E>();
    let docs = by_rust_name(&declared, &request["properties"]).into_iter().map(|(name, schema)| {
        (name, published(schema["description"].as_str().unwrap_or_default()))
    });
    Described {
        docs: docs.collect(),
        sample: by_rust_name(&declared, &sample),
        answer: only_member(&schema::<E::Response>()),
        declared,
    }
}

fn by_rust_name(declared: &Declaration, of: &Value) -> BTreeMap<String, Value> {
    let member = |name: &str| of.get(wire_name(name)).unwrap_or(&of["type"]).clone();
    declared.members.iter().map(|found| (found.name.to_owned(), member(found.name))).collect()
}

/// The only member of an answer, if it has just one, whose name is the same in Rust.
fn only_member(answer: &Value) -> Option<String> {
    let members: Vec<_> = answer["properties"].as_object()?.keys().collect();
    match members.as_slice() {
        [name] if name.chars().all(|letter| letter.is_ascii_lowercase()) => Some((*name).clone()),
        _ => None,
    }
}

fn schema<T: schemars::JsonSchema>() -> Value {
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
