//! The languages of the pages, and their texts.
//!
//! A page takes each text from a catalogue by its id, so templates and code hold no sentence. The
//! catalogues are Fluent files in `locales`, a folder per language and a file per part of the site.

pub mod api_text;
mod catalogue;
mod message;
pub mod number;

use std::fmt;

pub(crate) use self::message::escaped;
pub use self::message::{HtmlMessage, Message};

/// A language of the pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// German.
    German,
    /// English with accents and longer words, with which a test finds texts without a translation
    /// and layouts without room for one.
    PseudoLong,
    /// The same from right to left.
    PseudoMirrored,
}

impl Language {
    /// The languages that a visitor can choose.
    pub const ALL: [Self; 2] = [Self::English, Self::German];

    /// How many there are, those for tests included.
    pub(crate) const COUNT: usize = Self::ALL.len() + Self::PSEUDO.len();

    /// The languages for tests of the site.
    const PSEUDO: [Self; 2] = [Self::PseudoLong, Self::PseudoMirrored];

    /// Its tag, as in the attribute `lang`.
    pub const fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
            Self::PseudoLong => "qps-ploc",
            Self::PseudoMirrored => "qps-plocm",
        }
    }

    /// Its place among all languages.
    pub(crate) const fn index(self) -> usize {
        self as usize
    }

    /// Its name in itself.
    pub const fn name(self) -> &'static str {
        match self {
            Self::English => "English",
            Self::German => "Deutsch",
            Self::PseudoLong => "Long",
            Self::PseudoMirrored => "Mirrored",
        }
    }

    /// Whether it is written from right to left.
    pub const fn is_mirrored(self) -> bool {
        matches!(self, Self::PseudoMirrored)
    }

    /// The language with a tag, if visitors can choose it.
    pub fn chosen(tag: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|language| language.tag() == tag)
    }

    /// The language with a tag, also one for tests.
    pub fn tested(tag: &str) -> Option<Self> {
        Self::ALL.into_iter().chain(Self::PSEUDO).find(|language| language.tag() == tag)
    }

    /// The best language for a header Accept-Language.
    pub fn accepted(header: &str) -> Option<Self> {
        let mut ranges: Vec<(Self, f32)> = header.split(',').filter_map(range).collect();
        ranges.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        ranges.first().map(|(language, _)| *language)
    }

    /// A text of the catalogue. Its values are added by [`Message::with`].
    pub const fn message(self, id: &str) -> Message<'_> {
        Message::new(self, id)
    }

    /// Whether the catalogue has a text.
    pub fn has(self, id: &str) -> bool {
        catalogue::of(self).has_message(id)
    }

    /// A text of the catalogue that takes no values.
    pub fn text(self, id: &str) -> String {
        self.message(id).to_string()
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.tag())
    }
}

/// A range of Accept-Language in one of our languages, with its weight: `de-AT;q=0.9`.
fn range(text: &str) -> Option<(Language, f32)> {
    let (tag, weight) = text.split_once(';').unwrap_or((text, "q=1"));
    let weight = weight.trim().strip_prefix("q=")?.parse().ok().filter(|weight| *weight > 0.0)?;
    let primary = tag.trim().split('-').next()?.to_ascii_lowercase();
    Some((Language::chosen(&primary)?, weight))
}

#[cfg(test)]
mod tests;
