//! Data of programs for people: requests and results, each part by its type.
//!
//! The type is the declared one, else that of the content. Nothing of it becomes markup: HTML is
//! shown as source, and an SVG picture is a file of its own, which may do nothing.

mod part_type;
mod table;
mod tree;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};

use self::part_type::{Type, data_url, declared, type_of};
use self::table::{Table, table};
pub(super) use self::tree::Tree;
use super::view::pretty;
use crate::language::Language;

/// The member in which a form without fields sends what was typed; its name says nothing.
const ONLY_TEXT: &str = "text";

/// A named part of a request or a result.
#[derive(Debug)]
pub(super) struct Part {
    /// The label: the title in the schema, or the member's name; empty for a text that is all there is.
    pub(super) label: String,
    pub(super) content: Content,
    /// The address of the part as a file.
    pub(super) file: Option<String>,
}

/// What a part is.
#[derive(Debug)]
pub(super) enum Content {
    Text(String),
    /// A text of a result.
    Markdown(String),
    Code(String),
    Table(Table),
    Tree(Tree),
    Picture,
}

/// A part as a file.
#[derive(Debug)]
pub(crate) struct File {
    pub(crate) name: String,
    pub(crate) media_type: &'static str,
    pub(crate) bytes: Vec<u8>,
}

/// The parts of a request, with the labels of its schema.
pub(super) fn request(
    language: Language,
    input: &Map<String, Value>,
    schema: Option<&Map<String, Value>>,
) -> Vec<Part> {
    Shown { language, schema, kind: None, of: Of::Request }.parts(input)
}

/// The parts of a result that a seller shows as a sample. `files` is the path below which its pictures
/// are served; before it is saved there is none.
pub(super) fn sample(
    language: Language,
    output: &Map<String, Value>,
    schema: Option<&Map<String, Value>>,
    files: Option<&str>,
) -> Vec<Part> {
    Shown { language, schema, kind: None, of: Of::Sample(files) }.parts(output)
}

/// The parts of a result. `kind` is the declared type of a delivery, `files` the path below which
/// its parts are served.
pub(super) fn result(
    language: Language,
    output: &Map<String, Value>,
    schema: Option<&Map<String, Value>>,
    kind: Option<&str>,
    files: &str,
) -> Vec<Part> {
    Shown { language, schema, kind, of: Of::Result(files) }.parts(output)
}

/// What a part belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Of<'a> {
    Request,
    /// A sample, whose pictures are served below this path.
    Sample(Option<&'a str>),
    /// A result, whose parts are served below this path.
    Result(&'a str),
}

/// How parts are shown.
struct Shown<'a> {
    language: Language,
    schema: Option<&'a Map<String, Value>>,
    /// The declared type of a delivery.
    kind: Option<&'a str>,
    of: Of<'a>,
}

impl Shown<'_> {
    fn parts(&self, members: &Map<String, Value>) -> Vec<Part> {
        let mut parts: Vec<Part> =
            members.iter().map(|(name, value)| self.part(name, value)).collect();
        if let [Part { label, content: Content::Text(_) | Content::Markdown(_), .. }] =
            &mut parts[..]
            && label.as_str() == ONLY_TEXT
        {
            label.clear();
        }
        parts
    }

    fn part(&self, name: &str, value: &Value) -> Part {
        let Self { language, schema, kind, of } = *self;
        let member = member(schema, name);
        let title = member.and_then(|member| member.get("title")).and_then(Value::as_str);
        let declared = declared(member, name, kind);
        let found = type_of(declared, value);
        let is_file = found != Type::Text || value.as_str().is_some_and(|text| text.contains('\n'));
        let files = match of {
            Of::Result(files) => Some(files).filter(|_| is_file),
            Of::Sample(files) => files.filter(|_| matches!(found, Type::Svg | Type::Picture(_))),
            Of::Request => None,
        };
        let file = files.map(|files| format!("{files}/{}", super::text::encoded(name)));
        let content = match found {
            Type::Svg | Type::Picture(_) if file.is_some() => Content::Picture,
            Type::Text if of != Of::Request => Content::Markdown(plain(language, value)),
            _ => content(language, found, value),
        };
        Part { label: title.unwrap_or(name).to_owned(), content, file }
    }
}

/// The schema of a member.
fn member<'a>(schema: Option<&'a Map<String, Value>>, name: &str) -> Option<&'a Value> {
    schema?.get("properties")?.get(name)
}

/// Whether a value is a text of one or several lines.
fn is_plain(value: &Value) -> bool {
    match value {
        Value::Array(values) => values.iter().all(|value| !value.is_array() && !value.is_object()),
        Value::Object(_) => false,
        _ => true,
    }
}

fn content(language: Language, found: Type, value: &Value) -> Content {
    let text = plain(language, value);
    match found {
        Type::Text => Content::Text(text),
        Type::Code | Type::Svg | Type::Picture(_) => Content::Code(text),
        Type::Csv => table(&text).map_or_else(|| Content::Code(text), Content::Table),
        Type::Json => match value {
            Value::String(text) => match serde_json::from_str(text) {
                Ok(value) => Content::Tree(Tree { language, value }),
                Err(_) => Content::Code(text.clone()),
            },
            value => Content::Tree(Tree { language, value: value.clone() }),
        },
    }
}

