//! Texts of accounts as HTML: escaped, with links for URLs, accounts and hashtags; and Markdown.
//!
//! This is the only place where text becomes HTML without a template engine's escaping, so every
//! character goes through [`escape`].

pub mod code;
pub mod highlight;
mod markdown;

use std::fmt::{self, Write};

use svc_types::Username;
use svc_types::api::posts::Mention;
use url::Url;
use url::form_urlencoded::byte_serialize;

pub use self::markdown::{
    markdown, markdown_below_title, markdown_with_marks, may_have_markup, without_code,
};
use crate::services::post::text::{follows_word, hashtag, is_elsewhere, is_of_hashtag};

/// The longest URL that becomes a link.
const ADDRESS_LENGTH_MAX: usize = 2000;

/// How many characters of a URL are displayed.
const ADDRESS_SHOWN: usize = 60;

/// Where the links of a text lead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Links<'a> {
    /// What stands before the paths of this site: nothing on its own pages, else its URL.
    site: &'a str,
    /// Whether the text may link to paths of this site.
    to_pages: bool,
    /// The accounts that the text names, if they are known: other names are no links.
    named: Option<&'a [Mention]>,
}

impl Links<'static> {
    /// Those of an account's text on a page.
    pub const ON_PAGES: Self = Self { site: "", to_pages: false, named: None };

    /// Those of the server's own text on a page, which may also lead to other pages.
    pub const OF_SERVER: Self = Self { site: "", to_pages: true, named: None };
}

impl<'a> Links<'a> {
    /// Those of an account's text that is shown elsewhere; `site` is the URL of this server.
    pub fn from_elsewhere(site: &'a str) -> Self {
        Self { site: site.trim_end_matches('/'), to_pages: false, named: None }
    }

    /// Those of a text that names these accounts and no other.
    #[must_use]
    pub const fn naming(self, named: &'a [Mention]) -> Self {
        Self { named: Some(named), ..self }
    }

    /// Whether a name is linked.
    fn leads_to(&self, name: &str) -> bool {
        let is_it = |one: &Mention| one.username.eq_ignore_ascii_case(name);
        self.named.is_none_or(|named| named.iter().any(is_it))
    }
}

/// A plain text as HTML: a paragraph that keeps its lines.
///
/// # Errors
/// None: a `String` takes what is written.
pub fn plain(text: &str, links: Links<'_>) -> Result<String, fmt::Error> {
    let mut out = String::from("<p>");
    for (number, line) in text.lines().enumerate() {
        if number > 0 {
            out.push_str("<br>\n");
        }
        write_linked(&mut out, links, line)?;
    }
    out.push_str("</p>\n");
    Ok(out)
}

/// Writes a text with links for its URLs, accounts and hashtags.
pub fn write_linked(f: &mut impl Write, links: Links<'_>, text: &str) -> fmt::Result {
    write_linked_after(f, links, None, text)
}

