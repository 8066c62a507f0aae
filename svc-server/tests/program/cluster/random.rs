//! Failures at random, one after the other.

use std::env;
use std::time::Duration;

use adya::r#gen::Rng;
use svc_store::clock::Clock;
use tokio::time::{Instant, sleep};

use super::row::{Row, report};

/// How long a failure lasts at most, in milliseconds.
const LASTS: u64 = 15_000;

/// A failure, in which `#` is the number of a member.
type Fault = &'static [&'static [&'static str]];

/// A machine of PostgreSQL that hangs loses its Patroni before it goes on, as by a watchdog.
const FAULTS: &[Fault] = &[
    &[&["kill", "node#"]],
    &[&["stop", "node#"]],
    &[&["freeze", "node#"]],
    &[&["cut", "node#-postgres"]],
    &[&["kill", "postgres#"]],
    &[&["kill", "postgres#", "patroni#"]],
    &[&["freeze", "postgres#", "patroni#"], &["kill", "patroni#"]],
    &[&["cut", "postgres#-etcd"]],
    &[&["cut", "postgres-postgres"]],
    &[&["kill", "etcd#"]],
    &[&["freeze", "etcd#"]],
    &[&["kill", "nats#"]],
    &[&["freeze", "nats#"]],
    &[&["kill", "nats1", "nats2", "nats3"]],
];

rows! {
    nothing_is_lost_or_doubled_by_failures_at_random => at_random;
}

async fn at_random(mut row: Row) {
    let seed =
        number("SVC_CLUSTER_SEED").unwrap_or(Clock::system().now().as_millis().unsigned_abs());
    let length = Duration::from_mins(number("SVC_CLUSTER_MINUTES").unwrap_or(30));
    report(&format!("SVC_CLUSTER_SEED={seed}"));
    let (mut rng, begun) = (Rng::new(seed), Instant::now());
    while begun.elapsed() < length {
        let fault = FAULTS[usize::try_from(rng.below(FAULTS.len() as u64)).unwrap()];
        let member = (1 + rng.below(3)).to_string();
        for command in fault {
            let command: Vec<_> = command.iter().map(|part| part.replace('#', &member)).collect();
            report(&format!("{:>5} s: {}", begun.elapsed().as_secs(), command.join(" ")));
            row.run(&command.iter().map(String::as_str).collect::<Vec<_>>());
            sleep(Duration::from_millis(rng.below(LASTS))).await;
        }
        row.heals().await;
    }
    row.ends().await;
}

#[expect(clippy::disallowed_methods, reason = "the tests take their length and seed from here")]
fn number(variable: &str) -> Option<u64> {
    env::var(variable).ok().map(|text| text.parse().unwrap())
}
