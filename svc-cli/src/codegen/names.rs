//! Names in programs for names that others chose.

use std::collections::HashSet;

use crate::output::plain;

/// The words of a name: `max-lenUTF8 x` has max, len, utf8 and x. Only ASCII letters and digits count.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut before = ' ';
    for char in name.chars() {
        if char.is_ascii_alphanumeric() {
            let is_hump = char.is_ascii_uppercase() && before.is_ascii_lowercase();
            match words.last_mut() {
                Some(word) if before.is_ascii_alphanumeric() && !is_hump => {
                    word.push(char.to_ascii_lowercase());
                }
                _ => words.push(char.to_ascii_lowercase().to_string()),
            }
        }
        before = char;
    }
    words
}

/// A name of a type: `MaxLen`.
pub(super) fn pascal(name: &str) -> String {
    let capital = |word: String| word[..1].to_ascii_uppercase() + &word[1..];
    named(words(name).into_iter().map(capital).collect(), "T")
}

/// A name of a field: `max_len`.
pub(super) fn snake(name: &str) -> String {
    named(words(name).join("_"), "f")
}

/// A name of a constant: `MAX_LEN`.
pub(super) fn screaming(name: &str) -> String {
    named(words(name).join("_").to_ascii_uppercase(), "S")
}

/// A name must not be empty or begin with a digit.
fn named(name: String, prefix: &str) -> String {
    match name.bytes().next() {
        Some(first) if !first.is_ascii_digit() => name,
        _ => format!("{prefix}{name}"),
    }
}

/// A name like this that was not used before.
pub(super) fn unused(name: &str, used: &mut HashSet<String>) -> String {
    let mut unused = name.to_owned();
    let mut number = 2;
    while !used.insert(unused.clone()) {
        unused = format!("{name}{number}");
        number += 1;
    }
    unused
}

/// The lines of a text by others, for comments: words with spaces between them.
pub(super) fn lines(text: &str) -> impl Iterator<Item = String> {
    // Line ends that editors and compilers know besides the usual ones.
    let breaks = |char: char| {
        matches!(char, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}')
    };
    let words = |line: &str| line.split_whitespace().map(plain).collect::<Vec<_>>().join(" ");
    text.split(breaks).map(words).filter(|line| !line.is_empty()).collect::<Vec<_>>().into_iter()
}
