//! The wire rule: how a request travels, shared by client and server.
//!
//! Fields named in the path travel in the path. All other fields travel in the query of GET and
//! DELETE, otherwise in the JSON body; without fields there is no body. An absent member is
//! omitted, never `null`. The path wins: a query or body member with the same name is ignored.

mod decimal;
mod decode;
mod fields;
mod form;
mod free;
mod problem;
mod query;
pub(crate) mod tagged;
mod texts;
mod value;

use std::fmt;

use http::Method;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Map, Value};

pub use decode::{
    Handling, PREFER_MAX, Rejected, decode, decode_members, decode_members_with, decode_with,
    problems,
};
pub(crate) use decode::{decode_noting, schemas_of};
pub use form::{decode_form, form_problems};
pub use free::DEPTH_MAX;
pub use texts::visit_texts;

use crate::endpoint::{Declaration, Endpoint};

/// Everything except letters, digits and `- _ . ~` is escaped (RFC 3986 §2.3).
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// A request ready to be sent.
#[derive(Clone, PartialEq, Eq)]
pub struct Encoded {
    /// Path below the base URL, percent-encoded, starting with `/`.
    pub path: String,
    /// Query without `?`; empty if there is none.
    pub query: String,
    /// JSON body; absent if the endpoint has none.
    pub body: Option<Vec<u8>>,
}

impl fmt::Debug for Encoded {
    /// Omits the body, which may contain secrets and messages.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Encoded").field("path", &self.path).finish_non_exhaustive()
    }
}

/// The request cannot be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EncodeError {
    /// A path parameter is empty, `.` or `..`, which URL parsers would fold into another path.
    PathParameter {
        /// Name of the parameter.
        field: &'static str,
    },
    /// A field cannot be serialized; its type violates the rules for endpoints.
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

/// Whether fields that are not in the path travel in the query.
pub fn in_query(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::DELETE)
}

/// Encodes a request by the wire rule.
pub fn encode<E: Endpoint>(request: &E) -> Result<Encoded, EncodeError> {
    encode_members(&Declaration::of::<E>(), members(request)?)
}

/// Encodes the members of a request by the wire rule; their values are not checked.
///
/// ```
/// use svc_types::api::posts::GetPost;
/// use svc_types::{Declaration, wire};
///
/// let request = GetPost { post_id: "post_01".into(), include: None };
/// let members = wire::members(&request)?;
/// let encoded = wire::encode_members(&Declaration::of::<GetPost>(), members)?;
/// assert_eq!(encoded, wire::encode(&request)?);
/// # Ok::<(), wire::EncodeError>(())
/// ```
pub fn encode_members(
    declared: &Declaration,
    mut members: Map<String, Value>,
) -> Result<Encoded, EncodeError> {
    members.retain(|_, value| !value.is_null());
    let path = path(declared.path, &mut members)?;
    if members.is_empty() {
        return Ok(Encoded { path, query: String::new(), body: None });
    }
    if in_query(&declared.method) {
        return Ok(Encoded { path, query: query(&members)?, body: None });
    }
    let body =
        serde_json::to_vec(&members).map_err(|error| EncodeError::Field(error.to_string()))?;
    Ok(Encoded { path, query: String::new(), body: Some(body) })
}

/// The fields of a request by name; absent ones are `null` or omitted.
pub fn members<E: Endpoint>(request: &E) -> Result<Map<String, Value>, EncodeError> {
    as_members(serde_json::to_value(request), E::NAME)
}

fn as_members(
    request: serde_json::Result<Value>,
    name: &str,
) -> Result<Map<String, Value>, EncodeError> {
    match request {
        Ok(Value::Object(members)) => Ok(members),
        Ok(_) => Err(EncodeError::Field(format!("{name} is no struct"))),
        Err(error) => Err(EncodeError::Field(error.to_string())),
    }
}

/// The path with its parameters, which are removed from the members.
fn path(template: &'static str, members: &mut Map<String, Value>) -> Result<String, EncodeError> {
    let mut path = String::with_capacity(template.len() + 32);
    for segment in template.split('/').skip(1) {
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
