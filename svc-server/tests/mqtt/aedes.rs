//! A real external broker: aedes, a broker in JavaScript for MQTT 3.1.1, which calls the server through
//! some lines of glue (`foreign/aedes.cjs`).

use std::net::SocketAddr;
use std::path::Path;
use std::process::Stdio;

use serde_json::json;
use svc_server::testing::in_time;
use svc_store::testing::left_out;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, Command};

/// The broker while it runs; it ends with its input.
pub(crate) struct Aedes {
    child: Child,
    pub(crate) address: SocketAddr,
}

impl Aedes {
    /// None if node has no aedes, which is reported, or fails if all services are required.
    pub(crate) async fn start(port: u16) -> Option<Self> {
        let mut look = Command::new("node");
        look.args(["-e", "require.resolve('aedes')"]).stderr(Stdio::null());
        if !look.status().await.is_ok_and(|status| status.success()) {
            left_out("aedes in NODE_PATH");
            return None;
        }
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mqtt/foreign/aedes.cjs");
        let mut command = Command::new("node");
        command.arg(script).arg(port.to_string()).kill_on_drop(true);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let line = in_time("aedes starts", lines.next_line()).await;
        let port: u16 = line.unwrap().expect("it says its port").parse().unwrap();
        Some(Self { child, address: ([127, 0, 0, 1], port).into() })
    }

    /// The server's setting for it.
    pub(crate) fn url(&self) -> String {
        format!("mqtt://svc:service@{}", self.address)
    }

    /// Kills it, with all its state.
    pub(crate) async fn kill(mut self) {
        self.child.kill().await.unwrap();
    }

    /// Sends it the address of the server.
    pub(crate) async fn use_server(&mut self, server: SocketAddr) {
        let line = json!({ "url": format!("http://{server}"), "secret": "hush" });
        let input = self.child.stdin.as_mut().unwrap();
        input.write_all(format!("{line}\n").as_bytes()).await.unwrap();
    }
}
