//! What happened to an account before a test: rows that a test writes instead of acting.

use svc_client::types::UserId;
use svc_core::app::Ctx;
use svc_store::error::Result;
use svc_store::{sql, values};

/// Completes events that a test has written as rows of `event` or `account_event`: the other row of
/// each, the account's latest number, and the counts of unread notifications.
pub(crate) fn complete(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<u64> {
    ctx.tx.execute(
        sql!(
            "insert into account_event (account, seq, event, type, listed, read, created_at)
             select stream, seq, id, kind, false, false, created_at from event where stream = $1
             on conflict (account, seq) do nothing"
        ),
        values![account],
    )?;
    ctx.tx.execute(
        sql!(
            "insert into event (id, stream, seq, kind, body, created_at, relayed_at)
             select event, account, seq, type, '{}', created_at, created_at from account_event
             where account = $1
             on conflict (id) do nothing"
        ),
        values![account],
    )?;
    ctx.tx.execute(
        sql!(
            "insert into event_head (stream, last_seq)
             select account, max(seq) from account_event where account = $1 group by account
             on conflict (stream) do update set last_seq = excluded.last_seq"
        ),
        values![account],
    )?;
    ctx.tx.execute(sql!("delete from notification_count where account = $1"), values![account])?;
    ctx.tx.execute(
        sql!(
            "insert into notification_count (account, type, unread)
             select account, type, count(*) from account_event
             where account = $1 and listed = true and read = false group by account, type"
        ),
        values![account],
    )?;
    Ok(1)
}

/// This many likes as the first events of an account.
pub(crate) fn likes(ctx: &mut Ctx<'_, '_>, account: &UserId, count: i64) -> Result<u64> {
    ctx.tx.execute(
        sql!(
            "with recursive n (i) as (
                select cast(1 as bigint) union all select i + 1 from n where i < $1)
             insert into event (id, stream, seq, kind, body, created_at, relayed_at)
             select 'evt_' || cast(i as text), $2, i, 'like', '{}', 0, 0 from n"
        ),
        values![count, account],
    )?;
    complete(ctx, account)
}
