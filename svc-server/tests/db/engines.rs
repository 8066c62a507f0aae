//! Features of one engine: full disks and copies of SQLite files, conflicts and lost connections
//! of PostgreSQL.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Barrier};

use futures_util::future::join_all;
use svc_store::db::{DatabaseUrl, Db, Settings, Tx, copy_file, sql, values};
use svc_store::error::{Error, Result};
use svc_types::Code;

use crate::jobs::{Blocker, queue};
use crate::open;

fn insert(tx: &mut Tx<'_>, id: &str, scope: &str) -> Result<u64> {
    let now = tx.now();
    tx.execute(
        sql!("insert into login_failure (id, scope, at) values ($1, $2, $3)"),
        values![id, scope, now],
    )
}

async fn ids(db: &Db) -> Vec<String> {
    db.read(|tx| tx.all(sql!("select id from login_failure order by id"), &[])).await.unwrap()
}

#[tokio::test]
async fn a_full_disk_refuses_the_whole_group_until_space_is_free() {
    let db = open(&crate::sqlite());
    db.write(|tx| insert(tx, "a", "small")).await.unwrap();
    // The file may not grow.
    let limit = sql!("pragma max_page_count = 1");
    db.write(move |tx| tx.one::<i64>(limit, &[])).await.unwrap();

    let running = Blocker::start(&db).await;
    let small = queue(db.write(|tx| insert(tx, "b", "small"))).await;
    let large = queue(db.write(|tx| insert(tx, "c", &"x".repeat(100_000)))).await;
    let answers = [running.end().await, small.await.map(drop), large.await.map(drop)];
    for answer in answers {
        assert_eq!(answer.unwrap_err().code(), Code::StorageFull);
    }
    assert!(db.storage_full());
    assert_eq!(ids(&db).await, ["a"]);

    let limit = sql!("pragma max_page_count = 1000000");
    db.write(move |tx| tx.one::<i64>(limit, &[])).await.unwrap();
    assert!(!db.storage_full());
    db.write(|tx| insert(tx, "c", &"x".repeat(100_000))).await.unwrap();
    assert_eq!(ids(&db).await, ["a", "c"]);
}

#[tokio::test]
async fn a_group_runs_again_with_savepoints_when_a_job_fails_after_a_change() {
    let db = open(&crate::sqlite());
    let runs = Arc::new(AtomicU32::new(0));
    for (round, expected) in [(1, 2), (2, 3)] {
        let running = Blocker::start(&db).await;
        let counted = Arc::clone(&runs);
        let first = db.write(move |tx| {
            counted.fetch_add(1, Ordering::Relaxed);
            insert(tx, &format!("a{round}"), "first")
        });
        let failing = db.write(move |tx| {
            insert(tx, &format!("b{round}"), "failing")?;
            Err::<(), _>(Error::refused(Code::Forbidden, "not today"))
        });
        let last = db.write(move |tx| insert(tx, &format!("c{round}"), "last"));
        let (first, failing, last) = (queue(first).await, queue(failing).await, queue(last).await);
        running.end().await.unwrap();
        assert_eq!((first.await.unwrap(), last.await.unwrap()), (1, 1));
        assert_eq!(failing.await.unwrap_err().code(), Code::Forbidden);
        assert_eq!(runs.load(Ordering::Relaxed), expected, "the next group is careful at once");
    }
    assert_eq!(ids(&db).await, ["a1", "a2", "c1", "c2"]);
}

