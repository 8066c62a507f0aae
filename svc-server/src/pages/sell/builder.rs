//! A JSON Schema as rows of a form, one for each member, for sellers who write no JSON.

use std::fmt::Display;

use serde_json::{Map, Value, json};
use svc_store::error::Result;

use crate::http::PageRequest;

/// Most rows; a larger object is described by its schema.
pub(super) const ROWS_MAX: usize = 12;

/// Longest text on one line.
const LINE_LENGTH: u64 = 120;

/// The kinds of members: word and id of the label.
pub(super) const KINDS: [(&str, &str); 7] = [
    ("line", "sell-kind-line"),
    ("text", "sell-kind-text"),
    ("whole", "sell-kind-whole"),
    ("number", "sell-kind-number"),
    ("choice", "sell-kind-choice"),
    ("yes", "sell-kind-yes"),
    ("list", "sell-kind-list"),
];

/// A member of the described object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) name: String,
    /// A word of [`KINDS`].
    pub(super) kind: String,
    /// The options of a choice, separated by commas.
    pub(super) choices: String,
    pub(super) help: String,
    pub(super) required: bool,
}

impl Row {
    /// The rows of a schema; `None` if they don't describe all of it.
    pub(super) fn all_of(schema: &Map<String, Value>) -> Option<Vec<Self>> {
        let required = schema.get("required").and_then(Value::as_array);
        let is_required =
            |name: &str| required.is_some_and(|names| names.iter().any(|one| one == name));
        let members = schema.get("properties").and_then(Value::as_object)?;
        let row = |(name, member): (&String, &Value)| {
            Self::of(name, member.as_object()?, is_required(name))
        };
        let rows: Vec<Self> = members.iter().map(row).collect::<Option<_>>()?;
        let is_whole = rows.len() <= ROWS_MAX
            && rows.iter().all(Self::fits_lines)
            && in_order(schema_of(&rows)) == in_order(schema.clone());
        is_whole.then_some(rows)
    }

    fn of(name: &str, member: &Map<String, Value>, required: bool) -> Option<Self> {
        let text = |key| member.get(key).and_then(Value::as_str).unwrap_or_default();
        let options = member.get("enum").and_then(Value::as_array);
        let kind = match (text("type"), options) {
            ("string", Some(_)) => "choice",
            ("string", None) if member.contains_key("maxLength") => "line",
            ("string", None) => "text",
            ("integer", _) => "whole",
            ("number", _) => "number",
            ("boolean", _) => "yes",
            ("array", _) => "list",
            _ => return None,
        };
        let options = options.into_iter().flatten().filter_map(Value::as_str);
        Some(Self {
            name: name.to_owned(),
            kind: kind.to_owned(),
            choices: options.collect::<Vec<_>>().join(", "),
            help: text("description").to_owned(),
            required,
        })
    }

    /// The rows of a form whose fields begin with this word, as they were typed; rows without a
    /// name are left out.
    pub(super) fn typed(of: &str, request: &PageRequest) -> Vec<(usize, Self)> {
        let row = |number: usize| {
            let field =
                |name: &str| request.field(&field_name(of, number, name)).unwrap_or_default();
            Self {
                name: field("name").trim().to_owned(),
                kind: field("kind").to_owned(),
                choices: field("choices").to_owned(),
                help: field("help").trim().to_owned(),
                required: field("required") == "true",
            }
        };
        let rows = (1..=ROWS_MAX).map(|number| (number, row(number)));
        rows.filter(|(_, row)| !row.name.is_empty()).collect()
    }

    /// Whether the fields of a form, which are lines, give these texts back as they are.
    fn fits_lines(&self) -> bool {
        let is_line = |text: &String| text.trim() == text && !text.contains(['\r', '\n']);
        !self.name.is_empty() && [&self.name, &self.choices, &self.help].into_iter().all(is_line)
    }

    fn options(&self) -> Vec<&str> {
        words(&self.choices).collect()
    }

    /// The schema of the member.
    fn schema(&self) -> Value {
        let mut schema = match self.kind.as_str() {
            "line" => json!({ "type": "string", "maxLength": LINE_LENGTH }),
            "whole" => json!({ "type": "integer" }),
            "number" => json!({ "type": "number" }),
            "choice" => json!({ "type": "string", "enum": self.options() }),
            "yes" => json!({ "type": "boolean" }),
            "list" => json!({ "type": "array", "items": { "type": "string" } }),
            _ => json!({ "type": "string" }),
        };
        if !self.help.is_empty() {
            schema["description"] = json!(self.help);
        }
        schema
    }
}

