//! Decoding: from path, query and body to a request struct.

use std::borrow::Cow;
use std::cell::RefCell;
use std::fmt;

use serde::de::{DeserializeOwned, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::fields::{Fields, Part, Unknown};
use super::{in_query, query};
use crate::endpoint::{Declaration, Endpoint, path_parameters};
use crate::error::{Code, FieldCode, FieldError};

/// Why a request is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected {
    /// Such as [`Code::ValidationFailed`], [`Code::InvalidJson`] or [`Code::UnknownMember`].
    pub code: Code,
    /// What is wrong and what would be right.
    pub message: String,
    /// The member at fault; a JSON pointer for members of objects.
    pub field: Option<String>,
    /// The closest known name, for an unknown member; or how a value has to be sent.
    pub hint: Option<String>,
    /// Whether the member is required, and was not sent.
    pub is_missing: bool,
}

impl Rejected {
    /// A request that is refused as a whole.
    pub(crate) fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), field: None, hint: None, is_missing: false }
    }

    /// The same about a member.
    #[must_use]
    pub(crate) fn about(self, field: impl Into<String>) -> Self {
        Self { field: Some(field.into()), ..self }
    }

    /// The wrong member; `None` if it is the request as a whole.
    pub fn field_error(&self) -> Option<FieldError> {
        let code = match self.code {
            Code::UnknownMember | Code::UnknownParameter => FieldCode::Unknown,
            _ if self.is_missing => FieldCode::Missing,
            _ => FieldCode::Invalid,
        };
        Some(FieldError { field: self.field.clone()?, code, message: self.message.clone() })
    }
}

/// Decodes a request by the wire rule.
///
/// `path` contains the decoded path parameters in the order of [`Endpoint::PATH`]; `query` is the
/// text after `?`; an empty `body` counts as an object without members. Unknown members are ignored
/// unless the endpoint is [strict](Endpoint::STRICT); a member that is `null` or occurs twice is
/// refused, and so is a query where the members travel in the body.
pub fn decode<E: Endpoint>(path: &[&str], query: &str, body: &[u8]) -> Result<E, Rejected> {
    decode_with(path, query, body, Handling::Lenient).map(|(request, _)| request)
}

/// Maximum length of the header `Prefer`, in bytes.
pub const PREFER_MAX: usize = 256;

/// How unknown members of a body are handled (RFC 7240 §4.4). Queries are not affected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handling {
    /// As the endpoint declares.
    Lenient,
    /// They are refused.
    Strict,
}

/// As [`decode`], and the fields of the first members that were ignored.
///
/// ```
/// use svc_types::Code;
/// use svc_types::api::posts::CreatePost;
/// use svc_types::wire::{self, Handling};
///
/// let body = br#"{"content": "hi", "poll": {}}"#;
/// let (_, ignored) = wire::decode_with::<CreatePost>(&[], "", body, Handling::Lenient)?;
/// assert_eq!(ignored, ["poll"]);
/// let refused = wire::decode_with::<CreatePost>(&[], "", body, Handling::Strict).unwrap_err();
/// assert_eq!(refused.code, Code::UnknownMember);
/// # Ok::<(), wire::Rejected>(())
/// ```
pub fn decode_with<E: Endpoint>(
    path: &[&str],
    query: &str,
    body: &[u8],
    handling: Handling,
) -> Result<(E, Vec<String>), Rejected> {
    decode_last(&Sent { path, query, body, handling }, &[])
}

/// Most wrong members that [`problems`] finds.
const PROBLEMS_MAX: usize = 20;

/// The longest body of which [`problems`] finds more than one: it is decoded once for each.
const PROBLEMS_BYTES_MAX: usize = 64 * 1024;

/// The problems of a request, one for each wrong member, beginning with the one that [`decode_with`]
/// reports: at most 20, and one of a body of more than 64 KiB.
///
/// ```
/// use svc_types::api::auth::Register;
/// use svc_types::wire::{self, Handling};
///
/// let body = br#"{"username": "?", "email": "nowhere"}"#;
/// let wrong = wire::problems::<Register>(&[], "", body, Handling::Lenient);
/// let fields = wrong.iter().filter_map(|wrong| wrong.field.as_deref());
/// assert_eq!(fields.collect::<Vec<_>>(), ["username", "email"]);
/// assert!(wrong.iter().all(|wrong| !wrong.is_missing), "both were sent");
/// ```
pub fn problems<E: Endpoint>(
    path: &[&str],
    query: &str,
    body: &[u8],
    handling: Handling,
) -> Vec<Rejected> {
    let most = if body.len() > PROBLEMS_BYTES_MAX { 1 } else { PROBLEMS_MAX };
    let sent = Sent { path, query, body, handling };
    each_problem(most, &|known| decode_last::<E>(&sent, known).map(drop))
}

