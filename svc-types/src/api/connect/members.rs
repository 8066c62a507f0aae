//! The data of an event together with its original text.

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;
use std::sync::OnceLock;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{Deserializer, Error as _};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

/// Data of an event: a JSON object that reads as a map and keeps its original text.
///
/// A webhook is signed over its bytes, so encoding the object again would break the signature.
#[derive(Clone)]
pub struct EventData {
    text: Box<RawValue>,
    members: OnceLock<Map<String, Value>>,
}

impl EventData {
    /// The original text.
    pub fn text(&self) -> &str {
        self.text.get()
    }

    fn members(&self) -> &Map<String, Value> {
        // The text was read as JSON before; what is nested too deep for a map has no members.
        self.members.get_or_init(|| serde_json::from_str(self.text.get()).unwrap_or_default())
    }
}

impl Deref for EventData {
    type Target = Map<String, Value>;

    fn deref(&self) -> &Map<String, Value> {
        self.members()
    }
}

impl From<Map<String, Value>> for EventData {
    fn from(members: Map<String, Value>) -> Self {
        let text = serde_json::value::to_raw_value(&members).expect("a map is JSON");
        Self { text, members: members.into() }
    }
}

impl From<EventData> for Map<String, Value> {
    fn from(data: EventData) -> Self {
        data.members().clone()
    }
}

impl From<EventData> for Value {
    fn from(data: EventData) -> Self {
        Self::Object(data.into())
    }
}

impl PartialEq for EventData {
    fn eq(&self, other: &Self) -> bool {
        self.members() == other.members()
    }
}

impl fmt::Debug for EventData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.members().fmt(f)
    }
}

impl Serialize for EventData {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.text.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for EventData {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Box::<RawValue>::deserialize(deserializer)?;
        if !text.get().starts_with('{') {
            return Err(D::Error::custom("data must be an object"));
        }
        Ok(Self { text, members: OnceLock::new() })
    }
}

impl JsonSchema for EventData {
    fn schema_name() -> Cow<'static, str> {
        "EventData".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Map::<String, Value>::json_schema(generator)
    }
}
