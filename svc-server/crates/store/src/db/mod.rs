//! The database: one small interface over SQLite and PostgreSQL.
//!
//! | module | what it holds |
//! |---|---|
//! | `settings` | where the database is and how much of it is used |
//! | `tx` | [`Tx`], what a job may do |
//! | `sql` | [`Sql`] and `sql!`, statement texts checked at compile time |
//! | `slots` | lists of values in a statement |
//! | `value` | [`Value`], [`Bind`] and [`Column`]: single values in and out |
//! | `row` | [`Row`], [`FromRow`] and `row!`: rows out |
//! | `columns` | how the values of svc-types are stored |
//! | `pair` | statements that differ between the engines |
//! | `position` | [`Position`], [`Freshness`]: which commits a replica has, and which ones a read must see |
//! | `returning` | changes that answer what they changed |
//! | `together` | [`Together`], changes that PostgreSQL gets as one statement |
//! | `search` | the full-text index of each engine |
//! | `job` | how a job travels to a database thread and its result back |
//! | `engine` | the queues and threads both engines are made of |
//! | `trouble` | what a failed statement means for its transaction |
//! | `sqlite` | one writer with group commit, several readers |
//! | `postgres` | connection threads, one transaction per job |
//! | `meter` | metrics |
//! | `fault` | failpoints around a commit, for tests |
//! | `migrate` | migrations, applied when the database is opened |
//! | `moving` | moves a SQLite file to PostgreSQL |
//! | `partitions` | tables of PostgreSQL in partitions by time |
//! | `plans` | query plans for tests |
//! | `groups` | what groups of jobs did, for tests |
//! | [`lock`] | one server process per SQLite file |
//!
//! A job is a synchronous function over [`Tx`]. It runs on a thread of the database, never on the
//! async runtime, and it may run more than once, so it changes nothing but the database.

mod columns;
mod engine;
mod fault;
#[cfg(feature = "testing")]
mod groups;
mod job;
pub mod lock;
mod meter;
pub(crate) mod migrate;
mod moving;
mod pair;
mod partitions;
#[cfg(feature = "testing")]
mod plans;
mod position;
mod postgres;
mod returning;
mod row;
mod search;
mod settings;
mod slots;
mod sql;
mod sqlite;
mod together;
mod trouble;
mod tx;
mod value;

use std::fmt;
use std::path::Path;
use std::sync::Arc;

#[cfg(feature = "testing")]
pub use self::groups::{Group, Groups};
pub use self::moving::{Moved, move_to_postgres};
pub use self::pair::Pair;
pub use self::partitions::{
    ID_BITS_BELOW_TIME, IDEMPOTENCY, PARTITIONED, Partitioned, WEBHOOK_ATTEMPTS,
};
#[cfg(feature = "testing")]
pub use self::plans::{Plan, Plans};
pub use self::position::{Freshness, Position, PositionError, noting_commits};
#[cfg(feature = "testing")]
pub(crate) use self::postgres::on_own_thread;
pub use self::postgres::signals::{Signal, Signals, TEXT_BYTES_MAX};
pub use self::returning::Returning;
pub use self::row::{FromRow, Row};
pub use self::search::{Range, Wanted};
pub use self::settings::{DatabaseUrl, DatabaseUrlError, ReplicaSettings, Settings, Statements};
pub use self::slots::{SLOTS, slots};
pub use self::sql::{Sql, join, length};
pub use self::together::{Together, merge, merged_length};
pub use self::tx::Tx;
pub use self::value::{Bind, Column, Value};
pub use crate::{
    returning, row, select_free, select_locked, slots, sql, text_column, together, values,
};

use self::engine::Engine;
use self::job::Access;
use self::postgres::Connections;
use crate::clock::Clock;
use crate::error::{Error, Result};

/// An open database. Clones share its threads.
///
/// When the last clone is dropped, queued jobs finish and the threads end.
#[derive(Clone)]
pub struct Db(Arc<Engine>);

impl Db {
    /// Opens the database, creates or updates its tables, and starts its threads.
    ///
    /// It blocks until the tables are ready.
    pub fn open(settings: &Settings, clock: &Clock) -> Result<Self> {
        let engine = match &settings.url {
            DatabaseUrl::Sqlite(path) => sqlite::open(path, settings, clock),
            DatabaseUrl::SqliteMemory => sqlite::open_throw_away(settings, clock),
            DatabaseUrl::Postgres(url) => postgres::open(url, settings, clock),
        };
        engine.map(|engine| Self(Arc::new(engine)))
    }

