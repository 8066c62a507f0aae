//! A stand-in for a chain with its token, and for a facilitator: what they answer is what the test says.
//! Their answers have the shapes of real ones, with which the tests of `program` run the server.

use std::sync::{Arc, Mutex, MutexGuard};

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// The setting by which a test asks for it, and its value.
const ASKED: &str = "x402.facilitator";
const ITS_OWN: &str = "its own";

/// The contract of the token.
pub(crate) const ASSET: &str = "0xAaaAAAaaAAaaaAaaAaaaaAaAaaAaAaaaaAaaAAAA";

/// Who gets the tokens.
pub(crate) const PAY_TO: &str = "0xCcCCcCcCCCCcCCCCccccCCCcCCCccccCcCcCCcCC";

/// Who pays.
pub(crate) const PAYER: &str = "0xbbBBbbbBbBbBbbbbbbbBbBbbBBbBBbBbbbbbBbBb";

const AUTHORIZATION_USED: &str =
    "0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5";
const TRANSFER: &str = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

/// Most blocks whose logs the node tells at once.
const BLOCKS_MAX: u64 = 2_000;

/// The first time of the chain's clock, which is that of the tests, in seconds.
pub(crate) const START: i64 = 1_769_851_800;

/// What the facilitator does when it is asked to send a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Settles {
    /// It sends the payment and says so.
    Honestly,
    /// It sends nothing, and says that it did.
    Lies,
    /// It sends the payment, and says that it failed.
    Denies,
    /// It sends the payment, and its answer is lost.
    Breaks,
    /// It sends nothing, because it is asked too often.
    Limits,
    /// It sends nothing, and never answers.
    Hangs,
}

/// Who never answers: the node at all, or the facilitator when it is asked about a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Silent {
    Node,
    Facilitator,
}

/// Both, until they are dropped.
pub(crate) struct FakeChain {
    url: String,
    state: Arc<Mutex<Books>>,
    task: JoinHandle<()>,
}

pub(crate) struct Books {
    /// Number and time of the newest block.
    pub(crate) block: u64,
    pub(crate) time: i64,
    /// Whether the node of the chain answers, and whether the facilitator does.
    pub(crate) has_node: bool,
    pub(crate) has_facilitator: bool,
    pub(crate) silent: Option<Silent>,
    /// What the node says in place of an answer, and the facilitator when it is asked about a payment.
    pub(crate) node_says: Option<&'static str>,
    pub(crate) facilitator_says: Option<&'static str>,
    pub(crate) settles: Settles,
    /// Why the facilitator refuses a payment.
    pub(crate) refuses: Option<&'static str>,
    /// How often it was asked about a payment, and to send one.
    pub(crate) verified: usize,
    pub(crate) settled: usize,
    logs: Vec<Value>,
}

impl Drop for FakeChain {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl FakeChain {
    /// A stand-in for a test whose settings ask for one.
    pub(crate) async fn asked_for(settings: &[(&str, &str)]) -> Option<Self> {
        if settings.contains(&(ASKED, ITS_OWN)) { Some(Self::start().await) } else { None }
    }

    pub(crate) async fn start() -> Self {
        let state = Arc::new(Mutex::new(Books {
            block: 100,
            time: START,
            has_node: true,
            has_facilitator: true,
            silent: None,
            node_says: None,
            facilitator_says: None,
            settles: Settles::Honestly,
            refuses: None,
            verified: 0,
            settled: 0,
            logs: Vec::new(),
        }));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let router = Router::new()
            .route("/rpc", post(rpc))
            .route("/verify", post(verify))
            .route("/settle", post(settle))
            .with_state(Arc::clone(&state));
        let task = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, state, task }
    }

    /// The settings of a server that uses it.
    pub(crate) fn settings(&self) -> Vec<(&'static str, String)> {
        let settings = [
            (ASKED, self.url.as_str()),
            ("x402.rpc_url", &format!("{}/rpc", self.url)),
            ("x402.network", "eip155:1337"),
            ("x402.asset", ASSET),
            ("x402.asset_name", "USD Coin"),
            ("x402.asset_version", "2"),
            ("x402.pay_to", PAY_TO),
            ("billing.allow_test", "true"),
        ];
        settings.map(|(name, text)| (name, text.to_owned())).into()
    }

