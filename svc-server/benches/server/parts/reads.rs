//! Reads, compared with a bare GET.

use super::world::World;
use super::{Side, bare_get, compare};
use crate::process::Process;
use crate::table::Table;

pub(crate) async fn run(table: &mut Table) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let server = Process::server(folder.path(), &[]);
    let ceiling = Process::ceiling();
    let world = World::new(&server, 2_000).await;
    let bare = bare_get();
    let bare = Side { process: &ceiling, shots: &bare };
    let point = world.points();
    let ours = Side { process: &server, shots: &point };
    compare(table, "point read : bare GET", "≥ 0.60", ours, bare);
    let page = world.pages();
    let ours = Side { process: &server, shots: &page };
    compare(table, "page of 20 : bare GET", "≥ 0.30", ours, bare);
}
