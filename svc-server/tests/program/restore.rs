//! What a restore accepts, and what it leaves behind.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::load::World;
use crate::operator::admin;
use crate::process::Place;

/// A word that only ada writes.
const MARK: &str = "quetzalcoatl";

/// Whether the database of a place holds the word, in its file or its log.
fn holds_mark(place: &Place) -> bool {
    ["svc.db", "svc.db-wal"].iter().any(|name| {
        let bytes = fs::read(place.path(&format!("data/{name}"))).unwrap_or_default();
        bytes.windows(MARK.len()).any(|part| part == MARK.as_bytes())
    })
}

/// A place with a backup in which ada writes, made before she was erased.
async fn erased_after_the_backup() -> (Place, PathBuf) {
    let place = Place::new();
    let server = place.serve();
    let ada = server.client().auth().register_agent("ada").await.unwrap();
    server.client_of(&ada.api_key).posts().create(MARK).await.unwrap();
    let copy = place.path("copy.tar");
    place.run(&["backup", copy.to_str().unwrap()]);
    place.run(&["admin", "delete", "ada"]);
    assert!(holds_mark(&place), "a deleted account can be restored");
    place.run(&["admin", "erase", "ada"]);
    assert!(!holds_mark(&place));
    server.stop().await;
    (place, copy)
}

#[tokio::test]
async fn a_restored_backup_does_not_bring_erased_texts_back() {
    let (place, copy) = erased_after_the_backup().await;
    let file = copy.to_str().unwrap();
    let elsewhere = Place::new();
    let refused = elsewhere.refused(&["restore", file]);
    assert!(refused.contains("there is no log of erased accounts"), "{refused}");
    assert!(!elsewhere.path("data/svc.db").exists());
    elsewhere.take_log(&place);
    let restored = elsewhere.run(&["restore", file]);
    let again = "accounts erased again, as after the backup: 1";
    assert_eq!(restored, format!("restored {file}\n{again}\n"));
    assert!(!holds_mark(&elsewhere));
    let left = fs::read_dir(elsewhere.path("data")).unwrap();
    let left: Vec<String> =
        left.map(|file| file.unwrap().file_name().to_string_lossy().into_owned()).collect();
    assert!(!left.iter().any(|name| name.contains("partial")), "{left:?}");
    let server = elsewhere.serve();
    let posts = server.client().feed().global().await.unwrap().posts;
    assert!(posts.is_empty(), "{posts:?}");
    server.stop().await;
    assert!(!holds_mark(&elsewhere));
}

#[tokio::test]
async fn a_server_on_a_restored_file_erases_again_before_it_serves() {
    let (place, copy) = erased_after_the_backup().await;
    let elsewhere = Place::new();
    elsewhere.run(&["restore", copy.to_str().unwrap(), "--without-erasures"]);
    assert!(holds_mark(&elsewhere), "the operator said that no account was erased");
    elsewhere.take_log(&place);
    let server = elsewhere.serve();
    assert!(!holds_mark(&elsewhere));
    server.stop().await;
}

#[tokio::test]
async fn the_log_of_another_server_is_refused() {
    let place = Place::new();
    let server = place.serve();
    server.client().auth().register_agent("ada").await.unwrap();
    place.run(&["admin", "delete", "ada"]);
    place.run(&["admin", "erase", "ada"]);
    let copy = place.path("copy.tar");
    place.run(&["backup", copy.to_str().unwrap()]);
    server.stop().await;
    let elsewhere = Place::new();
    elsewhere.take_log(&place);
    fs::write(elsewhere.path("data/erasures.log"), "").unwrap();
    let refused = elsewhere.refused(&["restore", copy.to_str().unwrap()]);
    assert!(refused.contains("which is erased in the backup"), "{refused}");
    let left = fs::read_dir(elsewhere.path("data")).unwrap();
    let mut left: Vec<_> = left.map(|file| file.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["erasures.log", "svc.db.lock"], "neither the database nor its key");
}

