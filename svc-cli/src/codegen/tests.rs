use serde_json::{Value, json};

use super::*;

/// What `svc codegen` prints for `tree`.
#[rustfmt::skip]
#[expect(unreachable_pub, reason = "it is for programs of other people")]
mod printed;

/// A bot with one service.
fn offers(name: &str, description: &str, input: &Value, output: &Value) -> Vec<Capability> {
    let offer = json!({
        "id": "srv_1", "name": name, "description": description, "priceCredits": 5,
        "inputSchema": input, "outputSchema": output, "tags": [], "rating": 0, "ratingsCount": 0,
        "ordersDone": 0, "category": "other", "languages": [], "samples": [], "acceptance": "implicit",
    });
    vec![serde_json::from_value(offer).unwrap()]
}

fn tree() -> Vec<Capability> {
    let input = json!({
        "type": "object", "required": ["text", "kind"],
        "properties": {
            "text": { "type": "string", "description": "What is\ncounted. */" },
            "maxLen": { "type": ["integer", "null"] },
            "type": { "type": "boolean" },
            "kind": { "enum": ["plain", "rich text"] },
        },
    });
    let output = json!({
        "type": "object", "required": ["root"],
        "properties": {
            "root": { "$ref": "#/$defs/Node" },
            "by": { "type": "object", "additionalProperties": { "type": "number" } },
            "odd": { "anyOf": [{ "type": "string" }, { "type": "integer" }] },
        },
        "$defs": { "Node": {
            "type": "object", "required": ["children", "next"],
            "properties": {
                "children": { "type": "array", "items": { "$ref": "#/$defs/Node" } },
                "next": { "anyOf": [{ "$ref": "#/$defs/Node" }, { "type": "null" }] },
            },
        } },
    });
    offers("count-words", "Counts\u{2028}words.", &input, &output)
}

#[test]
fn rust_compiles_and_fits_the_schemas() {
    let source = source("wordbot", &tree(), Language::Rust);
    assert_eq!(
        source,
        include_str!("tests/printed.rs"),
        "what is printed is what is compiled here"
    );
    let input = json!({ "text": "a bb", "kind": "rich text", "type": true });
    let read: printed::CountWordsInput = serde_json::from_value(input.clone()).unwrap();
    assert_eq!(read.kind, printed::CountWordsInputKind::RichText);
    assert_eq!((read.type_, read.max_len), (Some(true), None));
    assert_eq!(serde_json::to_value(&read).unwrap(), input);
    let leaf = json!({ "children": [], "next": null });
    let output = json!({ "root": { "children": [leaf], "next": leaf }, "by": { "a": 0.5 } });
    let read: printed::CountWordsOutput = serde_json::from_value(output.clone()).unwrap();
    assert_eq!(read.root.next.as_deref(), read.root.children.first());
    assert_eq!(serde_json::to_value(&read).unwrap(), output);
    assert_eq!(printed::COUNT_WORDS, "wordbot/count-words");
}

#[test]
fn typescript_has_interfaces_and_unions() {
    let source = source("wordbot", &tree(), Language::Ts);
    for part in [
        "export const COUNT_WORDS = \"wordbot/count-words\";\n",
        "  /**\n   * What is\n   * counted. * /\n   */\n  \"text\": string;\n",
        "  \"maxLen\"?: number | null;\n",
        "export type CountWordsInputKind = \"plain\" | \"rich text\";\n",
        "  \"children\": Array<Node>;\n  \"next\": Node | null;\n",
        "  \"by\"?: Record<string, number>;\n  \"odd\"?: unknown;\n",
    ] {
        assert!(source.contains(part), "{part}\n\n{source}");
    }
}

#[test]
fn python_has_typed_dictionaries() {
    let source = source("wordbot", &tree(), Language::Python);
    for part in [
        "COUNT_WORDS = \"wordbot/count-words\"\n",
        "        # counted. */\n        \"text\": str,\n",
        "        \"maxLen\": NotRequired[int | None],\n",
        "CountWordsInputKind = Literal[\"plain\", \"rich text\"]\n",
        "        \"children\": list[\"Node\"],\n        \"next\": \"Node | None\",\n",
        "        \"by\": NotRequired[dict[str, float]],\n",
    ] {
        assert!(source.contains(part), "{part}\n\n{source}");
    }
}

#[test]
fn texts_from_other_accounts_stay_in_comments_and_quotes() {
    let evil = "x\"\r\nfn evil() {}\u{85}*/ evil()\n- ```\n~~~~\n-     evil()\u{202e}";
    let schema = json!({
        "type": "object", "description": evil, "properties": { evil: { "const": evil } },
    });
    for language in [Language::Rust, Language::Ts, Language::Python] {
        let source = source("wordbot", &offers(evil, evil, &schema, &json!({})), language);
        for line in source.lines().map(str::trim).filter(|line| line.contains("evil")) {
            assert!(!line.starts_with("fn") && !line.starts_with("*/"), "{line}");
            let is_comment = line.starts_with('*') || line.starts_with("/*");
            assert!(!is_comment || !line.trim_end_matches("*/").contains("*/"), "{line}");
        }
        let rustdoc: String =
            source.lines().filter(|line| line.trim().starts_with("///")).collect();
        for part in ["```", "~~~", "-  ", "\u{202e}"] {
            assert!(!rustdoc.contains(part), "{part}: {rustdoc}");
        }
    }
}

#[test]
fn a_schema_without_an_object_is_a_json_value() {
    let offers = offers("9 lives", "", &json!({}), &json!({ "$ref": "elsewhere" }));
    let source = source("wordbot", &offers, Language::Rust);
    for part in [
        "pub const S9_LIVES:",
        "pub type T9livesInput = serde_json::Value;",
        "pub type T9livesOutput = serde_json::Value;",
    ] {
        assert!(source.contains(part), "{source}");
    }
}

#[test]
fn names_are_no_keywords_and_only_objects_contain_themselves() {
    let schema = json!({
        "type": "object",
        "properties": {
            "self": { "enum": ["self", "Self", "none"] },
            "list": { "$ref": "#/$defs/none" },
            "loop": { "$ref": "#/$defs/loop" },
        },
        "$defs": {
            "none": { "type": "array", "items": { "$ref": "#/$defs/none" } },
            "loop": { "$ref": "#/$defs/loop" },
        },
    });
    let offers = offers("loop", "", &schema, &json!({}));
    let rust = source("wordbot", &offers, Language::Rust);
    for part in [
        "pub const LOOP: &str",
        "    pub self_: Option<LoopInputSelf>,\n",
        "    Self2,\n    #[serde(rename = \"Self\")]\n    Self3,\n",
        "pub type None2 = Vec<serde_json::Value>;\n",
        "pub type Loop = serde_json::Value;\n",
    ] {
        assert!(rust.contains(part), "{part}\n\n{rust}");
    }
    assert!(source("wordbot", &offers, Language::Python).contains("\nNone2 = list[Any]\n"));
}
