//! JSON Schemas that bots publish: bounded when they come in, so that checking an input against
//! one takes a bounded time (JSON Schema 2020-12).

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jsonschema::{PatternOptions, Validator};
use serde_json::{Map, Value};
use svc_types::api::services::SCHEMA_BYTES_MAX;
use svc_types::{ServiceId, Timestamp};
use tokio::sync::Semaphore;

use crate::error::{Error, Result};

/// Deepest nesting of a schema.
const DEPTH_MAX: usize = 32;

/// Most objects and arrays of a schema, each counted as often as it is referred to.
const WEIGHT_MAX: usize = 2_000;

/// Most patterns of a schema, and the longest: each becomes a machine of its own.
const PATTERNS_MAX: usize = 16;
const PATTERN_LENGTH_MAX: usize = 256;

/// Bytes of the machine of one pattern.
const PATTERN_BYTES_MAX: usize = 64 * 1024;

/// Most compiled schemas that are kept.
const KEPT_MAX: usize = 100;

/// Schemas of others that are compiled or run at the same time.
const AT_ONCE: usize = 2;

/// Most faults of one input that are told.
const FAULTS_MAX: usize = 20;

/// A schema as it is stored: none when it is empty; 400 when it can't be used.
pub fn accept(field: &str, schema: Option<&Map<String, Value>>) -> Result<Option<String>> {
    let Some(schema) = schema.filter(|schema| !schema.is_empty()) else {
        return Ok(None);
    };
    let schema = Value::Object(schema.clone());
    let text = serde_json::to_string(&schema).map_err(Error::internal)?;
    if text.len() > SCHEMA_BYTES_MAX {
        let message = format!("{field} must have at most {SCHEMA_BYTES_MAX} bytes of JSON");
        return Err(Error::invalid(field, message));
    }
    let mut weigher = Weigher { root: &schema, known: HashMap::new(), patterns: 0 };
    let checked = weigher.weigh(&schema, 0, &mut Vec::new());
    let weight = checked.map_err(|problem| Error::invalid(field, format!("{field} {problem}")))?;
    if weight > WEIGHT_MAX {
        let message = format!("{field} must have at most {WEIGHT_MAX} parts, references followed");
        return Err(Error::invalid(field, message));
    }
    compile(&schema).map_err(|problem| {
        Error::invalid(field, format!("{field} is no JSON Schema: {problem}"))
    })?;
    Ok(Some(text))
}

/// Counts the parts of a schema as often as they can be reached.
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

/// Compiled with patterns that take linear time; nothing is ever fetched.
fn compile(schema: &Value) -> Result<Validator, String> {
    jsonschema::options()
        .with_draft(jsonschema::Draft::Draft202012)
        .with_pattern_options(
            PatternOptions::regex().size_limit(PATTERN_BYTES_MAX).dfa_size_limit(PATTERN_BYTES_MAX),
        )
        .build(schema)
        .map_err(|error| error.masked().to_string())
}

/// Why an input does not fit: where, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// JSON pointer into the input.
    pub pointer: String,
    /// What would be right.
    pub message: String,
}

/// Compiled schemas of services, and the threads that may work on schemas of others.
pub struct Schemas {
    kept: Mutex<HashMap<ServiceId, (Timestamp, Arc<Validator>)>>,
    turns: Semaphore,
}

impl Default for Schemas {
    fn default() -> Self {
        Self { kept: Mutex::default(), turns: Semaphore::new(AT_ONCE) }
    }
}

impl std::fmt::Debug for Schemas {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Schemas")
    }
}

