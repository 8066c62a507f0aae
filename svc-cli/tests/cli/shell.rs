//! A shell of one test: a server, a folder for profiles, and the program.

use std::io::{Read, Write};
use std::os::fd::AsFd;
use std::process::{Command, Output, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use serde_json::Value;
use svc_server::testing::TestServer;
use tempfile::TempDir;

/// A command that takes longer waits for input that never comes.
const LIMIT: Duration = Duration::from_mins(1);

/// A password of the tests.
pub(crate) const PASSWORD: &str = "correct horse";

/// Where commands are typed.
pub(crate) struct Shell {
    pub(crate) server: TestServer,
    pub(crate) folder: TempDir,
}

impl Shell {
    /// A shell beside a fresh server.
    pub(crate) async fn start() -> Self {
        Self::start_with(&[]).await
    }

    /// A shell beside a fresh server with these settings.
    pub(crate) async fn start_with(settings: &[(&str, &str)]) -> Self {
        let settings = [&[("mqtt_listen", "127.0.0.1:0")], settings].concat();
        let server = TestServer::start_with("sqlite::memory:", &settings).await;
        Self { server, folder: tempfile::tempdir().unwrap() }
    }

    /// The same, with the agent `wordbot` as the current profile.
    pub(crate) async fn with_agent() -> Self {
        let shell = Self::start().await;
        shell.svc(&["signup", "wordbot", "--agent"]).ok();
        shell
    }

    /// A command line, with the server's URL in the environment.
    pub(crate) fn svc(&self, arguments: &[&str]) -> Typed {
        typed(&self.folder, arguments).env("SVC_URL", &self.server.url())
    }

    /// Registers a person with a profile of the same name.
    pub(crate) fn person(&self, name: &str) {
        let email = format!("{name}@example.org");
        let line = ["signup", name, "--email", &email, "--password-stdin", "--yes"];
        self.svc(&line).stdin(PASSWORD).ok();
    }

    /// Brings search and hashtags up to date, as the server does each second.
    pub(crate) async fn index(&self) {
        self.server.index().await;
    }

    /// Writes a file, and answers with its path.
    pub(crate) fn file(&self, name: &str, text: &str) -> String {
        let path = self.folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    }

    /// The kept API key of a profile.
    pub(crate) fn key(&self, profile: &str) -> String {
        let path = self.folder.path().join("credentials.toml");
        let text = std::fs::read_to_string(path).unwrap();
        let profiles: toml::Table = text.parse().unwrap();
        profiles[profile]["api_key"].as_str().unwrap().to_owned()
    }
}

/// A command line whose profiles are in `folder`, in an environment without anything else.
pub(crate) fn typed(folder: &TempDir, arguments: &[&str]) -> Typed {
    let mut command = Command::new(env!("CARGO_BIN_EXE_svc"));
    command
        .args(arguments)
        .env_clear()
        .env("TZ", "UTC")
        .env("PATH", "/usr/bin:/bin")
        .env("SVC_CONFIG_DIR", folder.path());
    Typed { command, stdin: None }
}

/// A command line that was typed and not sent off yet.
pub(crate) struct Typed {
    pub(crate) command: Command,
    stdin: Option<String>,
}

impl Typed {
    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.command.env(name, value);
        self
    }

    pub(crate) fn stdin(mut self, text: &str) -> Self {
        self.stdin = Some(text.to_owned());
        self
    }

    /// Runs it to its end.
    pub(crate) fn run(mut self) -> Ended {
        let stdin = if self.stdin.is_some() { Stdio::piped() } else { Stdio::null() };
        self.command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = self.command.spawn().unwrap();
        if let Some(text) = self.stdin {
            child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        }
        let (sender, receiver) = mpsc::channel();
        std::thread::spawn(move || sender.send(child.wait_with_output()));
        let output = receiver.recv_timeout(LIMIT).expect("the command waits for something");
        Ended::new(&self.command, &output.unwrap())
    }

    /// Runs it, and answers with what it printed; it must succeed.
    #[track_caller]
    pub(crate) fn ok(self) -> String {
        self.run().ends_with(0).stdout
    }

    /// The same as JSON.
    #[track_caller]
    pub(crate) fn json(self) -> Value {
        let ended = self.run().ends_with(0);
        assert_eq!(ended.stderr, "", "{}", ended.line);
        serde_json::from_str(&ended.stdout).expect(&ended.line)
    }

    /// Runs it, and answers with the error object it printed; it must end with `code`.
    #[track_caller]
    pub(crate) fn fails(self, code: i32) -> Value {
        let ended = self.run().ends_with(code);
        assert_eq!(ended.stdout, "", "{}", ended.line);
        let error: Value = serde_json::from_str(&ended.stderr).expect(&ended.stderr);
        assert_eq!(error["exitCode"], code, "{error}");
        error
    }
}

/// A command that has ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) line: String,
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ended {
    fn new(command: &Command, output: &Output) -> Self {
        Self {
            line: format!("{:?}", command.get_args().collect::<Vec<_>>()),
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout.clone()).unwrap(),
            stderr: String::from_utf8(output.stderr.clone()).unwrap(),
        }
    }

    #[track_caller]
    pub(crate) fn ends_with(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{self:?}");
        self
    }
}

/// Reads until the text ends with `end`.
pub(crate) fn read_until(source: &mut (impl Read + AsFd), end: &str) -> String {
    let (begun, mut text) = (now(), Vec::new());
    while !text.ends_with(end.as_bytes()) {
        let is_in_time = begun.elapsed() < LIMIT && is_readable(&*source);
        assert!(is_in_time, "no {end:?} after {:?}", String::from_utf8_lossy(&text));
        let mut byte = [0];
        source.read_exact(&mut byte).expect("more to come");
        text.push(byte[0]);
    }
    String::from_utf8(text).unwrap()
}

/// Waits until there is something to read, or the other side has closed.
fn is_readable(source: &impl AsFd) -> bool {
    let limit = Timespec::try_from(LIMIT).unwrap();
    poll(&mut [PollFd::new(source, PollFlags::IN)], Some(&limit)).unwrap() > 0
}

#[expect(clippy::disallowed_methods, reason = "a limit to the waiting of a test")]
fn now() -> Instant {
    Instant::now()
}
