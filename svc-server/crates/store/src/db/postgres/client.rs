//! A connection to PostgreSQL whose every round trip ends by this machine's own clock.
//!
//! The client is asynchronous, and a job is not: each connection has a small runtime that its
//! thread drives while it waits. A server that is frozen, or cut off without a word, would hold the
//! thread for ever otherwise.
//!
//! Statements whose results nobody needs wait for the next one, and share its round trip. So does the begin of a
//! transaction: should it fail, those after it can write nothing, because the role only reads by default.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use futures_util::StreamExt;
use futures_util::future::{OptionFuture, join_all, join3};
use postgres::error::DbError;
use postgres::types::{ToSql, Type};
use postgres::{Row, SimpleQueryMessage, Statement};
use tokio::runtime::{Builder, Runtime};
use tokio::time::{timeout, timeout_at};
use tokio_postgres::AsyncMessage;
use tokio_postgres_rustls::MakeRustlsConnect;

use super::queued::{QUEUED_MAX, Queued};
use super::target::{Driver, Target};
use crate::db::tx::Failure;
use crate::error::Error;
use crate::trace::{Context, Kind, Span};

/// How long a round trip may take, other than COMMIT: a little more than PostgreSQL itself gives a
/// statement, so that a living server says what was slow.
pub(super) const ROUND_TRIP: Duration = Duration::from_millis(4_500);

/// How long COMMIT may take. It is never cancelled, because PostgreSQL reports a commit that is
/// cancelled while it waits for its standby as a success.
pub(super) const COMMIT: Duration = Duration::from_secs(6);

const BEGIN: &str = "begin read write";

const COMMIT_STATEMENTS: &str = "set local statement_timeout = 0; commit";
const COMMIT_COUNT: usize = 2;

/// How long a statement over whole tables may take.
pub(super) const LONG_ROUND_TRIP: Duration = Duration::from_mins(10);

/// A connection, and the runtime that drives it.
pub(super) struct Client {
    inner: tokio_postgres::Client,
    runtime: Runtime,
    tls: MakeRustlsConnect,
    /// Whether the server sent a warning since the last COMMIT began.
    warned: Arc<AtomicBool>,
    /// How long each round trip may take.
    limit: Duration,
    /// When the job ends at the latest.
    deadline: Option<Instant>,
    /// When its statement ends at the latest, and whether the server is asked to end it.
    ends_at: Option<(Instant, bool)>,
    /// Whether one was ended: what cancels it may come too late and meet the next.
    is_spent: Cell<bool>,
    /// Whether a transaction begins with the next statement.
    begins: Cell<bool>,
    queued: RefCell<Vec<Queued>>,
    /// Round trips of the present job.
    trips: Cell<u64>,
    /// What they belong to, if they are recorded.
    context: Option<Context>,
}

impl Client {
    /// Connects within [`ROUND_TRIP`].
    pub(super) fn connect(target: &Target) -> Result<Self, Failure> {
        let runtime =
            Builder::new_current_thread().enable_all().build().map_err(Error::internal)?;
        let connecting = async { timeout(ROUND_TRIP, target.connect()).await };
        let connected = runtime.block_on(connecting).map_err(|_| Failure::Overrun)?;
        let (client, connection) = connected?;
        let warned = Arc::new(AtomicBool::new(false));
        runtime.spawn(drive(connection, Arc::clone(&warned)));
        Ok(Self {
            inner: client,
            runtime,
            tls: target.tls(),
            warned,
            limit: ROUND_TRIP,
            deadline: None,
            ends_at: None,
            is_spent: Cell::new(false),
            begins: Cell::new(false),
            queued: RefCell::default(),
            trips: Cell::new(0),
            context: None,
        })
    }

    /// What the round trips that follow belong to.
    pub(super) fn belong_to(&mut self, context: Option<Context>) {
        self.context = context;
    }

    /// Limits the round trips of the job that follows, and the job as a whole.
    pub(super) const fn limit(&mut self, limit: Duration, deadline: Option<Instant>) {
        (self.limit, self.deadline, self.ends_at) = (limit, deadline, None);
    }

