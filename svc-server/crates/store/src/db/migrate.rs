//! Migrations, applied when the database is opened.
//!
//! A migration that only adds, so that earlier programs can use the tables after it, names the version of the
//! first of them: `V73__labels_since_70`. Any other keeps them from starting.

use std::cmp::Ordering;
use std::error::Error as StdError;

use ::postgres::error::SqlState;
use refinery::{Migration, Runner};

use super::postgres::describe;
use crate::error::{Error, Result};

/// Every migration by name; both engines have a file for each.
macro_rules! migrations {
    ($engine:literal) => {
        migrations!(
            $engine: "V01__accounts", "V02__posts", "V03__messages", "V04__relations",
            "V05__exchange", "V06__events", "V07__social", "V08__notifications",
            "V09__moderation", "V10__avatars", "V11__scheduled_posts", "V12__discovery",
            "V13__analytics", "V14__webhooks", "V15__channels", "V16__relay", "V17__budgets",
            "V18__attempts", "V19__secrets", "V20__orders", "V22__automated", "V23__mail",
            "V24__owners", "V25__factors", "V26__oauth", "V27__pending", "V28__passkeys",
            "V29__links", "V30__export", "V31__signup", "V32__trust", "V33__entry_mails",
            "V34__order_progress", "V36__nodes", "V37__discovery", "V41__event_times",
            "V42__meaning", "V46__idempotency", "V47__checks_and_indexes", "V48__traces",
            "V49__money", "V50__payments", "V54__sales",
            "V55__failed_deliveries",
            "V56__tiers", "V58__payouts", "V60__bill_disputes", "V61__topups", "V62__media",
            "V63__post_format", "V64__post_code", "V65__app_uses", "V66__sample_proposals",
            "V67__operator_lists", "V68__objects", "V70__partitions",
            "V71__grants_of_deleted_apps_since_70", "V72__refunds_of_bills_since_70",
            "V73__unfinished_blocks_since_70", "V74__batches_since_70", "V75__ratings_since_70",
            "V76__privacy_since_70", "V77__old_keys_since_70", "V78__indexes_since_70",
            "V79__app_algorithms_since_70"
        )
    };
    ($engine:literal: $($name:literal),+) => {
        [$(($name, include_str!(concat!("../../migrations/", $engine, "/", $name, ".sql")))),+]
    };
}

/// The name and the statements of each migration.
pub(super) type Migrations = &'static [(&'static str, &'static str)];

pub(super) const SQLITE: Migrations = &migrations!("sqlite");
pub(super) const POSTGRES: Migrations = &migrations!("postgres");

/// The table that names the migrations which were applied.
const TABLE: &str = "refinery_schema_history";

/// What to do when a change waited too long for its table.
const BUSY: &str = "a long transaction, such as that of pg_dump, uses a table that is to be changed: try again when it \
                    has ended";

/// What comes before that version in the name of a migration.
const SINCE: &str = "_since_";

/// Brings a SQLite database up to date.
pub(crate) fn sqlite(connection: &mut rusqlite::Connection) -> Result<()> {
    let runner = runner(SQLITE)?;
    // What can't be read here fails below.
    if let Ok(Some((from, to))) = outdated(&runner, connection) {
        tracing::info!(file = connection.path(), from, to, "updating the tables");
    }
    // Everything is one transaction. When two processes come at once, one fails without a trace
    // and finds the work done on its second attempt.
    let report = runner.run(connection).or_else(|_| runner.run(connection));
    report.map_err(Error::internal)?;
    refuse_later(&runner, connection)
}

/// Brings the tables of PostgreSQL up to date, in a transaction that holds a lock.
pub(super) fn postgres<C: refinery::Migrate>(transaction: &mut C) -> Result<()> {
    let runner = runner(POSTGRES)?;
    let failed = |error: refinery::Error| explain("failed to migrate the tables", &error);
    // A query that fails would end the transaction.
    transaction.assert_migrations_table(TABLE).map_err(failed)?;
    if let Some((from, to)) = outdated(&runner, transaction)? {
        tracing::info!(from, to, "updating the tables");
    }
    runner.run(transaction).map_err(failed)?;
    refuse_later(&runner, transaction)
}

