//! What ties the account to others: reactions, follows, blocks, mutes, and its places in lists. No count
//! includes them any more.

use svc_store::db::Sql;
use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::Timestamp;

use super::{BATCH, Gone};
use crate::app::Ctx;

/// Where a batch of rows ends, and what deletes the rows up to there.
const OTHERS: [(Sql, Sql); 9] = [
    (
        sql!(
            "select max(entry) from (
                select entry from timeline where account = $1 order by entry limit $2) batch"
        ),
        sql!("delete from timeline where account = $1 and entry <= $2"),
    ),
    (
        sql!(
            "select max(followee) from (
                select followee from follow where follower = $1 order by followee limit $2) batch"
        ),
        sql!("delete from follow where follower = $1 and followee <= $2"),
    ),
    (
        sql!(
            "select max(blocked) from (
                select blocked from block where blocker = $1 order by blocked limit $2) batch"
        ),
        sql!("delete from block where blocker = $1 and blocked <= $2"),
    ),
    (
        sql!(
            "select max(blocker) from (
                select blocker from block where blocked = $1 order by blocker limit $2) batch"
        ),
        sql!("delete from block where blocked = $1 and blocker <= $2"),
    ),
    (
        sql!(
            "select max(muted) from (
                select muted from account_mute where muter = $1 order by muted limit $2) batch"
        ),
        sql!("delete from account_mute where muter = $1 and muted <= $2"),
    ),
    (
        sql!(
            "select max(muter) from (
                select muter from account_mute where muted = $1 order by muter limit $2) batch"
        ),
        sql!("delete from account_mute where muted = $1 and muter <= $2"),
    ),
    (
        sql!(
            "select max(root) from (
                select root from thread_mute where account = $1 order by root limit $2) batch"
        ),
        sql!("delete from thread_mute where account = $1 and root <= $2"),
    ),
    (
        sql!(
            "select max(tag) from (
                select tag from hashtag_follow where account = $1 order by tag limit $2) batch"
        ),
        sql!("delete from hashtag_follow where account = $1 and tag <= $2"),
    ),
    (
        sql!(
            "select max(list) from (
                select list from list_member where member = $1 order by list limit $2) batch"
        ),
        sql!("delete from list_member where member = $1 and list <= $2"),
    ),
];

/// Deletes some rows of each kind.
pub(super) fn relations(ctx: &mut Ctx<'_, '_>, gone: &Gone, _: &str) -> Result<Option<String>> {
    let mut is_any = reactions(ctx, gone)?;
    is_any |= followers(ctx, gone)?;
    for (end, delete) in OTHERS {
        let upto: Option<String> = ctx.tx.one(end, values![gone.id, BATCH])?;
        if let Some(upto) = upto {
            ctx.tx.execute(delete, values![gone.id, upto])?;
            is_any = true;
        }
    }
    Ok(is_any.then(String::new))
}

fn reactions(ctx: &mut Ctx<'_, '_>, gone: &Gone) -> Result<bool> {
    let upto: Option<(String, String)> = ctx.tx.optional(
        sql!(
            "select author, post from (
                select author, post from reaction where account = $1
                order by author, post limit $2) batch
             order by author desc, post desc limit 1"
        ),
        values![gone.id, BATCH],
    )?;
    let Some((author, post)) = upto else { return Ok(false) };
    let sql = sql!("delete from reaction where account = $1 and (author, post) <= ($2, $3)");
    ctx.tx.execute(sql, values![gone.id, author, post])?;
    Ok(true)
}

/// Follows of the account, the latest first, by time: that is the order of their index.
fn followers(ctx: &mut Ctx<'_, '_>, gone: &Gone) -> Result<bool> {
    let from: Option<Timestamp> = ctx.tx.one(
        sql!(
            "select min(created_at) from (
                select created_at from follow where followee = $1
                order by created_at desc limit $2) batch"
        ),
        values![gone.id, BATCH],
    )?;
    let Some(from) = from else { return Ok(false) };
    let sql = sql!("delete from follow where followee = $1 and created_at >= $2");
    ctx.tx.execute(sql, values![gone.id, from])?;
    Ok(true)
}
