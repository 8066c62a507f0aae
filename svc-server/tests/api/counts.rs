//! Whether every count is the number of rows that stand: of accounts that are neither suspended nor
//! deleted, of posts that are neither hidden nor deleted.

use svc_client::types::Timestamp;
use svc_client::types::api::users::Tier;
use svc_server::acts::post::rank;
use svc_server::app::Cx;
use svc_server::db::{Sql, sql, values};
use svc_server::error::Result;

use crate::app::TestApp;

/// Each finds what breaks its rule.
const RULES: [Sql; 10] = [
    sql!(
        "select 'likes of ' || p.id from post p
         where p.likes_count <> (
            select count(*) from reaction r join account a on a.id = r.account
            where r.post = p.id and r.liked_at is not null
                and a.status <> 'suspended' and a.deleted_at is null)"
    ),
    sql!(
        "select 'reposts of ' || p.id from post p
         where p.reposts_count <> (
            select count(*) from reaction r join account a on a.id = r.account
            where r.post = p.id and r.repost is not null
                and a.status <> 'suspended' and a.deleted_at is null)"
    ),
    sql!(
        "select 'replies to ' || p.id from post p
         where p.replies_count <> (
            select count(*) from post c join account a on a.id = c.author
            where c.reply_to = p.id and c.hidden = false and c.deleted_at is null
                and a.status <> 'suspended' and a.deleted_at is null)"
    ),
    sql!(
        "select 'quotes of ' || p.id from post p
         where p.quotes_count <> (
            select count(*) from post c join account a on a.id = c.author
            where c.quote_of = p.id and c.hidden = false and c.deleted_at is null
                and a.status <> 'suspended' and a.deleted_at is null)"
    ),
    sql!(
        "select 'living answers of ' || r.account || ' to ' || r.post from reaction r
         where r.author <> r.account and (r.replies <> (
                select count(*) from post c
                where c.author = r.account and c.reply_to = r.post and c.hidden = false
                    and c.deleted_at is null)
            or r.quotes <> (
                select count(*) from post c
                where c.author = r.account and c.quote_of = r.post and c.hidden = false
                    and c.deleted_at is null))"
    ),
    sql!(
        "select 'points of ' || p.id from post p
         where p.points <> 2 + (
            select coalesce(sum(
                case when r.liked_at is null then 0 else 2 end
                + case when r.repost is null then 0 else 4 end
                + case when r.quotes > 0 then 3 else 0 end
                + case when r.replies > 0 then 2 else 0 end), 0)
            from reaction r join account a on a.id = r.account
            where r.post = p.id and r.account <> p.author
                and a.status <> 'suspended' and a.deleted_at is null)"
    ),
    sql!(
        "select 'followers of ' || f.id from account f
         where f.deleted_at is null and (f.followers_count <> (
                select count(*) from follow w join account a on a.id = w.follower
                where w.followee = f.id and a.status <> 'suspended' and a.deleted_at is null)
            or f.following_count <> (
                select count(*) from follow w join account a on a.id = w.followee
                where w.follower = f.id and a.status <> 'suspended' and a.deleted_at is null)
            or f.posts_count <> (
                select count(*) from post p
                where p.author = f.id and p.hidden = false and p.deleted_at is null))"
    ),
    sql!(
        "select 'the feed entry of ' || p.id from post p join account a on a.id = p.author
         where (p.reply_to is null and p.hidden = false and p.deleted_at is null
                and a.deleted_at is null)
            <> exists (
                select 1 from timeline t where t.account = p.author and t.post = p.id
                    and t.repost is null)"
    ),
    sql!(
        "select 'what is left of ' || a.id from account a
         where a.deleted_at is not null and (
            exists (select 1 from reaction r where r.account = a.id)
            or exists (select 1 from follow f where f.follower = a.id or f.followee = a.id)
            or exists (select 1 from block b where b.blocker = a.id or b.blocked = a.id)
            or exists (select 1 from measure m where m.subject = a.id))"
    ),
    sql!(
        "select 'unread of ' || m.account from conversation_member m
         where m.unread_count <> (
            select count(*) from message g
            where g.conversation = m.conversation and g.recipient = m.account
                and g.read_at is null and g.deleted_by_recipient = false and g.hidden = false)"
    ),
];

/// A post's id, points, rank and whether it should have one.
type Ranked = (String, i64, Option<i64>, bool, i64, String);

fn broken(cx: &mut Cx<'_, '_>) -> Result<Vec<String>> {
    let mut broken: Vec<String> = Vec::new();
    for rule in RULES {
        broken.extend(cx.tx.all::<String>(rule, values![])?);
    }
    let posts: Vec<Ranked> = cx.tx.all(
        sql!(
            "select p.id, p.points, p.hot, p.reply_to is null and p.hidden = false
                and p.deleted_at is null and a.deleted_at is null, p.created_at, a.tier
             from post p join account a on a.id = p.author"
        ),
        values![],
    )?;
    for (id, points, hot, is_ranked, at, tier) in posts {
        let wanted = rank::hot(points, Timestamp::from_millis(at), &Tier::from(tier.as_str()));
        // A change of tier moves the key by a rounded number.
        let fits = hot.map_or(!is_ranked, |hot| is_ranked && (hot - wanted).abs() <= 1);
        if !fits {
            broken.push(format!("the rank of {id}: {hot:?} and not {wanted}"));
        }
    }
    Ok(broken)
}

/// Fails when a count is not what it counts.
pub(crate) async fn agree(app: &TestApp) {
    let broken = app.server.app().read(broken).await.unwrap();
    assert!(broken.is_empty(), "{}", broken.join(", "));
}
