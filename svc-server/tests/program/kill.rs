//! `kill -9` under load: acknowledged writes survive, and others can be repeated. A server that can write no more ends.

use std::env;

use svc_store::testing::postgres;

use crate::load::{Ledger, World};
use crate::process::Place;

/// Writes that are answered before the next kill.
const WRITES: usize = 60;

/// How often a server is killed; `SVC_TEST_KILL_ROUNDS` asks for more.
pub(crate) fn rounds() -> u32 {
    let asked = env::var_os("SVC_TEST_KILL_ROUNDS");
    asked.and_then(|text| text.to_str()?.parse().ok()).unwrap_or(5)
}

/// Kills the server again and again while writers write.
async fn nothing_answered_is_lost(place: &Place, database: &[&str]) {
    let serve = || place.serve_by(place.program().args(database));
    let mut server = serve();
    let world = World::new(&server).await;
    let mut ledger = Ledger::default();
    for round in 0..rounds() {
        let mut load = world.load(&server, &format!("round-{round}"));
        // Not always at the same point of a writer's work.
        load.reaches(WRITES + usize::try_from(round).unwrap() % 7).await;
        server.kill();
        ledger.add(load.end().await);
        server = serve();
        world.settle(&server, &mut ledger).await;
        world.check(&server, &ledger).await;
    }
    assert_eq!(ledger.refused.len(), 0, "{:?}", ledger.refused);
    server.stop().await;
}

#[tokio::test]
async fn no_acknowledged_write_is_lost_when_a_server_on_sqlite_is_killed() {
    nothing_answered_is_lost(&Place::new(), &[]).await;
}

#[tokio::test]
async fn no_acknowledged_write_is_lost_when_a_server_on_postgres_is_killed() {
    let database =
        tokio::task::spawn_blocking(|| postgres::postgres().map(postgres::Cluster::database));
    if let Some(url) = database.await.unwrap() {
        nothing_answered_is_lost(&Place::new(), &["--database-url", &url]).await;
    }
}

/// A server whose writing thread is gone would answer reads, and refuse writes until somebody notices.
async fn a_panic_around_a_commit_ends_the_server(place: &Place, database: &[&str]) {
    for (at, name) in [("before-commit", "ada"), ("after-commit", "bob")] {
        let (mut program, faults) = (place.program(), format!("{at}=panic"));
        let server = place.serve_by(program.args(database).env("FAILPOINTS", faults));
        let client = server.client();
        let mut number = 0;
        // The failpoint is set a moment after the server has said where it listens.
        while client.auth().register_agent(format!("{name}{number}")).await.is_ok() {
            number += 1;
        }
        let (status, _) = server.end().await;
        assert_eq!(status.code(), Some(70), "{}", place.log());
        assert!(place.log().contains("a thread of the database panicked"), "{}", place.log());
    }
    place.serve_by(place.program().args(database)).stop().await;
}

#[tokio::test]
async fn a_server_on_sqlite_that_can_write_no_more_ends() {
    a_panic_around_a_commit_ends_the_server(&Place::new(), &[]).await;
}

#[tokio::test]
async fn a_server_on_postgres_whose_thread_panics_ends() {
    let database =
        tokio::task::spawn_blocking(|| postgres::postgres().map(postgres::Cluster::database));
    if let Some(url) = database.await.unwrap() {
        let database = ["--database-url", &url];
        a_panic_around_a_commit_ends_the_server(&Place::new(), &database).await;
    }
}
