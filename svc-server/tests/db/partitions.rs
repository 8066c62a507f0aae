//! Partitions of PostgreSQL: made ahead of time, dropped as a whole.

use std::sync::{Mutex, mpsc};
use std::time::Duration;

use svc_store::clock::Clock;
use svc_store::db::{Db, IDEMPOTENCY, Settings, sql, values};
use svc_store::error::{Error, Result};
use svc_store::testing::START;
use svc_types::{Code, Timestamp};
use tokio::sync::oneshot;

const HOUR: Duration = Duration::from_hours(1);
const DAY: Duration = Duration::from_hours(24);

fn open(settings: &Settings, clock: &Clock) -> Db {
    Db::open(settings, clock).unwrap()
}

async fn make(db: &Db) -> Result<()> {
    db.write(|tx| tx.make_partitions(IDEMPOTENCY)).await
}

/// Drops what is older than a day.
async fn drop_old(db: &Db) -> Result<()> {
    while db.write(|tx| tx.drop_partition(IDEMPOTENCY, tx.now().minus(DAY))).await? {}
    Ok(())
}

/// Days and hours in the names of partitions.
async fn partitions(db: &Db) -> Vec<String> {
    let names = sql!(
        "select replace(cast(c.relname as text), 'idempotency_', '')
         from pg_inherits i join pg_class c on c.oid = i.inhrelid
         where i.inhparent = cast('idempotency' as regclass) order by c.relname"
    );
    db.read(move |tx| tx.all(names, &[])).await.unwrap()
}

async fn insert(db: &Db, hash: &'static str, at: Timestamp) {
    let sql = sql!("insert into idempotency (hash, fingerprint, created_at) values ($1, $1, $2)");
    db.write(move |tx| tx.execute(sql, values![hash.as_bytes(), at])).await.unwrap();
}

/// The hashes of all rows, with what each lies in.
async fn rows(db: &Db) -> Vec<(String, String)> {
    let rows = sql!(
        "select convert_from(hash, 'UTF8'), replace(cast(cast(tableoid as regclass) as text), 'idempotency_', '')
         from idempotency order by created_at"
    );
    db.read(move |tx| tx.all(rows, &[])).await.unwrap()
}

fn row(hash: &str, partition: &str) -> (String, String) {
    (hash.to_owned(), partition.to_owned())
}

#[tokio::test]
async fn three_partitions_are_made_ahead() {
    let Some(settings) = crate::postgres() else { return };
    let clock = Clock::manual(START);
    let db = open(&settings, &clock);
    let first = ["2026013100", "2026013112", "2026020100", "2026020112", "default"];
    assert_eq!(partitions(&db).await, first);
    make(&db).await.unwrap();
    assert_eq!(partitions(&db).await, first);
    clock.advance(3 * HOUR);
    make(&db).await.unwrap();
    assert_eq!(partitions(&db).await[4], "2026020200");
    assert_eq!(partitions(&db).await.len(), 6);
}

#[tokio::test]
async fn a_partition_is_dropped_once_no_row_in_it_can_be_needed() {
    let Some(settings) = crate::postgres() else { return };
    let clock = Clock::manual(START);
    let db = open(&settings, &clock);
    let noon = START.plus(Duration::from_mins(150));
    insert(&db, "morning", START).await;
    insert(&db, "noon", noon).await;
    clock.advance(DAY + Duration::from_mins(149));
    drop_old(&db).await.unwrap();
    assert_eq!(rows(&db).await, [row("morning", "2026013100"), row("noon", "2026013112")]);
    clock.advance(Duration::from_mins(1));
    drop_old(&db).await.unwrap();
    assert_eq!(rows(&db).await, [row("noon", "2026013112")]);
    clock.advance(3 * DAY);
    drop_old(&db).await.unwrap();
    assert_eq!(partitions(&db).await, ["default"]);
}

#[tokio::test]
async fn nodes_that_make_partitions_at_once_make_each_once() {
    let Some(settings) = crate::postgres() else { return };
    let clock = Clock::manual(START);
    let nodes = [open(&settings, &clock), open(&settings, &clock)];
    for _ in 0..5 {
        clock.advance(7 * DAY);
        let making = nodes.iter().chain(&nodes).map(make);
        let made = futures_util::future::join_all(making).await;
        assert!(made.iter().all(Result::is_ok), "{made:?}");
        let dropping = nodes.iter().map(drop_old);
        let dropped = futures_util::future::join_all(dropping).await;
        assert!(dropped.iter().all(Result::is_ok), "{dropped:?}");
        assert_eq!(partitions(&nodes[0]).await.len(), 5);
    }
}

#[tokio::test]
async fn a_row_whose_partition_is_missing_lies_in_the_default_one() {
    let Some(settings) = crate::postgres() else { return };
    let clock = Clock::manual(START);
    let db = open(&settings, &clock);
    clock.advance(7 * DAY);
    insert(&db, "late", START.plus(7 * DAY)).await;
    assert_eq!(rows(&db).await, [row("late", "default")]);
    make(&db).await.unwrap();
    let ahead = &partitions(&db).await[4..];
    assert_eq!(
        ahead,
        ["2026020712", "2026020800", "2026020812", "default"],
        "but for the present one"
    );
    insert(&db, "later", START.plus(7 * DAY + 3 * HOUR)).await;
    assert_eq!(rows(&db).await[1], row("later", "2026020712"));
}

#[tokio::test]
async fn a_table_that_is_busy_keeps_its_partitions_until_later() {
    let Some(settings) = crate::postgres() else { return };
    let clock = Clock::manual(START);
    let db = open(&settings, &clock);
    clock.advance(7 * DAY);
    let (release, released) = mpsc::channel::<()>();
    let (reading, reads) = oneshot::channel();
    let signals = Mutex::new((Some(reading), released));
    let other = db.clone();
    let holding = tokio::spawn(async move {
        let hold = move |tx: &mut svc_store::db::Tx<'_>| {
            tx.all::<i64>(sql!("select count(*) from idempotency"), &[])?;
            let mut signals = signals.lock().unwrap();
            signals.0.take().into_iter().for_each(|reading| reading.send(()).unwrap());
            signals.1.recv().map_err(Error::internal)
        };
        other.write(hold).await
    });
    reads.await.unwrap();
    assert_eq!(drop_old(&db).await.unwrap_err().code(), Code::StorageUnavailable);
    release.send(()).unwrap();
    holding.await.unwrap().unwrap();
    drop_old(&db).await.unwrap();
    assert_eq!(partitions(&db).await, ["default"]);
}
