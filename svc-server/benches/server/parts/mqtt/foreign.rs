//! Programs that are only brokers: they neither authorize nor store. They are no dependencies, because one part of
//! the benchmark does not justify their crates.

use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;

use super::fan_out::{LISTENERS, PAYLOAD};
use super::wire::{Listener, framed, receive, subscribe, text};

/// Timeout of a start.
const START_TIMEOUT: Duration = Duration::from_secs(10);

/// The topic of all subscribers.
const TOPIC: &str = "svc/channels/bench";

/// A broker that may be installed.
#[derive(Clone, Copy)]
pub(super) struct Kind {
    pub(super) name: &'static str,
    installed_by: &'static str,
    /// The option that names the file of its settings.
    option: &'static str,
    settings: fn(SocketAddr) -> String,
}

/// What the server is compared with.
pub(super) const KINDS: [Kind; 2] = [
    Kind {
        name: "rumqttd",
        installed_by: "cargo install rumqttd --version 0.20.0 --no-default-features",
        option: "--config",
        settings: for_rumqttd,
    },
    Kind {
        name: "mosquitto",
        installed_by: "apt-get install mosquitto",
        option: "-c",
        settings: for_mosquitto,
    },
];

/// A program that runs until this is dropped.
struct Program(Child);

/// A running broker and its subscribers.
pub(super) struct Broker {
    pub(super) name: &'static str,
    _program: Program,
    _folder: TempDir,
    listeners: Vec<Listener>,
    publisher: TcpStream,
}

impl Broker {
    /// `None`, with a message on stderr, if it is not installed.
    pub(super) async fn start(kind: Kind) -> Option<Self> {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let free = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let address = free.local_addr().expect("a bound socket has an address");
        drop(free);
        let Some(program) = kind.spawn(folder.path(), address) else {
            let Kind { name, installed_by, .. } = kind;
            eprintln!("  {name}: left out, because it is not installed ({installed_by})");
            return None;
        };
        let publisher = timeout(START_TIMEOUT, connect(address)).await.expect("the broker listens");
        let mut listeners = Vec::new();
        for number in 0..LISTENERS {
            let id = format!("listener-{number}");
            listeners.push(subscribe(address, &id, ["bench", "bench"], TOPIC).await);
        }
        Some(Self { name: kind.name, _program: program, _folder: folder, listeners, publisher })
    }

    /// Sends messages at once, and waits until all subscribers have received them.
    pub(super) async fn send(&mut self, at_once: u32) {
        let packet = framed(0x30, &[&text(TOPIC)[..], &PAYLOAD].concat());
        let receiving = receive(std::mem::take(&mut self.listeners), at_once);
        for _ in 0..at_once {
            self.publisher.write_all(&packet).await.expect("it is read");
        }
        self.listeners = receiving.await.expect("all receive");
    }
}

impl Kind {
    /// Starts the program, if it is installed.
    fn spawn(self, folder: &Path, address: SocketAddr) -> Option<Program> {
        let settings = folder.join("settings.toml");
        fs::write(&settings, (self.settings)(address)).expect("a file can be written");
        let mut program = Command::new(self.name);
        program.arg(self.option).arg(settings).stdout(Stdio::null()).stderr(Stdio::null());
        program.spawn().ok().map(Program)
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The publisher, once the broker listens.
async fn connect(broker: SocketAddr) -> TcpStream {
    let mut stream = loop {
        match TcpStream::connect(broker).await {
            Ok(stream) => break stream,
            Err(_) => tokio::task::yield_now().await,
        }
    };
    let login = [&text("MQTT")[..], &[4, 2, 0, 60], &text("publisher")].concat();
    stream.write_all(&framed(0x10, &login)).await.expect("the broker reads it");
    let mut answer = [0; 4];
    stream.read_exact(&mut answer).await.expect("it is answered");
    assert_eq!(answer[3], 0, "it may publish");
    stream
}

fn for_rumqttd(address: SocketAddr) -> String {
    format!(
        r#"
        id = 0
        [router]
        id = 0
        max_connections = 10010
        max_outgoing_packet_count = 200
        max_segment_size = 104857600
        max_segment_count = 10
        [v4.1]
        name = "bench"
        listen = "{address}"
        next_connection_delay_ms = 1
        [v4.1.connections]
        connection_timeout_ms = 60000
        max_payload_size = 20480
        max_inflight_count = 100
        "#
    )
}

fn for_mosquitto(address: SocketAddr) -> String {
    let (port, ip) = (address.port(), address.ip());
    format!("listener {port} {ip}\nallow_anonymous true\npersistence false\nlog_type none\n")
}
