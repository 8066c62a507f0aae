//! The tables, brought up to date when the database is opened.

use refinery::{Migration, Runner};

use crate::error::{Error, Result};

/// Every migration by name; both engines have a file for each.
macro_rules! migrations {
    ($engine:literal) => {
        migrations!(
            $engine: "V01__accounts", "V02__posts", "V03__messages", "V04__relations",
            "V05__exchange", "V06__events", "V07__social",
            "V08__notifications",
            "V09__moderation"
        )
    };
    ($engine:literal: $($name:literal),+) => {
        [$(($name, include_str!(concat!("../../migrations/", $engine, "/", $name, ".sql")))),+]
    };
}

const SQLITE: &[(&str, &str)] = &migrations!("sqlite");
const POSTGRES: &[(&str, &str)] = &migrations!("postgres");

/// Any number that other users of the PostgreSQL server are unlikely to lock.
const POSTGRES_LOCK: &str = "7383211";

/// Brings a SQLite database up to date.
pub(super) fn sqlite(connection: &mut rusqlite::Connection) -> Result<()> {
    let runner = runner(SQLITE)?;
    // Everything is one transaction. When two processes come at once, one fails without a trace
    // and finds the work done when it looks again.
    let report = runner.run(connection).or_else(|_| runner.run(connection));
    report.map(|_| ()).map_err(Error::internal)
}

/// Brings a PostgreSQL database up to date; of several servers one does the work.
pub(super) fn postgres(client: &mut ::postgres::Client) -> Result<()> {
    let lock = format!("select pg_advisory_lock({POSTGRES_LOCK})");
    client.batch_execute(&lock).map_err(Error::internal)?;
    // The lock ends with the connection, so a failure needs no unlocking.
    runner(POSTGRES)?.run(client).map_err(Error::internal)?;
    let unlock = format!("select pg_advisory_unlock({POSTGRES_LOCK})");
    client.batch_execute(&unlock).map_err(Error::internal)
}

/// Refuses a database whose tables are not those of this version.
pub(super) fn refuse_other<C: refinery::Migrate>(connection: &mut C, postgres: bool) -> Result<()> {
    let runner = runner(if postgres { POSTGRES } else { SQLITE })?;
    let applied = runner.get_last_applied_migration(connection).map_err(Error::internal)?;
    let wanted = runner.get_migrations().iter().map(Migration::version).max();
    if applied.map(|migration| migration.version()) == wanted {
        return Ok(());
    }
    Err(Error::internal("the tables are of another version; `svc-server migrate` updates them"))
}

fn runner(migrations: &[(&str, &str)]) -> Result<Runner> {
    let migrations: Result<Vec<Migration>, refinery::Error> =
        migrations.iter().map(|(name, sql)| Migration::unapplied(name, sql)).collect();
    Ok(Runner::new(&migrations.map_err(Error::internal)?).set_grouped(true))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    #[test]
    fn every_file_is_listed() {
        for (engine, listed) in [("sqlite", SQLITE), ("postgres", POSTGRES)] {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations").join(engine);
            let mut files: Vec<String> = fs::read_dir(folder)
                .unwrap()
                .map(|file| file.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
                .collect();
            files.sort();
            assert_eq!(files, listed.iter().map(|(name, _)| *name).collect::<Vec<_>>(), "{engine}");
        }
    }
}
