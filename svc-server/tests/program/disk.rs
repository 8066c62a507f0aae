//! A full disk and a failing one, made by a small library between the server and the system.

use std::env;
use std::fs::{self, File};
use std::path::PathBuf;
use std::process::Command;

use svc_client::types::Code;
use svc_client::types::api::health::HealthStatus;

use crate::load::World;
use crate::process::{Place, Server};

/// The library, for the C compiler.
const FAULTS: &str = include_str!("faults.c");

/// Writes that are answered before the disk fails.
const WRITES: usize = 40;

/// Builds the library into the folder of a test; `None`, loudly, where there is no C compiler.
fn faults(place: &Place) -> Option<PathBuf> {
    let (source, library) = (place.path("faults.c"), place.path("faults.so"));
    fs::write(&source, FAULTS).unwrap();
    let built = Command::new("cc")
        .args(["-shared", "-fPIC", "-Wall", "-Werror", "-o"])
        .args([&library, &source])
        .arg("-ldl")
        .status();
    let Ok(status) = built else {
        report_absence();
        return None;
    };
    assert!(status.success(), "the library of faults compiles");
    Some(library)
}

#[expect(clippy::print_stderr, reason = "a skipped test must be reported")]
fn report_absence() {
    let required = env::var_os("SVC_TEST_SERVICES").is_some_and(|value| value == "required");
    assert!(!required, "SVC_TEST_SERVICES is required, but there is no `cc` here");
    eprintln!("LEFT OUT: no C compiler `cc` here, the tests of failing disks do nothing");
}

/// A server whose disk fails while the file `full` or `sync` exists.
fn serve_on_faulty_disk(place: &Place) -> Option<Server> {
    let library = faults(place)?;
    let mut command = place.program();
    let command = command
        .env("LD_PRELOAD", library)
        .env("SVC_FAULT_FULL", place.path("full"))
        .env("SVC_FAULT_SYNC", place.path("sync"));
    Some(place.serve_by(command))
}

/// What the server says of itself.
async fn health(server: &Server) -> HealthStatus {
    server.client().health().read().await.unwrap().status
}

#[tokio::test]
async fn a_full_disk_refuses_writes_until_space_is_free() {
    let place = Place::new();
    let Some(server) = serve_on_faulty_disk(&place) else { return };
    let world = World::new(&server).await;
    let mut load = world.load(&server, "before");
    load.reaches(WRITES).await;
    File::create(place.path("full")).unwrap();
    let mut ledger = load.end_by_itself().await;
    assert!(!ledger.refused.is_empty() && ledger.unknown.is_empty(), "{:?}", ledger.unknown);
    for refused in ledger.refused.drain(..) {
        assert_eq!(refused.code(), Some(&Code::StorageFull), "{refused:?}");
        assert!(refused.retry_after().is_some());
    }

    assert_eq!(health(&server).await, HealthStatus::Degraded);
    let refused = world.write(&world.ada(&server), "while-full").await.unwrap_err();
    assert_eq!(refused.code(), Some(&Code::StorageFull));
    world.check(&server, &ledger).await;

    fs::remove_file(place.path("full")).unwrap();
    let mut load = world.load(&server, "after");
    load.reaches(WRITES).await;
    ledger.add(load.end().await);
    assert_eq!(health(&server).await, HealthStatus::Ok);
    world.check(&server, &ledger).await;
    server.kill();

    let server = place.serve();
    world.check(&server, &ledger).await;
    server.stop().await;
}

#[tokio::test]
async fn a_disk_that_fails_at_a_commit_ends_the_server() {
    let place = Place::new();
    let Some(server) = serve_on_faulty_disk(&place) else { return };
    let world = World::new(&server).await;
    let mut load = world.load(&server, "before");
    load.reaches(WRITES).await;
    File::create(place.path("sync")).unwrap();
    let mut ledger = load.end_by_itself().await;
    let (status, _) = server.end().await;
    assert_eq!(status.code(), Some(70), "{}", place.log());
    let log = place.log();
    let last = log.lines().last().unwrap_or_default();
    assert!(last.contains("the database could not commit; the server ends"), "{log}");
    assert!(!ledger.unknown.is_empty());

    let server = place.serve();
    world.settle(&server, &mut ledger).await;
    world.check(&server, &ledger).await;
    server.stop().await;
}
