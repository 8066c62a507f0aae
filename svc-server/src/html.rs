//! Texts as HTML for templates, made by [`svc_core::html`].

use std::borrow::Cow;
use std::fmt::{self, Write};

use serde_json::Value;
use svc_core::html;
pub(crate) use svc_core::html::{Links, escape};
use svc_core::services::post;
use svc_types::api::posts::{Mention, PostFormat};

/// Escaped text with links, ready for a template.
#[derive(Clone, Debug)]
pub(crate) struct Linked<'a>(Cow<'a, str>);

impl askama::filters::HtmlSafe for Linked<'_> {}

impl<'a> Linked<'a> {
    /// A text whose links are added where it is shown.
    pub(crate) const fn new(text: Cow<'a, str>) -> Self {
        Self(text)
    }
}

/// Escapes a text and adds links.
pub(crate) const fn linked(text: &str) -> Linked<'_> {
    Linked(Cow::Borrowed(text))
}

impl fmt::Display for Linked<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        html::write_linked(f, Links::ON_PAGES, &self.0)
    }
}

/// A text in Markdown, ready for a template.
#[derive(Clone, Debug)]
pub(crate) struct Markdown<'a> {
    text: Cow<'a, str>,
    links: Links<'static>,
    /// Whether it stands right below the title of its page, else in a section.
    is_below_title: bool,
}

impl askama::filters::HtmlSafe for Markdown<'_> {}

impl<'a> Markdown<'a> {
    pub(crate) const fn new(text: Cow<'a, str>, links: Links<'static>) -> Self {
        Self { text, links, is_below_title: false }
    }

    /// A text of the server right below the title of its page.
    pub(crate) const fn below_title(text: Cow<'a, str>) -> Self {
        Self { text, links: Links::OF_SERVER, is_below_title: true }
    }
}

impl fmt::Display for Markdown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let html = if self.is_below_title {
            html::markdown_below_title(&self.text, self.links)?
        } else {
            html::markdown(&self.text, self.links)?
        };
        f.write_str(&html)
    }
}

/// The text of a post, ready for a template.
#[derive(Clone, Debug)]
pub(crate) struct PostText<'a> {
    text: Cow<'a, str>,
    format: &'a PostFormat,
    marks: Option<&'a str>,
    links: Links<'a>,
}

impl askama::filters::HtmlSafe for PostText<'_> {}

impl<'a> PostText<'a> {
    /// The text, and the marks of its code if it has some.
    pub(crate) const fn new(
        text: Cow<'a, str>,
        format: &'a PostFormat,
        marks: Option<&'a str>,
    ) -> Self {
        Self { text, format, marks, links: Links::ON_PAGES }
    }

    /// The same, without links for names that the post does not mention.
    pub(crate) fn mentioning(self, mentions: &'a [Mention]) -> Self {
        Self { links: post::html::links_of(self.links, &self.text, mentions), ..self }
    }
}

impl fmt::Display for PostText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let html = post::html::of_text(&self.text, self.format, self.links, self.marks)?;
        f.write_str(&html)
    }
}

/// JSON for a `<script>` that holds data, ready for a template.
#[derive(Clone, Debug)]
pub(crate) struct JsonData(Value);

impl askama::filters::HtmlSafe for JsonData {}

impl JsonData {
    pub(crate) const fn new(value: Value) -> Self {
        Self(value)
    }
}

impl fmt::Display for JsonData {
    /// Writes JSON without the characters that HTML gives a meaning to. JSON has them in strings only,
    /// where an escape says the same.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.to_string().chars() {
            match c {
                '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => write!(f, "\\u{:04x}", u32::from(c))?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn data_in_a_page_is_json_that_no_text_of_it_can_leave() {
        let text = "<!-- <script> ]]> &lt; \u{2028}\u{2029} \" \\ ä";
        let value = json!({ "</script>": text, "numbers": [1.5, null] });
        let shown = JsonData::new(value.clone()).to_string();
        for c in ['<', '>', '&', '\u{2028}', '\u{2029}'] {
            assert!(!shown.contains(c), "{shown}");
        }
        assert_eq!(serde_json::from_str::<Value>(&shown).unwrap(), value);
    }
}
