//! Problems of a request: which member of which object is wrong, and what it must be.

use std::fmt::{self, Display};

use serde::de::{self, Expected, Unexpected};

use super::decode::Rejected;
use crate::error::Code;

/// A problem of a value, with the path to it.
#[derive(Debug)]
pub(super) struct Error {
    /// The names on the path to the value, innermost first.
    path: Vec<String>,
    problem: Problem,
    /// Whether the value was not sent.
    is_missing: bool,
    /// How the value has to be sent.
    hint: Option<&'static str>,
}

#[derive(Debug)]
enum Problem {
    /// The value violates this rule.
    MustBe(String),
    /// The member is required and violates this rule.
    IsRequired(String),
    /// Any other problem, as a whole clause.
    Custom(String),
    /// The object has no such member; with the closest known name, otherwise all known names.
    Unknown(Code, String),
}

impl Error {
    pub(super) fn must_be(expected: &dyn Expected) -> Self {
        Self {
            path: Vec::new(),
            problem: Problem::MustBe(in_words(expected.to_string())),
            is_missing: false,
            hint: None,
        }
    }

    /// This JSON where a string is expected: a rule such as its length does not say what is wrong.
    pub(super) fn no_string(json: &str, expected: &dyn Expected) -> Self {
        let hint = match json.as_bytes().first() {
            Some(b'{') => Some("send a JSON string, not an object"),
            Some(b'[') => Some("send a JSON string, not an array"),
            Some(b'-' | b'0'..=b'9') => Some("send a JSON string, not a number"),
            _ => None,
        };
        Self { hint, ..Self::must_be(expected) }
    }

    pub(super) fn inside(mut self, name: &str, required: bool) -> Self {
        if let (true, true, Problem::MustBe(rule)) =
            (required, self.path.is_empty(), &mut self.problem)
        {
            self.problem = Problem::IsRequired(std::mem::take(rule));
        }
        self.path.push(shortened(name));
        self
    }

    /// The same problem of a value that may not have been sent.
    pub(super) const fn of_missing(mut self, is_missing: bool) -> Self {
        self.is_missing |= is_missing;
        self
    }

    /// A member that is not one of `fields`.
    pub(super) fn unknown(code: Code, name: &str, fields: &[&str]) -> Self {
        let hint = nearest(name, fields).map_or_else(|| known(fields), str::to_owned);
        Self {
            path: vec![shortened(name)],
            problem: Problem::Unknown(code, hint),
            is_missing: false,
            hint: None,
        }
    }

    /// The problem for the caller.
    pub(super) fn rejected(mut self) -> Rejected {
        self.path.reverse();
        let name =
            if self.path.is_empty() { "the request".to_owned() } else { self.path.join(".") };
        let (mut code, mut hint) = (Code::ValidationFailed, self.hint.map(str::to_owned));
        let message = match self.problem {
            Problem::MustBe(rule) => format!("{name} must be {rule}"),
            Problem::IsRequired(rule) => format!("{name} is required and must be {rule}"),
            Problem::Custom(text) if text.starts_with("must") || text == REQUIRED => {
                format!("{name} {text}")
            }
            Problem::Custom(text) => format!("{name}: {text}"),
            Problem::Unknown(unknown, nearest) => {
                (code, hint) = (unknown, Some(nearest));
                format!("{name} is not known here")
            }
        };
        Rejected { code, message, field: field(&self.path), hint, is_missing: self.is_missing }
    }
}

/// What is wrong with a member that was not sent, where its rule is unknown.
const REQUIRED: &str = "is required";

/// The field of a member: its name, or a JSON pointer if it is nested.
pub(super) fn field(path: &[String]) -> Option<String> {
    match path {
        [] => None,
        [name] => Some(name.clone()),
        path => Some(path.iter().flat_map(|name| ["/".to_owned(), escape(name)]).collect()),
    }
}

/// Most characters of a name that a refusal repeats: callers choose names of members.
const NAME_CHARS_MAX: usize = 64;

