//! Requests out of what people typed into a form, by the same travel rule.

use std::borrow::Cow;

use http::Method;

use super::decode::{MEMBERS_MAX, Rejected};
use super::problem::Error;
use super::value::{Fields, Part};
use crate::endpoint::Endpoint;
use crate::error::Code;

/// Most objects inside each other that the dots of a name stand for.
const DEPTH_MAX: usize = 4;

type Member<'de> = (Cow<'de, str>, Part<'de>);

/// Reads a request from the fields of a form or the query of a page: pairs of a name and a text.
///
/// A text becomes what its member is: a number, a truth value (`true` or `false`), a word, a text.
/// Fields of one name are a list, or else the last of them counts. `subject.type` is the member
/// `type` of the object `subject`; an object may also be typed as JSON. Fields the endpoint does
/// not know are ignored. A field left empty is left out, save in a PATCH, where empty text is a
/// value that removes the one before.
pub fn decode_form<E: Endpoint>(fields: &[(String, String)]) -> Result<E, Rejected> {
    decode_last(fields, &[])
}

/// Everything that is wrong with the fields of a form, one thing for each member: what
/// [`decode_form`] tells first, and then the rest.
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
    let (mut problems, mut known) = (Vec::new(), Vec::new());
    while let Err(rejected) = decode_last::<E>(fields, &known) {
        let field = rejected.field.as_deref().unwrap_or_default();
        let member = field.trim_start_matches('/').split('/').next().unwrap_or_default().to_owned();
        if known.contains(&member) || known.len() >= MEMBERS_MAX {
            break;
        }
        problems.push(rejected);
        known.push(member);
    }
    problems
}

/// Reads a request; these members are looked at after all others.
fn decode_last<E: Endpoint>(fields: &[(String, String)], last: &[String]) -> Result<E, Rejected> {
    if fields.len() > MEMBERS_MAX {
        return Err(Rejected {
            hint: None,
            code: Code::ValidationFailed,
            message: format!("a form must have at most {MEMBERS_MAX} fields"),
            field: None,
        });
    }
    let mut members: Vec<Member<'_>> = Vec::with_capacity(fields.len());
    for (name, text) in fields {
        let is_given = !text.is_empty() || E::METHOD == Method::PATCH;
        put(&mut members, name, is_given.then_some(text), DEPTH_MAX);
    }
    E::deserialize(Fields::new(members).with_last(last)).map_err(Error::rejected)
}

/// Adds a text to the member it belongs to. Of a text that was left out only the object is there
/// that it belongs to, so that what that object lacks is told of the field.
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
        // A text and an object of one name: what came first stands.
        _ => {}
    }
}
