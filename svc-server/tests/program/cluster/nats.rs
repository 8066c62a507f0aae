//! Failures of NATS, in a cluster whose nodes give each other hints by it.

use std::time::Duration;

use super::NO_PAUSE;
use super::row::Row;
use super::short::nothing;

/// Until an event of another node is heard while hints arrive, and while none does: then each node looks
/// for events once a second.
const BY_HINT: Duration = Duration::from_secs(1);
const BY_LOOK: Duration = Duration::from_secs(2);

rows! {
    by_nats_events_of_all_nodes_are_heard_at_once => nothing;
    events_are_heard_at_once_while_one_nats_is_down => kill_one;
    events_are_heard_within_2_s_while_nats_is_down => kill_all;
    events_are_heard_within_2_s_while_nats_is_frozen => freeze_all;
}

async fn kill_one(mut row: Row) {
    row.run(&["kill", "nats1"]);
    row.flows_within(NO_PAUSE).await;
    row.events_are_heard_within(BY_HINT);
    row.ends().await;
}

async fn kill_all(mut row: Row) {
    let all = ["nats1", "nats2", "nats3"];
    row.run(&["kill", all[0], all[1], all[2]]);
    row.flows_within(NO_PAUSE).await;
    row.events_are_heard_within(BY_LOOK);
    row.run(&["start", all[0], all[1], all[2]]);
    row.flows_within(NO_PAUSE).await;
    row.events_are_heard_within(BY_LOOK);
    row.ends().await;
}

async fn freeze_all(mut row: Row) {
    row.run(&["freeze", "nats1", "nats2", "nats3"]);
    row.flows_within(NO_PAUSE).await;
    row.events_are_heard_within(BY_LOOK);
    row.run(&["heal"]);
    row.flows_within(NO_PAUSE).await;
    row.events_are_heard_within(BY_LOOK);
    row.ends().await;
}
