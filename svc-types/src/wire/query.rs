//! The query of a request: its members, or none where they travel in the body.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

use super::decode::Rejected;
use super::fields::Part;
use super::problem::shortened;
use crate::error::Code;

/// Splits `a=b&c=d` and decodes its escapes.
pub(super) fn members<'de>(
    query: &'de str,
    members: &mut Vec<(Cow<'de, str>, Part<'de>)>,
) -> Result<(), Rejected> {
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (name, text) = pair.split_once('=').unwrap_or((pair, ""));
        members.push((unescape(name)?, Part::Text(unescape(text)?)));
    }
    Ok(())
}

/// Decodes percent-encoding, and `+` as a space.
fn unescape(text: &str) -> Result<Cow<'_, str>, Rejected> {
    let not_utf8 =
        |_| Rejected::new(Code::ValidationFailed, "the query must be percent-encoded UTF-8");
    if text.contains('+') {
        let spaced = text.replace('+', " ");
        let decoded = percent_decode_str(&spaced).decode_utf8().map_err(not_utf8)?;
        return Ok(Cow::Owned(decoded.into_owned()));
    }
    percent_decode_str(text).decode_utf8().map_err(not_utf8)
}

/// Refuses the parameters of a request whose fields travel in its body: they would have no effect, which may be a
/// limit that the caller relies on.
pub(super) fn refuse(query: &str) -> Result<(), Rejected> {
    let mut parameters = Vec::new();
    members(query, &mut parameters)?;
    let Some((name, _)) = parameters.first() else { return Ok(()) };
    let name = shortened(name);
    let message = format!("{name} is not known here");
    let hint = Some("the fields of this call are sent as JSON in its body".to_owned());
    Err(Rejected { hint, ..Rejected::new(Code::UnknownParameter, message).about(name) })
}