/// The same for a text whose first word may join the character `before` it.
fn write_linked_after(
    f: &mut impl Write,
    links: Links<'_>,
    mut before: Option<char>,
    mut rest: &str,
) -> fmt::Result {
    while let Some(found) = rest.find(['h', 'H', '@', '#']) {
        escape(f, &rest[..found])?;
        before = rest[..found].chars().next_back().or(before);
        let here = &rest[found..];
        let taken = link(f, links, before, here)?;
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

/// Writes the link at the start of a text and returns its length in bytes: 0 without a link.
fn link(
    f: &mut impl Write,
    links: Links<'_>,
    before: Option<char>,
    text: &str,
) -> Result<usize, fmt::Error> {
    if text.chars().next().is_none_or(|first| follows_word(before, first)) {
        return Ok(0);
    }
    match text.split_at_checked(1) {
        Some(("@", rest)) => link_account(f, links, rest),
        Some(("#", rest)) => link_hashtag(f, links.site, rest),
        _ => link_address(f, text),
    }
}

/// The same for the text after an `@`.
fn link_account(f: &mut impl Write, links: Links<'_>, rest: &str) -> Result<usize, fmt::Error> {
    let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    let (name, after) = rest.split_at(end.unwrap_or(rest.len()));
    let is_name = Username::is_valid(&name.to_ascii_lowercase()) && !is_elsewhere(after);
    if !is_name || !links.leads_to(name) {
        return Ok(0);
    }
    f.write_str("<a href=\"")?;
    escape(f, links.site)?;
    write!(f, "/@{name}\">@{name}</a>")?;
    Ok(name.len() + 1)
}

/// The same for the text after a `#`.
fn link_hashtag(f: &mut impl Write, site: &str, rest: &str) -> Result<usize, fmt::Error> {
    let end = rest.find(|c| !is_of_hashtag(c));
    let word = &rest[..end.unwrap_or(rest.len())];
    let Some(tag) = hashtag(word) else { return Ok(0) };
    f.write_str("<a href=\"")?;
    escape(f, site)?;
    f.write_str("/tag/")?;
    byte_serialize(tag.as_bytes()).try_for_each(|part| f.write_str(part))?;
    f.write_str("\">#")?;
    escape(f, word)?;
    f.write_str("</a>")?;
    Ok(word.len() + 1)
}

/// The same for a text that may begin with a URL. What begins like one and is no link is written as
/// text, so that no part of it is read again.
fn link_address(f: &mut impl Write, text: &str) -> Result<usize, fmt::Error> {
    let Some(address) = address(text) else { return Ok(0) };
    let Some(url) = target(address) else {
        escape(f, address)?;
        return Ok(address.len());
    };
    write_anchor(f, url.as_str())?;
    write_shown(f, address)?;
    f.write_str("</a>")?;
    Ok(address.len())
}

/// Writes as much of a URL as is displayed: its host at least, whose end says whose it is.
fn write_shown(f: &mut impl Write, address: &str) -> fmt::Result {
    let host = address.find("://").map_or(0, |scheme| scheme + "://".len());
    let path = address[host..].find(['/', '?', '#']).map_or(address.len(), |end| host + end);
    let cut = address.char_indices().nth(ADDRESS_SHOWN).map(|(end, _)| end.max(path));
    let cut = cut.filter(|end| *end < address.len());
    escape(f, &address[..cut.unwrap_or(address.len())])?;
    f.write_str(if cut.is_some() { "…" } else { "" })
}

/// Writes the start of a link to another site.
fn write_anchor(f: &mut impl Write, url: &str) -> fmt::Result {
    f.write_str("<a rel=\"nofollow ugc noopener\" href=\"")?;
    escape(f, url)?;
    f.write_str("\">")
}

/// What may be an http or https URL at the start of a text, without trailing punctuation. Of one that is too
/// long for a link, this is the beginning, which is too long as well.
pub(crate) fn address(text: &str) -> Option<&str> {
    let begins_with = |scheme: &str| {
        text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    };
    if !begins_with("http://") && !begins_with("https://") {
        return None;
    }
    let near = &text[..text.ceil_char_boundary(ADDRESS_LENGTH_MAX + 1)];
    match near.find(ends_address) {
        Some(end) => Some(without_punctuation(&near[..end])),
        None if near.len() < text.len() => Some(near),
        None => Some(without_punctuation(near)),
    }
}

/// Whether a character ends a URL: quotation marks of all languages, and punctuation of scripts whose sentences
/// go on behind it without a space.
fn ends_address(c: char) -> bool {
    c.is_whitespace()
        || c.is_control()
        || is_invisible(c)
        || "<>\"'`|\\^{}«»‹›…".contains(c)
        || matches!(c,
            '\u{60c}' | '\u{61b}' | '\u{61f}' | '\u{964}' | '\u{965}' | '\u{2018}'..='\u{201f}'
            | '\u{3001}'..='\u{3003}' | '\u{3008}'..='\u{3011}' | '\u{3014}'..='\u{301f}'
            | '\u{ff01}'..='\u{ff0f}' | '\u{ff1a}'..='\u{ff20}' | '\u{ff3b}'..='\u{ff40}'
            | '\u{ff5b}'..='\u{ff65}')
}

/// A URL without the punctuation at its end. A bracket belongs to it if it closes one of its own.
fn without_punctuation(mut address: &str) -> &str {
    let (mut opened, mut closed) = (address.matches('(').count(), address.matches(')').count());
    while let Some(last) = address.chars().next_back() {
        let is_pair = last == ')' && closed <= opened;
        if is_pair || !last.is_ascii_punctuation() || "/=&-_~#%+".contains(last) {
            break;
        }
        opened -= usize::from(last == '(');
        closed -= usize::from(last == ')');
        address = &address[..address.len() - last.len_utf8()];
    }
    address
}

/// The URL to which an address leads, if it may be a link.
fn target(address: &str) -> Option<Url> {
    if address.len() > ADDRESS_LENGTH_MAX {
        return None;
    }
    let url = Url::parse(address).ok()?;
    let has_host = url.host_str().is_some_and(|host| !host.is_empty());
    // The part before an `@` could be mistaken for the host.
    let names_nobody = url.username().is_empty() && url.password().is_none();
    (has_host && names_nobody).then_some(url)
}

/// Whether a character is invisible or changes the text direction, with which a URL could imitate
/// another.
pub fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// A text of an account between other words where no element isolates it, as in a title: on one line, without what
/// turns the direction of the words behind it.
pub fn on_one_line(text: &str) -> String {
    let turns = |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let shown = |c: &char| !c.is_control() && !turns(*c);
    // A number and its unit stay together.
    let breaks = |c: char| c.is_whitespace() && !matches!(c, '\u{a0}' | '\u{202f}');
    let words = text.split(breaks).map(|word| word.chars().filter(shown).collect::<String>());
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Escapes text for HTML, including attributes.
pub fn escape(out: &mut impl Write, text: &str) -> fmt::Result {
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
