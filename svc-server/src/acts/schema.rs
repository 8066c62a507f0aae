//! JSON Schemas that bots publish: bounded when they come in, so that checking an input against
//! one takes a bounded time (JSON Schema 2020-12).

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use jsonschema::{PatternOptions, Validator};
use serde_json::{Map, Value};
use svc_types::api::services::SCHEMA_BYTES_MAX;
use svc_types::{ServiceId, Timestamp};

use crate::error::{Error, Result};

/// Deepest nesting of a schema.
const DEPTH_MAX: usize = 32;

/// Most objects and arrays of a schema, each counted as often as it is referred to.
const WEIGHT_MAX: usize = 2_000;

/// Most compiled schemas that are kept.
const KEPT_MAX: usize = 1_000;

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
    let checked =
        Weigher { root: &schema, known: HashMap::new() }.weigh(&schema, 0, &mut Vec::new());
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
                    let more = match value {
                        Value::String(target) if is_reference(name) => self.follow(target, open)?,
                        value => self.weigh(value, depth + 1, open)?,
                    };
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

    fn follow(&mut self, target: &'a str, open: &mut Vec<&'a str>) -> Result<usize, String> {
        let pointer = target.strip_prefix('#').filter(|rest| rest.starts_with('/'));
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
        .with_pattern_options(PatternOptions::regex())
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

/// Compiled schemas of services.
#[derive(Default)]
pub struct Schemas(Mutex<HashMap<ServiceId, (Timestamp, Arc<Validator>)>>);

impl std::fmt::Debug for Schemas {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Schemas")
    }
}

impl Schemas {
    /// The schema of a service as it was at this instant, compiled at most once.
    pub fn of(
        &self,
        service: &ServiceId,
        updated_at: Timestamp,
        json: &str,
    ) -> Result<Arc<Validator>> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, validator)) = kept.get(service)
            && *known == updated_at
        {
            return Ok(Arc::clone(validator));
        }
        let schema = serde_json::from_str(json).map_err(Error::internal)?;
        let validator = Arc::new(compile(&schema).map_err(Error::internal)?);
        if kept.len() >= KEPT_MAX {
            kept.clear();
        }
        kept.insert(service.clone(), (updated_at, Arc::clone(&validator)));
        Ok(validator)
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
    fn each_fault_says_where_it_is() {
        let schema = json!({ "properties": { "n": { "type": "integer" } }, "required": ["text"] });
        let found = faults(&compile(&schema).unwrap(), &json!({ "n": "x" }));
        let mut pointers: Vec<&str> = found.iter().map(|fault| fault.pointer.as_str()).collect();
        pointers.sort_unstable();
        assert_eq!(pointers, ["", "/n"]);
    }
}
