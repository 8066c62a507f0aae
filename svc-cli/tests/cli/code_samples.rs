//! The code samples of the OpenAPI document, run as they are printed: what curl and `svc` send is the
//! sample of the operation, and a server understands it.

use std::path::Path;
use std::process::{Command, Output};
use std::sync::Mutex;

use serde_json::{Value, json};
use svc_types::samples::{self, SampleVisitor};
use svc_types::{Endpoint, wire};
use tempfile::TempDir;

use crate::place::Place;
use crate::shell::Shell;

/// The document that is published; a test of `svc-openapi` says that it is current.
const DOCUMENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../openapi/openapi.json");

/// How many operations are called at once.
const THREADS: usize = 4;

/// Codes of a request that was not understood.
const NOT_UNDERSTOOD: [&str; 7] = [
    "invalid_json",
    "method_not_allowed",
    "payload_too_large",
    "unauthorized",
    "unknown_member",
    "unknown_parameter",
    "unsupported_media_type",
];

/// Operations of which the sample is refused by a rule that compares it with the account, the server or
/// the time, and what the sample lacks.
const RULES: [(&str, &str); 2] = [
    ("DeleteMe", "the username of the account, as a confirmation"),
    ("GetOembed", "the address of this server"),
];

/// An operation with its samples.
struct Operation {
    name: &'static str,
    curl: String,
    svc: String,
    /// The request as it must arrive: `{"method", "url", "body"}`.
    request: Value,
    /// The files that secrets are read from, with what is in them.
    secrets: Vec<(String, String)>,
    /// The codes of its refusals.
    codes: Vec<String>,
}

struct Operations {
    document: Value,
    found: Vec<Operation>,
}

impl SampleVisitor for Operations {
    fn visit<E: Endpoint>(&mut self, sample: E) {
        let operation = &self.document["paths"][E::PATH][E::METHOD.as_str().to_lowercase()];
        let source = |label: &str| {
            let mut samples = operation["x-codeSamples"].as_array().unwrap().iter();
            let sample = samples.find(|sample| sample["label"] == label);
            sample.unwrap()["source"].as_str().unwrap().to_owned()
        };
        let encoded = wire::encode(&sample).unwrap();
        let mark = if encoded.query.is_empty() { "" } else { "?" };
        let mut request = json!({
            "method": E::METHOD.as_str(), "url": format!("{}{mark}{}", encoded.path, encoded.query),
        });
        if let Some(body) = &encoded.body {
            request["body"] = serde_json::from_slice(body).unwrap();
        }
        let members = serde_json::to_value(&sample).unwrap();
        let svc = source("svc");
        let secrets = svc.match_indices('@').filter_map(|(at, _)| {
            let flag = svc[at + 1..].split_once(".txt")?.0;
            let member =
                members.as_object().unwrap().iter().find(|(name, _)| kebab(name) == flag)?;
            Some((format!("{flag}.txt"), member.1.as_str()?.to_owned()))
        });
        self.found.push(Operation {
            name: E::NAME,
            curl: source("curl"),
            secrets: secrets.collect(),
            svc,
            request,
            codes: svc_openapi_codes(&self.document, operation),
        });
    }
}

fn kebab(name: &str) -> String {
    let letters = name.chars().map(|letter| match letter {
        'A'..='Z' => format!("-{}", letter.to_ascii_lowercase()),
        other => other.to_string(),
    });
    letters.collect()
}

/// The codes in the examples of an operation's refusals.
fn svc_openapi_codes(document: &Value, operation: &Value) -> Vec<String> {
    let responses = operation["responses"].as_object().unwrap().values().map(|response| {
        let place = response["$ref"].as_str().map(|place| place.trim_start_matches('#'));
        place.map_or(response, |place| document.pointer(place).unwrap())
    });
    let examples = responses
        .filter_map(|response| response["content"]["application/json"]["examples"].as_object());
    examples.flat_map(|examples| examples.keys().cloned()).collect()
}

fn operations() -> Vec<Operation> {
    let document = std::fs::read_to_string(Path::new(DOCUMENT)).unwrap();
    let document = serde_json::from_str(&document).unwrap();
    let mut operations = Operations { document, found: Vec::new() };
    samples::visit(&mut operations);
    assert!(operations.found.len() > 200, "{} operations", operations.found.len());
    operations.found
}

/// Runs commands in a shell that knows `svc`, and nothing of the caller that runs the tests.
fn shell(folder: &TempDir, script: &str, variables: &[(&str, &str)]) -> Output {
    let mut bash = Command::new("bash");
    bash.args(["-c", script]).current_dir(folder.path()).env_clear();
    bash.env("PATH", "/usr/bin:/bin").env("SVC_CONFIG_DIR", folder.path());
    bash.env("SVC", env!("CARGO_BIN_EXE_svc"));
    bash.envs(variables.iter().copied());
    bash.output().unwrap()
}

/// A request that was received as text, in the form of an expected one.
fn parsed(received: &str) -> Value {
    let (head, body) = received.split_once("\r\n{").unwrap_or((received, ""));
    let mut first = head.split_whitespace();
    let method = first.next().unwrap();
    let url = first.next().unwrap().trim_start_matches("/api");
    let mut request = json!({ "method": method, "url": url });
    if !body.is_empty() {
        request["body"] = serde_json::from_str(&format!("{{{body}")).unwrap();
    }
    request
}

