//! The parts of a run, each with its goals.

mod attacks;
mod bot;
mod counts;
mod deals;
mod durable;
mod growth;
mod memory;
mod mqtt;
mod nodes;
mod pages;
mod passwords;
mod peers;
mod postgres;
mod reads;
mod social;
mod webhooks;
mod world;

use std::time::Duration;

use crate::load::{LoadResult, Shot, closed};
use crate::process::Process;
use crate::table::Table;
use crate::wrk;

/// One part of a run.
#[derive(Clone, Copy)]
pub(crate) enum Part {
    Reads,
    Durable,
    Notified,
    Deals,
    Bot,
    Open,
    Growth,
    Postgres,
    Nodes,
    Memory,
    Passwords,
    Social,
    Mqtt,
    Webhooks,
    Pages,
    Attacks,
    Counts,
    Peers,
}

/// All parts by name.
pub(crate) const ALL: [(&str, Part); 18] = [
    ("reads", Part::Reads),
    ("durable", Part::Durable),
    ("notified", Part::Notified),
    ("deals", Part::Deals),
    ("bot", Part::Bot),
    ("open", Part::Open),
    ("growth", Part::Growth),
    ("postgres", Part::Postgres),
    ("nodes", Part::Nodes),
    ("memory", Part::Memory),
    ("passwords", Part::Passwords),
    ("social", Part::Social),
    ("mqtt", Part::Mqtt),
    ("webhooks", Part::Webhooks),
    ("pages", Part::Pages),
    ("attacks", Part::Attacks),
    ("counts", Part::Counts),
    ("peers", Part::Peers),
];

impl Part {
    pub(crate) async fn run(self, table: &mut Table) {
        match self {
            Self::Reads => reads::run(table).await,
            Self::Durable => durable::run(table).await,
            Self::Notified => durable::notified(table).await,
            Self::Deals => deals::run(table).await,
            Self::Bot => bot::run(table).await,
            Self::Open => durable::open_loop(table).await,
            Self::Growth => growth::run(table).await,
            Self::Postgres => postgres::run(table).await,
            Self::Nodes => nodes::run(table).await,
            Self::Memory => memory::run(table).await,
            Self::Passwords => passwords::run(table).await,
            Self::Social => social::run(table).await,
            Self::Mqtt => mqtt::run(table).await,
            Self::Webhooks => webhooks::run(table).await,
            Self::Pages => pages::run(table).await,
            Self::Attacks => attacks::run(table).await,
            Self::Counts => counts::run().await,
            Self::Peers => peers::run(table).await,
        }
    }
}

/// Connections of every load but the open one.
const CONNECTIONS: usize = 64;

/// How long one load runs.
pub(crate) fn seconds() -> Duration {
    let given = std::env::var("SVC_BENCH_SECONDS").ok().and_then(|text| text.parse().ok());
    Duration::from_secs_f64(given.unwrap_or(2.0))
}

/// Pairs of loads per figure.
pub(crate) fn pairs() -> usize {
    let given = std::env::var("SVC_BENCH_PAIRS").ok().and_then(|text| text.parse().ok());
    given.unwrap_or(5)
}

/// One side of a comparison.
#[derive(Clone, Copy)]
pub(crate) struct Side<'a> {
    pub(crate) process: &'a Process,
    pub(crate) shots: &'a [Shot],
}

impl Side<'_> {
    /// Requests per second, by `wrk`.
    fn per_second(self, connections: usize) -> f64 {
        wrk::per_second(self.process.address, connections, seconds(), self.shots)
    }

    /// The load of this many connections, each with one request at a time.
    async fn load_by(self, connections: usize) -> LoadResult {
        let shown = closed(self.process.address, connections, seconds(), self.shots).await;
        assert_eq!(shown.failures, 0, "a load must be answered with 2xx: {}", self.shots[0].path);
        shown
    }
}

/// The rate of one side relative to the other, measured in turns.
pub(crate) fn compare(table: &mut Table, what: &str, goal: &str, ours: Side<'_>, other: Side<'_>) {
    compare_by(table, (what, goal), CONNECTIONS, ours, other);
}

/// The same over this many connections.
fn compare_by(
    table: &mut Table,
    (what, goal): (&str, &str),
    connections: usize,
    ours: Side<'_>,
    other: Side<'_>,
) {
    if !wrk::is_there() {
        eprintln!("  {what}: left out, because wrk is not installed");
        return;
    }
    let (mut ratios, mut rate, mut other_rate) = (Vec::new(), 0.0, 0.0);
    for _ in 0..pairs() {
        other_rate = other.per_second(connections);
        rate = ours.per_second(connections);
        ratios.push(rate / other_rate);
    }
    table.add(what, goal, ratios, format!("last pair {rate:.0}/s : {other_rate:.0}/s"));
}

/// The bare GET that reads are compared with.
pub(crate) fn bare_get() -> Vec<Shot> {
    vec![Shot::get("/get", "svc_ak_bare")]
}

/// The POST without storage that writes are compared with.
pub(crate) fn bare_post() -> Vec<Shot> {
    vec![Shot::post(
        "/post",
        "svc_ak_bare",
        r#"{"content":"a reply of some length, as people write them"}"#,
    )]
}
