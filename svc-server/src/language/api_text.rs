//! Recognises what the API says, so that pages can say it in their language.
//!
//! The API speaks English. `api.ftl` has its sentences as patterns: the English text is what the API
//! says, with a variable for each part that varies, and another language has its own text under the
//! same id. So the English text is the key, as with gettext. What fits no pattern stays English.
//!
//! The first part of an id behind `api` is its group, the name of a variable says what fits it.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::sync::LazyLock;

use svc_types::{Span, Timestamp};

use super::{Language, catalogue, number};

/// How the rule of a member begins, after its name.
const RULE_BEGINS: [&str; 4] = [" must be ", " is required and must be ", ": ", " "];

/// The patterns; those with most words of their own first, since they say most.
static PATTERNS: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    let lines = catalogue::ENGLISH.iter().flat_map(|file| file.lines());
    let mut patterns: Vec<Pattern> = lines.filter_map(Pattern::read).collect();
    patterns.sort_by_key(|pattern| Reverse(pattern.words.concat().len()));
    patterns
});

/// A text of the API with a text of the catalogue for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiText<'t> {
    /// The id of the text.
    pub id: &'static str,
    /// Its values, by the names of their variables.
    pub values: Vec<(&'static str, Value<'t>)>,
}

/// A part of a text that varies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value<'t> {
    /// A number.
    Number(&'t str),
    /// A number of credits.
    Credits(&'t str),
    /// A duration.
    Span(Span),
    /// An instant.
    Time(Timestamp),
    /// Values to choose from.
    Words(&'t str),
    /// Another text of the API, of this group.
    ApiText(&'static str, &'t str),
    /// A name, a word, or what somebody wrote.
    Plain(&'t str),
}

/// The text of a group that fits what the API said.
pub fn of<'t>(group: &str, text: &'t str) -> Option<ApiText<'t>> {
    of_group(group)
        .find_map(|pattern| Some(ApiText { id: pattern.id, values: pattern.values(text)? }))
}

/// The patterns of a group.
fn of_group(group: &str) -> impl Iterator<Item = &'static Pattern> {
    let begin = format!("api-{group}-");
    PATTERNS.iter().filter(move |pattern| pattern.id.starts_with(&begin))
}

/// The text for what is wrong with a member of a request: a sentence, or the member's name and rule.
pub fn of_member<'t>(member: &str, message: &'t str) -> Option<ApiText<'t>> {
    let rule = rules(member, message).find_map(|rule| of("rule", rule));
    rule.or_else(|| of("error", message)).or_else(|| of("fault", message))
}

/// What may be the rule in a message about a member, behind its name.
fn rules<'t>(member: &str, message: &'t str) -> impl Iterator<Item = &'t str> {
    let rest = message.strip_prefix(member).unwrap_or_default();
    RULE_BEGINS.iter().filter_map(move |begin| rest.strip_prefix(*begin))
}

/// What the API said, of a group, as a page in English shows it: with its numbers grouped.
pub fn in_english<'t>(group: &str, text: &'t str) -> Cow<'t, str> {
    grouped(group, text).map_or(Cow::Borrowed(text), Cow::Owned)
}

/// The same for what is wrong with a member of a request.
pub fn of_member_in_english<'t>(member: &str, message: &'t str) -> Cow<'t, str> {
    let rule = rules(member, message).find_map(|rule| {
        let before = message.strip_suffix(rule)?;
        Some(format!("{before}{}", grouped("rule", rule)?))
    });
    let found = rule.or_else(|| grouped("error", message)).or_else(|| grouped("fault", message));
    found.map_or(Cow::Borrowed(message), Cow::Owned)
}

/// A text of a group with its numbers grouped; `None` if it fits no pattern, so that nothing is known of
/// its numbers.
fn grouped(group: &str, text: &str) -> Option<String> {
    of_group(group).find_map(|pattern| pattern.grouped(text))
}

/// A text of the English catalogue that is what the API says.
#[derive(Debug)]
struct Pattern {
    id: &'static str,
    /// The words around the variables: one more than there are variables.
    words: Vec<&'static str>,
    names: Vec<&'static str>,
}

