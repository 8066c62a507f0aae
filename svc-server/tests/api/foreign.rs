//! Programs that other people wrote, in Python and Node, and what they say by lines of JSON.

use std::process::Stdio;

use serde_json::Value;
use svc_store::clock::Clock;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};

use crate::app::TestApp;
use crate::receiver::TIMEOUT;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/api/foreign");

/// A program while it runs.
pub(crate) struct Foreign {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Foreign {
    /// None where the program has no such library; that is said, or fails where all services are
    /// required.
    #[expect(clippy::print_stderr, reason = "skipped tests are reported on stderr")]
    pub(crate) async fn start(program: &str, script: &str, library: &[&str]) -> Option<Self> {
        let mut look = Command::new(program);
        look.args(library).stderr(Stdio::null()).stdout(Stdio::null());
        if !look.status().await.is_ok_and(|status| status.success()) {
            let required = std::env::var_os("SVC_TEST_SERVICES").is_some_and(|it| it == "required");
            assert!(!required, "SVC_TEST_SERVICES is required, but {program} can't {library:?}");
            eprintln!("LEFT OUT: {program} can't {library:?} here");
            return None;
        }
        let mut command = Command::new(program);
        command.arg(format!("{FOLDER}/{script}")).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.kill_on_drop(true).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Some(Self { child, lines })
    }

    pub(crate) async fn say(&mut self, line: &str) {
        let line = format!("{line}\n");
        self.child.stdin.as_mut().unwrap().write_all(line.as_bytes()).await.unwrap();
    }

    pub(crate) async fn hear(&mut self) -> Value {
        let line = tokio::time::timeout(TIMEOUT, self.lines.next_line());
        let line = line.await.expect("it says something in time").unwrap();
        serde_json::from_str(&line.expect("it still runs")).unwrap()
    }
}

/// These programs use the clock of the machine, so the server's clock is set to it.
pub(crate) fn set_clock(app: &TestApp) {
    let clock = app.server.clock();
    clock.advance(Clock::system().now().since(clock.now()));
}