    /// Runs `job` in a transaction: `Ok` commits, `Err` rolls back only this job.
    ///
    /// The job may run more than once before one of its runs commits. When the returned future is
    /// dropped, the job still runs.
    pub async fn write<T, F>(&self, job: F) -> Result<T>
    where
        T: Send + 'static,
        F: Fn(&mut Tx<'_>) -> Result<T> + Send + 'static,
    {
        self.write_then(job, |_| ()).await
    }

    /// Like [`write`](Self::write); `kept` sees the result once it is committed, in the order of
    /// commits, also when the returned future is dropped. It must not wait.
    pub async fn write_then<T, F, K>(&self, job: F, kept: K) -> Result<T>
    where
        T: Send + 'static,
        F: Fn(&mut Tx<'_>) -> Result<T> + Send + 'static,
        K: FnOnce(&mut T) + Send + 'static,
    {
        self.0.run(Access::Write, job, kept).await
    }

    /// Runs `job`, which only reads. A statement that writes fails.
    ///
    /// On SQLite the whole job sees one snapshot. On PostgreSQL each statement sees what was
    /// committed when it began, as in a READ COMMITTED transaction, at one round trip each.
    pub async fn read<T, F>(&self, job: F) -> Result<T>
    where
        T: Send + 'static,
        F: Fn(&mut Tx<'_>) -> Result<T> + Send + 'static,
    {
        self.0.run(Access::Read, job, |_| ()).await
    }

    /// Like [`read`](Self::read), but a job that takes longer than the settings allow fails with
    /// [`Error::TooLong`], so that it does not keep others from reading. Where it may see less than the
    /// latest, it runs on a replica that has what it must see; what fails there runs on the primary.
    pub async fn read_in_time<T, F>(&self, freshness: Freshness, job: F) -> Result<T>
    where
        T: Send + 'static,
        F: Fn(&mut Tx<'_>) -> Result<T> + Send + 'static,
    {
        let access = match freshness {
            Freshness::Latest => Access::Answer,
            Freshness::Recent(commit) => Access::Recent(commit),
        };
        self.0.run(access, job, |_| ()).await
    }

    /// Runs `job`, which only reads, on one snapshot of the whole database. It may take long.
    pub async fn snapshot<T, F>(&self, job: F) -> Result<T>
    where
        T: Send + 'static,
        F: Fn(&mut Tx<'_>) -> Result<T> + Send + 'static,
    {
        self.0.run(Access::Snapshot, job, |_| ()).await
    }

    /// Whether the database answers.
    pub async fn check(&self) -> Result<()> {
        self.read(|tx| {
            tx.all::<bool>(sql!("select true from refinery_schema_history limit 1"), &[])
        })
        .await
        .map(|_| ())
    }

    /// Where the primary is, behind all that was committed before; none if there are no replicas.
    pub async fn position(&self) -> Result<Option<Position>> {
        if self.0.with_queues(|queues| queues.replicas.is_empty()).unwrap_or(true) {
            return Ok(None);
        }
        let row = self.read(|tx| tx.one::<String>(sql!(postgres::SELECT_POSITION), &[])).await?;
        Ok(Position::of_wal(&row))
    }

    /// The connections for signals between nodes; none on SQLite, where there is one node.
    pub fn signals(&self) -> Option<Signals> {
        self.0.signals.clone().map(Signals::to)
    }

    /// How many connections to the primary of PostgreSQL jobs use, and how many are idle; none on SQLite.
    pub fn connections(&self) -> Option<[usize; 2]> {
        self.0.connections.as_ref().map(Connections::count)
    }

    /// Whether the last write found the disk full. The next commit that succeeds clears it.
    pub fn storage_full(&self) -> bool {
        self.0.storage_full.get()
    }

    /// What groups of jobs did.
    #[cfg(feature = "testing")]
    pub fn groups(&self) -> &Groups {
        &self.0.groups
    }

    /// How many write jobs wait.
    #[cfg(feature = "testing")]
    pub fn waiting_writes(&self) -> usize {
        self.0.with_queues(|queues| queues.writes.len()).unwrap_or_default()
    }

    /// Finishes queued jobs and ends the threads; later jobs are refused.
    ///
    /// It blocks until the threads have ended.
    pub fn close(&self) {
        self.0.close();
    }

    /// Truncates the write-ahead log of a SQLite file, which still contains deleted rows. It blocks for
    /// a moment; PostgreSQL needs no such step.
    pub fn empty_log(&self) -> Result<()> {
        self.0.file.as_deref().map_or(Ok(()), sqlite::empty_log)
    }

    /// Reads every page of a SQLite file, and says which table is damaged. It blocks for as long as that takes;
    /// PostgreSQL checks pages when it reads them.
    pub fn check_tables(&self) -> Result<()> {
        self.0.file.as_deref().map_or(Ok(()), sqlite::check_tables)
    }
}

/// Why a database of PostgreSQL is not copied here.
pub const NOT_POSTGRES: &str = "backup is for SQLite; a PostgreSQL database is backed up with pgBackRest or pg_basebackup, or with pg_dump";

/// Writes a consistent copy of the SQLite file at `path` to the new file `target` while a server works on it. The
/// tables may be those of another version.
pub fn copy_file(path: &Path, target: &Path) -> Result<()> {
    if !path.is_file() {
        return Err(Error::internal(format!("there is no database at {}", path.display())));
    }
    sqlite::backup(path, target)
}

impl fmt::Debug for Db {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Db").field(&self.0.url).finish()
    }
}
