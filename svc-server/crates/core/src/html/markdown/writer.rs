//! Writes what the parser read as HTML, one event after the other.

use std::fmt::{self, Write};
use std::str::Split;

use pulldown_cmark::{Event, HeadingLevel, Tag, TagEnd};
use url::Url;

use super::{Headings, language};
use crate::html::code::{self, BETWEEN_BLOCKS};
use crate::html::{
    ADDRESS_LENGTH_MAX, Links, escape, is_invisible, write_anchor, write_linked_after, write_shown,
};

/// Most levels of quotes and lists; deeper ones are written flat.
pub(super) const DEPTH_MAX: usize = 12;

/// Writes events as HTML.
pub(super) struct Writer<'a> {
    pub(super) out: String,
    pub(super) bytes_max: usize,
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
    pub(super) shows: bool,
}

impl<'a> Writer<'a> {
    pub(super) fn new(
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

    pub(super) fn write(&mut self, event: Event<'_>) -> fmt::Result {
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
            Tag::Emphasis => self.tag("<em>"),
            Tag::Strong => self.tag("<strong>"),
            Tag::Strikethrough => self.tag("<del>"),
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
            TagEnd::Emphasis => self.tag("</em>"),
            TagEnd::Strong => self.tag("</strong>"),
            TagEnd::Strikethrough => self.tag("</del>"),
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
        self.before = None;
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