    /// What it knows, to look at and to change.
    pub(crate) fn books(&self) -> MutexGuard<'_, Books> {
        self.state.lock().unwrap()
    }
}

impl Books {
    /// Makes empty blocks.
    pub(crate) fn mine(&mut self, blocks: u64) {
        self.block += blocks;
        self.time += 2 * i64::try_from(blocks).unwrap();
    }

    /// Brings tokens by a transfer of its own, such as one by hand.
    pub(crate) fn send(&mut self, amount: u64) {
        self.mine(1);
        let chain_tx = format!("0x{:064x}", self.block);
        let log = self.log(&chain_tx, 0, &[TRANSFER, &word(PAYER), &word(PAY_TO)], amount);
        self.logs.push(log);
    }

    /// Forgets the newest blocks and what is in them, as after a reorganization.
    pub(crate) fn forget(&mut self, blocks: u64) {
        self.block -= blocks;
        let newest = format!("{:#x}", self.block);
        self.logs.retain(|log| number(&log["blockNumber"]) <= number(&json!(newest)));
    }

    /// Says that the chain has dropped all blocks with logs, or that they are back.
    pub(crate) fn drop_logs(&mut self, removed: bool) {
        self.logs.iter_mut().for_each(|log| log["removed"] = json!(removed));
    }

    /// What the facilitator does with a payment.
    fn settle(&mut self, payment: &Value) -> Settles {
        self.settled += 1;
        if !matches!(self.settles, Settles::Lies | Settles::Limits | Settles::Hangs) {
            self.pay(payment);
        }
        self.settles
    }

    /// Makes a block with a payment, unless its nonce was used.
    fn pay(&mut self, payment: &Value) {
        let it = &payment["payload"]["authorization"];
        let [from, to, nonce] = ["from", "to", "nonce"].map(|name| it[name].as_str().unwrap());
        let used = [AUTHORIZATION_USED, &word(from), nonce];
        if self.logs.iter().any(|log| log["topics"] == json!(used)) {
            return;
        }
        self.mine(1);
        let amount = it["value"].as_str().unwrap().parse().unwrap();
        let chain_tx = format!("0x{:064x}", self.block);
        let logs = [
            self.log(&chain_tx, 0, &used, 0),
            self.log(&chain_tx, 1, &[TRANSFER, &word(from), &word(to)], amount),
        ];
        self.logs.extend(logs);
    }

    fn log(&self, chain_tx: &str, index: u64, topics: &[&str], amount: u64) -> Value {
        json!({
            "address": ASSET.to_lowercase(),
            "topics": topics,
            "data": format!("0x{amount:064x}"),
            "logIndex": format!("{index:#x}"),
            "blockNumber": format!("{:#x}", self.block),
            "transactionHash": chain_tx,
            "removed": false,
        })
    }

    fn answer(&self, method: &str, params: &Value) -> Value {
        match method {
            "eth_getBlockByNumber" => json!({
                "number": format!("{:#x}", self.block), "timestamp": format!("{:#x}", self.time),
            }),
            "eth_getLogs" => {
                let range = number(&params[0]["fromBlock"])..=number(&params[0]["toBlock"]);
                assert!(range.end() - range.start() < BLOCKS_MAX, "nodes refuse long ranges");
                let wanted = params[0]["topics"].as_array().unwrap();
                let is_wanted = |log: &&Value| {
                    let topics = log["topics"].as_array().unwrap();
                    range.contains(&number(&log["blockNumber"]))
                        && wanted
                            .iter()
                            .zip(topics)
                            .all(|(wanted, topic)| wanted.is_null() || wanted == topic)
                };
                assert!(same(&params[0]["address"], ASSET), "{params}");
                self.logs.iter().filter(is_wanted).cloned().collect()
            }
            "eth_getTransactionReceipt" => {
                let is_in = |log: &&Value| log["transactionHash"] == params[0];
                let logs: Vec<_> = self.logs.iter().filter(is_in).collect();
                if logs.is_empty() { Value::Null } else { json!({ "status": "0x1", "logs": logs }) }
            }
            other => panic!("nobody should call {other}"),
        }
    }
}

