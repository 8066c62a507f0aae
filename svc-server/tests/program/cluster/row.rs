//! One row of the table of failures: a fault while accounts write, and what must hold then.

use std::collections::BTreeMap;
use std::env;
use std::process::{self, Command};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use svc_client::types::ApiKey;
use svc_client::{Client, ClientBuilder};
use tokio::time::{Instant, sleep, timeout};

use super::WATCHED;
use super::listener::Listener;
use super::writers::Writers;
use crate::load::{Entrance, World};
use crate::process::http_client;

/// How long the cluster may take until every member is in its place again.
const HEALED: Duration = Duration::from_secs(90);

/// The longest time until an answer.
const ANSWERED: Duration = Duration::from_secs(13);

/// Numbers the worlds of this process.
static WORLDS: AtomicU32 = AtomicU32::new(0);

/// The cluster of `SVC_CLUSTER`, and the member that clients reach.
#[derive(Clone)]
pub(super) struct Cluster {
    entrance: String,
}

impl Cluster {
    /// Runs a command of the script, which must succeed.
    #[track_caller]
    #[expect(clippy::unused_self, reason = "the script finds the cluster by SVC_CLUSTER")]
    pub(super) fn run(&self, arguments: &[&str]) -> String {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../deploy/local-cluster");
        let output = Command::new(script).args(arguments).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{arguments:?}: {errors}{text}");
        text
    }

    fn states(&self) -> BTreeMap<String, String> {
        serde_json::from_str(&self.run(&["status", "--json"])).unwrap()
    }

    pub(super) fn state(&self, member: &str) -> String {
        self.states().remove(member).unwrap()
    }

    /// The member in this state, of which there is one.
    pub(super) fn member(&self, state: &str) -> String {
        let states = self.states();
        states.into_iter().find(|(_, found)| found == state).unwrap().0
    }

    /// A member of PostgreSQL in this state, and Patroni on its machine.
    pub(super) fn machine(&self, state: &str) -> [String; 2] {
        let member = self.member(state);
        let patroni = member.replace("postgres", "patroni");
        [member, patroni]
    }

    pub(super) async fn waits_for(&self, member: &str, state: &str) {
        self.waits(|states| states[member] == state).await;
    }

    pub(super) async fn is_whole(&self) {
        let mut places = ["primary", "standby", "synchronous"].map(str::to_owned);
        places.sort();
        self.waits(|states| {
            let (databases, others): (Vec<_>, Vec<_>) = states.iter().partition(|(name, _)| {
                name.strip_prefix("postgres").is_some_and(|rest| rest.len() == 1)
            });
            let mut found: Vec<_> = databases.into_iter().map(|(_, state)| state.clone()).collect();
            found.sort();
            found == places && others.into_iter().all(|(_, state)| state == "ready")
        })
        .await;
    }

    async fn waits(&self, is_so: impl Fn(&BTreeMap<String, String>) -> bool) {
        let begun = Instant::now();
        loop {
            let states = self.states();
            if is_so(&states) {
                return;
            }
            assert!(begun.elapsed() < HEALED * slack(), "{states:?}");
            sleep(Duration::from_millis(100)).await;
        }
    }
}

impl Cluster {
    fn builder(&self) -> ClientBuilder {
        Client::builder(&self.entrance).http_client(http_client()).retries(0)
    }
}

impl Entrance for Cluster {
    fn client(&self) -> Client {
        self.builder().build().unwrap()
    }

    fn client_of(&self, key: &ApiKey) -> Client {
        self.builder().api_key(key.clone()).build().unwrap()
    }
}

/// Writers at work on the cluster.
pub(super) struct Row {
    name: &'static str,
    /// Part of the names of its accounts.
    id: String,
    pub(super) cluster: Cluster,
    pub(super) world: World,
    pub(super) writers: Writers,
    listener: Listener,
    begun: Instant,
    /// When the last fault began.
    pub(super) injected: Instant,
}

impl Row {
    /// Begins to write through `haproxy` once the cluster is whole.
    pub(super) async fn begin(name: &'static str) -> Self {
        assert!(env::var_os("SVC_CLUSTER").is_some(), "`.ci/run cluster` runs these tests");
        let (cluster, begun) = (at("haproxy"), Instant::now());
        // A test that failed leaves it broken.
        cluster.run(&["heal"]);
        cluster.is_whole().await;
        let number = WORLDS.fetch_add(1, Ordering::Relaxed);
        let id = format!("{}x{number}", process::id());
        let world = World::of(&cluster, &format!("ada{id}"), &format!("bob{id}")).await;
        let listener = Listener::start(at("haproxy").entrance, world.bob_key().to_owned());
        let writers = Writers::start(&cluster, &world, "start").await;
        Self { name, id, cluster, world, writers, listener, begun, injected: begun }
    }

    /// Writes at one node from now on.
    pub(super) async fn write_at(&mut self, node: &str) {
        let writers = Writers::start(&at(node), &self.world, node).await;
        let before = std::mem::replace(&mut self.writers, writers);
        self.writers.add(before.end().await);
    }

    /// A username that nobody has yet.
    pub(super) fn new_name(&self, name: &str) -> String {
        format!("{name}{}", self.id)
    }

