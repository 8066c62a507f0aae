//! Texts on pages: posts as Markdown, other texts with links, excerpts.

use std::borrow::Cow;

use svc_core::services::post::text::{cut_between_words, excerpt_shown};
use svc_types::api::posts::{Mention, PostFormat};
use url::form_urlencoded::byte_serialize;

pub(super) use crate::html::{Linked, escape, linked};
use crate::html::{Links, Markdown, PostText};

/// Most bytes of a text in a list.
const EXCERPT_BYTES: usize = 560;

/// A text in Markdown, as HTML.
pub(super) const fn marked(text: &str) -> Markdown<'_> {
    Markdown::new(Cow::Borrowed(text), Links::ON_PAGES)
}

/// The text of a post.
pub(super) const fn post_text<'a>(text: &'a str, format: &'a PostFormat) -> PostText<'a> {
    PostText::new(Cow::Borrowed(text), format, None)
}

/// The text of a post with the marks of its code and the accounts that it mentions.
pub(super) fn highlighted<'a>(
    text: &'a str,
    format: &'a PostFormat,
    marks: Option<&'a str>,
    mentions: &'a [Mention],
) -> PostText<'a> {
    PostText::new(Cow::Borrowed(text), format, marks).mentioning(mentions)
}

/// The start of the text of a post, for lists.
pub(super) fn post_excerpt<'a>(text: &'a str, format: &'a PostFormat) -> PostText<'a> {
    PostText::new(excerpt(text).0, format, None)
}

/// The text of a post in a quote of it or a notification about it.
pub(super) fn quoted<'a>(text: &'a str, format: &'a PostFormat) -> PostText<'a> {
    match excerpt(text) {
        (cut, true) => PostText::new(cut, format, None),
        _ => PostText::new(excerpt_shown(text), format, None),
    }
}

/// The start of the text of a post with the marks of its code and the accounts that it mentions.
pub(super) fn highlighted_excerpt<'a>(
    text: &'a str,
    format: &'a PostFormat,
    marks: Option<&'a str>,
    mentions: &'a [Mention],
) -> PostText<'a> {
    PostText::new(excerpt(text).0, format, marks).mentioning(mentions)
}

/// The start of a text with links, for lists.
pub(super) fn begun(text: &str) -> Linked<'_> {
    Linked::new(excerpt(text).0)
}

/// The start of a text, for lists.
pub(super) fn short(text: &str) -> Cow<'_, str> {
    excerpt(text).0
}

/// The start of a text for lists, and whether it is truncated.
pub(super) fn excerpt(text: &str) -> (Cow<'_, str>, bool) {
    if text.len() <= EXCERPT_BYTES {
        return (Cow::Borrowed(text), false);
    }
    let end = text.floor_char_boundary(EXCERPT_BYTES);
    (Cow::Owned(format!("{}…", cut_between_words(&text[..end]))), true)
}

/// Percent-encodes a text for a URL.
pub(super) fn encoded(text: impl AsRef<str>) -> String {
    byte_serialize(text.as_ref().as_bytes()).collect()
}

/// Whether lists truncate a text.
pub(super) fn is_long(text: &str) -> bool {
    excerpt(text).1
}

#[cfg(test)]
mod tests;
