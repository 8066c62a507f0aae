//! One connection to PostgreSQL and the statements prepared on it.

use std::collections::HashMap;
use std::error::Error as StdError;
use std::time::{Duration, Instant};

use postgres::Statement;
use postgres::error::SqlState;
use postgres::types::{ToSql, Type};
use svc_types::Timestamp;

use super::client::{Client, LONG_ROUND_TRIP, ROUND_TRIP, present};
use super::introduce::{first_column, introduce, time_reported, to_primary};
use super::marks::SELECT_POSITION;
use super::queued::Queued;
use super::standby::{Report, SELECT_REPORT};
use super::target::Target;
use crate::clock::Clock;
use crate::db::fault;
use crate::db::position::Position;
use crate::db::row::{Each, Row};
use crate::db::settings::Statements;
use crate::db::sql::Sql;
use crate::db::trouble::Trouble;
use crate::db::tx::Failure;
use crate::db::value::Value;
use crate::error::Error;
use crate::trace::Context;

/// How long the time of the database is reused: clocks drift apart too little to matter.
const TIME_HOLDS: Duration = Duration::from_secs(1);

/// How far apart the two clocks of this machine may be after that; a larger difference means that one of
/// them was set or stood still.
const CLOCKS_AGREE: Duration = Duration::from_millis(20);

/// Begins a transaction and asks for the time in one round trip, so that servers agree on it.
const BEGIN_AND_SELECT_TIME: &str = "
    begin read write;
    select cast(floor(extract(epoch from clock_timestamp()) * 1000) as bigint)";

/// Begins a transaction that reads whole tables at one instant.
const BEGIN_SNAPSHOT: &str = "
    begin isolation level repeatable read read only;
    set local statement_timeout = 0;
    set local enable_seqscan = on;
    set local enable_hashjoin = on;
    set local enable_mergejoin = on";

/// A connection and its prepared statements.
pub(in crate::db) struct Session {
    client: Client,
    epoch: u64,
    timeline: u32,
    /// How far the database's clock is ahead of this machine's, in milliseconds.
    ahead: i64,
    /// When the database last reported its time, by both clocks of this machine.
    reported_at: Option<(Instant, Timestamp)>,
    /// The prepared ones by their text; none if they have no names.
    statements: Option<HashMap<&'static str, Statement>>,
}

impl Session {
    /// Connects, and checks what holds for the connection.
    pub(super) fn connect(
        target: &Target,
        statements: Statements,
        clock: &Clock,
        epoch: u64,
    ) -> Result<Self, Failure> {
        let client = Client::connect(target)?;
        let (time, timeline) = to_primary(&client, target)?;
        Ok(Self::of(client, statements, clock, time).since(epoch, timeline))
    }

    /// Connects to a standby, which has neither outages nor a timeline that is known already.
    pub(super) fn to_standby(
        target: &Target,
        statements: Statements,
        clock: &Clock,
    ) -> Result<Self, Failure> {
        let client = Client::connect(target)?;
        let introduction = introduce(&client, target, SELECT_REPORT)?;
        Ok(Self::of(client, statements, clock, introduction.time))
    }

    fn of(client: Client, statements: Statements, clock: &Clock, time: Option<Timestamp>) -> Self {
        let statements = (statements == Statements::Named).then(HashMap::new);
        let mut session =
            Self { client, epoch: 0, timeline: 0, ahead: 0, reported_at: None, statements };
        if let Some(database_time) = time {
            session.note_time(clock, database_time);
        }
        session
    }

    fn since(self, epoch: u64, timeline: u32) -> Self {
        Self { epoch, timeline, ..self }
    }

    /// Where the primary is.
    pub(super) fn position(&self) -> Result<Option<Position>, Failure> {
        let rows = self.client.simple_query("position", SELECT_POSITION)?;
        Ok(rows.iter().find_map(first_column).and_then(Position::of_wal))
    }

    /// Where a standby is.
    pub(super) fn report(&self) -> Result<Option<Report>, Failure> {
        let rows = self.client.simple_query("position", SELECT_REPORT)?;
        Ok(rows.iter().find_map(first_column).and_then(Report::parse))
    }

    /// The number of outages before it connected.
    pub(super) const fn epoch(&self) -> u64 {
        self.epoch
    }

    pub(super) const fn timeline(&self) -> u32 {
        self.timeline
    }

    /// Sets the trace that the following round trips belong to.
    pub(super) fn belong_to(&mut self, context: Option<Context>) {
        self.client.belong_to(context);
    }

    /// Limits each round trip of the job that follows, and its end.
    pub(super) const fn end_by(&mut self, deadline: Instant) {
        self.client.limit(ROUND_TRIP, Some(deadline));
    }

    /// Ends what the job that follows is doing at this instant. Nothing is cancelled through the poolers
    /// for which statements have no names: PgBouncer 1.18 exits when a client that cancels has left before it
    /// has passed that on. PostgreSQL then ends the statement by its own limit.
    pub(super) const fn end_statement_at(&mut self, instant: Instant) {
        self.client.end_at(instant, self.statements.is_some());
    }

