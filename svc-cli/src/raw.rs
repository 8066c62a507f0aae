//! Responses with their JSON.
//!
//! Programs get exactly what the API sent, including members unknown to this version, so `--json`
//! cannot serialize the decoded value.

use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::error::{Error, Result};
use crate::exit::Exit;

/// A response as a value and as JSON.
#[derive(Debug)]
pub(crate) struct WithRaw<T> {
    /// The decoded response.
    pub(crate) value: T,
    /// The JSON of the response.
    pub(crate) raw: Box<RawValue>,
}

impl<T: DeserializeOwned> WithRaw<T> {
    /// Decodes a response.
    pub(crate) fn read(raw: Box<RawValue>) -> Result<Self> {
        let value = serde_json::from_str(raw.get()).map_err(|error| unexpected(&error))?;
        Ok(Self { value, raw })
    }
}

/// The error for a response that cannot be decoded as that of its endpoint.
pub(crate) fn unexpected(error: &serde_json::Error) -> Box<Error> {
    let message = format!("the answer is not as expected: {error}");
    Error::new(Exit::Other, "unexpected_answer", message)
}
