//! Webhooks under `kill -9`: every event arrives, and what arrives twice has the same id.

use std::collections::{BTreeMap, BTreeSet};

use svc_client::Client;

use crate::kill::rounds;
use crate::load::{Ledger, World};
use crate::process::{Place, Server, database};
use crate::receiver::{Hit, Mode, Receiver};

/// Writes that are answered before the next kill.
const WRITES: usize = 40;

/// What a server needs to call a receiver of this machine, and to lose patience soon.
const SETTINGS: [&str; 5] = [
    "--allow-loopback-webhooks",
    "--set",
    "webhooks.connect_timeout=1s",
    "--set",
    "webhooks.timeout=1s",
];

/// Ids and kinds of all events of an account.
async fn events(account: &Client) -> BTreeSet<String> {
    let mut ids = BTreeSet::new();
    let mut seen = 0;
    loop {
        let page = account.events().after(seen).limit(100).await.unwrap();
        let Some(last) = page.events.last() else { return ids };
        seen = last.seq;
        ids.extend(page.events.iter().map(|event| event.id.to_string()));
    }
}

/// Bodies that arrived, by id.
fn arrived(receiver: &Receiver) -> BTreeMap<String, BTreeSet<Vec<u8>>> {
    let mut bodies: BTreeMap<String, BTreeSet<Vec<u8>>> = BTreeMap::new();
    for hit in receiver.hits() {
        bodies.entry(hit.header("X-Webhook-Id").to_owned()).or_default().insert(hit.body);
    }
    bodies
}

/// Waits until every event that was committed has arrived, and nothing else has.
async fn all_arrive(receiver: &Receiver, bob: &Client) {
    let expected = events(bob).await;
    let missing = |hits: &[Hit]| {
        let ids: BTreeSet<&str> = hits.iter().map(|hit| hit.header("X-Webhook-Id")).collect();
        expected.iter().filter(|id| !ids.contains(id.as_str())).count()
    };
    let has_all = receiver.comes_to(|hits| missing(hits) == 0).await;
    assert!(has_all, "{} of {} are missing", missing(&receiver.hits()), expected.len());
    let arrived = arrived(receiver);
    for (id, bodies) in &arrived {
        assert!(expected.contains(id), "{id} was never committed");
        assert_eq!(bodies.len(), 1, "{id} always has the same body");
    }
}

/// Kills the server again and again while it writes events and sends them.
async fn no_event_is_lost(place: &Place, database: &[&str]) {
    let serve = || -> Server { place.serve_by(place.program().args(database).args(SETTINGS)) };
    let mut server = serve();
    let world = World::new(&server).await;
    let receiver = Receiver::start(Mode::ok()).await;
    world.bob(&server).webhooks().create(receiver.url()).await.unwrap();
    let mut ledger = Ledger::default();
    for round in 0..rounds() {
        let mut load = world.load(&server, &format!("round-{round}"));
        load.reaches(WRITES + usize::try_from(round).unwrap() % 7).await;
        server.kill();
        ledger.add(load.end().await);
        server = serve();
        world.settle(&server, &mut ledger).await;
        all_arrive(&receiver, &world.bob(&server)).await;
    }
    assert_eq!(ledger.refused.len(), 0, "{:?}", ledger.refused);
    server.stop().await;
}

#[tokio::test]
async fn no_event_is_lost_when_a_server_on_sqlite_is_killed() {
    no_event_is_lost(&Place::new(), &[]).await;
}

#[tokio::test]
async fn no_event_is_lost_when_a_server_on_postgres_is_killed() {
    if let Some(url) = database().await {
        no_event_is_lost(&Place::new(), &["--database-url", &url]).await;
    }
}

/// A server that is stopped finishes its calls: nothing is sent a second time by the next one.
#[tokio::test]
async fn a_stop_waits_for_running_calls() {
    let place = Place::new();
    let serve = || -> Server { place.serve_by(place.program().arg(SETTINGS[0])) };
    let server = serve();
    let world = World::new(&server).await;
    let receiver = Receiver::start(Mode::Waits(200)).await;
    world.bob(&server).webhooks().create(receiver.url()).await.unwrap();
    world.ada(&server).messages().send("bob", "psst").await.unwrap();
    receiver.reaches(1).await;
    let stopping = tokio::spawn(server.stop());
    receiver.answer(10);
    stopping.await.unwrap();
    let server = serve();
    world.ada(&server).messages().send("bob", "psst again").await.unwrap();
    let hits = receiver.reaches(2).await;
    assert_ne!(hits[0].header("X-Webhook-Id"), hits[1].header("X-Webhook-Id"));
    server.stop().await;
}
