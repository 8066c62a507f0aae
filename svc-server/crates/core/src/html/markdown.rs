//! Markdown as HTML, with a fixed set of elements and attributes.
//!
//! The parser reads `CommonMark` with tables and strikethrough; this writer decides what comes out.
//! Raw HTML is text, a picture is a link, and a link leads to http or https.

use std::borrow::Cow;
use std::fmt::{self, Write};
use std::ops::Range;
use std::str::Split;

use pulldown_cmark::{
    CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd, TextMergeStream,
};
use url::Url;

use super::code::{self, BETWEEN_BLOCKS, Language};
use super::{
    ADDRESS_LENGTH_MAX, Links, escape, is_invisible, write_anchor, write_linked_after, write_shown,
};

/// Most levels of quotes and lists; deeper ones are written flat.
const DEPTH_MAX: usize = 12;

/// The tags of each level of headings; deeper ones have those of the last.
type Headings = [(&'static str, &'static str); 3];

const BELOW_TITLE: Headings = [("<h2>", "</h2>\n"), ("<h3>", "</h3>\n"), ("<h4>", "</h4>\n")];
const BELOW_SECTION: Headings = [("<h3>", "</h3>\n"), ("<h4>", "</h4>\n"), ("<h5>", "</h5>\n")];

/// Most bytes of HTML for a text: what a table of empty cells could exceed. Then the text is shown
/// as it was written.
const fn bytes_max(text: usize) -> usize {
    64 * 1024 + 16 * text
}

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
    Parser::new_ext(text, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH)
}

fn events(text: &str) -> TextMergeStream<'_, Parser<'_>> {
    TextMergeStream::new(parser(text))
}

/// Whether a text in Markdown may have code, or underscores that emphasize. It is asked of every post, so it reads no
/// Markdown.
pub fn may_have_markup(text: &str) -> bool {
    text.contains(['`', '\t', '_']) || text.contains("~~~") || text.contains("    ")
}

/// A text in Markdown with a space in the place of each piece of code, and asterisks for the underscores that
/// emphasize: those look as if they belonged to the names and hashtags beside them.
pub fn without_code(text: &str) -> Cow<'_, str> {
    if !text.contains(['@', '#']) || !may_have_markup(text) {
        return Cow::Borrowed(text);
    }
    let (mut kept, mut end) = (String::with_capacity(text.len()), 0);
    for (event, range) in parser(text).into_offset_iter() {
        match replaced(&event, range, text) {
            Some((range, by)) if range.start >= end => {
                kept.push_str(&text[end..range.start]);
                kept.push_str(by);
                end = range.end;
            }
            _ => {}
        }
    }
    kept.push_str(&text[end..]);
    Cow::Owned(kept)
}

/// What is replaced where something begins or ends in a text, and by what.
fn replaced(
    event: &Event<'_>,
    range: Range<usize>,
    text: &str,
) -> Option<(Range<usize>, &'static str)> {
    let Range { start, end } = range;
    let underscores = |from: usize, to: usize| {
        let found = text.get(from..to)?;
        found.bytes().all(|byte| byte == b'_').then_some((from..to, "*"))
    };
    match event {
        Event::Code(_) | Event::Start(Tag::CodeBlock(_)) => Some((start..end, " ")),
        Event::Start(Tag::Emphasis) => underscores(start, start + 1),
        Event::Start(Tag::Strong) => underscores(start, start + 2),
        Event::End(TagEnd::Emphasis) => underscores(end - 1, end),
        Event::End(TagEnd::Strong) => underscores(end - 2, end),
        _ => None,
    }
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

/// Writes events as HTML.
struct Writer<'a> {
    out: String,
    bytes_max: usize,
    targets: Links<'a>,
    headings: &'static Headings,
    /// Open quotes, lists and items, and whether each was written.
    open: Vec<bool>,
    /// Whether each open link was written; within one, texts have no links of their own.
    links: Vec<bool>,
    /// Where the text of the link that is written begins, and its URL.
    link: Option<(usize, String)>,
    /// The marks of the blocks of code that are still to come.
    marks: Split<'a, char>,
    /// What writes the text if it is code.
    code: Option<code::Writer<'a>>,
    /// Whether the row is the head of its table.
    in_head: bool,
    /// The last character of the text before.
    before: Option<char>,
    /// Whether there is anything to see so far.
    shows: bool,
}

impl<'a> Writer<'a> {
    fn new(
        targets: Links<'a>,
        marks: &'a str,
        headings: &'static Headings,
        bytes_max: usize,
    ) -> Self {
        Self {
            out: String::new(),
            bytes_max,
            targets,
            headings,
            open: Vec::new(),
            links: Vec::new(),
            link: None,
            marks: marks.split(BETWEEN_BLOCKS),
            code: None,
            in_head: false,
            before: None,
            shows: false,
        }
    }

    fn write(&mut self, event: Event<'_>) -> fmt::Result {
        match event {
            Event::Start(tag) => self.start(tag)?,
            Event::End(tag) => self.end(tag)?,
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => self.text(&text)?,
            Event::Code(text) => {
                self.out.push_str("<code>");
                escape(&mut self.out, &text)?;
                self.out.push_str("</code>");
                self.before = None;
                self.shows = true;
            }
            Event::SoftBreak | Event::HardBreak => self.tag("<br>\n"),
            // A rule is a paragraph of its own; nothing else is read.
            _ => self.tag("\n"),
        }
        Ok(())
    }

    /// Writes a tag, which also separates words.
    fn tag(&mut self, tag: &str) {
        self.out.push_str(tag);
        self.before = None;
    }