    /// Ends what the job that follows is doing at this instant: the server is asked to, or else nobody
    /// waits for its answer.
    pub(super) const fn end_at(&mut self, instant: Instant, is_cancelled: bool) {
        self.ends_at = Some((instant, is_cancelled));
    }

    /// Whether the connection is to be given up after the job.
    pub(super) const fn is_spent(&self) -> bool {
        self.is_spent.get()
    }

    /// How many round trips there were since this was last asked.
    pub(super) const fn take_trips(&self) -> u64 {
        self.trips.replace(0)
    }

    /// Begins a transaction with the next statement.
    pub(super) fn begin_with_next(&self) {
        self.begins.set(true);
    }

    /// Begins it now, if it has not begun.
    pub(super) fn begin_now(&self) -> Result<(), Failure> {
        if !self.begins.take() {
            return Ok(());
        }
        let queued = self.queued.take();
        let begun = self.batch_execute("begin", BEGIN);
        self.queued.replace(queued);
        begun
    }

    /// Sends a statement with the next one, or now if too many wait. If it fails, the next one does.
    pub(super) fn queue(&self, statement: Queued) -> Result<(), Failure> {
        self.queued.borrow_mut().push(statement);
        if self.queued.borrow().len() < QUEUED_MAX {
            Ok(())
        } else {
            self.wait("execute", async { Ok(()) })
        }
    }

    /// Undoes the transaction, with what waits.
    pub(super) fn roll_back(&self) -> Result<(), Failure> {
        self.queued.borrow_mut().clear();
        // Nothing was sent.
        if self.begins.take() { Ok(()) } else { self.batch_execute("rollback", "rollback") }
    }

    /// Runs statements without values; `name` is theirs in traces.
    pub(super) fn batch_execute(&self, name: &'static str, sql: &str) -> Result<(), Failure> {
        self.wait(name, self.inner.batch_execute(sql))
    }

    pub(super) fn simple_query(
        &self,
        name: &'static str,
        sql: &str,
    ) -> Result<Vec<SimpleQueryMessage>, Failure> {
        self.wait(name, self.inner.simple_query(sql))
    }

    pub(super) fn prepare(&self, sql: &str) -> Result<Statement, Failure> {
        self.wait("prepare", self.inner.prepare(sql))
    }

