//! Whole numbers of a range.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer, Unexpected, Visitor};
use serde::ser::{Serialize, Serializer};

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
    /// Not checked here; the server refuses what is out of range.
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

            /// Accepts `5.0` as a whole number (JSON Schema 2020-12, validation §6.1.1).
            #[expect(clippy::cast_possible_truncation, reason = "the range was checked")]
            #[expect(clippy::cast_sign_loss, reason = "the range was checked")]
            fn visit_f64<E: serde::de::Error>(self, number: f64) -> Result<Self::Value, E> {
                let in_range = (f64::from(MIN)..=f64::from(MAX)).contains(&number);
                if in_range && number.fract() == 0.0 {
                    Ok(Whole(number as u32))
                } else {
                    Err(E::invalid_value(Unexpected::Float(number), &self))
                }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_number_may_be_written_with_a_point() {
        for (json, number) in [("1", 1), ("5.0", 5), ("1e1", 10)] {
            let read: Whole<1, 10> = serde_json::from_str(json).unwrap();
            assert_eq!(read.get(), number, "{json}");
        }
        for json in ["0", "0.0", "11.0", "2.5", "-1", "\"5\"", "null"] {
            assert!(serde_json::from_str::<Whole<1, 10>>(json).is_err(), "{json}");
        }
    }
}
