//! Whether credits are strictly serializable while members of the cluster fail.
//!
//! Each account's statement is a list to which answers to orders append; an answer appends to two lists. Clients
//! answer and read at all nodes and through `haproxy`, by the public API alone. What they were answered, and when,
//! goes to the oracle that judges transfers within one process (`exchange/lists`). A write whose outcome is unknown
//! may happen at any later time or never; half of the clients repeat theirs with its Idempotency-Key until they
//! know. The last reads see whatever was acknowledged, or the oracle finds a contradiction.
//!
//! | module | what it holds |
//! |---|---|
//! | `market` | accounts, orders, and what a request to them means as a transaction |
//! | `clients` | who asks, and what they know of the outcome |
//! | `log` | the history and the oracle |

mod clients;
mod log;
mod market;

use std::collections::BTreeSet;
use std::process;
use std::sync::Arc;
use std::time::Duration;

use adya::Valid;
use serde_json::json;
use tokio::time::{Instant, sleep};

use self::clients::Clients;
use self::log::{Log, judge, line, proofs};
use self::market::{ACCOUNTS, Market, Member};
use super::WATCHED;
use super::row::{Cluster, at, report, slack};

/// Where clients ask.
const MEMBERS: [&str; 4] = ["node1", "node2", "node3", "haproxy"];

/// Where they ask while the first node is away.
const OTHERS: [&str; 3] = ["node2", "node3", "haproxy"];

/// How long they work before a fault.
const BEFORE: Duration = Duration::from_secs(3);

/// How long it may take until all clients can write again. Other tests measure it.
const FLOWING: Duration = Duration::from_secs(90);

/// The process of the first of the last readers; no client has one as large.
const LAST: usize = 1_000_000;

macro_rules! histories {
    ($($name:ident => $fault:path;)+) => {$(
        #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
        #[ignore = "it needs a cluster: `.ci/run cluster`"]
        async fn $name() {
            let history = History::begin(stringify!($name)).await;
            $fault(&history).await;
            history.ends().await;
        }
    )+};
}

histories! {
    credits_are_strictly_serializable_while_a_node_is_killed => kill_node;
    credits_are_strictly_serializable_while_the_primary_is_killed => kill_primary;
    credits_are_strictly_serializable_while_the_primary_freezes_and_goes_on => freeze_primary;
    credits_are_strictly_serializable_while_a_node_is_cut_off_from_postgres => cut_node;
}

async fn kill_node(history: &History) {
    for _ in 0..2 {
        history.run(&["kill", "node1"]);
        history.flows_at(&OTHERS).await;
        history.run(&["start", "node1"]);
        history.flows_at(&MEMBERS).await;
    }
}

async fn kill_primary(history: &History) {
    let primary = history.cluster.member("primary");
    history.run(&["kill", &primary]);
    history.flows_at(&MEMBERS).await;
}

/// Its watchdog has ended Patroni before it goes on, as in the row of the same name.
async fn freeze_primary(history: &History) {
    let [primary, patroni] = history.cluster.machine("primary");
    history.run(&["freeze", &primary, &patroni]);
    history.flows_at(&MEMBERS).await;
    history.run(&["kill", &patroni]);
    history.run(&["thaw", &primary]);
    history.flows_at(&MEMBERS).await;
    history.run(&["start", &patroni]);
    history.flows_at(&MEMBERS).await;
}

/// For so long that requests at the node end without PostgreSQL.
async fn cut_node(history: &History) {
    history.run(&["cut", "node1-postgres"]);
    sleep(WATCHED).await;
    history.flows_at(&OTHERS).await;
    history.run(&["heal"]);
    history.flows_at(&MEMBERS).await;
}

/// Clients at work, and what they are answered.
struct History {
    cluster: Cluster,
    members: [Member; MEMBERS.len()],
    clients: Clients,
    log: Log,
}

