//! The fields of a request as flags, read off its JSON schema.

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches, value_parser};
use schemars::generate::SchemaSettings;
use schemars::{Schema, SchemaGenerator};
use serde_json::Value;
use svc_client::types::wire::Rejected;
use svc_client::types::{Declaration, published};

use crate::error::{Error, Result};
use crate::input;
use crate::settings::Global;

/// How JSON is typed in a shell.
const QUOTES: &str = "put JSON in single quotes: '{\"color\": \"red\"}', or '\"red\"' for a string";

/// One field of a request.
pub(crate) struct Field {
    /// Its name on the wire, in camelCase.
    pub(crate) name: String,
    /// What it is for.
    pub(crate) help: String,
    pub(crate) required: bool,
    pub(crate) kind: Kind,
    /// Possible values of the items of a list.
    pub(crate) items: Vec<String>,
}

/// How the text of a flag becomes a value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    Text,
    /// A text that is given by file or stdin only, since others see a command line.
    Secret,
    Word(Vec<String>),
    Whole,
    Decimal,
    Flag,
    Json,
}

/// The fields of a request by its schema, in order of their names.
pub(crate) fn fields(schema: fn(&mut SchemaGenerator) -> Schema) -> Vec<Field> {
    let mut generator = SchemaSettings::draft2020_12()
        .with(|settings| settings.inline_subschemas = true)
        .into_generator();
    let schema = schema(&mut generator);
    let required = schema.get("required").and_then(Value::as_array);
    let is_required = |name: &str| required.is_some_and(|names| names.iter().any(|n| n == name));
    let properties = schema.get("properties").and_then(Value::as_object);
    let members = properties.into_iter().flatten();
    members
        .map(|(name, schema)| Field {
            name: name.clone(),
            help: help(schema["description"].as_str().unwrap_or_default()),
            required: is_required(name),
            kind: Kind::of(schema),
            items: words_of(&schema["items"]),
        })
        .collect()
}

/// The possible values of a text.
fn words_of(schema: &Value) -> Vec<String> {
    let words = schema["enum"].as_array().into_iter().flatten();
    words.filter_map(Value::as_str).map(str::to_owned).collect()
}

/// Takes the field of a declared member. A member with another name on the wire has the field that
/// is no other member's.
pub(crate) fn of_member(
    fields: &mut Vec<Field>,
    declared: &Declaration,
    member: &str,
) -> Option<Field> {
    let snake = |field: &Field| kebab(&field.name).replace('-', "_");
    let is_renamed =
        |field: &Field| declared.members.iter().all(|member| member.name != snake(field));
    let index = fields.iter().position(|field| snake(field) == member);
    let index = index.or_else(|| fields.iter().position(is_renamed))?;
    Some(fields.remove(index))
}

/// A description as the help of a flag, which has no full stop.
fn help(description: &str) -> String {
    words(description).trim_end_matches('.').to_owned()
}

