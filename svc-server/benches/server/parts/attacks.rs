//! The latency of other accounts while an attack runs.
//!
//! During each attack, 64 accounts read, reply and order at a fixed rate. The figure is their p99
//! during the attack relative to their p99 without it, for the most affected kind of request.

mod kinds;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

use hdrhistogram::Histogram;

use self::kinds::{Kind, Target};
use super::deals::{Market, RICH};
use super::seconds;
use super::world::World;
use crate::attacker::{Attack, Attacker};
use crate::load::{LoadResult, Shot, open};
use crate::process::Process;
use crate::table::Table;

/// Pairs of a quiet phase and an attack, whose latencies are combined.
const TURNS: u64 = 3;

/// The requests of other accounts, and their rates per second.
const OTHERS: [(&str, u32); 3] = [("reads", 60), ("replies", 12), ("orders", 8)];

/// Connections per kind of request.
const CONNECTIONS: usize = 16;

/// Settings that let one address register all accounts and imitate many networks.
const SETTINGS: [&str; 4] =
    [RICH[0], RICH[1], "limits.sign_up.count=1000", "trusted_proxies=127.0.0.1"];

pub(crate) async fn run(table: &mut Table) {
    let only = std::env::var("SVC_BENCH_ATTACK").unwrap_or_default();
    for kind in kinds::ALL.iter().filter(|kind| kind.name.contains(&only)) {
        measure(kind, table).await;
    }
}

async fn measure(kind: &Kind, table: &mut Table) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let budgets = format!("limits.budgets={}", kind.budgets);
    let server = Process::server(folder.path(), &[&SETTINGS[..], &[&budgets]].concat());
    let others = Others::new(&server).await;
    let target = Target::new(&server).await;
    let (mut quiet, mut attacked) = (Latencies::default(), Latencies::default());
    let mut responses = BTreeMap::new();
    others.load(&server).await;
    for turn in 0..TURNS {
        quiet.add(others.load(&server).await);
        let attack = Attack { first: turn << 24, ..(kind.attack)(&target) };
        let running = Attacker::start(&attack);
        attacked.add(others.load(&server).await);
        for (status, count) in running.stop() {
            *responses.entry(status).or_insert(0) += count;
        }
    }
    let (worst, mut note) = attacked.compare(&quiet);
    write!(note, "; attacker's responses {responses:?}").expect("text grows");
    table.add(&format!("p99 of others beside {} : without", kind.name), "≤ 3", vec![worst], note);
}

/// The requests of other accounts.
struct Others([Vec<Shot>; 3]);

impl Others {
    async fn new(server: &Process) -> Self {
        let (world, market) = (World::new(server, 0).await, Market::new(server).await);
        let reads = [world.points(), world.pages()].concat();
        Self([reads, world.replies(), market.orders()])
    }

    /// Sends all kinds concurrently, each at its rate.
    async fn load(&self, server: &Process) -> [LoadResult; 3] {
        let length = seconds().max(Duration::from_secs(6));
        let send =
            |kind: usize| open(server.address, CONNECTIONS, OTHERS[kind].1, length, &self.0[kind]);
        let (reads, replies, orders) = tokio::join!(send(0), send(1), send(2));
        [reads, replies, orders]
    }
}

/// The latencies of the phases so far, by kind of request.
struct Latencies([Histogram<u64>; 3]);

impl Default for Latencies {
    fn default() -> Self {
        let empty = || Histogram::new(3).expect("three digits are supported");
        Self([empty(), empty(), empty()])
    }
}

impl Latencies {
    fn add(&mut self, shown: [LoadResult; 3]) {
        for ((sum, shown), (what, _)) in self.0.iter_mut().zip(shown).zip(OTHERS) {
            assert_eq!(shown.failures, 0, "{what} of other accounts must succeed");
            sum.add(shown.latency).expect("a histogram that resizes");
        }
    }

    /// The greatest ratio to the quiet p99, and all ratios as text.
    #[expect(clippy::cast_precision_loss, reason = "microseconds of a few seconds")]
    fn compare(&self, quiet: &Self) -> (f64, String) {
        let (mut worst, mut note) = (0.0_f64, "ms".to_owned());
        for ((attacked, quiet), (what, _)) in self.0.iter().zip(&quiet.0).zip(OTHERS) {
            let millis = |latency: &Histogram<u64>| latency.value_at_quantile(0.99) as f64 / 1000.0;
            let (attacked, quiet) = (millis(attacked), millis(quiet));
            worst = worst.max(attacked / quiet);
            write!(note, " {what} {attacked:.1} : {quiet:.1}").expect("text grows");
        }
        (worst, note)
    }
}