#[tokio::test]
async fn a_job_that_fails_before_any_change_costs_its_group_nothing() {
    let db = open(&crate::sqlite());
    let runs = Arc::new(AtomicU32::new(0));
    let running = Blocker::start(&db).await;
    let counted = Arc::clone(&runs);
    let first = queue(db.write(move |tx| {
        counted.fetch_add(1, Ordering::Relaxed);
        insert(tx, "a", "first")
    }));
    let first = first.await;
    let refuse = |_: &mut Tx<'_>| Err::<(), _>(Error::refused(Code::Forbidden, "not today"));
    let failing = queue(db.write(refuse)).await;
    running.end().await.unwrap();
    assert_eq!(first.await.unwrap(), 1);
    assert_eq!(failing.await.unwrap_err().code(), Code::Forbidden);
    assert_eq!(runs.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn statistics_of_sqlite_are_dropped_when_the_database_is_opened() {
    let folder = tempfile::tempdir().unwrap();
    let settings = Settings::new(DatabaseUrl::Sqlite(folder.path().join("svc.db")));
    let counts =
        sql!("select count(*) from sqlite_schema where name like 'sqlite\\_stat%' escape '\\'");
    let db = open(&settings);
    db.write(|tx| insert(tx, "a", "kept")).await.unwrap();
    db.write(|tx| tx.execute(sql!("analyze"), &[])).await.unwrap();
    assert_ne!(db.read(move |tx| tx.one::<i64>(counts, &[])).await.unwrap(), 0);
    tokio::task::spawn_blocking(move || db.close()).await.unwrap();
    let db = open(&settings);
    assert_eq!(db.read(move |tx| tx.one::<i64>(counts, &[])).await.unwrap(), 0);
}

#[tokio::test]
async fn a_copy_holds_what_was_committed() {
    let folder = tempfile::tempdir().unwrap();
    let (file, copy) = (folder.path().join("svc.db"), folder.path().join("copy.db"));
    let db = open(&Settings::new(DatabaseUrl::Sqlite(file.clone())));
    db.write(|tx| insert(tx, "a", "kept")).await.unwrap();
    copy_file(&file, &copy).unwrap();
    db.write(|tx| insert(tx, "b", "too late")).await.unwrap();
    copy_file(&file, &copy).unwrap_err();

    for path in [&file, &copy] {
        assert_eq!(fs::metadata(path).unwrap().permissions().mode() & 0o777, 0o600);
    }
    let copied = open(&Settings::new(DatabaseUrl::Sqlite(copy)));
    assert_eq!(ids(&copied).await, ["a"]);
    assert_eq!(ids(&db).await, ["a", "b"]);
}

#[tokio::test]
async fn committed_data_survives_reopening() {
    let folder = tempfile::tempdir().unwrap();
    let settings = Settings::new(DatabaseUrl::Sqlite(folder.path().join("svc.db")));
    let db = open(&settings);
    db.write(|tx| insert(tx, "a", "kept")).await.unwrap();
    // A second process, such as an admin command, may work on the file at the same time.
    let second = open(&settings);
    second.write(|tx| insert(tx, "b", "kept too")).await.unwrap();
    assert_eq!(ids(&db).await, ["a", "b"]);
    drop((db, second));
    assert_eq!(ids(&open(&settings)).await, ["a", "b"]);
}

#[tokio::test]
async fn two_deadlocked_jobs_both_succeed() {
    let Some(settings) = crate::postgres() else {
        return;
    };
    let db = open(&settings);
    db.write(|tx| {
        insert(tx, "a", "lock")?;
        insert(tx, "b", "lock")
    })
    .await
    .unwrap();
    // On their first run each has locked its first row before either goes for its second.
    let both_ready = Arc::new(Barrier::new(2));
    let job = |first: &'static str, second: &'static str| {
        let both_ready = both_ready.clone();
        let is_first_run = AtomicBool::new(true);
        db.write(move |tx| {
            let update = sql!("update login_failure set at = 0 where id = $1");
            tx.execute(update, values![first])?;
            if is_first_run.swap(false, Ordering::Relaxed) {
                both_ready.wait();
            }
            tx.execute(update, values![second])
        })
    };
    let (one, other) = tokio::join!(job("a", "b"), job("b", "a"));
    assert_eq!((one.unwrap(), other.unwrap()), (1, 1));
}

#[tokio::test]
async fn a_job_runs_again_when_its_connection_is_lost() {
    let Some(settings) = crate::postgres() else {
        return;
    };
    let db = open(&settings);
    let is_first_run = AtomicBool::new(true);
    db.write(move |tx| {
        insert(tx, "a", "once")?;
        if is_first_run.swap(false, Ordering::Relaxed) {
            let end = sql!("select pg_terminate_backend(pg_backend_pid())");
            tx.one::<bool>(end, &[])?;
        }
        Ok(())
    })
    .await
    .unwrap();
    assert_eq!(ids(&db).await, ["a"]);
}

/// The processes of PostgreSQL that answer this many reads at once.
async fn processes(db: &Db, count: usize) -> BTreeSet<i64> {
    let all_there = Arc::new(Barrier::new(count));
    let reads = (0..count).map(|_| {
        let (all_there, is_first_run) = (all_there.clone(), AtomicBool::new(true));
        db.read(move |tx| {
            if is_first_run.swap(false, Ordering::Relaxed) {
                all_there.wait();
            }
            tx.one(sql!("select cast(pg_backend_pid() as bigint)"), &[])
        })
    });
    join_all(reads).await.into_iter().map(Result::unwrap).collect()
}

#[tokio::test]
async fn jobs_that_follow_each_other_share_a_connection() {
    let Some(settings) = crate::postgres() else {
        return;
    };
    let db = open(&settings);
    let first = processes(&db, 1).await;
    assert_eq!(processes(&db, 1).await, first);
    assert_eq!(processes(&db, 4).await.len(), 4, "as many as there are jobs at once");
    let last = processes(&db, 1).await;
    assert_eq!(processes(&db, 1).await, last, "and then the one that was used last");
}

#[tokio::test]
async fn a_job_runs_though_every_idle_connection_was_ended() {
    let Some(settings) = crate::postgres() else {
        return;
    };
    // More than a job has attempts.
    let db = open(&Settings { connections: 8, ..settings.clone() });
    let ended = processes(&db, 8).await;
    let end = sql!(
        "select count(pg_terminate_backend(pid)) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid()"
    );
    let other = open(&settings);
    let count: i64 = other.read(move |tx| tx.one(end, &[])).await.unwrap();
    assert!(count >= 8, "{count}");
    assert!(processes(&db, 1).await.is_disjoint(&ended));
}

#[tokio::test]
async fn a_connection_lost_during_commit_leaves_the_outcome_unknown() {
    let Some(settings) = crate::postgres() else {
        return;
    };
    let db = open(&settings);
    db.write(|tx| {
        tx.execute(
            sql!(
                "create function end_connection() returns trigger language plpgsql as
                 'begin perform pg_terminate_backend(pg_backend_pid()); return null; end'"
            ),
            &[],
        )?;
        tx.execute(
            sql!(
                "create constraint trigger end_connection after insert on login_failure
                 deferrable initially deferred
                 for each row execute function end_connection()"
            ),
            &[],
        )
    })
    .await
    .unwrap();
    let lost = db.write(|tx| insert(tx, "a", "lost")).await.unwrap_err();
    assert_eq!(lost.code(), Code::OutcomeUnknown);
    // The next job gets a new connection.
    assert_eq!(ids(&db).await, Vec::<String>::new());
}

/// PostgreSQL gives one when it stops waiting for its standby, which may lack what was committed.
#[tokio::test]
async fn a_warning_during_commit_leaves_the_outcome_unknown() {
    let Some(settings) = crate::postgres() else {
        return;
    };
    let db = open(&settings);
    db.write(|tx| {
        tx.execute(
            sql!(
                "create function warn() returns trigger language plpgsql as
                 'begin raise warning ''a standby may lack it''; return null; end'"
            ),
            &[],
        )?;
        tx.execute(
            sql!(
                "create constraint trigger warn after insert on login_failure
                 deferrable initially deferred for each row execute function warn()"
            ),
            &[],
        )
    })
    .await
    .unwrap();
    let warned = db.write(|tx| insert(tx, "a", "warned")).await.unwrap_err();
    assert_eq!(warned.code(), Code::OutcomeUnknown);
    assert_eq!(ids(&db).await, ["a"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_log_is_moved_into_the_database_while_writes_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("svc.db");
    let db = open(&Settings::new(DatabaseUrl::Sqlite(file.clone())));
    let create = sql!("create table page (number integer primary key, content text not null)");
    db.write(move |tx| tx.execute(create, &[])).await.unwrap();
    // 96 MB: six times what the log holds before it is moved.
    for number in 0..96 {
        let insert = sql!("insert into page (number, content) values ($1, $2)");
        let content = "x".repeat(1_000_000);
        db.write(move |tx| tx.execute(insert, values![number, content])).await.unwrap();
    }
    let log = fs::metadata(file.with_extension("db-wal")).unwrap().len();
    assert!(log < 48_000_000, "the log has {log} bytes");
    let count = sql!("select count(*) from page");
    assert_eq!(db.read(move |tx| tx.one::<i64>(count, &[])).await.unwrap(), 96);
}
