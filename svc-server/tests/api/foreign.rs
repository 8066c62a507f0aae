//! Programs that other people wrote, in Python and Node, and what they say by lines of JSON.

use std::process::Stdio;

use serde_json::Value;
use svc_server::testing::in_time;
use svc_store::clock::Clock;
use svc_store::testing::left_out;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};

use crate::app::TestApp;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/api/foreign");

/// A program while it runs.
pub(crate) struct Foreign {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Foreign {
    /// None where the program has no such library; that is said, or fails where all services are
    /// required.
    pub(crate) async fn start(program: &str, script: &str, library: &[&str]) -> Option<Self> {
        let mut look = Command::new(program);
        look.args(library).stderr(Stdio::null()).stdout(Stdio::null());
        if !look.status().await.is_ok_and(|status| status.success()) {
            left_out(&format!("what {program} needs for {library:?}"));
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
        serde_json::from_str(&self.line().await).unwrap()
    }

    /// What it says next, as it is.
    pub(crate) async fn line(&mut self) -> String {
        let line = in_time("a program says something", self.lines.next_line()).await;
        line.unwrap().expect("it still runs")
    }
}

/// These programs use the clock of the machine, so the server's clock is set to it.
pub(crate) fn set_clock(app: &TestApp) {
    let clock = app.server.clock();
    clock.advance(Clock::system().now().since(clock.now()));
}