/// The name of a field of a row.
pub(super) fn field_name(of: &str, number: impl Display, name: &str) -> String {
    format!("{of}.{number}.{name}")
}

/// Words separated by commas.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim).filter(|word| !word.is_empty())
}

/// The schema of the described object; empty without rows.
pub(super) fn schema_of(rows: &[Row]) -> Map<String, Value> {
    if rows.is_empty() {
        return Map::new();
    }
    let members: Map<String, Value> =
        rows.iter().map(|row| (row.name.clone(), row.schema())).collect();
    let required: Vec<&str> =
        rows.iter().filter(|row| row.required).map(|row| row.name.as_str()).collect();
    let mut schema = Map::new();
    schema.insert("type".to_owned(), json!("object"));
    schema.insert("properties".to_owned(), Value::Object(members));
    if !required.is_empty() {
        schema.insert("required".to_owned(), json!(required));
    }
    schema
}

/// The schema that was typed as rows.
pub(super) fn read(of: &str, request: &PageRequest) -> Result<Map<String, Value>> {
    let typed = Row::typed(of, request);
    for (place, (number, row)) in typed.iter().enumerate() {
        if typed[..place].iter().any(|(_, other)| other.name == row.name) {
            let field = field_name(of, *number, "name");
            return Err(request.wrong(&field, request.t("sell-row-same-name")));
        }
        if row.kind == "choice" && row.options().is_empty() {
            let field = field_name(of, *number, "choices");
            return Err(request.wrong(&field, request.t("sell-row-no-choices")));
        }
    }
    let rows: Vec<Row> = typed.into_iter().map(|(_, row)| row).collect();
    Ok(schema_of(&rows))
}

/// A schema with its required members in order, for comparisons.
fn in_order(mut schema: Map<String, Value>) -> Map<String, Value> {
    if let Some(Value::Array(names)) = schema.get_mut("required") {
        names.sort_by_key(|name| name.as_str().map(str::to_owned));
    }
    schema
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, kind: &str) -> Row {
        Row { name: name.to_owned(), kind: kind.to_owned(), ..Row::default() }
    }

    #[test]
    fn rows_and_their_schema_say_the_same() {
        let mut rows: Vec<Row> =
            KINDS.iter().map(|(kind, _)| row(&format!("{kind}_1"), kind)).collect();
        rows.sort_by(|one, other| one.name.cmp(&other.name));
        for row in &mut rows {
            row.required = row.kind != "yes";
            row.help = format!("a {}", row.kind);
            if row.kind == "choice" {
                "bar, pie".clone_into(&mut row.choices);
            }
        }
        assert_eq!(Row::all_of(&schema_of(&rows)), Some(rows));
    }

    #[test]
    fn a_schema_that_says_more_than_rows_has_none() {
        for schema in [
            json!({ "type": "object" }),
            json!({ "type": "object", "properties": { "a": { "type": "string", "maxLength": 7 } } }),
            json!({ "type": "object", "properties": { "a": { "type": "integer", "minimum": 1 } } }),
            json!({ "type": "object", "properties": { "a": { "type": "object" } } }),
            json!({ "type": "object", "properties": { "a": true } }),
            json!({ "type": "object", "properties": { "a": { "type": "string" } }, "title": "x" }),
            json!({ "type": "object", "properties": { "a": { "enum": [1, 2] } } }),
            json!({ "type": "object", "properties": { "": { "type": "string" } } }),
            json!({ "type": "object", "properties": { "a ": { "type": "string" } } }),
            json!({ "type": "object", "properties": { "a": { "type": "string", "description": "two\nlines" } } }),
            json!({ "type": "object", "properties": { "a": { "type": "string", "enum": ["two\nlines"] } } }),
        ] {
            assert_eq!(Row::all_of(schema.as_object().unwrap()), None, "{schema}");
        }
    }

    #[test]
    fn required_members_may_stand_in_any_order() {
        let schema = json!({
            "type": "object", "required": ["b", "a"],
            "properties": { "a": { "type": "string" }, "b": { "type": "boolean" } },
        });
        let rows = Row::all_of(schema.as_object().unwrap()).unwrap();
        assert!(rows.iter().all(|row| row.required));
        assert_eq!(schema_of(&[]), Map::new());
    }
}
