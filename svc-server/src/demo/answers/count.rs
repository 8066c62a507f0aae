//! Count words: how long a text is, and which words it uses most.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::input::{csv, sentences, text, words};
use super::{Fault, Made};

/// Words that a person reads in a minute.
const WORDS_PER_MINUTE: usize = 230;

/// Most words in the table.
const ROWS: usize = 10;

pub(super) fn make(input: &Map<String, Value>) -> Made {
    let text = text(input, "text");
    let count = words(text).count();
    if count == 0 {
        return Err(Fault::Fails("the text has no words".to_owned()));
    }
    Ok(json!({
        "words": count,
        "characters": text.chars().count(),
        "sentences": sentences(text).len(),
        "minutes": count.div_ceil(WORDS_PER_MINUTE),
        "frequent": frequent(text),
    }))
}

/// The words that occur most, as a table.
fn frequent(text: &str) -> String {
    let mut times: HashMap<String, usize> = HashMap::new();
    for word in words(text) {
        *times.entry(word).or_default() += 1;
    }
    let mut times: Vec<(String, usize)> = times.into_iter().collect();
    times.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let head = ["word".to_owned(), "times".to_owned()];
    let rows = times.into_iter().take(ROWS).map(|(word, times)| [word, times.to_string()]);
    csv([head].into_iter().chain(rows))
}

#[cfg(test)]
mod tests {
    use super::super::{fault, made_well as made};
    use super::*;

    #[test]
    fn words_characters_and_sentences_are_counted() {
        let made = made(make, &json!({ "text": "One two. Two more?" }));
        assert_eq!(made["words"], 4);
        assert_eq!(made["characters"], 18);
        assert_eq!(made["sentences"], 2);
        assert_eq!(made["minutes"], 1);
        assert_eq!(made["frequent"], "word,times\ntwo,2\nmore,1\none,1\n");
        assert!(fault(make, &json!({ "text": "…" })).contains("words"));
    }
}
