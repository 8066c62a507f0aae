//! A real external broker: a cluster of three nodes of rmqtt, a broker in Rust for MQTT 3.1.1 and
//! 5, which calls the server through its plugin. `.ci/run brokers` builds it from `foreign/rmqtt`.

use std::net::SocketAddr;
use std::process::Stdio;

use serde_json::json;
use svc_server::testing::in_time;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, Command};

use crate::third_party_clients::is_installed;

/// The program that is a node.
const PROGRAM: &str = "svc-test-rmqtt";

/// How many nodes there are.
const NODES: usize = 3;

/// The nodes while they run; each ends with its input.
pub(crate) struct Cluster {
    nodes: Vec<Node>,
    /// Settings that each node receives once the server is known.
    setup: String,
}

struct Node {
    child: Child,
    mqtt: SocketAddr,
    /// Ports at which the nodes talk.
    grpc: u16,
    raft: u16,
}

impl Cluster {
    /// None if the program is missing, which is reported, or fails if all services are required.
    pub(crate) async fn start() -> Option<Self> {
        if !is_installed(PROGRAM, "`.ci/run brokers` builds it") {
            return None;
        }
        let mut nodes = Vec::with_capacity(NODES);
        for number in 1..=NODES {
            nodes.push(Node::start(number, [0; 3]).await);
        }
        Some(Self { nodes, setup: String::new() })
    }

    /// Where clients find the node of this number; the first is the server's.
    pub(crate) fn address(&self, number: usize) -> SocketAddr {
        self.nodes[number - 1].mqtt
    }

    /// Sends all nodes the address of the server; only then do they accept clients.
    pub(crate) async fn use_server(&mut self, server: SocketAddr) {
        let (url, secret) = (format!("http://{server}"), "hush");
        let (nodes, peers) = (self.each(|node| node.grpc), self.each(|node| node.raft));
        let setup = json!({ "url": url, "secret": secret, "nodes": nodes, "peers": peers });
        self.setup = format!("{setup}\n");
        for node in &mut self.nodes {
            node.configure(&self.setup).await;
        }
    }

    /// All nodes as they know each other, at one of their ports.
    fn each(&self, port: impl Fn(&Node) -> u16) -> Vec<String> {
        let nodes = self.nodes.iter().enumerate();
        nodes.map(|(index, node)| format!("{}@127.0.0.1:{}", index + 1, port(node))).collect()
    }

    /// Kills a node, with all its state.
    pub(crate) async fn kill(&mut self, number: usize) {
        self.nodes[number - 1].child.kill().await.unwrap();
    }

    /// Starts a node again that was ended.
    pub(crate) async fn revive(&mut self, number: usize) {
        let gone = &self.nodes[number - 1];
        let mut node = Node::start(number, [gone.mqtt.port(), gone.grpc, gone.raft]).await;
        node.configure(&self.setup).await;
        self.nodes[number - 1] = node;
    }
}

impl Node {
    async fn start(number: usize, ports: [u16; 3]) -> Self {
        let mut command = Command::new(PROGRAM);
        command.arg(number.to_string()).args(ports.map(|port| port.to_string()));
        command.kill_on_drop(true).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let line = in_time("a node of rmqtt starts", lines.next_line()).await;
        let line = line.unwrap().expect("it says its ports");
        let ports: Vec<u16> = line.split(' ').map(|port| port.parse().unwrap()).collect();
        let [mqtt, grpc, raft] = ports[..] else { panic!("{line}") };
        Self { child, mqtt: ([127, 0, 0, 1], mqtt).into(), grpc, raft }
    }

    async fn configure(&mut self, setup: &str) {
        self.child.stdin.as_mut().unwrap().write_all(setup.as_bytes()).await.unwrap();
    }
}
