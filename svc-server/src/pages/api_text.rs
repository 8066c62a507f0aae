//! What the API says, in the language of the page.
//!
//! A page in English shows it as it is, but for its numbers, which every page groups. A page in another
//! language shows the text that the catalogue has for the sentence, else the text for the code of the
//! error, and else the English one, marked so that it is pronounced as such.

use std::borrow::Cow;
use std::fmt::{self, Display};

use askama::filters::HtmlSafe;
use svc_store::error::Refusal;
use svc_types::Code;

use super::Frame;
use crate::http::FieldProblem;
use crate::language::api_text::{self, ApiText, Value};
use crate::language::{HtmlMessage, Language, escaped, number};

/// Members whose names mean little to people, besides those in several words.
const ABBREVIATED: [&str; 4] = ["alt", "bio", "q", "url"];

/// A text for people, as HTML.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageText(String);

impl HtmlSafe for PageText {}

impl Display for PageText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl PageText {
    /// A text in the language of the page.
    pub fn plain(text: impl Display) -> Self {
        Self(escaped(&text))
    }
}

impl Frame {
    /// What was refused.
    pub fn refusal(&self, refusal: &Refusal) -> PageText {
        self.refused(refusal, &refusal.message, "")
    }

    /// The same as a sentence; messages of the API have no full stop.
    pub fn problem(&self, refusal: &Refusal) -> PageText {
        self.refused(refusal, refusal.message.trim_end_matches('.'), ".")
    }

    /// The text of a refusal: `message` is what the API or the page says, and `end` ends it.
    fn refused(&self, refusal: &Refusal, message: &str, end: &str) -> PageText {
        if refusal.is_translated {
            return PageText::plain(format!("{message}{end}"));
        }
        let for_people = self.by_code(&refusal.code).filter(|_| is_for_programs(&refusal.code));
        if let Some(text) = for_people {
            return text;
        }
        let problem = FieldProblem::of_refusal(refusal);
        if self.language == Language::English {
            let words = self.english(problem.as_ref(), message);
            return PageText::plain(format!("{words}{end}"));
        }
        if let Some(problem) = problem {
            return self.in_summary(&problem);
        }
        let found = self.api_text("error", &refusal.message);
        let found = found.or_else(|| self.by_code(&refusal.code));
        found.unwrap_or_else(|| self.in_english(&format!("{message}{end}")))
    }

    /// A message of the API as a page in English says it.
    fn english(&self, problem: Option<&FieldProblem<'_>>, message: &str) -> String {
        let words = match problem {
            Some(problem) => {
                let field = &problem.field;
                self.labelled(problem, api_text::of_member_in_english(field, message))
            }
            None => api_text::in_english("error", message),
        };
        self.spelled(message, &words).into_owned()
    }

