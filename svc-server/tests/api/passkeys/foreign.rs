//! Devices and a judge that other people wrote: python-fido2 makes the answers, and judges the same
//! ceremonies as this server does.

use std::process::Stdio;

use serde_json::{Map, Value, json};
use svc_client::types::Code;
use svc_client::types::api::auth::StepUp;
use svc_client::types::api::passkeys::{CreatePasskey, LoginWithPasskey, PasskeyCeremony};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};

use crate::app::code;
use crate::device::ORIGIN;
use crate::on_both_engines;
use crate::receiver::TIMEOUT;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/api/foreign/passkey.py");

/// A device of python-fido2 while it runs.
struct Foreign {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

/// What it answers, and whether its own server accepts that.
struct Answer {
    credential: Map<String, Value>,
    is_right: bool,
}

impl Foreign {
    /// None where Python lacks fido2; that is said, or fails where all services are required.
    #[expect(clippy::print_stderr, reason = "skipped tests are reported on stderr")]
    async fn start() -> Option<Self> {
        let mut look = Command::new("python3");
        look.args(["-c", "import fido2, cryptography"]).stderr(Stdio::null());
        if !look.status().await.is_ok_and(|status| status.success()) {
            let required = std::env::var_os("SVC_TEST_SERVICES").is_some_and(|it| it == "required");
            assert!(!required, "SVC_TEST_SERVICES is required, but Python has no fido2");
            eprintln!("LEFT OUT: Python has no fido2 here");
            return None;
        }
        let mut command = Command::new("python3");
        command.args([SCRIPT, ORIGIN]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.kill_on_drop(true).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Some(Self { child, lines })
    }

    /// Its answer to a ceremony, wrong in one part unless that is empty.
    async fn answers(&mut self, options: &Map<String, Value>, wrong: &str) -> Answer {
        let line = format!("{}\n", json!({ "options": options, "wrong": wrong }));
        self.child.stdin.as_mut().unwrap().write_all(line.as_bytes()).await.unwrap();
        let line = tokio::time::timeout(TIMEOUT, self.lines.next_line());
        let line = line.await.expect("it answers in time").unwrap().expect("it still runs");
        let answer: Value = serde_json::from_str(&line).unwrap();
        let credential = answer["credential"].as_object().unwrap().clone();
        Answer { credential, is_right: answer["accepted"] == true }
    }
}

/// Parts that a device or browser may get wrong.
const WRONG: [&str; 5] = ["", "origin", "challenge", "verified", "signature"];

on_both_engines! {
    async fn python_fido2_and_this_server_judge_the_same_ceremonies(
        app: TestApp, "public_url" = "https://svc.example.org", "limits.sign_in.account_failures" = "100"
    ) {
        let Some(mut foreign) = Foreign::start().await else { return };
        let ada = app.person("ada", "correct horse").await;
        let passkeys = ada.client.passkeys();
        for wrong in ["origin", "challenge", "verified", ""] {
            let PasskeyCeremony { ceremony_id, options, .. } = passkeys.begin().await.unwrap();
            let answer = foreign.answers(&options, wrong).await;
            assert_eq!(answer.is_right, wrong.is_empty(), "{wrong}");
            let added = passkeys.create(ceremony_id, answer.credential, "Key").await;
            match wrong {
                "" => assert_eq!(added.unwrap().passkey.name, "Key"),
                _ => assert_eq!(code::<CreatePasskey>(added), Code::InvalidCredentials, "{wrong}"),
            }
        }
        for wrong in WRONG {
            let begun = app.anonymous.passkeys().begin_login().await.unwrap();
            let answer = foreign.answers(&begun.options, wrong).await;
            assert_eq!(answer.is_right, wrong.is_empty(), "{wrong}");
            let signed = app.anonymous.passkeys().login(begun.ceremony_id, answer.credential).await;
            match wrong {
                "" => assert_eq!(signed.unwrap().user.username, "ada"),
                _ => assert_eq!(code::<LoginWithPasskey>(signed), Code::InvalidCredentials, "{wrong}"),
            }
        }
        app.advance(600);
        for wrong in WRONG {
            let begun = passkeys.begin_step_up().await.unwrap();
            let answer = foreign.answers(&begun.options, wrong).await;
            let call = ada.client.auth().step_up().ceremony_id(begun.ceremony_id);
            let confirmed = call.credential(answer.credential).await;
            match wrong {
                "" => drop(confirmed.unwrap()),
                _ => assert_eq!(code::<StepUp>(confirmed), Code::InvalidCredentials, "{wrong}"),
            }
        }
    }
}
