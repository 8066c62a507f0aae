//! Enums with values on the wire.

use std::fmt;

use serde::de::Visitor;

/// Declares an enum whose variants have values on the wire.
///
/// In responses, a value from a newer server is kept as `Other`; in requests it is refused, because
/// [`wire::decode`](crate::wire::decode) checks the list.
macro_rules! words {
    ($(#[doc = $doc:literal])+ $name:ident {
        $($(#[doc = $variant_doc:literal])+ $variant:ident = $word:literal,)+
    }) => {
        $(#[doc = $doc])+
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[doc = $variant_doc])+ $variant,)+
            /// A value from a newer server.
            Other(String),
        }

        impl $name {
            /// Every value of this version.
            pub const WORDS: &'static [&'static str] = &[$($word),+];

            /// What the value means: the first line of its documentation. A value from a newer
            /// server is only known by its name.
            pub fn meaning(&self) -> &str {
                match self {
                    $($name::$variant => [$($variant_doc),+][0].trim_ascii_start(),)+
                    $name::Other(word) => word,
                }
            }

            /// The value on the wire.
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

/// Reads one value. The deserializer knows which values are allowed.
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
