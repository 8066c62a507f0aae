//! Morse code, in both directions.

use serde_json::{Map, Value, json};

use super::input::text;
use super::{Fault, Made};

const CODES: [(char, &str); 36] = [
    ('a', ".-"),
    ('b', "-..."),
    ('c', "-.-."),
    ('d', "-.."),
    ('e', "."),
    ('f', "..-."),
    ('g', "--."),
    ('h', "...."),
    ('i', ".."),
    ('j', ".---"),
    ('k', "-.-"),
    ('l', ".-.."),
    ('m', "--"),
    ('n', "-."),
    ('o', "---"),
    ('p', ".--."),
    ('q', "--.-"),
    ('r', ".-."),
    ('s', "..."),
    ('t', "-"),
    ('u', "..-"),
    ('v', "...-"),
    ('w', ".--"),
    ('x', "-..-"),
    ('y', "-.--"),
    ('z', "--.."),
    ('0', "-----"),
    ('1', ".----"),
    ('2', "..---"),
    ('3', "...--"),
    ('4', "....-"),
    ('5', "....."),
    ('6', "-...."),
    ('7', "--..."),
    ('8', "---.."),
    ('9', "----."),
];

pub(super) fn make(input: &Map<String, Value>) -> Made {
    let given = text(input, "text");
    let is_read = text(input, "direction") == "Morse to text";
    let (text, left_out) = if is_read { read(given) } else { written(given) };
    if text.trim_matches(['/', ' ']).is_empty() {
        return Err(Fault::Fails("nothing of the text has a code".to_owned()));
    }
    Ok(json!({ "text": text, "leftOut": left_out }))
}

/// The codes of a text, and how many characters have none.
fn written(text: &str) -> (String, usize) {
    let mut left_out = 0;
    let mut code = |c: char| {
        let found = CODES.iter().find(|(letter, _)| *letter == c).map(|(_, code)| *code);
        left_out += usize::from(found.is_none());
        found
    };
    let text = text.to_lowercase();
    let words = text.split_whitespace();
    let words = words.map(|word| word.chars().filter_map(&mut code).collect::<Vec<_>>().join(" "));
    (words.collect::<Vec<_>>().join(" / "), left_out)
}

/// The text of codes, and how many of them are none.
fn read(codes: &str) -> (String, usize) {
    let mut left_out = 0;
    let mut letter = |code: &str| {
        let found = CODES.iter().find(|(_, known)| *known == code).map(|(letter, _)| *letter);
        left_out += usize::from(found.is_none());
        found
    };
    let words = codes.split('/');
    let words = words.map(|word| word.split_whitespace().filter_map(&mut letter).collect());
    (words.collect::<Vec<String>>().join(" "), left_out)
}

#[cfg(test)]
mod tests {
    use super::super::{fault, made_well as made};
    use super::*;

    #[test]
    fn what_is_written_can_be_read() {
        let code = made(make, &json!({ "text": "Rain at 7!" }));
        assert_eq!(
            (&code["text"], &code["leftOut"]),
            (&json!(".-. .- .. -. / .- - / --..."), &json!(1))
        );
        let back = json!({ "text": code["text"], "direction": "Morse to text" });
        assert_eq!(made(make, &back)["text"], "rain at 7");
    }

    #[test]
    fn a_text_without_codes_fails() {
        assert!(fault(make, &json!({ "text": "雨" })).contains("code"));
    }
}
