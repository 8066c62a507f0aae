//! What a form shows of the members that it changes. Its request names only those whose text the person changed, so
//! that a page that was opened long ago leaves alone what has been changed elsewhere since.

use std::borrow::Cow;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

use super::request::{Form, PageRequest};

/// The form field: the members, each with a hash of its text.
pub(crate) const FIELD: &str = "shown";

/// Most members that such a form has.
const MEMBERS_MAX: usize = 40;

/// Bytes of a hash. It compares texts of one person, and protects nothing.
const HASH_BYTES: usize = 9;

/// The value of the field, for a form that shows these texts of its members.
pub(crate) fn of<'a, T: AsRef<str>>(members: impl IntoIterator<Item = (&'a str, T)>) -> String {
    let entries = members.into_iter().map(|(name, text)| entry(name, text.as_ref()));
    entries.collect::<Vec<_>>().join(",")
}

fn entry(name: &str, text: &str) -> String {
    // Browsers make all line ends of a text the same.
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let hash = URL_SAFE_NO_PAD.encode(&Sha256::digest(text)[..HASH_BYTES]);
    format!("{name}={hash}")
}

impl PageRequest {
    /// Whether the form showed this text of a member, so that the person left it as it was.
    pub(crate) fn showed(&self, member: &str, text: &str) -> bool {
        let wanted = entry(member, text);
        self.shown().any(|entry| entry == wanted)
    }

    /// Whether the person left all members whose names begin so as the form showed them.
    pub(crate) fn left(&self, prefix: &str) -> bool {
        self.field(FIELD).is_some()
            && !self.given().iter().any(|(name, _)| name.starts_with(prefix))
    }

    fn shown(&self) -> impl Iterator<Item = &str> {
        self.field(FIELD).unwrap_or_default().split(',').take(MEMBERS_MAX)
    }

    /// The fields of the request, without those that are as the form showed them.
    pub(super) fn given(&self) -> Cow<'_, [(String, String)]> {
        let names = self.shown().filter_map(|entry| Some(entry.split_once('=')?.0));
        let as_shown = |name: &&str| self.showed(name, self.field(name).unwrap_or_default());
        let left: Vec<&str> = names.filter(as_shown).collect();
        if left.is_empty() {
            return Cow::Borrowed(&self.fields);
        }
        let is_given = |(name, _): &&(String, String)| !left.contains(&name.as_str());
        Cow::Owned(self.fields.iter().filter(is_given).cloned().collect())
    }
}

impl Form<'_> {
    /// The value of the field: what the form showed at first, if it is shown again.
    pub fn shown<'a>(&self, members: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
        if self.is_typed() { self.value(FIELD).to_owned() } else { of(members) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_as_it_was_shown_whatever_its_line_ends_are() {
        for text in ["a\r\nb", "a\rb", "a\nb"] {
            assert_eq!(entry("bio", text), entry("bio", "a\nb"), "{text:?}");
        }
        assert_ne!(entry("bio", "a\n\nb"), entry("bio", "a\nb"));
    }
}
