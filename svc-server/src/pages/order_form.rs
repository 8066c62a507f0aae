//! The form of an object described by a JSON Schema (2020-12): the input of an order, the output of
//! its answer; and that of any value, which a seller asks for.
//!
//! A member with a simple type has its own field; any other is entered as JSON. The result is
//! validated against the schema, so this module need not support all of it.

use serde_json::{Map, Value};
use svc_store::error::{Error, Refusal, Result};
use svc_types::schema::{Fault, Schema};
use svc_types::{Code, FieldCode, FieldError};

use super::view::pretty;
use crate::http::PageRequest;
use crate::language::Language;

/// Most members with fields of their own; a larger object is entered as JSON.
const FIELDS_MAX: usize = 60;

/// Longest `maxLength` of a single-line text field.
const LINE_LENGTH: u64 = 120;

/// The form of an object.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sheet {
    pub(super) fields: Vec<Field>,
    /// Whether the members are unknown, so that the object is entered as JSON.
    is_whole: bool,
}

/// A field of the form.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Field {
    /// The field's name in the form.
    pub(super) name: String,
    /// The member's name, or its title in the schema.
    pub(super) label: String,
    pub(super) help: String,
    pub(super) required: bool,
    /// The initial value.
    pub(super) before: String,
    /// An example value.
    pub(super) example: String,
    pub(super) kind: Kind,
    member: String,
}

/// The kind of a field.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    /// A text, on several lines if it may be long.
    Text { lines: bool, input: &'static str, min: Option<u64>, max: Option<u64> },
    /// A number.
    Number { whole: bool, min: Option<String>, max: Option<String> },
    /// A choice: value and label of each option.
    Choice(Vec<(String, String)>),
    /// A list of texts, one per line.
    Lines,
    /// Anything else, as JSON.
    Json,
}

impl Sheet {
    /// The form of a schema, or of any JSON without one. The object's name is the prefix of its
    /// fields.
    pub(super) fn of(
        language: Language,
        name: &'static str,
        schema: Option<&Map<String, Value>>,
    ) -> Self {
        let Some(root) = schema else { return Self::text(language, name) };
        let properties = root
            .get("properties")
            .and_then(Value::as_object)
            .filter(|properties| (1..=FIELDS_MAX).contains(&properties.len()));
        let Some(properties) = properties else { return Self::whole(language, name, schema) };
        let is_required = |name: &str| {
            let required = root.get("required").and_then(Value::as_array);
            required.is_some_and(|names| names.iter().any(|one| one == name))
        };
        let field = |(member, schema): (&String, &Value)| {
            Field::of(language, name, member, resolved(root, schema), is_required(member))
        };
        let mut fields: Vec<Field> = properties.iter().map(field).collect();
        // Required members come first.
        fields.sort_by_key(|field| !field.required);
        Self { fields, is_whole: false }
    }

    /// A single text field, for a service without a schema.
    fn text(language: Language, name: &'static str) -> Self {
        let schema = Map::from_iter([("type".to_owned(), Value::from("string"))]);
        let mut field = Field::of(language, name, "text", &schema, false);
        field.label = language.text("order-field-any");
        Self { fields: vec![field], is_whole: false }
    }

    /// The form of any value: the members of an object, or one field; a text without a schema.
    pub(super) fn of_value(
        language: Language,
        name: &'static str,
        schema: Option<&Map<String, Value>>,
    ) -> Self {
        if schema.is_some_and(|schema| schema.contains_key("properties")) {
            return Self::of(language, name, schema);
        }
        let text = Map::from_iter([("type".to_owned(), Value::from("string"))]);
        let schema = schema.filter(|schema| !schema.is_empty()).unwrap_or(&text);
        let mut field = Field::of(language, name, "", schema, true);
        name.clone_into(&mut field.name);
        field.label = language.text("order-answer");
        Self { fields: vec![field], is_whole: true }
    }

    fn whole(language: Language, name: &'static str, schema: Option<&Map<String, Value>>) -> Self {
        let empty = Map::new();
        let mut field = Field::of(language, name, "", schema.unwrap_or(&empty), false);
        name.clone_into(&mut field.name);
        field.label = language.text("order-field-any");
        field.kind = Kind::Json;
        Self { fields: vec![field], is_whole: true }
    }

    /// The form filled in with an object that was sent before. If a member has no field, the object is
    /// entered as JSON, so that nothing of it is lost.
    pub(super) fn repeating(
        language: Language,
        name: &'static str,
        schema: Option<&Map<String, Value>>,
        values: &Map<String, Value>,
    ) -> Self {
        let sheet = Self::of(language, name, schema);
        let has_field = |member: &String| sheet.fields.iter().any(|field| field.member == *member);
        if sheet.is_whole || values.keys().all(has_field) {
            return sheet.filled(values);
        }
        Self::whole(language, name, schema).filled(values)
    }

