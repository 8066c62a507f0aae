//! The server on PostgreSQL, compared with SQLite.

use super::world::World;
use super::{Side, compare};
use crate::process::Process;
use crate::table::Table;

pub(crate) async fn run(table: &mut Table) {
    let folders =
        [tempfile::tempdir(), tempfile::tempdir()].map(|made| made.expect("a folder can be made"));
    let sqlite = Process::server(folders[0].path(), &[]);
    let started = tokio::task::block_in_place(|| Process::server_on_postgres(folders[1].path()));
    let Some(postgres) = started else {
        eprintln!("  skipped: PostgreSQL is not installed");
        return;
    };
    let (one, other) = (World::new(&sqlite, 1_000).await, World::new(&postgres, 1_000).await);
    let kinds = [
        ("PostgreSQL : SQLite, durable reply", "≥ 0.25", one.replies(), other.replies()),
        ("PostgreSQL : SQLite, message", "≥ 0.25", one.messages(), other.messages()),
        ("PostgreSQL : SQLite, point read", "≥ 0.35", one.points(), other.points()),
        ("PostgreSQL : SQLite, page of 20", "≥ 0.35", one.pages(), other.pages()),
    ];
    for (what, goal, base, ours) in kinds {
        let ours = Side { process: &postgres, shots: &ours };
        let base = Side { process: &sqlite, shots: &base };
        compare(table, what, goal, ours, base);
    }
}
