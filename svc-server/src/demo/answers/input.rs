//! Members of an order's input, which fits the schema of its service.

use serde_json::{Map, Value};

/// A text; empty if it is absent.
pub(super) fn text<'a>(input: &'a Map<String, Value>, name: &str) -> &'a str {
    input.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// A whole number, or what counts without one.
pub(super) fn number(input: &Map<String, Value>, name: &str, otherwise: usize) -> usize {
    let number = input.get(name).and_then(Value::as_u64);
    number.and_then(|number| usize::try_from(number).ok()).unwrap_or(otherwise)
}

/// A table as CSV.
pub(super) fn csv<const N: usize>(rows: impl IntoIterator<Item = [String; N]>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        // Writing to memory does not fail.
        drop(writer.write_record(&row));
    }
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}

/// The words of a text in lower case.
pub(super) fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’')
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
}

/// The sentences of a text, with their marks.
pub(super) fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut marks = text.char_indices().peekable();
    while let Some((at, c)) = marks.next() {
        let is_last = marks.peek().is_none_or(|(_, next)| next.is_whitespace());
        if matches!(c, '.' | '!' | '?') && is_last {
            let end = at + c.len_utf8();
            found.push(text[start..end].trim());
            start = end;
        }
    }
    found.push(text[start..].trim());
    found.retain(|sentence| !sentence.is_empty());
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_end_with_a_mark_before_a_space() {
        assert_eq!(
            sentences("Version 1.2 is out. Is it? Yes"),
            ["Version 1.2 is out.", "Is it?", "Yes"]
        );
        assert!(sentences(" ").is_empty());
    }

    #[test]
    fn cells_with_commas_are_quoted() {
        assert_eq!(csv([["a,b".to_owned(), "1".to_owned()]]), "\"a,b\",1\n");
    }
}