/// The text of a declaration on one line.
pub(crate) fn words(doc: &str) -> String {
    published(doc).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A body for people to see: without its secrets.
pub(crate) fn redact(mut body: Value, fields: Vec<Field>) -> Value {
    for field in fields {
        if let (Kind::Secret, Some(secret)) = (field.kind, body.get_mut(field.name.as_str())) {
            *secret = "[redacted]".into();
        }
    }
    // A secret inside another member has no field of its own.
    if let Some(token) = body.pointer_mut("/deliverable/accessToken") {
        *token = "[redacted]".into();
    }
    body
}

impl Kind {
    fn of(schema: &Value) -> Self {
        let kinds = match &schema["type"] {
            Value::String(kind) => vec![kind.as_str()],
            Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
            // One of several forms of text, or any JSON at all.
            _ if schema["anyOf"].is_array() => vec!["string"],
            _ => Vec::new(),
        };
        let kind = kinds.into_iter().find(|kind| *kind != "null");
        let words = words_of(schema);
        match kind {
            Some("string") if schema["format"] == "password" => Self::Secret,
            Some("string") if !words.is_empty() => Self::Word(words),
            Some("string") => Self::Text,
            Some("integer") => Self::Whole,
            Some("number") => Self::Decimal,
            Some("boolean") => Self::Flag,
            _ => Self::Json,
        }
    }
}

impl Field {
    /// The flag of this field.
    pub(crate) fn flag(&self) -> Arg {
        let flag = Arg::new(self.id())
            .long(long(&self.name))
            .help(self.help.clone())
            .required(self.required);
        match &self.kind {
            Kind::Text => flag.value_name("TEXT"),
            Kind::Secret => flag.value_name("@FILE|-"),
            Kind::Word(words) => {
                flag.value_name("WORD").value_parser(PossibleValuesParser::new(words))
            }
            Kind::Whole => flag
                .value_name("NUMBER")
                .value_parser(value_parser!(i64))
                .allow_negative_numbers(true),
            Kind::Decimal => flag.value_name("DECIMAL").allow_negative_numbers(true),
            Kind::Flag => flag
                .value_name("true|false")
                .value_parser(value_parser!(bool))
                .num_args(0..=1)
                .default_missing_value("true"),
            Kind::Json => flag.value_name("JSON"),
        }
    }

    /// Its name among the arguments, apart from those of every command.
    fn id(&self) -> String {
        format!("field {}", self.name)
    }

    /// The member that was given for it.
    pub(crate) fn member(&self, flags: &ArgMatches) -> Result<Option<(String, Value)>> {
        let id = self.id();
        let value = match self.kind {
            Kind::Whole => flags.get_one::<i64>(&id).copied().map(Value::from),
            Kind::Flag => flags.get_one::<bool>(&id).copied().map(Value::from),
            _ => {
                let argument = flags.get_one::<String>(&id);
                argument.map(|argument| self.parse(argument)).transpose()?
            }
        };
        Ok(value.map(|value| (self.name.clone(), value)))
    }

    /// Parses the text of its own flag, which may name a file or stdin.
    pub(crate) fn parse(&self, argument: &str) -> Result<Value> {
        self.parse_as(argument, &format!("--{}", long(&self.name)))
    }

    /// The same for an argument that errors call by this name: a flag, or a positional argument.
    pub(crate) fn parse_as(&self, argument: &str, name: &str) -> Result<Value> {
        match self.kind {
            Kind::Secret if argument != "-" && !argument.starts_with('@') => {
                let message = format!("{name} is a secret, and others see a command line");
                let flag = if name.starts_with("--") { format!("{name} ") } else { String::new() };
                Err(Error::usage(message).hint(format!("{flag}- reads stdin, or {flag}@FILE")))
            }
            Kind::Decimal => {
                let wrong = |_| Error::usage(format!("{name} must be a number"));
                argument.parse().map(Value::Number).map_err(wrong)
            }
            Kind::Json => json(argument, name),
            _ => input::value(argument).map(Value::from),
        }
    }
}

/// Parses JSON from the command line, a file or stdin.
pub(crate) fn json(argument: &str, name: &str) -> Result<Value> {
    let text = input::value(argument)?;
    serde_json::from_str(&text).map_err(|error| {
        let wrong = Error::usage(format!("{name} must be JSON: {error}"));
        // A shell removes the quotes of what is typed; those of a file stay.
        if text == argument { wrong.hint(QUOTES) } else { wrong }
    })
}

/// What is wrong with a request, by the flag of the member at fault.
pub(crate) fn refused(refused: &Rejected) -> Box<Error> {
    let field = refused.field.as_deref().unwrap_or_default();
    let name = field.split('/').find(|part| !part.is_empty()).unwrap_or_default();
    let message = &refused.message;
    Error::usage(match message.strip_prefix(name) {
        Some(rule) if !name.is_empty() => format!("--{}{rule}", long(name)),
        _ => message.clone(),
    })
}

/// The flag of a field; `field-` goes before the name of a flag that every command has.
pub(crate) fn long(name: &str) -> String {
    let kebab = kebab(name);
    if Global::has(&kebab) { format!("field-{kebab}") } else { kebab }
}

/// `sendMessage` and `SendMessage` as `send-message`.
pub(crate) fn kebab(name: &str) -> String {
    let mut kebab = String::with_capacity(name.len() + 4);
    for c in name.chars() {
        if c.is_ascii_uppercase() && !kebab.is_empty() {
            kebab.push('-');
        }
        kebab.push(c.to_ascii_lowercase());
    }
    kebab
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_schema_says_how_a_flag_is_read() {
        assert_eq!(Kind::of(&json!({ "type": ["string", "null"] })), Kind::Text);
        assert_eq!(Kind::of(&json!({ "type": ["integer", "null"] })), Kind::Whole);
        assert_eq!(Kind::of(&json!({ "type": "number" })), Kind::Decimal);
        assert_eq!(Kind::of(&json!({ "type": "object" })), Kind::Json);
        assert_eq!(Kind::of(&json!({ "description": "Any JSON." })), Kind::Json);
        assert_eq!(Kind::of(&json!({ "anyOf": [{ "type": "string" }] })), Kind::Text);
        let word = Kind::of(&json!({ "type": ["string", "null"], "enum": ["a", null] }));
        assert_eq!(word, Kind::Word(vec!["a".to_owned()]));
        let secret = Kind::of(&json!({ "type": "string", "format": "password" }));
        assert_eq!(secret, Kind::Secret);
    }

    #[test]
    fn a_field_named_like_a_flag_of_every_command_has_a_flag_of_its_own() {
        assert_eq!((long("url"), long("dryRun")), ("field-url".into(), "field-dry-run".into()));
        assert_eq!((long("website"), long("urls")), ("website".into(), "urls".into()));
    }

    #[test]
    fn names_are_kebab_case() {
        assert_eq!(kebab("RotateDeveloperKey"), "rotate-developer-key");
        assert_eq!(kebab("isAgent"), "is-agent");
    }
}