    /// Whether it can serve no other job.
    pub(super) const fn is_spent(&self) -> bool {
        self.client.is_spent()
    }

    /// Lets the statements of the job that follows read whole tables.
    pub(super) const fn take_long(&mut self) {
        self.client.limit(LONG_ROUND_TRIP, None);
    }

    /// The database's time without asking for it, so that reads and writes of all servers agree.
    pub(super) fn now(&self, clock: &Clock) -> Timestamp {
        Timestamp::from_millis(clock.now().as_millis() + self.ahead)
    }

    fn note_time(&mut self, clock: &Clock, database_time: Timestamp) {
        if !clock.is_manual() {
            let now = clock.now();
            self.ahead = database_time.as_millis() - now.as_millis();
            self.reported_at = Some((present(), now));
        }
    }

    /// Whether the database reported its time a moment ago.
    fn knows_time(&self, clock: &Clock) -> bool {
        self.reported_at.is_some_and(|(instant, time)| {
            let passed = present() - instant;
            passed < TIME_HOLDS && clock.now().since(time).abs_diff(passed) < CLOCKS_AGREE
        })
    }

    /// Begins a transaction that may write and returns its time.
    pub(super) fn begin(&mut self, clock: &Clock) -> Result<Timestamp, Trouble> {
        if clock.is_manual() || self.knows_time(clock) {
            self.client.begin_with_next();
            return Ok(self.now(clock));
        }
        let messages = self.client.simple_query("begin", BEGIN_AND_SELECT_TIME);
        let messages = messages.map_err(|failure| end_of(&failure))?;
        let now = time_reported(&messages).ok_or(Trouble::Lost)?;
        self.note_time(clock, now);
        Ok(now)
    }

    /// Begins a transaction whose statements see the same, and may take long over whole tables.
    pub(super) fn begin_snapshot(&mut self) -> Result<(), Trouble> {
        self.client.batch_execute("begin", BEGIN_SNAPSHOT).map_err(|failure| end_of(&failure))
    }

    /// Commits; returns the position after the commit, if it is wanted and the server reports it.
    pub(super) fn commit(&mut self, wants_position: bool) -> Result<Option<Position>, Trouble> {
        // A connection that died of age is found here, where the job can run again.
        self.client.begin_now().map_err(|failure| end_of(&failure))?;
        fault::reach(fault::BEFORE_COMMIT);
        let rows = match self.client.commit(wants_position.then_some(SELECT_POSITION)) {
            Ok(rows) => rows,
            Err(failure) => return Err(self.not_committed(&failure)),
        };
        fault::reach(fault::AFTER_COMMIT);
        Ok(rows.iter().find_map(first_column).and_then(Position::of_wal))
    }

    /// What it means that a commit failed.
    fn not_committed(&mut self, failure: &Failure) -> Trouble {
        warn(failure);
        match failure.trouble() {
            Trouble::Lost | Trouble::Overrun => {
                metrics::counter!("svc_database_unknown_outcomes_total").increment(1);
                Trouble::OutcomeUnknown
            }
            // The server lives and says that it did not commit. If what was sent with COMMIT failed, the
            // transaction waits for its end.
            refused => self.roll_back().err().unwrap_or(refused),
        }
    }

    pub(super) fn roll_back(&mut self) -> Result<(), Trouble> {
        self.client.roll_back().map_err(|failure| end_of(&failure))
    }

