//! Rules for free-form JSON: evidence, inputs, payloads.

use std::collections::HashSet;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

use super::decode::Name;
use super::problem::shortened;

/// Maximum nesting of free-form JSON. It is stored inside other JSON and must be readable by every
/// reader; common limits start at about a hundred.
pub const DEPTH_MAX: usize = 32;

/// Refuses free-form JSON that is nested too deeply, contains the character U+0000 or names a member
/// twice; `json` is valid JSON.
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
    // What can't be read is refused by its reader.
    let doubled = serde_json::from_str(json).ok().and_then(|Doubled(name)| name);
    doubled.map_or(Ok(()), |name| Err(twice(&name)))
}

/// The rule of an object with two members of this name: they would let two readers see two values.
pub(super) fn twice(name: &str) -> String {
    format!("must not hold {} twice", shortened(name))
}

/// The name that two members of an object have, at any depth.
struct Doubled(Option<String>);

impl<'de> Deserialize<'de> for Doubled {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Search)
    }
}

/// Looks for it.
struct Search;

impl<'de> Visitor<'de> for Search {
    type Value = Doubled;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Doubled, E> {
        Ok(Doubled(None))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Doubled, E> {
        Ok(Doubled(None))
    }

    fn visit_u64<E>(self, _: u64) -> Result<Doubled, E> {
        Ok(Doubled(None))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Doubled, E> {
        Ok(Doubled(None))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Doubled, E> {
        Ok(Doubled(None))
    }

    fn visit_str<E>(self, _: &str) -> Result<Doubled, E> {
        Ok(Doubled(None))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Doubled, A::Error> {
        let mut found = None;
        while let Some(Doubled(inside)) = elements.next_element::<Doubled>()? {
            found = found.or(inside);
        }
        Ok(Doubled(found))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Doubled, A::Error> {
        let (mut names, mut found) = (HashSet::new(), None);
        while let Some(Name(name)) = members.next_key::<Name<'de>>()? {
            let Doubled(inside) = members.next_value::<Doubled>()?;
            if names.contains(&name) {
                found = found.or_else(|| Some(name.clone().into_owned()));
            }
            found = found.or(inside);
            names.insert(name);
        }
        Ok(Doubled(found))
    }
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
    fn a_name_that_occurs_twice_is_found_at_any_depth() {
        for json in [
            r#"{"n":1,"m":{"n":1},"n":1}"#,
            r#"[{"a":[null,{"n":true,"\u006e":1.5}]}]"#,
            r#"{"a":{"n":"x","n":-1},"b":2}"#,
        ] {
            assert_eq!(check(json), Err("must not hold n twice".to_owned()), "{json}");
        }
        assert_eq!(check(r#"{"n":{"n":[{"n":1},{"n":1}]},"N":1}"#), Ok(()));
    }

    #[test]
    fn the_character_zero_is_found_behind_escapes() {
        assert!(check(r#"{"a":"\u0000"}"#).is_err());
        assert!(check(r#"{"a\\\u0000":1}"#).is_err());
        assert_eq!(check(r#"{"a":"\\u0000 \" ["}"#), Ok(()));
    }
}
