//! `kill -9` under load: acknowledged writes survive, and others can be repeated. A server that can write no more ends.

use std::env;

use svc_server::testing::SEALING_KEY;

use crate::load::{Ledger, World};
use crate::process::{Place, Server, database};

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
    if let Some(url) = database().await {
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
    if let Some(url) = database().await {
        let database = ["--database-url", &url];
        a_panic_around_a_commit_ends_the_server(&Place::new(), &database).await;
    }
}

/// How often a node is killed in the hope that it was committing a registration: its other work commits, too, if less
/// often.
const TRIES: usize = 20;

/// Registers at a node that ends around a commit, until a registration is not answered; its name.
async fn unanswered(node: &Server, begin: &str) -> String {
    let mut number = 0;
    loop {
        let name = format!("{begin}{number}");
        let call = node.client().auth().register_agent(&*name).idempotency_key(key_of(&name));
        if let Err(error) = call.await {
            assert_eq!(error.code(), None, "it gets no answer: {error}");
            return name;
        }
        number += 1;
    }
}

/// As long as a key must be that nobody guesses.
fn key_of(name: &str) -> String {
    format!("a-random-key-of-{name:_>22}")
}

/// Repeats a registration on another node; whether its account was there before.
async fn is_repeated(node: &Server, name: &str) -> bool {
    let stored = node.client().users().get(name).await;
    let register =
        || node.client().auth().register_agent(name).idempotency_key(key_of(name)).into_future();
    let registered = register().await.unwrap();
    if let Ok(stored) = &stored {
        assert_eq!(stored.user.id, registered.user.id, "it is the account of the first attempt");
    }
    let session = node.client_of(&registered.api_key).auth().session().await.unwrap();
    assert_eq!(session.user.id, registered.user.id);
    let again = register().await.unwrap();
    assert_eq!(again.api_key.expose(), registered.api_key.expose());
    stored.is_ok()
}

#[tokio::test]
async fn a_registration_that_a_killed_node_did_not_answer_is_repeated_on_another() {
    let Some(url) = database().await else { return };
    let key = format!("exchange.sealing_keys={SEALING_KEY}");
    let settings = ["--database-url", &url, "--set", &key];
    let (dying, lasting) = (Place::new(), Place::new());
    let other = lasting.serve_by(lasting.program().args(settings));
    for (at, was_stored) in [("before-commit", false), ("after-commit", true)] {
        let mut is_as_expected = false;
        for try_number in 0..TRIES {
            let (mut program, faults) = (dying.program(), format!("{at}=6*off->return"));
            let node = dying.serve_by(program.args(settings).env("FAILPOINTS", faults));
            let begin = format!("{}_{try_number}_", &at[..5]);
            let name = unanswered(&node, &begin).await;
            is_as_expected = is_repeated(&other, &name).await == was_stored;
            if is_as_expected {
                break;
            }
        }
        assert!(is_as_expected, "{at}: no registration was being committed");
    }
    other.stop().await;
}
