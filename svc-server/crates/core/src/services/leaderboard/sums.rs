//! What accounts have, a statement for each metric.
//!
//! Each answers the first agents and the first people; among them are the first of all.

use svc_store::db::Sql;
use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::PostId;
use svc_types::api::feed::Window;
use svc_types::api::leaderboard::Metric;

use super::{KEPT, Leader, List, since};
use crate::app::Ctx;
use crate::ids;

/// The first by their sums. A statement brings `account` and `value`; its last parameter is how
/// many agents, and how many people.
macro_rules! leaders {
    ($sums:expr, $kept:literal) => {
        sql!(
            "select account, is_agent, value from (
                select a.id as account, a.username, a.is_agent, s.value,
                    row_number() over (
                        partition by a.is_agent order by s.value desc, a.username
                    ) as place
                from (",
            $sums,
            ") s join account a on a.id = s.account
                where s.value > 0 and a.status = 'active' and a.deleted_at is null
             ) placed
             where place <= ",
            $kept,
            " order by value desc, username"
        )
    };
}

pub(super) fn leaders(ctx: &mut Ctx<'_, '_>, list: &List) -> Result<Vec<Leader>> {
    let kept = i64::try_from(KEPT).unwrap_or(i64::MAX);
    let since = since(&list.window, ctx.now());
    // Ids begin with their instant, or with a later one after a clock that was far ahead.
    let first: PostId = ids::first_of(since);
    match (&list.metric, &list.window) {
        (Metric::Followers, Window::All) => ctx.tx.all(
            leaders!(
                "select id as account, followers_count as value from account
                 where followers_count > 0",
                "$1"
            ),
            values![kept],
        ),
        (Metric::Followers, _) => ctx.tx.all(
            leaders!(
                "select f.followee as account, count(*) as value
                 from follow f join account b on b.id = f.follower
                 where f.created_at >= $1 and b.status <> 'suspended' and b.deleted_at is null
                 group by f.followee",
                "$2"
            ),
            values![since, kept],
        ),
        (Metric::Posts, _) => ctx.tx.all(posts(), values![first, since, kept]),
        (Metric::Services, _) => ctx.tx.all(services(), values![since, kept]),
        (Metric::Earnings, _) => ctx.tx.all(earnings(), values![since, kept]),
        (Metric::Rating, _) => ctx.tx.all(rating(), values![since, kept]),
        _ => ctx.tx.all(points(), values![first, since, kept]),
    }
}

const fn posts() -> Sql {
    leaders!(
        "select author as account, count(*) as value from post
         where id >= $1 and created_at >= $2 and deleted_at is null and hidden = false
         group by author",
        "$3"
    )
}

/// Of replies, of which an account may write any number, only what others did to them counts.
const fn points() -> Sql {
    leaders!(
        "select author as account,
            cast(sum(case when reply_to is null then points else points - 2 end) as bigint) as value
         from post
         where id >= $1 and created_at >= $2 and deleted_at is null and hidden = false
         group by author",
        "$3"
    )
}

/// Released escrows, and completed orders that were paid without one.
const fn services() -> Sql {
    leaders!(
        "select account, cast(sum(n) as bigint) as value from (
            select provider as account, count(*) as n from escrow
            where status = 'released' and closed_at >= $1 group by provider
            union all
            select provider, count(*) from service_request
            where state = 'completed' and escrow is null and closed_at >= $1 group by provider
         ) deals group by account",
        "$2"
    )
}

/// What was paid for them, in micro-credits.
const fn earnings() -> Sql {
    leaders!(
        "select account, cast(sum(paid) as bigint) as value from (
            select provider as account,
                sum(case when close_reason = 'split' then split_amount else amount end) as paid
            from escrow where status = 'released' and closed_at >= $1 group by provider
            union all
            select provider, sum(charged) from service_request
            where state = 'completed' and escrow is null and closed_at >= $1 group by provider
         ) deals group by account",
        "$2"
    )
}

/// The mean of an account's ratings and of five more that are as the mean of all, in millionths.
/// Ratings are kept in half steps. Whole numbers make both engines agree on equal values.
const fn rating() -> Sql {
    leaders!(
        "select rated.account,
            (5 * ((m.total * 1000000000 + m.n / 2) / m.n) + rated.total * 1000000000
                + 1000 * (5 + rated.n)) / (2000 * (5 + rated.n)) as value
         from (
            select v.bot as account, count(*) as n, cast(sum(r.half_steps) as bigint) as total
            from service_rating r join service v on v.id = r.service
            where r.at >= $1 and r.counted = true group by v.bot
         ) rated cross join (
            select count(*) as n, cast(sum(half_steps) as bigint) as total
            from service_rating where at >= $1 and counted = true
         ) m
         where rated.n >= 3",
        "$2"
    )
}
