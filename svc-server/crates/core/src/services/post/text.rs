//! What a text says beside its words: hashtags and names; and whether it says anything.
//!
//! What is a name or a hashtag here is a link in [`crate::html`], and the other way round.

use std::borrow::Cow;
use std::iter;

use svc_types::api::posts::PostFormat;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::html::{self, address, is_invisible};

/// Hashtags that count per post.
const HASHTAGS_MAX: usize = 30;

/// Longest hashtag in characters.
const HASHTAG_LENGTH_MAX: usize = 64;

/// Most accounts that one post notifies.
pub const MENTIONS_MAX: usize = 20;

/// Characters of a post that a quote of it and a notification about it contain.
pub const EXCERPT_LENGTH: usize = 280;

/// Such an excerpt as it is shown. One that is as long as it may be was probably cut: it ends between words and
/// says so, and no link in it is a part of one.
pub fn excerpt_shown(content: &str) -> Cow<'_, str> {
    if content.chars().count() != EXCERPT_LENGTH {
        return Cow::Borrowed(content);
    }
    Cow::Owned(format!("{}…", cut_between_words(content)))
}

/// The beginning of a text that is cut somewhere: it ends between words. Where there are no spaces, as in Chinese, what
/// may be a part of a URL or a name is left out, since its link would lead elsewhere. At most half of the text is left
/// out.
pub fn cut_between_words(text: &str) -> &str {
    let is_late = |end: &usize| *end > text.len() / 2;
    let of_link = |c: char| c.is_ascii_graphic() || is_of_hashtag(c) && !is_unspaced(c);
    let link = text.trim_end_matches(of_link).len();
    let space = text.rfind(char::is_whitespace).filter(is_late);
    let end = space.or_else(|| Some(link).filter(is_late)).unwrap_or(text.len());
    text[..end].trim_end()
}

/// Whether a text shows nothing: white space and invisible characters, such as the empty pattern of
/// Braille.
pub fn is_blank(content: &str) -> bool {
    let shows_nothing =
        |c: char| c.is_whitespace() || c.is_control() || c == '\u{2800}' || is_invisible(c);
    content.chars().all(shows_nothing)
}

/// What a text shows besides code, which names nobody and has no hashtags: `@Override` and `#include` are neither. What
/// emphasizes is no part of a name: `_@ada_` names ada.
pub fn without_code<'a>(content: &'a str, format: &PostFormat) -> Cow<'a, str> {
    match format {
        PostFormat::Plain => Cow::Borrowed(content),
        _ => html::without_code(content),
    }
}

