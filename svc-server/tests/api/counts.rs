//! What the counts of posts and accounts must equal: the rows they count.
//!
//! Counted are rows of accounts that are neither suspended nor deleted, and posts that are neither
//! hidden nor deleted.

use svc_client::types::Timestamp;
use svc_store::db::{Sql, sql};

use crate::app::TestApp;
use crate::audit_counts;

/// Statements that find what is wrong, so nothing.
const WRONG: [(&str, Sql); 18] = [
    (
        "members of lists",
        sql!(
            "select l.id from list l where l.members_count <> (
                select count(*) from list_member m join account a on a.id = m.member
                where m.list = l.id and a.deleted_at is null and a.status <> 'suspended'
             )"
        ),
    ),
    (
        "members of channels",
        sql!(
            "select c.id from channel c where c.deleted_at is null and c.members_count <> (
                select count(*) from channel_member m join account a on a.id = m.account
                where m.channel = c.id and a.deleted_at is null and a.status <> 'suspended'
             )"
        ),
    ),
    (
        "likes_count",
        sql!(
            "select p.id from post p where p.likes_count <> (
                select count(*) from reaction r join account a on a.id = r.account
                where r.post = p.id and r.liked_at is not null
                    and a.deleted_at is null and a.status <> 'suspended'
             )"
        ),
    ),
    (
        "reposts_count",
        sql!(
            "select p.id from post p where p.reposts_count <> (
                select count(*) from reaction r join account a on a.id = r.account
                where r.post = p.id and r.repost is not null
                    and a.deleted_at is null and a.status <> 'suspended'
             )"
        ),
    ),
    (
        "replies_count",
        sql!(
            "select p.id from post p where p.replies_count <> (
                select count(*) from post c join account a on a.id = c.author
                where c.reply_to = p.id and c.deleted_at is null and c.hidden = false
                    and a.deleted_at is null and a.status <> 'suspended'
             )"
        ),
    ),
    (
        "quotes_count",
        sql!(
            "select p.id from post p where p.quotes_count <> (
                select count(*) from post c join account a on a.id = c.author
                where c.quote_of = p.id and c.deleted_at is null and c.hidden = false
                    and a.deleted_at is null and a.status <> 'suspended'
             )"
        ),
    ),
    (
        "points",
        sql!(
            "select p.id from post p where p.points <> 2 + (
                select coalesce(sum(
                    case when r.liked_at is null then 0 else 2 end
                    + case when r.repost is null then 0 else 4 end
                    + case when r.replies = 0 then 0 else 2 end
                    + case when r.quotes = 0 then 0 else 3 end), 0)
                from reaction r join account a on a.id = r.account
                where r.post = p.id and r.account <> p.author
                    and a.deleted_at is null and a.status <> 'suspended'
             )"
        ),
    ),
    (
        "living replies and quotes of an account to a post of another",
        sql!(
            "select r.account || ' ' || r.post from reaction r
             join account a on a.id = r.account
             where a.deleted_at is null and a.status <> 'suspended' and (
                r.replies <> (
                    select count(*) from post c
                    where c.reply_to = r.post and c.author = r.account and r.account <> r.author
                        and c.deleted_at is null and c.hidden = false
                )
                or r.quotes <> (
                    select count(*) from post c
                    where c.quote_of = r.post and c.author = r.account and r.account <> r.author
                        and c.deleted_at is null and c.hidden = false
                )
             )"
        ),
    ),
    (
        "reactions that say nothing",
        sql!(
            "select r.account || ' ' || r.post from reaction r
             where r.liked_at is null and r.repost is null and r.bookmarked_at is null
                and r.replies = 0 and r.quotes = 0"
        ),
    ),
    (
        "visible top-level posts are ranked",
        sql!(
            "select p.id from post p join account a on a.id = p.author
             where a.deleted_at is null and a.status <> 'suspended'
                and (p.hot is not null)
                    <> (p.reply_to is null and p.deleted_at is null and p.hidden = false)"
        ),
    ),
    (
        "timelines hold what is ranked and what is reposted",
        sql!(
            "select p.id from post p join account a on a.id = p.author
             where p.hot is not null and a.deleted_at is null and a.status <> 'suspended'
                and not exists (
                    select 1 from timeline t
                    where t.account = p.author and t.entry = substr(p.id, 6) and t.post = p.id
                        and t.repost is null
                )
             union all
             select r.repost from reaction r join account a on a.id = r.account
             where r.repost is not null and a.deleted_at is null and a.status <> 'suspended'
                and not exists (
                    select 1 from timeline t
                    where t.account = r.account and t.entry = substr(r.repost, 5)
                        and t.post = r.post and t.repost = r.repost
                )"
        ),
    ),
    (
        "timelines hold nothing else",
        sql!(
            "select t.account || ' ' || t.entry from timeline t
             join post p on p.id = t.post join account a on a.id = t.account
             where a.deleted_at is null and a.status <> 'suspended' and case
                when t.repost is null then p.hot is null or p.author <> t.account
                else not exists (
                    select 1 from reaction r
                    where r.account = t.account and r.author = p.author and r.post = t.post
                        and r.repost = t.repost
                )
             end"
        ),
    ),
    (
        "followers_count, following_count",
        sql!(
            "select a.id from account a
             where a.deleted_at is null and a.status <> 'suspended' and (
                a.followers_count <> (
                    select count(*) from follow f join account o on o.id = f.follower
                    where f.followee = a.id and o.deleted_at is null and o.status <> 'suspended'
                )
                or a.following_count <> (
                    select count(*) from follow f join account o on o.id = f.followee
                    where f.follower = a.id and o.deleted_at is null and o.status <> 'suspended'
                )
             )"
        ),
    ),
    (
        "posts_count",
        sql!(
            "select a.id from account a
             where a.deleted_at is null and a.status <> 'suspended' and a.posts_count <> (
                select count(*) from post p
                where p.author = a.id and p.deleted_at is null and p.hidden = false
             )"
        ),
    ),
    (
        "bookmarks_count",
        sql!(
            "select p.id from post p where p.bookmarks_count <> (
                select count(*) from reaction r join account a on a.id = r.account
                where r.post = p.id and r.bookmarked_at is not null
                    and a.deleted_at is null and a.status <> 'suspended'
             )"
        ),
    ),
    (
        "rows of erased accounts",
        sql!(
            "select a.id from account a where a.erased_at is not null and (
                exists (select 1 from reaction r where r.account = a.id)
                or exists (select 1 from timeline t where t.account = a.id)
                or exists (select 1 from follow f where f.follower = a.id or f.followee = a.id)
                or exists (select 1 from block b where b.blocker = a.id or b.blocked = a.id)
                or exists (select 1 from account_mute m where m.muter = a.id or m.muted = a.id)
                or exists (select 1 from thread_mute m where m.account = a.id)
                or exists (select 1 from list_member m where m.member = a.id)
                or exists (select 1 from security_entry s where s.account = a.id)
                or exists (select 1 from post p where p.author = a.id and p.hot is not null)
                or exists (select 1 from measure m where m.subject = a.id)
             )"
        ),
    ),
    (
        "unread_count",
        sql!(
            "select m.account || ' ' || m.conversation from conversation_member m
             where m.unread_count <> (
                select count(*) from message g
                where g.conversation = m.conversation and g.recipient = m.account
                    and g.read_at is null and g.deleted_by_recipient = false and g.hidden = false
             )"
        ),
    ),
    (
        "what a block ends",
        sql!(
            "select b.blocker || ' ' || b.blocked from block b
             where exists (
                    select 1 from follow f
                    where f.follower = b.blocker and f.followee = b.blocked
                        or f.follower = b.blocked and f.followee = b.blocker
                )
                or exists (
                    select 1 from reaction r
                    where r.account = b.blocked and r.author = b.blocker and b.unfinished = false
                        and (r.liked_at is not null or r.repost is not null)
                )
                or exists (
                    select 1 from list_member m join list l on l.id = m.list
                    where m.member = b.blocker and l.owner = b.blocked
                        or m.member = b.blocked and l.owner = b.blocker
                )"
        ),
    ),
];

