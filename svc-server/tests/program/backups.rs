//! Backups that are verified, once and by a schedule.

mod bucket;
mod schedule;

use std::fs::{self, File};
use std::io::Read;
use std::os::unix::fs::{FileExt, PermissionsExt};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;
use svc_client::types::Timestamp;
use svc_server::clock::Clock;
use svc_server::testing::until;

use crate::process::{Place, read_database};

/// Another key than any server's.
const OTHER_KEY: &str = "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=";

/// How often a backup is killed.
const KILLS: usize = 5;

const DAY: Duration = Duration::from_hours(24);

/// A place with an account, whose server has stopped, and an empty folder for copies.
async fn stopped() -> Place {
    let place = Place::new();
    let server = place.serve();
    server.client().auth().register_agent("ada").await.unwrap();
    server.stop().await;
    fs::create_dir(place.path("copies")).unwrap();
    place
}

/// The names in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn copies(place: &Place) -> Vec<String> {
    names(&place.path("copies"))
}

/// The only copy of a place.
#[track_caller]
fn only_copy(place: &Place) -> String {
    let names = copies(place);
    assert_eq!(names.len(), 1, "{names:?}");
    names.concat()
}

/// What a backup needs in a folder only while it is made.
fn parts(folder: &Path) -> Vec<String> {
    names(folder).into_iter().filter(|name| name.starts_with(".svc-backup-")).collect()
}

fn has_parts(folder: &Path) -> bool {
    !parts(folder).is_empty()
}

/// The name of an archive that was made then.
fn name_of(time: Timestamp) -> String {
    let text = time.to_string().replace(['-', ':'], "");
    format!("svc-{}Z.tar", text.split('.').next().unwrap())
}

fn now() -> Timestamp {
    Clock::system().now()
}

/// What a command says that must end with this code.
#[track_caller]
fn ends_with(code: i32, command: &mut Command) -> String {
    let output = command.output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{command:?}: {message}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
    message
}

/// What `backup verify` says of an archive that no server could go on from.
#[track_caller]
fn unverified(place: &Place, file: &str, code: i32) -> String {
    let message = ends_with(code, place.program().args(["backup", "verify", file]));
    assert!(!has_parts(&place.path("data")), "{message}");
    message
}

/// Writes an archive again, with some of its files changed or left out.
fn repack(from: &Path, to: &Path, change: impl Fn(&str, Vec<u8>) -> Option<Vec<u8>>) {
    let mut archive = tar::Archive::new(File::open(from).unwrap());
    let mut packed = tar::Builder::new(File::create(to).unwrap());
    for entry in archive.entries().unwrap() {
        let mut entry = entry.unwrap();
        let name = entry.path().unwrap().to_str().unwrap().to_owned();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).unwrap();
        let Some(bytes) = change(&name, bytes) else { continue };
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o600);
        packed.append_data(&mut header, name, &*bytes).unwrap();
    }
    packed.into_inner().unwrap();
}

/// The same with a changed database, and without its hash.
fn repack_database(place: &Place, to: &str, change: impl Fn(&Path)) {
    let database = place.path("changed.db");
    repack(&place.path("copy.tar"), &place.path(to), |name, bytes| match name {
        "svc.db" => {
            fs::write(&database, bytes).unwrap();
            change(&database);
            Some(fs::read(&database).unwrap())
        }
        "backup.json" => {
            let mut about: Value = serde_json::from_slice(&bytes).unwrap();
            about.as_object_mut().unwrap().remove("databaseSha256").unwrap();
            Some(about.to_string().into_bytes())
        }
        _ => Some(bytes),
    });
}

/// Changes all balances by hand.
fn unbalance(database: &Path) {
    let database = rusqlite::Connection::open(database).unwrap();
    database.execute("update ledger_account set balance = 7 where kind = 'user'", []).unwrap();
}

/// Overwrites the first page of the table of posts.
fn damage_posts(database: &Path) {
    let number = |sql: &str| u64::try_from(read_database::<i64>(database, sql)).unwrap();
    let size = number("pragma page_size");
    let page = number("select rootpage from sqlite_schema where name = 'post'");
    let file = File::options().write(true).open(database).unwrap();
    let bytes = vec![0xFF; usize::try_from(size).unwrap()];
    file.write_all_at(&bytes, (page - 1) * size).unwrap();
}