    pub(super) fn query(
        &self,
        statement: &Statement,
        values: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<Row>, Failure> {
        self.wait("query", self.inner.query(statement, values))
    }

    pub(super) fn execute(
        &self,
        statement: &Statement,
        values: &[&(dyn ToSql + Sync)],
    ) -> Result<u64, Failure> {
        self.wait("execute", self.inner.execute(statement, values))
    }

    pub(super) fn query_typed(
        &self,
        sql: &str,
        values: &[(&(dyn ToSql + Sync), Type)],
    ) -> Result<Vec<Row>, Failure> {
        self.wait("query", self.inner.query_typed(sql, values))
    }

    pub(super) fn execute_typed(
        &self,
        sql: &str,
        values: &[(&(dyn ToSql + Sync), Type)],
    ) -> Result<u64, Failure> {
        self.wait("execute", self.inner.execute_typed(sql, values))
    }

    /// Commits, and answers a question in the same round trip. A warning means that the standby may not
    /// have what was committed, which is as good as no answer.
    pub(super) fn commit(
        &self,
        question: Option<&str>,
    ) -> Result<Vec<SimpleQueryMessage>, Failure> {
        self.warned.store(false, Ordering::Relaxed);
        let sql = [&[COMMIT_STATEMENTS][..], question.as_slice()].concat().join("; ");
        let rows = self.wait_for("commit", COMMIT, commit(&self.inner, &sql))?;
        if self.warned.load(Ordering::Relaxed) { Err(Failure::Overrun) } else { Ok(rows) }
    }

    fn wait<T>(
        &self,
        name: &'static str,
        answer: impl Future<Output = Result<T, postgres::Error>>,
    ) -> Result<T, Failure> {
        let left = self.deadline.map(|deadline| deadline.saturating_duration_since(present()));
        self.wait_for(name, left.map_or(self.limit, |left| left.min(self.limit)), answer)
    }

    /// An answer, unless the statement is ended before.
    async fn in_time<T>(
        &self,
        answer: impl Future<Output = Result<T, Failure>>,
    ) -> Result<T, Failure> {
        let mut answer = pin!(answer);
        if let Some((instant, is_cancelled)) = self.ends_at {
            if let Ok(answered) = timeout_at(instant.into(), &mut answer).await {
                return answered;
            }
            self.is_spent.set(true);
            if !is_cancelled {
                return Err(Failure::TooLong);
            }
            // A server that can't be reached does not answer either, and is given up later.
            let _ = self.inner.cancel_token().cancel_query(self.tls.clone()).await;
        }
        answer.await
    }

    fn wait_for<T>(
        &self,
        name: &'static str,
        limit: Duration,
        answer: impl Future<Output = Result<T, postgres::Error>>,
    ) -> Result<T, Failure> {
        self.trips.set(self.trips.get() + 1);
        let span = self.begin(name);
        let answer = self.in_time(self.with_queued(answer));
        let answered = self.runtime.block_on(async { timeout(limit, answer).await });
        let answered = answered.unwrap_or(Err(Failure::Overrun));
        end(span, answered.as_ref().err());
        answered
    }

    /// Begins the span of a round trip. It names neither statements nor values.
    fn begin(&self, name: &'static str) -> Option<Span> {
        let mut span = self.context.as_ref()?.begin(Kind::Client, name)?;
        span.note("db.system.name", "postgresql");
        let before = self.queued.borrow().len() + usize::from(self.begins.get());
        if before > 0 {
            span.note("db.operation.batch.size", i64::try_from(before + 1).unwrap_or(i64::MAX));
        }
        Some(span)
    }

    /// Sends what is queued in its order, then what is to be answered, and waits for all of it. In a
    /// transaction what follows a failure fails too, so the first failure tells why.
    async fn with_queued<T>(
        &self,
        answer: impl Future<Output = Result<T, postgres::Error>>,
    ) -> Result<T, Failure> {
        let (begins, queued) = (self.begins.take(), self.queued.take());
        // Statements are sent in the order in which they are first polled.
        let begun = OptionFuture::from(begins.then(|| self.inner.batch_execute(BEGIN)));
        let first = join_all(queued.iter().map(|statement| statement.run(&self.inner)));
        let (begun, first, last) = join3(begun, first, answer).await;
        begun.transpose().map_err(Failure::NotBegun)?;
        first.into_iter().collect::<Result<(), Failure>>()?;
        Ok(last?)
    }
}

/// Runs [`COMMIT_STATEMENTS`] and what follows. What was committed stays so if that fails.
async fn commit(
    client: &tokio_postgres::Client,
    sql: &str,
) -> Result<Vec<SimpleQueryMessage>, postgres::Error> {
    let (mut rows, mut completed) = (Vec::new(), 0);
    let mut messages = pin!(client.simple_query_raw(sql).await?);
    while let Some(message) = messages.next().await {
        match message {
            Err(error) if completed < COMMIT_COUNT => return Err(error),
            Err(_) => break,
            Ok(message) => {
                completed += usize::from(matches!(message, SimpleQueryMessage::CommandComplete(_)));
                rows.push(message);
            }
        }
    }
    Ok(rows)
}

#[expect(clippy::disallowed_methods, reason = "a server is given up in real time")]
pub(super) fn present() -> Instant {
    Instant::now()
}

fn end(span: Option<Span>, failure: Option<&Failure>) {
    let Some(mut span) = span else { return };
    if let Some(failure) = failure {
        span.fail(failure.trouble().name());
    }
    span.end();
}

/// Moves the bytes of a connection, and notes warnings. Its end is found by the next statement.
async fn drive(mut connection: Driver, warned: Arc<AtomicBool>) {
    while let Some(Ok(message)) = poll_fn(|context| connection.poll_message(context)).await {
        if let AsyncMessage::Notice(notice) = message
            && is_warning(&notice)
        {
            tracing::warn!(message = notice.message(), "the database warns");
            warned.store(true, Ordering::Relaxed);
        }
    }
}

/// Whether this is a warning, whatever the language of the server.
fn is_warning(notice: &DbError) -> bool {
    notice.code().code().starts_with("01")
}
