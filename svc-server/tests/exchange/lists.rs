//! Whether transfers are strictly serializable.
//!
//! Each account of the ledger is a list to which transfers append. What transactions read of these
//! lists, and when they began and ended, goes to an oracle that looks for cycles of dependencies
//! which no serial order explains.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use adya::r#gen::Rng;
use adya::{History, Opts, Report, Valid, Workload};
use serde_json::{Value, json};
use svc_core::app::{App, Ctx};
use svc_core::services::ledger::{self, Cause, Holder};
use svc_server::testing::Engine;
use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::UserId;
use svc_types::api::credits::TransferKind;
use tokio::task::JoinSet;

use crate::node::Node;
use crate::on_both_engines;

/// Few accounts, so that all want the same.
const ACCOUNTS: u64 = 5;

/// Clients at once.
const CLIENTS: u64 = 10;

/// Transactions of each.
const TRANSACTIONS: u64 = 40;

/// What clients asked and were answered, in the order in which it happened.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<Value>>>);

impl Log {
    fn note(&self, process: u64, kind: &str, value: &[Value]) {
        let mut lines = self.0.lock().unwrap();
        lines.push(json!({ "type": kind, "process": process, "value": value }));
    }

    /// What the oracle finds in it.
    fn judge(&self) -> Report {
        judge(&Value::Array(self.0.lock().unwrap().clone()))
    }
}

fn judge(lines: &Value) -> Report {
    let history = History::from_json(&lines.to_string()).unwrap();
    let options = Opts { timeout: Duration::from_mins(1), ..Opts::default() };
    adya::check(&history, Workload::ListAppend, &options)
}

/// A client of the ledger.
struct Client {
    app: Arc<App>,
    log: Log,
    process: u64,
    rng: Rng,
    /// Whether it reads its accounts before the transfer holds them, which is wrong.
    is_hasty: bool,
}

/// Entries of one transfer: the accounts and what each of them gets.
type Entries = Vec<(UserId, i64)>;

fn account(number: u64) -> UserId {
    UserId::from(format!("usr_{number}"))
}

