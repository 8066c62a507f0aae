//! User text as HTML: escaped, with links for URLs, accounts and hashtags.
//!
//! This is the only place where text becomes HTML without the template engine's escaping, so every
//! character goes through [`escape`].

use std::borrow::{Borrow, Cow};
use std::fmt::{self, Write};

use svc_core::services::post::text::hashtag;
use svc_types::Username;
use url::Url;
use url::form_urlencoded::byte_serialize;

/// The longest URL that becomes a link.
const ADDRESS_LENGTH_MAX: usize = 2000;

/// How many characters of a URL are displayed.
const ADDRESS_SHOWN: usize = 60;

/// Most bytes of a text in a list.
const EXCERPT_BYTES: usize = 560;

/// Escaped text with links, ready for a template.
#[derive(Clone, Debug)]
pub(super) struct Linked<'a>(Cow<'a, str>);

impl askama::filters::HtmlSafe for Linked<'_> {}

/// Escapes a text and adds links.
pub(super) const fn linked(text: &str) -> Linked<'_> {
    Linked(Cow::Borrowed(text))
}

/// The start of a text with links, for lists.
pub(super) fn begun(text: &str) -> Linked<'_> {
    Linked(excerpt(text).0)
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
    let words = text[..end].rfind(char::is_whitespace).filter(|space| *space > EXCERPT_BYTES / 2);
    (Cow::Owned(format!("{}…", text[..words.unwrap_or(end)].trim_end())), true)
}

/// A count with its noun: `1 post`, `2 posts`.
pub(super) fn noun(count: impl fmt::Display, one: &str) -> String {
    let end = if count.to_string() == "1" { "" } else { "s" };
    format!("{one}{end}")
}

/// A waiting time, rounded up: `45 seconds`, `30 minutes`, `2 hours`.
pub(super) fn span(seconds: impl Borrow<u64>) -> String {
    let seconds = *seconds.borrow();
    let (count, one) = match seconds {
        0..120 => (seconds, "second"),
        120..7200 => (seconds.div_ceil(60), "minute"),
        7200..172_800 => (seconds.div_ceil(3600), "hour"),
        _ => (seconds.div_ceil(86_400), "day"),
    };
    format!("{count} {}", noun(count, one))
}

/// Percent-encodes a text for a URL.
pub(super) fn encoded(text: impl AsRef<str>) -> String {
    byte_serialize(text.as_ref().as_bytes()).collect()
}

/// Whether lists truncate a text.
pub(super) fn is_long(text: &str) -> bool {
    excerpt(text).1
}

impl fmt::Display for Linked<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut rest, mut before) = (&*self.0, None);
        while let Some(found) = rest.find(['h', 'H', '@', '#']) {
            escape(f, &rest[..found])?;
            before = rest[..found].chars().next_back().or(before);
            let here = &rest[found..];
            let taken = link(f, before, here)?;
            let first = here.chars().next().map_or(1, char::len_utf8);
            if taken == 0 {
                escape(f, &here[..first])?;
            }
            let taken = taken.max(first);
            before = here[..taken].chars().next_back();
            rest = &here[taken..];
        }
        escape(f, rest)
    }
}

/// Writes the link at the start of a text and returns its length in bytes; `None` without a link.
fn link(f: &mut fmt::Formatter<'_>, before: Option<char>, text: &str) -> Result<usize, fmt::Error> {
    let follows_word = before.is_some_and(|c| c.is_alphanumeric() || "_@#/&".contains(c));
    if follows_word {
        return Ok(0);
    }
    if let Some(rest) = text.strip_prefix('@') {
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        let name = &rest[..end.unwrap_or(rest.len())];
        if !Username::is_valid(&name.to_ascii_lowercase()) {
            return Ok(0);
        }
        write!(f, "<a href=\"/@{name}\">@{name}</a>")?;
        return Ok(name.len() + 1);
    }
    if let Some(rest) = text.strip_prefix('#') {
        let end = rest.find(|c: char| c.is_whitespace() || c.is_ascii_punctuation() && c != '_');
        let mut word = &rest[..end.unwrap_or(rest.len())];
        let tag = loop {
            match hashtag(word) {
                Some(tag) => break tag,
                None => match word.char_indices().next_back() {
                    // Letters with combining marks may end it as well.
                    Some((last, c)) if !c.is_alphanumeric() => word = &word[..last],
                    _ => return Ok(0),
                },
            }
        };
        f.write_str("<a href=\"/tag/")?;
        byte_serialize(tag.as_bytes()).try_for_each(|part| f.write_str(part))?;
        f.write_str("\">#")?;
        escape(f, word)?;
        f.write_str("</a>")?;
        return Ok(word.len() + 1);
    }
    let Some((address, url)) = address(text) else { return Ok(0) };
    f.write_str("<a rel=\"nofollow ugc noopener\" href=\"")?;
    escape(f, url.as_str())?;
    f.write_str("\">")?;
    let cut = address.char_indices().nth(ADDRESS_SHOWN).map(|(end, _)| end);
    escape(f, &address[..cut.unwrap_or(address.len())])?;
    f.write_str(if cut.is_some() { "…</a>" } else { "</a>" })?;
    Ok(address.len())
}

/// The http or https URL at the start of a text, without trailing punctuation.
fn address(text: &str) -> Option<(&str, Url)> {
    let head = text.get(..8).or_else(|| text.get(..7))?.to_ascii_lowercase();
    if !head.starts_with("http://") && !head.starts_with("https://") {
        return None;
    }
    let is_end = |c: char| {
        c.is_whitespace() || c.is_control() || is_invisible(c) || "<>\"'`|\\^{}".contains(c)
    };
    let end = text.find(is_end).unwrap_or(text.len());
    let mut address = &text[..end];
    while let Some(last) = address.chars().next_back() {
        let is_open = last == ')' && address.contains('(');
        if is_open || !last.is_ascii_punctuation() || "/=&-_~#%+".contains(last) {
            break;
        }
        address = &address[..address.len() - last.len_utf8()];
    }
    let url =
        Url::parse(address).ok().filter(|url| url.host_str().is_some_and(|h| !h.is_empty()))?;
    // The part before an `@` could be mistaken for the host.
    let names_nobody = url.username().is_empty() && url.password().is_none();
    (names_nobody && address.len() <= ADDRESS_LENGTH_MAX).then_some((address, url))
}

/// Whether a character is invisible or changes the text direction, with which a URL could imitate
/// another.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// Escapes text for HTML, including attributes.
fn escape(out: &mut impl Write, text: &str) -> fmt::Result {
    let mut rest = text;
    while let Some(found) = rest.find(['&', '<', '>', '"', '\'']) {
        out.write_str(&rest[..found])?;
        out.write_str(match rest.as_bytes()[found] {
            b'&' => "&amp;",
            b'<' => "&lt;",
            b'>' => "&gt;",
            b'"' => "&quot;",
            _ => "&#39;",
        })?;
        rest = &rest[found + 1..];
    }
    out.write_str(rest)
}

#[cfg(test)]
mod tests;
