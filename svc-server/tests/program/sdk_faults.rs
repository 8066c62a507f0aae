//! Faults between a program and the platform. Each has one outcome, whatever the language of the program: the
//! error that it gets, how many requests it sends, and how many messages arrive.

use std::collections::BTreeMap;
use std::process::Stdio;
use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Map, Value, json};
use svc_bot_kit::Listener;
use svc_bot_kit::testing::{Fault, FaultProxy};
use svc_client::types::ApiKey;
use svc_client::types::api::services::Acceptance;
use svc_client::{Client, Error, Outcome};
use tokio::io::AsyncWriteExt;
use tokio::process::Command;

use crate::languages::{TIMEOUT, command};
use crate::process::{Place, Server, http_client};
use crate::{sdk_python, sdk_typescript};

const TYPESCRIPT: &str = include_str!("foreign/faults.mjs");
const PYTHON: &str = include_str!("foreign/faults.py");

/// A number that no event has, as after the restore of a backup.
const AFTER: u64 = 1_000_000;

/// Where nothing listens.
const CLOSED_PORT: &str = "http://127.0.0.1:1";

/// How long an attempt may take where the server is slow; elsewhere no attempt takes so long.
const ATTEMPT_SHORT_MS: u64 = 2_000;
const ATTEMPT_MS: u64 = 20_000;

const SLOW: Fault = Fault::Delay(Duration::from_secs(5));

/// What is wrong.
#[derive(Clone)]
enum Trouble {
    /// With the first request.
    First(Fault),
    /// With all requests.
    Each(Fault),
    /// Nothing listens there.
    Down,
    WrongKey,
    /// The program follows events from one that the server does not have.
    ExpiredCursor,
    /// The program orders with the input of an earlier schema.
    OtherSchema,
}

use Trouble::{Down, Each, ExpiredCursor, First, OtherSchema, WrongKey};

/// A row of the table: the programs send a message unless the trouble says otherwise.
struct Row(Trouble, Ended);

