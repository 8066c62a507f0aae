//! Several values in one query parameter.

use std::borrow::Cow;
use std::fmt::{self, Display};
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer, Unexpected, Visitor};
use serde::ser::{Serialize, Serializer};

/// Maximum number of elements of a [`CommaList`].
pub const COMMA_LIST_MAX: usize = 100;

/// Maximum length of an element of a [`CommaList`]; ids and names are shorter.
const COMMA_LIST_ELEMENT_MAX: usize = 40;

/// Values in one query parameter, comma-separated: `ids=a,b,c`; 1 to 100 values.
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
        let (most, further) = (COMMA_LIST_ELEMENT_MAX, COMMA_LIST_MAX - 1);
        json_schema!({
            "type": "string",
            "pattern": format!("^[^,]{{1,{most}}}(,[^,]{{1,{most}}}){{0,{further}}}$"),
            "maxLength": COMMA_LIST_MAX * (COMMA_LIST_ELEMENT_MAX + 1) - 1,
            "description": "Up to 100 values, comma-separated.",
        })
    }
}
