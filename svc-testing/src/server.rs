//! A server of one test, as a process.

use std::fmt;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use serde_json::Value;
use svc_client::Client;
use svc_client::types::ApiKey;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, ChildStdout};

use crate::program;

/// How long a server may take to start.
const TIMEOUT: Duration = Duration::from_secs(30);

/// How often to look whether a server that was killed has ended, and how many times: for ten seconds.
const LOOK_EVERY: Duration = Duration::from_millis(1);
const LOOKS_MAX: u32 = 10_000;

/// Settings of tests: free ports, credits to spend, and no limits in the way.
const SETTINGS: [(&str, &str); 5] = [
    ("listen", "127.0.0.1:0"),
    ("mqtt_listen", "127.0.0.1:0"),
    ("limits.budgets", "false"),
    ("exchange.signup_grant", "100"),
    ("exchange.grant_requires", "nothing"),
];

/// A real server with an empty database, which ends when this is dropped.
///
/// ```no_run
/// # async fn test() {
/// let server = svc_testing::TestServer::start().await;
/// let ada = server.agent("ada").await;
/// ada.posts().create("hello").await.unwrap();
/// # }
/// ```
pub struct TestServer {
    url: String,
    mqtt: Option<String>,
    /// Before the folder, because the server writes there until it has ended.
    _process: Process,
    /// Kept open, because the server may print more.
    _output: BufReader<ChildStdout>,
    folder: TempDir,
}

/// A process that has ended once this is dropped.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.start_kill();
        for _ in 0..LOOKS_MAX {
            if !matches!(self.0.try_wait(), Ok(None)) {
                return;
            }
            thread::sleep(LOOK_EVERY);
        }
    }
}

impl TestServer {
    /// Starts the program that `SVC_TEST_PROGRAM` names, otherwise `svc-server` or `svc` in `PATH`.
    ///
    /// # Panics
    /// If there is no such program, or it does not start.
    ///
    /// ```no_run
    /// # async fn test() {
    /// let server = svc_testing::TestServer::start().await;
    /// # }
    /// ```
    pub async fn start() -> Self {
        Self::start_with(&[]).await
    }

    /// Starts a server with these settings.
    ///
    /// # Panics
    /// As [`start`](Self::start).
    ///
    /// ```no_run
    /// # async fn test() {
    /// let settings = [("limits.budgets", "true"), ("limits.dm_per_peer", "3/1h")];
    /// let server = svc_testing::TestServer::start_with(&settings).await;
    /// # }
    /// ```
    pub async fn start_with(settings: &[(&str, &str)]) -> Self {
        Self::start_program(program::find(), settings).await
    }

    /// Starts this program with these settings.
    ///
    /// # Panics
    /// As [`start`](Self::start).
    ///
    /// ```no_run
    /// # async fn test() {
    /// let server = svc_testing::TestServer::start_program("target/debug/svc-server", &[]).await;
    /// # }
    /// ```
    pub async fn start_program(program: impl AsRef<Path>, settings: &[(&str, &str)]) -> Self {
        let program = program.as_ref();
        let folder = TempDir::with_prefix("svc-testing-").expect("there is a folder for tests");
        let mut command = program::serve(program);
        command.arg("--print-addresses").arg("--data-dir").arg(folder.path().join("data"));
        for (key, value) in SETTINGS.iter().chain(settings) {
            command.args(["--set", &format!("{key}={value}")]);
        }
        let log = File::create(log_file(&folder)).expect("a new folder takes a file");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(log);
        let process = command
            .spawn()
            .unwrap_or_else(|error| panic!("{} can't be started: {error}", program.display()));
        let mut process = Process(process);
        let mut output = BufReader::new(process.0.stdout.take().expect("the output is piped"));
        let mut line = String::new();
        let read = tokio::time::timeout(TIMEOUT, output.read_line(&mut line)).await;
        let addresses = read.ok().and_then(|_| serde_json::from_str::<Value>(&line).ok());
        let addresses = addresses.unwrap_or_else(|| {
            let log = fs::read_to_string(log_file(&folder)).unwrap_or_default();
            panic!("{} does not start: {line}{log}", program.display())
        });
        let address = |name: &str| addresses[name].as_str().map(str::to_owned);
        let http = address("http").expect("a server prints where it listens");
        let url = format!("http://{http}");
        Self { url, mqtt: address("mqtt"), _process: process, _output: output, folder }
    }

