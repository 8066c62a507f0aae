//! The file of grammars: made of those of two-face, and compared with them.
//!
//! Grammars refer to each other by numbers, so a part of them needs other numbers. syntect shows none, hence
//! the types here, which are stored as those of syntect are.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use syntect::dumps;
use syntect::parsing::{ClearAmount, Regex, Scope};

use super::*;
use crate::html::code::LANGUAGES;

/// What grammars of [`LANGUAGES`] need beside themselves.
const PARTS: [&str; 5] = [
    "Plain Text",
    "Javadoc",
    "Regular Expressions (Javascript)",
    "Regular Expressions (Python)",
    "commands-builtin-shell-bash",
];

/// What JavaScript's grammar excludes from the operators that follow an expression: as two-face has it, and
/// with comments. Without them, `x /* a */` makes two contexts replace each other forever (syntect, issue 460).
const NO_OPERATORS: [&str; 2] = [r"(?! \+\+ | -- )", r"(?! \+\+ | -- | // | /\* )"];

#[derive(PartialEq, Serialize, Deserialize)]
struct Set {
    syntaxes: Vec<Syntax>,
    paths: Vec<(String, usize)>,
}

#[derive(PartialEq, Serialize, Deserialize)]
struct Syntax {
    name: String,
    file_extensions: Vec<String>,
    scope: Scope,
    first_line_match: Option<String>,
    hidden: bool,
    variables: BTreeMap<String, String>,
    /// [`Contexts`], compressed.
    contexts: Vec<u8>,
}

#[derive(PartialEq, Serialize, Deserialize)]
struct Contexts {
    ids: BTreeMap<String, Id>,
    contexts: Vec<Context>,
}

#[derive(Clone, Copy, PartialEq, Serialize, Deserialize)]
struct Id {
    syntax: usize,
    context: usize,
}

#[derive(PartialEq, Serialize, Deserialize)]
struct Context {
    meta_scope: Vec<Scope>,
    meta_content_scope: Vec<Scope>,
    meta_include_prototype: bool,
    clear_scopes: Option<ClearAmount>,
    prototype: Option<Id>,
    uses_backrefs: bool,
    patterns: Vec<Pattern>,
}

#[derive(PartialEq, Serialize, Deserialize)]
enum Pattern {
    Match(Match),
    Include(Reference),
}

#[derive(PartialEq, Serialize, Deserialize)]
struct Match {
    has_captures: bool,
    regex: String,
    scope: Vec<Scope>,
    captures: Option<Vec<(usize, Vec<Scope>)>>,
    operation: Operation,
    with_prototype: Option<Reference>,
}

#[derive(PartialEq, Serialize, Deserialize)]
enum Operation {
    Push(Vec<Reference>),
    Set(Vec<Reference>),
    Pop,
    None,
}

#[derive(PartialEq, Serialize, Deserialize)]
enum Reference {
    Named(String),
    ByScope { scope: Scope, sub_context: Option<String>, with_escape: bool },
    File { name: String, sub_context: Option<String>, with_escape: bool },
    Inline(String),
    Direct(Id),
}

impl Context {
    /// Every reference to a context.
    fn ids(&mut self) -> Vec<&mut Id> {
        let mut references = Vec::new();
        for pattern in &mut self.patterns {
            match pattern {
                Pattern::Include(reference) => references.push(reference),
                Pattern::Match(found) => {
                    if let Operation::Push(to) | Operation::Set(to) = &mut found.operation {
                        references.extend(to);
                    }
                    references.extend(&mut found.with_prototype);
                }
            }
        }
        let direct = references.into_iter().filter_map(|reference| match reference {
            Reference::Direct(id) => Some(id),
            _ => None,
        });
        direct.chain(&mut self.prototype).collect()
    }

    /// Keeps comments from being parsed as operators.
    fn exclude_comments(&mut self) {
        let [before, after] = NO_OPERATORS;
        for pattern in &mut self.patterns {
            if let Pattern::Match(found) = pattern {
                found.regex = found.regex.replace(before, after);
            }
        }
    }

