//! Reads of standbys: only of those that have what a read must see, and never at the cost of an answer.

use std::time::Duration;

use futures_util::future::join_all;
use svc_server::testing::until;
use svc_store::clock::Clock;
use svc_store::db::{
    DatabaseUrl, Db, Freshness, Position, ReplicaSettings, Settings, Sql, noting_commits, sql,
    values,
};
use svc_store::error::Result;
use svc_store::testing::postgres::Cluster;
use svc_store::testing::proxy::{Mode, Proxy};
use tokio::task::spawn_blocking;

/// A read that sees what anybody may see.
const ANY: Freshness = Freshness::Recent(None);

/// A database with a standby, which pauses and goes on as a test says.
struct Pair {
    _primary: Cluster,
    standby: Cluster,
    /// Where the database is, and its copy.
    urls: [String; 2],
    settings: Settings,
}

impl Pair {
    /// A pair whose standby has these options and may be read while it lags by a minute.
    async fn start(options: &'static str) -> Option<Self> {
        let pair = spawn_blocking(|| Cluster::with_standby(options)).await.unwrap()?;
        let [(primary, database), (standby, copy)] = pair;
        let settings = read_by(crate::small(postgres(&database)), &copy, 60);
        Some(Self { _primary: primary, standby, urls: [database, copy], settings })
    }

    /// Opens the database, and waits until the standby is read.
    async fn open(&self) -> Db {
        let db = open(&self.settings).await.unwrap();
        until("the replica is read", async || is_read(&db, ANY).await).await;
        db
    }

    /// Lets the standby replay nothing more.
    fn pause(&self) {
        self.standby.execute("select pg_wal_replay_pause()");
        self.waits_until("pg_get_wal_replay_pause_state() = 'paused'");
    }

    fn resume(&self) {
        self.standby.execute("select pg_wal_replay_resume()");
    }

    /// Waits until a condition holds on the standby.
    fn waits_until(&self, condition: &str) {
        self.standby.execute(&format!(
            "set statement_timeout = '1min';
             do $$ begin
                 while not ({condition}) loop perform pg_stat_clear_snapshot(); end loop;
             end $$"
        ));
    }
}

fn postgres(url: &str) -> DatabaseUrl {
    DatabaseUrl::Postgres(url.to_owned())
}

/// Settings with this replica, which may lag by this many seconds.
fn read_by(settings: Settings, replica: &str, seconds: u64) -> Settings {
    let (urls, lag_max) = (vec![postgres(replica)], Duration::from_secs(seconds));
    let read_time_max = Duration::from_mins(1);
    Settings { replicas: ReplicaSettings { urls, lag_max }, read_time_max, ..settings }
}

async fn open(settings: &Settings) -> Result<Db> {
    let settings = settings.clone();
    spawn_blocking(move || Db::open(&settings, &Clock::system())).await.unwrap()
}

/// Why settings are refused.
async fn refusal(settings: &Settings) -> String {
    let error = open(settings).await.unwrap_err();
    assert!(error.is_setup(), "{error}");
    error.to_string()
}

/// Whether a read runs on a standby.
async fn is_read(db: &Db, freshness: Freshness) -> bool {
    let asked = db.read_in_time(freshness, |tx| tx.one(sql!("select pg_is_in_recovery()"), &[]));
    asked.await.unwrap()
}

/// Inserts a row, and answers where that was committed.
async fn insert(db: &Db, id: &'static str) -> Position {
    let sql = sql!("insert into login_failure (id, scope, at) values ($1, 'x', 0)");
    let (inserted, position) =
        noting_commits(db.write(move |tx| tx.execute(sql, values![id]))).await;
    inserted.unwrap();
    position.expect("a commit tells where it is if there are replicas")
}

/// What a read sees.
async fn ids(db: &Db, freshness: Freshness) -> Vec<String> {
    let sql = sql!("select id from login_failure order by id");
    db.read_in_time(freshness, move |tx| tx.all(sql, &[])).await.unwrap()
}

/// Reads for long on a standby, and at once on a primary.
const SLOW_THERE: Sql = sql!(
    "select count(*) from login_failure where not pg_is_in_recovery() or pg_sleep(30) is not null"
);

