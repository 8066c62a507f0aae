//! The document is current, complete, and keeps the rules of the interface.

mod asyncapi;
mod client;
mod examples;
mod guide;
mod reading;

use std::collections::BTreeSet;

use serde_json::Value;
use svc_openapi::generate;
use svc_openapi::{docs, document, llms};
use utoipa::openapi::OpenApi;

use reading::{
    Declared, Field, Operation, declared, find, members, operations, parse, published, resolved,
    text,
};

/// Number of routes that are not endpoints; see `src/generate/extra.rs`.
const PLAIN_ROUTES: usize = 12;

/// Reports that a test does nothing here because a library is missing. Where `SVC_TEST_SERVICES` is `required`, it
/// fails instead.
#[expect(clippy::print_stderr, reason = "a skipped test must be reported")]
fn left_out(missing: &str) {
    let required = std::env::var_os("SVC_TEST_SERVICES").is_some_and(|value| value == "required");
    assert!(!required, "SVC_TEST_SERVICES is required, but {missing} is missing");
    eprintln!("LEFT OUT: {missing} is missing here");
}

#[test]
fn the_document_names_the_requested_server() {
    let json = parse(&document("https://svc.example.org/api"));
    assert_eq!(json["servers"][0]["url"], "https://svc.example.org/api");
    assert!(llms("https://svc.example.org/api").contains("(https://svc.example.org/skill.md)"));
    assert!(llms("/api").contains("(/skill.md)"));
}

#[test]
fn utoipa_reads_the_document_and_loses_nothing() {
    let document = published();
    let typed: OpenApi = serde_json::from_value(document.clone()).unwrap();
    let typed = serde_json::to_value(typed).unwrap();
    let mut lost = Vec::new();
    differences("", document, &typed, &mut lost);
    // It supports no schema that allows anything, such as the inside of evidence.
    lost.retain(|place| document.pointer(place) != Some(&serde_json::json!({})));
    assert!(lost.is_empty(), "{lost:#?}");
}

#[test]
fn every_endpoint_is_an_operation_with_a_unique_name() {
    let operations = operations();
    let named: BTreeSet<&str> = operations.iter().map(Operation::name).collect();
    assert_eq!(named.len(), operations.len(), "two operations share a name");
    assert_eq!(operations.len(), declared().len() + PLAIN_ROUTES);
    for endpoint in declared() {
        let operation = find(&operations, endpoint.name);
        assert_eq!(operation.method, endpoint.method, "{}", endpoint.name);
        assert_eq!(operation.path, endpoint.path, "{}", endpoint.name);
    }
}

#[test]
fn every_operation_and_every_field_is_explained() {
    for operation in operations() {
        let name = operation.name();
        for member in ["summary", "description"] {
            assert!(!text(&operation.json[member]).is_empty(), "{name}: {member}");
        }
        for field in operation.fields() {
            assert!(!field.description.is_empty(), "{name}: {}", field.name);
        }
    }
}

#[test]
fn a_path_parameter_is_a_required_text() {
    for operation in operations() {
        let path = &operation.path;
        let segments = path.split('/');
        let named = segments.filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
        let in_path: Vec<Field> = operation.fields_in("path").collect();
        let described = in_path.iter().map(|field| field.name.as_str());
        assert!(named.eq(described), "{path}");
        for field in in_path {
            assert!(field.required, "{path}");
            assert_eq!(resolved(&field.schema)["type"], "string", "{path}");
        }
    }
}

#[test]
fn a_query_parameter_is_a_scalar_or_a_comma_list() {
    let scalars = ["string", "integer", "number", "boolean"];
    for operation in operations() {
        for field in operation.fields_in("query") {
            let kind = &resolved(&field.schema)["type"];
            assert!(scalars.contains(&text(kind)), "{}: {}", operation.name(), field.name);
        }
    }
}

