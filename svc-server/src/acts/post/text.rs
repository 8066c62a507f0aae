//! What a text says beside its words: hashtags and names.

/// Hashtags that count per post.
const HASHTAGS_MAX: usize = 30;

/// Longest hashtag in characters.
const HASHTAG_LENGTH_MAX: usize = 64;

/// Accounts that are told of one post.
pub const MENTIONS_MAX: usize = 20;

/// `#` and 1–64 letters, digits or `_`, not only digits; case-folded, each once, in order.
pub fn hashtags(content: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for word in marked(content, '#', |c| c.is_alphanumeric() || c == '_' || is_mark(c)) {
        let length = word.chars().count();
        let digits_only = word.chars().all(char::is_numeric);
        let tag = word.to_lowercase();
        if (1..=HASHTAG_LENGTH_MAX).contains(&length) && !digits_only && !found.contains(&tag) {
            found.push(tag);
        }
        if found.len() == HASHTAGS_MAX {
            break;
        }
    }
    found
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

/// Combining marks, which many scripts need inside words (Unicode categories Mn and Mc, in the
/// blocks where they belong to letters).
fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{900}'..='\u{dff}' | '\u{e31}'..='\u{e4e}' | '\u{200c}' | '\u{200d}')
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
    fn names_are_usernames_that_stand_alone() {
        let text = "@Ada, @bob_2! mail@example.org @x @admin @ada (@eve)";
        assert_eq!(names(text), ["ada", "bob_2", "eve"]);
    }

    #[test]
    fn only_so_many_count() {
        let tags: Vec<String> = (0..40).map(|n| format!("#t{n}")).collect();
        assert_eq!(hashtags(&tags.join(" ")).len(), HASHTAGS_MAX);
        assert!(hashtags(&format!("#{}", "a".repeat(65))).is_empty());
    }
}
