//! Jobs: what is committed, what is rolled back, and what callers get.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Mutex;
use std::sync::mpsc::{self, Sender};
use std::task::Poll;
use std::time::Duration;

use svc_server::testing::{in_time, until};
use svc_store::clock::Clock;
use svc_store::db::{Db, Settings, Tx, sql, values};
use svc_store::error::{Error, Result};
use svc_types::{Code, Timestamp};
use tokio::sync::oneshot;
use tokio::task::{JoinHandle, JoinSet};

use crate::{on_both_engines, open};

/// Creates a counter with the value 0.
async fn make_counter(db: &Db) {
    db.write(|tx| {
        tx.execute(sql!("create table counter (id text primary key, n bigint not null)"), &[])?;
        tx.execute(sql!("insert into counter (id, n) values ($1, $2)"), values!["a", 0])
    })
    .await
    .unwrap();
}

/// Adds `n` and answers as `end` says.
async fn add(db: &Db, n: i64, end: fn() -> Result<()>) -> Result<()> {
    db.write(move |tx| {
        tx.execute(sql!("update counter set n = n + $1 where id = $2"), values![n, "a"])?;
        end()
    })
    .await
}

async fn count(db: &Db) -> i64 {
    db.read(|tx| tx.one(sql!("select n from counter where id = $1"), values!["a"])).await.unwrap()
}

fn refuse() -> Result<()> {
    Err(Error::refused(Code::Forbidden, "not today"))
}

/// A job that runs until it is let go.
pub(crate) struct Blocker {
    job: JoinHandle<Result<()>>,
    release: Sender<()>,
}

impl Blocker {
    /// Starts the job and waits until it runs.
    pub(crate) async fn start(db: &Db) -> Self {
        let (release, released) = mpsc::channel();
        let (started, starts) = oneshot::channel();
        let signals = Mutex::new((Some(started), released));
        let db = db.clone();
        let job = tokio::spawn(async move {
            db.write(move |_| {
                let (started, released) = &mut *signals.lock().unwrap();
                match started.take() {
                    Some(started) => {
                        let _ = started.send(());
                        released.recv().map_err(Error::internal)
                    }
                    // The group runs again.
                    None => Ok(()),
                }
            })
            .await
        });
        starts.await.unwrap();
        Self { job, release }
    }

    /// Lets the job end and waits for its answer.
    pub(crate) async fn end(self) -> Result<()> {
        self.release.send(()).unwrap();
        self.job.await.unwrap()
    }
}

/// Puts a job in the queue of a busy thread.
pub(crate) async fn queue<T>(job: impl Future<Output = T>) -> Pin<Box<impl Future<Output = T>>> {
    let mut job = Box::pin(job);
    poll_fn(|context| {
        assert!(job.as_mut().poll(context).is_pending());
        Poll::Ready(())
    })
    .await;
    job
}