/// `ok` or outcome and status of the error, the number of requests, and of messages that arrived.
type Ended = (&'static str, usize, usize);

const fn refuse(status: u16, retry_after: Option<u32>) -> Fault {
    Fault::Refuse { status, retry_after }
}

static TABLE: [Row; 20] = [
    Row(Down, ("not_sent -", 0, 0)),
    Row(First(Fault::LoseRequest), ("ok", 2, 1)),
    Row(Each(Fault::LoseRequest), ("unknown -", 3, 0)),
    Row(First(Fault::LoseAnswer), ("ok", 2, 1)),
    Row(Each(Fault::LoseAnswer), ("unknown -", 3, 1)),
    Row(First(Fault::Cut { after: 10 }), ("ok", 2, 1)),
    Row(First(Fault::Cut { after: 500 }), ("ok", 2, 1)),
    Row(First(Fault::Duplicate), ("ok", 1, 1)),
    Row(First(SLOW), ("ok", 2, 1)),
    Row(First(refuse(429, Some(1))), ("ok", 2, 1)),
    Row(First(refuse(429, Some(3600))), ("refused 429", 1, 0)),
    Row(First(refuse(500, None)), ("ok", 2, 1)),
    Row(Each(refuse(500, None)), ("unknown 500", 3, 0)),
    Row(First(Fault::Deny { status: 500 }), ("ok", 2, 1)),
    Row(Each(Fault::Deny { status: 500 }), ("unknown 500", 3, 1)),
    Row(First(refuse(503, Some(1))), ("ok", 2, 1)),
    Row(First(refuse(503, None)), ("unknown 503", 1, 0)),
    Row(WrongKey, ("refused 401", 1, 0)),
    Row(ExpiredCursor, ("refused 409", 1, 0)),
    Row(OtherSchema, ("refused 400", 2, 0)),
];

/// A row in a language: what the program works with.
struct Cell {
    row: &'static Row,
    proxy: FaultProxy,
    url: String,
    key: ApiKey,
}

impl Cell {
    async fn new(server: &Server, number: usize, language: &str) -> Self {
        let row = &TABLE[number];
        let name = format!("{language}{number}");
        let key = server.client().auth().register_agent(name).await.unwrap().api_key;
        let proxy = FaultProxy::start(format!("http://{}/api", server.address())).await.unwrap();
        let mut url = proxy.url().to_owned();
        match &row.0 {
            First(fault) => proxy.next("", fault.clone()),
            Each(fault) => proxy.always("", fault.clone()),
            Down => CLOSED_PORT.clone_into(&mut url),
            WrongKey | ExpiredCursor | OtherSchema => {}
        }
        Self { row, proxy, url, key }
    }

    fn key(&self) -> ApiKey {
        match self.row.0 {
            WrongKey => format!("svc_ak_{}", "x".repeat(43)).into(),
            _ => self.key.clone(),
        }
    }

    fn attempt_ms(&self) -> u64 {
        if matches!(self.row.0, First(Fault::Delay(_))) { ATTEMPT_SHORT_MS } else { ATTEMPT_MS }
    }

    /// What the program is to do, as the scripts read it.
    fn task(&self, number: usize) -> Value {
        let act = match self.row.0 {
            ExpiredCursor => "follow",
            OtherSchema => "order",
            _ => "send",
        };
        json!({
            "number": number, "act": act, "url": self.url, "key": self.key().expose(),
            "attemptMs": self.attempt_ms(), "after": AFTER,
        })
    }

    /// How it ended, after the program has reported its outcome.
    async fn ended(&self, server: &Server, outcome: &str) -> (String, usize, usize) {
        let requests = self.proxy.seen("");
        self.proxy.heal();
        let sent = server.client_of(&self.key).messages().list().with_user("ada");
        let messages = sent.page().await.unwrap().items.len();
        (outcome.to_owned(), requests, messages)
    }
}

/// A server with ada, and with bob, whose service requires more than in the schema that the program knows.
async fn serve(place: &Place) -> Server {
    let server = place.serve();
    server.client().auth().register_agent("ada").await.unwrap();
    let bob = server.client().auth().register_agent("bob").await.unwrap().api_key;
    let schema = json!({ "type": "object", "required": ["text", "language"] });
    let service = server.client_of(&bob).services().create("count-words", "Counts words.", 0);
    let schema: Map<String, Value> = schema.as_object().unwrap().clone();
    service.input_schema(schema).acceptance(Acceptance::Explicit).await.unwrap();
    server
}

/// Compares the outcomes that programs of a language report with the table.
async fn compare(language: &str, run: impl AsyncFnOnce(&[Cell]) -> Vec<String>) {
    let place = Place::new();
    let server = serve(&place).await;
    let cells = (0..TABLE.len()).map(|number| Cell::new(&server, number, language));
    let cells: Vec<Cell> = join_all(cells).await;
    let outcomes = run(&cells).await;
    let ended = cells.iter().zip(&outcomes).map(|(cell, outcome)| cell.ended(&server, outcome));
    let ended = join_all(ended).await;
    let mut faults = Vec::new();
    for (number, (found, Row(_, expected))) in ended.iter().zip(&TABLE).enumerate() {
        let found = (found.0.as_str(), found.1, found.2);
        if found != *expected {
            faults.push(format!("row {number}: {found:?}, not {expected:?}"));
        }
    }
    assert!(faults.is_empty(), "{language}: {faults:#?}");
    server.stop().await;
}

#[tokio::test]
async fn every_fault_has_its_outcome_in_rust() {
    compare("rust", async |cells| join_all(cells.iter().map(outcome_in_rust)).await).await;
}

async fn outcome_in_rust(cell: &Cell) -> String {
    let http = http_client();
    let client = Client::builder(&cell.url).http_client(http).api_key(cell.key());
    let client = client.attempt_timeout(Duration::from_millis(cell.attempt_ms())).build().unwrap();
    let done = match cell.row.0 {
        ExpiredCursor => Listener::new(client).after(AFTER).next().await.map(drop),
        OtherSchema => order(&client).await,
        _ => client.messages().send("ada", "hello").await.map(drop),
    };
    done.map_or_else(|error| described(&error), |()| "ok".to_owned())
}

async fn order(client: &Client) -> Result<(), Error> {
    let offered = client.bots().capabilities("bob").await?.capabilities;
    let text = Map::from_iter([("text".to_owned(), "to be".into())]);
    client.orders().create("bob", &offered[0].id, text).max_credits(0).await.map(drop)
}

fn described(error: &Error) -> String {
    let outcome = match error.outcome() {
        Outcome::NotSent => "not_sent",
        Outcome::Refused => "refused",
        _ => "unknown",
    };
    let status = error.status().map_or("-".to_owned(), |status| status.as_u16().to_string());
    format!("{outcome} {status}")
}

#[tokio::test]
async fn every_fault_has_its_outcome_in_typescript() {
    let Some(sdk) = sdk_typescript::Sdk::get().await else { return };
    let place = sdk.place();
    std::fs::write(place.path("faults.mjs"), TYPESCRIPT).unwrap();
    let script = command(&place, "node", &["faults.mjs"]);
    compare("typescript", async |cells| outcomes_by_script(cells, script).await).await;
}

#[tokio::test]
async fn every_fault_has_its_outcome_in_python() {
    let Some(sdk) = sdk_python::Sdk::get().await else { return };
    let place = Place::new();
    std::fs::write(place.path("faults.py"), PYTHON).unwrap();
    let script = command(&place, sdk.python.to_str().unwrap(), &["faults.py"]);
    compare("python", async |cells| outcomes_by_script(cells, script).await).await;
}

/// The outcome of each cell by a script. It reads tasks, and prints the number of a task and how it ended.
async fn outcomes_by_script(cells: &[Cell], mut script: Command) -> Vec<String> {
    script.env("NO_PROXY", "127.0.0.1").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut script = script.spawn().unwrap();
    let mut input = script.stdin.take().expect("the input is piped");
    for (number, cell) in cells.iter().enumerate() {
        let line = format!("{}\n", cell.task(number));
        input.write_all(line.as_bytes()).await.unwrap();
    }
    drop(input);
    let output = tokio::time::timeout(TIMEOUT, script.wait_with_output()).await;
    let printed = String::from_utf8(output.expect("it ends in time").unwrap().stdout).unwrap();
    let lines = printed.lines().map(|line| line.split_once(' ').unwrap());
    let outcomes: BTreeMap<usize, &str> =
        lines.map(|(number, outcome)| (number.parse().unwrap(), outcome)).collect();
    outcomes.into_values().map(str::to_owned).collect()
}
