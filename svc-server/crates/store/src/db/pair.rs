//! Statements that differ between the engines.

use super::row::FromRow;
use super::sql::Sql;
use super::tx::{Connection, Tx};
use super::value::Value;
use crate::error::Result;

/// A statement in the dialect of each engine.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    pub(super) sqlite: Sql,
    pub(super) postgres: Sql,
}

impl Pair {
    /// The statement for SQLite and the one for PostgreSQL.
    pub const fn new(sqlite: Sql, postgres: Sql) -> Self {
        Self { sqlite, postgres }
    }
}

/// A statement over the unlocked rows of one table, for [`Tx::take`].
#[macro_export]
macro_rules! select_free {
    ($text:literal) => {
        $crate::db::Pair::new(
            $crate::sql!($text),
            $crate::sql!($text, " for no key update skip locked"),
        )
    };
}

/// A statement over rows of one table that locks them in its order, for [`Tx::all_pair`]. It answers them
/// as they are once they are locked, however long it waits; on SQLite there is nobody to wait for.
#[macro_export]
macro_rules! select_locked {
    ($text:literal) => {
        $crate::db::Pair::new($crate::sql!($text), $crate::sql!($text, " for no key update"))
    };
}

impl Tx<'_> {
    /// Changes rows by the statement of the engine, and returns how many.
    #[track_caller]
    pub fn execute_pair(&mut self, statement: Pair, values: &[Value<'_>]) -> Result<u64> {
        let sql = match self.connection() {
            Connection::Sqlite(_) => statement.sqlite,
            Connection::Postgres(_) => statement.postgres,
        };
        self.execute(sql, values)
    }

    /// Every row of the statement of the engine.
    #[track_caller]
    pub fn all_pair<R: FromRow>(
        &mut self,
        statement: Pair,
        values: &[Value<'_>],
    ) -> Result<Vec<R>> {
        let sql = match self.connection() {
            Connection::Sqlite(_) => statement.sqlite,
            Connection::Postgres(_) => statement.postgres,
        };
        self.all(sql, values)
    }

    /// Rows of a [`select_free!`](crate::select_free) statement, locked until the transaction ends.
    /// Rows that another transaction has locked are skipped; on SQLite there is no other.
    #[track_caller]
    pub fn take<R: FromRow>(&mut self, statement: Pair, values: &[Value<'_>]) -> Result<Vec<R>> {
        let sql = match self.connection() {
            Connection::Sqlite(_) => statement.sqlite,
            Connection::Postgres(_) => statement.postgres,
        };
        self.all(sql, values)
    }
}
