//! Highlighting: what the parts of code are, by the grammars of the languages.
//!
//! It takes milliseconds for a block and megabytes for a language, so it is done once for a text, away from
//! requests, and its marks are kept (see `code`).

use std::str::FromStr;
use std::time::Duration;

use syntect::dumps;
use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxReference, SyntaxSet};

use super::code::{BETWEEN_BLOCKS, Class, Language, Parts};
use super::markdown::code_blocks;

/// The grammars of [`LANGUAGES`](super::code::LANGUAGES); `grammars/NOTICE.md` says where they come from.
const GRAMMARS: &[u8] = include_bytes!("../../grammars/grammars.packdump");

/// Blocks of a text that are highlighted; further ones stay plain.
pub const BLOCKS_MAX: usize = 20;

/// Languages of a text that are highlighted, the first ones: the expressions of each are compiled for it, which takes up
/// to half a second.
const LANGUAGES_MAX: usize = 4;

/// Bytes of a block that is highlighted.
const BLOCK_BYTES_MAX: usize = 16 * 1024;

/// Bytes of its longest line: the time is checked after each line, and one of 16 KiB can take a second.
const LINE_BYTES_MAX: usize = 4 * 1024;

/// Time that its thread works for a block.
const TIME_MAX: Duration = Duration::from_millis(200);

/// More time for the blocks of a language together, in which expressions are compiled: half a second for all of
/// TypeScript.
const COMPILING_TIME_MAX: Duration = Duration::from_secs(2);

/// Time for a text; further blocks stay plain.
const TEXT_TIME_MAX: Duration = Duration::from_secs(5);

/// Which scopes of the grammars have a class; the longest beginning counts. A scope without one, as
/// punctuation, has the class of what it stands in, except in those that say `None`.
const SCOPES: &[(&str, Option<Class>)] = &[
    ("comment", Some(Class::Comment)),
    ("constant", Some(Class::Number)),
    ("constant.other.database-name", None),
    ("constant.other.table-name", None),
    ("entity.name", Some(Class::Type)),
    ("entity.name.function", Some(Class::Function)),
    ("entity.name.macro", Some(Class::Function)),
    ("entity.name.tag", Some(Class::Keyword)),
    ("entity.other.attribute-name", Some(Class::Type)),
    ("entity.other.inherited-class", Some(Class::Type)),
    ("keyword", Some(Class::Keyword)),
    ("keyword.operator", None),
    ("keyword.operator.expression", Some(Class::Keyword)),
    ("keyword.operator.logical.python", Some(Class::Keyword)),
    ("keyword.operator.new", Some(Class::Keyword)),
    ("keyword.operator.word", Some(Class::Keyword)),
    ("markup.deleted", Some(Class::Keyword)),
    ("markup.heading", Some(Class::Type)),
    ("markup.inserted", Some(Class::String)),
    ("markup.quote", Some(Class::Comment)),
    ("markup.raw", Some(Class::String)),
    ("markup.underline.link", Some(Class::String)),
    ("meta.annotation", Some(Class::Function)),
    ("meta.diff.header", Some(Class::Type)),
    ("meta.diff.range", Some(Class::Number)),
    ("meta.interpolation", None),
    ("meta.template.expression", None),
    ("source", None),
    ("storage", Some(Class::Keyword)),
    ("string", Some(Class::String)),
    ("support.class", Some(Class::Type)),
    ("support.constant", Some(Class::Number)),
    ("support.function", Some(Class::Function)),
    ("support.macro", Some(Class::Function)),
    ("support.type", Some(Class::Type)),
    ("variable.annotation", Some(Class::Function)),
    ("variable.function", Some(Class::Function)),
    ("variable.language", Some(Class::Keyword)),
];

/// The scope of keys in JSON, which are strings, and would look like those that are values.
const KEY: &str = "meta.mapping.key";

/// Highlights code, and keeps the grammar of one language: its compiled expressions take up to 100 MB.
#[derive(Debug, Default)]
pub struct Highlighter {
    loaded: Option<Loaded>,
}

#[derive(Debug)]
struct Loaded {
    language: &'static Language,
    grammars: Grammars,
    /// What is left for compiling.
    spare: Duration,
}

/// The grammars; the expressions of one are compiled where they are first needed.
#[derive(Debug)]
struct Grammars {
    syntaxes: SyntaxSet,
    classes: Vec<(Scope, Option<Class>)>,
    key: Scope,
}