/// A name as refusals repeat it: cut if it is long.
pub(super) fn shortened(name: &str) -> String {
    let end = name.char_indices().nth(NAME_CHARS_MAX).map(|(end, _)| end);
    end.map_or_else(|| name.to_owned(), |end| format!("{}…", &name[..end]))
}

/// Minimum similarity of a known name that is suggested.
const LIKENESS_MIN: f64 = 0.75;

/// The field with the closest name. A longer name than any field has is not compared: each of its letters would be
/// looked for in each field.
fn nearest<'a>(name: &str, fields: &[&'a str]) -> Option<&'a str> {
    if name.len() > NAME_CHARS_MAX {
        return None;
    }
    let name = name.to_lowercase();
    let likeness = |field: &str| strsim::jaro_winkler(&name, &field.to_lowercase());
    let scored = fields.iter().map(|field| (likeness(field), *field));
    let (best, field) = scored.max_by(|left, right| left.0.total_cmp(&right.0))?;
    (best >= LIKENESS_MIN).then_some(field)
}

/// The names of all fields.
fn known(fields: &[&str]) -> String {
    match fields {
        [] => "there is none".to_owned(),
        _ => format!("there are {}", fields.join(", ")),
    }
}

/// The rule in words, if it is serde's name of one of Rust's types.
fn in_words(rule: String) -> String {
    macro_rules! whole {
        ($($number:ident)+) => {
            match &*rule {
                $(stringify!($number) => {
                    format!("a whole number from {} to {}", $number::MIN, $number::MAX)
                })+
                "f32" | "f64" => "a number".to_owned(),
                "a boolean" => "true or false".to_owned(),
                "a string" => "a text".to_owned(),
                _ => rule,
            }
        };
    }
    whole!(u8 u16 u32 u64 i8 i16 i32 i64)
}

/// Escapes one step of a JSON pointer (RFC 6901 §3).
fn escape(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

impl Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.problem {
            Problem::MustBe(text) | Problem::IsRequired(text) | Problem::Custom(text) => {
                f.write_str(text)
            }
            Problem::Unknown(_, nearest) => write!(f, "is not known here: {nearest}"),
        }
    }
}

impl std::error::Error for Error {}

impl de::Error for Error {
    fn custom<T: Display>(text: T) -> Self {
        let problem = Problem::Custom(text.to_string());
        Self { path: Vec::new(), problem, is_missing: false, hint: None }
    }

    fn invalid_type(_: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::must_be(expected)
    }

    fn invalid_value(_: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::must_be(expected)
    }

    fn invalid_length(_: usize, expected: &dyn Expected) -> Self {
        Self::must_be(expected)
    }

    fn missing_field(field: &'static str) -> Self {
        Self {
            path: vec![field.to_owned()],
            problem: Problem::Custom(REQUIRED.to_owned()),
            is_missing: true,
            hint: None,
        }
    }
}

impl From<serde_json::Error> for Error {
    /// The text of `serde_json` without its position, which counts inside one member only.
    fn from(error: serde_json::Error) -> Self {
        let text = error.to_string();
        let clause = text.rfind(" at line ").map_or(text.as_str(), |end| &text[..end]);
        de::Error::custom(clause)
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde::de::IntoDeserializer;

    use super::*;

    fn rule_of<'de, T: Deserialize<'de> + fmt::Debug>() -> String {
        T::deserialize(IntoDeserializer::<Error>::into_deserializer('?')).unwrap_err().to_string()
    }

    #[test]
    fn no_rule_names_a_rust_type() {
        assert_eq!(rule_of::<u8>(), "a whole number from 0 to 255");
        assert_eq!(rule_of::<u64>(), "a whole number from 0 to 18446744073709551615");
        assert_eq!(rule_of::<i32>(), "a whole number from -2147483648 to 2147483647");
        assert_eq!(rule_of::<f64>(), "a number");
        assert_eq!(rule_of::<bool>(), "true or false");
    }
}