impl History {
    /// Begins once the cluster is whole and all clients can write.
    async fn begin(name: &'static str) -> Self {
        let cluster = at("haproxy");
        // A test that failed leaves it broken.
        cluster.run(&["heal"]);
        cluster.is_whole().await;
        let market = Arc::new(Market::new(&cluster).await);
        let members = MEMBERS.map(|member| Member::new(member, &market));
        let seed = u64::from(process::id());
        let log = Log::new(name, seed);
        let clients = Clients::start(&market, &members, &log, seed);
        let history = Self { cluster, members, clients, log };
        history.flows_at(&MEMBERS).await;
        sleep(BEFORE).await;
        history
    }

    /// Runs a command of the script.
    #[track_caller]
    fn run(&self, arguments: &[&str]) {
        self.log.note_command(arguments);
        self.cluster.run(arguments);
    }

    /// Waits until each client of these members has made a write that began from now on.
    async fn flows_at(&self, members: &[&str]) {
        let since = Instant::now();
        while !self.clients.have_written(members, since) {
            let is_in_time = since.elapsed() < FLOWING * slack();
            assert!(is_in_time, "no writes of some at {members:?}: {}", self.log.keep());
            sleep(Duration::from_millis(100)).await;
        }
    }

    /// Lets the clients go on, ends them, and judges what they were answered.
    async fn ends(self) {
        sleep(WATCHED).await;
        let Self { cluster, members, clients, log } = self;
        clients.end().await;
        cluster.run(&["heal"]);
        cluster.is_whole().await;
        for (number, member) in members.iter().enumerate() {
            read_all(member, &log, LAST + number).await;
        }
        let verdict = log.judge();
        assert_eq!(verdict.valid, Valid::True, "{}\n{}", log.keep(), proofs(&verdict));
        cluster.run(&["audit"]);
        report(&log.figures());
    }
}

/// Reads all lists at a member, one after the other. No order was answered twice.
async fn read_all(member: &Member, log: &Log, process: usize) {
    for account in 0..ACCOUNTS {
        let list = member.read(log, process, account).await;
        let list = list.unwrap_or_else(|error| panic!("{error}: {}", log.keep()));
        let orders = list.iter().map(|element| element.rsplit_once('-').unwrap().0);
        let different: BTreeSet<_> = orders.collect();
        assert_eq!(different.len(), list.len(), "{list:?}: {}", log.keep());
    }
}

/// Lists and what was read of them.
type Reads<'a> = &'a [(&'a str, &'a [i32])];

/// What is read before the second of two transfers, and after it.
const ONE: Reads<'_> = &[("a", &[1]), ("b", &[1])];
const BOTH: Reads<'_> = &[("a", &[1, 2]), ("b", &[1, 2])];

/// What the oracle says of two transfers, of which the second ends so, and of what is read then.
fn verdict(outcome: &str, reads: Reads<'_>) -> Valid {
    let [first, second] = [1, 2].map(|it| [json!(["append", "a", it]), json!(["append", "b", it])]);
    let mut lines = vec![line(0, "invoke", &first), line(0, "ok", &first)];
    lines.extend([line(1, "invoke", &second), line(1, outcome, &second)]);
    for (list, found) in reads {
        lines.push(line(2, "invoke", &[json!(["r", list, null])]));
        lines.push(line(2, "ok", &[json!(["r", list, found])]));
    }
    judge(&lines).valid
}

#[test]
fn the_oracle_finds_lost_divided_and_refused_transfers_and_stale_reads() {
    assert_eq!(verdict("ok", BOTH), Valid::True);
    assert_eq!(verdict("ok", ONE), Valid::False, "it is lost");
    assert_eq!(verdict("ok", &[BOTH[0], ONE[1]]), Valid::False, "a half is lost");
    assert_eq!(verdict("fail", BOTH), Valid::False, "it was refused");
    assert_eq!(verdict("ok", &[ONE, BOTH].concat()), Valid::False, "the first reads are stale");
}

#[test]
fn a_transfer_of_unknown_outcome_happens_at_any_later_time_or_never() {
    assert_eq!(verdict("info", ONE), Valid::True);
    assert_eq!(verdict("info", BOTH), Valid::True);
    assert_eq!(verdict("info", &[ONE, BOTH].concat()), Valid::True);
    assert_eq!(verdict("info", &[BOTH, ONE].concat()), Valid::False, "it was there");
    assert_eq!(verdict("info", &[BOTH[0], ONE[1]]), Valid::False, "a half is there");
}
