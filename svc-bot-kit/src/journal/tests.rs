//! The file of a journal.

use std::fs;
use std::path::PathBuf;

use rusqlite::Connection;

use super::*;
use crate::journal::Backlog;

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

fn path_in(folder: &tempfile::TempDir) -> PathBuf {
    folder.path().join("bot.db")
}

fn problem(path: &Path) -> String {
    Journal::open(path).unwrap_err().to_string()
}

async fn note(journal: &Journal, account: &'static str) -> Result<usize> {
    let insert = "insert into cursor (account, seq) values (?1, 7)";
    journal.write(move |tx| tx.execute(insert, [account])).await
}

async fn accounts(journal: &Journal) -> i64 {
    let count = "select count(*) from cursor";
    journal.write(move |tx| tx.query_row(count, [], |row| row.get(0))).await.unwrap()
}

#[tokio::test]
async fn a_write_survives_a_restart() {
    let folder = folder();
    let journal = Journal::open(path_in(&folder)).unwrap();
    note(&journal, "usr_1").await.unwrap();
    drop(journal);
    assert_eq!(accounts(&Journal::open(path_in(&folder)).unwrap()).await, 1);
}

#[tokio::test]
async fn a_commit_waits_for_the_disk() {
    let folder = folder();
    let journal = Journal::open(path_in(&folder)).unwrap();
    let full = 2;
    let synchronous = journal
        .write(|tx| tx.pragma_query_value(None, "synchronous", |row| row.get::<_, i64>(0)))
        .await;
    assert_eq!(synchronous.unwrap(), full);
}

#[tokio::test]
async fn a_failed_transaction_has_no_effect() {
    let journal = Journal::memory().unwrap();
    let insert = "insert into cursor (account, seq) values ('usr_1', 7)";
    let failed = journal.write(move |tx| tx.execute(insert, []).and(tx.execute(insert, []))).await;
    assert!(matches!(failed, Err(Error::Journal { .. })));
    assert_eq!(accounts(&journal).await, 0);
    note(&journal, "usr_2").await.unwrap();
    assert_eq!(accounts(&journal).await, 1);
}

#[tokio::test]
async fn unfinished_work_is_counted() {
    let journal = Journal::memory().unwrap();
    assert_eq!(journal.backlog().await.unwrap(), Backlog::default());
    let insert = "insert into outbox (key, job, path, body, created_at)
        values ('resp:1', 'msg_1', '/messages', x'7b7d', 1)";
    journal.write(move |tx| tx.execute(insert, [])).await.unwrap();
    assert_eq!(journal.backlog().await.unwrap().calls, 1);
}

#[test]
fn a_second_journal_on_the_same_file_is_refused() {
    let folder = folder();
    let first = Journal::open(path_in(&folder)).unwrap();
    assert!(problem(&path_in(&folder)).contains("used by another process"));
    drop(first);
    Journal::open(path_in(&folder)).unwrap();
}

#[cfg(unix)]
#[test]
fn the_file_is_made_private_to_its_owner() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    fs::write(path_in(&folder), "").unwrap();
    fs::set_permissions(path_in(&folder), fs::Permissions::from_mode(0o644)).unwrap();
    let journal = Journal::open(path_in(&folder)).unwrap();
    for entry in fs::read_dir(folder.path()).unwrap() {
        let entry = entry.unwrap();
        let mode = entry.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o600, "{:?}", entry.file_name());
    }
    drop(journal);
}

#[test]
fn a_file_that_is_not_a_journal_is_left_unchanged() {
    let folder = folder();
    let path = path_in(&folder);
    fs::write(&path, "a letter to ada".repeat(100)).unwrap();
    assert!(problem(&path).contains("no journal"));
    assert!(fs::read_to_string(&path).unwrap().starts_with("a letter"));
    fs::remove_file(&path).unwrap();
    Connection::open(&path).unwrap().execute_batch("create table note (text)").unwrap();
    assert!(problem(&path).contains("something else"));
}

#[test]
fn a_file_of_a_later_version_is_refused() {
    let folder = folder();
    drop(Journal::open(path_in(&folder)).unwrap());
    let later = Connection::open(path_in(&folder)).unwrap();
    later.pragma_update(None, "user_version", 1_000).unwrap();
    drop(later);
    assert!(problem(&path_in(&folder)).contains("later version"));
}

#[test]
fn a_missing_folder_is_named_in_the_error() {
    let folder = folder();
    let path = folder.path().join("missing").join("bot.db");
    assert!(problem(&path).contains("missing"));
}
