//! Posts with followed hashtags in the home feed. No replies are read. When a page is made, it leaves out posts by
//! limited accounts that the caller does not follow, so that a hashtag with many of them costs no more than others. It
//! also leaves out replies that earlier versions did not mark as such.

use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::PostId;

use super::Item;
use crate::app::Ctx;
use crate::identity::Account;
use crate::services::post::rank;

/// The newest posts with the followed hashtags whose newest post is newest.
pub(super) fn items(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    after: &str,
    rows: i64,
) -> Result<Vec<Item>> {
    let after = format!("post_{after}");
    let newest = newest(ctx, caller, &after, rows)?;
    let first = match newest.last() {
        Some((_, oldest)) if i64::try_from(newest.len()).is_ok_and(|found| found == rows) => {
            oldest.to_string()
        }
        _ => String::new(),
    };
    let mut items = Vec::new();
    for (tag, _) in newest {
        let item = |(post, is_wanted): (PostId, bool)| Item {
            entry: rank::entry(post.as_str()).to_owned(),
            account: caller.id.clone(),
            post,
            repost: None,
            is_tagged: true,
            is_unwanted: !is_wanted,
        };
        let posts = posts(ctx, caller, &tag, (&first, &after), rows)?;
        items.extend(posts.into_iter().map(item));
    }
    Ok(items)
}

/// The followed hashtags whose newest top-level post before `after` is newest, each with this post.
fn newest(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    after: &str,
    rows: i64,
) -> Result<Vec<(String, PostId)>> {
    ctx.tx.all(
        sql!(
            "select tag, newest from (
                select f.tag, (
                    select max(h.post) from post_hashtag h
                    where h.tag = f.tag and h.of_reply = false and h.post < $1
                ) as newest
                from hashtag_follow f where f.account = $2
             ) each_newest
             where newest is not null order by newest desc limit $3"
        ),
        values![after, caller.id, rows],
    )
}

/// The newest posts with a hashtag between these ids, and whether the caller wants to see them.
fn posts(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    tag: &str,
    (from, before): (&str, &str),
    rows: i64,
) -> Result<Vec<(PostId, bool)>> {
    ctx.tx.all(
        sql!(
            "select h.post, p.reply_to is null
                and (a.status = 'active' or exists (
                    select 1 from follow f where f.follower = $1 and f.followee = a.id
                ))
                and not exists (
                    select 1 from list_member o join list l on l.id = o.list
                    where o.member = a.id and l.owner = $1 and l.exclusive = true
                )
             from post_hashtag h
             cross join post p
             cross join account a
             where h.tag = $2 and h.of_reply = false and h.post < $3 and h.post >= $4
                and p.id = h.post and a.id = p.author
             order by h.post desc limit $5"
        ),
        values![caller.id, tag, before, from, rows],
    )
}
