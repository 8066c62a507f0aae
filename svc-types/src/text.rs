//! Bounded texts, words of fixed lists, and comma lists.

use std::borrow::Cow;
use std::fmt::{self, Display};
use std::marker::PhantomData;
use std::ops::Deref;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::StringDeserializer;
use serde::de::{Deserialize, Deserializer, IntoDeserializer, Unexpected, Visitor};
use serde::ser::{Serialize, Serializer};

/// Text of `MIN` to `MAX` Unicode scalar values, without U+0000.
///
/// The bounds hold where text comes in: decoding refuses what breaks them. Text built in a
/// program is not judged, so that the server's answer stays the only judgement.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Text<const MIN: usize, const MAX: usize>(String);

impl<const MIN: usize, const MAX: usize> Text<MIN, MAX> {
    /// Whether the text keeps to its bounds.
    pub fn is_valid(text: &str) -> bool {
        // Bytes are at least characters, so most texts are judged without counting.
        let short = text.len() <= MAX || text.chars().count() <= MAX;
        let long = MIN == 0 || text.len() >= MIN && text.chars().nth(MIN - 1).is_some();
        short && long && !text.contains('\0')
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
        if MIN == 0 {
            write!(f, "at most {MAX} characters")
        } else {
            write!(f, "{MIN} to {MAX} characters")
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

/// Most elements a [`CommaList`] may have.
pub const COMMA_LIST_MAX: usize = 100;

/// Longest element of a [`CommaList`]; ids and names are shorter.
const COMMA_LIST_ELEMENT_MAX: usize = 64;

/// Values in one query parameter, comma-separated: `ids=a,b,c`; 1 to 100 of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommaList<T>(pub Vec<T>);

impl<T> From<Vec<T>> for CommaList<T> {
    fn from(values: Vec<T>) -> Self {
        Self(values)
    }
}

impl<T: Display> Serialize for CommaList<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let texts: Vec<String> = self.0.iter().map(T::to_string).collect();
        serializer.serialize_str(&texts.join(","))
    }
}

impl<'de, T: for<'a> From<&'a str>> Deserialize<'de> for CommaList<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Commas<T>(PhantomData<T>);
        impl<T: for<'a> From<&'a str>> Visitor<'_> for Commas<T> {
            type Value = CommaList<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(
                    f,
                    "1 to {COMMA_LIST_MAX} values of at most {COMMA_LIST_ELEMENT_MAX} \
                     characters with commas between them"
                )
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Self::Value, E> {
                let fits =
                    |value: &str| (1..=COMMA_LIST_ELEMENT_MAX).contains(&value.chars().count());
                let count = text.split(',').count();
                if count > COMMA_LIST_MAX || !text.split(',').all(fits) {
                    return Err(E::invalid_value(Unexpected::Str(text), &self));
                }
                Ok(CommaList(text.split(',').map(T::from).collect()))
            }
        }
        deserializer.deserialize_str(Commas(PhantomData))
    }
}

impl<T> JsonSchema for CommaList<T> {
    fn schema_name() -> Cow<'static, str> {
        "CommaList".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "pattern": "^[^,]{1,64}(,[^,]{1,64}){0,99}$",
            "maxLength": COMMA_LIST_MAX * (COMMA_LIST_ELEMENT_MAX + 1) - 1,
            "description": "Up to 100 values, comma-separated.",
        })
    }
}

/// A whole number from `MIN` to `MAX`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Whole<const MIN: u32, const MAX: u32>(u32);

impl<const MIN: u32, const MAX: u32> Whole<MIN, MAX> {
    /// The number.
    pub const fn get(self) -> u32 {
        self.0
    }
}

impl<const MIN: u32, const MAX: u32> From<u32> for Whole<MIN, MAX> {
    /// Not judged here; the server refuses what is out of range.
    fn from(number: u32) -> Self {
        Self(number)
    }
}

impl<const MIN: u32, const MAX: u32> Serialize for Whole<MIN, MAX> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u32(self.0)
    }
}

