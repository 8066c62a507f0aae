//! The ceiling of a broker: rumqttd, without authorization and storage.
//!
//! Install it with `cargo install rumqttd --version 0.20.0 --no-default-features`. It is not a
//! dependency, because one part of the benchmark does not justify its crates.

use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;

use super::{LISTENERS, MESSAGES, framed, receive, receive_one, text};

/// Timeout of its start.
const START_TIMEOUT: Duration = Duration::from_secs(10);

/// The topic of all subscribers.
const TOPIC: &str = "svc/channels/bench";

/// rumqttd and its subscribers.
pub(super) struct Rumqttd {
    child: Child,
    _folder: TempDir,
    streams: Vec<TcpStream>,
    publisher: TcpStream,
}

impl Rumqttd {
    /// `None`, with a message on stderr, if it is not installed.
    pub(super) async fn start() -> Option<Self> {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let free = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let address = free.local_addr().expect("a bound socket has an address");
        drop(free);
        let settings = folder.path().join("rumqttd.toml");
        std::fs::write(&settings, config(address)).expect("a file can be written");
        let mut program = Command::new("rumqttd");
        program.arg("--config").arg(settings).stdout(Stdio::null()).stderr(Stdio::null());
        let Ok(child) = program.spawn() else {
            eprintln!("LEFT OUT: `rumqttd` is not installed, so fan-out is not compared with it");
            eprintln!("          cargo install rumqttd --version 0.20.0 --no-default-features");
            return None;
        };
        let publisher = timeout(START_TIMEOUT, connect(address)).await.expect("rumqttd listens");
        let mut streams = Vec::new();
        for number in 0..LISTENERS {
            let id = format!("ear-{number}");
            streams.push(receive_one(address, &id, ["bench", "bench"], TOPIC).await);
        }
        Some(Self { child, _folder: folder, streams, publisher })
    }

    /// Deliveries per second, of messages as large as ours.
    pub(super) async fn fan_out(&mut self) -> f64 {
        let packet = framed(0x30, &[&text(TOPIC)[..], &[b'x'; 300]].concat());
        let began = Instant::now();
        for _ in 0..MESSAGES {
            let receiving = receive(std::mem::take(&mut self.streams));
            self.publisher.write_all(&packet).await.expect("it is read");
            self.streams = receiving.await.expect("all receive");
        }
        f64::from(MESSAGES * LISTENERS) / began.elapsed().as_secs_f64()
    }
}

impl Drop for Rumqttd {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
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
    let login = [&text("MQTT")[..], &[4, 2, 0, 60], &text("mouth")].concat();
    stream.write_all(&framed(0x10, &login)).await.expect("the broker reads it");
    let mut answer = [0; 4];
    stream.read_exact(&mut answer).await.expect("it is answered");
    assert_eq!(answer[3], 0, "it may speak");
    stream
}

fn config(address: SocketAddr) -> String {
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
