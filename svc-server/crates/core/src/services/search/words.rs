//! Texts cut into words, in the same way when they are indexed and when they are asked for.
//!
//! Both engines have parsers of their own, which differ; so none of theirs is used.

use std::collections::BTreeSet;

use unicode_normalization::UnicodeNormalization;

use crate::services::post::text::{is_joiner, is_mark, is_unspaced};

/// Longest word in characters; longer ones are cut.
const WORD_MAX: usize = 64;

/// A word, or a character of a script that puts no spaces between words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::services) struct Unit {
    /// The text, folded.
    pub(in crate::services) text: String,
    /// Whether it is a character that follows such a one directly or begins such a row.
    pub(in crate::services) is_single: bool,
    /// Whether it follows the unit before it without anything between them.
    pub(in crate::services) is_joined: bool,
}

/// One form for words that match each other: compatible characters, case, accents.
fn folded(text: &str) -> String {
    let lower = text.nfkc().collect::<String>().to_lowercase();
    let plain = lower.nfd().filter(|c| !is_left_out(*c));
    let mut folded = String::with_capacity(lower.len());
    for c in plain {
        match c {
            'ß' => folded.push_str("ss"),
            'ς' => folded.push('σ'),
            'ı' => folded.push('i'),
            c => folded.push(c),
        }
    }
    folded.nfc().collect()
}

/// Accents of Latin, Greek and Cyrillic letters, points of Hebrew and Arabic ones, the Arabic line
/// between letters, joiners, and soft hyphens: texts are written with and without them.
const fn is_left_out(c: char) -> bool {
    is_joiner(c)
        || matches!(
            c,
            '\u{300}'..='\u{36f}'
                | '\u{591}'..='\u{5bd}'
                | '\u{5bf}'
                | '\u{5c1}'..='\u{5c2}'
                | '\u{5c4}'..='\u{5c5}'
                | '\u{5c7}'
                | '\u{610}'..='\u{61a}'
                | '\u{640}'
                | '\u{64b}'..='\u{65f}'
                | '\u{670}'
                | '\u{ad}'
        )
}

/// The word with plain letters in place of Latin ones that do not decompose, such as `ł`; none without these.
///
/// The words of queries keep theirs: by them everything is found that was indexed, however long ago.
pub(super) fn plain(word: &str) -> Option<String> {
    let mut plain = String::with_capacity(word.len());
    for c in word.chars() {
        match plain_letters(c) {
            Some(letters) => plain.push_str(letters),
            None => plain.push(c),
        }
    }
    cut(&mut plain);
    (plain != word).then_some(plain)
}

/// How a folded letter is written where it is missing on the keyboard.
const fn plain_letters(c: char) -> Option<&'static str> {
    Some(match c {
        'ł' => "l",
        'ø' => "o",
        'đ' | 'ð' => "d",
        'ħ' => "h",
        'ŧ' => "t",
        'þ' => "th",
        'æ' => "ae",
        'œ' => "oe",
        _ => return None,
    })
}

/// Cuts a word that is too long.
fn cut(word: &mut String) {
    if let Some((end, _)) = word.char_indices().nth(WORD_MAX) {
        word.truncate(end);
    }
}

/// The units of a text, in order.
pub(in crate::services) fn units(text: &str) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::new();
    // Whether the character before belongs to the last unit's word or row.
    let mut goes_on = false;
    for c in folded(text).chars() {
        if !(c.is_alphanumeric() || is_mark(c)) {
            goes_on = false;
            continue;
        }
        let is_single = is_unspaced(c);
        match units.last_mut() {
            Some(last) if goes_on && !is_single && !last.is_single => last.text.push(c),
            _ => units.push(Unit { text: c.to_string(), is_single, is_joined: goes_on }),
        }
        goes_on = true;
    }
    for unit in &mut units {
        cut(&mut unit.text);
    }
    units
}

/// Two characters that follow each other in a script without spaces: nearly a word.
pub(in crate::services) fn pairs(units: &[Unit]) -> impl Iterator<Item = String> {
    units.windows(2).filter_map(|two| {
        let [one, other] = two else { return None };
        let is_pair = one.is_single && other.is_single && other.is_joined;
        is_pair.then(|| format!("{}{}", one.text, other.text))
    })
}

/// What a text is found by, each once.
pub(in crate::services) fn words(text: &str) -> BTreeSet<String> {
    let units = units(text);
    let pairs: Vec<String> = pairs(&units).collect();
    units.into_iter().map(|unit| unit.text).chain(pairs).collect()
}

/// What a text is found by in a search: its words, and those of plain letters.
pub(super) fn found_by(text: &str) -> BTreeSet<String> {
    let mut found_by = words(text);
    let plain: Vec<String> = found_by.iter().filter_map(|word| plain(word)).collect();
    found_by.extend(plain);
    found_by
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn cut(text: &str) -> Vec<String> {
        units(text).into_iter().map(|unit| unit.text).collect()
    }

    #[test]
    fn words_are_folded() {
        for (text, words) in [
            ("Crème-brûlée, ＡＢＣ!", vec!["creme", "brulee", "abc"]),
            ("cre\u{300}me", vec!["creme"]),
            ("STRASSE Straße", vec!["strasse", "strasse"]),
            ("İSTANBUL ısparta Isparta", vec!["istanbul", "isparta", "isparta"]),
            ("ΟΔΟΣ οδός", vec!["οδοσ", "οδοσ"]),
            ("snake_case #tag @ada it's", vec!["snake", "case", "tag", "ada", "it", "s"]),
            ("مُحَمَّد محمد", vec!["محمد", "محمد"]),
            ("שָׁלוֹם", vec!["שלום"]),
            ("हिन्दी।", vec!["हिन्दी"]),
            ("한국어 \u{1112}\u{1161}\u{11ab}", vec!["한국어", "한"]),
            ("👩\u{200d}💻 co\u{ad}op می\u{200c}روم", vec!["coop", "میروم"]),
            ("日本語 AI", vec!["日", "本", "語", "ai"]),
            ("", vec![]),
        ] {
            assert_eq!(cut(text), words, "{text}");
        }
        assert_eq!(cut(&"a".repeat(100)), ["a".repeat(WORD_MAX)]);
    }

    #[test]
    fn words_are_found_by_plain_letters_too() {
        let found: Vec<String> = found_by("Łódź, København").into_iter().collect();
        assert_eq!(found, ["kobenhavn", "københavn", "lodz", "łodz"]);
        let long = plain(&"æ".repeat(WORD_MAX)).unwrap();
        assert_eq!(long, "ae".repeat(WORD_MAX / 2));
        assert_eq!(plain("cafe"), None);
    }

    #[test]
    fn scripts_without_spaces_are_found_by_characters_and_pairs() {
        let words: Vec<String> = words("日本 語A本").into_iter().collect();
        assert_eq!(words, ["a", "日", "日本", "本", "語"]);
    }

    proptest! {
        #[test]
        fn a_word_holds_nothing_an_engine_would_read(text in ".{0,60}") {
            for word in words(&text) {
                prop_assert!(!word.is_empty() && word.chars().count() <= WORD_MAX);
                let is_plain = |c: char| c.is_alphanumeric() || is_mark(c);
                prop_assert!(word.chars().all(is_plain), "{word:?}");
            }
        }
    }
}