impl<'de, const MIN: u32, const MAX: u32> Deserialize<'de> for Whole<MIN, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InRange<const MIN: u32, const MAX: u32>;
        impl<const MIN: u32, const MAX: u32> Visitor<'_> for InRange<MIN, MAX> {
            type Value = Whole<MIN, MAX>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a whole number from {MIN} to {MAX}")
            }

            fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<Self::Value, E> {
                let in_range = u32::try_from(number).ok().filter(|n| (MIN..=MAX).contains(n));
                in_range
                    .map(Whole)
                    .ok_or_else(|| E::invalid_value(Unexpected::Unsigned(number), &self))
            }
        }
        deserializer.deserialize_u32(InRange::<MIN, MAX>)
    }
}

impl<const MIN: u32, const MAX: u32> JsonSchema for Whole<MIN, MAX> {
    fn schema_name() -> Cow<'static, str> {
        format!("Whole{MIN}To{MAX}").into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "minimum": MIN, "maximum": MAX })
    }
}

/// Declares an enum whose variants are words on the wire.
///
/// In answers a word of a newer server is kept as `Other`; in requests it is refused, because
/// [`wire::decode`](crate::wire::decode) checks words against the list.
macro_rules! words {
    ($(#[doc = $doc:literal])+ $name:ident {
        $($(#[doc = $variant_doc:literal])+ $variant:ident = $word:literal,)+
    }) => {
        $(#[doc = $doc])+
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[doc = $variant_doc])+ $variant,)+
            /// A word of a newer server.
            Other(String),
        }

        impl $name {
            /// Every word of this version.
            pub const WORDS: &'static [&'static str] = &[$($word),+];

            /// The word on the wire.
            pub fn as_str(&self) -> &str {
                match self {
                    $($name::$variant => $word,)+
                    $name::Other(word) => word,
                }
            }
        }

        impl From<&str> for $name {
            fn from(word: &str) -> Self {
                match word {
                    $($word => $name::$variant,)+
                    other => $name::Other(other.to_owned()),
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let word = $crate::text::Word { words: $name::WORDS };
                deserializer
                    .deserialize_enum(stringify!($name), $name::WORDS, word)
                    .map(|word| $name::from(word.as_str()))
            }
        }

        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                let lines = concat!($($doc, "\n",)+ $("\n- `", $word, "`:", $($variant_doc,)+)+);
                schemars::json_schema!({
                    "type": "string",
                    "enum": $name::WORDS,
                    "description": lines.trim_ascii(),
                })
            }
        }
    };
}
pub(crate) use words;

/// Reads one word of a list; which words are allowed is the deserializer's business.
pub(crate) struct Word {
    pub(crate) words: &'static [&'static str],
}

impl<'de> Visitor<'de> for Word {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "one of {}", self.words.join(", "))
    }

    fn visit_enum<A: serde::de::EnumAccess<'de>>(self, word: A) -> Result<String, A::Error> {
        use serde::de::VariantAccess;
        let (word, variant) = word.variant::<String>()?;
        variant.unit_variant()?;
        Ok(word)
    }

    fn visit_str<E: serde::de::Error>(self, word: &str) -> Result<String, E> {
        Ok(word.to_owned())
    }
}

/// Declares texts with a form of their own, judged where they come in.
macro_rules! forms {
    ($(
        $(#[doc = $doc:literal])+
        $name:ident: $rule:literal, $check:ident, $format:literal, $pattern:literal, $max:literal;
    )+) => {$(
        $(#[doc = $doc])+
        ///
        /// Built in a program it is not judged; the server refuses what breaks the form.
        #[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// The text as it was given.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.to_owned())
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self(text)
            }
        }

        impl Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let form = Form { rule: $rule, holds: |text| text.len() <= $max && $check(text) };
                deserializer.deserialize_str(form).map(Self)
            }
        }

        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn inline_schema() -> bool {
                true
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({
                    "type": "string",
                    "format": $format,
                    "pattern": $pattern,
                    "maxLength": $max,
                })
            }
        }
    )+};
}

