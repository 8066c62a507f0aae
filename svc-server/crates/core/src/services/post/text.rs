//! What a text says beside its words: hashtags and names; and whether it says anything.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::html::is_invisible;

/// Hashtags that count per post.
const HASHTAGS_MAX: usize = 30;

/// Longest hashtag in characters.
const HASHTAG_LENGTH_MAX: usize = 64;

/// Most accounts that one post notifies.
pub const MENTIONS_MAX: usize = 20;

/// Whether a text shows nothing: white space and invisible characters, such as the empty pattern of
/// Braille.
pub fn is_blank(content: &str) -> bool {
    let shows_nothing =
        |c: char| c.is_whitespace() || c.is_control() || c == '\u{2800}' || is_invisible(c);
    content.chars().all(shows_nothing)
}

/// `#` and 1–64 letters, digits or `_`, not only digits; folded, each once, in order.
pub fn hashtags(content: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for word in marked(content, '#', is_of_hashtag) {
        match hashtag(word) {
            Some(tag) if !found.contains(&tag) => found.push(tag),
            _ => {}
        }
        if found.len() == HASHTAGS_MAX {
            break;
        }
    }
    found
}

/// A hashtag as it is stored, without a leading `#`, if this is one.
pub fn hashtag(typed: &str) -> Option<String> {
    let word = typed.strip_prefix('#').unwrap_or(typed);
    let begins = word.starts_with(|first: char| first.is_alphanumeric() || first == '_');
    let is_word = begins && word.chars().all(is_of_hashtag);
    let tag = is_word.then(|| folded(word))?;
    let fits = (1..=HASHTAG_LENGTH_MAX).contains(&tag.chars().count());
    (fits && !tag.chars().all(char::is_numeric)).then_some(tag)
}

/// The prefix of a hashtag in typed text, without characters that no hashtag has.
pub fn hashtag_beginning(typed: &str) -> String {
    folded(typed)
}

/// One form for texts that look alike: compatible characters (NFKC), lower case, no joiners. The
/// Turkish capital İ, whose lower case is an i with a second dot, is an i.
fn folded(word: &str) -> String {
    // Most words are ASCII, where only capitals change. Normalizing is much slower.
    if word.is_ascii() {
        return word
            .chars()
            .filter(|c| is_of_hashtag(*c))
            .map(|c| c.to_ascii_lowercase())
            .collect();
    }
    let lower = word.nfkc().collect::<String>().to_lowercase().replace("i\u{307}", "i");
    lower.nfkc().filter(|c| is_of_hashtag(*c) && !is_joiner(*c)).collect()
}

/// Whether a character may stand in a hashtag: letters and their marks, digits, `_`, and the
/// invisible joiners that some scripts need inside words.
pub fn is_of_hashtag(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || is_joiner(c) || is_mark(c)
}

/// Zero-width non-joiner and joiner.
pub const fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}')
}

/// Combining marks, but those of emoji: variation selectors, and frames such as that of keycaps.
pub fn is_mark(c: char) -> bool {
    let is_of_emoji =
        matches!(c, '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' | '\u{20d0}'..='\u{20f0}');
    is_combining_mark(c) && !is_of_emoji
}

/// Names behind `@`, in lower case, each once, in order.
pub fn names(content: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for word in marked(content, '@', |c| c.is_ascii_alphanumeric() || c == '_') {
        let name = word.to_ascii_lowercase();
        if svc_types::Username::is_valid(&name) && !found.contains(&name) {
            found.push(name);
        }
        if found.len() == MENTIONS_MAX {
            break;
        }
    }
    found
}

/// The words that follow `mark`, where the mark does not itself follow a word.
fn marked(
    content: &str,
    mark: char,
    belongs: impl Fn(char) -> bool + Copy,
) -> impl Iterator<Item = &str> {
    content.match_indices(mark).filter_map(move |(start, _)| {
        let before = content[..start].chars().next_back();
        if before.is_some_and(|c| belongs(c) || c == mark || c == '/' || c == '&') {
            return None;
        }
        let rest = &content[start + mark.len_utf8()..];
        let end = rest.find(|c| !belongs(c)).unwrap_or(rest.len());
        Some(&rest[..end])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashtags_are_folded_and_stand_once() {
        let text = "#Rust #rust (#Größe) a#no #1984 #a1 ##double #日本語 https://x.y/#part #";
        assert_eq!(hashtags(text), ["rust", "größe", "a1", "日本語"]);
    }

    #[test]
    fn a_hashtag_is_the_same_however_it_was_typed() {
        for (typed, tag) in [
            ("#Caf\u{e9}", "café"),
            ("#cafe\u{301}", "café"),
            ("ＲＵＳＴ", "rust"),
            ("#İstanbul", "istanbul"),
            ("#I\u{307}stanbul", "istanbul"),
            ("ISTANBUL", "istanbul"),
            ("#می\u{200c}روم", "میروم"),
            ("#हिन्दी", "हिन्दी"),
            ("#ภาษาไทย", "ภาษาไทย"),
            ("#שָׁלוֹם", "שָׁלוֹם"),
            ("#ｶﾞ", "ガ"),
            ("#ΟΔΟΣ", "οδος"),
            ("#snake_Case", "snake_case"),
        ] {
            let tag: String = tag.nfkc().collect();
            assert_eq!(hashtag(typed), Some(tag), "{typed}");
        }
    }

    #[test]
    fn what_is_no_hashtag_is_none() {
        let long = "a".repeat(65);
        for typed in [
            "",
            "#",
            "12",
            "٣٤",
            "a b",
            "a-b",
            "\u{301}a",
            "\u{200d}",
            "😀",
            "#\u{fe0f}\u{20e3}",
            "##a",
            &long,
        ] {
            assert_eq!(hashtag(typed), None, "{typed}");
        }
        assert_eq!(
            hashtags("1\u{fe0f}\u{20e3} #\u{fe0f}\u{20e3} #हिन्दी। #a\u{202e}b"),
            ["हिन्दी", "a"]
        );
        assert_eq!(hashtag(&"e\u{301}".repeat(64)).unwrap().chars().count(), 64);
        assert_eq!(hashtag_beginning("#Machine Lear"), "machinelear");
    }

    #[test]
    fn names_are_usernames_that_stand_alone() {
        let text = "@Ada, @bob_2! mail@example.org @x @admin @ada (@eve)";
        assert_eq!(names(text), ["ada", "bob_2", "eve"]);
    }

    #[test]
    fn a_blank_text_shows_nothing() {
        for blank in
            [" ", "\n\t\r", "\u{a0}\u{3000}", "\u{200b}\u{feff}", "\u{2800}", "\u{1}\u{202e}"]
        {
            assert!(is_blank(blank), "{blank:?}");
        }
        for text in
            [".", "\n\u{200b}a", "\u{301}", "\u{1f469}\u{200d}\u{1f680}", "\u{fffd}", "\u{e000}"]
        {
            assert!(!is_blank(text), "{text:?}");
        }
    }

    #[test]
    fn hashtags_and_mentions_beyond_the_limits_do_not_count() {
        let tags: Vec<String> = (0..40).map(|n| format!("#t{n}")).collect();
        assert_eq!(hashtags(&tags.join(" ")).len(), HASHTAGS_MAX);
        let named: Vec<String> = (0..30).map(|n| format!("@name_{n}")).collect();
        assert_eq!(names(&named.join(" ")).len(), MENTIONS_MAX);
        assert!(hashtags(&format!("#{}", "a".repeat(65))).is_empty());
    }
}
