//! The program as a process, and the folder it works in.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, ExitStatus, Output, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use svc_client::types::ApiKey;
use svc_client::{Client, ClientBuilder};
use svc_server::testing::PATIENCE;
use svc_store::testing::postgres;
use tempfile::TempDir;
use tokio::task::spawn_blocking;

/// A folder for one test: data, settings, log.
pub(crate) struct Place(TempDir);

impl Place {
    pub(crate) fn new() -> Self {
        Self(TempDir::with_prefix("svc-program-").unwrap())
    }

    /// The path of a file of this name.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// What the server wrote to its log so far.
    pub(crate) fn log(&self) -> String {
        fs::read_to_string(self.path("log")).unwrap_or_default()
    }

    /// The program on the data folder `data`, without the settings of the caller's environment.
    pub(crate) fn program(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_svc-server"));
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("SVC_") || name == "FAILPOINTS" {
                command.env_remove(name);
            }
        }
        command.current_dir(self.0.path()).arg("--data-dir").arg(self.path("data"));
        command
    }

    /// A server on the data folder.
    pub(crate) fn serve(&self) -> Server {
        self.serve_by(&mut self.program())
    }

    /// A server started by this command, its log in a file.
    pub(crate) fn serve_by(&self, command: &mut Command) -> Server {
        let log = File::options().create(true).append(true).open(self.path("log")).unwrap();
        command.args(["--listen", "127.0.0.1:0", "--mqtt-listen", "127.0.0.1:0"]);
        command.arg("--print-addresses");
        for (setting, value) in SETTINGS {
            let name = format!("{setting}=");
            if !command.get_args().any(|set| set.to_string_lossy().starts_with(&name)) {
                command.args(["--set", &(name + value)]);
            }
        }
        Server::start(command.stderr(log)).unwrap_or_else(|| panic!("{}", self.log()))
    }

    /// Copies the log of erased accounts of another place, as an operator does before a restore.
    pub(crate) fn take_log(&self, other: &Self) {
        fs::create_dir_all(self.path("data")).unwrap();
        fs::set_permissions(self.path("data"), fs::Permissions::from_mode(0o700)).unwrap();
        fs::copy(other.path("data/erasures.log"), self.path("data/erasures.log")).unwrap();
    }

    /// Runs a command to its end, which must be a good one; the answer is what it printed.
    #[track_caller]
    pub(crate) fn run(&self, arguments: &[&str]) -> String {
        let output = self.program().args(arguments).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {errors}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Runs a command to its end, which must be a bad one; the answer is what it says of it.
    #[track_caller]
    pub(crate) fn refused(&self, arguments: &[&str]) -> String {
        refused(self.program().args(arguments))
    }
}

/// A new database of PostgreSQL; none without PostgreSQL.
pub(crate) async fn database() -> Option<String> {
    let made = spawn_blocking(|| postgres::postgres().map(postgres::Cluster::database));
    made.await.unwrap()
}

/// Runs a command that fails without printing anything but its reason.
#[track_caller]
pub(crate) fn refused(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(!output.status.success(), "{command:?} succeeded");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
    String::from_utf8(output.stderr).unwrap()
}

/// Runs a command whose reader has left before it prints anything, as `head` leaves before the end.
pub(crate) fn unread(command: &mut Command) -> Output {
    let mut process = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(process.stdout.take());
    process.wait_with_output().unwrap()
}

/// Settings of servers unless a test says otherwise: loads and deals are what these tests are about,
/// and no load balancer is notified of a stop.
const SETTINGS: [(&str, &str); 4] = [
    ("exchange.signup_grant", "100"),
    ("exchange.grant_requires", "nothing"),
    ("limits.budgets", "false"),
    ("stop.delay", "0s"),
];

/// A server that is running; it is killed when dropped.
pub(crate) struct Server {
    child: Child,
    output: BufReader<ChildStdout>,
    /// The first line it printed.
    pub(crate) first_line: String,
}

impl Server {
    /// Starts a server and waits for its first line; `None` when it ends instead.
    pub(crate) fn start(command: &mut Command) -> Option<Self> {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut output = BufReader::new(child.stdout.take().expect("the output is piped"));
        let mut first_line = String::new();
        output.read_line(&mut first_line).unwrap();
        let server = Self { child, output, first_line };
        (!server.first_line.is_empty()).then_some(server)
    }

    /// Where it listens.
    pub(crate) fn address(&self) -> SocketAddr {
        let line: serde_json::Value = serde_json::from_str(&self.first_line).unwrap();
        line["http"].as_str().unwrap().parse().unwrap()
    }

    /// Where its MQTT broker listens.
    pub(crate) fn mqtt(&self) -> SocketAddr {
        let line: serde_json::Value = serde_json::from_str(&self.first_line).unwrap();
        line["mqtt"].as_str().unwrap().parse().unwrap()
    }

    /// Its process id.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// A client that tries once, without a key.
    pub(crate) fn client(&self) -> Client {
        client(self.address()).build().unwrap()
    }

    /// A client with this key.
    pub(crate) fn client_of(&self, key: &ApiKey) -> Client {
        client(self.address()).api_key(key.clone()).build().unwrap()
    }

    /// Sends a signal.
    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// Waits for the end of the process; the answer is its status and what it still printed.
    pub(crate) async fn end(mut self) -> (ExitStatus, String) {
        let id = Pid::from_child(&self.child);
        let ending = spawn_blocking(move || {
            let status = self.child.wait().unwrap();
            let mut rest = String::new();
            self.output.read_to_string(&mut rest).unwrap();
            (status, rest)
        });
        tokio::pin!(ending);
        if let Ok(ended) = tokio::time::timeout(PATIENCE, &mut ending).await {
            return ended.unwrap();
        }
        kill_process(id, Signal::KILL).unwrap();
        panic!("the server did not end by itself, but as {:?}", ending.await.unwrap().0);
    }

    /// Stops it as a service manager does; it must end well.
    pub(crate) async fn stop(self) {
        self.signal(Signal::TERM);
        assert_eq!(self.end().await.0.code(), Some(0));
    }

    /// Kills it as a power cut does.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A client for what no typed one sends. It asks no proxy of the environment.
pub(crate) fn http_client() -> reqwest::Client {
    reqwest::Client::builder().no_proxy().build().unwrap()
}

fn client(address: SocketAddr) -> ClientBuilder {
    Client::builder(format!("http://{address}/api")).http_client(http_client()).retries(0)
}

/// Reads a database file while the server runs.
pub(crate) fn read_database<T: rusqlite::types::FromSql>(file: &Path, sql: &str) -> T {
    let database = rusqlite::Connection::open(file).unwrap();
    database.query_row(sql, [], |row| row.get(0)).unwrap()
}
