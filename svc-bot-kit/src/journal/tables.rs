//! The schema of a journal and its migrations.
//!
//! Times are milliseconds since 1970. A released migration is never edited; add another one.

use rusqlite::{Connection, ErrorCode, Transaction, TransactionBehavior};

use crate::error::{Error, Result};

/// SQLite's `application_id` of a journal: "svcj".
const APPLICATION_ID: i64 = 0x7376_636a;

/// The migration to each version.
const MIGRATIONS: [&str; 7] = [FIRST, PAYMENT, TOLD_AT, RETRY, SAME_ORDER, CHAT, WEBHOOK];

/// The newest version, stored as SQLite's `user_version`.
const VERSION: i64 = 7;

const FIRST: &str = "
-- How far the account's events are taken in.
create table cursor (
    account text primary key,
    seq integer not null
) strict;

-- What there is to do, and was done: orders, messages, other events.
create table job (
    id text primary key,                -- messageId of an order or a message, else id of the event
    kind text not null,                 -- request | message | event
    conversation text not null,         -- jobs of one are done one after the other
    arrived integer not null unique,    -- their order
    event text not null,                -- JSON of the event
    state text not null,                -- queued | running | done
    starts integer not null default 0,  -- how often its handler was started
    escrow text,                        -- escrow that an order is tied to
    created_at integer not null,
    done_at integer
) strict;
create index job_open on job (arrived) where state <> 'done';
create index job_done on job (done_at) where state = 'done';
create index job_escrow on job (escrow) where escrow is not null;

-- Calls that were decided on: the same bytes under the same key until the platform took them.
create table outbox (
    id integer primary key,             -- their order
    key text not null unique,           -- Idempotency-Key
    job text not null,                  -- job they belong to
    path text not null,
    body blob not null,
    outcome text,                       -- what became of it; null while it waits
    created_at integer not null,
    closed_at integer
) strict;
create index outbox_waiting on outbox (job, id) where closed_at is null;
create index outbox_closed on outbox (closed_at) where closed_at is not null;

-- Results of finished steps of a handler that may start again.
create table step (
    job text not null,
    name text not null,
    value text not null,                -- JSON
    primary key (job, name)
) strict, without rowid;

-- What a buyer's orders may cost, and did.
create table spend (
    order_id text primary key,          -- the buyer's own id of the order
    provider text not null,             -- username in lower case
    service text not null,
    service_name text not null,
    amount integer not null,            -- micro-credits; what was charged once it is spent
    state text not null,                -- reserved | spent | freed
    escrow text,                        -- escrow that pays
    request text,                       -- messageId of the request, once it was sent
    created_at integer not null,
    settled_at integer
) strict;
create index spend_by_time on spend (created_at);
";

const PAYMENT: &str = "
-- Seconds that an escrow gives the provider to deliver, 0 without an escrow; null in rows from
-- before it was written down.
alter table spend add column delivery integer;
";

const TOLD_AT: &str = "
-- When the last event that is taken in happened, by the platform's clock: where events are gone,
-- messages are looked up from then on.
alter table cursor add column told_at integer;
";

const RETRY: &str = "
-- Handlers that failed and start again: how often one did, when it first did, when it is next tried.
alter table job add column failures integer not null default 0;
alter table job add column failed_at integer;
alter table job add column retry_at integer;
";

const SAME_ORDER: &str = "
-- SHA-256 of provider, service and input, so that an id is not used for another order, and the same
-- order is found again; null in rows from before it was written down.
alter table spend add column hash text;
-- What the platform last said of the order or its escrow, such as open or refunded.
alter table spend add column status text;
-- When its end was shown to the buyer; null while nobody has seen it.
alter table spend add column seen_at integer;
create index spend_escrow on spend (escrow) where escrow is not null;
create index spend_request on spend (request) where request is not null;
";

const CHAT: &str = "
-- The last message of each channel that was taken in.
create table channel_cursor (
    channel text primary key,
    message text not null
) strict, without rowid;

-- What the bot remembers of its conversations.
create table dialogue (
    key text primary key,               -- conversation, or channel and person
    value text not null,                -- JSON
    changed_at integer not null
) strict, without rowid;
";

const WEBHOOK: &str = "
-- Events that arrived by webhooks.
create table webhook (
    key text primary key,               -- signed id of the event, or SHA-256 of the body
    confirmed_at integer                -- when it was handled; null while it is being handled
) strict, without rowid;
create index webhook_confirmed on webhook (confirmed_at) where confirmed_at is not null;
";

/// Migrates a file to the newest version.
pub(super) fn migrate(connection: &mut Connection) -> Result<()> {
    let tx =
        connection.transaction_with_behavior(TransactionBehavior::Exclusive).map_err(open_error)?;
    let known = version(&tx)?;
    let pending = MIGRATIONS.get(known..).ok_or_else(|| {
        Error::journal::<rusqlite::Error>("was written by a later version of svc-bot-kit", None)
    })?;
    let migrated = pending.iter().try_for_each(|migration| tx.execute_batch(migration));
    migrated
        .and_then(|()| tx.pragma_update(None, "application_id", APPLICATION_ID))
        .and_then(|()| tx.pragma_update(None, "user_version", VERSION))
        .and_then(|()| tx.commit())
        .map_err(|error| Error::journal("can't be written", Some(error)))
}

/// The version of a file. Fails if it is not a journal.
fn version(tx: &Transaction<'_>) -> Result<usize> {
    let read = |pragma: &str| tx.pragma_query_value(None, pragma, |row| row.get::<_, i64>(0));
    let objects =
        tx.query_row("select count(*) from sqlite_schema", [], |row| row.get::<_, i64>(0));
    let facts = read("application_id")
        .and_then(|id| Ok((id, objects?, read("user_version")?)))
        .map_err(open_error)?;
    match facts {
        (APPLICATION_ID, _, version) => Ok(usize::try_from(version).unwrap_or(usize::MAX)),
        (0, 0, 0) => Ok(0),
        _ => Err(Error::journal::<rusqlite::Error>("is a database of something else", None)),
    }
}

/// The error for a file that can't be opened as a journal.
pub(super) fn open_error(error: rusqlite::Error) -> Error {
    let problem = match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            "is used by another process; run one bot per account, and give a program that only buys a \
             journal of its own"
        }
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => {
            "is damaged, or no journal at all"
        }
        _ => "can't be opened",
    };
    Error::journal(problem, Some(error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_counts_the_migrations() {
        assert_eq!(usize::try_from(VERSION), Ok(MIGRATIONS.len()));
    }

    #[test]
    fn a_file_of_the_first_version_keeps_its_rows() {
        let mut old = Connection::open_in_memory().unwrap();
        old.execute_batch(FIRST).unwrap();
        old.pragma_update(None, "application_id", APPLICATION_ID).unwrap();
        old.pragma_update(None, "user_version", 1).unwrap();
        let insert = "insert into spend
                (order_id, provider, service, service_name, amount, state, created_at)
            values ('night-42', 'wordbot', 'srv_1', 'count', 5, 'reserved', 1)";
        old.execute(insert, []).unwrap();
        migrate(&mut old).unwrap();
        let select = "select order_id, delivery, hash from spend";
        let row = old.query_row(select, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)));
        assert_eq!(row, Ok(("night-42".to_owned(), None::<i64>, None::<String>)));
    }
}