forms! {
    /// An http or https URL of at most 2048 ASCII characters, without user and password.
    WebUrl: "an http or https URL of at most 2048 ASCII characters", is_web_url,
        "uri", "^https?://", 2048;
    /// An e-mail address of at most 254 characters, judged for its shape only.
    Email: "an e-mail address of at most 254 characters", is_email,
        "email", "^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]+@[A-Za-z0-9.-]+$", 254;
}

struct Form {
    rule: &'static str,
    holds: fn(&str) -> bool,
}

impl Visitor<'_> for Form {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.rule)
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<String, E> {
        if (self.holds)(text) {
            Ok(text.to_owned())
        } else {
            Err(E::invalid_value(Unexpected::Str(text), &self))
        }
    }
}

/// Whether text is an address a browser may be sent to.
fn is_web_url(text: &str) -> bool {
    let plain = text.bytes().all(|byte| byte.is_ascii_graphic());
    plain
        && url::Url::from_str(text).is_ok_and(|url| {
            matches!(url.scheme(), "http" | "https")
                && url.host().is_some()
                && url.username().is_empty()
                && url.password().is_none()
        })
}

/// A dot-atom, `@`, and a host name (RFC 5321 §4.1.2 without quoted forms).
fn is_email(text: &str) -> bool {
    let is_atom = |atom: &str| {
        let is_text =
            |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+/=?^_`{|}~-".contains(&byte);
        !atom.is_empty() && atom.bytes().all(is_text)
    };
    let is_label = |label: &str| {
        let is_text = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
        let hyphen_outside = label.starts_with('-') || label.ends_with('-');
        (1..=63).contains(&label.len()) && label.bytes().all(is_text) && !hyphen_outside
    };
    text.split_once('@').is_some_and(|(local, domain)| {
        local.len() <= 64 && local.split('.').all(is_atom) && domain.split('.').all(is_label)
    })
}

/// A value, or empty text, which removes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clearable<T>(pub Option<T>);

impl<T> From<T> for Clearable<T> {
    fn from(value: T) -> Self {
        Self(Some(value))
    }
}

impl<T: Serialize> Serialize for Clearable<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Some(value) => value.serialize(serializer),
            None => serializer.serialize_str(""),
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Clearable<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<str>::deserialize(deserializer)?;
        if text.is_empty() {
            return Ok(Self(None));
        }
        let text: StringDeserializer<D::Error> = text.into_owned().into_deserializer();
        T::deserialize(text).map(|value| Self(Some(value)))
    }
}

impl<T: JsonSchema> JsonSchema for Clearable<T> {
    fn schema_name() -> Cow<'static, str> {
        format!("Clearable{}", T::schema_name()).into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let value = T::json_schema(generator);
        json_schema!({ "anyOf": [value, { "type": "string", "maxLength": 0 }] })
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
    fn a_web_address_is_http_without_user() {
        for good in ["http://a.b", "https://example.org/x?y#z", "http://[::1]:8080/"] {
            assert!(is_web_url(good), "{good}");
        }
        for bad in [
            "",
            "ftp://a.b",
            "javascript:alert(1)",
            "http://u:p@a.b",
            "http://a b",
            "http://ä.b",
            "//a.b",
        ] {
            assert!(!is_web_url(bad), "{bad}");
        }
    }

    #[test]
    fn an_email_address_is_a_dot_atom_at_a_host() {
        for good in ["a@b", "ada.l+x@mail.example.org", "o'hara@ex-ample.com"] {
            assert!(is_email(good), "{good}");
        }
        for bad in ["", "@", "a@", "@b", "a@b@c", "a b@c", ".a@b", "a@-b", "a@b..c", "a@b<c", "ä@b"]
        {
            assert!(!is_email(bad), "{bad}");
        }
    }
}
