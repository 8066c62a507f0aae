//! JSON Schemas that bots publish (JSON Schema 2020-12).
//!
//! Schemas are bounded when they are published and checked within a budget, because both schema and
//! value are untrusted, and their sizes multiply. The server checks orders, a buyer checks before
//! spending credits, and a provider before working: all three agree.

use std::fmt;

use jsonschema::error::ValidationErrorKind;
use jsonschema::{PatternOptions, ValidationError, Validator};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::api::services::SCHEMA_BYTES_MAX;

use self::meter::{Budget, Metered, Part, Spent};

mod meter;
mod weigh;

/// Maximum size of a compiled pattern in bytes.
const PATTERN_BYTES_MAX: usize = 64 * 1024;

/// Maximum number of reads of parts of a value in one check, which takes a fraction of a second.
pub const STEPS_MAX: usize = 10_000_000;

/// Maximum number of faults reported for one value.
const FAULTS_MAX: usize = 20;

/// Maximum number of errors created to find these faults. Each branch of a failing `anyOf` creates
/// its own.
const ERRORS_MAX: usize = 1_000;

/// Maximum size of the pointers of these errors in bytes.
const POINTERS_BYTES_MAX: usize = 16 * 1024 * 1024;

/// Maximum length of the message of a fault.
const MESSAGE_LENGTH_MAX: usize = 500;

/// A published schema, ready to check values. Nothing is fetched, and patterns take linear time.
///
/// ```
/// use serde_json::json;
/// use svc_types::schema::Schema;
///
/// let schema = json!({ "type": "object", "required": ["text"] });
/// let schema = Schema::new(schema.as_object().unwrap())?;
/// assert!(schema.faults(&json!({ "text": "a bb" })).is_empty());
/// assert_eq!(schema.faults(&json!({}))[0].pointer, "");
/// # Ok::<(), svc_types::schema::SchemaError>(())
/// ```
pub struct Schema(Validator<Metered>);

impl Schema {
    /// Compiles a schema of up to 64 KiB and bounded cost, or says what is wrong with it.
    pub fn new(schema: &Map<String, Value>) -> Result<Self, SchemaError> {
        let schema = Value::Object(schema.clone());
        if schema.to_string().len() > SCHEMA_BYTES_MAX {
            let problem = format!("must have at most {SCHEMA_BYTES_MAX} bytes of JSON");
            return Err(SchemaError(problem));
        }
        weigh::weigh(&schema).map_err(SchemaError)?;
        compile(&schema).map(Self)
    }

    /// Up to 20 reasons why a value does not match; they do not repeat the value.
    ///
    /// A check takes at most [`STEPS_MAX`] reads of the value and 100 MB of memory. A value that
    /// needs more does not match. If explaining it needs more, there are fewer reasons, but at
    /// least one.
    pub fn faults(&self, value: &Value) -> Vec<Fault> {
        let budget = Budget { steps: STEPS_MAX, errors: 0 };
        let (fits, spent) = meter::run(budget, || self.0.is_valid(Part::of(value)));
        match (spent.is_exhausted, fits) {
            (true, _) => vec![Fault::too_much()],
            (false, true) => Vec::new(),
            (false, false) => self.report(value, STEPS_MAX).0,
        }
    }

    /// The reasons why a value does not match, if the check takes at most `steps` steps; `None` if
    /// it takes more.
    pub fn faults_within(&self, value: &Value, steps: usize) -> Option<Vec<Fault>> {
        let budget = Budget { steps, errors: 0 };
        let (fits, spent) = meter::run(budget, || self.0.is_valid(Part::of(value)));
        if spent.is_exhausted {
            return None;
        }
        if fits {
            return Some(Vec::new());
        }
        let (faults, spent) = self.report(value, steps);
        (!spent.is_exhausted).then_some(faults)
    }

    /// Number of steps that a check of the value takes, up to [`STEPS_MAX`].
    pub fn steps(&self, value: &Value) -> usize {
        let budget = Budget { steps: STEPS_MAX, errors: 0 };
        meter::run(budget, || self.0.is_valid(Part::of(value))).1.steps
    }

