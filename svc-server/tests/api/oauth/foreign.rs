//! Clients that other people wrote: Authlib in Python, openid-client in Node.

use std::process::Stdio;

use serde_json::{Value, json};
use svc_store::clock::Clock;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};
use url::Url;

use super::{DONE, Visitor, text};
use crate::app::TestApp;
use crate::on_both_engines;
use crate::receiver::TIMEOUT;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/api/foreign");

/// A client while it runs.
struct Foreign {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Foreign {
    /// None where the program has no such library; that is said, or fails where all services are
    /// required.
    #[expect(clippy::print_stderr, reason = "skipped tests are reported on stderr")]
    async fn start(program: &str, script: &str, library: &[&str]) -> Option<Self> {
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

    async fn say(&mut self, line: &str) {
        let line = format!("{line}\n");
        self.child.stdin.as_mut().unwrap().write_all(line.as_bytes()).await.unwrap();
    }

    async fn hear(&mut self) -> Value {
        let line = tokio::time::timeout(TIMEOUT, self.lines.next_line());
        let line = line.await.expect("it says something in time").unwrap();
        serde_json::from_str(&line.expect("it still runs")).unwrap()
    }
}

/// The clients use the clock of the machine, so the server's clock is set to it.
fn set_clock(app: &TestApp) {
    let clock = app.server.clock();
    clock.advance(Clock::system().now().since(clock.now()));
}

/// The visitor is sent to a URL of the server and agrees; the answer is where they come back to.
async fn send(app: &TestApp, visitor: &Visitor, url: &Value) -> String {
    let url = Url::parse(url.as_str().unwrap()).unwrap();
    let pairs: Vec<(String, String)> =
        url.query_pairs().map(|(name, text)| (name.into_owned(), text.into_owned())).collect();
    let asked = pairs.iter().map(|(name, text)| (name.as_str(), text.clone())).collect();
    let sent = visitor.decide(app, &asked, &[("decision", "allow")]).await;
    super::led_to(&sent).to_owned()
}

on_both_engines! {
    async fn authlib_signs_a_person_in(app: TestApp) {
        let library = ["-c", "import authlib, joserfc"];
        let Some(mut site) = Foreign::start("python3", "site.py", &library).await else { return };
        set_clock(&app);
        let (ada, gate) = (app.visitor("ada").await, app.gate().await);
        for line in [&*app.root(), gate.app.id.as_str(), gate.key.expose(), DONE] {
            site.say(line).await;
        }
        let url = site.hear().await;
        site.say(&send(&app, &ada, &url).await).await;
        let id = ada.member.user.id.as_str();
        let expected = json!({ "sub": id, "name": "ada", "info": id, "me": "ada", "rotated": true });
        assert_eq!(site.hear().await, expected);
    }

    async fn openid_client_signs_a_person_in_here_and_on_a_device(app: TestApp) {
        let library = ["-e", "require.resolve('openid-client')"];
        let started = Foreign::start("node", "program.cjs", &library).await;
        let Some(mut program) = started else { return };
        set_clock(&app);
        let ada = app.visitor("ada").await;
        let client = app.register_client(&["http://127.0.0.1/done"]).await;
        for line in [&*app.root(), &*client, "http://127.0.0.1:4711/done"] {
            program.say(line).await;
        }
        let url = program.hear().await;
        program.say(&send(&app, &ada, &url).await).await;
        let id = ada.member.user.id.as_str();
        assert_eq!(program.hear().await, json!({ "sub": id, "info": id }));
        let code = program.hear().await;
        let fields = [("user_code", code.as_str().unwrap()), ("decision", "allow")];
        ada.send(&app, "/device", &fields).await;
        assert_eq!(text(&program.hear().await, "sub"), id);
    }
}
