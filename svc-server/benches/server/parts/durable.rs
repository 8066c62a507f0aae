//! Writes that are on disk before the response.

use super::world::World;
use super::{CONNECTIONS, Side, bare_post, compare, pairs, seconds};
use crate::disk;
use crate::load;
use crate::process::Process;
use crate::table::Table;

/// Requests per second of the open loop.
const RATE: u32 = 5_000;

pub(crate) async fn run(table: &mut Table) {
    let folders =
        [tempfile::tempdir(), tempfile::tempdir()].map(|made| made.expect("a folder can be made"));
    let grouped = Process::server(folders[0].path(), &[]);
    let single = Process::server(folders[1].path(), &["database.group_max=1"]);
    let ceiling = Process::ceiling();
    let world = World::new(&grouped, 1_000).await;
    let alone = World::new(&single, 1_000).await;
    let (p50, p99) = disk::sync_millis(folders[0].path());
    table.add("fdatasync, ms (median; note: p99)", "", vec![p50], format!("p99 {p99:.2} ms"));
    let bare = bare_post();
    let bare = Side { process: &ceiling, shots: &bare };
    let reply = world.replies();
    let ours = Side { process: &grouped, shots: &reply };
    compare(table, "durable reply : POST without storage", "≥ 0.18", ours, bare);
    let message = world.messages();
    let messages = Side { process: &grouped, shots: &message };
    compare(table, "durable message : POST without storage", "≥ 0.20", messages, bare);
    let lone = alone.replies();
    let lone = Side { process: &single, shots: &lone };
    compare(table, "durable reply : one per commit", "≥ 4", ours, lone);
}

/// The cost of notifying the recipient: the event, its number, the notification and the relay.
pub(crate) async fn notified(table: &mut Table) {
    let folders =
        [tempfile::tempdir(), tempfile::tempdir()].map(|made| made.expect("a folder can be made"));
    let [loud, quiet] =
        [&folders[0], &folders[1]].map(|folder| Process::server(folder.path(), &[]));
    let [notified, silent] = [World::new(&loud, 1_000).await, World::new(&quiet, 1_000).await];
    silent.hush(&quiet).await;
    let (notified, silent) = (notified.messages(), silent.messages());
    let loud = Side { process: &loud, shots: &notified };
    let quiet = Side { process: &quiet, shots: &silent };
    compare(table, "durable message, notified : not notified", "≥ 0.80", loud, quiet);
    time_of_one(table, loud, quiet).await;
}

/// The latency of one message on an idle server.
async fn time_of_one(table: &mut Table, notified: Side<'_>, silent: Side<'_>) {
    let (mut ratios, mut note) = (Vec::new(), String::new());
    for _ in 0..pairs() {
        let silent = silent.load_by(1).await.millis(0.5);
        let notified = notified.load_by(1).await.millis(0.5);
        ratios.push(notified / silent);
        note = format!("last pair {notified:.3} ms : {silent:.3} ms");
    }
    table.add("time of one durable message, notified : not notified", "≤ 1.25", ratios, note);
}

pub(crate) async fn open_loop(table: &mut Table) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let server = Process::server(folder.path(), &[]);
    let world = World::new(&server, 1_000).await;
    let shots = world.replies();
    let (mut p99s, mut note) = (Vec::new(), String::new());
    for _ in 0..pairs() {
        let (_, sync) = disk::sync_millis(folder.path());
        let shown = load::open(server.address, CONNECTIONS, RATE, seconds() * 2, &shots).await;
        p99s.push(shown.millis(0.99));
        let (rate, p50, failures) = (shown.per_second, shown.millis(0.5), shown.failures);
        note =
            format!("{rate:.0}/s, p50 {p50:.2} ms, {failures} failed; fdatasync p99 {sync:.2} ms");
    }
    table.add("5,000 replies/s, open loop: p99 in ms", "≤ 10", p99s, note);
}