/// Whether [`without_code`] may say something else. It is asked of every post, so it reads no Markdown.
pub fn may_have_markup(content: &str, format: &PostFormat) -> bool {
    *format != PostFormat::Plain && html::may_have_markup(content)
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

/// The stored hashtags of a text, each once, in order. Those that only its Markdown shows, as in `_#tag_`, come last.
pub fn hashtags_among(content: &str, stored: &[String]) -> Vec<String> {
    let mut found: Vec<String> = Vec::with_capacity(stored.len());
    for word in marked(content, '#', is_of_hashtag) {
        if found.len() == stored.len() {
            break;
        }
        match hashtag(word) {
            Some(tag) if stored.contains(&tag) && !found.contains(&tag) => found.push(tag),
            _ => {}
        }
    }
    let mut others: Vec<String> =
        stored.iter().filter(|tag| !found.contains(tag)).cloned().collect();
    others.sort();
    found.extend(others);
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
/// Turkish capital İ, whose lower case is an i with a second dot, is an i. `ß` and `ς` stay, because
/// lists show this form: `größe`, not `grösse`. A search for words finds `ss` and `ß` alike.
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

/// Scripts that put no spaces between words: Thai, Lao, Burmese, Khmer, Japanese, Chinese.
pub const fn is_unspaced(c: char) -> bool {
    matches!(
        c,
        '\u{e00}'..='\u{eff}'
            | '\u{1000}'..='\u{109f}'
            | '\u{1780}'..='\u{17ff}'
            | '\u{3005}'..='\u{3007}'
            | '\u{3040}'..='\u{30ff}'
            | '\u{31f0}'..='\u{31ff}'
            | '\u{3400}'..='\u{4dbf}'
            | '\u{4e00}'..='\u{9fff}'
            | '\u{f900}'..='\u{faff}'
            | '\u{20000}'..='\u{323af}'
    )
}

/// Whether what begins with `first` goes on the word before it, and is no hashtag, name or URL. Names and
/// URLs may follow a word of a script without spaces.
pub fn follows_word(before: Option<char>, first: char) -> bool {
    let is_open = |c: char| first != '#' && is_unspaced(c);
    let goes_on = |c: char| is_of_hashtag(c) && !is_open(c) || "@#/&".contains(c);
    before.is_some_and(goes_on)
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

/// The words that follow `mark`, where the mark neither goes on a word nor stands in a URL.
fn marked(
    content: &str,
    mark: char,
    belongs: impl Fn(char) -> bool + Copy,
) -> impl Iterator<Item = &str> {
    let mut before = None;
    // Most texts have no mark at all.
    let mut rest = if content.contains(mark) { content } else { "" };
    iter::from_fn(move || {
        while let Some(found) = rest.find(['h', 'H', mark]) {
            before = rest[..found].chars().next_back().or(before);
            let here = &rest[found..];
            let (word, taken) = begun(here, before, mark, belongs);
            before = here[..taken].chars().next_back();
            rest = &here[taken..];
            if word.is_some() {
                return word;
            }
        }
        None
    })
}

/// The word of a mark with which a text begins, if it does, and how many bytes are read then.
fn begun(
    text: &str,
    before: Option<char>,
    mark: char,
    belongs: impl Fn(char) -> bool,
) -> (Option<&str>, usize) {
    let first = text.chars().next().unwrap_or(mark);
    if follows_word(before, first) {
        return (None, first.len_utf8());
    }
    if first != mark {
        return (None, address(text).map_or(first.len_utf8(), str::len));
    }
    let rest = &text[first.len_utf8()..];
    let (word, after) = rest.split_at(rest.find(|c| !belongs(c)).unwrap_or(rest.len()));
    let is_here = mark != '@' || !is_elsewhere(after);
    (is_here.then_some(word), first.len_utf8() + word.len())
}

/// Whether what stands behind a name makes it the address of an account elsewhere: `@ada@social.example`.
pub fn is_elsewhere(after: &str) -> bool {
    let Some(host) = after.strip_prefix('@') else { return false };
    let end = host.find(|c: char| !c.is_alphanumeric() && !".-".contains(c));
    let host = host[..end.unwrap_or(host.len())].trim_end_matches(['.', '-']);
    host.starts_with(char::is_alphanumeric) && host.contains('.')
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
            ("#STRAẞE", "straße"),
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
    fn what_stands_in_a_word_or_a_url_is_no_name_and_no_hashtag() {
        let text = "https://a.example/?to=@ada&of=#tag josé@eve.example jose\u{301}@eve é#tag @#tag \
                    #@bob http@no https://a.example/ @dan #real";
        assert_eq!(names(text), ["dan"]);
        assert_eq!(hashtags(text), ["real"]);
    }

    #[test]
    fn a_name_may_follow_a_script_without_spaces() {
        assert_eq!(names("感谢@ada ขอบคุณที่@bob ありがとう@cyd감사@dan"), ["ada", "bob", "cyd"]);
        assert!(hashtags("感谢#tag").is_empty());
    }

    #[test]
    fn stored_hashtags_stand_in_the_order_of_the_text() {
        let stored = ["b".to_owned(), "a".to_owned()];
        assert_eq!(hashtags_among("#c #A #b #a", &stored), ["a", "b"]);
        assert_eq!(hashtags_among("_#a_ #b", &stored), ["b", "a"]);
        assert_eq!(hashtags_among("#a", &[]), [""; 0]);
    }

    #[test]
    fn the_address_of_an_account_elsewhere_names_nobody_here() {
        let text = "@ada@social.example @bob@social.example. (@cyd@s.example) @dan@eve @fay@s.";
        assert_eq!(names(text), ["dan", "fay"]);
        assert_eq!(hashtags("#ada@social.example"), ["ada"]);
    }

    #[test]
    fn an_excerpt_that_may_be_cut_ends_between_words() {
        let cut = |text: &str| text.chars().take(EXCERPT_LENGTH).collect::<String>();
        let words = cut(&"wörd ".repeat(100));
        assert_eq!(excerpt_shown(&words), format!("{}…", "wörd ".repeat(56).trim_end()));
        let link = cut(&format!("{}https://a.example/path", "a".repeat(270) + " "));
        assert_eq!(excerpt_shown(&link), format!("{}…", "a".repeat(270)));
        let unspaced_link = cut(&format!("{}https://a.example/path", "語".repeat(270)));
        assert_eq!(excerpt_shown(&unspaced_link), format!("{}…", "語".repeat(270)));
        let unspaced_name = cut(&format!("{}@ada_lovelace", "語".repeat(275)));
        assert_eq!(excerpt_shown(&unspaced_name), format!("{}…", "語".repeat(275)));
        let unspaced = cut(&"語".repeat(300));
        assert_eq!(excerpt_shown(&unspaced), format!("{unspaced}…"));
        let short = "a ".repeat(100);
        assert_eq!(excerpt_shown(&short), short);
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
