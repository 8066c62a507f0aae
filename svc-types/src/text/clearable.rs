//! A value that an empty text removes.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::StringDeserializer;
use serde::de::{Deserialize, Deserializer, IntoDeserializer};
use serde::ser::{Serialize, Serializer};

/// A value, or an empty text that removes it.
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