    /// Says something of this row.
    pub(super) fn report(&self, line: &str) {
        report(&format!("{}: {line}", self.name));
    }

    /// Measures times from now on.
    pub(super) fn begin_fault(&mut self) {
        self.injected = Instant::now();
    }

    /// Runs a command of the script. Times are measured from now on.
    #[track_caller]
    pub(super) fn run(&mut self, arguments: &[&str]) {
        self.begin_fault();
        self.cluster.run(arguments);
    }

    /// Waits until writes have flowed for a while. Later than this after the last fault, none may fail or stall.
    pub(super) async fn flows_within(&self, bound: Duration) {
        let bound = bound * slack();
        sleep(WATCHED).await;
        while !self.writers.flow_for(WATCHED) && self.injected.elapsed() < bound + WATCHED {
            sleep(Duration::from_millis(100)).await;
        }
        let outage = self.writers.outage_since(self.injected);
        self.report(&format!("all writes flow after {:.1} s", outage.as_secs_f32()));
        assert!(outage <= bound, "{}: {:?}", self.name, self.writers.failures_after(self.begun));
    }

    /// Checks that since the last fault no event was heard later than this after it had happened.
    pub(super) fn events_are_heard_within(&self, bound: Duration) {
        self.events_are_heard(100, bound);
    }

    /// Checks that since the last fault this percentage of the events were heard within this time after they had
    /// happened.
    pub(super) fn events_are_heard(&self, percent: usize, bound: Duration) {
        let lags = self.listener.lags_since(self.injected);
        let lag = lags[(lags.len() - 1) * percent / 100];
        self.report(&format!("{percent} % of the events are heard after {} ms", lag.as_millis()));
        assert!(lag <= bound * slack(), "{}: {lag:?}", self.name);
    }

    /// Checks that writes that began so long after the fault and failed did so at once.
    pub(super) fn failures_are_fast_after(&self, after: Duration, bound: Duration) {
        let slowest = self.writers.slowest_failure_after(self.injected + after);
        assert!(slowest <= bound * slack(), "{slowest:?}");
    }

    /// Checks that what failed of writes that began so long after the fault says this.
    pub(super) fn failures_say_after(&self, after: Duration, what: &str) {
        let failures = self.writers.failures_after(self.injected + after);
        assert!(failures.iter().all(|failure| failure.contains(what)), "{failures:?}");
    }

    /// Ends all faults and waits until every member is in its place.
    pub(super) async fn heals(&self) {
        self.cluster.run(&["heal"]);
        self.cluster.is_whole().await;
    }

    /// Ends where not one write may have failed.
    pub(super) async fn ends_without_failures(self) {
        sleep(WATCHED).await;
        let failures = self.writers.failures_after(self.begun);
        assert!(failures.is_empty(), "{failures:?}");
        self.ends().await;
    }

    /// Heals the cluster, ends the writers, and checks what they were answered.
    pub(super) async fn ends(self) {
        self.heals().await;
        let Self { name, cluster, world, writers, listener, .. } = self;
        assert!(writers.slowest() <= ANSWERED * slack(), "{:?}", writers.slowest());
        let (mut ledger, _) = writers.end().await;
        world.settle(&cluster, &mut ledger).await;
        for node in ["node1", "node2", "node3"] {
            world.check(&at(node), &ledger).await;
        }
        let latest = latest_event(&world.bob(&cluster)).await;
        timeout(ANSWERED * slack(), listener.hears(latest)).await.expect("the stream is complete");
        cluster.run(&["audit"]);
        let (acknowledged, refused) = (ledger.acknowledged.len(), ledger.refused.len());
        report(&format!("{name}: {acknowledged} acknowledged, {refused} refused"));
    }
}

/// The number of an account's latest event; the numbers have no gap.
async fn latest_event(account: &Client) -> u64 {
    let (mut last, mut is_more) = (0, true);
    while is_more {
        let page = account.events().after(last).limit(100).await.unwrap();
        for event in page.events {
            assert_eq!(event.seq, last + 1);
            last = event.seq;
        }
        is_more = page.next_cursor.is_some();
    }
    last
}

/// The cluster, entered at this member.
pub(super) fn at(member: &str) -> Cluster {
    Cluster { entrance: format!("http://{}:8787/api", address(member)) }
}

/// The factor for all bounds of time, on machines that do other work as well.
#[expect(clippy::disallowed_methods, reason = "the tests take it from here")]
pub(super) fn slack() -> u32 {
    env::var("SVC_CLUSTER_SLACK").map_or(1, |slack| slack.parse().unwrap())
}

/// The address of a member, as the script chooses it.
#[expect(clippy::disallowed_methods, reason = "the script reads the same variable")]
pub(super) fn address(member: &str) -> String {
    let net = env::var("SVC_CLUSTER_NET").unwrap_or_else(|_| "127.77.0".to_owned());
    let number = match member.split_at_checked(member.len() - 1) {
        Some(("node", number)) => format!("1{number}"),
        Some(("postgres", number)) => format!("2{number}"),
        _ => "2".to_owned(),
    };
    format!("{net}.{number}")
}

#[expect(clippy::print_stderr, reason = "the figures are what these tests are run for")]
pub(super) fn report(line: &str) {
    eprintln!("{line}");
}
