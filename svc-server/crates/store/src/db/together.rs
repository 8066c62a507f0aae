//! Changes that PostgreSQL gets as one statement.
//!
//! It runs changes in the `with` of another one, which costs less than to plan, run and answer each. SQLite
//! knows no such `with`, and there a statement costs little: it gets them one by one.

use super::sql::{Sql, number_at};
use super::tx::{Connection, Tx};
use super::value::Value;
use crate::error::Result;

/// Changes that belong together, made by [`together!`](crate::together!).
#[derive(Clone, Copy, Debug)]
pub struct Together<const N: usize> {
    each: [Sql; N],
    all: Sql,
}

impl<const N: usize> Together<N> {
    /// The changes, and the text of all.
    ///
    /// # Panics
    /// If that is no UTF-8, or not as [`Sql::checked`] wants it.
    #[doc(hidden)]
    pub const fn new(each: [Sql; N], all: &'static [u8]) -> Self {
        match str::from_utf8(all) {
            Ok(text) => Self { each, all: Sql::checked(text) },
            Err(_) => panic!("texts in UTF-8 are joined at their ends"),
        }
    }
}

/// Changes that belong together. Each has its own parameters, which begin with `$1`.
///
/// On PostgreSQL none sees what another one does, and they run in no order, so no two change the same
/// row. Foreign keys are checked after all of them.
///
/// ```
/// use svc_store::db::Together;
/// use svc_store::together;
///
/// const ADD: Together<2> = together!(
///     "insert into line (page, text) values ($1, $2)",
///     "update page set lines = lines + 1 where id = $1",
/// );
/// ```
#[macro_export]
macro_rules! together {
    ($($change:expr),+ $(,)?) => {{
        const EACH: &[$crate::db::Sql] = &[$($crate::sql!($change)),+];
        const ALL: &[u8] = &$crate::db::merge::<{ $crate::db::merged_length(EACH) }>(EACH);
        const { $crate::db::Together::new([$($crate::sql!($change)),+], ALL) }
    }};
}

/// Bytes of the statement that makes all changes.
#[doc(hidden)]
pub const fn merged_length(changes: &[Sql]) -> usize {
    Writer::<0>::of(changes).length
}

/// The statement that makes all changes.
#[doc(hidden)]
pub const fn merge<const LENGTH: usize>(changes: &[Sql]) -> [u8; LENGTH] {
    Writer::of(changes).text
}

/// A text while it is written; what is longer than it may be is only counted.
struct Writer<const LENGTH: usize> {
    text: [u8; LENGTH],
    length: usize,
}

impl<const LENGTH: usize> Writer<LENGTH> {
    /// The last change, with the others in its `with`.
    const fn of(changes: &[Sql]) -> Self {
        let mut writer = Self { text: [0; LENGTH], length: 0 };
        let (mut at, mut parameters) = (0, 0);
        while at + 1 < changes.len() {
            let opening: &[u8] = if at == 0 { b"with change" } else { b", change" };
            writer.push_all(opening);
            writer.push_number(at + 1);
            writer.push_all(b" as (");
            parameters = writer.push_change(changes[at], parameters);
            writer.push(b')');
            at += 1;
        }
        if at > 0 {
            writer.push(b' ');
        }
        writer.push_change(changes[at], parameters);
        writer
    }

    /// Writes a change with its parameters numbered after the `others`, and returns how many there are now.
    const fn push_change(&mut self, change: Sql, others: usize) -> usize {
        let change = change.text().as_bytes();
        let (mut at, mut parameters) = (0, others);
        while at < change.len() {
            self.push(change[at]);
            at += 1;
            if change[at - 1] == b'$' {
                let (number, end) = number_at(change, at);
                self.push_number(others + number);
                at = end;
                if others + number > parameters {
                    parameters = others + number;
                }
            }
        }
        parameters
    }

    const fn push_number(&mut self, number: usize) {
        if number >= 10 {
            self.push_number(number / 10);
        }
        self.push(b"0123456789"[number % 10]);
    }

    const fn push_all(&mut self, bytes: &[u8]) {
        let mut at = 0;
        while at < bytes.len() {
            self.push(bytes[at]);
            at += 1;
        }
    }

    const fn push(&mut self, byte: u8) {
        if self.length < LENGTH {
            self.text[self.length] = byte;
        }
        self.length += 1;
    }
}

impl Tx<'_> {
    /// Makes changes with the values of each, and returns how many rows the last one changed.
    #[track_caller]
    pub fn execute_together<const N: usize>(
        &mut self,
        changes: Together<N>,
        values: [&[Value<'_>]; N],
    ) -> Result<u64> {
        if matches!(self.connection(), Connection::Postgres(_)) {
            return self.execute(changes.all, &values.concat());
        }
        let mut rows = 0;
        for (change, values) in changes.each.into_iter().zip(values) {
            rows = self.execute(change, values)?;
        }
        Ok(rows)
    }

    /// Makes changes, however many rows that are; PostgreSQL gets them as it gets those of
    /// [`write`](Self::write).
    #[track_caller]
    pub fn write_together<const N: usize>(
        &mut self,
        changes: Together<N>,
        values: [&[Value<'_>]; N],
    ) -> Result<()> {
        match self.connection() {
            Connection::Postgres(_) => self.write(changes.all, &values.concat()),
            Connection::Sqlite(_) => self.execute_together(changes, values).map(drop),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_change_has_its_own_parameters() {
        let changes = together!("a $1, $2, $1", "b $1", "c", "d $1, $2 $1");
        let texts = ["a $1, $2, $1", "b $1", "c", "d $1, $2 $1"];
        assert_eq!(changes.each.map(Sql::text), texts);
        assert_eq!(
            changes.all.text(),
            "with change1 as (a $1, $2, $1), change2 as (b $3), change3 as (c) d $4, $5 $4"
        );
    }

    #[test]
    fn parameters_may_get_more_digits() {
        let changes = together!("a $1 $2 $3 $4 $5 $6 $7 $8 $9", "b $1 $2é");
        assert_eq!(changes.all.text(), "with change1 as (a $1 $2 $3 $4 $5 $6 $7 $8 $9) b $10 $11é");
    }

    #[test]
    fn one_change_stays_as_it_is() {
        assert_eq!(together!("a $1").all.text(), "a $1");
    }
}