/// The problems that a decoder finds when it looks at the members that are known to be wrong last.
pub(super) fn each_problem(
    most: usize,
    decode: &dyn Fn(&[String]) -> Result<(), Rejected>,
) -> Vec<Rejected> {
    let (mut problems, mut known) = (Vec::new(), Vec::new());
    while let Err(rejected) = decode(&known) {
        let field = rejected.field.as_deref().unwrap_or_default();
        let member = field.trim_start_matches('/').split('/').next().unwrap_or_default().to_owned();
        if known.contains(&member) || known.len() >= most {
            break;
        }
        problems.push(rejected);
        known.push(member);
    }
    problems
}

/// A request as it was sent.
struct Sent<'de> {
    path: &'de [&'de str],
    query: &'de str,
    body: &'de [u8],
    handling: Handling,
}

/// Decodes a request; these members are checked after all others. What does not depend on the type of
/// the request is in [`fields`], which is compiled once.
fn decode_last<E: Endpoint>(
    sent: &Sent<'_>,
    last: &[String],
) -> Result<(E, Vec<String>), Rejected> {
    let noted = RefCell::new(Vec::new());
    let fields = fields(sent, &Declaration::of::<E>(), &noted)?;
    let request = E::deserialize(fields.with_last(last));
    let request = request.map_err(super::problem::Error::rejected)?;
    Ok((request, noted.take()))
}

fn fields<'de>(
    sent: &Sent<'de>,
    declared: &Declaration,
    noted: &'de RefCell<Vec<String>>,
) -> Result<Fields<'de>, Rejected> {
    Ok(members(sent, declared)?.with(unknown(sent.handling, declared, noted)))
}

/// How unknown members of a request are handled.
fn unknown<'de>(
    handling: Handling,
    declared: &Declaration,
    noted: &'de RefCell<Vec<String>>,
) -> Unknown<'de> {
    let is_strict = declared.strict || handling == Handling::Strict;
    match (in_query(&declared.method), is_strict) {
        (true, _) if declared.strict => Unknown::Refused(Code::UnknownParameter, declared.path),
        (true, _) => Unknown::Ignored,
        (false, true) => Unknown::Refused(Code::UnknownMember, declared.path),
        (false, false) => Unknown::Noted(noted, Vec::new()),
    }
}

/// The members of a request from its path, and its query or body.
fn members<'de>(sent: &Sent<'de>, declared: &Declaration) -> Result<Fields<'de>, Rejected> {
    let mut members = Vec::with_capacity(8);
    for (name, text) in path_parameters(declared.path).zip(sent.path) {
        members.push((Cow::Borrowed(name), Part::Text(Cow::Borrowed(*text))));
    }
    let in_path = members.len();
    if in_query(&declared.method) {
        query::members(sent.query, &mut members)?;
    } else {
        query::refuse(sent.query)?;
        members.extend(body_members(sent.body)?);
    }
    refuse_doubles(&members[in_path..])?;
    let from_path: Vec<&str> = path_parameters(declared.path).collect();
    let mut index = 0;
    members.retain(|(name, _)| {
        index += 1;
        index <= in_path || !from_path.contains(&name.as_ref())
    });
    Ok(Fields::new(members))
}

/// The members of a body; none of an empty one.
fn body_members(body: &[u8]) -> Result<Vec<(Cow<'_, str>, Part<'_>)>, Rejected> {
    if body.is_empty() {
        return Ok(Vec::new());
    }
    let object: Members<'_> = serde_json::from_slice(body).map_err(|error| invalid_json(&error))?;
    Ok(object.0.into_iter().map(|(name, raw)| (name, Part::Json(raw))).collect())
}

/// Decodes a request or another object from its members by the rules of a body; a member that is
/// `null` counts as absent.
///
/// ```
/// use serde_json::json;
/// use svc_types::api::users::ListUsers;
/// use svc_types::wire;
///
/// let members = json!({ "limit": 500 });
/// let refused = wire::decode_members::<ListUsers>(members.as_object().unwrap()).unwrap_err();
/// assert_eq!(refused.message, "limit must be a whole number from 1 to 100");
/// ```
pub fn decode_members<T: DeserializeOwned>(members: &Map<String, Value>) -> Result<T, Rejected> {
    decode_text(&present(members))
}