    fn text(&mut self, text: &str) -> fmt::Result {
        if let Some(code) = &mut self.code {
            code.write(&mut self.out, text)?;
        } else if !self.links.is_empty() {
            escape(&mut self.out, text)?;
        } else {
            write_linked_after(&mut self.out, self.targets, self.before, text)?;
        }
        self.before = text.chars().next_back();
        self.shows |= !text.trim().is_empty();
        Ok(())
    }

    fn start(&mut self, tag: Tag<'_>) -> fmt::Result {
        match tag {
            Tag::Paragraph | Tag::HtmlBlock => self.tag("<p>"),
            Tag::Heading { level, .. } => self.tag(self.heading(level).0),
            Tag::BlockQuote(_) => self.open("<blockquote>"),
            Tag::List(None) => self.open("<ul>"),
            Tag::List(Some(first)) => self.open_list(first)?,
            Tag::Item => self.open("<li>"),
            Tag::CodeBlock(kind) => {
                let marks = language(&kind).and_then(|_| self.marks.next());
                self.code = Some(code::Writer::new(marks.unwrap_or_default()));
                self.tag("<pre><code>");
            }
            Tag::Table(_) => self.tag("<table>"),
            Tag::TableHead => {
                self.in_head = true;
                self.tag("<thead><tr>");
            }
            Tag::TableRow => self.tag("<tr>"),
            Tag::TableCell => self.tag(if self.in_head { "<th>" } else { "<td>" }),
            Tag::Emphasis => self.out.push_str("<em>"),
            Tag::Strong => self.out.push_str("<strong>"),
            Tag::Strikethrough => self.out.push_str("<del>"),
            Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => {
                self.start_link(&dest_url)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn end(&mut self, tag: TagEnd) -> fmt::Result {
        match tag {
            TagEnd::Paragraph | TagEnd::HtmlBlock => self.tag("</p>\n"),
            TagEnd::Heading(level) => self.tag(self.heading(level).1),
            TagEnd::BlockQuote(_) => self.close("</blockquote>\n"),
            TagEnd::List(true) => self.close("</ol>\n"),
            TagEnd::List(false) => self.close("</ul>\n"),
            TagEnd::Item => self.close("</li>\n"),
            TagEnd::CodeBlock => {
                self.code = None;
                self.tag("</code></pre>\n");
            }
            TagEnd::Table => self.tag("</tbody></table>\n"),
            TagEnd::TableHead => {
                self.in_head = false;
                self.tag("</tr></thead><tbody>");
            }
            TagEnd::TableRow => self.tag("</tr>"),
            TagEnd::TableCell => self.tag(if self.in_head { "</th>" } else { "</td>" }),
            TagEnd::Emphasis => self.out.push_str("</em>"),
            TagEnd::Strong => self.out.push_str("</strong>"),
            TagEnd::Strikethrough => self.out.push_str("</del>"),
            TagEnd::Link | TagEnd::Image => self.end_link()?,
            _ => {}
        }
        Ok(())
    }

    const fn heading(&self, level: HeadingLevel) -> (&'static str, &'static str) {
        let [first, second, third] = *self.headings;
        match level {
            HeadingLevel::H1 => first,
            HeadingLevel::H2 => second,
            _ => third,
        }
    }

    /// Opens a quote, a list or an item, unless it is too deep.
    fn open(&mut self, tag: &str) {
        let is_written = self.open.len() < DEPTH_MAX;
        self.open.push(is_written);
        if is_written {
            self.tag(tag);
        }
    }

    fn open_list(&mut self, first: u64) -> fmt::Result {
        match first {
            1 => self.open("<ol>"),
            first => {
                let mut tag = String::new();
                write!(tag, "<ol start=\"{first}\">")?;
                self.open(&tag);
            }
        }
        Ok(())
    }

    fn close(&mut self, tag: &str) {
        if self.open.pop() == Some(true) {
            self.tag(tag);
        }
    }

    /// Opens a link, unless it is within another or leads elsewhere than allowed.
    fn start_link(&mut self, target: &str) -> fmt::Result {
        let is_outer = self.links.is_empty();
        let is_local = self.targets.to_pages
            && (target.starts_with('#') || target.starts_with('/') && !target.starts_with("//"));
        let url = url(target).filter(|_| is_outer);
        self.links.push(is_outer && (is_local || url.is_some()));
        match url {
            _ if is_local && is_outer => {
                self.out.push_str("<a href=\"");
                escape(&mut self.out, target)?;
                self.out.push_str("\">");
            }
            Some(url) => {
                write_anchor(&mut self.out, url.as_str())?;
                self.link = Some((self.out.len(), url.into()));
            }
            None => {}
        }
        Ok(())
    }

    /// Closes a link. One without a text, such as a picture that nothing describes, shows its URL.
    fn end_link(&mut self) -> fmt::Result {
        if self.links.pop() != Some(true) {
            return Ok(());
        }
        if let Some((start, url)) = self.link.take()
            && self.out[start..].trim().is_empty()
        {
            write_shown(&mut self.out, &url)?;
            self.shows = true;
        }
        self.out.push_str("</a>");
        Ok(())
    }
}

/// The http or https URL of a link, if nothing in it imitates another.
fn url(target: &str) -> Option<Url> {
    if target.len() > ADDRESS_LENGTH_MAX
        || target.chars().any(|c| c.is_control() || is_invisible(c))
    {
        return None;
    }
    let url = Url::parse(target).ok()?;
    let is_web = matches!(url.scheme(), "http" | "https");
    (is_web && url.username().is_empty() && url.password().is_none()).then_some(url)
}

#[cfg(test)]
mod tests;
