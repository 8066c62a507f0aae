//! Resident memory, and start-up time with an existing database.

use super::world::World;
use super::{CONNECTIONS, seconds};
use crate::load;
use crate::process::Process;
use crate::table::Table;

/// Posts in the database under load.
const POSTS: usize = 100_000;

pub(crate) async fn run(table: &mut Table) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let server = Process::server(folder.path(), &[]);
    table.add("memory idle, MB", "≤ 20", vec![server.resident_mb()], "");
    let world = World::new(&server, POSTS).await;
    for shots in [world.replies(), world.pages(), world.points()] {
        load::closed(server.address, CONNECTIONS, seconds() * 2, &shots).await;
    }
    table.add(
        "memory under load, MB",
        "≤ 150",
        vec![server.resident_mb()],
        format!("{POSTS} posts"),
    );
    drop(server);
    let ready = |_| {
        let server = Process::server(folder.path(), &[]);
        server.ready_after.as_secs_f64() * 1000.0
    };
    table.add(
        "ready on that database, ms",
        "≤ 100",
        (0..5).map(ready).collect(),
        "first after a kill",
    );
}
