//! JSON Schemas (2020-12) of a handler's types.
//!
//! Subschemas are inlined, because many clients mishandle members that are only a `$ref`.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value};
use svc_types::schema::Schema as Checker;

/// The schema of an input.
pub(super) fn of_input<T: JsonSchema>() -> Schema {
    settings().for_deserialize().into_generator().into_root_schema_for::<T>()
}

/// The schema of an output.
pub(super) fn of_output<T: JsonSchema>() -> Schema {
    settings().for_serialize().into_generator().into_root_schema_for::<T>()
}

fn settings() -> SchemaSettings {
    SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    })
}

/// A published schema with its validator.
#[derive(Debug)]
pub(crate) struct Validator {
    pub(crate) published: Map<String, Value>,
    pub(crate) checker: Checker,
}

impl Validator {
    /// Fails for schemas that the platform would refuse. The error completes the sentence "the input of
    /// the service count …".
    pub(super) fn new(schema: Schema) -> Result<Self, String> {
        let Value::Object(published) = Value::from(schema) else {
            return Err("must be a struct: its schema is empty".to_owned());
        };
        if published.get("type").and_then(Value::as_str) != Some("object") {
            return Err("must be a struct: its schema does not describe an object".to_owned());
        }
        let checker = Checker::new(&published).map_err(|error| error.to_string())?;
        Ok(Self { published, checker })
    }
}

#[cfg(test)]
mod tests {
    use serde::{Deserialize, Serialize};
    use serde_json::json;

    use super::*;

    /// What is asked.
    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    struct Ask {
        /// The text.
        #[schemars(length(min = 1, max = 9))]
        text: String,
        how: Option<How>,
        parts: Vec<Part>,
        #[serde(default)]
        again: bool,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    enum How {
        Fast,
        Well,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    struct Part {
        page: u32,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    struct Endless {
        next: Option<Box<Endless>>,
    }

    fn input() -> Validator {
        Validator::new(of_input::<Ask>()).unwrap()
    }

    fn pointers(value: &Value) -> Vec<String> {
        let mut found: Vec<String> =
            input().checker.faults(value).into_iter().map(|fault| fault.pointer).collect();
        found.sort_unstable();
        found
    }

    #[test]
    fn subschemas_are_inlined() {
        let schema = Value::Object(input().published);
        assert!(!schema.to_string().contains("$ref"), "{schema}");
        assert_eq!(schema["description"], "What is asked.");
        let text = json!({
            "description": "The text.", "type": "string", "minLength": 1, "maxLength": 9
        });
        assert_eq!(schema["properties"]["text"], text);
        assert_eq!(schema["additionalProperties"], false);
        assert_eq!(schema["properties"]["parts"]["items"]["required"], json!(["page"]));
    }

    #[test]
    fn faults_are_found_in_subschemas_too() {
        let right = json!({ "text": "a", "how": "fast", "parts": [{ "page": 1 }] });
        assert!(pointers(&right).is_empty());
        assert!(pointers(&json!({ "text": "a", "parts": [], "how": null })).is_empty());
        let wrong = json!({ "text": "", "how": "slow", "parts": [{}, { "page": -1 }], "x": 1 });
        assert_eq!(pointers(&wrong), ["", "/how", "/parts/0", "/parts/1/page", "/text"]);
    }

    #[test]
    fn optional_members_are_required_only_in_outputs() {
        let required =
            |schema: Schema| Validator::new(schema).unwrap().published["required"].clone();
        assert_eq!(required(of_input::<Ask>()), json!(["text", "parts"]));
        assert!(required(of_output::<Ask>()).as_array().unwrap().contains(&json!("again")));
    }

    #[test]
    fn schemas_that_are_recursive_or_not_an_object_are_refused() {
        assert!(Validator::new(of_input::<Vec<Ask>>()).unwrap_err().contains("struct"));
        assert!(Validator::new(of_input::<Value>()).unwrap_err().contains("struct"));
        assert!(Validator::new(of_input::<Endless>()).unwrap_err().contains("refer"));
    }
}
