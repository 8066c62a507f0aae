//! How a request travels: the one rule both sides share.
//!
//! Fields named in the path travel in the path. The rest travels in the query of GET and DELETE,
//! else in the JSON body; without fields there is no body. A member that is absent is left out,
//! never `null`. The path wins: a query or body member of the same name is ignored.

mod decode;
mod form;
mod free;
mod problem;
pub(crate) mod tagged;
mod value;

use std::fmt;

use http::Method;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Map, Value};

pub use decode::{Rejected, decode};
pub(crate) use decode::{decode_text, schemas_of};
pub use form::decode_form;
pub use free::DEPTH_MAX;

use crate::endpoint::Endpoint;

/// Everything but letters, digits and `- _ . ~` is escaped (RFC 3986 §2.3).
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// A request ready to be sent.
#[derive(Clone, PartialEq, Eq)]
pub struct Encoded {
    /// Path below the base URL, percent-encoded, beginning with `/`.
    pub path: String,
    /// Query without `?`, empty when there is none.
    pub query: String,
    /// JSON body, absent when the endpoint sends none.
    pub body: Option<Vec<u8>>,
}

impl fmt::Debug for Encoded {
    /// Without the body, which may hold secrets and messages.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Encoded").field("path", &self.path).finish_non_exhaustive()
    }
}

/// The request can't be sent as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EncodeError {
    /// A path parameter is empty, `.` or `..`, which URL parsers fold into another path.
    PathParameter {
        /// Name of the parameter.
        field: &'static str,
    },
    /// A field can't be written; its type breaks the rules for endpoints.
    Field(String),
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PathParameter { field } => {
                write!(f, "{field} must not be empty, `.` or `..`, since it is part of the path")
            }
            Self::Field(problem) => f.write_str(problem),
        }
    }
}

impl std::error::Error for EncodeError {}

/// Whether the fields that are not in the path travel in the query.
pub fn in_query(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::DELETE)
}

/// Writes a request by the travel rule.
pub fn encode<E: Endpoint>(request: &E) -> Result<Encoded, EncodeError> {
    let mut members = members(request)?;
    let path = path::<E>(&mut members)?;
    if members.is_empty() {
        return Ok(Encoded { path, query: String::new(), body: None });
    }
    if in_query(&E::METHOD) {
        return Ok(Encoded { path, query: query(&members)?, body: None });
    }
    let body =
        serde_json::to_vec(&members).map_err(|error| EncodeError::Field(error.to_string()))?;
    Ok(Encoded { path, query: String::new(), body: Some(body) })
}

/// The fields that are present.
fn members<E: Endpoint>(request: &E) -> Result<Map<String, Value>, EncodeError> {
    match serde_json::to_value(request) {
        Ok(Value::Object(mut members)) => {
            members.retain(|_, value| !value.is_null());
            Ok(members)
        }
        Ok(_) => Err(EncodeError::Field(format!("{} is no struct", E::NAME))),
        Err(error) => Err(EncodeError::Field(error.to_string())),
    }
}

/// The path with its parameters, which are taken out of the members.
fn path<E: Endpoint>(members: &mut Map<String, Value>) -> Result<String, EncodeError> {
    let mut path = String::with_capacity(E::PATH.len() + 32);
    for segment in E::PATH.split('/').skip(1) {
        path.push('/');
        match segment.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
            None => path.push_str(segment),
            Some(field) => match members.remove(field) {
                Some(Value::String(text)) if !matches!(text.as_str(), "" | "." | "..") => {
                    path.extend(utf8_percent_encode(&text, ESCAPED));
                }
                _ => return Err(EncodeError::PathParameter { field }),
            },
        }
    }
    Ok(path)
}

/// `name=value&…` of scalar members.
fn query(members: &Map<String, Value>) -> Result<String, EncodeError> {
    let mut query = String::new();
    for (name, value) in members {
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            Value::Bool(flag) => flag.to_string(),
            _ => return Err(EncodeError::Field(format!("{name} is no scalar"))),
        };
        if !query.is_empty() {
            query.push('&');
        }
        query.extend(utf8_percent_encode(name, ESCAPED));
        query.push('=');
        query.extend(utf8_percent_encode(&text, ESCAPED));
    }
    Ok(query)
}
