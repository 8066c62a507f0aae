//! Requests whose answer is kept as it came.
//!
//! Programs get exactly what the API answered, members this version does not know included, so
//! `--json` can't print a typed answer again.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{DeserializeOwned, Deserializer, Error as _};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::value::RawValue;
use svc_client::http::{Method, StatusCode};
use svc_client::types::{Code, Endpoint};

/// A request that is sent like the one inside, with its answer kept as it came.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub(crate) struct Verbatim<E>(pub(crate) E);

impl<E: Endpoint> Endpoint for Verbatim<E> {
    type By = E::By;
    type Response = Kept<E::Response>;
    const NAME: &'static str = E::NAME;
    const FEATURE: &'static str = E::FEATURE;
    const METHOD: Method = E::METHOD;
    const PATH: &'static str = E::PATH;
    const STATUS: StatusCode = E::STATUS;
    const FAILS: &'static [Code] = E::FAILS;
    const SECRET: bool = E::SECRET;
    const DOC: &'static str = E::DOC;
}

/// An answer as a value and as it came.
#[derive(Debug)]
pub(crate) struct Kept<T> {
    /// What it says.
    pub(crate) value: T,
    /// How it was said.
    pub(crate) raw: Box<RawValue>,
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Kept<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        let value = serde_json::from_str(raw.get()).map_err(D::Error::custom)?;
        Ok(Self { value, raw })
    }
}

impl<T> Serialize for Kept<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.raw.serialize(serializer)
    }
}

impl<T: JsonSchema> JsonSchema for Kept<T> {
    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}
