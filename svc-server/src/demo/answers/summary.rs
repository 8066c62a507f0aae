//! Summary: the sentences of a text whose words it uses most.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::input::{number, sentences, text, words};
use super::{Fault, Made, counted};

/// Shortest words that say what a text is about, in letters.
const LETTERS_MIN: usize = 4;

/// Sentences when the order names no number.
const SENTENCES: usize = 2;

pub(super) fn make(input: &Map<String, Value>) -> Made {
    let text = text(input, "text");
    let sentences = sentences(text);
    let most = number(input, "sentences", SENTENCES);
    if sentences.len() <= most {
        let message = format!(
            "the text has {}: nothing would be left out of a summary of {most}",
            counted(sentences.len(), ["sentence", "sentences"])
        );
        return Err(Fault::Declines(message));
    }
    let chosen = chosen(&sentences, most);
    let lines: Vec<String> = chosen.iter().map(|sentence| format!("- {sentence}")).collect();
    let kept: usize = chosen.iter().map(|sentence| sentence.chars().count()).sum();
    let topics = topics(text).join(", ");
    Ok(json!({
        "summary": format!("{}\n\n**About:** {topics}", lines.join("\n")),
        "keptPercent": kept * 100 / text.chars().count().max(1),
    }))
}

/// How often each long word occurs.
fn times(text: &str) -> HashMap<String, usize> {
    let mut times = HashMap::new();
    for word in words(text).filter(|word| word.chars().count() >= LETTERS_MIN) {
        *times.entry(word).or_default() += 1;
    }
    times
}

/// The sentences with the most frequent words, in the order of the text.
fn chosen<'a>(sentences: &[&'a str], most: usize) -> Vec<&'a str> {
    let times = times(&sentences.join(" "));
    let weight = |sentence: &str| {
        let long: Vec<usize> =
            words(sentence).filter_map(|word| times.get(&word).copied()).collect();
        // By word, so that a long sentence does not win by its length alone.
        long.iter().sum::<usize>() * 100 / (long.len() + 3)
    };
    let mut order: Vec<usize> = (0..sentences.len()).collect();
    order.sort_by_key(|at| (std::cmp::Reverse(weight(sentences[*at])), *at));
    order.truncate(most);
    order.sort_unstable();
    order.into_iter().map(|at| sentences[at]).collect()
}

/// The three longest of the most frequent words.
fn topics(text: &str) -> Vec<String> {
    let mut times: Vec<(String, usize)> = times(text).into_iter().collect();
    times.sort_by(|a, b| (b.1, b.0.len()).cmp(&(a.1, a.0.len())).then_with(|| a.0.cmp(&b.0)));
    times.into_iter().take(3).map(|(word, _)| word).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{fault, made_well as made};
    use super::*;

    const TEXT: &str = "The harbour froze in January. Nobody had seen ice in the harbour before. \
                        Somebody sold tea. The ice held until the harbour master walked on it.";

    #[test]
    fn the_sentences_about_the_frequent_words_stay() {
        let made = made(make, &json!({ "text": TEXT, "sentences": 2 }));
        let summary = made["summary"].as_str().unwrap();
        assert!(summary.contains("- Nobody had seen ice") && !summary.contains("tea"), "{summary}");
        assert!(summary.contains("**About:** harbour"), "{summary}");
        assert!(made["keptPercent"].as_u64().unwrap() < 80, "{made}");
    }

    #[test]
    fn a_short_text_is_declined() {
        assert!(fault(make, &json!({ "text": "One. Two." })).contains("2 sentences"));
    }
}
