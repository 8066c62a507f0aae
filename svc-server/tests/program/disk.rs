//! A full disk, a failing and a slow one, made by a small library between the program and the system; and a
//! damaged page.

use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use svc_client::types::Code;
use svc_client::types::api::health::HealthStatus;
use svc_store::testing::left_out;

use crate::load::{Ledger, World};
use crate::process::{Place, Server, read_database, refused};

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
        left_out("the C compiler `cc`");
        return None;
    };
    assert!(status.success(), "the library of faults compiles");
    Some(library)
}

/// The program with a disk that fails while the file `full`, `sync` or `slow` exists.
fn program(place: &Place, library: &Path) -> Command {
    let mut program = place.program();
    program.env("LD_PRELOAD", library);
    for (variable, file) in
        [("SVC_FAULT_FULL", "full"), ("SVC_FAULT_SYNC", "sync"), ("SVC_FAULT_SLOW", "slow")]
    {
        program.env(variable, place.path(file));
    }
    program
}

/// A server on such a disk.
fn serve_on_faulty_disk(place: &Place, settings: &[&str]) -> Option<Server> {
    let library = faults(place)?;
    Some(place.serve_by(program(place, &library).args(settings)))
}

/// What the server says of itself.
async fn health(server: &Server) -> HealthStatus {
    server.client().health().read().await.unwrap().status
}

#[tokio::test]
async fn a_full_disk_refuses_writes_until_space_is_free() {
    let place = Place::new();
    let Some(server) = serve_on_faulty_disk(&place, &[]) else { return };
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
    let Some(server) = serve_on_faulty_disk(&place, &[]) else { return };
    let world = World::new(&server).await;
    let mut load = world.load(&server, "before");
    load.reaches(WRITES).await;
    File::create(place.path("sync")).unwrap();
    let mut ledger = load.end_by_itself().await;
    let (status, _) = server.end().await;
    assert_eq!(status.code(), Some(70), "{}", place.log());
    // What other threads log meanwhile may follow it.
    let log = place.log();
    assert!(log.contains("the database could not commit; the server ends"), "{log}");
    assert!(!ledger.unknown.is_empty());

    let server = place.serve();
    world.settle(&server, &mut ledger).await;
    world.check(&server, &ledger).await;
    server.stop().await;
}

#[tokio::test]
async fn a_slow_disk_delays_writes_and_loses_none() {
    let place = Place::new();
    let in_time = ["--set", "limits.request_timeout=3s"];
    let Some(server) = serve_on_faulty_disk(&place, &in_time) else { return };
    let world = World::new(&server).await;
    let mut load = world.load(&server, "before");
    load.reaches(WRITES).await;
    File::create(place.path("slow")).unwrap();
    let mut ledger = load.end_by_itself().await;
    // What is in the queue is written once the disk goes on, so none of it counts as refused.
    assert!(ledger.refused.is_empty() && !ledger.unknown.is_empty(), "{:?}", ledger.refused);
    let late = world.write(&world.ada(&server), "while-slow").await.unwrap_err();
    assert_eq!(late.code(), Some(&Code::OutcomeUnknown));
    assert!(late.retry_after().is_some());
    ledger.unknown.push("while-slow".to_owned());
    server.client().feed().global().await.expect("what is read needs no sync");

    fs::remove_file(place.path("slow")).unwrap();
    world.settle(&server, &mut ledger).await;
    world.check(&server, &ledger).await;
    server.kill();

    let server = place.serve();
    world.check(&server, &ledger).await;
    server.stop().await;
}

/// A page that was overwritten.
struct Damage {
    file: File,
    place: u64,
    /// What it held.
    before: Vec<u8>,
}

impl Damage {
    /// Overwrites the first page of a table, which no process has open.
    fn of_credits(database: &Path) -> Self {
        // Pages that are in the log would hide those of the file.
        let is_busy: i64 = read_database(database, "pragma wal_checkpoint(truncate)");
        assert_eq!(is_busy, 0);
        let number = |sql: &str| u64::try_from(read_database::<i64>(database, sql)).unwrap();
        let size = number("pragma page_size");
        let page = number("select rootpage from sqlite_schema where name = 'ledger_entry'");
        let (place, mut before) = ((page - 1) * size, vec![0; usize::try_from(size).unwrap()]);
        let file = File::options().read(true).write(true).open(database).unwrap();
        file.read_exact_at(&mut before, place).unwrap();
        file.write_all_at(&vec![0xFF; before.len()], place).unwrap();
        Self { file, place, before }
    }

    fn undo(self) {
        self.file.write_all_at(&self.before, self.place).unwrap();
    }
}

