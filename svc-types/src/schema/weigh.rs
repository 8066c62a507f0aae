//! Weighing a schema: its parts are counted as often as they can be judged.

use std::collections::HashMap;

use serde_json::Value;

/// Deepest nesting of a schema.
const DEPTH_MAX: usize = 32;

/// Most objects and arrays of a schema, each counted as often as it is judged.
const WEIGHT_MAX: usize = 2_000;

/// Keywords that look at what the parts beside them have judged.
const UNEVALUATED: [&str; 2] = ["unevaluatedProperties", "unevaluatedItems"];

/// How often parts beside such a keyword are judged: once for themselves, and at most twice more to
/// see what they judged. One inside another multiplies.
const UNEVALUATED_TIMES: usize = 3;

/// Most patterns of a schema, and the longest: each becomes a machine of its own.
const PATTERNS_MAX: usize = 16;
const PATTERN_LENGTH_MAX: usize = 256;

/// Refuses a schema that is too heavy, reaches outside, or turns in a circle.
pub(super) fn weigh(schema: &Value) -> Result<(), String> {
    let mut weigher = Weigher { root: schema, known: HashMap::new(), patterns: 0 };
    if weigher.weigh(schema, 0, &mut Vec::new())? > WEIGHT_MAX {
        return Err(format!(
            "must have at most {WEIGHT_MAX} parts, references followed; parts beside \
             unevaluatedProperties or unevaluatedItems count {UNEVALUATED_TIMES} times"
        ));
    }
    Ok(())
}

/// Counts the parts of a schema.
struct Weigher<'a> {
    root: &'a Value,
    known: HashMap<&'a str, usize>,
    patterns: usize,
}

impl<'a> Weigher<'a> {
    fn weigh(
        &mut self,
        part: &'a Value,
        depth: usize,
        open: &mut Vec<&'a str>,
    ) -> Result<usize, String> {
        if depth > DEPTH_MAX {
            return Err(format!("must be nested at most {DEPTH_MAX} deep"));
        }
        let mut weight: usize = 1;
        match part {
            Value::Object(members) => {
                for (name, value) in members {
                    let more = self.weigh_member(name, value, depth, open)?;
                    weight = weight.saturating_add(more);
                }
                if UNEVALUATED.iter().any(|word| members.contains_key(*word)) {
                    weight = weight.saturating_mul(UNEVALUATED_TIMES);
                }
            }
            Value::Array(values) => {
                for value in values {
                    weight = weight.saturating_add(self.weigh(value, depth + 1, open)?);
                }
            }
            _ => return Ok(0),
        }
        Ok(weight)
    }

    fn weigh_member(
        &mut self,
        name: &str,
        value: &'a Value,
        depth: usize,
        open: &mut Vec<&'a str>,
    ) -> Result<usize, String> {
        match (name, value) {
            // It would change what the references below it mean.
            ("$id", Value::String(_)) => Err("must not hold $id".to_owned()),
            (_, Value::String(target)) if is_reference(name) => self.follow(target, open),
            ("pattern", Value::String(pattern)) => self.note_pattern(pattern).map(|()| 0),
            ("patternProperties", Value::Object(patterns)) => {
                patterns.keys().try_for_each(|pattern| self.note_pattern(pattern))?;
                self.weigh(value, depth + 1, open)
            }
            _ => self.weigh(value, depth + 1, open),
        }
    }

    fn note_pattern(&mut self, pattern: &str) -> Result<(), String> {
        self.patterns += 1;
        if self.patterns > PATTERNS_MAX || pattern.len() > PATTERN_LENGTH_MAX {
            let rule = format!("{PATTERNS_MAX} patterns of {PATTERN_LENGTH_MAX} bytes");
            return Err(format!("must have at most {rule}"));
        }
        Ok(())
    }

    fn follow(&mut self, target: &'a str, open: &mut Vec<&'a str>) -> Result<usize, String> {
        let pointer = target.strip_prefix('#').filter(|rest| rest.starts_with('/'));
        // What is escaped could be read in two ways.
        let pointer = pointer.filter(|rest| !rest.contains('%'));
        let Some(pointer) = pointer else {
            return Err("must refer only to its own parts, such as #/$defs/name".to_owned());
        };
        if open.contains(&pointer) {
            return Err("must not refer to itself".to_owned());
        }
        if let Some(weight) = self.known.get(pointer) {
            return Ok(*weight);
        }
        let part = self.root.pointer(pointer).ok_or_else(|| format!("has no part {target}"))?;
        open.push(pointer);
        let weight = self.weigh(part, open.len(), open)?;
        open.pop();
        self.known.insert(pointer, weight);
        Ok(weight)
    }
}

fn is_reference(name: &str) -> bool {
    matches!(name, "$ref" | "$dynamicRef" | "$recursiveRef")
}
