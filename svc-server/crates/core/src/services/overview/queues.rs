//! Work that waits: how much of it, and the entries themselves.

use svc_store::db::Sql;
use svc_store::error::{Error, Result};
use svc_store::{sql, values};
use svc_types::api::operate::{Queue, QueueEntry, QueueName};
use svc_types::{Id, PostId, Timestamp, UserId};

use super::COUNTED_MAX;
use crate::app::Ctx;
use crate::page::Page;

// What waits, for the number and for the list.
const ESCROWS: &str = " from escrow where due_at <= $1";
const REQUESTS: &str = " from service_request where due_at <= $1";
const MAILS: &str = " from mail_outbox where due_at <= $1";
const WEBHOOKS: &str = " from webhook where status = 'active' and due_at <= $1";

/// A page of it: what has been due longest is first.
const PAGE: &str = " and (due_at, id) > ($2, $3) order by due_at, id limit $4";

/// What waits in each queue.
pub fn queues(ctx: &mut Ctx<'_, '_>) -> Result<Vec<Queue>> {
    let due = [
        (
            QueueName::Deadlines,
            sql!(
                "select count(*), min(due_at) from (
                    select * from (select due_at",
                ESCROWS,
                " order by due_at limit $2) as escrows
                    union all
                    select * from (select due_at",
                REQUESTS,
                " order by due_at limit $2) as requests
                 ) as waiting"
            ),
        ),
        (
            QueueName::Mail,
            sql!(
                "select count(*), min(due_at) from (select due_at",
                MAILS,
                " order by due_at limit $2) as waiting"
            ),
        ),
        (
            QueueName::Webhooks,
            sql!(
                "select count(*), min(due_at) from (select due_at",
                WEBHOOKS,
                " order by due_at limit $2) as waiting"
            ),
        ),
    ];
    let queue = |(name, sql)| count(ctx, name, sql);
    let mut queues: Vec<Queue> = due.into_iter().map(queue).collect::<Result<_>>()?;
    let texts: i64 = ctx.tx.one(
        sql!("select count(*) from (select id from search_queue limit $1) as waiting"),
        values![COUNTED_MAX],
    )?;
    queues.insert(2, Queue { name: QueueName::Search, waiting: texts, lag_seconds: None });
    Ok(queues)
}

fn count(ctx: &mut Ctx<'_, '_>, name: QueueName, sql: Sql) -> Result<Queue> {
    let now = ctx.now();
    let (waiting, oldest): (i64, Option<Timestamp>) = ctx.tx.one(sql, values![now, COUNTED_MAX])?;
    let lag = |oldest: Timestamp| {
        std::time::Duration::from_millis((now.as_millis() - oldest.as_millis()).unsigned_abs())
    };
    Ok(Queue { name, waiting, lag_seconds: oldest.map(|oldest| lag(oldest).as_secs_f64()) })
}

/// A page of what waits in a queue.
pub fn waiting(ctx: &mut Ctx<'_, '_>, queue: &QueueName, page: &Page) -> Result<Vec<QueueEntry>> {
    match queue {
        QueueName::Deadlines => deadlines(ctx, page),
        QueueName::Mail => mails(ctx, page),
        QueueName::Search => texts(ctx, page),
        QueueName::Webhooks => webhooks(ctx, page),
        _ => Err(Error::not_found("queue")),
    }
}

/// How many keys a list of a queue sorts by.
pub fn keys(queue: &QueueName) -> usize {
    if *queue == QueueName::Search { 1 } else { 2 }
}

/// What a list of a queue sorts by.
pub fn key_of_entry(entry: &QueueEntry) -> Vec<String> {
    let due = entry.due_at.map(|due| due.as_millis().to_string());
    due.into_iter().chain([entry.id.clone()]).collect()
}

/// When the last entry of the page before was due, and its id.
fn after(page: &Page) -> Result<(i64, &str)> {
    Ok(page.after_number()?.unwrap_or((i64::MIN, "")))
}

fn deadlines(ctx: &mut Ctx<'_, '_>, page: &Page) -> Result<Vec<QueueEntry>> {
    let (due, id) = after(page)?;
    let found: Vec<(Timestamp, String, String, Timestamp)> = ctx.tx.all(
        sql!(
            "select due_at, id, kind, created_at from (
                select * from (select due_at, id, 'escrow' as kind, created_at",
            ESCROWS,
            PAGE,
            ") as escrows
                union all
                select * from (select due_at, id, 'order' as kind, created_at",
            REQUESTS,
            PAGE,
            ") as requests
             ) as waiting order by due_at, id limit $4"
        ),
        values![ctx.now(), due, id, page.rows()],
    )?;
    let entry = |(due_at, id, kind, created_at)| QueueEntry {
        kind,
        id,
        due_at: Some(due_at),
        attempts: None,
        username: None,
        created_at: Some(created_at),
    };
    Ok(found.into_iter().map(entry).collect())
}

/// Neither whom a mail is for nor what it says.
fn mails(ctx: &mut Ctx<'_, '_>, page: &Page) -> Result<Vec<QueueEntry>> {
    let (due, id) = after(page)?;
    let found: Vec<(Timestamp, String, String, i64, Timestamp)> = ctx.tx.all(
        sql!("select due_at, id, kind, attempt, created_at", MAILS, PAGE),
        values![ctx.now(), due, id, page.rows()],
    )?;
    let entry = |(due_at, id, kind, attempts, created_at)| QueueEntry {
        kind,
        id,
        due_at: Some(due_at),
        attempts: Some(attempts),
        username: None,
        created_at: Some(created_at),
    };
    Ok(found.into_iter().map(entry).collect())
}

fn webhooks(ctx: &mut Ctx<'_, '_>, page: &Page) -> Result<Vec<QueueEntry>> {
    let (due, id) = after(page)?;
    let found: Vec<(Timestamp, String, i64, String)> = ctx.tx.all(
        sql!(
            "select waiting.due_at, waiting.id, waiting.failures_in_row, a.username from (
                select due_at, id, account, failures_in_row",
            WEBHOOKS,
            PAGE,
            ") as waiting
             left join account a on a.id = waiting.account
             order by waiting.due_at, waiting.id"
        ),
        values![ctx.now(), due, id, page.rows()],
    )?;
    let entry = |(due_at, id, failures, username)| QueueEntry {
        kind: "webhook".to_owned(),
        id,
        due_at: Some(due_at),
        attempts: Some(failures),
        username: Some(username),
        created_at: None,
    };
    Ok(found.into_iter().map(entry).collect())
}

/// The queue of the search index holds only ids.
fn texts(ctx: &mut Ctx<'_, '_>, page: &Page) -> Result<Vec<QueueEntry>> {
    let found: Vec<String> = ctx.tx.all(
        sql!("select id from search_queue where id > $1 order by id limit $2"),
        values![page.after_one().unwrap_or_default(), page.rows()],
    )?;
    let entry = |id: String| QueueEntry {
        kind: kind_of_text(&id).to_owned(),
        id,
        due_at: None,
        attempts: None,
        username: None,
        created_at: None,
    };
    Ok(found.into_iter().map(entry).collect())
}

fn kind_of_text(id: &str) -> &'static str {
    if id.starts_with(PostId::PREFIX) {
        "post"
    } else if id.starts_with(UserId::PREFIX) {
        "account"
    } else {
        "service"
    }
}