/// As [`decode_members`], with this handling of unknown members.
///
/// ```
/// use serde_json::json;
/// use svc_types::Code;
/// use svc_types::api::users::ListUsers;
/// use svc_types::wire::{self, Handling};
///
/// let members = json!({ "limmit": 5 });
/// let members = members.as_object().unwrap();
/// let refused = wire::decode_members_with::<ListUsers>(members, Handling::Strict).unwrap_err();
/// assert_eq!((refused.code, refused.hint.as_deref()), (Code::UnknownMember, Some("limit")));
/// ```
pub fn decode_members_with<T: DeserializeOwned>(
    members: &Map<String, Value>,
    handling: Handling,
) -> Result<T, Rejected> {
    let unknown = match handling {
        Handling::Lenient => Unknown::Ignored,
        Handling::Strict => Unknown::Refused(Code::UnknownMember, ""),
    };
    decode_object(&present(members), unknown)
}

/// The JSON text of the members that are present.
fn present(members: &Map<String, Value>) -> String {
    let present = members.iter().filter(|(_, value)| !value.is_null());
    let present: Map<_, _> = present.map(|(name, value)| (name.clone(), value.clone())).collect();
    Value::Object(present).to_string()
}

/// Decodes an object from JSON text by the rules of a body.
fn decode_text<'de, T: serde::Deserialize<'de>>(json: &'de str) -> Result<T, Rejected> {
    decode_object(json, Unknown::Ignored)
}

/// As [`decode_text`], and notes the fields of the first members that are ignored.
pub(crate) fn decode_noting<'de, T: serde::Deserialize<'de>>(
    json: &'de str,
    noted: &'de RefCell<Vec<String>>,
) -> Result<T, Rejected> {
    decode_object(json, Unknown::Noted(noted, Vec::new()))
}

fn decode_object<'de, T: serde::Deserialize<'de>>(
    json: &'de str,
    unknown: Unknown<'de>,
) -> Result<T, Rejected> {
    let object: Members<'_> = serde_json::from_str(json).map_err(|error| invalid_json(&error))?;
    let members: Vec<_> = object.0.into_iter().map(|(name, raw)| (name, Part::Json(raw))).collect();
    refuse_doubles(&members)?;
    T::deserialize(Fields::new(members).with(unknown)).map_err(super::problem::Error::rejected)
}

/// The texts of the members `schema` if `text` is a JSON object. There may be several, because
/// readers differ in which one they use.
pub(crate) fn schemas_of(text: &str) -> Vec<String> {
    if !text.trim_ascii_start().starts_with('{') {
        return Vec::new();
    }
    let Ok(object) = serde_json::from_str::<Members<'_>>(text) else {
        return Vec::new();
    };
    let schemas = object.0.iter().filter(|(name, _)| name == "schema");
    schemas.filter_map(|(_, raw)| serde_json::from_str(raw.get()).ok()).collect()
}

/// Two values for one member would let two readers see two requests.
fn refuse_doubles(members: &[(Cow<'_, str>, Part<'_>)]) -> Result<(), Rejected> {
    for (index, (name, _)) in members.iter().enumerate() {
        if members[..index].iter().any(|(earlier, _)| earlier == name) {
            let name = super::problem::shortened(name);
            let message = format!("{name} occurs twice and must occur once");
            return Err(Rejected::new(Code::ValidationFailed, message).about(name));
        }
        if index >= MEMBERS_MAX {
            let message = format!("a request must have at most {MEMBERS_MAX} members");
            return Err(Rejected::new(Code::ValidationFailed, message));
        }
    }
    Ok(())
}

/// Maximum number of members of one request; the largest endpoint has about a dozen.
pub(super) const MEMBERS_MAX: usize = 100;

fn invalid_json(error: &serde_json::Error) -> Rejected {
    Rejected::new(Code::InvalidJson, format!("the body must be a JSON object: {error}"))
}

/// The members of a JSON object with unread values.
pub(super) struct Members<'de>(pub(super) Vec<(Cow<'de, str>, &'de RawValue)>);

impl<'de> serde::Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
                let mut members = Vec::new();
                while let Some(name) = map.next_key::<Name<'de>>()? {
                    members.push((name.0, map.next_value()?));
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Object)
    }
}

/// A member's name, borrowed if it contains no escapes.
pub(super) struct Name<'de>(pub(super) Cow<'de, str>);

impl<'de> serde::Deserialize<'de> for Name<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl<'de> Visitor<'de> for Text {
            type Value = Name<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name")
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Name<'de>, E> {
                Ok(Name(Cow::Borrowed(text)))
            }

            fn visit_str<E>(self, text: &str) -> Result<Name<'de>, E> {
                Ok(Name(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(Text)
    }
}
