//! A receiver in Python verifies calls with the Standard Webhooks library.

use std::process::Stdio;

use svc_store::clock::Clock;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};

use crate::app::TestApp;
use crate::on_both_engines;
use crate::receiver::TIMEOUT;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/api/foreign/receiver.py");

/// The receiver while it runs.
struct Foreign {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Foreign {
    /// None where Python has no library of Standard Webhooks; that is said, or fails where all
    /// services are required. It uses the clock of the machine, so the server's clock is set to it.
    #[expect(clippy::print_stderr, reason = "skipped tests are reported on stderr")]
    async fn start(app: &TestApp) -> Option<Self> {
        let clock = app.server.clock();
        clock.advance(Clock::system().now().since(clock.now()));
        let mut look = Command::new("python3");
        look.args(["-c", "import standardwebhooks"]).stderr(Stdio::null());
        if !look.status().await.is_ok_and(|status| status.success()) {
            let required = std::env::var_os("SVC_TEST_SERVICES").is_some_and(|it| it == "required");
            assert!(!required, "SVC_TEST_SERVICES is required, but Python has no standardwebhooks");
            eprintln!("LEFT OUT: Python has no standardwebhooks here");
            return None;
        }
        let mut command = Command::new("python3");
        command.arg(SCRIPT).stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
        let mut child = command.spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Some(Self { child, lines })
    }

    async fn line(&mut self) -> String {
        let line = tokio::time::timeout(TIMEOUT, self.lines.next_line());
        line.await.expect("it says something in time").unwrap().expect("it still runs")
    }

    /// Gives it the secret to verify with.
    async fn expect(&mut self, secret: &str) {
        let line = format!("{secret}\n");
        self.child.stdin.as_mut().unwrap().write_all(line.as_bytes()).await.unwrap();
    }
}

on_both_engines! {
    async fn a_receiver_in_python_verifies_what_is_sent(
        app: TestApp, "webhooks.allow_loopback" = "true"
    ) {
        let Some(mut receiver) = Foreign::start(&app).await else { return };
        let url = format!("http://127.0.0.1:{}/hook", receiver.line().await);
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let webhook = ada.client.webhooks().create(url).await.unwrap();
        receiver.expect(webhook.secret.expose()).await;
        bob.write(&ada, "grüße 🦀 \" \\u0041").await;
        assert_eq!(receiver.line().await, "direct_message grüße 🦀 \" \\u0041");
    }

    async fn a_receiver_in_python_refuses_what_is_signed_with_another_secret(
        app: TestApp, "webhooks.allow_loopback" = "true"
    ) {
        let Some(mut receiver) = Foreign::start(&app).await else { return };
        let url = format!("http://127.0.0.1:{}/hook", receiver.line().await);
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        ada.client.webhooks().create(url).await.unwrap();
        receiver.expect("whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX").await;
        bob.write(&ada, "psst").await;
        assert_eq!(receiver.line().await, "refused: No matching signature found");
    }
}
