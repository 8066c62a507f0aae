//! `kill -9` under load: acknowledged writes survive, and others can be repeated.

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
