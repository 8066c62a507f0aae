//! The feed of a list: a merge of what its members write.
//!
//! Only members with the newest posts are read, and of each only as many posts as a page may need,
//! so that a member who has been silent for years costs one read.

use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::api::lists::RepliesPolicy;
use svc_types::{Cursor, PostId};

use super::Record;
use crate::app::Ctx;
use crate::identity::Account;
use crate::ids;
use crate::page::Page;
use crate::services::scan::{self, Step};

/// The newest posts of the members, and whether each is shown: it is neither deleted nor hidden,
/// and if it is a reply the list takes it. The first condition is about a member's post `q`, the
/// second is the same of `p`.
macro_rules! newest {
    ($of_q:literal, $of_p:literal, $shown:literal) => {
        sql!(
            "with heads (member, head) as (
                select m.member, coalesce((
                    select q.id from post q where q.author = m.member and q.id < $1 ",
            $of_q,
            "       order by q.id desc limit 1
                ), '')
                from list_member m
                join account a on a.id = m.member
                where m.list = $2 and a.deleted_at is null and a.status <> 'suspended'
                    and not exists (
                        select 1 from block b where b.blocker = $3 and b.blocked = a.id
                    )
                    and not exists (
                        select 1 from block b where b.blocker = a.id and b.blocked = $3
                    )
                    and not exists (
                        select 1 from account_mute t
                        where t.muter = $3 and t.muted = a.id
                            and (t.expires_at is null or t.expires_at > $4)
                    )
                order by 2 desc limit $5
             ),
             streams (member, head, tail) as (
                select heads.member, heads.head, coalesce((
                    select q.id from post q where q.author = heads.member and q.id <= heads.head ",
            $of_q,
            "       order by q.id desc limit 1 offset $5 - 1
                ), '')
                from heads where heads.head <> ''
             )
             select p.id, p.deleted_at is null and p.hidden = false ",
            $shown,
            "from streams cross join post p
             where p.author = streams.member and p.id <= streams.head and p.id >= streams.tail ",
            $of_p,
            "order by p.id desc limit $5"
        )
    };
}

/// A page of the posts of a list's members, newest first.
pub fn feed(
    ctx: &mut Ctx<'_, '_>,
    viewer: Option<&Account>,
    list: &Record,
    page: &Page,
) -> Result<(Vec<PostId>, Option<Cursor>)> {
    let sql = match list.replies_policy {
        RepliesPolicy::None => {
            newest!("and q.reply_to is null ", "and p.reply_to is null ", "")
        }
        RepliesPolicy::Members => newest!(
            "",
            "",
            "and (p.reply_to is null or exists (
                select 1 from post r join list_member o on o.list = $2 and o.member = r.author
                where r.id = p.reply_to
             )) "
        ),
        _ => newest!("", "", ""),
    };
    let (viewer, now) = (viewer.map_or("", |viewer| viewer.id.as_str()), ctx.now());
    scan::page(ctx, page, |ctx, before, most| {
        let before = before.unwrap_or(ids::LAST);
        let rows: Vec<(PostId, bool)> =
            ctx.tx.all(sql, values![before, list.id, viewer, now, most])?;
        let step = |(id, is_shown): (PostId, bool)| Step {
            key: id.to_string(),
            item: is_shown.then_some(id),
        };
        Ok(rows.into_iter().map(step).collect())
    })
}