/// Begins such a read; it runs when this ends.
fn begin_slow_read(pair: &Pair, db: &Db) -> tokio::task::JoinHandle<Result<i64>> {
    let reading = db.clone();
    let read = async move { reading.read_in_time(ANY, |tx| tx.one(SLOW_THERE, &[])).await };
    let read = tokio::spawn(read);
    pair.waits_until("exists (select from pg_stat_activity where wait_event = 'PgSleep')");
    read
}

#[tokio::test(flavor = "multi_thread")]
async fn only_reads_that_need_not_see_the_latest_leave_the_primary() {
    let Some(pair) = Pair::start("").await else { return };
    let db = pair.open().await;
    insert(&db, "a").await;
    assert!(!is_read(&db, Freshness::Latest).await);
    let asked = || sql!("select pg_is_in_recovery()");
    assert!(!db.read(move |tx| tx.one::<bool>(asked(), &[])).await.unwrap());
    assert!(!db.snapshot(move |tx| tx.one::<bool>(asked(), &[])).await.unwrap());
    assert_eq!(ids(&db, Freshness::Latest).await, ["a"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_read_sees_the_commit_that_it_names_wherever_it_runs() {
    let Some(pair) = Pair::start("").await else { return };
    let db = pair.open().await;
    let first = insert(&db, "a").await;
    until("the row is replayed", async || is_read(&db, Freshness::Recent(Some(first))).await).await;
    pair.pause();
    let second = Freshness::Recent(Some(insert(&db, "b").await));
    assert_eq!(ids(&db, ANY).await, ["a"], "it may be old");
    assert_eq!(ids(&db, Freshness::Recent(Some(first))).await, ["a"]);
    assert_eq!(
        (ids(&db, second).await, is_read(&db, second).await),
        (vec!["a".into(), "b".into()], false)
    );
    let later = Freshness::Recent(Some("2-0/0".parse().unwrap()));
    assert!(!is_read(&db, later).await, "on another timeline it may not have that");
    pair.resume();
    until("the commit is replayed", async || is_read(&db, second).await).await;
    assert_eq!(ids(&db, second).await, ["a", "b"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replica_that_lags_behind_is_not_read_until_it_has_caught_up() {
    let Some(mut pair) = Pair::start("").await else { return };
    pair.settings = read_by(pair.settings.clone(), &pair.urls[1], 1);
    let db = pair.open().await;
    let first = Freshness::Recent(Some(insert(&db, "a").await));
    until("the row is replayed", async || is_read(&db, first).await).await;
    pair.pause();
    insert(&db, "b").await;
    until("the replica lags behind", async || ids(&db, ANY).await == ["a", "b"]).await;
    assert!(!is_read(&db, first).await, "a name makes no answer older");
    pair.resume();
    until("the replica is read again", async || is_read(&db, ANY).await).await;
    assert_eq!(ids(&db, ANY).await, ["a", "b"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replica_is_as_fresh_as_a_primary_that_writes_nothing() {
    let Some(mut pair) = Pair::start("").await else { return };
    pair.settings = read_by(pair.settings.clone(), &pair.urls[1], 1);
    let db = pair.open().await;
    let last = Freshness::Recent(Some(insert(&db, "a").await));
    until("the row is replayed", async || is_read(&db, last).await).await;
    // Nothing is written for longer than a replica may lag.
    let begun = tokio::time::Instant::now();
    while begun.elapsed() < Duration::from_secs(3) {
        assert_eq!(ids(&db, ANY).await, ["a"]);
    }
    until("the replica is read", async || is_read(&db, ANY).await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn reads_go_on_when_a_replica_dies() {
    let Some(pair) = Pair::start("").await else { return };
    let db = pair.open().await;
    let last = Freshness::Recent(Some(insert(&db, "a").await));
    until("the row is replayed", async || is_read(&db, last).await).await;
    drop(pair.standby);
    until("the primary reads", async || !is_read(&db, ANY).await).await;
    for _ in 0..100 {
        assert_eq!(ids(&db, ANY).await, ["a"]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_read_whose_connection_is_lost_in_its_middle_runs_on_the_primary() {
    let Some(pair) = Pair::start("").await else { return };
    let db = pair.open().await;
    let last = Freshness::Recent(Some(insert(&db, "a").await));
    until("the row is replayed", async || is_read(&db, last).await).await;
    let read = begin_slow_read(&pair, &db);
    pair.standby.execute(
        "select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'PgSleep'",
    );
    assert_eq!(read.await.unwrap().unwrap(), 1);
    until("the replica is read again", async || is_read(&db, ANY).await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replica_that_restarted_is_read_on_new_connections_at_once() {
    /// Each may lose a connection that was made before.
    const READERS: usize = 8;
    let Some(pair) = Pair::start("").await else { return };
    let db = pair.open().await;
    join_all((0..READERS * 4).map(|_| is_read(&db, ANY))).await;
    pair.standby.execute(
        "select pg_terminate_backend(pid) from pg_stat_activity
         where backend_type = 'client backend' and pid <> pg_backend_pid()",
    );
    let mut at_the_primary = 0;
    for _ in 0..READERS * 20 {
        at_the_primary += usize::from(!is_read(&db, ANY).await);
    }
    assert!(at_the_primary <= READERS, "{at_the_primary} reads");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_read_in_the_way_of_what_is_replayed_runs_on_the_primary() {
    let Some(pair) = Pair::start("-c max_standby_streaming_delay=0").await else { return };
    let db = pair.open().await;
    let last = Freshness::Recent(Some(insert(&db, "a").await));
    until("the row is replayed", async || is_read(&db, last).await).await;
    let read = begin_slow_read(&pair, &db);
    let lock = sql!("lock table login_failure in access exclusive mode");
    db.write(move |tx| tx.execute(lock, &[])).await.unwrap();
    assert_eq!(read.await.unwrap().unwrap(), 1);
    pair.waits_until("0 < (select sum(confl_lock) from pg_stat_database_conflicts)");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replica_that_answers_nothing_delays_reads_and_loses_none() {
    let Some(pair) = Pair::start("").await else { return };
    let proxy = Proxy::to(&pair.urls[1]);
    let mut settings = read_by(pair.settings.clone(), &proxy.url(), 60);
    settings.read_time_max = Duration::from_millis(250);
    let db = open(&settings).await.unwrap();
    until("the replica is read", async || is_read(&db, ANY).await).await;
    proxy.set(Mode::Frozen);
    until("the primary reads", async || !is_read(&db, ANY).await).await;
    for _ in 0..100 {
        assert!(!is_read(&db, ANY).await);
    }
    proxy.set(Mode::Open);
    until("the replica is read again", async || is_read(&db, ANY).await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replica_that_is_promoted_is_not_read() {
    let Some(mut pair) = Pair::start("").await else { return };
    pair.settings = read_by(pair.settings.clone(), &pair.urls[1], 1);
    let db = pair.open().await;
    pair.standby.execute("select pg_promote()");
    insert(&db, "a").await;
    until("the primary reads", async || ids(&db, ANY).await == ["a"]).await;
    for _ in 0..100 {
        assert_eq!(ids(&db, ANY).await, ["a"]);
    }
    // After a failover, a node starts with what was a standby once.
    let [old, new] = &pair.urls;
    let failed_over = read_by(crate::small(postgres(new)), old, 60);
    let db = open(&failed_over).await.unwrap();
    insert(&db, "b").await;
    assert_eq!(ids(&db, ANY).await, ["b"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_can_be_no_replica_is_refused_by_name() {
    let Some(pair) = Pair::start("").await else { return };
    let Some(Settings { url: DatabaseUrl::Postgres(other), .. }) = crate::postgres() else {
        return;
    };
    let [database, copy] = &pair.urls;
    let other_database = copy.rsplit_once('/').unwrap().0.to_owned() + "/postgres";
    let both = "postgres://svc@127.0.0.1:1,127.0.0.1:2/svc";
    for (replica, why) in [
        (database.as_str(), "must be a standby of database_url, but it is a primary"),
        (&other, "must be a standby of database_url, but it is a server of another database"),
        (
            &other_database,
            "must be a standby of database_url, but it is a server of another database",
        ),
        (both, "each must name one host"),
    ] {
        let refused = refusal(&read_by(pair.settings.clone(), replica, 60)).await;
        assert!(refused.starts_with("database.replicas: ") && refused.contains(why), "{refused}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replica_may_be_down_when_a_node_starts() {
    let Some(pair) = Pair::start("").await else { return };
    let proxy = Proxy::to(&pair.urls[1]);
    proxy.redirect("postgres://svc@%2Fnone/svc");
    let db = open(&read_by(pair.settings.clone(), &proxy.url(), 60)).await.unwrap();
    insert(&db, "a").await;
    assert_eq!(ids(&db, ANY).await, ["a"]);
    proxy.redirect(&pair.urls[1]);
    until("the replica is read", async || is_read(&db, ANY).await).await;
}
