//! A real nats-server.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use svc_server::testing::{found, until};
use svc_store::testing::left_out;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};

/// Debian's, or one in `PATH`.
const DEBIAN: &str = "/usr/sbin/nats-server";

/// Says the id of the server's process, and ends it with the input.
const SCRIPT: &str = r#""$0" "$@" & echo $!; cat >/dev/null; kill -9 $! 2>/dev/null"#;

/// The server while it runs.
pub(crate) struct NatsServer {
    program: PathBuf,
    options: Vec<String>,
    folder: TempDir,
    port: u16,
    id: Pid,
    watchdog: Child,
}

impl NatsServer {
    /// A server with these options; none where there is no nats-server, which is reported, or fails if
    /// all services are required.
    pub(crate) async fn start(options: &[&str]) -> Option<Self> {
        let Some(program) = find_program() else {
            left_out("nats-server");
            return None;
        };
        let folder = TempDir::with_prefix("svc-nats-").unwrap();
        let options: Vec<String> = options.iter().map(|&option| option.to_owned()).collect();
        let (id, watchdog) = run(&program, &options, "-1", folder.path()).await;
        let file = folder.path().join(format!("nats-server_{}.ports", id.as_raw_nonzero()));
        let port = found("the port of nats-server", async || port_in(&file)).await;
        let server = Self { program, options, folder, port, id, watchdog };
        server.answers().await;
        Some(server)
    }

    /// Its host and port.
    pub(crate) fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    pub(crate) fn url(&self) -> String {
        format!("nats://{}", self.address())
    }

    /// `kill -9`.
    pub(crate) async fn kill(&mut self) {
        kill_process(self.id, Signal::KILL).unwrap();
        let address = self.address();
        until("the end of nats-server", async || TcpStream::connect(&address).await.is_err()).await;
    }

    /// Starts it again at the same port.
    pub(crate) async fn restart(&mut self) {
        let port = self.port.to_string();
        (self.id, self.watchdog) =
            run(&self.program, &self.options, &port, self.folder.path()).await;
        self.answers().await;
    }

    pub(crate) fn freeze(&self) {
        kill_process(self.id, Signal::STOP).unwrap();
    }

    pub(crate) fn thaw(&self) {
        kill_process(self.id, Signal::CONT).unwrap();
    }

    async fn answers(&self) {
        let address = self.address();
        until("nats-server", async || TcpStream::connect(&address).await.is_ok()).await;
    }
}

async fn run(program: &Path, options: &[String], port: &str, folder: &Path) -> (Pid, Child) {
    let mut command = Command::new("sh");
    command.args(["-c", SCRIPT]).arg(program).args(["-a", "127.0.0.1", "-p", port]);
    command.arg("--ports_file_dir").arg(folder).args(options);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut watchdog = command.spawn().unwrap();
    let mut lines = BufReader::new(watchdog.stdout.take().unwrap()).lines();
    let id = lines.next_line().await.unwrap().expect("it says its id").parse().unwrap();
    (Pid::from_raw(id).unwrap(), watchdog)
}

fn port_in(file: &Path) -> Option<u16> {
    let ports: Value = serde_json::from_slice(&fs::read(file).ok()?).ok()?;
    ports["nats"][0].as_str()?.rsplit(':').next()?.parse().ok()
}

fn find_program() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut places = std::env::split_paths(&path).map(|folder| folder.join("nats-server"));
    places
        .find(|file| file.is_file())
        .or_else(|| Path::new(DEBIAN).is_file().then(|| DEBIAN.into()))
}
