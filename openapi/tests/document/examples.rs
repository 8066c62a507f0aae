//! Every body has an example, and ajv, which other people wrote, finds that it fits its schema.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;
use svc_openapi::generate::document;

use crate::left_out;
use crate::reading::{members, published, resolved, text};

/// Media types of which an example would be a picture or an archive.
const BINARY: [&str; 6] = [
    "application/octet-stream",
    "application/zip",
    "image/*",
    "image/jpeg",
    "image/png",
    "image/svg+xml",
];

/// Forms, whose only field is a picture.
const FORM: &str = "multipart/form-data";

/// The media types below a value, by their place.
fn media_types(value: &Value, place: &str, found: &mut Vec<(String, String, Value)>) {
    for (name, member) in members(value) {
        let place = format!("{place}/{name}");
        if name == "content" && !place.contains("/schema") && !place.contains("/example") {
            let types = members(member);
            found.extend(
                types.map(|(media_type, it)| (place.clone(), media_type.clone(), it.clone())),
            );
        } else {
            media_types(member, &place, found);
        }
    }
}

#[test]
fn no_body_lacks_an_example() {
    let mut found = Vec::new();
    let document = published();
    for part in ["paths", "webhooks", "components"] {
        media_types(&document[part], part, &mut found);
    }
    assert!(found.len() > 500, "{} bodies", found.len());
    for (place, media_type, content) in found {
        if !BINARY.contains(&media_type.as_str()) && media_type != FORM {
            let has_one =
                content["example"].is_object() || members(&content["examples"]).count() > 0;
            assert!(has_one, "{place}: {media_type}");
        }
    }
}

#[test]
fn a_refusal_has_an_example_of_each_of_its_codes() {
    let login = &published()["paths"]["/auth/login"]["post"]["responses"]["401"];
    let examples = &resolved(login)["content"]["application/json"]["examples"];
    let codes: Vec<&String> = members(examples).map(|(code, _)| code).collect();
    assert_eq!(codes, ["invalid_credentials", "second_factor_required"]);
    for (code, example) in members(examples) {
        let body = &resolved(example)["value"];
        assert_eq!(text(&body["code"]), code);
        assert!(!text(&body["error"]).is_empty());
    }
}

#[test]
fn a_request_without_a_body_has_examples_in_its_parameters() {
    let operation = &published()["paths"]["/posts/{postId}"]["get"];
    assert_eq!(operation["parameters"][0]["example"], "post_34g0000000001");
    let search = &published()["paths"]["/messages"]["get"]["parameters"];
    let examples = search.as_array().unwrap().iter().filter(|it| !it["example"].is_null()).count();
    assert!(examples >= 8, "{search}");
}

#[test]
fn a_time_is_described_by_its_format_and_an_example() {
    let time = &published()["components"]["schemas"]["Post"]["properties"]["createdAt"];
    assert_eq!((text(&time["format"]), &time["pattern"]), ("date-time", &Value::Null));
    assert_eq!(time["examples"][0], "2026-01-31T09:30:00.000Z");
}

#[test]
fn ajv_finds_that_every_example_fits_its_schema() {
    let mut probe = Command::new("node");
    probe.args(["-e", "require('ajv'); require('ajv-formats')"]).stderr(Stdio::null());
    if !probe.status().is_ok_and(|status| status.success()) {
        return left_out("ajv for node (.ci/run prepare)");
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/document/examples.cjs");
    let mut judge = Command::new("node");
    judge.arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut judge = judge.spawn().unwrap();
    let json = document().to_json();
    judge.stdin.take().unwrap().write_all(json.as_bytes()).unwrap();
    let judged = judge.wait_with_output().unwrap();
    let count = String::from_utf8_lossy(&judged.stderr);
    let violations = String::from_utf8_lossy(&judged.stdout);
    assert!(judged.status.success() && violations.is_empty(), "{violations}{count}");
    let count: usize = count.split(' ').next().unwrap().parse().expect(&count);
    assert!(count > 1500, "{count} examples");
}
