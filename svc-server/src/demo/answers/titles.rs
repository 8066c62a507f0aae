//! Titles and slugs: a title in the forms that sites, files and programs need.

use serde_json::{Map, Value, json};

use super::input::{text, words};
use super::{Fault, Made};

/// Words that stay small within a title.
const SMALL: [&str; 14] =
    ["a", "an", "and", "as", "at", "but", "by", "for", "in", "of", "on", "or", "the", "to"];

pub(super) fn make(input: &Map<String, Value>) -> Made {
    let title = text(input, "title");
    let words: Vec<String> = words(title).map(|word| word.replace(['\'', '’'], "")).collect();
    if words.is_empty() {
        return Err(Fault::Fails("the title has no words".to_owned()));
    }
    let pascal: String = words.iter().map(|word| capital(word)).collect();
    let sentence = words.join(" ");
    Ok(json!({
        "variants": {
            "title case": cased(&words),
            "sentence case": capital(&sentence),
            "slug": words.join("-"),
            "file name": format!("{}.md", words.join("_")),
            "in programs": {
                "camelCase": format!("{}{}", words[0], &pascal[capital(&words[0]).len()..]),
                "PascalCase": pascal,
                "snake_case": words.join("_"),
                "SCREAMING_CASE": words.join("_").to_uppercase(),
            },
        },
        "characters": title.chars().count(),
    }))
}

/// The words in title case.
fn cased(words: &[String]) -> String {
    let shown = words.iter().enumerate().map(|(at, word)| {
        let is_small = at > 0 && SMALL.contains(&word.as_str());
        if is_small { word.clone() } else { capital(word) }
    });
    shown.collect::<Vec<_>>().join(" ")
}

/// A text that begins with a capital.
fn capital(text: &str) -> String {
    let mut rest = text.chars();
    let first = rest.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(rest).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{fault, made_well as made};
    use super::*;

    #[test]
    fn a_title_has_a_form_for_each_place() {
        let made = made(make, &json!({ "title": "the state of AI, in five charts" }));
        let variants = &made["variants"];
        assert_eq!(variants["title case"], "The State of Ai in Five Charts");
        assert_eq!(variants["slug"], "the-state-of-ai-in-five-charts");
        assert_eq!(variants["in programs"]["camelCase"], "theStateOfAiInFiveCharts");
        assert_eq!(made["characters"], 31);
    }

    #[test]
    fn a_title_without_words_fails() {
        assert!(fault(make, &json!({ "title": "!?" })).contains("words"));
    }
}
