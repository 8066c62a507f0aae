//! JSON formatted for people: names and texts, and raw JSON only where nothing else fits.

use serde_json::{Map, Value};

use crate::language::Language;

/// A member of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shown {
    pub(super) name: String,
    pub(super) text: String,
    /// Whether the text is JSON.
    pub(super) is_json: bool,
}

/// The members of an object.
pub(super) fn shown(language: Language, object: &Map<String, Value>) -> Vec<Shown> {
    object.iter().map(|(name, value)| one(language, name, value)).collect()
}

/// A value with its name.
fn one(language: Language, name: &str, value: &Value) -> Shown {
    let plain = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Bool(true) => Some(language.text("value-yes")),
        Value::Bool(false) => Some(language.text("value-no")),
        Value::Number(number) => Some(number.to_string()),
        Value::Null => Some(language.text("value-nothing")),
        Value::Array(_) | Value::Object(_) => None,
    };
    let text = match value {
        Value::Array(values) => {
            let lines: Option<Vec<String>> = values.iter().map(plain).collect();
            lines.map(|lines| lines.join("\n"))
        }
        other => plain(other),
    };
    let is_json = text.is_none();
    Shown { name: name.to_owned(), text: text.unwrap_or_else(|| pretty(value)), is_json }
}

/// Indented JSON.
pub(super) fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_else(|_| value.to_string())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_what_has_parts_within_parts_is_shown_as_json() {
        let value =
            json!({ "a": "text", "b": 2, "c": ["x", 1], "d": { "e": 1 }, "f": [[1]], "g": true });
        let seen = shown(Language::German, value.as_object().unwrap());
        let texts: Vec<_> = seen.iter().map(|one| (&*one.text, one.is_json)).collect();
        assert_eq!(texts[..3], [("text", false), ("2", false), ("x\n1", false)]);
        assert!(texts[3].1 && texts[4].1, "{texts:?}");
        assert_eq!(texts[5], ("ja", false));
    }
}