/// The references of the transfers of an account, oldest first.
fn list(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<Value> {
    let references: Vec<String> = ctx.tx.all(
        sql!(
            "select t.ref from ledger_entry e join ledger_transfer t on t.id = e.transfer
             where e.account = $1 order by e.seq"
        ),
        values![format!("user:{account}")],
    )?;
    Ok(json!(["r", account, references]))
}

/// Reads the accounts of a transfer, then makes it: in between others may make theirs.
fn hasty_transfer(ctx: &mut Ctx<'_, '_>, reference: &str, entries: &Entries) -> Result<Vec<Value>> {
    let reads = entries.iter().map(|(account, _)| list(ctx, account));
    let mut value = reads.collect::<Result<Vec<_>>>()?;
    transfer(ctx, reference, entries)?;
    value.append(&mut appended(reference, entries));
    Ok(value)
}

/// Makes a transfer, then reads its accounts, which it holds until it ends.
fn transfer(ctx: &mut Ctx<'_, '_>, reference: &str, entries: &Entries) -> Result<Vec<Value>> {
    let kind = TransferKind::Topup;
    let cause = Cause { kind, reference, reason: None, actor: None };
    let sum: i64 = entries.iter().map(|(_, micros)| micros).sum();
    let parts = entries.iter().map(|(account, micros)| (Holder::User(account), *micros));
    let all: Vec<_> = parts.chain([(Holder::Issuance, -sum)]).collect();
    ledger::post(ctx, &cause, &all)?;
    let mut value = appended(reference, entries);
    for (account, _) in entries {
        value.push(list(ctx, account)?);
    }
    Ok(value)
}

fn appended(reference: &str, entries: &Entries) -> Vec<Value> {
    entries.iter().map(|(account, _)| json!(["append", account, reference])).collect()
}

impl Client {
    async fn work(mut self) {
        for number in 0..TRANSACTIONS {
            if self.rng.chance(0.3) {
                self.read().await;
            } else {
                let entries = self.entries();
                self.write(format!("{}-{number}", self.process), entries).await;
            }
        }
    }

    /// A transfer between two or three accounts, at times over more than there is.
    fn entries(&mut self) -> Entries {
        let first = self.rng.below(ACCOUNTS);
        let micros = 1 + i64::try_from(self.rng.below(60)).unwrap();
        let other = |step| account((first + step) % ACCOUNTS);
        if self.rng.chance(0.5) {
            vec![(account(first), -micros), (other(1 + self.rng.below(ACCOUNTS - 1)), micros)]
        } else {
            vec![(account(first), -2 * micros), (other(1), micros), (other(2), micros)]
        }
    }

    async fn write(&self, reference: String, entries: Entries) {
        let asked = appended(&reference, &entries);
        self.log.note(self.process, "invoke", &asked);
        let script = if self.is_hasty { hasty_transfer } else { transfer };
        let job = move |ctx: &mut Ctx<'_, '_>| script(ctx, &reference, &entries);
        match self.app.write(job).await {
            Ok(seen) => self.log.note(self.process, "ok", &seen),
            Err(error) => {
                assert_eq!(error.code().as_str(), "insufficient_credits", "{error}");
                self.log.note(self.process, "fail", &asked);
            }
        }
    }

    /// Reads all accounts as they are at one instant.
    async fn read(&self) {
        let asked: Vec<_> = (0..ACCOUNTS).map(|it| json!(["r", account(it), null])).collect();
        self.log.note(self.process, "invoke", &asked);
        let job = |ctx: &mut Ctx<'_, '_>| {
            let lists = (0..ACCOUNTS).map(|number| list(ctx, &account(number)));
            lists.collect::<Result<Vec<_>>>()
        };
        let seen = self.app.snapshot(job).await.unwrap();
        self.log.note(self.process, "ok", &seen);
    }
}

/// Lets all clients work at the servers of a database in turn; what they asked and were answered.
async fn work(nodes: &[Node], is_hasty: bool) -> Log {
    let log = Log::default();
    let mut turns = nodes.iter().cycle();
    let mut client = |process| {
        let (app, log) = (turns.next().unwrap().app.core(), log.clone());
        Client { app, log, process, rng: Rng::new(process), is_hasty }
    };
    let everybody: Entries = (0..ACCOUNTS).map(|number| (account(number), 100)).collect();
    client(0).write("opening".to_owned(), everybody).await;
    let clients: JoinSet<()> = (0..CLIENTS).map(|process| client(process).work()).collect();
    clients.join_all().await;
    log
}

async fn are_strictly_serializable(nodes: &[Node]) {
    let log = work(nodes, false).await;
    let report = log.judge();
    assert_eq!(report.valid, Valid::True, "{report:?}");
    let kinds: Vec<_> = log.0.lock().unwrap().iter().map(|it| it["type"].clone()).collect();
    assert!(kinds.contains(&json!("fail")), "some transfers were over too much");
    nodes[0].audit().await;
}

on_both_engines! {
    async fn transfers_are_strictly_serializable(node: Node) {
        are_strictly_serializable(&[node]).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn transfers_over_three_nodes_are_strictly_serializable() {
    let Some(nodes) = Node::several::<3>().await else { return };
    are_strictly_serializable(&nodes).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_oracle_finds_clients_that_read_before_they_lock() {
    let Some(node) = Node::on(Engine::Postgres).await else { return };
    let report = work(&[node], true).await.judge();
    assert_eq!(report.valid, Valid::False, "{report:?}");
}

#[test]
fn the_oracle_finds_a_lost_update() {
    let report = judge(&json!([
        { "type": "invoke", "process": 0, "value": [["r", "a", null], ["append", "a", 1]] },
        { "type": "invoke", "process": 1, "value": [["r", "a", null], ["append", "a", 2]] },
        { "type": "ok", "process": 0, "value": [["r", "a", []], ["append", "a", 1]] },
        { "type": "ok", "process": 1, "value": [["r", "a", []], ["append", "a", 2]] },
        { "type": "invoke", "process": 0, "value": [["r", "a", null]] },
        { "type": "ok", "process": 0, "value": [["r", "a", [2]]] },
    ]));
    assert_eq!(report.valid, Valid::False);
}

#[test]
fn the_oracle_finds_a_write_skew() {
    let report = judge(&json!([
        { "type": "invoke", "process": 0, "value": [["r", "a", null], ["append", "b", 1]] },
        { "type": "invoke", "process": 1, "value": [["r", "b", null], ["append", "a", 2]] },
        { "type": "ok", "process": 0, "value": [["r", "a", []], ["append", "b", 1]] },
        { "type": "ok", "process": 1, "value": [["r", "b", []], ["append", "a", 2]] },
        { "type": "invoke", "process": 0, "value": [["r", "a", null], ["r", "b", null]] },
        { "type": "ok", "process": 0, "value": [["r", "a", [2]], ["r", "b", [1]]] },
    ]));
    assert_eq!((report.valid, report.anomaly_types), (Valid::False, vec!["G2-item".to_owned()]));
}

#[test]
fn the_oracle_finds_a_stale_read() {
    let report = judge(&json!([
        { "type": "invoke", "process": 0, "value": [["append", "a", 1]] },
        { "type": "ok", "process": 0, "value": [["append", "a", 1]] },
        { "type": "invoke", "process": 1, "value": [["r", "a", null]] },
        { "type": "ok", "process": 1, "value": [["r", "a", []]] },
        { "type": "invoke", "process": 1, "value": [["r", "a", null]] },
        { "type": "ok", "process": 1, "value": [["r", "a", [1]]] },
    ]));
    assert_eq!(report.valid, Valid::False);
    assert!(report.anomaly_types.iter().all(|kind| kind.ends_with("-realtime")), "{report:?}");
}
