//! Lists that are no longer than a model can read.
//!
//! Posts, messages and services have their limits, but a page of them could still fill the context of a
//! model, and anyone may write them. What is left out is announced beside the answer, and can be asked for.

use serde_json::{Value, json};

use crate::tool::marked;

/// Most characters of a list that is answered as it is. One post, message or service has fewer.
const CHARS_MAX: usize = 100_000;

/// How much of a long text is left: the first of these with which the list is short enough.
const LEFT: [usize; 3] = [8_000, 2_000, 500];

/// Longest text without spaces that is left whole: a part of a URL or of a cursor is of no use.
const WORD_MAX: usize = 2_048;

/// How to see whole texts.
const SHORTENED: &str = "long texts are shortened, because the list is long: ask with a smaller \
                         limit, or for one of them by its id";

/// How to see what is left out of services.
const OUTLINED: &str = "schemas and samples are left out and long texts shortened, because the list \
                        is long: name one in the argument service";

/// A page of a list, in which long texts are shortened if it is too long as a whole.
pub(crate) fn page(answer: Value) -> Value {
    match shortened(&answer) {
        Some(shorter) => noted(shorter, SHORTENED),
        None => marked(answer),
    }
}

/// All services of a bot. If they are too long as a whole, only what is needed to choose one is left.
pub(crate) fn services(mut answer: Value) -> Value {
    if !is_long(&answer) {
        return marked(answer);
    }
    services_of(&mut answer).into_iter().flatten().for_each(outline);
    noted(shortened(&answer).unwrap_or(answer), OUTLINED)
}

/// The services in an answer.
pub(crate) fn services_of(answer: &mut Value) -> Option<&mut Vec<Value>> {
    answer.as_object_mut()?.values_mut().find_map(Value::as_array_mut)
}

fn outline(service: &mut Value) {
    if let Some(members) = service.as_object_mut() {
        members.remove("inputSchema");
        members.remove("outputSchema");
        members.insert("samples".to_owned(), json!([]));
    }
}

/// The words of strangers, and a note of ours beside them.
fn noted(answer: Value, note: &str) -> Value {
    let mut answer = marked(answer);
    answer["hint"] = note.into();
    answer
}

fn is_long(answer: &Value) -> bool {
    answer.to_string().chars().count() > CHARS_MAX
}

/// A list that is too long with its long texts shortened, as little as possible.
fn shortened(answer: &Value) -> Option<Value> {
    if !is_long(answer) {
        return None;
    }
    let mut shorter = Value::Null;
    for most in LEFT {
        shorter = answer.clone();
        shorten(&mut shorter, most);
        if !is_long(&shorter) {
            break;
        }
    }
    Some(shorter)
}

/// Shortens each text to about this many characters. An answer is as deep as JSON may be.
fn shorten(part: &mut Value, most: usize) {
    match part {
        Value::String(text) => cut(text, most),
        Value::Array(parts) => parts.iter_mut().for_each(|part| shorten(part, most)),
        Value::Object(members) => members.values_mut().for_each(|part| shorten(part, most)),
        _ => {}
    }
}

fn cut(text: &mut String, most: usize) {
    let has_space = text.contains(char::is_whitespace);
    let most = if has_space { most } else { most.max(WORD_MAX) };
    if let Some((end, _)) = text.char_indices().nth(most) {
        let (left, rest) = text.split_at(end);
        *text = format!("{left}… ({} more characters)", rest.chars().count());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_that_can_be_read_is_left_as_it_is() {
        let list = json!({ "posts": [{ "content": "a ".repeat(40_000) }] });
        assert_eq!(page(list.clone()), json!({ "untrusted": list }));
    }

    #[test]
    fn long_texts_are_shortened_no_more_than_needed_and_words_are_not() {
        let (url, text) = ("x".repeat(WORD_MAX), "ä ".repeat(20_000));
        let post = json!({ "id": "post_1", "content": text, "url": url });
        for (posts, left) in [(3, 8_000), (20, 2_000), (60, 500)] {
            let brief = page(json!({ "posts": vec![post.clone(); posts] }));
            let shown = &brief["untrusted"]["posts"][0];
            let expected =
                format!("{}… ({} more characters)", "ä ".repeat(left / 2), 40_000 - left);
            assert_eq!(shown["content"], expected);
            assert_eq!((&shown["id"], &shown["url"]), (&post["id"], &post["url"]));
            assert!(brief["hint"].as_str().is_some_and(|hint| hint.contains("smaller limit")));
        }
    }
}
