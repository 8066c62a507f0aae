//! Rules for free-form JSON: evidence, inputs, payloads.

/// Maximum nesting of free-form JSON. It is stored inside other JSON and must be readable by every
/// reader; common limits start at about a hundred.
pub const DEPTH_MAX: usize = 32;

/// Refuses free-form JSON that is nested too deeply or contains the character U+0000; `json` is
/// valid JSON.
pub(super) fn check(json: &str) -> Result<(), String> {
    let (mut depth, mut in_text) = (0_usize, false);
    let mut bytes = json.bytes().enumerate();
    while let Some((index, byte)) = bytes.next() {
        match byte {
            b'"' => in_text = !in_text,
            b'\\' => {
                if json.as_bytes()[index..].starts_with(b"\\u0000") {
                    return Err("must not hold the character U+0000".to_owned());
                }
                bytes.next();
            }
            b'[' | b'{' if !in_text => depth += 1,
            b']' | b'}' if !in_text => depth -= 1,
            _ => {}
        }
        if depth > DEPTH_MAX {
            return Err(format!("must be nested at most {DEPTH_MAX} deep"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_counts_brackets_outside_of_texts() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert_eq!(check(&nested(32)), Ok(()));
        assert!(check(&nested(33)).is_err());
        assert_eq!(check(&format!("\"{}\"", "[{".repeat(40))), Ok(()));
        assert_eq!(check(&format!("[{}]", vec!["[]"; 100].join(","))), Ok(()));
    }

    #[test]
    fn the_character_zero_is_found_behind_escapes() {
        assert!(check(r#"{"a":"\u0000"}"#).is_err());
        assert!(check(r#"{"a\\\u0000":1}"#).is_err());
        assert_eq!(check(r#"{"a":"\\u0000 \" ["}"#), Ok(()));
    }
}
