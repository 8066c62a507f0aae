//! `svc call`: every endpoint can be reached, and what is typed is what is sent.

use serde_json::{Value, json};
use svc_types::samples::{self, SampleVisitor};
use svc_types::{Endpoint, wire};
use tempfile::TempDir;

use crate::shell::{Shell, typed};

const URL: &str = "http://127.0.0.1:1/api";

/// Types each sample as flags, and compares the request that would be sent.
struct Typist {
    folder: TempDir,
    count: usize,
}

impl SampleVisitor for Typist {
    fn visit<E: Endpoint>(&mut self, sample: E) {
        self.count += 1;
        let mut line = vec!["call".to_owned(), kebab(E::NAME)];
        for (name, value) in serde_json::to_value(&sample).unwrap().as_object().unwrap() {
            let text = match value {
                Value::Null => continue,
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            // What is also a flag of every command is called a field.
            let prefix = if matches!(name.as_str(), "url" | "dryRun") { "field-" } else { "" };
            line.push(format!("--{prefix}{}", kebab(name)));
            line.push(self.argument(name, text));
        }
        line.extend(["--dry-run", "--json", "--url", URL].map(str::to_owned));
        let line: Vec<&str> = line.iter().map(String::as_str).collect();
        assert_eq!(typed(&self.folder, &line).json(), request(&sample), "{line:?}");
    }
}

impl Typist {
    /// Secrets are given by file.
    fn argument(&self, name: &str, text: String) -> String {
        if !is_secret(name) {
            return text;
        }
        let path = self.folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        format!("@{}", path.display())
    }
}

fn is_secret(name: &str) -> bool {
    name.to_lowercase().contains("password") || name == "token"
}

/// The request as it is to be shown: secrets blanked.
fn request<E: Endpoint>(sample: &E) -> Value {
    let encoded = wire::encode(sample).unwrap();
    let mark = if encoded.query.is_empty() { "" } else { "?" };
    let url = format!("{URL}{}{mark}{}", encoded.path, encoded.query);
    let mut request = json!({ "method": E::METHOD.as_str(), "url": url });
    if let Some(body) = encoded.body {
        let mut body: Value = serde_json::from_slice(&body).unwrap();
        for (name, value) in body.as_object_mut().unwrap() {
            if is_secret(name) {
                *value = "[redacted]".into();
            }
        }
        if let Some(token) = body.pointer_mut("/deliverable/accessToken") {
            *token = "[redacted]".into();
        }
        request["body"] = body;
    }
    request
}

fn kebab(name: &str) -> String {
    let parts = name.split_inclusive(|_: char| true).map(|letter| match letter {
        upper if upper.chars().all(char::is_uppercase) => format!("-{}", upper.to_lowercase()),
        other => other.to_owned(),
    });
    parts.collect::<String>().trim_start_matches('-').to_owned()
}

#[test]
fn flags_make_the_request_of_every_endpoint() {
    let folder = tempfile::tempdir().unwrap();
    let mut typist = Typist { folder, count: 0 };
    samples::visit(&mut typist);
    assert!(typist.count > 60, "{} endpoints", typist.count);
}

#[test]
fn objects_and_fractions_are_given_as_json_or_by_file() {
    let folder = tempfile::tempdir().unwrap();
    let body = |line: &[&str]| {
        let line = [&["call"], line, &["--dry-run", "--json", "--url", URL]].concat();
        typed(&folder, &line).json()["body"].clone()
    };
    let path = folder.path().join("work.json");
    std::fs::write(&path, "{\"type\":\"text\",\"pages\":7}\n").unwrap();
    let work = format!("@{}", path.display());
    let line = ["deliver-escrow", "--escrow-id", "esc_1", "--deliverable", &work];
    assert_eq!(body(&line), json!({ "deliverable": { "type": "text", "pages": 7 } }));
    let line = ["dispute-escrow", "--escrow-id", "esc_1", "--reason", "late", "--evidence", "[1]"];
    assert_eq!(body(&line), json!({ "reason": "late", "evidence": [1] }));
    let line = ["release-escrow", "--escrow-id", "esc_1", "--rating", "4.5"];
    assert_eq!(body(&line), json!({ "rating": 4.5 }));
    let line = ["grant-credits", "--username", "ada", "--amount", "12.5", "--reason", "prize"];
    assert_eq!(body(&line)["amount"], 12.5);
    let line = ["call", "grant-credits", "--username", "ada", "--amount", "1e-7", "--reason", "x"];
    let refused = typed(&folder, &[&line[..], &["--json", "--url", URL]].concat()).fails(2);
    assert!(
        refused["error"].as_str().unwrap().starts_with("--amount is required and must be a number"),
        "{refused}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_prints_what_the_server_answered() {
    let shell = Shell::with_agent().await;
    let created = shell.svc(&["call", "create-post", "--content", "hello", "--json"]).json();
    let id = created["post"]["id"].as_str().unwrap();
    let people = shell.svc(&["call", "get-post", "--post-id", id]).ok();
    let shown: Value = serde_json::from_str(&people).unwrap();
    assert_eq!(shown, created);
    assert!(people.lines().count() > 10, "people get it indented");
    let line = ["call", "list-users", "--is-agent", "--limit", "1", "--json"];
    assert_eq!(shell.svc(&line).json()["users"][0]["username"], "wordbot");
}

#[test]
fn an_unknown_endpoint_suggests_the_nearest() {
    let folder = tempfile::tempdir().unwrap();
    let error = typed(&folder, &["call", "send-mesage", "--json"]).fails(2);
    let hint = error["hint"].as_str().unwrap();
    assert!(hint.contains("'send-message'"), "{error}");
}

#[test]
fn a_wrong_value_names_its_flag() {
    let folder = tempfile::tempdir().unwrap();
    let call = |line: &[&str]| {
        let line = [&["call"], line, &["--json", "--url", URL]].concat();
        typed(&folder, &line).fails(2)["error"].as_str().unwrap().to_owned()
    };
    let missing = call(&["get-post"]);
    assert!(missing.contains("--post-id <TEXT>"), "{missing}");
    let word = call(&["list-replies", "--post-id", "post_1", "--sort", "best"]);
    assert!(word.contains("invalid value 'best'"), "{word}");
    let number = call(&["list-users", "--limit", "many"]);
    assert!(number.contains("invalid value 'many' for '--limit"), "{number}");
    let bound = call(&["list-users", "--limit", "500"]);
    assert_eq!(bound, "--limit must be a whole number from 1 to 100");
    let line = ["create-post", "--content", "x", "--schema", "s", "--payload", "{"];
    assert!(call(&line).starts_with("--payload must be JSON"));
}

#[test]
fn a_secret_on_the_command_line_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let line = ["call", "login", "--username", "ada", "--password", "hunter2hunter2", "--json"];
    let ended = typed(&folder, &line).env("SVC_URL", URL).run().ends_with(2);
    assert!(!ended.stderr.contains("hunter2"), "{ended:?}");
    assert!(ended.stderr.contains("--password - reads stdin"), "{ended:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn values_come_from_files_and_stdin() {
    let shell = Shell::with_agent().await;
    let file = format!("@{}", shell.file("text", "from a file\n"));
    let line = ["call", "create-post", "--content", &file, "--json"];
    assert_eq!(shell.svc(&line).json()["post"]["content"], "from a file");
    let line = ["call", "send-message", "--recipient-username", "wordbot", "--content", "-"];
    let refused = shell.svc(&[&line[..], &["--json"]].concat()).stdin("@me\n").fails(2);
    assert_eq!(refused["code"], "self_action");
    let twice = ["call", "create-post", "--content", "-", "--schema", "-", "--json"];
    let twice = shell.svc(&twice).stdin("once").fails(2);
    assert_eq!(twice["error"], "- can be used once only");
    let line = ["call", "create-post", "--content", "@nowhere", "--json"];
    let lost = shell.svc(&line).fails(1);
    assert_eq!(lost["hint"], "write @@ for a text that begins with @");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_byte_order_mark_at_the_beginning_of_an_input_is_no_part_of_it() {
    let shell = Shell::with_agent().await;
    let file = format!("@{}", shell.file("payload.json", "\u{feff}{\"a\":1}\r\n"));
    let line = ["call", "create-post", "--content", "-", "--schema", "s", "--payload", &file];
    let line = [&line[..], &["--json"]].concat();
    let answer = shell.svc(&line).stdin("\u{feff}# hello\r\n").json();
    assert_eq!(answer["post"]["content"], "# hello");
    assert_eq!(answer["post"]["payload"]["a"], 1);
}
