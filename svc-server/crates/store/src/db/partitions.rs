//! Tables of PostgreSQL that lie in partitions by time.
//!
//! Rows that only go by age go with their partition, which leaves nothing to delete, log and vacuum. Partitions
//! are made ahead of time. A row whose partition is missing lies in the default one and is deleted by itself, as
//! all rows are on SQLite, which has no partitions.

use std::fmt::Write;
use std::time::Duration;

use svc_types::{DeliveryId, Id, Timestamp};

use super::tx::{Connection, Tx};
use crate::error::Result;
use crate::{sql, values};

/// Bits of an id below its milliseconds.
pub const ID_BITS_BELOW_TIME: u32 = 21;

/// Partitions that are made after the present one.
const AHEAD: usize = 3;

/// Lets one node at a time change partitions.
pub(super) const ALONE: &str = "select pg_advisory_xact_lock(7383211, 1)";

/// A table and the span of time of each of its partitions.
#[derive(Debug)]
pub struct Partitioned {
    table: &'static str,
    /// The column whose ranges are the partitions.
    key: &'static str,
    span: Duration,
    /// The least value of that column from an instant on, as SQL has it.
    least: fn(Timestamp) -> String,
}

/// Answers stored for Idempotency-Keys.
pub const IDEMPOTENCY: &Partitioned = &Partitioned {
    table: "idempotency",
    key: "created_at",
    span: Duration::from_hours(12),
    least: |start| start.as_millis().to_string(),
};

/// Attempts of deliveries. They are found by their delivery, so they lie where its id does, which begins with
/// its time.
pub const WEBHOOK_ATTEMPTS: &Partitioned = &Partitioned {
    table: "webhook_attempt",
    key: "delivery",
    span: Duration::from_hours(7 * 24),
    least: |start| {
        let number = start.as_millis().unsigned_abs() << ID_BITS_BELOW_TIME;
        format!("'{}'", DeliveryId::from_number(number))
    },
};

/// All tables with partitions.
pub const PARTITIONED: [&Partitioned; 2] = [IDEMPOTENCY, WEBHOOK_ATTEMPTS];

impl Partitioned {
    /// The name of the table.
    pub const fn name(&self) -> &'static str {
        self.table
    }

    /// When the partition of an instant begins. Spans are counted from 1970.
    fn start(&self, instant: Timestamp) -> Timestamp {
        let (millis, span) = (instant.as_millis(), self.span.as_millis());
        let span = i64::try_from(span).expect("a span is much shorter than time");
        Timestamp::from_millis(millis - millis % span)
    }

    /// The name of the partition that begins at this instant: the table's, with day and hour.
    fn partition(&self, start: Timestamp) -> String {
        let time = start.to_string();
        let hour: String = time.chars().filter(char::is_ascii_digit).take(10).collect();
        format!("{}_{hour}", self.table)
    }

    /// Statements that make the partition of an instant and those ahead. None is made where rows lie in the
    /// default partition already: PostgreSQL would refuse it.
    pub(super) fn make(&self, now: Timestamp) -> String {
        let Self { table, key, .. } = self;
        let mut statements = String::new();
        let mut start = self.start(now);
        for _ in 0..=AHEAD {
            let end = start.plus(self.span);
            let (name, from, to) = (self.partition(start), (self.least)(start), (self.least)(end));
            let _ = write!(
                statements,
                "do $$ begin
                    if to_regclass('{name}') is null and not exists (
                        select from {table}_default where {key} >= {from} and {key} < {to}
                    ) then
                        create table {name} partition of {table} for values from ({from}) to ({to});
                    end if;
                end $$;"
            );
            start = end;
        }
        statements
    }
}

impl Tx<'_> {
    /// Makes the partitions of now and of the spans ahead that are missing.
    #[track_caller]
    pub fn make_partitions(&mut self, of: &Partitioned) -> Result<()> {
        let now = self.now();
        self.begin_change()?;
        self.define(&of.make(now))
    }

    /// Drops the oldest partition if no row in it is from `kept` or later, and says whether there was one.
    #[track_caller]
    pub fn drop_partition(&mut self, of: &Partitioned, kept: Timestamp) -> Result<bool> {
        if matches!(self.connection(), Connection::Sqlite(_)) {
            return Ok(false);
        }
        self.begin_change()?;
        // Names sort by time.
        let oldest: Option<String> = self.optional(
            sql!(
                "select cast(c.relname as text) from pg_inherits i join pg_class c on c.oid = i.inhrelid
                 where i.inhparent = to_regclass($1)
                    and cast(c.relname as text) similar to $1 || '_[0-9]{10}'
                    and cast(c.relname as text) collate \"C\" < $2
                 order by 1 limit 1"
            ),
            values![of.table, of.partition(of.start(kept))],
        )?;
        let Some(oldest) = oldest else { return Ok(false) };
        self.define(&format!("drop table {oldest}"))?;
        self.note_change();
        Ok(true)
    }

    /// From when rows stay where those before `kept` may go: on PostgreSQL a partition goes as a whole.
    pub fn first_kept(&self, of: &Partitioned, kept: Timestamp) -> Timestamp {
        match self.connection() {
            Connection::Sqlite(_) => kept,
            Connection::Postgres(_) => of.start(kept),
        }
    }

    /// A change that waits for its table holds up all statements that come after it, so it waits and scans for a
    /// moment; then the job runs again.
    #[track_caller]
    fn begin_change(&mut self) -> Result<()> {
        let limits = sql!(
            "select set_config('lock_timeout', '200ms', true), set_config('statement_timeout', '1s', true)"
        );
        self.lock(limits, &[])?;
        self.lock(sql!(ALONE), &[])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOON: Timestamp = Timestamp::from_millis(1_769_860_800_000);

    #[test]
    fn a_partition_has_the_name_of_its_first_hour() {
        let name = |of: &Partitioned, millis: i64| {
            of.partition(of.start(Timestamp::from_millis(NOON.as_millis() + millis)))
        };
        assert_eq!(name(IDEMPOTENCY, -1), "idempotency_2026013100");
        assert_eq!(name(IDEMPOTENCY, 0), "idempotency_2026013112");
        assert_eq!(name(WEBHOOK_ATTEMPTS, 0), "webhook_attempt_2026012900");
    }

    #[test]
    fn partitions_follow_each_other_without_a_gap() {
        let statements = IDEMPOTENCY.make(NOON);
        let bounds: Vec<String> =
            (0..=4).map(|spans| (NOON.as_millis() + spans * 12 * 3_600_000).to_string()).collect();
        for pair in bounds.windows(2) {
            let range = format!("for values from ({}) to ({})", pair[0], pair[1]);
            assert!(statements.contains(&range), "{range}: {statements}");
        }
        assert_eq!(statements.matches("create table").count(), 4);
    }
}