    /// The form with these values, which can be changed.
    pub(super) fn filled(mut self, values: &Map<String, Value>) -> Self {
        for field in &mut self.fields {
            if self.is_whole {
                field.before = pretty(&Value::Object(values.clone()));
            } else if let Some(value) = values.get(&field.member) {
                field.before = field.kind.typed(value);
            }
        }
        self
    }

    /// The object of the submitted fields, valid under the schema.
    pub(super) fn read(
        &self,
        schema: Option<&Map<String, Value>>,
        request: &PageRequest,
    ) -> Result<Map<String, Value>> {
        let object = self.object(request)?;
        let Some(schema) = schema else { return Ok(object) };
        self.check(schema, &Value::Object(object.clone()))?;
        Ok(object)
    }

    /// The submitted value of [`Self::of_value`], valid under the schema.
    pub(super) fn value(
        &self,
        schema: Option<&Map<String, Value>>,
        request: &PageRequest,
    ) -> Result<Value> {
        let value = match self.fields.as_slice() {
            [field] if self.is_whole => field.value(request)?.unwrap_or_default(),
            _ => Value::Object(self.object(request)?),
        };
        if let Some(schema) = schema {
            self.check(schema, &value)?;
        }
        Ok(value)
    }

    /// Refuses a value that the schema does.
    fn check(&self, schema: &Map<String, Value>, value: &Value) -> Result<()> {
        let schema = Schema::new(schema).map_err(|error| Error::internal(error.to_string()))?;
        let refusal = |fault: Fault| Refusal {
            field: self.field_at(&fault.pointer),
            ..Refusal::new(Code::InputSchemaMismatch, fault.message)
        };
        refuse_all(schema.faults(value).into_iter().map(refusal).collect())
    }

    /// The name of the field with the value at this place; none for what is wrong with the object as a whole.
    fn field_at(&self, pointer: &str) -> Option<String> {
        let member = pointer.split('/').nth(1).unwrap_or_default();
        let member = member.replace("~1", "/").replace("~0", "~");
        let mut fields = self.fields.iter();
        let found = fields.find(|field| self.is_whole || field.member == member);
        found.map(|field| field.name.clone())
    }

    fn object(&self, request: &PageRequest) -> Result<Map<String, Value>> {
        let (mut object, mut refused) = (Map::new(), Vec::new());
        for field in &self.fields {
            match field.value(request) {
                Ok(None) => {}
                Ok(Some(Value::Object(members))) if self.is_whole => return Ok(members),
                Ok(Some(_)) if self.is_whole => {
                    return Err(field.wrong(request, "order-field-object"));
                }
                Ok(Some(value)) => drop(object.insert(field.member.clone(), value)),
                Err(Error::Refused(refusal)) => refused.push(*refusal),
                Err(error) => return Err(error),
            }
        }
        refuse_all(refused).map(|()| object)
    }
}

/// Refuses several fields at once, if there are any: the refusal of the first one lists them all.
fn refuse_all(mut refused: Vec<Refusal>) -> Result<()> {
    refused.sort_by_key(|refusal| refusal.field.is_none());
    let error = |refusal: &Refusal| {
        let (field, message) = (refusal.field.clone()?, refusal.message.clone());
        Some(FieldError { field, code: FieldCode::Invalid, message })
    };
    let mut errors: Vec<FieldError> = refused.iter().filter_map(error).collect();
    errors.dedup_by(|next, one| next.field == one.field);
    match refused.into_iter().next() {
        Some(first) => Err(Refusal { errors, ..first }.into()),
        None => Ok(()),
    }
}

impl Field {
    fn of(
        language: Language,
        object: &str,
        member: &str,
        schema: &Map<String, Value>,
        required: bool,
    ) -> Self {
        let text = |name: &str| schema.get(name).and_then(Value::as_str).unwrap_or_default();
        let kind = Kind::of(language, schema);
        let example = schema.get("examples").and_then(|examples| examples.get(0));
        let example = example.map(|value| kind.typed(value)).unwrap_or_default();
        let before = schema.get("default").map(|value| kind.typed(value)).unwrap_or_default();
        let title = text("title");
        Self {
            name: format!("{object}.{member}"),
            label: if title.is_empty() { member.replace('_', " ") } else { title.to_owned() },
            help: text("description").to_owned(),
            required,
            before,
            example,
            kind,
            member: member.to_owned(),
        }
    }