#[tokio::test]
async fn a_restore_leaves_the_folder_of_a_running_server_alone() {
    let place = Place::new();
    let server = place.serve();
    place.run(&["backup", "copy.tar"]);
    // The server goes on with the files that it has open.
    for end in ["", "-wal", "-shm"] {
        let file = place.path(&format!("data/svc.db{end}"));
        fs::rename(file, place.path(&format!("moved.db{end}"))).unwrap();
    }
    let refused = place.refused(&["restore", "copy.tar"]);
    let owner = format!("svc.db is served by process {} already", server.id());
    assert!(refused.contains(&owner), "{refused}");
    assert!(!place.path("data/svc.db").exists());
    server.kill();
    place.run(&["restore", "copy.tar"]);
}

/// Rewrites when a backup says that it was made.
fn date(copy: &Path, to: &Path, created_at: Option<&str>) {
    let mut archive = tar::Archive::new(fs::File::open(copy).unwrap());
    let mut dated = tar::Builder::new(fs::File::create(to).unwrap());
    for entry in archive.entries().unwrap() {
        let mut entry = entry.unwrap();
        let name = entry.path().unwrap().into_owned();
        if name.as_os_str() != "backup.json" {
            dated.append(&entry.header().clone(), &mut entry).unwrap();
        } else if let Some(created_at) = created_at {
            let about = json!({ "createdAt": created_at, "version": "0.1.0" }).to_string();
            let mut header = tar::Header::new_gnu();
            header.set_size(about.len() as u64);
            dated.append_data(&mut header, name, about.as_bytes()).unwrap();
        }
    }
    dated.into_inner().unwrap();
}

#[tokio::test]
async fn a_backup_from_before_the_horizon_is_refused() {
    let place = Place::new();
    place.serve().stop().await;
    let copy = place.path("copy.tar");
    place.run(&["backup", copy.to_str().unwrap()]);
    let (old, undated) = (place.path("old.tar"), place.path("undated.tar"));
    date(&copy, &old, Some("2026-01-31T09:30:00.000Z"));
    date(&copy, &undated, None);
    let elsewhere = Place::new();
    elsewhere.take_log(&place);
    for flags in [&[][..], &["--without-erasures"]] {
        let refused = elsewhere.refused(&[&["restore", old.to_str().unwrap()], flags].concat());
        assert!(refused.contains("older than backup.horizon (35 days)"), "{refused}");
    }
    let refused = elsewhere.refused(&["restore", undated.to_str().unwrap()]);
    assert!(refused.contains("it holds no backup.json"), "{refused}");
    assert!(!elsewhere.path("data/svc.db").exists());
    let later = ["restore", old.to_str().unwrap(), "--set", "backup.horizon=3650d"];
    elsewhere.run(&later);
}

#[tokio::test]
async fn a_part_of_a_backup_is_refused() {
    let place = Place::new();
    place.serve().stop().await;
    place.run(&["backup", "copy.tar"]);
    let whole = fs::read(place.path("copy.tar")).unwrap();
    let elsewhere = Place::new();
    elsewhere.take_log(&place);
    // The archive ends with the database, and 1 KiB behind it.
    let in_the_last_page = whole.len() - 1024 - 100;
    for (length, reason) in [
        (0, "it holds no backup.json"),
        (whole.len() / 2, "the backup is not whole"),
        (in_the_last_page, "the backup is not whole"),
    ] {
        fs::write(elsewhere.path("part.tar"), &whole[..length]).unwrap();
        let refused = elsewhere.refused(&["restore", "part.tar"]);
        assert!(refused.contains(reason), "{length}: {refused}");
        let files = fs::read_dir(elsewhere.path("data")).unwrap();
        let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
        let restored = |name: &String| {
            name.starts_with("svc.") && name != "svc.db.lock" || name.starts_with("sealing.")
        };
        assert_eq!(names.filter(restored).count(), 0, "{length}");
    }
}

