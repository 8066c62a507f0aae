//! A text of the catalogue with its values.

use std::fmt::{self, Display};

use askama::filters::{Escaper, Html, HtmlSafe};
use fluent_bundle::{FluentArgs, FluentValue};

use super::{Language, catalogue, number};
/// A text of the catalogue with its values.
#[derive(Clone, Debug)]
pub struct Message<'a> {
    language: Language,
    id: &'a str,
    values: Vec<(&'static str, Value)>,
}

#[derive(Clone, Debug)]
enum Value {
    Text(String),
    /// What plurals depend on.
    Number(f64),
}

impl<'a> Message<'a> {
    pub(super) const fn new(language: Language, id: &'a str) -> Self {
        Self { language, id, values: Vec::new() }
    }

    /// Adds a value, ready for display.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Display) -> Self {
        self.values.push((name, Value::Text(value.to_string())));
        self
    }

    /// Adds a counter: `$count` for plurals, and `$n` for display.
    #[must_use]
    pub fn count(self, count: impl Display) -> Self {
        let shown = number::count(self.language, &count);
        self.plural(count).with("n", shown)
    }

    /// Adds an amount of credits: `$count` for plurals, and `$n` for display.
    #[must_use]
    pub fn amount(self, credits: impl Display) -> Self {
        let shown = number::amount(self.language, &credits);
        self.plural(credits).with("n", shown)
    }

    fn plural(mut self, number: impl Display) -> Self {
        // What is no number has the plural of many.
        let number = number.to_string().parse().unwrap_or(f64::from(u8::MAX));
        self.values.push(("count", Value::Number(number)));
        self
    }
}

impl Display for Message<'_> {
    /// Writes the text; an unknown id as it is.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let catalogue = catalogue::of(self.language);
        let pattern = catalogue.get_message(self.id).and_then(|message| message.value());
        let Some(pattern) = pattern else { return f.write_str(self.id) };
        let mut values = FluentArgs::with_capacity(self.values.len());
        for (name, value) in &self.values {
            values.set(
                *name,
                match value {
                    Value::Text(text) => FluentValue::from(text.as_str()),
                    Value::Number(number) => FluentValue::from(*number),
                },
            );
        }
        // What is missing is shown by its name.
        catalogue.write_pattern(f, pattern, Some(&values), &mut Vec::new())
    }
}

impl From<Message<'_>> for String {
    fn from(message: Message<'_>) -> Self {
        message.to_string()
    }
}

/// A text of the catalogue that holds elements. Its values are escaped.
#[derive(Clone, Debug)]
pub struct HtmlMessage<'a> {
    message: Message<'a>,
    /// Elements of the text that are links, and where each leads.
    links: Vec<(&'static str, String)>,
}

impl<'a> HtmlMessage<'a> {
    /// The text as HTML.
    pub const fn new(message: Message<'a>) -> Self {
        Self { message, links: Vec::new() }
    }

    /// Adds a value, which is escaped.
    #[must_use]
    pub fn with(self, name: &'static str, value: impl Display) -> Self {
        Self { message: self.message.with(name, escaped(&value)), ..self }
    }

    /// Adds a value that is HTML already, such as a time.
    #[must_use]
    pub fn html(self, name: &'static str, value: impl HtmlSafe) -> Self {
        Self { message: self.message.with(name, value), ..self }
    }

    /// Adds a counter: `$count` for plurals, and `$n` for display.
    #[must_use]
    pub fn count(self, count: impl Display) -> Self {
        Self { message: self.message.count(count), ..self }
    }

    /// Adds an amount of credits: `$count` for plurals, and `$n` for display.
    #[must_use]
    pub fn amount(self, credits: impl Display) -> Self {
        Self { message: self.message.amount(credits), ..self }
    }

    /// Lets the element `a` of the text lead to a page.
    #[must_use]
    pub fn link(self, to: impl Display) -> Self {
        self.link_of("a", to)
    }

    /// Lets an element of the text with a name of its own be a link to a page.
    #[must_use]
    pub fn link_of(mut self, element: &'static str, to: impl Display) -> Self {
        self.links.push((element, escaped(&to)));
        self
    }
}

impl HtmlSafe for HtmlMessage<'_> {}

impl Display for HtmlMessage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = self.message.to_string();
        for (element, to) in &self.links {
            text = text.replace(&format!("<{element}>"), &format!("<a href=\"{to}\">"));
            text = text.replace(&format!("</{element}>"), "</a>");
        }
        f.write_str(&text)
    }
}

/// A value as HTML.
pub(crate) fn escaped(value: &(impl Display + ?Sized)) -> String {
    let mut out = String::new();
    // A `String` takes what is written.
    let _ = Html.write_escaped_str(&mut out, &value.to_string());
    out
}