    /// The faults of a value that does not match.
    fn report(&self, value: &Value, steps: usize) -> (Vec<Fault>, Spent) {
        let pointer = meter::longest_pointer(value) + 1;
        let errors = (POINTERS_BYTES_MAX / pointer).clamp(1, ERRORS_MAX);
        let check = || self.0.iter_errors(Part::of(value)).collect::<Vec<_>>();
        let (found, spent) = meter::run(Budget { steps, errors }, check);
        let faults: Vec<Fault> = genuine(&found, &spent).map(Fault::of).take(FAULTS_MAX).collect();
        (if faults.is_empty() { vec![Fault::unexplained()] } else { faults }, spent)
    }
}

/// The errors found within the budget. Later ones are not reliable.
///
/// An error is counted before those of its branches, so that its number follows from the sizes of
/// the errors before it.
fn genuine<'a, 'i>(
    found: &'a [ValidationError<'i>],
    spent: &Spent,
) -> impl Iterator<Item = &'a ValidationError<'i>> + use<'a, 'i> {
    let made = if spent.is_exhausted { spent.errors } else { usize::MAX };
    let number = found.iter().scan(0, |before, error| {
        let number = *before + 1;
        *before += size(error);
        Some((number, error))
    });
    number.take_while(move |(number, _)| *number <= made).map(|(_, error)| error)
}

/// The number of errors in an error, including those of its branches.
fn size(error: &ValidationError<'_>) -> usize {
    match error.kind() {
        ValidationErrorKind::AnyOf { context }
        | ValidationErrorKind::OneOfNotValid { context }
        | ValidationErrorKind::OneOfMultipleValid { context } => {
            1 + context.iter().flatten().map(size).sum::<usize>()
        }
        ValidationErrorKind::PropertyNames { error } => 1 + size(error),
        _ => 1,
    }
}

impl fmt::Debug for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Schema")
    }
}

fn compile(schema: &Value) -> Result<Validator<Metered>, SchemaError> {
    let patterns =
        PatternOptions::regex().size_limit(PATTERN_BYTES_MAX).dfa_size_limit(PATTERN_BYTES_MAX);
    jsonschema::options_for::<Metered>()
        .with_draft(jsonschema::Draft::Draft202012)
        .with_pattern_options(patterns)
        .build(schema)
        .map_err(|error| SchemaError(format!("is no JSON Schema: {}", error.masked())))
}

/// Why a value does not match: where, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Fault {
    /// JSON pointer into the value.
    pub pointer: String,
    /// What would be right.
    pub message: String,
}

impl Fault {
    fn of(error: &ValidationError<'_>) -> Self {
        let mut message = error.masked().to_string();
        if let Some((end, _)) = message.char_indices().nth(MESSAGE_LENGTH_MAX) {
            message.truncate(end);
            message.push('…');
        }
        Self { pointer: error.instance_path().to_string(), message }
    }

    /// The value is too large for its schema.
    fn too_much() -> Self {
        let message = format!(
            "takes more than {STEPS_MAX} steps to check against the schema; send less at once"
        );
        Self { pointer: String::new(), message }
    }

    /// The value does not match, for too many reasons to list.
    fn unexplained() -> Self {
        Self { pointer: String::new(), message: "does not fit the schema".to_owned() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.pointer.as_str() {
            "" => f.write_str(&self.message),
            pointer => write!(f, "{pointer}: {}", self.message),
        }
    }
}

/// Why a schema is refused, as the rest of a sentence that begins with the name of the schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaError(String);

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SchemaError {}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn refusal(schema: &Value) -> Option<String> {
        Schema::new(schema.as_object().unwrap()).err().map(|error| error.to_string())
    }