#[test]
fn each_call_by_curl_sends_the_sample() {
    let place =
        Place::answering("HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}");
    let folder = tempfile::tempdir().unwrap();
    let operations = operations();
    let script: Vec<&str> = operations.iter().map(|operation| operation.curl.as_str()).collect();
    let script = format!("set -eu\n{}", script.join("\n"));
    let keys =
        [("SVC_URL", place.url.as_str()), ("SVC_API_KEY", "k1"), ("SVC_DEVELOPER_KEY", "k2")];
    let ran = shell(&folder, &script, &keys);
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let received = place.received();
    assert_eq!(received.len(), operations.len());
    for (operation, received) in operations.iter().zip(received) {
        assert_eq!(parsed(&received), operation.request, "{}", operation.curl);
        let key = received.to_lowercase().contains("authorization: bearer k");
        assert_eq!(key, operation.curl.contains("Authorization"), "{}", operation.curl);
    }
}

#[test]
fn each_call_by_svc_sends_the_sample() {
    let folder = tempfile::tempdir().unwrap();
    for mut operation in operations() {
        for (file, secret) in &operation.secrets {
            std::fs::write(folder.path().join(file), secret).unwrap();
        }
        let script = format!("svc() {{ \"$SVC\" \"$@\" --dry-run --json; }}\n{}", operation.svc);
        let ran = shell(&folder, &script, &[("SVC_URL", "http://127.0.0.1:1/api")]);
        assert!(
            ran.status.success(),
            "{}\n{}",
            operation.svc,
            String::from_utf8_lossy(&ran.stderr)
        );
        let mut shown: Value = serde_json::from_slice(&ran.stdout).unwrap();
        let url =
            shown["url"].as_str().unwrap().trim_start_matches("http://127.0.0.1:1/api").to_owned();
        shown["url"] = url.into();
        // What is shown has no secrets, wherever they are.
        for place in secrets_in(&shown) {
            *operation.request.pointer_mut(&place).unwrap() = "[redacted]".into();
        }
        assert_eq!(shown, operation.request, "{}", operation.svc);
    }
}

/// Pointers to redacted values.
fn secrets_in(shown: &Value) -> Vec<String> {
    let top = shown["body"].as_object().into_iter().flatten();
    let top = top.filter(|(_, value)| **value == "[redacted]");
    let nested = "/body/deliverable/accessToken".to_owned();
    let has_nested = shown.pointer(&nested).is_some();
    top.map(|(name, _)| format!("/body/{name}")).chain(has_nested.then_some(nested)).collect()
}

/// Runs one sample for a new account; says what is wrong with the response, if anything.
fn run(
    shell_of: &Shell,
    operation: &Operation,
    source: &str,
    keys: &[(&str, &str)],
) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    for (file, secret) in &operation.secrets {
        std::fs::write(folder.path().join(file), secret).unwrap();
    }
    let url = shell_of.server.url();
    let variables = [&[("SVC_URL", url.as_str())], keys].concat();
    // Refusals are printed too, instead of only making curl fail.
    let script = format!(
        "curl() {{ command curl \"$@\" --no-fail; }}\nsvc() {{ \"$SVC\" \"$@\" --json --yes 2>&1; }}\n{source}"
    );
    let ran = shell(&folder, &script, &variables);
    let printed = String::from_utf8_lossy(&ran.stdout).into_owned();
    let last = printed.lines().last().unwrap_or_default();
    let Ok(answer) =
        serde_json::from_str::<Value>(last).or_else(|_| serde_json::from_str(&printed))
    else {
        let trouble = String::from_utf8_lossy(&ran.stderr);
        return Some(format!("{}: {source}\n{printed}{trouble}", operation.name));
    };
    let (Some(code), Some(_)) = (answer["code"].as_str(), answer["error"].as_str()) else {
        return None;
    };
    let is_known = operation.codes.iter().any(|known| known == code);
    let is_ruled_out = RULES.iter().any(|(name, _)| *name == operation.name);
    let is_understood =
        !NOT_UNDERSTOOD.contains(&code) && (code != "validation_failed" || is_ruled_out);
    (!is_known || !is_understood).then(|| format!("{}: {answer}\n{source}", operation.name))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_understands_each_sample_of_a_new_account() {
    let shell = Shell::start().await;
    let client = svc_client::Client::builder(shell.server.url()).build().unwrap();
    let mut accounts = Vec::new();
    let operations = operations();
    for number in 0..2 * operations.len() {
        let key = client.auth().register_agent(format!("agent_{number}")).await.unwrap().api_key;
        let app = client.developers().register(format!("App {number}"), "https://example.org");
        let app = app.await.unwrap().developer_api_key;
        accounts.push((key.expose().to_owned(), app.expose().to_owned()));
    }
    let calls: Vec<_> = operations
        .iter()
        .flat_map(|operation| [(operation, &operation.curl), (operation, &operation.svc)])
        .zip(&accounts)
        .collect();
    let wrong = Mutex::new(Vec::new());
    tokio::task::block_in_place(|| {
        std::thread::scope(|scope| {
            for share in calls.chunks(calls.len().div_ceil(THREADS)) {
                let (shell, wrong) = (&shell, &wrong);
                scope.spawn(move || {
                    for ((operation, source), (key, app)) in share {
                        let keys = [("SVC_API_KEY", key.as_str()), ("SVC_DEVELOPER_KEY", app)];
                        wrong.lock().unwrap().extend(run(shell, operation, source, &keys));
                    }
                });
            }
        });
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), calls.len(), wrong.join("\n\n"));
}
