//! An attacker: a separate process that repeats a request as fast as responses arrive.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{Ipv6Addr, SocketAddr};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use reqwest::{Client, RequestBuilder};
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// Timeout of a request.
const TIMEOUT: Duration = Duration::from_mins(1);

/// Connections of one attack.
const CONNECTIONS: usize = 8;

/// The request of an attacker. `{n}` in a text becomes the number of the request.
#[derive(Clone, Default, Deserialize, Serialize)]
pub(crate) struct Attack {
    pub(crate) method: String,
    pub(crate) url: String,
    /// API keys, one per connection in turn; empty for an anonymous attacker.
    pub(crate) keys: Vec<String>,
    pub(crate) content_type: String,
    pub(crate) body: Vec<u8>,
    /// Whether each request comes from another network (/48 of IPv6) according to
    /// `X-Forwarded-For`.
    pub(crate) roams: bool,
    /// Raw bytes to send to this address instead, on connections that are read to their end.
    pub(crate) raw: Option<(SocketAddr, Vec<u8>)>,
    /// Number of the first request, so that phases do not repeat each other's names.
    pub(crate) first: u64,
}

/// A running attack. It ends, and counts its responses, when it is [stopped](Self::stop).
pub(crate) struct Attacker(Child);

impl Attacker {
    /// Starts an attack at the lowest priority: real attackers use other machines.
    pub(crate) fn start(attack: &Attack) -> Self {
        let program = std::env::current_exe().expect("a program knows its file");
        let mut command = Command::new("nice");
        command.args(["-n", "19"]).arg(program).arg("--attack");
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("the attacker can be started");
        let mut plan = serde_json::to_vec(attack).expect("texts and numbers");
        plan.push(b'\n');
        let input = child.stdin.as_mut().expect("the input is piped");
        input.write_all(&plan).expect("the attacker reads its plan");
        Self(child)
    }

    /// Ends the attack and returns the number of responses by status.
    pub(crate) fn stop(mut self) -> BTreeMap<String, u64> {
        drop(self.0.stdin.take());
        let output = self.0.wait_with_output().expect("the attacker ends");
        serde_json::from_slice(&output.stdout).expect("the attacker prints its counts")
    }
}

/// The attacker process: attacks until standard input ends, then prints its counts.
pub(crate) fn run() -> ! {
    let (mut plan, mut input) = (String::new(), std::io::stdin());
    input.read_line(&mut plan).expect("the plan is a line");
    let attack: Attack = serde_json::from_str(&plan).expect("the plan is an attack");
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    let runtime = runtime.worker_threads(1).enable_all().build().expect("a runtime can be built");
    let state = Arc::new(State { attack, sent: AtomicU64::new(0), counts: Mutex::default() });
    for connection in 0..CONNECTIONS {
        runtime.spawn(Arc::clone(&state).repeat(connection));
    }
    input.read_to_end(&mut Vec::new()).expect("the input ends");
    println!("{}", serde_json::to_string(&*state.counts()).expect("texts and numbers"));
    std::process::exit(0);
}

/// The shared state of an attack's connections.
struct State {
    attack: Attack,
    sent: AtomicU64,
    counts: Mutex<BTreeMap<String, u64>>,
}

impl State {
    /// Attacks until the process ends.
    async fn repeat(self: Arc<Self>, connection: usize) {
        let client = Client::builder().timeout(TIMEOUT).build().expect("a client can be built");
        loop {
            let number = self.attack.first + self.sent.fetch_add(1, Ordering::Relaxed);
            let outcome = self.attack.send(&client, connection, number).await;
            *self.counts().entry(outcome).or_default() += 1;
        }
    }

    fn counts(&self) -> MutexGuard<'_, BTreeMap<String, u64>> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Attack {
    /// Sends one request and returns its status, or the kind of failure.
    async fn send(&self, client: &Client, connection: usize, number: u64) -> String {
        if let Some((address, bytes)) = &self.raw {
            return match timeout(TIMEOUT, send_raw(*address, bytes)).await {
                Ok(Ok(length)) => format!("{length} bytes"),
                Ok(Err(error)) => format!("{:?}", error.kind()),
                Err(_) => "timeout".to_owned(),
            };
        }
        match self.request(client, connection, number).send().await {
            Ok(response) => {
                let status = response.status().as_u16();
                // A truncated response counts by its status too.
                let _ = response.bytes().await;
                status.to_string()
            }
            Err(_) => "cut".to_owned(),
        }
    }

    fn request(&self, client: &Client, connection: usize, number: u64) -> RequestBuilder {
        let method = self.method.parse().expect("the method is one");
        let mut request = client.request(method, self.url.replace("{n}", &number.to_string()));
        if !self.keys.is_empty() {
            request = request.bearer_auth(&self.keys[connection % self.keys.len()]);
        }
        if self.roams {
            let network = Ipv6Addr::from_bits(0x2a00 << 112 | u128::from(number) << 80);
            request = request.header("x-forwarded-for", network.to_string());
        }
        if !self.body.is_empty() {
            request = request.header("content-type", &self.content_type);
            request = request.body(self.numbered_body(number));
        }
        request
    }

    fn numbered_body(&self, number: u64) -> Vec<u8> {
        match std::str::from_utf8(&self.body) {
            Ok(text) => text.replace("{n}", &number.to_string()).into_bytes(),
            Err(_) => self.body.clone(),
        }
    }
}

/// Sends bytes on a new connection, reads it to its end and returns the number of bytes read.
async fn send_raw(address: SocketAddr, bytes: &[u8]) -> std::io::Result<usize> {
    let mut stream = TcpStream::connect(address).await?;
    stream.write_all(bytes).await?;
    stream.read_to_end(&mut Vec::new()).await
}