#[tokio::test]
async fn nothing_of_an_interrupted_restore_gets_into_the_next_one() {
    let place = Place::new();
    let server = place.serve();
    server.client().auth().register_agent("ada").await.unwrap();
    let copy = place.path("copy.tar");
    place.run(&["backup", copy.to_str().unwrap()]);
    server.client().auth().register_agent("bob").await.unwrap();
    server.kill();
    let elsewhere = Place::new();
    elsewhere.take_log(&place);
    // As if the restore of a later backup had been killed while it worked on the database.
    for end in ["", "-wal", "-shm"] {
        let left = elsewhere.path(&format!("data/svc.partial{end}"));
        fs::copy(place.path(&format!("data/svc.db{end}")), left).unwrap();
    }
    let log = fs::metadata(elsewhere.path("data/svc.partial-wal")).unwrap();
    assert!(log.len() > 0, "it holds what bob did");
    elsewhere.run(&["restore", copy.to_str().unwrap()]);
    let users = admin(&elsewhere, &["list-users"]);
    let names: Vec<&Value> = users.iter().map(|user| &user["username"]).collect();
    assert_eq!(names, ["ada"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_of_a_busy_server_holds_all_that_was_answered_before() {
    let place = Place::new();
    let server = place.serve();
    let world = World::new(&server).await;
    let mut load = world.load(&server, "before");
    load.reaches(60).await;
    let before = load.end().await;
    let mut load = world.load(&server, "meanwhile");
    load.reaches(10).await;
    let copy = place.path("copy.tar");
    let file = copy.to_str().unwrap();
    let written = tokio::task::block_in_place(|| place.run(&["backup", file]));
    assert_eq!(written, format!("wrote {file}\n"));
    load.reaches(20).await;
    let meanwhile = load.end().await;
    assert!(place.refused(&["backup", file]).contains("can't create"), "no file is overwritten");
    server.stop().await;

    let elsewhere = Place::new();
    elsewhere.take_log(&place);
    elsewhere.run(&["restore", file]);
    let restored = elsewhere.serve();
    let found = world.texts(&restored).await;
    let lost: Vec<&String> =
        before.acknowledged.iter().filter(|text| found.get(*text) != Some(&1)).collect();
    assert_eq!(lost, [""; 0]);
    let known = |text: &&String| {
        !before.acknowledged.contains(text) && !meanwhile.acknowledged.contains(text)
    };
    assert_eq!(found.keys().find(known), None);
    world.write(&world.ada(&restored), "after").await.unwrap();
    restored.stop().await;
}

#[tokio::test]
async fn a_restore_needs_an_empty_folder_and_a_backup() {
    let place = Place::new();
    place.serve().stop().await;
    place.run(&["backup", "copy.tar"]);
    let message = place.refused(&["restore", "copy.tar"]);
    assert!(message.contains("exists; restore needs an empty data folder"), "{message}");
    // SQLite would add what the log of the lost database holds to the restored one.
    fs::rename(place.path("data/svc.db"), place.path("lost.db")).unwrap();
    fs::write(place.path("data/svc.db-wal"), "what was written last").unwrap();
    let message = place.refused(&["restore", "copy.tar"]);
    assert!(message.contains("svc.db-wal exists, the write-ahead log of another"), "{message}");
    assert!(!place.path("data/svc.db").exists());

    let elsewhere = Place::new();
    fs::write(elsewhere.path("other"), "no archive").unwrap();
    fs::write(elsewhere.path("letter"), "hidden ".repeat(200)).unwrap();
    for (file, reason) in [
        ("missing", "can't read missing"),
        ("other", "other is not a backup"),
        ("letter", "letter is not a backup: it is not a tar archive, or it is damaged"),
    ] {
        let message = elsewhere.refused(&["restore", file]);
        assert!(message.starts_with("error: ") && message.contains(reason), "{message}");
        assert!(!message.contains("hidden"), "{message}");
    }
    let database = elsewhere.path("data/svc.db");
    assert!(!database.exists() && !database.with_extension("partial").exists());

    elsewhere.take_log(&place);
    let (copy, key) = (place.path("copy.tar"), elsewhere.path("data/sealing.key"));
    fs::write(&key, "the key of another server").unwrap();
    let message = elsewhere.refused(&["restore", copy.to_str().unwrap()]);
    assert!(message.contains("sealing.key is not the key of this backup"), "{message}");
    assert_eq!(fs::read_to_string(&key).unwrap(), "the key of another server");
    assert!(!database.exists() && !key.with_extension("partial").exists());
    fs::copy(place.path("data/sealing.key"), &key).unwrap();
    elsewhere.run(&["restore", copy.to_str().unwrap()]);
    assert!(database.exists());
}
