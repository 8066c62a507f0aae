//! Ratings that an account gave: the figures include none while it is suspended.
//!
//! Each row says whether it is counted, because a deletion changes nothing about it: who bought something and then left
//! had bought it.

use svc_store::db::{Value, slots};
use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::UserId;

use crate::app::Ctx;

/// SQL: whether the figures include what account `a` rates service `s` now. Until the place of a suspended account has
/// passed the rating, they do: if the suspension is lifted before, the place never comes there to put it back.
pub(in crate::services) const INCLUDED: &str =
    "(a.status <> 'suspended' or coalesce(a.counted_after < '6 ' || s.id, false))";

/// Counts an account's ratings of some services `more` times. Both the services and the figures of who offers them are
/// locked until the transaction ends.
pub(super) fn count(
    ctx: &mut Ctx<'_, '_>,
    account: &UserId,
    services: &[String],
    more: i64,
) -> Result<()> {
    lock(ctx, services)?;
    let mut values = values![more, account].to_vec();
    values.extend(slots(services));
    // A bot has a buyer as long as one rating of that buyer counts.
    if more > 0 {
        buyers(ctx, &values)?;
    }
    ratings(ctx, &values)?;
    mark(ctx, account, services, more > 0)?;
    if more < 0 {
        buyers(ctx, &values)?;
    }
    Ok(())
}

/// Locks the figures of who offers the services, and the services, as everywhere in the order of their ids.
fn lock(ctx: &mut Ctx<'_, '_>, services: &[String]) -> Result<()> {
    for sql in [
        sql!(
            "select id from figure
             where id in (select s.bot from service s where s.id in (",
            slots!(1),
            ")) order by id for no key update"
        ),
        sql!("select id from service where id in (", slots!(1), ") order by id for no key update"),
    ] {
        ctx.tx.lock(sql, &slots(services))?;
    }
    Ok(())
}

/// The number and the sum of ratings of the services, and of who offers them.
fn ratings(ctx: &mut Ctx<'_, '_>, values: &[Value<'_>]) -> Result<()> {
    for sql in [
        sql!(
            "update service set (ratings_count, ratings_sum, rating_tenths) = (
                select service.ratings_count + cast($1 as bigint),
                    service.ratings_sum + cast($1 as bigint) * r.half_steps,
                    case when service.ratings_count + cast($1 as bigint) = 0 then 0 else
                        ((service.ratings_sum + cast($1 as bigint) * r.half_steps) * 10
                            + service.ratings_count + cast($1 as bigint))
                            / (2 * (service.ratings_count + cast($1 as bigint))) end
                from service_rating r where r.service = service.id and r.buyer = $2
             )
             where id in (",
            slots!(3),
            ")"
        ),
        sql!(
            "update figure set ratings_count = ratings_count + cast($1 as bigint) * given.n,
                ratings_sum = ratings_sum + cast($1 as bigint) * given.total
             from (
                select r.bot, count(*) as n, cast(sum(r.half_steps) as bigint) as total
                from service_rating r
                where r.buyer = $2 and r.service in (",
            slots!(3),
            ") group by r.bot
             ) given
             where figure.id = given.bot"
        ),
    ] {
        ctx.tx.execute(sql, values)?;
    }
    Ok(())
}

/// The number of buyers of those who offer the services, of whom no rating by the account counts.
fn buyers(ctx: &mut Ctx<'_, '_>, values: &[Value<'_>]) -> Result<()> {
    let sql = sql!(
        "update figure set buyers = buyers + cast($1 as bigint)
         where not exists (
                select 1 from service_rating o
                where o.bot = figure.id and o.buyer = $2 and o.counted = true)
            and id in (select s.bot from service s where s.id in (",
        slots!(3),
        "))"
    );
    ctx.tx.execute(sql, values).map(drop)
}

fn mark(ctx: &mut Ctx<'_, '_>, account: &UserId, services: &[String], counted: bool) -> Result<()> {
    let mut values = values![counted, account].to_vec();
    values.extend(slots(services));
    let sql = sql!(
        "update service_rating set counted = $1 where buyer = $2 and service in (",
        slots!(3),
        ")"
    );
    ctx.tx.execute(sql, &values).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::services::visibility::kind::Kind;

    #[test]
    fn the_place_of_a_rating_is_that_of_its_kind() {
        assert!(INCLUDED.contains(&format!("'{} '", Kind::Ratings as usize)));
    }
}
