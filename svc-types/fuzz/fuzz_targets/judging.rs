//! Judging a value by a schema, both out of the same bytes: a schema on the first line, the value on
//! the rest. It ends within its budget of steps; libFuzzer watches the memory (`-rss_limit_mb`).
#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::{Map, Value};
use svc_types::schema::{STEPS_MAX, Schema};

/// Most faults that are reported.
const FAULTS_MAX: usize = 20;

fuzz_target!(|text: &str| {
    let Some((schema, value)) = text.split_once('\n') else { return };
    let Ok(schema) = serde_json::from_str::<Map<String, Value>>(schema) else { return };
    let Ok(value) = serde_json::from_str::<Value>(value) else { return };
    let Ok(schema) = Schema::new(&schema) else { return };
    let faults = schema.faults(&value);
    assert!(faults.len() <= FAULTS_MAX);
    assert!(schema.steps(&value) <= STEPS_MAX);
});