#[test]
fn every_read_of_posts_can_include_their_html() {
    /// Whether a schema, or one of a few levels below it, is that of a post.
    fn holds_posts(schema: &Value, levels: u8) -> bool {
        let schema = resolved(schema);
        let has = |member: &str| schema["properties"].get(member).is_some();
        let parts: Vec<&Value> = match &schema {
            Value::Object(members) => members.values().collect(),
            Value::Array(items) => items.iter().collect(),
            _ => return false,
        };
        has("html") && has("likesCount")
            || levels > 0 && parts.into_iter().any(|part| holds_posts(part, levels - 1))
    }
    let is_read_of_posts = |one: &Operation| {
        // The HTML of an embed is its page.
        one.method == "get"
            && one.name() != "getEmbed"
            && holds_posts(&one.json["responses"]["200"]["content"], 9)
    };
    let reads: Vec<Operation> = operations().into_iter().filter(is_read_of_posts).collect();
    assert_eq!(reads.len(), 13);
    for read in reads {
        let takes_it = read.fields_in("query").any(|field| field.name == "include");
        assert!(takes_it, "{}", read.name());
    }
}

#[test]
fn a_secret_travels_in_bodies_only() {
    let is_secret = |field: &Field| resolved(&field.schema)["format"] == "password";
    let operations = operations();
    assert!(find(&operations, "Login").fields_in("body").any(|field| is_secret(&field)));
    for operation in operations {
        let mut outside = operation.fields().into_iter().filter(|field| field.place != "body");
        assert!(!outside.any(|field| is_secret(&field)), "{}", operation.name());
    }
}

#[test]
fn every_text_of_a_request_is_bounded() {
    for operation in operations() {
        for field in operation.fields() {
            assert_bounded(&field.schema, &format!("{}: {}", operation.name(), field.name));
        }
    }
}

#[test]
fn a_field_keeps_the_whole_schema_of_its_type() {
    let rewritten = ["description", "type", "anyOf", "$ref"];
    let operations = operations();
    for Declared { name, fields, .. } in declared() {
        for field in find(&operations, name).fields() {
            let published = resolved(&field.schema);
            for (keyword, value) in members(&fields[&field.name]) {
                // A reference points to where the document stores its schemas.
                let is_equal = published[keyword] == *value || value["$ref"].is_string();
                assert!(is_equal || rewritten.contains(&keyword.as_str()), "{name}: {keyword}");
            }
        }
    }
}

#[test]
fn a_member_that_may_be_absent_is_never_null() {
    assert!(!generate::document().to_json().contains("\"null\""));
}

#[test]
fn every_reference_leads_somewhere() {
    fn follow(value: &Value, document: &Value) {
        match value {
            Value::Object(members) => {
                if let Some(Value::String(reference)) = members.get("$ref") {
                    let place = reference.strip_prefix('#').expect("references stay inside");
                    assert!(document.pointer(place).is_some(), "{reference}");
                }
                members.values().for_each(|member| follow(member, document));
            }
            Value::Array(items) => items.iter().for_each(|item| follow(item, document)),
            _ => {}
        }
    }
    let document = published();
    follow(document, document);
}

#[test]
fn every_feature_is_a_tag_and_every_tag_is_used() {
    let document = published();
    let tags = document["tags"].as_array().expect("the document has tags");
    let tags: BTreeSet<&str> = tags.iter().map(|tag| text(&tag["name"])).collect();
    let operations = operations();
    let used: BTreeSet<&str> =
        operations.iter().map(|operation| text(&operation.json["tags"][0])).collect();
    assert_eq!(tags, used);
}

#[test]
fn top_level_posts_carry_the_headers_of_their_limit_and_replies_do_not() {
    let paths = &published()["paths"];
    let post = &paths["/posts"]["post"]["responses"];
    let reply = &paths["/posts/{postId}/replies"]["post"]["responses"];
    for header in ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"] {
        assert!(post["201"]["headers"][header].is_object(), "spec §8: {header} on 201");
        assert!(post["429"]["headers"][header].is_object(), "spec §8: {header} on 429");
        assert!(reply["201"]["headers"][header].is_null(), "spec §8: replies are unlimited");
    }
    assert!(post["429"]["headers"]["Retry-After"].is_object(), "spec §8: Retry-After on 429");
}

#[test]
fn a_post_of_an_authenticated_caller_accepts_an_idempotency_key_and_replays_no_secret() {
    let operations = operations();
    let facts = |endpoint: &str| {
        let operation = find(&operations, endpoint);
        let takes_key = operation.fields_in("header").any(|field| field.name == "Idempotency-Key");
        (takes_key, operation.json.to_string().contains("Idempotent-Replayed"))
    };
    assert_eq!(facts("CreatePost"), (true, true));
    assert_eq!(facts("RegenerateApiKey"), (true, false));
    assert_eq!(facts("Login"), (false, false));
    assert_eq!(facts("GetPost"), (false, false));
}