fn answer(body: &Value) -> Response {
    ([("content-type", "application/json")], body.to_string()).into_response()
}

type Shared = State<Arc<Mutex<Books>>>;

async fn rpc(State(state): Shared, body: String) -> Response {
    if state.lock().unwrap().silent == Some(Silent::Node) {
        return std::future::pending().await;
    }
    let call: Value = serde_json::from_str(&body).unwrap();
    let books = state.lock().unwrap();
    if !books.has_node {
        return StatusCode::BAD_GATEWAY.into_response();
    }
    if let Some(text) = books.node_says {
        return text.into_response();
    }
    let result = books.answer(call["method"].as_str().unwrap(), &call["params"]);
    answer(&json!({ "jsonrpc": "2.0", "id": call["id"], "result": result }))
}

async fn verify(State(state): Shared, body: String) -> Response {
    if state.lock().unwrap().silent == Some(Silent::Facilitator) {
        return std::future::pending().await;
    }
    let asked: Value = serde_json::from_str(&body).unwrap();
    let mut books = state.lock().unwrap();
    books.verified += 1;
    if !books.has_facilitator {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    }
    if let Some(text) = books.facilitator_says {
        return text.into_response();
    }
    let payer = &asked["paymentPayload"]["payload"]["authorization"]["from"];
    match books.refuses {
        None => answer(&json!({ "isValid": true, "payer": payer })),
        Some(why) => answer(&json!({ "isValid": false, "invalidReason": why, "payer": payer })),
    }
}

async fn settle(State(state): Shared, body: String) -> Response {
    let asked: Value = serde_json::from_str(&body).unwrap();
    let settles = state.lock().unwrap().settle(&asked["paymentPayload"]);
    let network = &asked["paymentRequirements"]["network"];
    let hash = format!("0x{}", "1".repeat(64));
    match settles {
        Settles::Hangs => std::future::pending().await,
        Settles::Honestly | Settles::Lies => {
            answer(&json!({ "success": true, "transaction": hash, "network": network }))
        }
        Settles::Denies => answer(&json!({
            "success": false, "errorReason": "transaction_failed", "transaction": "",
            "network": network,
        })),
        Settles::Breaks => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        Settles::Limits => StatusCode::TOO_MANY_REQUESTS.into_response(),
    }
}

/// A payment of what an offer asks for, as a payer signs it; the stand-in checks no signature.
pub(crate) fn signed(offer: &Value, nonce: u64, valid_before: i64) -> Value {
    let accepted = &offer["accepts"][0];
    json!({
        "x402Version": 2,
        "payload": {
            "signature": format!("0x{}", "5".repeat(130)),
            "authorization": {
                "from": PAYER,
                "to": accepted["payTo"],
                "value": accepted["amount"],
                "validAfter": "0",
                "validBefore": valid_before.to_string(),
                "nonce": format!("0x{nonce:064x}"),
            },
        },
        "resource": offer["resource"],
        "accepted": accepted,
    })
}

/// JSON as a header has it.
pub(crate) fn encode(value: &Value) -> String {
    BASE64_STANDARD.encode(value.to_string())
}

/// What a header says.
pub(crate) fn decode(header: &str) -> Value {
    serde_json::from_slice(&BASE64_STANDARD.decode(header).unwrap()).unwrap()
}

fn same(value: &Value, text: &str) -> bool {
    value.as_str().is_some_and(|value| value.eq_ignore_ascii_case(text))
}

fn number(value: &Value) -> u64 {
    u64::from_str_radix(value.as_str().unwrap().trim_start_matches("0x"), 16).unwrap()
}

/// An address as a word of 32 bytes.
fn word(address: &str) -> String {
    format!("0x{:0>64}", address.trim_start_matches("0x").to_lowercase())
}