    /// These words for a message of the API, with its durations as people write them: `15 minutes` for `15m`.
    fn spelled<'t>(&self, message: &str, words: &'t str) -> Cow<'t, str> {
        let values = api_text::of("error", message).map(|found| found.values).unwrap_or_default();
        let spans = values.into_iter().filter_map(|(_, value)| match value {
            Value::Span(span) => Some(span),
            _ => None,
        });
        spans.fold(Cow::Borrowed(words), |words, span| {
            let spoken = format!(" {}", self.span(span.duration().as_secs()));
            words.replace(&format!(" {span}"), &spoken).into()
        })
    }

    /// What to do about a refusal, unless the text for its code says so.
    pub fn hint(&self, refusal: &Refusal) -> Option<PageText> {
        let is_for_people = |hint: &&str| {
            !hint.is_empty() && !is_identifiers(hint) && !is_state(&refusal.code, hint)
        };
        let hint = refusal.hint.as_deref().filter(is_for_people)?;
        if refusal.is_translated {
            return Some(PageText::plain(hint));
        }
        let found = self.hint_value(&refusal.code, hint).or_else(|| self.api_text("hint", hint));
        let is_said = found.is_none() && self.by_code(&refusal.code).is_some();
        let as_said = || self.in_english(&api_text::in_english("hint", hint));
        found.or_else(|| (!is_said).then(as_said))
    }

    /// A hint that is only a value: a number of credits or an instant, by the code of the refusal.
    fn hint_value(&self, code: &Code, hint: &str) -> Option<PageText> {
        let id = format!("hint-{}", code.as_str().replace('_', "-"));
        if !self.language.has(&id) {
            return None;
        }
        let mut names = ["amount", "at"].into_iter();
        let (name, value) = names.find_map(|name| Some((name, Value::read(name, hint)?)))?;
        Some(PageText(self.with_value(self.html(&id), name, value).to_string()))
    }

    /// What is wrong with a field, for people who look at it.
    pub fn at_field(&self, problem: &FieldProblem<'_>) -> PageText {
        if problem.is_translated {
            return PageText::plain(problem.message);
        }
        let is_english = self.language == Language::English;
        if is_english && !lacks_choice(problem) {
            let given = of_given(problem);
            let message = api_text::of_member_in_english(&problem.field, &given);
            return PageText::plain(self.labelled(problem, message));
        }
        if problem.is_missing {
            return PageText::plain(self.t("field-missing"));
        }
        let found = api_text::of_member(&problem.field, problem.message);
        let found = found.map(|found| self.catalogued(found));
        let found = found.or_else(|| self.by_code(problem.code));
        found.unwrap_or_else(|| self.in_english(problem.message))
    }

    /// What is wrong with a field, in a list of all that is wrong: messages of the API begin with the
    /// name of the member.
    pub fn in_summary(&self, problem: &FieldProblem<'_>) -> PageText {
        let text = self.at_field(problem);
        let is_english = self.language == Language::English;
        let says_so = problem.is_translated || is_english && !lacks_choice(problem);
        match self.label(&problem.field).filter(|_| !says_so) {
            Some(label) => {
                let message = self.html("form-wrong-field").with("field", label);
                PageText(message.html("problem", text).to_string())
            }
            None => text,
        }
    }

    /// A message of the API that begins with the name of a member, with its label if the name is written
    /// as programs do: `Display name must be …` for `displayName must be …`.
    fn labelled<'t>(&self, problem: &FieldProblem<'_>, message: Cow<'t, str>) -> Cow<'t, str> {
        let is_for_programs = ABBREVIATED.contains(&problem.field.as_str())
            || problem.field.contains(|letter: char| letter.is_ascii_uppercase());
        let rest = message.strip_prefix(problem.field.as_str()).filter(|_| is_for_programs);
        let labelled = rest.and_then(|rest| Some(self.label(&problem.field)? + rest));
        labelled.map_or(message, Cow::Owned)
    }

    /// What people call a member of a request, or the one that it is a part of.
    fn label(&self, member: &str) -> Option<String> {
        let whole = member.split('.').next().unwrap_or_default();
        let ids = [member, whole].map(|name| format!("member-{}", kebab(name)));
        let found = ids.into_iter().find(|id| self.language.has(id));
        found.map(|id| self.language.text(&id))
    }

    /// A text of the API, of this group, in the language of the page; in English if the catalogue lacks it.
    pub fn translated(&self, group: &str, text: &str) -> PageText {
        let as_said = || self.in_english(&api_text::in_english(group, text));
        self.api_text(group, text).unwrap_or_else(as_said)
    }

    /// The catalogue's text for one of the API, of this group; none on a page in English.
    pub(super) fn api_text(&self, group: &str, text: &str) -> Option<PageText> {
        let is_english = self.language == Language::English;
        let found = if is_english { None } else { api_text::of(group, text) };
        found.map(|found| self.catalogued(found))
    }

    /// What the API says about an order, in the words for its buyer, its seller or a moderator; none for guests.
    pub(super) fn for_party(&self, group: &str, text: &str) -> Option<PageText> {
        let reader = &self.visitor.as_ref()?.username;
        let found = api_text::of(group, text)?;
        let event = found.id.strip_prefix("api-notice-")?;
        let is_reader = |side| found.values.contains(&(side, Value::Plain(reader)));
        let id = if is_reader("buyer") {
            format!("notice-buyer-{event}")
        } else if is_reader("seller") {
            format!("notice-seller-{event}")
        } else {
            format!("notice-staff-{event}")
        };
        self.language.has(&id).then(|| self.filled(&id, found.values))
    }

    fn catalogued(&self, found: ApiText<'_>) -> PageText {
        self.filled(found.id, found.values)
    }

    fn filled(&self, id: &str, values: Vec<(&'static str, Value<'_>)>) -> PageText {
        let mut text = self.html(id);
        for (name, value) in values {
            text = self.with_value(text, name, value);
        }
        PageText(text.to_string())
    }

    fn with_value<'a>(
        &self,
        text: HtmlMessage<'a>,
        name: &'static str,
        value: Value<'_>,
    ) -> HtmlMessage<'a> {
        match value {
            Value::Number(number) => text.with(name, number::grouped(self.language, number)),
            Value::Credits(credits) => text.with(name, self.credits(credits)),
            Value::Span(span) => text.with(name, self.span(span.duration().as_secs())),
            Value::Time(at) => text.html(name, self.at(&at)),
            Value::Words(words) => text.with(name, listed(words)),
            Value::ApiText(group, part) => text.html(name, self.translated(group, part)),
            Value::Plain(part) => text.with(name, part),
        }
    }

    /// The catalogue's text for a code, which says what happened and what to do; on a page in English
    /// only where the API's own text is for programs.
    fn by_code(&self, code: &Code) -> Option<PageText> {
        let id = format!("error-{}", code.as_str().replace('_', "-"));
        let is_wanted = self.language != Language::English || is_for_programs(code);
        (is_wanted && self.language.has(&id)).then(|| PageText::plain(self.t(&id)))
    }

    /// A text that is in English.
    pub(super) fn in_english(&self, text: &str) -> PageText {
        match self.language {
            Language::English => PageText::plain(text),
            _ => PageText(format!("<span lang=\"en\">{}</span>", escaped(text))),
        }
    }
}

