//! The processes under load, and their resource usage.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use svc_client::Client;
use svc_store::testing::postgres;

use crate::cpu;

/// A process that serves HTTP and is killed on drop.
pub(crate) struct Process {
    child: Child,
    /// The address of the API.
    pub(crate) address: SocketAddr,
    /// The address of its broker; the API's for a program without one.
    pub(crate) mqtt: SocketAddr,
    /// Time from the start of the process to its first line.
    pub(crate) ready_after: Duration,
    /// That line.
    pub(crate) said: Value,
}

impl Process {
    /// Starts a program whose first line of output is `{"http":"ADDRESS"}`.
    fn start(command: &mut Command) -> Self {
        let began = Instant::now();
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the program can be started");
        let mut line = String::new();
        let mut output = BufReader::new(child.stdout.take().expect("the output is piped"));
        output.read_line(&mut line).expect("the program prints its address");
        let ready_after = began.elapsed();
        let said: Value = serde_json::from_str(&line).expect("the first line is JSON");
        let address = |name: &str| said[name].as_str().and_then(|text| text.parse().ok());
        let http = address("http").expect("the first line holds the address");
        let mqtt = address("mqtt").unwrap_or(http);
        Self { child, address: http, mqtt, ready_after, said }
    }

    /// The real server with these settings.
    pub(crate) fn server(data: &Path, settings: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_svc-server"));
        command.args([
            "--listen",
            "127.0.0.1:0",
            "--mqtt-listen",
            "127.0.0.1:0",
            "--log",
            "warn",
            "--print-addresses",
            "--set",
            "limits.budgets=false",
            "--data-dir",
        ]);
        command.arg(data);
        for setting in settings {
            command.args(["--set", setting]);
        }
        Self::start(&mut command)
    }

    /// The real server on a temporary PostgreSQL, if PostgreSQL is installed.
    pub(crate) fn server_on_postgres(data: &Path) -> Option<Self> {
        let url = postgres::postgres()?.database();
        Some(Self::server(data, &[&format!("database_url={url}")]))
    }

    /// A server that only parses HTTP.
    pub(crate) fn ceiling() -> Self {
        let own = std::env::current_exe().expect("a program knows its file");
        Self::start(Command::new(own).arg("--ceiling"))
    }

    /// Another server, as `.ci/run peers` installed it, with accounts that have posts.
    pub(crate) fn peer(name: &str, tools: &Path, data: &Path) -> Self {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/peers/start.py");
        let mut command = Command::new("python3");
        command.arg(script).arg(name).arg(tools).arg(data);
        // Its modules lie in the repository.
        Self::start(command.env("PYTHONDONTWRITEBYTECODE", "1"))
    }

    /// A client for set-up, without a key.
    pub(crate) fn client(&self) -> Client {
        self.builder().build().expect("the settings are valid")
    }

    /// A builder of such a client, to add a key.
    pub(crate) fn builder(&self) -> svc_client::ClientBuilder {
        Client::builder(format!("http://{}/api", self.address))
    }

    /// Seconds that it has spent on processors.
    pub(crate) fn cpu_seconds(&self) -> f64 {
        cpu::seconds(self.child.id())
    }

    /// Resident memory in MB, of the process that the first line names, if it names one.
    pub(crate) fn resident_mb(&self) -> f64 {
        let id = self.said["pid"].as_u64().unwrap_or_else(|| self.child.id().into());
        let path = format!("/proc/{id}/status");
        let status = std::fs::read_to_string(path).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kib: f64 = line
            .and_then(|line| line.trim().strip_suffix("kB")?.trim().parse().ok())
            .unwrap_or(0.0);
        kib / 1024.0
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have exited already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
