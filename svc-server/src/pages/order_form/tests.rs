use serde_json::json;

use super::*;

const EN: Language = Language::English;

fn sheet(schema: &Value) -> Sheet {
    Sheet::of(EN, "input", schema.as_object())
}

fn field(schema: &Value) -> Field {
    let [field] = &sheet(&json!({ "properties": { "one": schema } })).fields[..] else {
        panic!("one field")
    };
    field.clone()
}

#[test]
fn a_plain_type_has_a_field_of_its_own() {
    for (schema, expected) in [
        (
            json!({ "type": "integer", "minimum": 1, "maximum": 9 }),
            "Number { whole: true, min: Some(\"1\"), max: Some(\"9\") }",
        ),
        (json!({ "type": "number" }), "Number { whole: false, min: None, max: None }"),
        (json!({ "type": "boolean" }), "Choice([(\"true\", \"Yes\"), (\"false\", \"No\")])"),
        (json!({ "enum": ["a", 2] }), "Choice([(\"\\\"a\\\"\", \"a\"), (\"2\", \"2\")])"),
        (json!({ "type": "array", "items": { "type": "string" } }), "Lines"),
        (json!({ "type": "array", "items": { "type": "object" } }), "Json"),
        (json!({ "type": "object" }), "Json"),
        (json!({ "enum": [[1]] }), "Json"),
        (json!({}), "Json"),
        (json!(true), "Json"),
    ] {
        assert_eq!(format!("{:?}", field(&schema).kind), expected, "{schema}");
    }
}

#[test]
fn a_short_text_has_a_line_and_a_long_one_more() {
    let lines = |schema: &Value| match field(schema).kind {
        Kind::Text { lines, input, .. } => (lines, input),
        other => panic!("{other:?}"),
    };
    assert_eq!(lines(&json!({ "type": "string" })), (true, "text"));
    assert_eq!(lines(&json!({ "type": ["string", "null"], "maxLength": 40 })), (false, "text"));
    assert_eq!(lines(&json!({ "type": "string", "maxLength": 4000 })), (true, "text"));
    assert_eq!(lines(&json!({ "type": "string", "format": "uri" })), (false, "url"));
}

#[test]
fn what_must_be_given_comes_first_and_references_are_followed() {
    let sheet = sheet(&json!({
        "properties": { "a": { "$ref": "#/$defs/n" }, "b": { "type": "string", "title": "The B" } },
        "required": ["b"], "$defs": { "n": { "type": "integer", "default": 3, "examples": [7] } },
    }));
    let [b, a] = &sheet.fields[..] else { panic!("two fields") };
    assert_eq!((b.label.as_str(), b.required), ("The B", true));
    assert_eq!((a.before.as_str(), a.example.as_str(), a.required), ("3", "7", false));
}

#[test]
fn what_has_no_members_is_typed_as_one_object() {
    let many: Map<String, Value> = (0..=FIELDS_MAX).map(|n| (format!("m{n}"), json!({}))).collect();
    let many = json!({ "properties": many });
    for schema in [json!({}), json!({ "type": "object" }), json!({ "properties": {} }), many] {
        let sheet = sheet(&schema);
        assert!(sheet.is_whole && sheet.fields.len() == 1, "{schema}");
        assert_eq!(sheet.fields[0].name, "input");
    }
    let text = Sheet::of(EN, "input", None);
    assert_eq!((text.is_whole, &*text.fields[0].name), (false, "input.text"));
    assert!(Sheet::of(EN, "input", Some(&Map::new())).is_whole);
}

#[test]
fn an_object_that_is_sent_again_keeps_all_its_members() {
    let schema = json!({
        "properties": { "n": { "type": "integer" }, "s": { "type": ["string", "null"] } },
    });
    let repeating = |values: Value| {
        let values = values.as_object().cloned().unwrap_or_default();
        Sheet::repeating(EN, "input", schema.as_object(), &values)
    };
    let sheet = repeating(json!({ "n": 7, "s": null }));
    let before: Vec<&str> = sheet.fields.iter().map(|field| field.before.as_str()).collect();
    assert_eq!(before, ["7", ""]);

    let values = json!({ "n": 7, "more": [true] });
    let sheet = repeating(values.clone());
    assert!(sheet.is_whole && sheet.fields.len() == 1);
    assert_eq!(serde_json::from_str::<Value>(&sheet.fields[0].before).unwrap(), values);

    let values = Map::from_iter([("text".to_owned(), json!("of a fox"))]);
    assert_eq!(Sheet::repeating(EN, "input", None, &values).fields[0].before, "of a fox");
}
