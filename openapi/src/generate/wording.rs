//! From doc comments and Rust names to the words of the document.

use svc_types::published;

/// The first line of a doc comment without its full stop, and the rest.
pub(crate) fn summary_and_details(doc: &str) -> (String, String) {
    let doc = published(doc);
    let (summary, details) = doc.split_once('\n').unwrap_or((&doc, ""));
    (summary.trim_end_matches('.').to_owned(), details.trim().to_owned())
}

/// `SendMessage` as `sendMessage`.
pub(crate) fn camel_case(name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().map(|letter| letter.to_ascii_lowercase());
    first.into_iter().chain(letters).collect()
}

/// `SendMessage` and `sendMessage` as `send-message`.
pub(crate) fn kebab_case(name: &str) -> String {
    let mut kebab = String::with_capacity(name.len() + 4);
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !kebab.is_empty() {
            kebab.push('-');
        }
        kebab.push(letter.to_ascii_lowercase());
    }
    kebab
}

/// The longest command that stays on one line.
const COMMAND_MAX: usize = 88;

/// The parts of a shell command on one line, or each on its own.
pub(crate) fn wrapped_command(parts: &[String]) -> String {
    let line = parts.join(" ");
    if line.len() <= COMMAND_MAX { line } else { parts.join(" \\\n  ") }
}

/// `direct_message` as `DirectMessage`.
pub(crate) fn pascal_case(name: &str) -> String {
    let words = name.split('_').map(|word| {
        let (first, rest) = word.split_at(1);
        first.to_ascii_uppercase() + rest
    });
    words.collect()
}

/// `x-webhook-id` as `X-Webhook-Id`; the names of Standard Webhooks stay in lower case.
pub(crate) fn header_case(name: &str) -> String {
    if !name.starts_with("x-") {
        return name.to_owned();
    }
    let words = name.split('-').map(pascal_case);
    words.collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_doc_comment_is_a_summary_and_details() {
        let doc =
            " Publish a post (spec §8, §9).\n\n Takes the slot (spec §8): one.\n Else waits.\n";
        let (summary, details) = summary_and_details(doc);
        assert_eq!(summary, "Publish a post");
        assert_eq!(details, "Takes the slot: one.\nElse waits.");
    }
}
