//! What clients asked and were answered, and an oracle that judges it.

use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use adya::{History, Opts, Report, Workload};
use serde_json::{Value, json};
use svc_client::Error;
use tokio::time::Instant;

/// How long the oracle may search one set of transactions that depend on each other.
const SEARCH: Duration = Duration::from_mins(1);

/// Proofs of each kind of anomaly that a failing test prints.
const PROOFS: usize = 3;

/// What happened, in this order.
#[derive(Clone)]
pub(super) struct Log {
    name: &'static str,
    seed: u64,
    begun: Instant,
    lines: Arc<Mutex<Vec<Value>>>,
}

impl Log {
    pub(super) fn new(name: &'static str, seed: u64) -> Self {
        Self { name, seed, begun: Instant::now(), lines: Arc::default() }
    }

    /// Notes that a process asks for a transaction, or what it is answered.
    pub(super) fn note(&self, process: usize, kind: &str, value: &[Value]) {
        self.push(line(process, kind, value));
    }

    /// The same with what went wrong, for those who read the history.
    pub(super) fn note_failure(&self, process: usize, kind: &str, value: &[Value], error: &Error) {
        let mut line = line(process, kind, value);
        line["error"] = error.to_string().into();
        self.push(line);
    }

    /// Notes a command of the script, which the oracle ignores.
    pub(super) fn note_command(&self, arguments: &[&str]) {
        let command = arguments.join(" ");
        self.push(json!({ "type": "info", "f": command, "process": "nemesis", "value": null }));
    }

    fn push(&self, mut line: Value) {
        let mut lines = self.lines.lock().unwrap();
        line["index"] = lines.len().into();
        let nanos = u64::try_from(self.begun.elapsed().as_nanos()).unwrap();
        line["time"] = nanos.into();
        lines.push(line);
    }

    /// How many transactions ended in which way.
    pub(super) fn figures(&self) -> String {
        let lines = self.lines.lock().unwrap();
        let count = |kind: &str, operation: &str| {
            let is_one = |line: &&Value| line["type"] == kind && line["value"][0][0] == operation;
            lines.iter().filter(is_one).count()
        };
        let [made, refused, unknown] = ["ok", "fail", "info"].map(|kind| count(kind, "append"));
        let [read, failed] = ["ok", "fail"].map(|kind| count(kind, "r"));
        format!(
            "{}: of writes {made} made, {refused} refused, {unknown} unknown; {read} reads, {failed} failed",
            self.name
        )
    }

    /// What the oracle finds in it.
    pub(super) fn judge(&self) -> Report {
        judge(&self.lines.lock().unwrap())
    }

    /// Writes it to a file, which `adya check` reads too. The answer is for those who look for a failure.
    pub(super) fn keep(&self) -> String {
        let name = format!("{}-{}.jsonl", self.name, self.seed);
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::write(&path, text(&self.lines.lock().unwrap())).unwrap();
        format!("seed {}, history {}", self.seed, path.display())
    }
}

/// One line of a history, as Jepsen writes it.
pub(super) fn line(process: usize, kind: &str, value: &[Value]) -> Value {
    json!({ "type": kind, "f": "txn", "process": process, "value": value })
}

fn text(lines: &[Value]) -> String {
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    lines.join("\n")
}

/// What the oracle finds in a history that should be strictly serializable.
pub(super) fn judge(lines: &[Value]) -> Report {
    let history = History::from_json(&text(lines)).unwrap();
    let options = Opts { timeout: SEARCH, ..Opts::default() };
    adya::check(&history, Workload::ListAppend, &options)
}

/// Anomalies with their proofs.
pub(super) fn proofs(report: &Report) -> String {
    let anomalies = report.anomalies.values().flat_map(|found| found.iter().take(PROOFS));
    let proofs = anomalies.map(|anomaly| format!("{}: {}", anomaly.kind, anomaly.explanation));
    proofs.collect::<Vec<_>>().join("\n")
}