    #[test]
    fn a_schema_may_refer_to_its_own_parts() {
        let schema = json!({
            "type": "object",
            "properties": { "a": { "$ref": "#/$defs/text" }, "b": { "$ref": "#/$defs/text" } },
            "$defs": { "text": { "type": "string" } },
        });
        assert_eq!(refusal(&schema), None);
        assert_eq!(refusal(&json!({})), None);
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

    /// Nested schemas, each with a keyword that depends on what the one inside has evaluated.
    fn unevaluated(levels: usize, word: &str, keyword: &str) -> Value {
        let leaf = json!({ "properties": { "a": { "type": "integer" } } });
        (0..levels).fold(leaf, |inner, _| json!({ word: [inner], keyword: false }))
    }

    #[test]
    fn what_looks_at_what_others_judged_can_not_multiply_the_work() {
        for word in ["allOf", "anyOf", "oneOf"] {
            for keyword in ["unevaluatedProperties", "unevaluatedItems"] {
                // Each level takes about three times as long as the one inside: the deepest that
                // nesting allows would take hours.
                for levels in [8, 14] {
                    let refused = refusal(&unevaluated(levels, word, keyword));
                    assert!(refused.is_some_and(|text| text.contains(keyword)), "{levels} {word}");
                }
                assert_eq!(refusal(&unevaluated(3, word, keyword)), None);
            }
        }
        let mut parts = Map::new();
        parts.insert("l0".to_owned(), json!({ "properties": { "a": {} } }));
        for level in 1..20 {
            let inner = json!({ "$ref": format!("#/$defs/l{}", level - 1) });
            let outer = json!({ "anyOf": [inner], "unevaluatedProperties": false });
            parts.insert(format!("l{level}"), outer);
        }
        let chain = json!({ "$ref": "#/$defs/l19", "$defs": parts });
        assert!(refusal(&chain).is_some_and(|text| text.contains("unevaluatedProperties")));
    }

    #[test]
    fn what_is_left_over_is_refused_by_a_schema_that_says_so() {
        let schema = json!({
            "allOf": [{ "properties": { "text": { "type": "string" } } }],
            "anyOf": [{ "properties": { "deep": { "type": "boolean" } } }, { "required": ["n"] }],
            "unevaluatedProperties": false,
        });
        let schema = Schema::new(schema.as_object().unwrap()).unwrap();
        assert_eq!(schema.faults(&json!({ "text": "a", "deep": true })), []);
        let faults = schema.faults(&json!({ "text": "a", "more": 1 }));
        assert_eq!(faults.len(), 1, "{faults:?}");
    }

    #[test]
    fn a_schema_is_neither_long_nor_deep() {
        let long = json!({ "description": "x".repeat(SCHEMA_BYTES_MAX) });
        assert!(refusal(&long).is_some_and(|text| text.contains("bytes")));
        let deep = (0..40).fold(json!({}), |inner, _| json!({ "not": inner }));
        assert!(refusal(&deep).is_some_and(|text| text.contains("deep")));
    }

    #[test]
    fn patterns_are_few_and_short() {
        let many: Vec<Value> = (0..17).map(|n| json!({ "pattern": format!("^{n}") })).collect();
        assert!(refusal(&json!({ "anyOf": many })).is_some_and(|text| text.contains("patterns")));
        let long = json!({ "patternProperties": { "a".repeat(257): {} } });
        assert!(refusal(&long).is_some_and(|text| text.contains("patterns")));
    }

    #[test]
    fn each_fault_says_where_it_is_and_keeps_the_value_to_itself() {
        let schema = json!({ "properties": { "n": { "type": "integer" } }, "required": ["text"] });
        let found = Schema::new(schema.as_object().unwrap()).unwrap();
        let found = found.faults(&json!({ "n": "a secret" }));
        let mut pointers: Vec<&str> = found.iter().map(|fault| fault.pointer.as_str()).collect();
        pointers.sort_unstable();
        assert_eq!(pointers, ["", "/n"]);
        assert!(found.iter().all(|fault| !fault.to_string().contains("a secret")), "{found:?}");
        assert!(found.iter().any(|fault| fault.to_string().starts_with("/n: ")), "{found:?}");
    }
}
