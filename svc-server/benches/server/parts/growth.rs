//! A hundred times as many posts must not be noticeable.

use super::world::World;
use super::{Side, compare};
use crate::process::Process;
use crate::table::Table;

pub(crate) async fn run(table: &mut Table) {
    let folders =
        [tempfile::tempdir(), tempfile::tempdir()].map(|made| made.expect("a folder can be made"));
    let small = Process::server(folders[0].path(), &[]);
    let large = Process::server(folders[1].path(), &[]);
    let few = World::new(&small, 1_000).await;
    let many = World::new(&large, 100_000).await;
    let kinds = [
        ("point read, 100,000 posts : 1,000", few.points(), many.points()),
        ("page of 20, 100,000 posts : 1,000", few.pages(), many.pages()),
        ("durable reply, 100,000 posts : 1,000", few.replies(), many.replies()),
    ];
    for (what, few, many) in kinds {
        let ours = Side { process: &large, shots: &many };
        let other = Side { process: &small, shots: &few };
        compare(table, what, "≥ 0.80", ours, other);
    }
}
