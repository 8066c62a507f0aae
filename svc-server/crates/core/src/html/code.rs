//! Code in Markdown: the language that its fence names, and what its parts are.
//!
//! What parts are is stored as marks, never as HTML: lengths in bytes, each with the letter of its class.
//! `2k1.4f` is a keyword of two bytes, one byte that is nothing, and a name of four. Whatever they say, the
//! writer escapes every character and leaves none out.

use std::fmt;

use super::escape;

/// Between the marks of two blocks.
pub const BETWEEN_BLOCKS: char = ';';

/// What the lines before and after code begin with.
const FENCES: [&str; 2] = ["```", "~~~"];

/// Bytes after a fence in which its language is looked for.
const INFO_BYTES: usize = 32;

/// The letter of what has no class.
const NO_CLASS: char = '.';

/// A language whose code is highlighted.
#[derive(Debug, PartialEq, Eq)]
pub struct Language {
    /// The name of its grammar.
    pub grammar: &'static str,
    /// What fences call it.
    pub words: &'static [&'static str],
}

/// Every language whose code is highlighted.
pub const LANGUAGES: [Language; 16] = [
    Language { grammar: "Bourne Again Shell (bash)", words: &["sh", "bash", "shell", "zsh"] },
    Language { grammar: "C", words: &["c", "h"] },
    Language { grammar: "CSS", words: &["css"] },
    Language { grammar: "Diff", words: &["diff", "patch"] },
    Language { grammar: "Go", words: &["go", "golang"] },
    Language { grammar: "HTML", words: &["html", "htm", "xhtml"] },
    Language { grammar: "Java", words: &["java"] },
    Language { grammar: "JavaScript", words: &["js", "javascript", "mjs", "cjs"] },
    Language { grammar: "JSON", words: &["json", "jsonc"] },
    Language { grammar: "Markdown", words: &["md", "markdown"] },
    Language { grammar: "Python", words: &["py", "python", "python3"] },
    Language { grammar: "Rust", words: &["rs", "rust"] },
    Language { grammar: "SQL", words: &["sql", "postgres", "postgresql", "sqlite"] },
    Language { grammar: "TOML", words: &["toml"] },
    Language { grammar: "TypeScript", words: &["ts", "typescript", "mts", "cts"] },
    Language { grammar: "YAML", words: &["yaml", "yml"] },
];

impl Language {
    /// The one that a fence names by its first word, as in `rust,ignore` or `js {1,3}`.
    pub fn of_fence(info: &str) -> Option<&'static Self> {
        let is_end = |c: char| c.is_whitespace() || c == ',' || c == '{';
        let word = info.trim_start().split(is_end).next().unwrap_or_default();
        let is_called = |called: &str| called.eq_ignore_ascii_case(word);
        LANGUAGES.iter().find(|language| language.words.iter().any(|called| is_called(called)))
    }
}

/// What a part of code is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// A word of the language, or the name of an element.
    Keyword,
    /// A string.
    String,
    /// A number or another constant.
    Number,
    /// A comment.
    Comment,
    /// The name of a function, where it is declared or called.
    Function,
    /// The name of a type, an attribute or a property.
    Type,
}

impl Class {
    /// Every one of them.
    pub const ALL: [Self; 6] =
        [Self::Keyword, Self::String, Self::Number, Self::Comment, Self::Function, Self::Type];

    /// The letter that stands for it in marks, and its class in HTML.
    pub const fn letter(self) -> char {
        match self {
            Self::Keyword => 'k',
            Self::String => 's',
            Self::Number => 'n',
            Self::Comment => 'c',
            Self::Function => 'f',
            Self::Type => 't',
        }
    }
}

/// Parts of code one after the other, as they are found.
#[derive(Debug, Default)]
pub struct Parts(Vec<(usize, Option<Class>)>);

impl Parts {
    /// Adds a part of some bytes.
    pub fn push(&mut self, bytes: usize, class: Option<Class>) {
        match self.0.last_mut() {
            _ if bytes == 0 => {}
            Some((before, same)) if *same == class => *before += bytes,
            _ => self.0.push((bytes, class)),
        }
    }

    /// Their marks. What has no class at the end needs none.
    pub fn marks(&self) -> String {
        let is_known = |(_, class): &(usize, Option<Class>)| class.is_some();
        let end = self.0.iter().rposition(is_known).map_or(0, |last| last + 1);
        let mark = |(bytes, class): &(usize, Option<Class>)| {
            format!("{bytes}{}", class.map_or(NO_CLASS, Class::letter))
        };
        self.0[..end].iter().map(mark).collect()
    }
}

/// Writes the code of a block, which may come in several pieces, by its marks.
#[derive(Debug, Default)]
pub(super) struct Writer<'a> {
    marks: &'a str,
    left: usize,
    class: Option<Class>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(marks: &'a str) -> Self {
        Self { marks, ..Self::default() }
    }

    pub(super) fn write(&mut self, out: &mut String, mut code: &str) -> fmt::Result {
        while !code.is_empty() {
            if self.left == 0 && !self.read() {
                return escape(out, code);
            }
            // Marks of another text may end within a character.
            let end = code.floor_char_boundary(self.left.min(code.len()));
            if end == 0 {
                *self = Self::default();
                continue;
            }
            let (part, rest) = code.split_at(end);
            write_part(out, self.class, part)?;
            self.left -= end;
            code = rest;
        }
        Ok(())
    }

    /// Reads the next mark; false at their end, and where there is something else.
    fn read(&mut self) -> bool {
        let Some(end) = self.marks.find(|c: char| !c.is_ascii_digit()) else { return false };
        let (digits, rest) = self.marks.split_at(end);
        let mut rest = rest.chars();
        let letter = rest.next();
        self.class = Class::ALL.into_iter().find(|class| Some(class.letter()) == letter);
        self.left = digits.parse().unwrap_or(0);
        self.marks = if self.left > 0 { rest.as_str() } else { "" };
        self.left > 0
    }
}

fn write_part(out: &mut String, class: Option<Class>, part: &str) -> fmt::Result {
    let Some(class) = class else { return escape(out, part) };
    out.push_str("<span class=\"");
    out.push(class.letter());
    out.push_str("\">");
    escape(out, part)?;
    out.push_str("</span>");
    Ok(())
}

/// Whether a text may have code to highlight: whether what looks like a fence names a known language. It is
/// asked of every post, so it reads no Markdown.
pub fn may_be_in(text: &str) -> bool {
    // Most texts have no fence at all.
    let has_fence = FENCES.iter().any(|fence| text.contains(fence));
    let mut rest = if has_fence { text } else { "" };
    while let Some(fence) = next_fence(rest) {
        rest = rest[fence..].trim_start_matches(['`', '~']);
        let line = &rest[..rest.floor_char_boundary(INFO_BYTES)];
        if Language::of_fence(line.lines().next().unwrap_or_default()).is_some() {
            return true;
        }
    }
    false
}

/// Where the next fence begins. Both kinds are looked for at once: in a text of thousands of one kind, each search for
/// the other would go to the end of the text.
fn next_fence(text: &str) -> Option<usize> {
    let is_fence = |three: &[u8]| FENCES.iter().any(|fence| fence.as_bytes() == three);
    text.as_bytes().windows(3).position(is_fence)
}

#[cfg(test)]
mod tests;
