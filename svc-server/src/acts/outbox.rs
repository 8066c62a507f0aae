//! What happened to accounts: each event is written in the transaction of its cause.
//!
//! An event is stored once, as the bytes of its body, and numbered without gaps per account.

use svc_types::{EventId, UserId};

use crate::app::Cx;
use crate::error::Result;
use crate::{sql, values};

/// An event of one account.
#[derive(Clone, Copy, Debug)]
pub struct Event<'a> {
    /// Its id.
    pub id: &'a EventId,
    /// Whose it is.
    pub account: &'a UserId,
    /// Its kind.
    pub kind: &'a str,
    /// The act it tells of, for the audit, and to tell it once.
    pub subject: Option<&'a str>,
    /// The bytes a webhook carries.
    pub body: &'a str,
    /// Whether it is told by MQTT.
    pub relayed: bool,
}

/// Writes an event; its number among the account's. The account's counter stays locked until the
/// transaction ends, so that nobody sees a number before a smaller one.
pub fn append(cx: &mut Cx<'_, '_>, event: &Event<'_>) -> Result<i64> {
    let now = cx.now();
    let seq: i64 = cx.tx.one(
        sql!(
            "insert into event_head (stream, last_seq) values ($1, 1)
             on conflict (stream) do update set last_seq = event_head.last_seq + 1
             returning last_seq"
        ),
        values![event.account],
    )?;
    // What is not to be relayed counts as relayed.
    let relayed_at = (!event.relayed).then_some(now);
    cx.tx.execute(
        sql!(
            "insert into event (id, stream, seq, kind, subject, body, created_at, relayed_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8)"
        ),
        values![
            event.id,
            event.account,
            seq,
            event.kind,
            event.subject,
            event.body,
            now,
            relayed_at
        ],
    )?;
    Ok(seq)
}