    /// The submitted value as JSON; `None` if it is empty.
    fn value(&self, request: &PageRequest) -> Result<Option<Value>> {
        let Some(text) = request.field(&self.name) else {
            let missing = || Err(self.wrong(request, "order-field-required"));
            return if self.required { missing() } else { Ok(None) };
        };
        Ok(Some(match &self.kind {
            Kind::Text { .. } => Value::from(text),
            Kind::Number { .. } => match serde_json::from_str(text.trim()) {
                Ok(Value::Number(number)) => Value::Number(number),
                _ => return Err(self.wrong(request, "order-field-number")),
            },
            Kind::Choice(choices) => {
                let chosen = choices.iter().find(|(sent, _)| sent == text);
                let chosen = chosen.and_then(|(sent, _)| serde_json::from_str(sent).ok());
                chosen.ok_or_else(|| self.wrong(request, "order-field-choice"))?
            }
            Kind::Lines => {
                let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
                lines.map(Value::from).collect()
            }
            Kind::Json => {
                serde_json::from_str(text).map_err(|_| self.wrong(request, "order-field-json"))?
            }
        }))
    }

    /// A refusal of what was submitted, by the id of its text.
    fn wrong(&self, request: &PageRequest, id: &str) -> Error {
        request.wrong(&self.name, request.t(id).with("field", &self.label))
    }
}

impl Kind {
    fn of(language: Language, schema: &Map<String, Value>) -> Self {
        let number =
            |name: &str| schema.get(name).and_then(Value::as_number).map(ToString::to_string);
        let natural = |name: &str| schema.get(name).and_then(Value::as_u64);
        if let Some(choices) = choices(schema) {
            return Self::Choice(choices);
        }
        match plain_type(schema) {
            Some("string") => {
                let max = natural("maxLength");
                let input = match schema.get("format").and_then(Value::as_str) {
                    Some("email") => "email",
                    Some("uri") => "url",
                    Some("date") => "date",
                    _ => "text",
                };
                let is_line = input != "text" || schema.contains_key("pattern");
                let lines = !is_line && max.is_none_or(|max| max > LINE_LENGTH);
                Self::Text { lines, input, min: natural("minLength"), max }
            }
            Some(kind @ ("integer" | "number")) => Self::Number {
                whole: kind == "integer",
                min: number("minimum"),
                max: number("maximum"),
            },
            Some("boolean") => {
                let choice = |sent: &str, id: &str| (sent.to_owned(), language.text(id));
                Self::Choice(vec![choice("true", "content-yes"), choice("false", "content-no")])
            }
            Some("array") => {
                let items = schema.get("items").and_then(Value::as_object);
                let is_text =
                    |items| plain_type(items) == Some("string") && choices(items).is_none();
                if items.is_some_and(is_text) { Self::Lines } else { Self::Json }
            }
            _ => Self::Json,
        }
    }

    /// A value as text for its field.
    fn typed(&self, value: &Value) -> String {
        match (self, value) {
            (Self::Text { .. }, Value::String(text)) => text.clone(),
            (Self::Lines, Value::Array(lines)) => {
                let lines: Vec<&str> = lines.iter().filter_map(Value::as_str).collect();
                lines.join("\n")
            }
            (Self::Json, value) => pretty(value),
            (_, Value::Null) => String::new(),
            (Self::Choice(_), value) => value.to_string(),
            (_, value) => pretty(value),
        }
    }
}

/// The options of an `enum` or `const`, if they are simple.
fn choices(schema: &Map<String, Value>) -> Option<Vec<(String, String)>> {
    let words = match (schema.get("enum"), schema.get("const")) {
        (Some(Value::Array(words)), _) => words.clone(),
        (None, Some(word)) => vec![word.clone()],
        _ => return None,
    };
    let choice = |word: &Value| match word {
        Value::String(text) => Some((word.to_string(), text.clone())),
        Value::Number(_) | Value::Bool(_) => Some((word.to_string(), word.to_string())),
        _ => None,
    };
    words.iter().map(choice).collect()
}

/// The single type of a value, with or without `null`.
fn plain_type(schema: &Map<String, Value>) -> Option<&str> {
    match schema.get("type")? {
        Value::String(kind) => Some(kind),
        Value::Array(kinds) => {
            let mut kinds = kinds.iter().filter_map(Value::as_str).filter(|kind| *kind != "null");
            let first = kinds.next();
            if kinds.next().is_none() { first } else { None }
        }
        _ => None,
    }
}

/// Resolves a single `$ref`; a schema of `true` is empty.
fn resolved<'a>(root: &'a Map<String, Value>, schema: &'a Value) -> &'a Map<String, Value> {
    static ANYTHING: std::sync::LazyLock<Map<String, Value>> = std::sync::LazyLock::new(Map::new);
    let Some(schema) = schema.as_object() else { return &ANYTHING };
    let name = schema.get("$ref").and_then(Value::as_str);
    let found = name.and_then(|name| name.strip_prefix("#/$defs/")).and_then(|name| {
        root.get("$defs").and_then(|parts| parts.get(name)).and_then(Value::as_object)
    });
    found.unwrap_or(schema)
}

#[cfg(test)]
mod tests;
