//! Shares of a whole.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer, Unexpected, Visitor};
use serde::ser::{Serialize, Serializer};

/// The whole.
const WHOLE: u16 = 1000;

/// A share from 0 to 1, in thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Share(u16);

impl Share {
    /// A share of 0 to 1000 thousandths.
    pub const fn from_thousandths(thousandths: u16) -> Option<Self> {
        if thousandths <= WHOLE { Some(Self(thousandths)) } else { None }
    }

    /// The share in thousandths, 0 to 1000.
    pub const fn thousandths(self) -> u16 {
        self.0
    }

    /// The share as a number, 0 to 1.
    pub fn value(self) -> f64 {
        f64::from(self.0) / f64::from(WHOLE)
    }

    /// The share nearest to this value; `None` if it is not from 0 to 1.
    pub fn from_value(value: f64) -> Option<Self> {
        let thousandths = (value * f64::from(WHOLE)).round();
        let is_share = (0.0..=1.0).contains(&value);
        is_share.then(|| (0..=WHOLE).map(Self).find(|share| f64::from(share.0) >= thousandths))?
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.value())
    }
}

impl Serialize for Share {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.value())
    }
}

impl<'de> Deserialize<'de> for Share {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Shares;
        impl Visitor<'_> for Shares {
            type Value = Share;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number from 0 to 1")
            }

            fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<Share, E> {
                match value {
                    0 => Ok(Share(0)),
                    1 => Ok(Share(WHOLE)),
                    _ => Err(E::invalid_value(Unexpected::Unsigned(value), &self)),
                }
            }

            fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Share, E> {
                Share::from_value(value)
                    .ok_or_else(|| E::invalid_value(Unexpected::Float(value), &self))
            }
        }
        deserializer.deserialize_f64(Shares)
    }
}

impl JsonSchema for Share {
    fn schema_name() -> Cow<'static, str> {
        "Share".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "number", "minimum": 0, "maximum": 1 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_a_number_from_0_to_1() {
        for (json, thousandths) in
            [("0", 0), ("1", 1000), ("0.95", 950), ("1.0", 1000), ("1e-9", 0)]
        {
            let share: Share = serde_json::from_str(json).unwrap();
            assert_eq!(share.thousandths(), thousandths, "{json}");
        }
        for json in ["-0.1", "1.001", "2", "-1", "\"0.5\"", "null", "1e9"] {
            assert!(serde_json::from_str::<Share>(json).is_err(), "{json}");
        }
        assert_eq!(Share::from_thousandths(1001), None);
        assert_eq!(serde_json::to_string(&Share(950)).unwrap(), "0.95");
    }
}