impl Highlighter {
    /// The marks of the blocks of a text in Markdown; empty if all stay plain.
    pub fn marks_of(&mut self, text: &str, worked: &dyn Fn() -> Duration) -> String {
        let blocks = code_blocks(text, BLOCKS_MAX);
        let until = worked() + TEXT_TIME_MAX;
        let mut marks = vec![String::new(); blocks.len()];
        let languages = languages_of(&blocks);
        let mut by_language: Vec<_> = marks.iter_mut().zip(&blocks).collect();
        by_language.retain(|(_, (language, _))| languages.contains(language));
        by_language.sort_by_key(|(_, (language, _))| language.grammar);
        for (marks, (language, code)) in by_language {
            if worked() > until {
                break;
            }
            *marks = self.marks(language, code, worked).unwrap_or_default();
        }
        let marks = marks.join(&BETWEEN_BLOCKS.to_string());
        marks.trim_end_matches(BETWEEN_BLOCKS).to_owned()
    }

    /// The marks of a block; none if it is too large or takes too long.
    pub fn marks(
        &mut self,
        language: &'static Language,
        code: &str,
        worked: &dyn Fn() -> Duration,
    ) -> Option<String> {
        let is_long = |line: &str| line.len() > LINE_BYTES_MAX;
        if code.len() > BLOCK_BYTES_MAX || code.lines().any(is_long) {
            return None;
        }
        let Loaded { grammars, spare, .. } = self.of(language)?;
        let syntax = grammars.syntaxes.find_syntax_by_name(language.grammar)?;
        let end = worked() + TIME_MAX;
        let parts = grammars.parts(syntax, code, end + *spare, worked);
        *spare = spare.saturating_sub(worked().saturating_sub(end));
        parts.map(|parts| parts.marks())
    }

    fn of(&mut self, language: &'static Language) -> Option<&mut Loaded> {
        if self.loaded.as_ref().is_none_or(|loaded| loaded.language != language) {
            // The other goes before this one comes.
            self.loaded = None;
            let grammars = Grammars::load()?;
            self.loaded = Some(Loaded { language, grammars, spare: COMPILING_TIME_MAX });
        }
        self.loaded.as_mut()
    }
}

/// The languages that are highlighted.
fn languages_of(blocks: &[(&'static Language, String)]) -> Vec<&'static Language> {
    let mut languages = Vec::with_capacity(LANGUAGES_MAX);
    for (language, _) in blocks {
        if languages.len() < LANGUAGES_MAX && !languages.contains(language) {
            languages.push(*language);
        }
    }
    languages
}

impl Grammars {
    fn load() -> Option<Self> {
        let syntaxes = dumps::from_uncompressed_data(GRAMMARS).ok()?;
        let of_scope = |(name, class): &(&str, Option<Class>)| {
            let scope = Scope::from_str(name).ok();
            scope.map(|scope| (scope, *class))
        };
        let classes = SCOPES.iter().map(of_scope).collect::<Option<_>>()?;
        Some(Self { syntaxes, classes, key: Scope::from_str(KEY).ok()? })
    }

    /// The parts of code, unless that takes longer.
    fn parts(
        &self,
        syntax: &SyntaxReference,
        code: &str,
        until: Duration,
        worked: &dyn Fn() -> Duration,
    ) -> Option<Parts> {
        let mut state = ParseState::new(syntax);
        let (mut scopes, mut parts) = (ScopeStack::new(), Parts::default());
        for line in code.split_inclusive('\n') {
            let mut done = 0;
            for (start, change) in state.parse_line(line, &self.syntaxes).ok()? {
                if start > done {
                    parts.push(start - done, self.class(scopes.as_slice()));
                    done = start;
                }
                scopes.apply(&change).ok()?;
            }
            parts.push(line.len().saturating_sub(done), self.class(scopes.as_slice()));
            if worked() > until {
                return None;
            }
        }
        Some(parts)
    }

    /// The class of the innermost scope that has one.
    fn class(&self, scopes: &[Scope]) -> Option<Class> {
        let known = |(place, scope): (usize, &Scope)| Some((place, self.known(*scope)?.1));
        let (place, class) = scopes.iter().enumerate().rev().find_map(known)?;
        let around = scopes[..place].last();
        let is_key = around.is_some_and(|around| self.key.is_prefix_of(*around));
        if is_key && class == Some(Class::String) { Some(Class::Type) } else { class }
    }

    /// What [`SCOPES`] says of a scope.
    fn known(&self, scope: Scope) -> Option<&(Scope, Option<Class>)> {
        let known = self.classes.iter().filter(|(beginning, _)| beginning.is_prefix_of(scope));
        known.max_by_key(|(beginning, _)| beginning.len())
    }
}

#[cfg(test)]
mod grammars;
#[cfg(test)]
mod tests;
