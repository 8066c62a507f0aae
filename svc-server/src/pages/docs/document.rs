//! What the reference shows of the OpenAPI document.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::Value;

use crate::language::{Language, number};

/// What the names of schemas begin with where they are referred to.
const SCHEMAS: &str = "#/components/schemas/";

/// What the names of common answers begin with.
const RESPONSES: &str = "#/components/responses/";

static DOCUMENT: LazyLock<Document> = LazyLock::new(|| {
    let text = svc_openapi::document(svc_openapi::BASE_PATH);
    serde_json::from_str(&text).expect("the document is valid: a test reads it")
});

/// The document, read when its first page is shown.
pub(super) fn document() -> &'static Document {
    &DOCUMENT
}

#[derive(Debug, Deserialize)]
pub(super) struct Document {
    pub(super) tags: Vec<Tag>,
    paths: BTreeMap<String, PathItem>,
    components: Components,
}

/// A part of the API.
#[derive(Debug, Deserialize)]
pub(super) struct Tag {
    pub(super) name: String,
    pub(super) description: String,
}

impl Tag {
    /// Its name as a heading: `Posts`.
    pub(super) fn title(&self) -> String {
        let mut letters = self.name.chars();
        letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
    }
}

#[derive(Debug, Deserialize)]
struct PathItem {
    get: Option<Operation>,
    post: Option<Operation>,
    put: Option<Operation>,
    patch: Option<Operation>,
    delete: Option<Operation>,
}

#[derive(Debug, Deserialize)]
struct Components {
    schemas: BTreeMap<String, Schema>,
    responses: BTreeMap<String, Response>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Operation {
    tags: Vec<String>,
    pub(super) summary: String,
    #[serde(default)]
    pub(super) description: String,
    #[serde(rename = "operationId")]
    pub(super) id: String,
    #[serde(default)]
    parameters: Vec<Parameter>,
    request_body: Option<Body>,
    responses: BTreeMap<String, Response>,
    #[serde(default, rename = "x-codeSamples")]
    pub(super) samples: Vec<Sample>,
}

/// A program that calls an operation.
#[derive(Debug, Deserialize)]
pub(super) struct Sample {
    pub(super) label: String,
    pub(super) source: String,
}

/// A parameter; those that many operations have are referred to, and not shown.
#[derive(Debug, Deserialize)]
struct Parameter {
    #[serde(default)]
    name: String,
    #[serde(default, rename = "in")]
    place: String,
    #[serde(default)]
    description: String,
    #[serde(default)]
    required: bool,
    #[serde(default)]
    schema: Schema,
}

#[derive(Debug, Deserialize)]
struct Body {
    content: BTreeMap<String, Content>,
}

#[derive(Debug, Deserialize)]
struct Response {
    #[serde(rename = "$ref")]
    reference: Option<String>,
    #[serde(default)]
    description: String,
    #[serde(default)]
    content: BTreeMap<String, Content>,
}

#[derive(Debug, Deserialize)]
struct Content {
    #[serde(default)]
    schema: Schema,
    #[serde(default)]
    examples: BTreeMap<String, Example>,
}

#[derive(Debug, Deserialize)]
struct Example {
    value: Option<Value>,
}

/// A schema, as far as it is shown.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Schema {
    #[serde(rename = "$ref")]
    reference: Option<String>,
    #[serde(rename = "type")]
    kind: Value,
    pub(super) description: String,
    properties: BTreeMap<String, Schema>,
    required: Vec<String>,
    items: Option<Box<Schema>>,
    #[serde(rename = "enum")]
    words: Vec<Value>,
    any_of: Vec<Schema>,
    one_of: Vec<Schema>,
    format: Option<String>,
    min_length: Option<u64>,
    max_length: Option<u64>,
    minimum: Option<Value>,
    maximum: Option<Value>,
    min_items: Option<u64>,
    max_items: Option<u64>,
}

/// An operation with its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed<'a> {
    pub(super) method: &'static str,
    pub(super) path: &'a str,
    pub(super) operation: &'a Operation,
}

/// A member of a request or of an object.
#[derive(Debug)]
pub(super) struct Member<'a> {
    pub(super) name: &'a str,
    /// Where a parameter stands: the path, the query or a header.
    pub(super) place: &'a str,
    pub(super) is_required: bool,
    pub(super) kind: Kind<'a>,
    pub(super) about: &'a str,
}

/// The type of a member: its words, and the object that they name.
#[derive(Debug)]
pub(super) struct Kind<'a> {
    pub(super) before: &'static str,
    pub(super) name: String,
    pub(super) object: Option<&'a str>,
    pub(super) bounds: String,
}

/// What an operation answers with a status.
#[derive(Debug)]
pub(super) struct Answer<'a> {
    pub(super) status: &'a str,
    pub(super) about: &'a str,
    pub(super) object: Option<&'a str>,
    pub(super) example: Option<String>,
}