#[tokio::test]
async fn a_backup_is_verified_before_it_gets_its_name() {
    let place = stopped().await;
    let server = place.serve();
    let printed = place.run(&["backup", "--to", "copies"]);
    server.stop().await;
    let name = only_copy(&place);
    assert!(printed.starts_with(&format!("wrote copies/{name}: made at 20")), "{printed}");
    assert!(printed.contains(" accounts, ") && printed.ends_with(" transfers\n"), "{printed}");
    let copy = place.path("copies").join(name);
    assert_eq!(fs::metadata(&copy).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(!has_parts(&place.path("data")));
    let elsewhere = Place::new();
    elsewhere.take_log(&place);
    elsewhere.run(&["restore", copy.to_str().unwrap()]);
    assert!(elsewhere.run(&["admin", "list-users"]).contains("ada"));
}

#[tokio::test]
async fn a_backup_that_the_audit_refuses_is_not_kept() {
    let place = stopped().await;
    unbalance(&place.path("data/svc.db"));
    let message = ends_with(1, place.program().args(["backup", "--to", "copies"]));
    assert!(message.contains("the audit of the backup found something"), "{message}");
    assert!(copies(&place).is_empty() && !has_parts(&place.path("data")), "nothing is left");
}

#[tokio::test]
async fn archives_are_deleted_by_the_age_in_their_names() {
    let place = stopped().await;
    let [old, younger] = [35_u32, 20].map(|days| name_of(now().minus(DAY * days)));
    let others = ["notes.txt", "svc-before.tar", "svc-20200101T000000Z.tar.gz"];
    for name in others.iter().copied().chain([&*old, &*younger]) {
        fs::write(place.path("copies").join(name), "").unwrap();
    }
    let printed = place.run(&["backup", "--to", "copies"]);
    assert!(printed.ends_with("\ndeleted 1 older than 34d\n"), "{printed}");
    let archives = copies(&place);
    assert!(archives.contains(&younger) && !archives.contains(&old), "{archives:?}");
    place.run(&["backup", "--to", "copies", "--keep", "10d"]);
    let archives = copies(&place);
    assert!(!archives.contains(&younger), "{archives:?}");
    assert!(
        others.iter().all(|name| archives.iter().any(|archive| archive == name)),
        "{archives:?}"
    );
    assert!(archives.len() > others.len(), "the newest is there: {archives:?}");
}

#[tokio::test]
async fn archives_from_before_a_pause_are_deleted_a_few_at_a_time() {
    let place = stopped().await;
    for days in 100..112_u32 {
        fs::write(place.path("copies").join(name_of(now().minus(DAY * days))), "").unwrap();
    }
    let printed = place.run(&["backup", "--to", "copies"]);
    let message = "or the clock is wrong: older ones are deleted a few at a time (2 more)\n";
    assert!(printed.contains(message), "{printed}");
    assert!(printed.ends_with("\ndeleted 10 older than 34d\n"), "{printed}");
    assert_eq!(copies(&place).len(), 3);
    let printed = place.run(&["backup", "--to", "copies"]);
    assert!(printed.ends_with("\ndeleted 2 older than 34d\n"), "{printed}");
}

#[tokio::test]
async fn what_can_never_work_ends_with_78_and_is_named() {
    let place = stopped().await;
    let postgres = ["--database-url", "postgres://svc@db.example.org/svc"];
    let refused = "pgBackRest or pg_basebackup";
    for (arguments, reason) in [
        (&["--to", "missing"][..], "--to: missing must be a folder in which svc-server may write"),
        (&["--to", "s3://Files"], "--to must be s3://bucket/prefix"),
        (&["--to", "s3://files"], "storage.s3.region"),
        (&["--to", "copies", "--every", "59s"], "--every must be from 1m to the 34d"),
        (&["--to", "copies", "--every", "35d"], "--every must be from 1m to the 34d"),
        (&["--to", "copies", "--keep", "36d"], "--keep must be at most backup.horizon (35d)"),
        (&["--to", "copies", "--aside", "missing"], "--aside"),
        (&["--to", "copies", "verify", "copy.tar"], "only one of them"),
        (&["--aside", "copies", "verify", "copy.tar"], "only one of them"),
        (&["verify", "s3://copy.tar"], "FILE must be s3://bucket/prefix"),
        (&[&postgres[..], &["copy.tar"]].concat()[..], refused),
        (&[&postgres[..], &["--to", "copies"]].concat()[..], refused),
        (&[&postgres[..], &["--to", "copies", "--every", "15m"]].concat()[..], refused),
        (&[&postgres[..], &["verify", "copy.tar"]].concat()[..], refused),
        (&["--to", "copies", "--every", "15m", "--data-dir", "missing"], "no folder missing"),
    ] {
        let message = ends_with(78, place.program().arg("backup").args(arguments));
        assert!(message.contains(reason), "{arguments:?}: {message}");
    }
    for arguments in [
        &[][..],
        &["--every", "15m"],
        &["copy.tar", "--to", "copies"],
        &["copy.tar", "--every", "15m"],
        &["copy.tar", "--keep", "10d"],
    ] {
        ends_with(2, place.program().arg("backup").args(arguments));
    }
    let message = ends_with(78, place.program().args(postgres).args(["restore", "copy.tar"]));
    assert!(message.contains("restore is for SQLite"), "{message}");
    let message = ends_with(2, place.program().args(["backup", "--every", "15m"]));
    assert!(message.contains("Usage: svc-server backup --to <FOLDER"), "{message}");
    assert!(copies(&place).is_empty());
}

#[tokio::test]
async fn a_backup_is_verified_where_its_server_is_and_elsewhere() {
    let place = stopped().await;
    place.run(&["backup", "copy.tar"]);
    let printed = place.run(&["backup", "verify", "copy.tar"]);
    assert!(printed.starts_with("verified copy.tar: made at 20"), "{printed}");
    assert!(printed.contains(concat!("Z by ", env!("CARGO_PKG_VERSION"), ", ")), "{printed}");
    assert_eq!(printed.lines().count(), 1);
    assert!(!has_parts(&place.path("data")));
    let elsewhere = Place::new();
    fs::create_dir(elsewhere.path("aside")).unwrap();
    let copy = place.path("copy.tar");
    let verify = ["backup", "verify", copy.to_str().unwrap()];
    elsewhere.run(&[&verify[..], &["--aside", "aside"]].concat());
    assert_eq!(names(&elsewhere.path("")), ["aside"], "no data folder is made");
    assert!(names(&elsewhere.path("aside")).is_empty());
}

#[tokio::test]
async fn a_backup_that_no_server_could_go_on_from_is_refused() {
    let place = stopped().await;
    place.run(&["backup", "copy.tar"]);
    let (copy, whole) = (place.path("copy.tar"), fs::read(place.path("copy.tar")).unwrap());
    for (length, reason) in
        [(0, "it holds no backup.json"), (whole.len() / 2, "the backup is not whole")]
    {
        fs::write(place.path("part.tar"), &whole[..length]).unwrap();
        let message = unverified(&place, "part.tar", 1);
        assert!(message.contains(reason), "{length}: {message}");
    }
    let message = unverified(&place, "missing.tar", 1);
    assert!(message.contains("can't read missing.tar"), "{message}");
    // A bit of the last page. The archive ends with the database, and 1 KiB behind it.
    let (mut flipped, in_the_last_page) = (whole.clone(), whole.len() - 1024 - 100);
    flipped[in_the_last_page] ^= 1;
    fs::write(place.path("flipped.tar"), flipped).unwrap();
    let message = unverified(&place, "flipped.tar", 1);
    assert!(message.contains("flipped.tar is damaged: its svc.db is not the one"), "{message}");

    repack_database(&place, "unbalanced.tar", unbalance);
    let message = unverified(&place, "unbalanced.tar", 1);
    assert!(message.contains("the audit of the backup found something"), "{message}");
    repack_database(&place, "damaged.tar", damage_posts);
    let message = unverified(&place, "damaged.tar", 1);
    assert!(message.contains("the table post is damaged"), "{message}");

    repack(&copy, &place.path("other.tar"), |name, bytes| {
        Some(if name == "sealing.key" { OTHER_KEY.into() } else { bytes })
    });
    let message = unverified(&place, "other.tar", 78);
    assert!(message.contains("did not seal the secrets in the database"), "{message}");
    repack(&copy, &place.path("keyless.tar"), |name, bytes| {
        (name != "sealing.key").then_some(bytes)
    });
    let message = unverified(&place, "keyless.tar", 78);
    assert!(message.contains("sealing.key is missing"), "{message}");
}

#[tokio::test]
async fn a_backup_that_is_killed_leaves_nothing_that_passes_for_one() {
    let place = stopped().await;
    for _ in 0..KILLS {
        let left = parts(&place.path("copies"));
        let mut program = place.program();
        program.args(["backup", "--to", "copies"]).stdout(Stdio::null()).stderr(Stdio::null());
        let mut process = program.spawn().unwrap();
        // Not what the kill before has left.
        let begins = async || {
            parts(&place.path("copies")).iter().any(|name| !left.contains(name))
                || process.try_wait().unwrap().is_some()
        };
        until("a backup begins", begins).await;
        process.kill().unwrap();
        process.wait().unwrap();
        for name in copies(&place).iter().filter(|name| name.starts_with("svc-")) {
            place.run(&["backup", "verify", &format!("copies/{name}")]);
        }
    }
    place.run(&["backup", "--to", "copies"]);
    assert!(!has_parts(&place.path("copies")), "what was left is removed");
    assert!(!has_parts(&place.path("data")));
    assert!(!copies(&place).is_empty());
}

#[tokio::test]
async fn two_programs_may_back_up_to_one_folder() {
    let place = stopped().await;
    let start = || {
        let mut program = place.program();
        program.args(["backup", "--to", "copies"]).stdout(Stdio::null()).spawn().unwrap()
    };
    for mut process in [start(), start()] {
        assert!(process.wait().unwrap().success());
    }
    let made = copies(&place);
    assert!((1..=2).contains(&made.len()), "{made:?}");
    for name in made {
        place.run(&["backup", "verify", &format!("copies/{name}")]);
    }
}
