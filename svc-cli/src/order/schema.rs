//! The input of an order, typed by the schema its service publishes.
//!
//! Whether it fits is judged by the kit and the server; here words become values.

use serde_json::{Map, Value, json};

use super::line::is_own;
use crate::error::{Error, Result};
use crate::input;
use crate::output::one_line;

/// A published input schema.
#[derive(Clone, Copy)]
pub(crate) struct Schema<'a>(pub(crate) &'a Map<String, Value>);

/// Most references followed from one schema to the next; a circle of them ends here.
const REFERENCES_MAX: usize = 8;

impl<'a> Schema<'a> {
    /// The members it names.
    fn members(self) -> impl Iterator<Item = (&'a str, &'a Value)> {
        let properties = self.0.get("properties").and_then(Value::as_object);
        properties.into_iter().flatten().map(|(name, schema)| (name.as_str(), schema))
    }

    fn required(self) -> impl Iterator<Item = &'a str> {
        let names = self.0.get("required").and_then(Value::as_array);
        names.into_iter().flatten().filter_map(Value::as_str)
    }

    /// The flags by which an order gives its members, for people.
    pub(crate) fn flags(self) -> Vec<String> {
        let flag = |(name, schema): (&str, &Value)| {
            let kinds = self.kinds(schema);
            let kind = if kinds.is_empty() { "JSON".to_owned() } else { kinds.join("|") };
            let required = self.required().any(|required| required == name);
            let required = if required { "  required" } else { "" };
            let about = schema["description"].as_str().map(one_line).unwrap_or_default();
            let name = one_line(name);
            let given = if is_own(&name) { format!("field {name}=VALUE") } else { name };
            format!("    --{given}  {kind}{required}  {about}").trim_end().to_owned()
        };
        self.members().map(flag).collect()
    }

    /// The input that flags give.
    pub(crate) fn input(self, fields: &[(String, Option<String>)]) -> Result<Map<String, Value>> {
        let mut given = Map::new();
        for (flag, text) in fields {
            let (name, schema) = self.member(flag)?;
            let value = match text {
                Some(text) => self.value(name, schema, text)?,
                None => self.yes(flag, schema)?,
            };
            if given.insert(name.to_owned(), value).is_some() {
                return Err(Error::usage(format!("--{flag} is given twice")));
            }
        }
        Ok(given)
    }

    /// The member a flag means: by its name, or by its name in kebab-case.
    fn member(self, flag: &str) -> Result<(&'a str, &'a Value)> {
        let by_name = self.members().find(|(name, _)| *name == flag);
        by_name.or_else(|| self.members().find(|(name, _)| kebab(name) == flag)).ok_or_else(|| {
            let names: Vec<&str> = self.members().map(|(name, _)| name).collect();
            let text = format!("the input has no member {flag}");
            let error =
                |text: String| Error::usage(text).hint("give the whole input with --input FILE");
            if names.is_empty() {
                return error(text);
            }
            error(format!("{text}, but others")).untrusted(json!({ "members": names }))
        })
    }

    /// What a flag without a value says. Only a boolean has one; elsewhere it is a mistake: `--text $EMPTY`.
    fn yes(self, flag: &str, schema: &Value) -> Result<Value> {
        if self.kinds(schema).contains(&"boolean") {
            return Ok(Value::Bool(true));
        }
        let hint = format!("--{flag}=VALUE also takes a value that begins with --");
        Err(Error::usage(format!("--{flag} needs a value")).hint(hint))
    }

    /// What a flag says, in the type the schema asks for.
    fn value(self, name: &str, schema: &Value, text: &str) -> Result<Value> {
        let kinds = self.kinds(schema);
        let text = input::value(text)?;
        let parsed = serde_json::from_str::<Value>(&text).ok();
        // A text is never taken for something else: `--text 7` is the text "7".
        if kinds.contains(&"string") || (kinds.is_empty() && parsed.is_none()) {
            return Ok(Value::from(text));
        }
        let fitting = parsed.filter(|value| kinds.is_empty() || fits(&kinds, value));
        fitting.ok_or_else(|| Error::usage(format!("{name} must be {}", named(&kinds))))
    }

    /// The types a schema allows; none when it does not limit them.
    fn kinds(self, schema: &'a Value) -> Vec<&'a str> {
        let schema = self.resolved(schema);
        match &schema["type"] {
            Value::String(kind) => vec![kind.as_str()],
            Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
            _ if is_words(schema) => vec!["string"],
            _ => Vec::new(),
        }
    }

    /// The schema behind references such as `#/$defs/Language`.
    fn resolved(self, mut schema: &'a Value) -> &'a Value {
        for _ in 0..REFERENCES_MAX {
            let pointer =
                schema["$ref"].as_str().and_then(|reference| reference.strip_prefix("#/"));
            let Some((first, rest)) =
                pointer.map(|path| path.split_once('/').unwrap_or((path, "")))
            else {
                break;
            };
            let Some(found) =
                self.0.get(first).and_then(|value| value.pointer(&format!("/{rest}")))
            else {
                break;
            };
            schema = found;
        }
        schema
    }
}

/// Whether a schema is a list of words.
fn is_words(schema: &Value) -> bool {
    let words = schema["enum"].as_array();
    words.is_some_and(|words| !words.is_empty() && words.iter().all(Value::is_string))
}

/// Whether a value is of one of these types; of none named, all are right.
fn fits(kinds: &[&str], value: &Value) -> bool {
    let is = |kind: &&str| match *kind {
        "string" => value.is_string(),
        // 7.0 is an integer too (JSON Schema 2020-12).
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "object" => value.is_object(),
        "array" => value.is_array(),
        "null" => value.is_null(),
        _ => true,
    };
    kinds.is_empty() || kinds.iter().any(is)
}

/// Types in words: `an integer`.
fn named(kinds: &[&str]) -> String {
    let words = kinds.iter().map(|kind| match *kind {
        "integer" | "array" | "object" => format!("an {kind}"),
        "null" => "null".to_owned(),
        kind => format!("a {kind}"),
    });
    words.collect::<Vec<_>>().join(" or ")
}

/// `maxWords` and `max_words` as `max-words`.
fn kebab(name: &str) -> String {
    crate::field::kebab(name).replace('_', "-")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn schema() -> Map<String, Value> {
        let schema = json!({
            "type": "object",
            "required": ["text"],
            "properties": {
                "text": { "type": "string", "description": "What is\ncounted." },
                "maxWords": { "type": ["integer", "null"] },
                "ratio": { "type": "number" },
                "deep": { "type": "boolean" },
                "stop_words": { "type": "array" },
                "language": { "$ref": "#/$defs/Language" },
                "circle": { "$ref": "#/properties/circle" },
                "anything": {},
                "url": { "type": "string" },
            },
            "$defs": { "Language": { "enum": ["en", "fr"] } },
        });
        schema.as_object().cloned().unwrap()
    }

    fn input(fields: &[(&str, &str)]) -> Result<Value, String> {
        let owned = |(name, text): &(&str, &str)| ((*name).to_owned(), Some((*text).to_owned()));
        let fields: Vec<_> = fields.iter().map(owned).collect();
        let schema = schema();
        Schema(&schema).input(&fields).map(Value::Object).map_err(|error| error.message)
    }

    #[test]
    fn the_schema_says_how_a_flag_is_read() {
        let given = [
            ("text", "7"),
            ("max-words", "7"),
            ("ratio", "0.5"),
            ("deep", "true"),
            ("stop-words", "[\"a\"]"),
            ("language", "en"),
            ("anything", "{\"a\":1}"),
            ("circle", "word"),
        ];
        let expected = json!({ "text": "7", "maxWords": 7, "ratio": 0.5, "deep": true,
            "stop_words": ["a"], "language": "en", "anything": { "a": 1 }, "circle": "word" });
        assert_eq!(input(&given), Ok(expected));
    }

    #[test]
    fn a_flag_of_the_wrong_type_or_name_is_refused() {
        let refused = |name: &str, text: &str| input(&[(name, text)]).unwrap_err();
        assert_eq!(refused("max-words", "many"), "maxWords must be an integer or null");
        assert_eq!(refused("ratio", "true"), "ratio must be a number");
        assert_eq!(refused("stop-words", "{}"), "stop_words must be an array");
        assert_eq!(refused("txet", "a"), "the input has no member txet, but others");
        let twice = input(&[("text", "a"), ("text", "b")]).unwrap_err();
        assert_eq!(twice, "--text is given twice");
    }

    #[test]
    fn a_flag_without_a_value_means_true_only_for_a_boolean() {
        let schema = schema();
        let bare = |name: &str| Schema(&schema).input(&[(name.to_owned(), None)]);
        assert_eq!(bare("deep").unwrap()["deep"], true);
        for name in ["text", "max-words", "anything"] {
            assert_eq!(bare(name).unwrap_err().message, format!("--{name} needs a value"));
        }
    }

    #[test]
    fn people_see_the_flags_of_an_order() {
        let schema = schema();
        let flags = Schema(&schema).flags();
        assert!(flags.contains(&"    --text  string  required  What is counted.".to_owned()));
        assert!(flags.contains(&"    --language  string".to_owned()), "{flags:?}");
        assert!(flags.contains(&"    --anything  JSON".to_owned()), "{flags:?}");
        let own = "    --field url=VALUE  string".to_owned();
        assert!(flags.contains(&own), "--url is the server: {flags:?}");
    }
}
