//! Migrations of PostgreSQL, all in one transaction.
//!
//! The lock that lets one server migrate ends with it, so that a pooler in transaction mode may stand
//! between.

use ::postgres::error::SqlState;
use ::postgres::{Client, SimpleQueryMessage, Transaction};
use refinery::Migration;
use refinery_core::traits::sync::{Migrate, Query, Transaction as Executor};
use svc_types::Timestamp;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::defaults::{self, LIFTED};
use super::failure::failed;
use crate::db::migrate;
use crate::db::partitions::{ALONE, PARTITIONED};
use crate::error::{Error, Result};

/// Any number that other users of the server are unlikely to lock.
const LOCK: &str = "select pg_advisory_xact_lock(7383211)";

/// How long a change waits for its table. All statements that come after it wait behind it, those of every node, so it
/// must not wait for the end of a long transaction, such as that of `pg_dump`.
const WAITS: &str = "set local lock_timeout = '2s'";

/// The same for partitions, which can be made later.
const WAITS_BRIEFLY: &str = "set local lock_timeout = '200ms'";

/// Brings the tables, their partitions and the defaults of the role up to date; of several servers one does the
/// work.
pub(in crate::db) fn run(client: &mut Client, now: Timestamp) -> Result<()> {
    let transaction = client.build_transaction().read_only(false).start();
    let mut running = Running(transaction.map_err(failed)?);
    running.0.batch_execute(LIFTED).map_err(failed)?;
    // Another server may migrate for as long as it takes.
    running.0.batch_execute(LOCK).map_err(failed)?;
    running.0.batch_execute(WAITS).map_err(failed)?;
    refuse_other_encoding(&mut running.0)?;
    migrate::postgres(&mut running)?;
    make_partitions(&mut running.0, now)?;
    defaults::set(&mut running.0)?;
    running.0.commit().map_err(failed)
}

/// Makes the partitions that are missing. While another transaction holds their tables, that is left to the sweep.
fn make_partitions(transaction: &mut Transaction<'_>, now: Timestamp) -> Result<()> {
    let mut making = transaction.transaction().map_err(failed)?;
    let partitions = PARTITIONED.map(|table| table.make(now)).concat();
    match making.batch_execute(&format!("{WAITS_BRIEFLY}; {ALONE}; {partitions}")) {
        Ok(()) => making.commit().map_err(failed),
        Err(error) if error.code() == Some(&SqlState::LOCK_NOT_AVAILABLE) => {
            making.rollback().map_err(failed)
        }
        Err(error) => Err(failed(error)),
    }
}

/// Refuses a database in which a part of a text may end amid a character, or which lacks characters.
fn refuse_other_encoding(transaction: &mut Transaction<'_>) -> Result<()> {
    let asked = transaction.simple_query("select current_setting('server_encoding')");
    match asked.map_err(failed)?.iter().find_map(defaults::text) {
        Some(encoding) if encoding != "UTF8" => Err(Error::setup(format!(
            "database_url: the database has the encoding {encoding}, but must have UTF8: create another by \
             `createdb --encoding UTF8 --template template0`"
        ))),
        _ => Ok(()),
    }
}

/// The transaction of all migrations.
struct Running<'a>(Transaction<'a>);

impl Executor for Running<'_> {
    type Error = ::postgres::Error;

    fn execute<'a, T: Iterator<Item = &'a str>>(
        &mut self,
        queries: T,
    ) -> Result<usize, Self::Error> {
        let mut count = 0;
        for query in queries {
            self.0.batch_execute(query)?;
            count += 1;
        }
        Ok(count)
    }
}

impl Query<Vec<Migration>> for Running<'_> {
    fn query(&mut self, query: &str) -> Result<Vec<Migration>, Self::Error> {
        let messages = self.0.simple_query(query)?;
        Ok(messages.iter().filter_map(applied).collect())
    }
}

impl Migrate for Running<'_> {}

/// A row of the table of migrations: version, name, time, checksum.
fn applied(message: &SimpleQueryMessage) -> Option<Migration> {
    let SimpleQueryMessage::Row(row) = message else { return None };
    let applied_on = OffsetDateTime::parse(row.get(2)?, &Rfc3339).ok()?;
    let (version, checksum) = (row.get(0)?.parse().ok()?, row.get(3)?.parse().ok()?);
    Some(Migration::applied(version, row.get(1)?.to_owned(), applied_on, checksum))
}