impl Schemas {
    /// Runs work whose length a schema of others decides, on a thread that may take its time.
    pub async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let _turn = self.turns.acquire().await.map_err(Error::internal)?;
        tokio::task::spawn_blocking(work).await.map_err(Error::internal)?
    }

    /// The schema of a service as it was at this instant, compiled at most once.
    pub fn of(
        &self,
        service: &ServiceId,
        updated_at: Timestamp,
        json: &str,
    ) -> Result<Arc<Validator>> {
        if let Some((known, validator)) = self.kept().get(service)
            && *known == updated_at
        {
            return Ok(Arc::clone(validator));
        }
        let schema = serde_json::from_str(json).map_err(Error::internal)?;
        let validator = Arc::new(compile(&schema).map_err(Error::internal)?);
        let mut kept = self.kept();
        if kept.len() >= KEPT_MAX {
            kept.clear();
        }
        kept.insert(service.clone(), (updated_at, Arc::clone(&validator)));
        Ok(validator)
    }

    fn kept(&self) -> MutexGuard<'_, HashMap<ServiceId, (Timestamp, Arc<Validator>)>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Every reason why an input does not fit, up to 20.
pub fn faults(validator: &Validator, input: &Value) -> Vec<Fault> {
    let fault = |error: jsonschema::ValidationError<'_>| Fault {
        pointer: error.instance_path().to_string(),
        message: error.masked().to_string(),
    };
    validator.iter_errors(input).take(FAULTS_MAX).map(fault).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn refusal(schema: &Value) -> Option<String> {
        accept("inputSchema", schema.as_object()).err().map(|error| error.to_string())
    }

    #[test]
    fn a_schema_may_refer_to_its_own_parts() {
        let schema = json!({
            "type": "object",
            "properties": { "a": { "$ref": "#/$defs/text" }, "b": { "$ref": "#/$defs/text" } },
            "$defs": { "text": { "type": "string" } },
        });
        assert_eq!(refusal(&schema), None);
        assert_eq!(accept("inputSchema", json!({}).as_object()).unwrap(), None);
    }

    #[test]
    fn a_schema_that_could_fetch_or_run_for_ever_is_refused() {
        for schema in [
            json!({ "$ref": "http://example.org/schema" }),
            json!({ "$ref": "other.json" }),
            json!({ "$ref": "#" }),
            json!({ "$dynamicRef": "#node" }),
            json!({ "$ref": "#/%24defs/a", "$defs": { "a": {} }, "%24defs": { "a": {} } }),
            json!({ "$defs": { "a": { "$id": "http://example.org/a", "type": "string" } } }),
            json!({ "pattern": "^\\p{L}{60}$" }),
            json!({ "$ref": "#/$defs/missing" }),
            json!({ "$defs": { "a": { "items": { "$ref": "#/$defs/a" } } }, "$ref": "#/$defs/a" }),
            json!({ "type": "no such type" }),
            json!({ "properties": { "a": { "pattern": "(?=look)ahead" } } }),
        ] {
            assert!(refusal(&schema).is_some(), "{schema}");
        }
    }

    #[test]
    fn references_can_not_multiply_the_work() {
        let mut parts = Map::new();
        parts.insert("l0".to_owned(), json!({ "type": "string" }));
        for level in 1..20 {
            let target = format!("#/$defs/l{}", level - 1);
            let twice = json!({ "anyOf": [{ "$ref": target }, { "$ref": target }] });
            parts.insert(format!("l{level}"), twice);
        }
        let schema = json!({ "$ref": "#/$defs/l19", "$defs": parts });
        assert!(refusal(&schema).is_some_and(|text| text.contains("parts")));
    }

    #[test]
    fn patterns_are_few_and_short() {
        let many: Vec<Value> = (0..17).map(|n| json!({ "pattern": format!("^{n}") })).collect();
        assert!(refusal(&json!({ "anyOf": many })).is_some_and(|text| text.contains("patterns")));
        let long = json!({ "patternProperties": { "a".repeat(257): {} } });
        assert!(refusal(&long).is_some_and(|text| text.contains("patterns")));
    }

    #[test]
    fn each_fault_says_where_it_is() {
        let schema = json!({ "properties": { "n": { "type": "integer" } }, "required": ["text"] });
        let found = faults(&compile(&schema).unwrap(), &json!({ "n": "x" }));
        let mut pointers: Vec<&str> = found.iter().map(|fault| fault.pointer.as_str()).collect();
        pointers.sort_unstable();
        assert_eq!(pointers, ["", "/n"]);
    }
}