impl Document {
    /// All operations by path.
    pub(super) fn operations(&self) -> impl Iterator<Item = Placed<'_>> {
        self.paths.iter().flat_map(|(path, item)| {
            let PathItem { get, post, put, patch, delete } = item;
            let all =
                [("GET", get), ("POST", post), ("PUT", put), ("PATCH", patch), ("DELETE", delete)];
            all.into_iter().filter_map(move |(method, operation)| {
                Some(Placed { method, path, operation: operation.as_ref()? })
            })
        })
    }

    /// A schema by its name.
    pub(super) fn schema(&self, name: &str) -> Option<&Schema> {
        self.components.schemas.get(name)
    }

    /// What a successful request or answer is made of: the members of its schema.
    pub(super) fn members<'a>(&'a self, schema: &'a Schema) -> Vec<Member<'a>> {
        let schema = schema.object().and_then(|name| self.schema(name)).unwrap_or(schema);
        let member = |(name, member): (&'a String, &'a Schema)| Member {
            name,
            place: "",
            is_required: schema.required.contains(name),
            kind: member.kind(),
            about: &member.description,
        };
        let mut members: Vec<Member<'a>> = schema.properties.iter().map(member).collect();
        members.sort_by_key(|member| !member.is_required);
        members
    }

    fn response<'a>(&'a self, response: &'a Response) -> &'a Response {
        let name = response.reference.as_deref().and_then(|to| to.strip_prefix(RESPONSES));
        name.and_then(|name| self.components.responses.get(name)).unwrap_or(response)
    }
}

impl<'a> Placed<'a> {
    /// The part of the API that it belongs to.
    pub(super) fn tag(self) -> &'a str {
        self.operation.tags.first().map_or("", String::as_str)
    }

    /// Whether each word occurs in its path, its name or its summary.
    pub(super) fn matches(self, words: &[String]) -> bool {
        let Operation { summary, id, .. } = self.operation;
        let text = format!("{} {} {id} {summary}", self.method, self.path).to_lowercase();
        words.iter().all(|word| text.contains(word.as_str()))
    }

    /// Its parameters.
    pub(super) fn parameters(self) -> Vec<Member<'a>> {
        let own = self.operation.parameters.iter().filter(|parameter| !parameter.name.is_empty());
        own.map(|parameter| Member {
            name: &parameter.name,
            place: &parameter.place,
            is_required: parameter.required,
            kind: parameter.schema.kind(),
            about: &parameter.description,
        })
        .collect()
    }

    /// The media type of its body, and the members.
    pub(super) fn body(self, document: &'a Document) -> Option<(&'a str, Vec<Member<'a>>)> {
        let (media_type, content) =
            self.operation.request_body.as_ref()?.content.first_key_value()?;
        Some((media_type, document.members(&content.schema)))
    }

    /// An example of its body.
    pub(super) fn body_example(self) -> Option<String> {
        self.operation.request_body.as_ref()?.content.values().find_map(Content::example)
    }

    /// Its answers by status.
    pub(super) fn answers(self, document: &'a Document) -> Vec<Answer<'a>> {
        let answer = |(status, response): (&'a String, &'a Response)| {
            let response = document.response(response);
            let is_success = status.starts_with('2');
            let content = response.content.values().next().filter(|_| is_success);
            Answer {
                status,
                about: &response.description,
                object: content.and_then(|content| content.schema.object()),
                example: content.and_then(Content::example),
            }
        };
        self.operation.responses.iter().map(answer).collect()
    }
}

impl Content {
    fn example(&self) -> Option<String> {
        let value = self.examples.values().find_map(|example| example.value.as_ref())?;
        Some(serde_json::to_string_pretty(value).unwrap_or_else(|_| value.to_string()))
    }
}

impl Schema {
    /// The name of the object that it refers to.
    fn object(&self) -> Option<&str> {
        self.reference.as_deref()?.strip_prefix(SCHEMAS)
    }

    /// Its alternatives.
    pub(super) fn alternatives(&self) -> Vec<Kind<'_>> {
        self.any_of.iter().chain(&self.one_of).map(Schema::kind).collect()
    }

    /// The words that it allows.
    pub(super) fn words(&self) -> Vec<String> {
        self.words
            .iter()
            .map(|word| word.as_str().map_or_else(|| word.to_string(), str::to_owned))
            .collect()
    }

    /// Its type in words: `array of Post`, `string, 1–40,000 characters`.
    pub(super) fn kind(&self) -> Kind<'_> {
        if let Some(items) = &self.items {
            let kind = items.kind();
            return Kind {
                before: "array of ",
                bounds: range("items", self.min_items, self.max_items),
                ..kind
            };
        }
        if let Some(name) = self.object() {
            return Kind {
                before: "",
                name: name.to_owned(),
                object: Some(name),
                bounds: String::new(),
            };
        }
        let name = self.format.clone().unwrap_or_else(|| match &self.kind {
            Value::String(name) => name.clone(),
            _ => "any value".to_owned(),
        });
        Kind { before: "", name, object: None, bounds: self.bounds() }
    }

    fn bounds(&self) -> String {
        if !self.words.is_empty() {
            return self.words().join(", ");
        }
        match (&self.minimum, &self.maximum) {
            (None, None) => range("characters", self.min_length, self.max_length),
            (least, most) => range("", least.as_ref(), most.as_ref()),
        }
    }
}

/// A range in words: `1–40,000 characters`, `at most 4 items`.
fn range<T: ToString>(unit: &str, least: Option<T>, most: Option<T>) -> String {
    let number = |bound: T| number::grouped(Language::English, &bound.to_string());
    let text = match (least.map(number), most.map(number)) {
        (None, None) => return String::new(),
        (Some(least), Some(most)) if least == most => format!("{most} {unit}"),
        (Some(least), Some(most)) => format!("{least}–{most} {unit}"),
        (Some(least), None) => format!("at least {least} {unit}"),
        (None, Some(most)) => format!("at most {most} {unit}"),
    };
    text.trim_end().to_owned()
}
