//! Ratings in half steps.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer, Unexpected, Visitor};
use serde::ser::{Serialize, Serializer};

/// Range of half steps.
const RANGE: std::ops::RangeInclusive<u8> = 2..=10;

/// A rating from 1 to 5 in half steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rating(u8);

impl Rating {
    /// A rating of 2 to 10 half steps.
    pub fn from_half_steps(half_steps: u8) -> Option<Self> {
        RANGE.contains(&half_steps).then_some(Self(half_steps))
    }

    /// The rating in half steps, 2 to 10.
    pub const fn half_steps(self) -> u8 {
        self.0
    }

    /// The rating as a number, 1 to 5.
    pub fn value(self) -> f64 {
        f64::from(self.0) / 2.0
    }

    /// The rating with this value; `None` if there is none.
    #[expect(clippy::float_cmp, reason = "half steps are exact")]
    pub fn from_value(value: f64) -> Option<Self> {
        RANGE.map(Self).find(|rating| rating.value() == value)
    }
}

impl fmt::Display for Rating {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.value())
    }
}

impl Serialize for Rating {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.value())
    }
}

impl<'de> Deserialize<'de> for Rating {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Steps;
        impl Visitor<'_> for Steps {
            type Value = Rating;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number from 1 to 5 in half steps")
            }

            fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<Rating, E> {
                let half_steps = value.checked_mul(2).and_then(|steps| u8::try_from(steps).ok());
                let rating = half_steps.and_then(Rating::from_half_steps);
                rating.ok_or_else(|| E::invalid_value(Unexpected::Unsigned(value), &self))
            }

            fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Rating, E> {
                Rating::from_value(value)
                    .ok_or_else(|| E::invalid_value(Unexpected::Float(value), &self))
            }
        }
        deserializer.deserialize_f64(Steps)
    }
}

impl JsonSchema for Rating {
    fn schema_name() -> Cow<'static, str> {
        "Rating".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "number", "minimum": 1, "maximum": 5, "multipleOf": 0.5 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rating_is_one_to_five_in_half_steps() {
        for (json, half_steps) in [("1", 2), ("4.5", 9), ("5.0", 10), ("5", 10)] {
            let rating: Rating = serde_json::from_str(json).unwrap();
            assert_eq!(rating.half_steps(), half_steps, "{json}");
        }
        for json in ["0", "0.5", "5.5", "6", "4.2", "-1", "\"5\"", "null", "1e9"] {
            assert!(serde_json::from_str::<Rating>(json).is_err(), "{json}");
        }
    }
}