/// Whether what the API says about this code means nothing to people.
fn is_for_programs(code: &Code) -> bool {
    matches!(code, Code::InvalidCursor | Code::MethodNotAllowed | Code::PayloadTooLarge)
}

/// Whether a hint is only for programs: it lists ids, such as `esc_1, msg_2`, or names a state as the API does,
/// such as `input_required`.
fn is_identifiers(hint: &str) -> bool {
    hint.split(", ").all(|word| word.contains('_') && !word.contains(char::is_whitespace))
}

/// Whether a hint is the bare word of a state, such as `released`: the message before it says that state.
fn is_state(code: &Code, hint: &str) -> bool {
    matches!(code, Code::WrongState | Code::RequestClosed)
        && hint.bytes().all(|byte| byte.is_ascii_lowercase())
}

/// What the API says is wrong with a field, without "is required" if it was filled in.
fn of_given<'t>(problem: &FieldProblem<'t>) -> Cow<'t, str> {
    match problem.message.split_once(" is required and must be ") {
        Some((name, rule)) if !problem.is_missing => format!("{name} must be {rule}").into(),
        _ => problem.message.into(),
    }
}

/// Whether nothing was chosen: the API then lists its words, and the page says it in its own.
fn lacks_choice(problem: &FieldProblem<'_>) -> bool {
    let found = || api_text::of_member(&problem.field, problem.message);
    problem.is_missing && found().is_some_and(|found| found.id == "api-rule-words")
}

/// Values to choose from, which the checker of schemas lists as `1, 2 or 3`.
fn listed(words: &str) -> String {
    let ends = |text: &str| text.ends_with(|last: char| last == '"' || last.is_ascii_digit());
    match words.rsplit_once(" or ") {
        Some((first, rest)) if rest.ends_with(" other candidates") => format!("{first}, …"),
        Some((first, rest)) if ends(first) => format!("{first}, {rest}"),
        _ => words.to_owned(),
    }
}

/// A name such as `displayName` in the style of ids: `display-name`.
fn kebab(name: &str) -> String {
    let mut kebab = String::with_capacity(name.len() + 4);
    for letter in name.chars() {
        match letter {
            '.' => kebab.push('-'),
            letter if letter.is_ascii_uppercase() => {
                kebab.push('-');
                kebab.push(letter.to_ascii_lowercase());
            }
            letter => kebab.push(letter),
        }
    }
    kebab
}

#[cfg(test)]
mod tests;
