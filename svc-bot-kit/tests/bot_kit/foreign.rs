//! Independent libraries of Standard Webhooks verify our requests unchanged.
#![expect(clippy::print_stderr, reason = "a skipped library is reported")]

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::{Map, Value, json};
use svc_bot_kit::{WebhookEvent, sign};
use svc_types::webhook::vectors::ALL;

/// A library in another language, with the program that runs it.
struct Foreign {
    program: &'static str,
    there: [&'static str; 2],
    script: &'static str,
}

const LIBRARIES: [Foreign; 2] = [
    Foreign {
        program: "python3",
        there: ["-c", "import standardwebhooks"],
        script: concat!(env!("CARGO_MANIFEST_DIR"), "/tests/bot_kit/foreign/standard.py"),
    },
    Foreign {
        program: "node",
        there: ["-e", "require('standardwebhooks')"],
        script: concat!(env!("CARGO_MANIFEST_DIR"), "/tests/bot_kit/foreign/standard.cjs"),
    },
];

/// The installed libraries; a missing one is reported, or fails the test if all are required.
fn libraries() -> impl Iterator<Item = Foreign> {
    LIBRARIES.into_iter().filter(|library| {
        let mut look = Command::new(library.program);
        look.args(library.there).stdout(Stdio::null()).stderr(Stdio::null());
        let is_there = look.status().is_ok_and(|status| status.success());
        if !is_there {
            let required = std::env::var_os("SVC_TEST_SERVICES").is_some_and(|it| it == "required");
            assert!(!required, "standardwebhooks is required for {}", library.program);
            eprintln!("LEFT OUT: there is no standardwebhooks for {} here", library.program);
        }
        is_there
    })
}

impl Foreign {
    fn ask(&self, given: &Value) -> Value {
        let mut command = Command::new(self.program);
        command.arg(self.script).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(given.to_string().as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        serde_json::from_slice(&output.stdout).expect(self.program)
    }
}

#[test]
fn other_libraries_sign_the_vectors_as_we_do() {
    for library in libraries() {
        for vector in ALL {
            let answer = library.ask(&json!({
                "secret": vector.secret, "id": vector.id, "timestamp": vector.timestamp,
                "body": vector.body, "headers": {},
            }));
            assert_eq!(answer["signed"], vector.standard, "{}", library.program);
            assert_eq!(answer["verified"], false, "without headers");
        }
    }
}

#[test]
fn other_libraries_verify_our_requests() {
    let event = WebhookEvent::sample("direct_message").unwrap();
    let request = sign::test_request::<Vec<u8>>(ALL[0].secret, &event).unwrap();
    let headers: Map<String, Value> = request
        .headers()
        .iter()
        .map(|(name, value)| (name.to_string(), value.to_str().unwrap().into()))
        .collect();
    let given = |secret: &str| {
        json!({
            "secret": secret, "id": headers["webhook-id"], "headers": headers,
            "timestamp": headers["webhook-timestamp"].as_str().unwrap().parse::<i64>().unwrap(),
            "body": String::from_utf8(request.body().clone()).unwrap(),
        })
    };
    for library in libraries() {
        assert_eq!(library.ask(&given(ALL[0].secret))["verified"], true, "{}", library.program);
        assert_eq!(library.ask(&given(ALL[1].secret))["verified"], false, "{}", library.program);
    }
}
