//! Answers as they came.
//!
//! Programs get exactly what the API answered, members this version does not know included, so
//! `--json` can't print a typed answer again.

use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::error::{Error, Result};
use crate::exit::Exit;

/// An answer as a value and as it came.
#[derive(Debug)]
pub(crate) struct WithRaw<T> {
    /// What it says.
    pub(crate) value: T,
    /// The JSON of the response.
    pub(crate) raw: Box<RawValue>,
}

impl<T: DeserializeOwned> WithRaw<T> {
    /// Reads what an answer says.
    pub(crate) fn read(raw: Box<RawValue>) -> Result<Self> {
        let value = serde_json::from_str(raw.get()).map_err(|error| unexpected(&error))?;
        Ok(Self { value, raw })
    }
}

/// An answer that does not say what its endpoint answers.
pub(crate) fn unexpected(error: &serde_json::Error) -> Box<Error> {
    let message = format!("the answer is not as expected: {error}");
    Error::new(Exit::Other, "unexpected_answer", message)
}