/// Checks every count against the rows, and the key of each ranked post against its points. The audit agrees.
pub(crate) async fn are_right(app: &TestApp) {
    audit_counts::are_right(app).await;
    for (rule, statement) in WRONG {
        let wrong = app.server.app().read(move |ctx| ctx.tx.all::<String>(statement, &[]));
        assert_eq!(wrong.await.unwrap(), Vec::<String>::new(), "{rule}");
    }
    let ranked: Vec<(i64, i64, String, i64)> = app
        .server
        .app()
        .read(|ctx| {
            let sql = sql!(
                "select p.hot, p.points, a.tier, p.created_at
                 from post p join account a on a.id = p.author where p.hot is not null"
            );
            ctx.tx.all(sql, &[])
        })
        .await
        .unwrap();
    for (found, points, tier, created_at) in ranked {
        let wanted = hot(points, &tier, Timestamp::from_millis(created_at));
        assert!((found - wanted).abs() <= 1, "{points} points: {found} is not {wanted}");
    }
}

/// 12 h · log2(boost · engagement) after it was published, in milliseconds.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "points of tests are few"
)]
pub(crate) fn hot(points: i64, tier: &str, created_at: Timestamp) -> i64 {
    let boost = if tier == "pro" { 1.5 } else { 1.0 };
    let doublings = (boost * points as f64 / 2.0).log2();
    created_at.as_millis() + (doublings * 12.0 * 3_600_000.0).round() as i64
}
