//! Weight of a schema: its parts, counted as often as they can be evaluated.

use std::collections::HashMap;

use serde_json::Value;

/// Maximum nesting of a schema.
const DEPTH_MAX: usize = 32;

/// Maximum number of objects, arrays and booleans, each counted as often as it is evaluated.
const PARTS_MAX: usize = 2_000;

/// Maximum size of the pointers to all parts together, in bytes: each part stores its own.
const POINTERS_BYTES_MAX: usize = 1024 * 1024;

/// Keywords that depend on what adjacent parts have evaluated.
const UNEVALUATED: [&str; 2] = ["unevaluatedProperties", "unevaluatedItems"];

/// How often parts next to such a keyword are evaluated: once for themselves, and at most twice more
/// for the keyword. Nested keywords multiply.
const UNEVALUATED_TIMES: usize = 3;

/// Maximum number of patterns, and maximum length of one: each is compiled separately.
const PATTERNS_MAX: usize = 16;
const PATTERN_LENGTH_MAX: usize = 256;

/// Refuses a schema that is too heavy, has external references, or is cyclic.
pub(super) fn weigh(schema: &Value) -> Result<(), String> {
    let mut weigher = Weigher { root: schema, known: HashMap::new(), patterns: 0 };
    let weight = weigher.weigh(schema, Place::default(), &mut Vec::new())?;
    if weight.parts > PARTS_MAX {
        return Err(format!(
            "must have at most {PARTS_MAX} parts, references followed; parts beside \
             unevaluatedProperties or unevaluatedItems count {UNEVALUATED_TIMES} times"
        ));
    }
    if weight.pointers > POINTERS_BYTES_MAX {
        return Err("must have shorter names: the pointers to its parts are too long".to_owned());
    }
    Ok(())
}

/// Counts of a schema, each part as often as it is evaluated.
#[derive(Clone, Copy, Default)]
struct Weight {
    parts: usize,
    /// Bytes of the pointers to the parts.
    pointers: usize,
}

impl Weight {
    fn plus(self, other: Self) -> Self {
        Self {
            parts: self.parts.saturating_add(other.parts),
            pointers: self.pointers.saturating_add(other.pointers),
        }
    }

    fn times(self, factor: usize) -> Self {
        Self { parts: self.parts.saturating_mul(factor), ..self }
    }
}

/// Position of a part: its depth, and the size of the pointer to it.
#[derive(Clone, Copy, Default)]
struct Place {
    depth: usize,
    pointer: usize,
}

impl Place {
    /// The position of a member or element below.
    fn below(self, name: &str) -> Self {
        Self { depth: self.depth + 1, pointer: self.pointer + 1 + name.len() }
    }
}

/// Counts the parts of a schema.
struct Weigher<'a> {
    root: &'a Value,
    known: HashMap<&'a str, Weight>,
    patterns: usize,
}

impl<'a> Weigher<'a> {
    fn weigh(
        &mut self,
        part: &'a Value,
        place: Place,
        open: &mut Vec<&'a str>,
    ) -> Result<Weight, String> {
        if place.depth > DEPTH_MAX {
            return Err(format!("must be nested at most {DEPTH_MAX} deep"));
        }
        let mut weight = Weight { parts: 1, pointers: place.pointer };
        match part {
            Value::Object(members) => {
                for (name, value) in members {
                    weight = weight.plus(self.weigh_member(name, value, place, open)?);
                }
                if UNEVALUATED.iter().any(|word| members.contains_key(*word)) {
                    weight = weight.times(UNEVALUATED_TIMES);
                }
            }
            Value::Array(values) => {
                for value in values {
                    weight = weight.plus(self.weigh(value, place.below(""), open)?);
                }
            }
            // A branch may be `false`; texts and numbers are no schemas.
            Value::Bool(_) => {}
            _ => return Ok(Weight::default()),
        }
        Ok(weight)
    }

    fn weigh_member(
        &mut self,
        name: &'a str,
        value: &'a Value,
        place: Place,
        open: &mut Vec<&'a str>,
    ) -> Result<Weight, String> {
        let below = place.below(name);
        match (name, value) {
            // It would change what the references below it mean.
            ("$id", Value::String(_)) => Err("must not hold $id".to_owned()),
            (_, Value::String(target)) if is_reference(name) => self.follow(target, open),
            ("pattern", Value::String(pattern)) => {
                self.note_pattern(pattern).map(|()| Weight::default())
            }
            ("patternProperties", Value::Object(patterns)) => {
                patterns.keys().try_for_each(|pattern| self.note_pattern(pattern))?;
                self.weigh(value, below, open)
            }
            _ => self.weigh(value, below, open),
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

    fn follow(&mut self, target: &'a str, open: &mut Vec<&'a str>) -> Result<Weight, String> {
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
        let place = Place { depth: open.len(), pointer: pointer.len() };
        let weight = self.weigh(part, place, open)?;
        open.pop();
        self.known.insert(pointer, weight);
        Ok(weight)
    }
}

fn is_reference(name: &str) -> bool {
    matches!(name, "$ref" | "$dynamicRef" | "$recursiveRef")
}
