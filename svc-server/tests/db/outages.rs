//! PostgreSQL behind a network that freezes, cuts connections and loses answers. The limits are of
//! real time, so these tests take some seconds.

use std::time::Duration;

use svc_store::clock::Clock;
use svc_store::db::{DatabaseUrl, Db, Settings, sql, values};
use svc_store::error::Result;
use svc_store::testing::postgres::Cluster;
use svc_store::testing::proxy::{Mode, Proxy};
use svc_types::Code;
use tokio::task::spawn_blocking;
use tokio::time::{Instant, timeout};

/// The longest time until a job ends: its own, and that of COMMIT.
const ENDED: Duration = Duration::from_secs(13);

/// A database behind a proxy, and the same without it.
async fn behind_proxy() -> Option<(Proxy, Db, Db)> {
    let settings = crate::postgres()?;
    let DatabaseUrl::Postgres(url) = &settings.url else { return None };
    let proxy = Proxy::to(url);
    let through = Settings { url: DatabaseUrl::Postgres(proxy.url()), ..settings.clone() };
    let open = |settings: Settings| spawn_blocking(move || Db::open(&settings, &Clock::system()));
    let (through, direct) = (open(through).await.unwrap(), open(settings).await.unwrap());
    Some((proxy, through.unwrap(), direct.unwrap()))
}

async fn open(url: &str) -> Db {
    let settings = crate::small(DatabaseUrl::Postgres(url.to_owned()));
    spawn_blocking(move || Db::open(&settings, &Clock::system())).await.unwrap().unwrap()
}

async fn insert(db: &Db, id: &'static str) -> Result<u64> {
    db.write(move |tx| {
        let now = tx.now();
        let sql = sql!("insert into login_failure (id, scope, at) values ($1, 'x', $2)");
        tx.execute(sql, values![id, now])
    })
    .await
}

async fn ids(db: &Db) -> Vec<String> {
    db.read(|tx| tx.all(sql!("select id from login_failure order by id"), &[])).await.unwrap()
}

/// The code of a refusal, which must come in time.
async fn refusal(job: impl Future<Output = Result<u64>>) -> Code {
    timeout(ENDED, job).await.expect("every job ends").unwrap_err().code()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_frozen_database_ends_jobs_then_refuses_at_once_and_stores_nothing() {
    let Some((proxy, db, direct)) = behind_proxy().await else { return };
    insert(&db, "a").await.unwrap();
    proxy.set(Mode::Frozen);
    let jobs = ["b", "c", "d", "e", "f", "g"].map(|id| refusal(insert(&db, id)));
    for code in futures_util::future::join_all(jobs).await {
        assert_eq!(code, Code::StorageUnavailable);
    }
    let at_once = async {
        loop {
            let begun = Instant::now();
            assert_eq!(refusal(insert(&db, "h")).await, Code::StorageUnavailable);
            if begun.elapsed() < Duration::from_millis(100) {
                return;
            }
        }
    };
    timeout(ENDED, at_once).await.expect("an outage is known");
    proxy.set(Mode::Open);
    let again = async { while insert(&db, "i").await.is_err() {} };
    timeout(ENDED, again).await.expect("the end of an outage is found");
    assert_eq!(ids(&direct).await, ["a", "i"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_commit_without_an_answer_is_unknown_and_not_cancelled() {
    let Some((proxy, db, direct)) = behind_proxy().await else { return };
    insert(&db, "a").await.unwrap();
    proxy.set(Mode::CommitUnanswered);
    assert_eq!(refusal(insert(&db, "b")).await, Code::OutcomeUnknown);
    proxy.set(Mode::Open);
    assert_eq!(ids(&direct).await, ["a", "b"]);
    insert(&db, "c").await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn jobs_run_again_when_their_connections_are_cut_before_the_commit() {
    let Some((proxy, db, direct)) = behind_proxy().await else { return };
    insert(&db, "a").await.unwrap();
    proxy.cut();
    insert(&db, "b").await.unwrap();
    assert_eq!(ids(&direct).await, ["a", "b"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_statement_that_takes_too_long_ends_and_stores_nothing() {
    let Some((_proxy, db, direct)) = behind_proxy().await else { return };
    let slow = db.write(|tx| {
        let now = tx.now();
        let sql = sql!("insert into login_failure (id, scope, at) values ('a', 'x', $1)");
        tx.execute(sql, values![now])?;
        tx.execute(sql!("select pg_sleep(60)"), &[])
    });
    assert_eq!(refusal(slow).await, Code::StorageUnavailable);
    insert(&db, "b").await.unwrap();
    assert_eq!(ids(&direct).await, ["b"], "one slow statement is no outage");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_old_primary_that_answers_again_is_refused() {
    let Some([(_old, old), (_new, new)]) = spawn_blocking(Cluster::failed_over).await.unwrap()
    else {
        return;
    };
    let proxy = Proxy::to(&old);
    let db = open(&proxy.url()).await;
    insert(&db, "a").await.unwrap();
    proxy.redirect(&new);
    insert(&db, "b").await.unwrap();
    proxy.redirect(&old);
    assert_eq!(refusal(insert(&db, "c")).await, Code::StorageUnavailable);
    let read = db.read(|tx| tx.execute(sql!("select 1"), &[]));
    assert_eq!(refusal(read).await, Code::StorageUnavailable);
    proxy.redirect(&new);
    let again = async { while insert(&db, "d").await.is_err() {} };
    timeout(ENDED, again).await.expect("the new primary is found");
    assert_eq!(ids(&open(&old).await).await, ["a"]);
    assert_eq!(ids(&open(&new).await).await, ["b", "d"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_several_hosts_only_the_latest_primary_is_used() {
    let Some([(_old, old), (_new, new)]) = spawn_blocking(Cluster::failed_over).await.unwrap()
    else {
        return;
    };
    let (stays, fails) = (Proxy::to(&new), Proxy::to(&new));
    let both = stays.url().replace("127.0.0.1", &format!("{},127.0.0.1", fails.address()));
    let db = open(&both).await;
    insert(&db, "a").await.unwrap();
    fails.redirect(&old);
    for id in ["b", "c", "d", "e", "f", "g", "h", "i"] {
        let again = async { while insert(&db, id).await.is_err() {} };
        timeout(ENDED, again).await.expect("the latest primary is found");
    }
    assert_eq!(ids(&open(&old).await).await, [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_several_hosts_one_that_answers_nothing_is_passed_over() {
    let Some(settings) = crate::postgres() else { return };
    let DatabaseUrl::Postgres(url) = settings.url else { return };
    let (stays, freezes) = (Proxy::to(&url), Proxy::to(&url));
    let both = stays.url().replace("127.0.0.1", &format!("{},127.0.0.1", freezes.address()));
    freezes.set(Mode::Frozen);
    for id in ["a", "b", "c"] {
        insert(&open(&both).await, id).await.unwrap();
    }
}