/// The version of the tables and that of this program, if a server of an earlier program made them. Their update may
/// take minutes, in which nothing else would say what a start waits for.
fn outdated<C: refinery::Migrate>(
    runner: &Runner,
    connection: &mut C,
) -> Result<Option<(i32, i32)>> {
    let versions = applied(runner, connection)?.zip(wanted(runner));
    Ok(versions.filter(|(from, to)| from < to))
}

/// An error with what PostgreSQL said, which the library leaves out of its own.
#[track_caller]
fn explain(failure: &str, error: &refinery::Error) -> Error {
    let said = match error.source().and_then(|cause| cause.downcast_ref::<::postgres::Error>()) {
        Some(cause) if cause.code() == Some(&SqlState::LOCK_NOT_AVAILABLE) => {
            format!("{}; {BUSY}", describe(cause))
        }
        Some(cause) => describe(cause),
        None => error.to_string(),
    };
    Error::internal(format!("{failure}: {said}"))
}

/// Refuses a database whose tables this program can't use without migrating them: a server of an earlier program may
/// run on them.
pub(super) fn refuse_other<C: refinery::Migrate>(
    migrations: Migrations,
    connection: &mut C,
) -> Result<()> {
    let runner = runner(migrations)?;
    let (found, own) = (applied(&runner, connection)?, wanted(&runner));
    if found < own {
        return Err(Error::setup(format!(
            "the tables have version {}, but this program needs {}: start the server of this version first, which \
             updates them, or use the program of the running server",
            found.unwrap_or_default(),
            own.unwrap_or_default()
        )));
    }
    refuse_later(&runner, connection)
}

/// Refuses a file whose tables have another version: a move copies only the columns that it knows.
pub(super) fn refuse_unequal(connection: &mut rusqlite::Connection) -> Result<()> {
    let runner = runner(SQLITE)?;
    let found = applied(&runner, connection)?.unwrap_or_default();
    let own = wanted(&runner).unwrap_or_default();
    let fix = match found.cmp(&own) {
        Ordering::Equal => return Ok(()),
        Ordering::Less => "`svc-server migrate` with the server's --data-dir updates them",
        Ordering::Greater => "use the program that served the file last",
    };
    Err(Error::setup(format!(
        "--from: the tables have version {found}, but this program moves only version {own}: {fix}"
    )))
}

/// Refuses tables that a later program has changed so that this one can't use them.
fn refuse_later<C: refinery::Migrate>(runner: &Runner, connection: &mut C) -> Result<()> {
    let own = wanted(runner);
    let applied = runner.get_applied_migrations(connection).map_err(Error::internal)?;
    let is_applied = |migration: &&Migration| applied.contains(migration);
    if let Some(skipped) = runner.get_migrations().iter().find(|migration| !is_applied(migration)) {
        return Err(Error::internal(format!("a later migration came before {skipped}")));
    }
    let mut later = applied.iter().filter(|migration| Some(migration.version()) > own);
    match later.find(|migration| first_program(migration) > own) {
        None => Ok(()),
        Some(migration) => Err(Error::setup(format!(
            "the tables have version {}, but this program knows only up to {}; start a later program, or \
             restore a backup from before the upgrade",
            migration.version(),
            own.unwrap_or_default()
        ))),
    }
}

/// The version of the first program that can use the tables after this migration.
fn first_program(migration: &Migration) -> Option<i32> {
    let named = migration.name().rsplit_once(SINCE).and_then(|(_, version)| version.parse().ok());
    named.or(Some(migration.version()))
}

/// The version of the last migration that was applied.
fn applied<C: refinery::Migrate>(runner: &Runner, connection: &mut C) -> Result<Option<i32>> {
    let last = runner.get_last_applied_migration(connection).map_err(|error| {
        explain(
            "can't read the version of the tables, which a server creates when it starts",
            &error,
        )
    })?;
    Ok(last.map(|migration| migration.version()))
}

/// The version that the tables of this program have.
fn wanted(runner: &Runner) -> Option<i32> {
    runner.get_migrations().iter().map(Migration::version).max()
}

fn runner(migrations: &[(&str, &str)]) -> Result<Runner> {
    let migrations: Result<Vec<Migration>, refinery::Error> =
        migrations.iter().map(|(name, sql)| Migration::unapplied(name, sql)).collect();
    // Those of later programs are judged by their names.
    Ok(Runner::new(&migrations.map_err(Error::internal)?)
        .set_grouped(true)
        .set_abort_missing(false))
}

#[cfg(test)]
mod tests;