#[test]
fn the_version_is_that_of_the_interface_and_the_servers_is_beside_it() {
    for document in [published().clone(), parse(&generate::asyncapi())] {
        let info = &document["info"];
        assert_eq!(info["version"], "1.0");
        assert_eq!(info["x-server-version"], env!("CARGO_PKG_VERSION"));
    }
}

#[test]
fn what_can_be_said_about_unknown_members_is_described_where_it_applies() {
    let operations = operations();
    let facts = |endpoint: &str| {
        let operation = find(&operations, endpoint);
        let prefers = operation.fields_in("header").any(|field| field.name == "Prefer");
        let created = &operation.json["responses"]["201"]["headers"];
        let is_confirmed = created["Preference-Applied"].is_object();
        (prefers, created["Svc-Ignored"].is_object(), is_confirmed)
    };
    let refused = resolved(&find(&operations, "CreatePost").json["responses"]["400"]);
    assert!(refused["headers"]["Preference-Applied"].is_object(), "{refused}");
    assert_eq!(facts("CreatePost"), (true, true, true));
    assert_eq!(facts("CreateEscrow"), (false, false, false), "it is strict anyway");
    assert_eq!(facts("GetPost"), (false, false, false));
}

#[test]
fn a_write_is_named_by_its_response_and_by_guests_who_read_after_it() {
    let operations = operations();
    let facts = |endpoint: &str| {
        let operation = find(&operations, endpoint);
        let mut headers = operation.fields_in("header");
        let is_sent = headers.any(|field| field.name == "X-Svc-Consistency");
        let statuses = members(&operation.json["responses"]);
        let mut good = statuses.filter(|(status, _)| status.starts_with('2'));
        let is_told = good.all(|(_, good)| good["headers"]["X-Svc-Consistency"].is_object());
        (is_sent, is_told)
    };
    assert_eq!(facts("CreatePost"), (false, true));
    assert_eq!(facts("UpdateMe"), (false, true), "200 and 202");
    assert_eq!(facts("GetPost"), (true, false));
    assert_eq!(facts("GetMe"), (false, false), "it always sees what was written");
}

#[test]
fn a_lack_of_credentials_says_how_to_get_some() {
    let me = &published()["paths"]["/users/me"]["get"]["responses"]["401"];
    assert!(resolved(me)["headers"]["WWW-Authenticate"].is_object());
}

#[test]
fn the_page_loads_only_files_it_brings() {
    let page = docs("index.html").expect("the page is there").bytes;
    let page = String::from_utf8_lossy(&page);
    assert!(!page.contains("//"), "the page names another host");
    let loaded: Vec<&str> =
        page.split(['"', ' ']).filter_map(|part| part.strip_prefix("./")).collect();
    assert_eq!(loaded.len(), 4);
    for file in loaded {
        assert!(docs(file).is_some_and(|file| !file.bytes.is_empty()), "{file}");
    }
    assert!(docs("../Cargo.toml").is_none());
}

/// Fails on a text without a maximum length, at any depth.
fn assert_bounded(schema: &Value, place: &str) {
    let schema = resolved(schema);
    if schema["type"] == "string" {
        let bounded = schema["maxLength"].is_u64() || schema["enum"].is_array();
        assert!(bounded, "{place} has no maxLength");
    }
    let variants = ["anyOf", "oneOf", "allOf"].iter().filter_map(|key| schema[key].as_array());
    variants.flatten().for_each(|variant| assert_bounded(variant, place));
    members(&schema["properties"]).for_each(|(_, member)| assert_bounded(member, place));
    schema.get("items").into_iter().for_each(|item| assert_bounded(item, place));
}

/// The places where `after` lacks or changes something of `before`.
fn differences(place: &str, before: &Value, after: &Value, found: &mut Vec<String>) {
    match (before, after) {
        (Value::Object(members), Value::Object(_)) => members.iter().for_each(|(name, member)| {
            differences(&format!("{place}/{name}"), member, &after[name], found);
        }),
        (Value::Array(items), Value::Array(others)) if items.len() == others.len() => {
            let pairs = items.iter().zip(others).enumerate();
            pairs.for_each(|(index, (item, other))| {
                differences(&format!("{place}/{index}"), item, other, found);
            });
        }
        _ if before == after => {}
        _ => found.push(place.to_owned()),
    }
}
