//! One node of a cluster of rmqtt, configured as for production use with the server: the
//! server says who may do what, and what it does not allow is denied.
//!
//! ```text
//! svc-test-rmqtt ID [MQTT_PORT GRPC_PORT RAFT_PORT]
//! ```
//!
//! It prints its ports, then reads one line of JSON (see [`Setup`]) and runs until its input
//! ends.

use std::io::{self, Write};
use std::net::{Ipv4Addr, SocketAddr};

use async_trait::async_trait;
use rmqtt::context::ServerContext;
use rmqtt::hook::{Handler, HookResult, Parameter, ReturnType, Type};
use rmqtt::net::Builder;
use rmqtt::server::MqttServer;
use rmqtt::session::Session;
use rmqtt::types::{AuthResult, Publish, QoS, Subscribe};
use serde::Deserialize;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::net::TcpSocket;

/// What plugins ask first, of those that judge a login. The one that asks the server has 100.
const BEFORE_ALL: u32 = 1_000;

/// How the topics of channels begin.
const CHANNELS: &str = "svc/channels/";

/// What a node has to know of the others.
#[derive(Deserialize)]
struct Setup {
    /// Where the server is asked, such as `http://127.0.0.1:8090`.
    url: String,
    /// The secret that the server and its broker share.
    secret: String,
    /// All nodes of the cluster, this one too, as `ID@HOST:GRPC_PORT`.
    nodes: Vec<String>,
    /// The same as `ID@HOST:RAFT_PORT`. The first leads at the beginning.
    peers: Vec<String>,
}

#[tokio::main]
async fn main() -> rmqtt::Result<()> {
    let mut words = std::env::args().skip(1).map(|word| word.parse::<u16>());
    let id = words.next().expect("the first word is the node's number")?;
    let mut port = || words.next().unwrap_or(Ok(0));
    let (mqtt, grpc, raft) = (loopback(port()?), loopback(port()?), loopback(port()?));
    let listener = Builder::new()
        .name("mqtt")
        .laddr(mqtt)
        .reuseaddr(Some(true))
        .nodelay(true)
        .allow_anonymous(false)
        .max_packet_size(524_288)
        .bind()?
        .tcp()?;
    // Held, so that they stay this node's until its peers are known.
    let (grpc, raft) = (hold(grpc)?, hold(raft)?);
    let ports = [listener.local_addr()?, grpc.local_addr()?, raft.local_addr()?];
    println!("{}", ports.map(|address| address.port().to_string()).join(" "));
    io::stdout().flush()?;
    let mut input = BufReader::new(tokio::io::stdin()).lines();
    let Some(line) = input.next_line().await? else { return Ok(()) };
    let setup: Setup = serde_json::from_str(&line)?;
    let node = start(id.into(), grpc.local_addr()?, &setup).await?;
    tokio::spawn(MqttServer::new(node).listener_by_id(listener, id).build().run());
    while input.next_line().await?.is_some() {}
    Ok(())
}

fn loopback(port: u16) -> SocketAddr {
    (Ipv4Addr::LOCALHOST, port).into()
}

/// A port reserved for this process until it listens there.
fn hold(address: SocketAddr) -> io::Result<TcpSocket> {
    let held = TcpSocket::new_v4()?;
    held.set_reuseaddr(true)?;
    held.set_reuseport(true)?;
    held.bind(address)?;
    Ok(held)
}

/// A node that talks to its peers and asks the server; it has no clients yet.
async fn start(id: u64, grpc: SocketAddr, setup: &Setup) -> rmqtt::Result<ServerContext> {
    let node = ServerContext::new()
        .node_id(id)
        // A busy machine is no reason to refuse clients of a test.
        .busy_check_enable(false)
        .plugins_config_map_add("rmqtt-auth-http", asking(setup))
        // What the server did not allow, for whatever reason, is not allowed.
        .plugins_config_map_add("rmqtt-acl", r#"rules = [["deny", "all"]]"#)
        .plugins_config_map_add("rmqtt-cluster-raft", peers(setup))
        .build()
        .await;
    node.node.start_grpc_server(node.clone(), grpc, true, true);
    rmqtt_cluster_raft::register(&node, true, true).await?;
    rmqtt_auth_http::register(&node, true, true).await?;
    rmqtt_acl::register(&node, true, true).await?;
    let own = node.extends.hook_mgr().register();
    for asked in [Type::ClientAuthenticate, Type::MessageExpiryCheck] {
        own.add_priority(asked, BEFORE_ALL, Box::new(Guard { node: node.clone() })).await;
    }
    own.start().await;
    Ok(node)
}

/// How the server is asked, in its dialect `rmqtt`.
fn asking(Setup { url, secret, .. }: &Setup) -> String {
    format!(
        r#"
        http_timeout = "5s"
        deny_if_error = true
        disconnect_if_pub_rejected = true
        disconnect_if_expiry = true
        http_headers = {{ "X-Svc-Internal-Secret" = "{secret}" }}
        [http_auth_req]
        url = "{url}/internal/mqtt/auth?dialect=rmqtt"
        method = "post"
        headers = {{ "content-type" = "application/json" }}
        params = {{ clientid = "%c", username = "%u", password = "%P" }}
        [http_acl_req]
        url = "{url}/internal/mqtt/acl?dialect=rmqtt"
        method = "post"
        headers = {{ "content-type" = "application/json" }}
        params = {{ access = "%A", clientid = "%c", username = "%u", topic = "%t" }}
        "#
    )
}

fn peers(Setup { nodes, peers, .. }: &Setup) -> String {
    format!(
        r#"
        node_grpc_addrs = {nodes:?}
        raft_peer_addrs = {peers:?}
        leader_id = 1
        # A node that is gone holds the others up no longer than this.
        node_grpc_client_timeout = "2s"
        raft.grpc_reuseaddr = true
        raft.grpc_reuseport = true
        "#
    )
}

/// What rmqtt alone would let happen.
struct Guard {
    node: ServerContext,
}

#[async_trait]
impl Handler for Guard {
    async fn hook(&self, asked: &Parameter, answer: Option<HookResult>) -> ReturnType {
        match asked {
            // rmqtt publishes will messages without asking whether the client may, so that they
            // could go wherever others listen. Here clients say nothing.
            Parameter::ClientAuthenticate(login) if login.last_will().is_some() => {
                (false, Some(HookResult::AuthResult(AuthResult::NotAuthorized)))
            }
            // It asks when somebody subscribes and never again; but one may leave a channel.
            Parameter::MessageExpiryCheck(session, _, message)
                if message.topic.starts_with(CHANNELS)
                    && !self.may_receive(session, message).await =>
            {
                (false, Some(HookResult::MessageExpiry))
            }
            _ => (true, answer),
        }
    }
}

impl Guard {
    /// Whether the server would let it subscribe now.
    async fn may_receive(&self, session: &Session, message: &Publish) -> bool {
        let again = Subscribe::from_v3(&message.topic, QoS::AtLeastOnce, false, false);
        let Ok(again) = again else { return false };
        let asking = self.node.extends.hook_mgr().hook(session.clone());
        let answer = asking.client_subscribe_check_acl(&again).await;
        answer.is_some_and(|answer| !answer.failure())
    }
}
