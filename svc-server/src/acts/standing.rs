//! Who and what counts. A post stands while it is neither hidden nor deleted and its author stands;
//! an account stands while it is neither suspended nor deleted. Every count is the number of rows
//! that stand, whatever became of what they are counted at.

use svc_types::api::users::AccountStatus;
use svc_types::{PostId, UserId};

use super::moderation;
use crate::app::Cx;
use crate::error::Result;
use crate::{sql, values};

/// Hides a post from all but its author and moderators; nothing happens when it is hidden.
pub fn hide(cx: &mut Cx<'_, '_>, post: &PostId) -> Result<()> {
    let rows = cx.tx.execute(
        sql!(
            "update post set hidden = true
             where id = $1 and hidden = false and deleted_at is null"
        ),
        values![post],
    )?;
    if rows == 1 { count_post(cx, post, -1) } else { Ok(()) }
}

/// Shows a hidden post again.
pub fn restore(cx: &mut Cx<'_, '_>, post: &PostId) -> Result<()> {
    let rows = cx.tx.execute(
        sql!(
            "update post set hidden = false
             where id = $1 and hidden = true and deleted_at is null"
        ),
        values![post],
    )?;
    if rows == 1 { count_post(cx, post, 1) } else { Ok(()) }
}

/// Leaves a tombstone: the texts go, the place in the thread stays. False when that is done
/// already.
pub fn remove(cx: &mut Cx<'_, '_>, post: &PostId) -> Result<bool> {
    let now = cx.now();
    let hidden: Option<bool> = cx.tx.optional(
        sql!(
            "update post set content = '', content_warning = null, schema_name = null,
                payload = null, pinned = false, deleted_at = $1
             where id = $2 and deleted_at is null
             returning hidden"
        ),
        values![now, post],
    )?;
    let Some(hidden) = hidden else {
        return Ok(false);
    };
    cx.tx.execute(sql!("delete from post_hashtag where post = $1"), values![post])?;
    cx.tx.execute(sql!("delete from post_mention where post = $1"), values![post])?;
    cx.tx.execute(sql!("delete from post_revision where post = $1"), values![post])?;
    moderation::drop_all(cx, post.as_str())?;
    if !hidden {
        count_post(cx, post, -1)?;
    }
    Ok(true)
}

/// Counts a post where it is one of several, or no longer: with its author, its parent, and the
/// post it quotes. Those of suspended authors are out of the last two.
fn count_post(cx: &mut Cx<'_, '_>, post: &PostId, more: i64) -> Result<()> {
    cx.tx.execute(
        sql!(
            "update account set posts_count = posts_count + $1
             where id = (select author from post where id = $2)"
        ),
        values![more, post],
    )?;
    cx.tx.execute(
        sql!(
            "update post set replies_count = replies_count + $1
             where id = (
                select p.reply_to from post p join account a on a.id = p.author
                where p.id = $2 and a.status <> 'suspended' and a.deleted_at is null)"
        ),
        values![more, post],
    )?;
    cx.tx.execute(
        sql!(
            "update post set quotes_count = quotes_count + $1
             where id = (
                select p.quote_of from post p join account a on a.id = p.author
                where p.id = $2 and a.status <> 'suspended' and a.deleted_at is null)"
        ),
        values![more, post],
    )?;
    Ok(())
}

/// Suspends an account whose row is locked; nothing happens when it is suspended.
pub fn suspend(cx: &mut Cx<'_, '_>, account: &UserId) -> Result<()> {
    let rows = cx.tx.execute(
        sql!(
            "update account set status = 'suspended'
             where id = $1 and status <> 'suspended' and deleted_at is null"
        ),
        values![account],
    )?;
    if rows == 1 { count_account(cx, account, -1) } else { Ok(()) }
}

/// Lifts the suspension of an account whose row is locked.
pub fn unsuspend(cx: &mut Cx<'_, '_>, account: &UserId, status: &AccountStatus) -> Result<()> {
    let rows = cx.tx.execute(
        sql!(
            "update account set status = $1
             where id = $2 and status = 'suspended' and deleted_at is null"
        ),
        values![status, account],
    )?;
    if rows == 0 {
        return Ok(());
    }
    // Tokens from before a suspension stay dead after it.
    let sql = sql!("update identity_token set revoked = true where account = $1");
    cx.tx.execute(sql, values![account])?;
    count_account(cx, account, 1)
}

/// Takes an account that is being deleted out of every count, and what it did to others with it.
/// Its row is locked.
pub fn forget(cx: &mut Cx<'_, '_>, account: &UserId) -> Result<()> {
    count_account(cx, account, -1)?;
    for sql in [
        sql!("delete from follow where follower = $1"),
        sql!("delete from follow where followee = $1"),
        sql!("delete from block where blocker = $1"),
        sql!("delete from block where blocked = $1"),
    ] {
        cx.tx.execute(sql, values![account])?;
    }
    moderation::drop_all(cx, account.as_str())
}

/// Counts what an account did to others, or no longer.
fn count_account(cx: &mut Cx<'_, '_>, account: &UserId, more: i64) -> Result<()> {
    for sql in [
        sql!(
            "update account set followers_count = followers_count + $1
             where id in (select followee from follow where follower = $2)"
        ),
        sql!(
            "update account set following_count = following_count + $1
             where id in (select follower from follow where followee = $2)"
        ),
        sql!(
            "update post set replies_count = replies_count + $1 * mine.n
             from (
                select p.reply_to as post, count(*) as n from post p
                where p.author = $2 and p.reply_to is not null and p.hidden = false
                    and p.deleted_at is null
                group by p.reply_to
             ) mine
             where post.id = mine.post"
        ),
        sql!(
            "update post set quotes_count = quotes_count + $1 * mine.n
             from (
                select p.quote_of as post, count(*) as n from post p
                where p.author = $2 and p.quote_of is not null and p.hidden = false
                    and p.deleted_at is null
                group by p.quote_of
             ) mine
             where post.id = mine.post"
        ),
    ] {
        cx.tx.execute(sql, values![more, account])?;
    }
    Ok(())
}
