//! Schemas as agents see them.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};
use svc_types::published;

/// The schema of what a tool is given, without references, which many clients can't follow.
pub(crate) fn schema<T: JsonSchema>() -> Map<String, Value> {
    let mut generator = SchemaSettings::draft2020_12()
        .with(|settings| settings.inline_subschemas = true)
        .into_generator();
    let mut schema = T::json_schema(&mut generator);
    schema.insert("type".to_owned(), "object".into());
    // The tool has a name and a description of its own.
    schema.remove("title");
    schema.remove("description");
    let mut schema = schema.as_object().cloned().unwrap_or_default();
    schema.values_mut().for_each(publish);
    schema
}

/// Leaves out of descriptions what is for readers of the code. A schema is as deep as its type.
fn publish(part: &mut Value) {
    match part {
        Value::Object(members) => {
            if let Some(Value::String(text)) = members.get_mut("description") {
                *text = published(text);
            }
            members.values_mut().for_each(publish);
        }
        Value::Array(parts) => parts.iter_mut().for_each(publish),
        _ => {}
    }
}
