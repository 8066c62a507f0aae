//! Decoding of HTML forms by the wire rule.

use std::borrow::Cow;

use http::Method;

use super::decode::{MEMBERS_MAX, Rejected, each_problem};
use super::fields::{Fields, Part};
use super::problem::Error;
use crate::endpoint::Endpoint;
use crate::error::Code;

/// Maximum nesting that the dots of a name may describe.
const DEPTH_MAX: usize = 4;

type Member<'de> = (Cow<'de, str>, Part<'de>);

/// Decodes a request from the fields of a form or the query of a page: pairs of name and text.
///
/// A text is converted to the type of its member: a number, a boolean (`true` or `false`), an enum
/// value, a text. Fields with the same name are a list; otherwise the last one counts.
/// `subject.type` is the member `type` of the object `subject`; an object may also be written as
/// JSON. Unknown fields are ignored. An empty field is omitted, except in a PATCH, where an empty
/// text removes the current value.
pub fn decode_form<E: Endpoint>(fields: &[(String, String)]) -> Result<E, Rejected> {
    decode_last(fields, &[])
}

/// All problems of the fields of a form, one per member, starting with the one that [`decode_form`]
/// reports.
///
/// ```
/// use svc_types::api::auth::Register;
/// use svc_types::wire::form_problems;
///
/// let fields = [("username", "?"), ("email", "nowhere"), ("password", "short")];
/// let fields = fields.map(|(name, text)| (name.to_owned(), text.to_owned()));
/// let wrong = form_problems::<Register>(&fields).into_iter().filter_map(|wrong| wrong.field);
/// assert_eq!(wrong.collect::<Vec<_>>(), ["username", "email", "password"]);
/// ```
pub fn form_problems<E: Endpoint>(fields: &[(String, String)]) -> Vec<Rejected> {
    each_problem(MEMBERS_MAX, &|known| decode_last::<E>(fields, known).map(drop))
}

/// Decodes a request; these members are checked after all others.
fn decode_last<E: Endpoint>(fields: &[(String, String)], last: &[String]) -> Result<E, Rejected> {
    let fields = members(fields, &E::METHOD)?.with_last(last);
    E::deserialize(fields).map_err(Error::rejected)
}

fn members<'de>(fields: &'de [(String, String)], method: &Method) -> Result<Fields<'de>, Rejected> {
    if fields.len() > MEMBERS_MAX {
        let message = format!("a form must have at most {MEMBERS_MAX} fields");
        return Err(Rejected::new(Code::ValidationFailed, message));
    }
    let mut members: Vec<Member<'_>> = Vec::with_capacity(fields.len());
    for (name, text) in fields {
        let is_given = !text.is_empty() || *method == Method::PATCH;
        put(&mut members, name, is_given.then_some(text), DEPTH_MAX);
    }
    Ok(Fields::new(members))
}

/// Adds a text to the member it belongs to. For an omitted text, only the object that it belongs to
/// is added, so that problems of the object name the field.
fn put<'de>(members: &mut Vec<Member<'de>>, name: &'de str, text: Option<&'de str>, depth: usize) {
    let (own, rest) = match name.split_once('.') {
        Some((own, rest)) if depth > 0 => (own, Some(rest)),
        _ => (name, None),
    };
    if text.is_none() && rest.is_none() {
        return;
    }
    let found = members.iter().position(|(member, _)| member == own);
    let index = found.unwrap_or_else(|| {
        let empty = if rest.is_some() { Part::Form(Vec::new()) } else { Part::Typed(Vec::new()) };
        members.push((Cow::Borrowed(own), empty));
        members.len() - 1
    });
    match (&mut members[index].1, rest) {
        (Part::Form(inner), Some(rest)) => put(inner, rest, text, depth - 1),
        (Part::Typed(texts), None) => texts.extend(text),
        // A text and an object of one name: the first one wins.
        _ => {}
    }
}
