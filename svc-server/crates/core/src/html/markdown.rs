//! Markdown as HTML, with a fixed set of elements and attributes.
//!
//! The parser reads `CommonMark` with tables and strikethrough; this writer decides what comes out.
//! Raw HTML is text, a picture is a link, and a link leads to http or https.

mod writer;

use std::borrow::Cow;
use std::fmt;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd, TextMergeStream};

use self::writer::Writer;
use super::code::Language;
use super::{Links, escape};

/// The tags of each level of headings; deeper ones have those of the last.
type Headings = [(&'static str, &'static str); 3];

const BELOW_TITLE: Headings = [("<h2>", "</h2>\n"), ("<h3>", "</h3>\n"), ("<h4>", "</h4>\n")];
const BELOW_SECTION: Headings = [("<h3>", "</h3>\n"), ("<h4>", "</h4>\n"), ("<h5>", "</h5>\n")];

/// Most bytes of HTML for a text: what a table of empty cells could exceed. Then the text is shown
/// as it was written.
const fn bytes_max(text: usize) -> usize {
    64 * 1024 + 16 * text
}

/// Most levels of quotes and lists that the parser reads: it goes through all open ones for each line. A text with more
/// is shown as it was written.
const LEVELS_MAX: usize = 1_000;

/// A text in Markdown as HTML.
///
/// # Errors
/// None: a `String` takes what is written.
pub fn markdown(text: &str, links: Links<'_>) -> Result<String, fmt::Error> {
    markdown_with_marks(text, links, "")
}

/// The same with its code highlighted by marks that `highlight` has made.
///
/// # Errors
/// None: a `String` takes what is written.
pub fn markdown_with_marks(
    text: &str,
    links: Links<'_>,
    marks: &str,
) -> Result<String, fmt::Error> {
    html_of(text, links, marks, &BELOW_SECTION)
}

/// A text in Markdown right below the title of a page: its headings begin one level higher.
///
/// # Errors
/// None: a `String` takes what is written.
pub fn markdown_below_title(text: &str, links: Links<'_>) -> Result<String, fmt::Error> {
    html_of(text, links, "", &BELOW_TITLE)
}

fn html_of(
    text: &str,
    links: Links<'_>,
    marks: &str,
    headings: &'static Headings,
) -> Result<String, fmt::Error> {
    let mut writer = Writer::new(links, marks, headings, bytes_max(text.len()));
    // Links are the most that a usual text has besides its words.
    writer.out.reserve(2 * text.len());
    for event in events(text) {
        writer.write(event)?;
        if writer.out.len() > writer.bytes_max {
            // Without spans it may be short enough.
            let is_plain = marks.is_empty();
            return if is_plain { as_written(text) } else { html_of(text, links, "", headings) };
        }
    }
    // Of a text that is nothing but the target of a link, or a rule, there would be nothing to see.
    if writer.shows || text.trim().is_empty() { Ok(writer.out) } else { as_written(text) }
}

fn parser(text: &str) -> Parser<'_> {
    let read = if is_read(text) { text } else { "" };
    Parser::new_ext(read, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH)
}

/// Whether no line of a text is in too many quotes and lists.
fn is_read(text: &str) -> bool {
    text.split(['\n', '\r']).all(|line| levels_max(line) <= LEVELS_MAX)
}

/// At most how many quotes and lists a line is in: each takes a `>`, or two columns of white space and marks, of which
/// a tab has up to four.
fn levels_max(line: &str) -> usize {
    let may_open = |byte: &u8| b"> \t-+*.)".contains(byte) || byte.is_ascii_digit();
    let levels = |byte: u8| match byte {
        b'>' | b' ' => 1_usize,
        b'\t' => 2,
        _ => 0,
    };
    line.bytes().take_while(may_open).map(levels).sum()
}

fn events(text: &str) -> TextMergeStream<'_, Parser<'_>> {
    TextMergeStream::new(parser(text))
}

/// Whether a text in Markdown may have code, names or hashtags that are not shown, or some that are written otherwise
/// than they are shown. It is asked of every post, so it reads no Markdown.
pub fn may_have_markup(text: &str) -> bool {
    text.contains(['`', '\t', '_', '\\', '|', ']', '&'])
        || text.contains("~~~")
        || text.contains("    ")
}

/// What a text in Markdown shows besides code, with spaces in the place of its markup. What stands in the target or the
/// title of a link, or in a cell beside a table, is not shown, so it names nobody.
pub fn without_code(text: &str) -> Cow<'_, str> {
    if !text.contains(['@', '#']) || !may_have_markup(text) || !is_read(text) {
        return Cow::Borrowed(text);
    }
    let (mut shown, mut is_code) = (String::with_capacity(text.len()), false);
    for event in events(text) {
        match event {
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) if !is_code => {
                shown.push_str(&text);
            }
            Event::Start(Tag::CodeBlock(_)) | Event::End(TagEnd::CodeBlock) => {
                is_code = !is_code;
                shown.push(' ');
            }
            _ => shown.push(' '),
        }
    }
    Cow::Owned(shown)
}

/// The first blocks of code in known languages, which are those that marks are about.
pub(super) fn code_blocks(text: &str, most: usize) -> Vec<(&'static Language, String)> {
    let (mut blocks, mut open) = (Vec::new(), None);
    for event in events(text) {
        match event {
            Event::Start(Tag::CodeBlock(_)) if blocks.len() == most => break,
            Event::Start(Tag::CodeBlock(kind)) => {
                open = language(&kind).map(|language| (language, String::new()));
            }
            Event::Text(text) => {
                if let Some((_, code)) = &mut open {
                    code.push_str(&text);
                }
            }
            Event::End(TagEnd::CodeBlock) => blocks.extend(open.take()),
            _ => {}
        }
    }
    blocks
}

/// The known language of a block of code.
fn language(kind: &CodeBlockKind<'_>) -> Option<&'static Language> {
    match kind {
        CodeBlockKind::Fenced(info) => Language::of_fence(info),
        CodeBlockKind::Indented => None,
    }
}

fn as_written(text: &str) -> Result<String, fmt::Error> {
    let mut out = String::from("<pre>");
    escape(&mut out, text)?;
    out.push_str("</pre>");
    Ok(out)
}

#[cfg(test)]
mod tests;
