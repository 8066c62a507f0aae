//! Text of bounded length.

use std::borrow::Cow;
use std::fmt::{self, Display};
use std::ops::Deref;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer, Visitor};
use serde::ser::{Serialize, Serializer};

/// Text of `MIN` to `MAX` Unicode scalar values, without U+0000.
///
/// Decoding checks the bounds. Text built in a program is not checked, so that the server decides.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Text<const MIN: usize, const MAX: usize>(String);

impl<const MIN: usize, const MAX: usize> Text<MIN, MAX> {
    /// Whether the text is within its bounds.
    pub fn is_valid(text: &str) -> bool {
        // A text has at least as many bytes as characters, so most are checked without counting.
        let is_short_enough = text.len() <= MAX || text.chars().count() <= MAX;
        let is_long_enough = MIN == 0 || text.len() >= MIN && text.chars().nth(MIN - 1).is_some();
        is_short_enough && is_long_enough && !text.contains('\0')
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The text, owned.
    pub fn into_string(self) -> String {
        self.0
    }
}

impl<const MIN: usize, const MAX: usize> Deref for Text<MIN, MAX> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl<const MIN: usize, const MAX: usize> Display for Text<MIN, MAX> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<const MIN: usize, const MAX: usize> From<&str> for Text<MIN, MAX> {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl<const MIN: usize, const MAX: usize> From<String> for Text<MIN, MAX> {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl<const MIN: usize, const MAX: usize> Serialize for Text<MIN, MAX> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de, const MIN: usize, const MAX: usize> Deserialize<'de> for Text<MIN, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_string(BoundedText::<MIN, MAX>)
    }
}

struct BoundedText<const MIN: usize, const MAX: usize>;

impl<const MIN: usize, const MAX: usize> Visitor<'_> for BoundedText<MIN, MAX> {
    type Value = Text<MIN, MAX>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match MIN {
            0 => write!(f, "at most {MAX} characters"),
            _ if MIN == MAX => write!(f, "{MAX} characters"),
            _ => write!(f, "{MIN} to {MAX} characters"),
        }
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Self::Value, E> {
        if Text::<MIN, MAX>::is_valid(text) {
            Ok(Text(text.to_owned()))
        } else {
            Err(E::invalid_length(text.chars().count(), &self))
        }
    }

    fn visit_string<E: serde::de::Error>(self, text: String) -> Result<Self::Value, E> {
        if Text::<MIN, MAX>::is_valid(&text) { Ok(Text(text)) } else { self.visit_str(&text) }
    }
}

impl<const MIN: usize, const MAX: usize> JsonSchema for Text<MIN, MAX> {
    fn schema_name() -> Cow<'static, str> {
        format!("Text{MIN}To{MAX}").into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        if MIN == 0 {
            json_schema!({ "type": "string", "maxLength": MAX })
        } else {
            json_schema!({ "type": "string", "minLength": MIN, "maxLength": MAX })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn length_counts_unicode_scalar_values() {
        assert!(Text::<1, 3>::is_valid("😀😀😀"));
        assert!(!Text::<1, 3>::is_valid("😀😀😀😀"));
        assert!(!Text::<2, 3>::is_valid("😀"));
        assert!(!Text::<1, 3>::is_valid(""));
        assert!(!Text::<1, 3>::is_valid("a\0"));
    }

    #[test]
    fn a_text_of_one_length_has_no_range() {
        let message = serde_json::from_str::<Text<2, 2>>("\"x\"").unwrap_err().to_string();
        assert!(message.contains("expected 2 characters"), "{message}");
    }
}
