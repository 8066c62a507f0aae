use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Value as Json, json};
use svc_types::samples::{self, SampleVisitor};
use svc_types::{Endpoint, wire};

use super::*;

fn values<'t>(group: &str, text: &'t str) -> Vec<(&'static str, Value<'t>)> {
    of(group, text).unwrap_or_else(|| panic!("no text for {text}")).values
}

#[test]
fn a_text_is_found_with_its_values() {
    let [least, most] = [("least", Value::Number("3")), ("most", Value::Number("64"))];
    assert_eq!(values("rule", "3 to 64 characters"), [least, most]);
    assert_eq!(values("error", "the service costs 1 credit"), [("credits", Value::Credits("1"))]);
    let pair = values("error", "expiresIn must be from 1h to 90d");
    let [from, to] = [3_600, 90 * 86_400].map(|seconds| Value::Span(Span::from_secs(seconds)));
    assert_eq!(pair, [("from", from), ("to", to)]);
    let fault = "value is shorter than 3 characters";
    let text = format!("the input does not fit the service: {fault}");
    assert_eq!(values("error", &text), [("fault", Value::ApiText("fault", fault))]);
    let amount = of("error", "the amount of the escrow is 5 credits").unwrap();
    assert_eq!(amount.id, "api-error-escrow-amount");
    assert_eq!(of("error", "the escrow is funded").unwrap().id, "api-error-escrow-state");
}

#[test]
fn a_page_in_english_groups_the_numbers_that_a_text_has_for_its_variables() {
    let shown = |group, text| in_english(group, text).into_owned();
    let price = shown("error", "the service costs 1240.5 credits");
    assert_eq!(price, "the service costs 1,240.5 credits");
    let input = "the input does not fit the service: value is less than the minimum of 5000";
    let expected = "the input does not fit the service: value is less than the minimum of 5,000";
    assert_eq!(shown("error", input), expected);
    let rule = of_member_in_english("content", "content must be 1 to 40000 characters");
    assert_eq!(rule, "content must be 1 to 40,000 characters");
    for (group, text) in [
        ("error", "there are 1000 moons"),
        ("error", "expiresIn must be from 1h to 90d"),
        // What somebody wrote stays as it is.
        ("notice-moderation", "your post was hidden: it offers 1000 credits"),
    ] {
        assert_eq!(shown(group, text), text);
    }
}

#[test]
fn a_text_that_does_not_fit_is_not_found() {
    for text in ["", "3 to many characters", "3 to 64 characters or so", " to 64 characters"] {
        assert_eq!(of("rule", text), None, "{text}");
    }
    assert_eq!(of("error", "the escrow is for another seller"), None, "a state is one word");
    assert_eq!(of("error", "3 to 64 characters"), None, "each group has its own texts");
    assert_eq!(of("none", "the service costs 1 credit"), None);
}

#[test]
fn what_is_wrong_with_a_member_is_its_rule_or_a_sentence() {
    let id = |member, message| of_member(member, message).map(|text| text.id);
    let length = Some("api-rule-length");
    assert_eq!(id("country", "country must be 2 characters"), Some("api-rule-length-exact"));
    assert_eq!(id("username", "username must be 3 to 30 characters"), length);
    assert_eq!(id("tags.2", "tags.2 must be 1 to 32 characters"), length);
    assert_eq!(id("name", "name is required and must be 1 to 64 characters"), length);
    assert_eq!(id("bio", "name must be 1 to 64 characters"), None, "the name of another member");
    assert_eq!(
        id("confirm", "confirm must be the username of the account"),
        Some("api-error-confirm")
    );
    assert_eq!(id("input.pages", "value is less than the minimum of 1"), Some("api-fault-least"));
}

/// The code of the API, with texts as if they were written in one line, and parts that vary as `{}`.
fn sources(folder: &Path, found: &mut String) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            let mut lines = text.split("\\\n");
            found.push_str(lines.next().unwrap_or_default());
            lines.for_each(|line| found.push_str(line.trim_start()));
        }
    }
}

#[test]
fn every_text_is_what_some_code_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut code = String::new();
    for folder in ["blobs", "features", "http", "outbound", "providers", "webhooks"] {
        sources(&root.join("src").join(folder), &mut code);
    }
    for folder in ["crates/core/src", "../svc-types/src"] {
        sources(&root.join(folder), &mut code);
    }
    let mut unsaid = Vec::new();
    for Pattern { id, words, .. } in &*PATTERNS {
        let pieces = words.iter().map(|words| words.trim_matches(|c: char| !c.is_alphanumeric()));
        let mut pieces = pieces.filter(|piece| piece.len() > 3);
        // Another library explains what does not fit a schema.
        if !id.starts_with("api-fault-") && pieces.any(|piece| !code.contains(piece)) {
            unsaid.push(*id);
        }
    }
    assert_eq!(unsaid, [""; 0], "texts that the API does not have");
}

/// Values that break most rules.
fn wrong_values() -> Vec<Json> {
    let long = "x".repeat(50_000);
    vec![
        json!({}),
        json!([]),
        json!([{}]),
        json!([""]),
        json!(["?"]),
        json!([long]),
        json!(""),
        json!("?"),
        json!("\u{0}"),
        json!(long),
        json!(-1),
        json!(0.123_456_789),
        json!(1e13),
        json!(true),
    ]
}

/// A value, and an object with each of its members, replaced by wrong ones.
fn spoiled(value: Option<&Json>) -> Vec<Json> {
    let mut all = wrong_values();
    let Some(Json::Object(members)) = value else { return all };
    for name in members.keys() {
        for wrong in wrong_values() {
            let mut members = members.clone();
            members.insert(name.clone(), wrong);
            all.push(Json::Object(members));
        }
    }
    all
}

/// The messages that no text fits.
#[derive(Default)]
struct Spoiler(BTreeSet<String>);

impl SampleVisitor for Spoiler {
    fn visit<E: Endpoint>(&mut self, sample: E) {
        let good = wire::members(&sample).unwrap();
        for name in good.keys() {
            for wrong in spoiled(good.get(name)) {
                let mut members = good.clone();
                members.insert(name.clone(), wrong);
                let Err(rejected) = wire::decode_members::<E>(&members) else { continue };
                let field = rejected.field.unwrap_or_default();
                let member = field.trim_start_matches('/').replace('/', ".");
                if !rejected.is_missing && of_member(&member, &rejected.message).is_none() {
                    self.0.insert(format!("{}: {}", E::NAME, rejected.message));
                }
            }
        }
    }
}

#[test]
fn every_rule_of_a_member_has_a_text() {
    let mut spoiler = Spoiler::default();
    samples::visit(&mut spoiler);
    // Serde reports the operations of a batch; no form has any.
    spoiler.0.retain(|message| !message.starts_with("RunBatch: "));
    assert_eq!(spoiler.0, BTreeSet::new());
}