#[tokio::test]
async fn what_is_on_a_damaged_page_is_refused_and_all_else_is_served() {
    let place = Place::new();
    let server = place.serve();
    let world = World::new(&server).await;
    server.stop().await;
    let damage = Damage::of_credits(&place.path("data/svc.db"));

    let server = place.serve();
    let ada = world.ada(&server);
    for refused in [
        ada.credits().transactions().await.map(drop),
        server.client().auth().register_agent("cyd").await.map(drop),
    ] {
        assert_eq!(refused.unwrap_err().code(), Some(&Code::StorageUnavailable));
    }
    let absent = server.client().users().get("cyd").await.unwrap_err();
    assert_eq!(absent.code(), Some(&Code::NotFound), "nothing of it is stored");
    world.write(&ada, "meanwhile").await.unwrap();
    let audit = place.program().arg("audit").output().unwrap();
    assert_eq!((audit.status.code(), &*audit.stdout), (Some(2), &b""[..]), "{audit:?}");
    assert!(place.log().contains("database disk image is malformed"), "{}", place.log());
    server.stop().await;

    damage.undo();
    let server = place.serve();
    server.client().auth().register_agent("cyd").await.unwrap();
    let ledger = Ledger { acknowledged: vec!["meanwhile".to_owned()], ..Ledger::default() };
    world.check(&server, &ledger).await;
    server.stop().await;
    assert!(!place.run(&["audit"]).contains("BROKEN"));
}

#[tokio::test]
async fn a_server_starts_on_a_full_disk_or_says_that_it_is_full() {
    let place = Place::new();
    let Some(library) = faults(&place) else { return };
    place.serve().stop().await;
    File::create(place.path("full")).unwrap();
    // Its process id can't be noted.
    let mut start = program(&place, &library);
    let server = place.serve_by(start.env("SVC_FAULT_PATH", "/svc.db.lock"));
    server.client().feed().global().await.unwrap();
    server.stop().await;
    // SQLite needs an index of its write-ahead log.
    let mut start = program(&place, &library);
    start.args(["--listen", "127.0.0.1:0", "--mqtt-listen", "off"]);
    let message = refused(start.env("SVC_FAULT_PATH", "/svc.db-shm"));
    assert!(message.contains("the disk is full") && message.contains("svc.db-shm"), "{message}");
}

#[tokio::test]
async fn a_backup_on_a_full_disk_fails_and_leaves_nothing_that_passes_for_one() {
    let place = Place::new();
    let Some(library) = faults(&place) else { return };
    let server = place.serve();
    server.client().auth().register_agent("ada").await.unwrap();
    let copy = place.path("copy.tar");
    let file = copy.to_str().unwrap();
    File::create(place.path("full")).unwrap();
    // There is no space for the copy of the database, in a folder of its own, or for the archive.
    for part in ["/.svc-backup-", "/copy.tar"] {
        let mut backup = program(&place, &library);
        let message = refused(backup.env("SVC_FAULT_PATH", part).args(["backup", file]));
        assert!(message.starts_with("error: ") && message.contains(part), "{part}: {message}");
        assert!(!copy.exists(), "{part}");
        let left = fs::read_dir(place.path("")).unwrap();
        let left = left.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        assert_eq!(left.filter(|name| name.starts_with(".svc")).count(), 0, "{part}");
    }
    // Nor for the copy that is verified, unless that is elsewhere.
    let [to, aside] = ["kept", "aside"].map(|name| place.path(name));
    for folder in [&to, &aside] {
        fs::create_dir(folder).unwrap();
    }
    let verified = || {
        let mut backup = program(&place, &library);
        backup.env("SVC_FAULT_PATH", "/data/").args(["backup", "--to"]).arg(&to);
        backup
    };
    let message = refused(&mut verified());
    assert!(message.ends_with("; --aside names a folder on a disk with more room\n"), "{message}");
    let backup = verified().arg("--aside").arg(&aside).output().unwrap();
    assert!(backup.status.success(), "{backup:?}");
    // On another disk than that of the data there is space for all of it.
    let mut backup = program(&place, &library);
    let backup = backup.env("SVC_FAULT_PATH", "/data/").args(["backup", file]).output().unwrap();
    assert!(backup.status.success(), "{backup:?}");
    fs::remove_file(place.path("full")).unwrap();
    server.stop().await;
    let elsewhere = Place::new();
    elsewhere.take_log(&place);
    elsewhere.run(&["restore", file]);
    assert!(elsewhere.run(&["admin", "list-users"]).contains("ada"));
}
