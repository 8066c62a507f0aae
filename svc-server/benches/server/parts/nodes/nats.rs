//! A nats-server, by which nodes hear of each other.

use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tokio::net::TcpStream;
use tokio::time::timeout;

use super::scene::free_address;

/// The one of `PATH`, or else Debian's.
const PROGRAMS: [&str; 2] = ["nats-server", "/usr/sbin/nats-server"];

/// Timeout of its start.
const START_TIMEOUT: Duration = Duration::from_secs(10);

/// The server while it runs.
pub(super) struct Nats {
    child: Child,
    address: SocketAddr,
}

impl Nats {
    /// `None`, with a message on stderr, if it is not installed.
    pub(super) async fn start() -> Option<Self> {
        let address = free_address();
        let Some(child) = PROGRAMS.iter().find_map(|program| run(program, address)) else {
            eprintln!("  LEFT OUT: nats-server is not installed, so the bus is PostgreSQL alone");
            return None;
        };
        let server = Self { child, address };
        timeout(START_TIMEOUT, server.listens()).await.expect("nats-server listens");
        Some(server)
    }

    pub(super) fn url(&self) -> String {
        format!("nats://{}", self.address)
    }

    async fn listens(&self) {
        while TcpStream::connect(self.address).await.is_err() {
            tokio::task::yield_now().await;
        }
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        // It may have exited already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn run(program: &str, address: SocketAddr) -> Option<Child> {
    let (host, port) = (address.ip().to_string(), address.port().to_string());
    let mut command = Command::new(program);
    command.args(["-a", &host, "-p", &port]).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().ok()
}
