//! What accounts are told: each event is written in the transaction of its cause.
//!
//! An event is stored once, as the bytes of its body, and numbered without gaps per account.

use serde::Serialize;
use svc_types::{EventId, Timestamp, UserId};

use crate::app::Cx;
use crate::error::{Error, Result};
use crate::{sql, values};

#[derive(Serialize)]
struct Body<'a, T> {
    event: &'a str,
    timestamp: Timestamp,
    data: &'a T,
}

/// Something that happened.
#[derive(Clone, Copy, Debug)]
pub struct News<'a, T> {
    /// Its kind.
    pub kind: &'a str,
    /// The act it tells of, for the audit.
    pub subject: &'a str,
    /// What accounts are told.
    pub data: &'a T,
}

/// Tells each account of an event. The last thing a transaction does: the accounts' counters stay
/// locked until it ends, so that nobody sees a number before a smaller one.
pub fn emit<T: Serialize>(
    cx: &mut Cx<'_, '_>,
    news: &News<'_, T>,
    to: &mut [&UserId],
) -> Result<()> {
    let body = Body { event: news.kind, timestamp: cx.now(), data: news.data };
    let body = serde_json::to_string(&body).map_err(Error::internal)?;
    to.sort();
    for account in to {
        append(cx, account, (news.kind, news.subject), &body)?;
    }
    Ok(())
}

fn append(
    cx: &mut Cx<'_, '_>,
    account: &UserId,
    (kind, subject): (&str, &str),
    body: &str,
) -> Result<()> {
    let (id, now): (EventId, _) = (cx.id(), cx.now());
    let seq: i64 = cx.tx.one(
        sql!(
            "insert into event_head (stream, last_seq) values ($1, 1)
             on conflict (stream) do update set last_seq = event_head.last_seq + 1
             returning last_seq"
        ),
        values![account],
    )?;
    cx.tx.execute(
        sql!(
            "insert into event (id, stream, seq, kind, subject, body, created_at)
             values ($1, $2, $3, $4, $5, $6, $7)"
        ),
        values![id, account, seq, kind, subject, body, now],
    )?;
    Ok(())
}
