//! `deploy/local-cluster`: what a cluster survives, and how long that takes.
//!
//! `.ci/run cluster` starts clusters and runs these tests on them, on each one after the other;
//! `.ci/run cluster-long` runs more of them, and longer. Each writes all the time, and measures until when writes fail
//! after a fault. Whatever happens: what was acknowledged is there once, what was refused is not, events have numbers
//! without gaps and reach a stream once and in order, and the audit holds.
//!
//! | module | what it covers |
//! |---|---|
//! | `short` | nodes, the primary and its standby, etcd, cut links |
//! | `nats` | NATS, which carries hints between nodes |
//! | `histories` | whether credits are strictly serializable meanwhile |
//! | `long` | disks, clocks, connections |
//! | `random` | failures at random, for half an hour |

use std::time::Duration;

/// How long writes flow undisturbed in each test at least.
const WATCHED: Duration = Duration::from_secs(10);

const NO_PAUSE: Duration = Duration::from_secs(2);

/// What a request may take while PostgreSQL is known not to answer.
const AT_ONCE: Duration = Duration::from_secs(1);

macro_rules! rows {
    ($($name:ident => $test:path;)+) => {$(
        #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
        #[ignore = "it needs a cluster: `.ci/run cluster`"]
        async fn $name() {
            $test(super::row::Row::begin(stringify!($name)).await).await;
        }
    )+};
}

mod connections;
mod histories;
mod listener;
mod long;
mod mqtt_listener;
mod nats;
mod random;
mod row;
mod short;
mod writers;