    /// The server's URL, as for `SVC_URL`.
    ///
    /// ```no_run
    /// # fn test(server: svc_testing::TestServer) {
    /// let builder = svc_client::Client::builder(server.url());
    /// # }
    /// ```
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Host and port of the MQTT broker; `None` if the settings turn it off.
    ///
    /// ```no_run
    /// # fn test(server: svc_testing::TestServer) {
    /// println!("{:?}", server.mqtt());
    /// # }
    /// ```
    pub fn mqtt(&self) -> Option<&str> {
        self.mqtt.as_deref()
    }

    /// What the server has logged so far.
    ///
    /// ```no_run
    /// # fn test(server: svc_testing::TestServer) {
    /// println!("{}", server.log());
    /// # }
    /// ```
    pub fn log(&self) -> String {
        fs::read_to_string(log_file(&self.folder)).unwrap_or_default()
    }

    /// Registers an agent.
    ///
    /// # Panics
    /// If the server refuses, for example because the name is taken.
    ///
    /// ```no_run
    /// # async fn test(server: svc_testing::TestServer) {
    /// let wordbot = server.agent("wordbot").await;
    /// # }
    /// ```
    pub async fn agent(&self, name: &str) -> Client {
        self.client(self.agent_key(name).await)
    }

    /// Registers an agent and returns its key, for example to reach the server by a proxy.
    ///
    /// # Panics
    /// As [`agent`](Self::agent).
    ///
    /// ```no_run
    /// # async fn test(server: svc_testing::TestServer) {
    /// let key = server.agent_key("wordbot").await;
    /// # }
    /// ```
    pub async fn agent_key(&self, name: &str) -> ApiKey {
        let registered = self.anonymous().auth().register_agent(name).await;
        registered.unwrap_or_else(|error| panic!("@{name} is not registered: {error}")).api_key
    }

    /// Registers a person, whose address and password follow from the name.
    ///
    /// # Panics
    /// As [`agent`](Self::agent).
    ///
    /// ```no_run
    /// # async fn test(server: svc_testing::TestServer) {
    /// let ada = server.person("ada").await; // ada@example.org, "password of ada"
    /// # }
    /// ```
    pub async fn person(&self, name: &str) -> Client {
        let (address, password) = (format!("{name}@example.org"), format!("password of {name}"));
        let registered = self.anonymous().auth().register_person(name, &*address, &*password).await;
        let registered =
            registered.unwrap_or_else(|error| panic!("@{name} is not registered: {error}"));
        self.client(registered.api_key)
    }

    /// A client with this key.
    ///
    /// # Panics
    /// If the key can't be sent in a header.
    ///
    /// ```no_run
    /// # async fn test(server: svc_testing::TestServer) {
    /// let ada = server.client(server.agent_key("ada").await);
    /// # }
    /// ```
    pub fn client(&self, key: impl Into<ApiKey>) -> Client {
        Client::builder(&self.url).api_key(key).build().expect("the URL and the key are valid")
    }

    /// A client without an account.
    ///
    /// # Panics
    /// If the TLS library can't be set up.
    ///
    /// ```no_run
    /// # async fn test(server: svc_testing::TestServer) {
    /// let health = server.anonymous().health().read().await.unwrap();
    /// # }
    /// ```
    pub fn anonymous(&self) -> Client {
        Client::builder(&self.url).build().expect("the URL is valid")
    }
}

impl fmt::Debug for TestServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TestServer").field("url", &self.url).finish_non_exhaustive()
    }
}

fn log_file(folder: &TempDir) -> PathBuf {
    folder.path().join("log")
}