    /// Its expressions, with a word for what an expression before them has matched.
    fn expressions(&self) -> impl Iterator<Item = String> {
        self.patterns.iter().filter_map(|pattern| match pattern {
            Pattern::Match(found) if found.has_captures => {
                let with_word =
                    |text: String, number: char| text.replace(&format!("\\{number}"), "word");
                Some(('1'..='9').fold(found.regex.clone(), with_word))
            }
            Pattern::Match(found) => Some(found.regex.clone()),
            Pattern::Include(_) => None,
        })
    }
}

fn read<T: DeserializeOwned>(file: &[u8]) -> T {
    dumps::from_uncompressed_data(file).unwrap()
}

fn bytes_of(set: &impl Serialize) -> Vec<u8> {
    let file = tempfile::NamedTempFile::new().unwrap();
    dumps::dump_to_uncompressed_file(set, file.path()).unwrap();
    std::fs::read(file.path()).unwrap()
}

/// A grammar with its contexts, which are compressed in their own way by each version of a library.
type Whole = (Syntax, Contexts);

fn wholes(set: Set) -> Vec<Whole> {
    let whole = |mut syntax: Syntax| {
        let contexts = dumps::from_binary(&std::mem::take(&mut syntax.contexts));
        (syntax, contexts)
    };
    set.syntaxes.into_iter().map(whole).collect()
}

/// The grammars of two-face that are kept, without the endless loop, referring to each other or to plain text.
fn made() -> Vec<Whole> {
    let all = wholes(read(&bytes_of(&two_face::syntax::extra_newlines())));
    let is_kept = |(syntax, _): &Whole| {
        let is_part = PARTS.contains(&&*syntax.name);
        is_part || LANGUAGES.iter().any(|language| language.grammar == syntax.name)
    };
    let numbers: Vec<usize> = (0..all.len()).filter(|number| is_kept(&all[*number])).collect();
    let number = |before: usize| numbers.iter().position(|kept| *kept == before);
    let plain = &all.iter().find(|(syntax, _)| syntax.name == "Plain Text").unwrap().1;
    let plain = Id { syntax: number(plain.ids["main"].syntax).unwrap(), ..plain.ids["main"] };
    let renumber = |id: &mut Id| {
        *id = number(id.syntax).map_or(plain, |syntax| Id { syntax, ..*id });
    };
    let mut kept: Vec<Whole> = all.into_iter().filter(is_kept).collect();
    for (_, contexts) in &mut kept {
        contexts.ids.values_mut().for_each(renumber);
        contexts.contexts.iter_mut().flat_map(Context::ids).for_each(renumber);
        contexts.contexts.iter_mut().for_each(Context::exclude_comments);
    }
    kept
}

#[test]
fn the_file_of_grammars_is_current() {
    let made = made();
    if std::env::var_os("SVC_UPDATE_GRAMMARS").is_some() {
        let packed = |(syntax, contexts): Whole| Syntax {
            contexts: dumps::dump_binary(&contexts),
            ..syntax
        };
        let syntaxes = made.into_iter().map(packed).collect();
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/grammars/grammars.packdump");
        std::fs::write(file, bytes_of(&Set { syntaxes, paths: Vec::new() })).unwrap();
        return;
    }
    assert!(
        made == wholes(read(GRAMMARS)),
        "grammars/NOTICE.md says how the file is written again"
    );
}

#[test]
fn the_file_holds_the_languages_and_what_they_need() {
    let grammars = Grammars::load().unwrap();
    let mut names: Vec<&str> =
        grammars.syntaxes.syntaxes().iter().map(|syntax| &*syntax.name).collect();
    names.sort_unstable();
    let mut expected = [&LANGUAGES.map(|language| language.grammar)[..], &PARTS].concat();
    expected.sort_unstable();
    assert_eq!(names, expected);
}

/// syntect compiles them when they are first needed, and panics at one that is none.
#[test]
fn every_expression_of_the_grammars_compiles() {
    for (syntax, contexts) in wholes(read(GRAMMARS)) {
        for expression in contexts.contexts.iter().flat_map(Context::expressions) {
            let problem = Regex::try_compile(&expression);
            assert!(problem.is_none(), "{}: {problem:?}: {expression}", syntax.name);
        }
    }
}