/// A value as text.
fn plain(language: Language, value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Bool(true) => language.text("content-yes"),
        Value::Bool(false) => language.text("content-no"),
        Value::Null => language.text("content-none"),
        Value::Array(values) if is_plain(value) => {
            let lines: Vec<String> = values.iter().map(|value| plain(language, value)).collect();
            lines.join("\n")
        }
        value => pretty(value),
    }
}

/// The member of a result with this name, as a file.
pub(super) fn file(
    output: &Map<String, Value>,
    schema: Option<&Map<String, Value>>,
    kind: Option<&str>,
    name: &str,
) -> Option<File> {
    let value = output.get(name)?;
    let found = type_of(declared(member(schema, name), name, kind), value);
    let (media_type, ending) = match found {
        Type::Text | Type::Code => ("text/plain; charset=utf-8", "txt"),
        Type::Csv => ("text/csv; charset=utf-8", "csv"),
        Type::Json => ("application/json", "json"),
        Type::Svg => ("image/svg+xml", "svg"),
        Type::Picture(media_type) => (media_type, media_type.trim_start_matches("image/")),
    };
    let text = value.as_str().map_or_else(|| pretty(value), str::to_owned);
    let bytes = match found {
        Type::Picture(_) => match data_url(&text) {
            Some((_, bytes)) => bytes,
            None => STANDARD.decode(&text).ok()?,
        },
        _ => text.into_bytes(),
    };
    let stem: String = name.chars().filter(char::is_ascii_alphanumeric).take(40).collect();
    Some(File { name: format!("result-{stem}.{ending}"), media_type, bytes })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const EN: Language = Language::English;

    fn object(value: Value) -> Map<String, Value> {
        let Value::Object(members) = value else { panic!("{value} is no object") };
        members
    }

    #[test]
    fn a_part_is_shown_by_its_declared_type_and_else_by_its_content() {
        let schema = object(json!({ "properties": {
            "table": { "contentMediaType": "text/csv", "title": "The table" },
            "page": { "contentMediaType": "text/html" },
            "shot": { "contentMediaType": "image/png" },
        } }));
        let output = object(json!({
            "table": "a,b\n1,\"2,3\"\n", "page": "<b>x</b>", "shot": "AAAA", "chart": "<svg onload='x()'/>",
            "deep": { "x": [1] }, "lines": ["a", 1, true], "words": "one", "data": "data:image/gif;base64,AAAA",
        }));
        let parts = result(EN, &output, Some(&schema), None, "/orders/msg_1/files");
        let seen = |name: &str| parts.iter().find(|part| part.label == name).unwrap();
        let Content::Table(table) = &seen("The table").content else { panic!("{parts:?}") };
        assert_eq!(
            (table.head.join("|"), table.rows[0].join("|")),
            ("a|b".to_owned(), "1|2,3".to_owned())
        );
        assert!(matches!(&seen("page").content, Content::Code(text) if text == "<b>x</b>"));
        for name in ["shot", "chart", "data"] {
            assert!(matches!(seen(name).content, Content::Picture), "{name}");
            assert_eq!(seen(name).file.as_deref(), Some(&*format!("/orders/msg_1/files/{name}")));
        }
        assert!(matches!(seen("deep").content, Content::Tree(_)));
        assert!(matches!(&seen("lines").content, Content::Markdown(text) if text == "a\n1\nYes"));
        assert_eq!(seen("words").file, None);
    }

    #[test]
    fn a_text_that_is_all_there_is_has_no_label() {
        let labels = |value: Value, schema: Option<Value>| {
            let schema = schema.map(object);
            let parts = request(EN, &object(value), schema.as_ref());
            parts.into_iter().map(|part| part.label).collect::<Vec<_>>()
        };
        let titled = json!({ "properties": { "text": { "title": "Your text" } } });
        assert_eq!(labels(json!({ "text": "a fox" }), None), [""]);
        assert_eq!(labels(json!({ "text": "a fox" }), Some(titled)), ["Your text"]);
        assert_eq!(labels(json!({ "text": "a fox", "tone": "dry" }), None), ["text", "tone"]);
        assert_eq!(labels(json!({ "text": { "deep": {} } }), None), ["text"]);
    }

    #[test]
    fn a_delivery_has_the_type_that_it_declares() {
        let output = object(json!({ "text": "a,b\n1,2", "note": "a,b" }));
        let parts = result(EN, &output, None, Some("csv"), "/escrow/esc_1/files");
        let is_table = |part: &Part| matches!(part.content, Content::Table(_));
        assert_eq!(parts.iter().filter(|part| is_table(part)).count(), 1);
    }

    #[test]
    fn files_carry_their_type_and_no_name_of_the_seller() {
        let output = object(json!({ "../x\"": "<svg/>", "shot": "data:image/png;base64,AQI=" }));
        let svg = file(&output, None, None, "../x\"").unwrap();
        assert_eq!((svg.name.as_str(), svg.media_type), ("result-x.svg", "image/svg+xml"));
        let shot = file(&output, None, None, "shot").unwrap();
        assert_eq!((shot.media_type, shot.bytes), ("image/png", vec![1, 2]));
        assert!(file(&output, None, None, "none").is_none());
        let page = object(json!({ "page": "<script>1</script>" }));
        for kind in ["html", "code", "text"] {
            let page = file(&page, None, Some(kind), "page").unwrap();
            assert_eq!(page.media_type, "text/plain; charset=utf-8", "a browser never runs {kind}");
        }
    }
}
