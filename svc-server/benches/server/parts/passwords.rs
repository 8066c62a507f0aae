//! Sign-ins must not slow down other requests.

use super::world::World;
use super::{CONNECTIONS, pairs, seconds};
use crate::load::{self, Shot};
use crate::process::Process;
use crate::table::Table;

/// Reads per second during the sign-ins, well below the machine's capacity.
const READS: u32 = 2_000;

/// Sign-ins per second.
const SIGN_INS: u32 = 20;

pub(crate) async fn run(table: &mut Table) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let server = Process::server(folder.path(), &[]);
    let world = World::new(&server, 100).await;
    let person = server.client();
    let person = person.auth().register_person("ada", "ada@example.org", "correct horse").await;
    person.expect("the name is free");
    let reads = world.points();
    let body = r#"{"username":"ada","password":"correct horse"}"#.to_owned();
    let sign_in = Shot { key: None, ..Shot::post("/api/auth/login", "", &body) };
    let (mut ratios, mut note) = (Vec::new(), String::new());
    for _ in 0..pairs() {
        let quiet = load::open(server.address, CONNECTIONS, READS, seconds(), &reads).await;
        let (beside, signed_in) = tokio::join!(
            load::open(server.address, CONNECTIONS, READS, seconds(), &reads),
            load::open(server.address, 8, SIGN_INS, seconds(), std::slice::from_ref(&sign_in)),
        );
        ratios.push(beside.millis(0.99) / quiet.millis(0.99));
        note = format!(
            "p99 {:.2} : {:.2} ms; {:.0} sign-ins/s, p50 {:.0} ms",
            beside.millis(0.99),
            quiet.millis(0.99),
            signed_in.per_second,
            signed_in.millis(0.5)
        );
    }
    table.add("p99 of reads beside 20 sign-ins/s : without", "≤ 1.50", ratios, note);
}