impl Pattern {
    /// The pattern in a line of a catalogue.
    fn read(line: &'static str) -> Option<Self> {
        let (id, text) = line.split_once(" = ").filter(|(id, _)| id.starts_with("api-"))?;
        let mut pieces = text.split("{ $");
        let mut pattern = Self { id, words: vec![pieces.next()?], names: Vec::new() };
        for piece in pieces {
            let (name, words) = piece.split_once(" }")?;
            pattern.names.push(name);
            pattern.words.push(words);
        }
        Some(pattern)
    }

    /// The values of the variables in a text; `None` if it doesn't fit.
    fn values<'t>(&self, text: &'t str) -> Option<Vec<(&'static str, Value<'t>)>> {
        let parts = self.parts(text)?.into_iter();
        parts.map(|(name, part)| Some((name, Value::read(name, part)?))).collect()
    }

    /// A text that fits, with its numbers grouped.
    fn grouped(&self, text: &str) -> Option<String> {
        let (first, words) = self.words.split_first()?;
        let mut shown = String::from(*first);
        for ((name, part), after) in self.parts(text)?.into_iter().zip(words) {
            shown.push_str(&Value::read(name, part)?.in_english(part));
            shown.push_str(after);
        }
        Some(shown)
    }

    /// What stands in a text where the pattern has variables, by their names.
    fn parts<'t>(&self, text: &'t str) -> Option<Vec<(&'static str, &'t str)>> {
        let (first, words) = self.words.split_first()?;
        let mut rest = text.strip_prefix(first)?;
        let mut parts = Vec::with_capacity(self.names.len());
        for (place, (name, after)) in self.names.iter().zip(words).enumerate() {
            let is_last = place + 1 == self.names.len();
            let end = if is_last { rest.strip_suffix(*after)?.len() } else { rest.find(*after)? };
            parts.push((*name, &rest[..end]));
            rest = &rest[end + after.len()..];
        }
        rest.is_empty().then_some(parts)
    }
}

impl<'t> Value<'t> {
    /// The value of a variable with this name; `None` if the text is none.
    pub fn read(name: &str, text: &'t str) -> Option<Self> {
        let number = Some(text).filter(|text| is_number(text));
        let word = Some(text).filter(|text| !text.contains(char::is_whitespace));
        match name {
            "n" | "least" | "most" | "left" | "needed" | "available" => number.map(Self::Number),
            "amount" => number.map(Self::Credits),
            "credits" | "sold" | "back" => {
                let number = text.strip_suffix('s').unwrap_or(text).strip_suffix(" credit")?;
                Some(Self::Credits(number)).filter(|_| is_number(number))
            }
            "span" | "from" | "to" => text.parse().ok().map(Self::Span),
            "at" => text.parse().ok().map(Self::Time),
            "words" => Some(Self::Words(text)),
            "cause" => Some(Self::ApiText("cause", text)),
            "mistake" => Some(Self::ApiText("mistake", text)),
            "failure" => Some(Self::ApiText("failure", text)),
            "fault" => Some(Self::ApiText("fault", text)),
            "what" => Some(Self::ApiText("what", text)),
            "who" => Some(Self::ApiText("who", text)),
            "why" => Some(Self::ApiText("error", text)),
            "state" | "kind" | "act" | "tier" => word.map(Self::Plain),
            "buyer" | "seller" => word.filter(|name| !name.contains(':')).map(Self::Plain),
            _ => Some(Self::Plain(text)),
        }
        .filter(|_| !text.is_empty())
    }

    /// The part of an English text that it was read from, with its numbers grouped.
    fn in_english(self, part: &'t str) -> Cow<'t, str> {
        match self {
            Self::Number(number) | Self::Credits(number) => {
                part.replacen(number, &number::grouped(Language::English, number), 1).into()
            }
            Self::ApiText(group, part) => in_english(group, part),
            _ => part.into(),
        }
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || b".-".contains(&byte))
}

#[cfg(test)]
mod tests;