on_both_engines! {
    async fn a_failing_job_rolls_back_only_itself(settings: Settings) {
        let db = open(&settings);
        make_counter(&db).await;
        let (first, failing, last) = tokio::join!(
            add(&db, 1, || Ok(())),
            add(&db, 10, refuse),
            add(&db, 100, || Ok(())),
        );
        assert_eq!((first.is_ok(), last.is_ok()), (true, true));
        assert_eq!(failing.unwrap_err().code(), Code::Forbidden);
        assert_eq!(count(&db).await, 101);
    }

    async fn a_panicking_job_rolls_back_only_itself(settings: Settings) {
        let db = open(&settings);
        make_counter(&db).await;
        let (first, failing, last) = tokio::join!(
            add(&db, 1, || Ok(())),
            add(&db, 10, || panic!("a panic on purpose")),
            add(&db, 100, || Ok(())),
        );
        assert_eq!((first.is_ok(), last.is_ok()), (true, true));
        assert_eq!(failing.unwrap_err().code(), Code::Internal);
        assert_eq!(count(&db).await, 101);
    }

    async fn a_commit_whose_effects_panic_is_answered_and_so_are_those_with_it(settings: Settings) {
        let db = open(&settings);
        make_counter(&db).await;
        let change = sql!("update counter set n = n + 1");
        let add_one = move |tx: &mut Tx<'_>| tx.execute(change, &[]);
        let panicking = db.write_then(add_one, |_| panic!("a panic on purpose"));
        let (panicked, next) = tokio::join!(panicking, add(&db, 10, || Ok(())));
        assert_eq!((panicked.unwrap(), next.is_ok()), (1, true));
        assert_eq!(count(&db).await, 11);
    }

    async fn a_failed_statement_cannot_be_ignored(settings: Settings) {
        let db = open(&settings);
        make_counter(&db).await;
        let error = db
            .write(|tx| {
                tx.execute(sql!("update counter set n = 5"), &[])?;
                let insert = sql!("insert into counter (id, n) values ($1, $2)");
                let _ = tx.execute(insert, values!["a", 1]);
                Ok(())
            })
            .await
            .unwrap_err();
        assert_eq!(error.code(), Code::Internal);
        assert_eq!(count(&db).await, 0);
    }

    async fn concurrent_writers_lose_no_update(settings: Settings) {
        let db = open(&settings);
        make_counter(&db).await;
        let mut writers = JoinSet::new();
        for _ in 0..64 {
            let db = db.clone();
            writers.spawn(async move {
                for _ in 0..5 {
                    add(&db, 1, || Ok(())).await.unwrap();
                }
            });
        }
        writers.join_all().await;
        assert_eq!(count(&db).await, 320);
    }

    async fn a_read_cannot_write(settings: Settings) {
        let db = open(&settings);
        make_counter(&db).await;
        let change = db.read(|tx| tx.execute(sql!("update counter set n = 7"), &[])).await;
        assert_eq!(change.unwrap_err().code(), Code::Internal);
        assert_eq!(count(&db).await, 0);
    }

    async fn a_full_queue_refuses_at_once(settings: Settings) {
        let db = open(&Settings { queue_max: 1, connections: 1, group_max: 1, ..settings });
        let running = Blocker::start(&db).await;
        let queued = queue(db.write(|_| Ok(()))).await;

        let Err(Error::Refused(refusal)) = db.write(|_| Ok(())).await else {
            panic!("the queue has room");
        };
        assert_eq!((refusal.code, refusal.retry_after), (Code::Overloaded, Some(1)));

        running.end().await.unwrap();
        queued.await.unwrap();
    }

    async fn closing_finishes_queued_jobs(settings: Settings) {
        let db = open(&Settings { connections: 1, ..settings });
        make_counter(&db).await;
        let running = Blocker::start(&db).await;
        let queued = queue(add(&db, 1, || Ok(()))).await;
        running.end().await.unwrap();
        db.close();
        queued.await.unwrap();
        assert_eq!(add(&db, 1, || Ok(())).await.unwrap_err().code(), Code::StorageUnavailable);
        db.close();
    }

    async fn a_job_that_comes_while_the_database_closes_is_refused_and_holds_nothing(
        settings: Settings
    ) {
        let (gone, goes) = oneshot::channel::<()>();
        let db = open(&Settings { connections: 1, ..settings });
        let running = Blocker::start(&db).await;
        let closed = db.clone();
        let closing = tokio::task::spawn_blocking(move || closed.close());
        until("the thread that writes is to end", async || db.waiting_writes() > 0).await;
        let write = db.write(move |_| {
            let _ = &gone;
            Ok(())
        });
        let late = queue(write).await;
        running.end().await.unwrap();
        closing.await.unwrap();
        let refused = in_time("the job is refused", late).await.unwrap_err();
        assert_eq!(refused.code(), Code::StorageUnavailable);
        in_time("the job is dropped", goes).await.unwrap_err();
    }

    async fn a_transaction_has_one_instant(settings: Settings) {
        let start = Timestamp::from_millis(1_769_851_800_123);
        let clock = Clock::manual(start);
        let db = Db::open(&settings, &clock).unwrap();
        assert_eq!(db.write(|tx| Ok(tx.now())).await.unwrap(), start);
        clock.advance(Duration::from_millis(1));
        assert_eq!(db.read(|tx| Ok(tx.now())).await.unwrap().as_millis(), 1_769_851_800_124);
    }

    async fn the_instant_is_the_current_time(settings: Settings) {
        let now = open(&settings).write(|tx| Ok(tx.now())).await.unwrap();
        let here = Clock::system().now();
        let difference = here.since(now).max(now.since(here));
        assert!(difference < Duration::from_mins(1), "{now} is not {here}");
    }

    async fn a_healthy_database_answers(settings: Settings) {
        let db = open(&settings);
        db.check().await.unwrap();
        assert!(!db.storage_full());
    }

    async fn the_last_handle_may_be_dropped_inside_a_job(settings: Settings) {
        let (gone, goes) = oneshot::channel::<()>();
        let db = open(&Settings { connections: 1, ..settings });
        let running = Blocker::start(&db).await;
        let held = (db.clone(), gone);
        let write = db.write(move |_| {
            let _ = &held;
            Ok(())
        });
        drop(queue(write).await);
        drop(db);
        running.end().await.unwrap();
        // The job and all it holds are dropped by a thread of the database.
        assert!(goes.await.is_err());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_is_counted_as_busy_or_idle_and_never_as_both() {
    let Some(settings) = crate::postgres() else { return };
    let db = open(&Settings { connections: 1, ..settings });
    let (mut readers, mut left) = (JoinSet::new(), 4);
    for _ in 0..left {
        let db = db.clone();
        readers.spawn(async move {
            for _ in 0..100 {
                let one = sql!("select cast(1 as bigint)");
                db.read(move |tx| tx.one::<i64>(one, &[])).await.unwrap();
            }
        });
    }
    while left > 0 {
        let [busy, idle] = db.connections().unwrap();
        assert!(busy + idle <= 1, "{busy} busy and {idle} idle of 1");
        if let Some(ended) = readers.try_join_next() {
            ended.unwrap();
            left -= 1;
        }
        tokio::task::yield_now().await;
    }
    assert_eq!(db.connections().map(|[busy, _]| busy), Some(0), "no job runs");
}