    /// Hands over each row of the result.
    pub(in crate::db) fn each(
        &mut self,
        sql: Sql,
        values: &[Value<'_>],
        each: &mut Each<'_>,
    ) -> Result<(), Failure> {
        let rows = match self.prepare(sql)? {
            Some(statement) => self.client.query(&statement, &parameters(&statement, values)?)?,
            None => self.client.query_typed(sql.text(), &typed(values))?,
        };
        for row in &rows {
            each(&mut Row::postgres(row))?;
        }
        Ok(())
    }

    /// Changes rows and returns how many.
    pub(in crate::db) fn execute(
        &mut self,
        sql: Sql,
        values: &[Value<'_>],
    ) -> Result<u64, Failure> {
        match self.prepare(sql)? {
            Some(statement) => self.client.execute(&statement, &parameters(&statement, values)?),
            None => self.client.execute_typed(sql.text(), &typed(values)),
        }
    }

    /// Changes rows with the next statement.
    pub(in crate::db) fn write(&mut self, sql: Sql, values: &[Value<'_>]) -> Result<(), Failure> {
        let prepared = self.prepare(sql)?;
        self.client.queue(Queued::new(sql, prepared, values))
    }

    /// How many round trips there were since the last call.
    pub(super) const fn take_trips(&self) -> u64 {
        self.client.take_trips()
    }

    /// Runs a statement that frames a part of a transaction.
    pub(in crate::db) fn frame(&mut self, statement: &str) -> Result<(), Failure> {
        self.client.batch_execute("savepoint", statement)
    }

    /// Runs statements that define tables.
    pub(in crate::db) fn define(&mut self, statements: &str) -> Result<(), Failure> {
        self.client.batch_execute("define", statements)
    }

    /// The lines of the query plan.
    #[cfg(any(test, feature = "testing"))]
    pub(in crate::db) fn explain(
        &mut self,
        sql: Sql,
        values: &[Value<'_>],
    ) -> Result<Vec<String>, Failure> {
        let explain = format!("explain (costs off) {}", sql.text());
        let lines = self.client.query_typed(&explain, &typed(values))?;
        Ok(lines.iter().map(|line| line.get(0)).collect())
    }

    /// The prepared statement, if statements have names.
    fn prepare(&mut self, sql: Sql) -> Result<Option<Statement>, Failure> {
        let Some(statements) = &mut self.statements else { return Ok(None) };
        if let Some(statement) = statements.get(sql.text()) {
            return Ok(Some(statement.clone()));
        }
        let statement = self.client.prepare(sql.text())?;
        statements.insert(sql.text(), statement.clone());
        Ok(Some(statement))
    }
}

/// The values with the types that PostgreSQL infers for them; it infers that of null from the
/// statement.
pub(super) fn typed<'a>(values: &'a [Value<'_>]) -> Vec<(&'a (dyn ToSql + Sync), Type)> {
    values
        .iter()
        .map(|value| match value {
            Value::Bool(value) => (value as &(dyn ToSql + Sync), Type::BOOL),
            Value::Integer(value) => (value as _, Type::INT8),
            Value::Text(text) => (text as _, Type::TEXT),
            Value::Blob(bytes) => (bytes as _, Type::BYTEA),
            Value::Null => (&None::<&str> as _, Type::UNKNOWN),
        })
        .collect()
}

/// The values as the types the statement wants.
pub(super) fn parameters<'a>(
    statement: &Statement,
    values: &'a [Value<'_>],
) -> Result<Vec<&'a (dyn ToSql + Sync)>, Error> {
    if statement.params().len() != values.len() {
        return Err(Error::internal("a statement got the wrong number of values"));
    }
    let typed = values.iter().zip(statement.params());
    Ok(typed.map(|(value, wanted)| parameter(value, wanted)).collect())
}

fn parameter<'a>(value: &'a Value<'_>, wanted: &Type) -> &'a (dyn ToSql + Sync) {
    match value {
        Value::Bool(value) => value,
        Value::Integer(value) => value,
        Value::Text(text) => text,
        Value::Blob(bytes) => bytes,
        Value::Null => match *wanted {
            Type::BOOL => &None::<bool>,
            Type::INT8 => &None::<i64>,
            Type::BYTEA => &None::<&[u8]>,
            _ => &None::<&str>,
        },
    }
}

/// The value of one column.
pub(in crate::db) fn value(
    row: &postgres::Row,
    index: usize,
) -> Result<Value<'_>, Box<dyn StdError + Send + Sync>> {
    let column = row.columns().get(index).ok_or("the row has fewer columns")?;
    let value = match *column.type_() {
        Type::BOOL => row.try_get::<_, Option<bool>>(index)?.map(Value::Bool),
        Type::INT8 => row.try_get::<_, Option<i64>>(index)?.map(Value::Integer),
        // A literal such as `select 1` has this type.
        Type::INT4 => row.try_get::<_, Option<i32>>(index)?.map(|n| Value::Integer(n.into())),
        Type::TEXT => row.try_get::<_, Option<&str>>(index)?.map(Value::Text),
        Type::BYTEA => row.try_get::<_, Option<&[u8]>>(index)?.map(Value::Blob),
        ref other => return Err(format!("no column has the type {other}").into()),
    };
    Ok(value.unwrap_or(Value::Null))
}

/// What an error means for the transaction.
pub(in crate::db) fn trouble(error: &postgres::Error) -> Trouble {
    let Some(state) = error.code() else {
        let io = error.source().is_some_and(<dyn std::error::Error>::is::<std::io::Error>);
        // Any other error without a code is our mistake, such as a parameter of a wrong type.
        return if io || error.is_closed() { Trouble::Lost } else { Trouble::Statement };
    };
    match *state {
        SqlState::T_R_SERIALIZATION_FAILURE
        | SqlState::T_R_DEADLOCK_DETECTED
        | SqlState::LOCK_NOT_AVAILABLE => Trouble::Conflict,
        SqlState::UNIQUE_VIOLATION => Trouble::Duplicate,
        SqlState::DISK_FULL => Trouble::Full,
        SqlState::QUERY_CANCELED => Trouble::TooLong,
        SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT => Trouble::Lost,
        _ => match state.code().get(..2) {
            // Connection failures, and a server that goes down.
            Some("08" | "57") => Trouble::Lost,
            // Out of memory or of something else, or a failing disk.
            Some("53" | "58") => Trouble::Unavailable,
            _ => Trouble::Statement,
        },
    }
}

fn warn(failure: &Failure) {
    tracing::warn!(error = %failure, "a transaction failed");
}

/// What it means that a statement that frames a transaction failed: the connection is unusable.
fn end_of(failure: &Failure) -> Trouble {
    warn(failure);
    match failure {
        Failure::Overrun => Trouble::Overrun,
        _ => Trouble::Lost,
    }
}
