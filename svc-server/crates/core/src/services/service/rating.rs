//! Ratings of services by their buyers, and what they add to the figures of services and bots.

use svc_store::error::{Error, Result};
use svc_store::{row, sql, values};
use svc_types::{Code, EscrowId, Rating, ReviewId, ServiceId, Timestamp, UserId};

use crate::app::Ctx;
use crate::services::{account, visibility};

/// What gave a rating.
#[derive(Clone, Copy, Debug)]
pub enum Rated<'a> {
    /// The release of an escrow.
    Release(&'a EscrowId),
    /// A review.
    Review(&'a ReviewId),
}

impl Rated<'_> {
    const fn escrow(&self) -> Option<&EscrowId> {
        match self {
            Self::Release(escrow) => Some(*escrow),
            Self::Review(_) => None,
        }
    }

    const fn review(&self) -> Option<&ReviewId> {
        match self {
            Self::Review(review) => Some(*review),
            Self::Release(_) => None,
        }
    }
}

/// 403 for a rating by the owner of the agent, or by another agent of that owner.
pub fn own_rating() -> Error {
    Error::refused(Code::Forbidden, "an owner and their agents can't rate each other")
}

/// Counts a buyer's rating. Only the latest of each buyer counts, and none while the buyer is suspended.
pub fn rate(
    ctx: &mut Ctx<'_, '_>,
    service: &ServiceId,
    buyer: &UserId,
    rated: Rated<'_>,
    rating: Rating,
    at: Timestamp,
) -> Result<()> {
    let before = counted(ctx, service, buyer)?;
    let (half_steps, counts) = (i64::from(rating.half_steps()), before.buyer_counts);
    ctx.tx.execute(
        sql!(
            "insert into service_rating (service, buyer, bot, escrow, review, half_steps, at,
                counted)
             values ($1, $2, $3, $4, $5, $6, $7, $8)
             on conflict (service, buyer) do update
             set escrow = excluded.escrow, review = excluded.review,
                half_steps = excluded.half_steps, at = excluded.at, counted = excluded.counted"
        ),
        values![service, buyer, before.bot, rated.escrow(), rated.review(), half_steps, at, counts],
    )?;
    count_instead(ctx, service, buyer, &before, counts.then_some(half_steps))
}

/// Counts no rating of a buyer any more.
pub fn unrate(ctx: &mut Ctx<'_, '_>, service: &ServiceId, buyer: &UserId) -> Result<()> {
    let before = counted(ctx, service, buyer)?;
    let sql = sql!("delete from service_rating where service = $1 and buyer = $2");
    ctx.tx.execute(sql, values![service, buyer])?;
    count_instead(ctx, service, buyer, &before, None)
}

/// Counts a rating in half steps, or none, instead of what counted before.
fn count_instead(
    ctx: &mut Ctx<'_, '_>,
    service: &ServiceId,
    buyer: &UserId,
    before: &Counted,
    half_steps: Option<i64>,
) -> Result<()> {
    let (number, sum) = half_steps.map_or((0, 0), |half_steps| (1, half_steps));
    let more = number - before.number;
    add_rating(ctx, service, &before.bot, more, sum - before.sum)?;
    if more == 0 { Ok(()) } else { count_buyer(ctx, &before.bot, buyer, service, more) }
}

/// Keeps a buyer from being suspended until the transaction ends, so that whether their ratings count does not change.
pub fn hold_buyer(ctx: &mut Ctx<'_, '_>, buyer: &UserId) -> Result<()> {
    account::hold(ctx, buyer)
}

/// Locks the counters of who offers a service until the transaction ends, and so its ratings. The buyer comes first, as
/// in a suspension.
pub fn lock_ratings(ctx: &mut Ctx<'_, '_>, service: &ServiceId, buyer: &UserId) -> Result<()> {
    hold_buyer(ctx, buyer)?;
    let sql = sql!(
        "select id from figure
         where id = (select bot from service where id = $1) for no key update"
    );
    ctx.tx.lock(sql, values![service])
}

/// What a buyer's rating of a service counts: one or nothing.
struct Counted {
    /// Who offers the service.
    bot: UserId,
    number: i64,
    /// In half steps.
    sum: i64,
    /// Whether what the buyer rates it now is counted.
    buyer_counts: bool,
}
row!(Counted {
    bot: "s.bot",
    number: "case when r.counted = true then 1 else 0 end",
    sum: "case when r.counted = true then r.half_steps else 0 end",
    buyer_counts: visibility::RATING_INCLUDED,
});

/// What a buyer's rating counts. The ratings are locked until the transaction ends, and the buyer is not suspended
/// meanwhile.
fn counted(ctx: &mut Ctx<'_, '_>, service: &ServiceId, buyer: &UserId) -> Result<Counted> {
    lock_ratings(ctx, service, buyer)?;
    ctx.tx.one(
        sql!(
            "select ",
            Counted::COLUMNS,
            " from service s
             join account a on a.id = $1
             left join service_rating r on r.service = s.id and r.buyer = $1
             where s.id = $2"
        ),
        values![buyer, service],
    )
}

/// Changes the number and the sum of ratings.
fn add_rating(
    ctx: &mut Ctx<'_, '_>,
    service: &ServiceId,
    bot: &UserId,
    more: i64,
    sum: i64,
) -> Result<()> {
    // The mean in tenths of a step of 1, rounded half up: sum / 2 / count * 10.
    ctx.tx.execute(
        sql!(
            "update service
             set ratings_count = ratings_count + $1, ratings_sum = ratings_sum + $2,
                rating_tenths = case when ratings_count + $1 = 0 then 0 else
                    ((ratings_sum + $2) * 10 + (ratings_count + $1))
                        / (2 * (ratings_count + $1)) end
             where id = $3"
        ),
        values![more, sum, service],
    )?;
    let sql = sql!(
        "update figure set ratings_count = ratings_count + $1, ratings_sum = ratings_sum + $2
         where id = $3"
    );
    ctx.tx.execute(sql, values![more, sum, bot]).map(drop)
}

/// Counts a buyer who rates a service of an agent, unless another one of it was rated.
fn count_buyer(
    ctx: &mut Ctx<'_, '_>,
    bot: &UserId,
    buyer: &UserId,
    service: &ServiceId,
    more: i64,
) -> Result<()> {
    let sql = sql!(
        "update figure set buyers = buyers + $1
         where id = $2 and not exists (
            select 1 from service_rating r
            where r.bot = $2 and r.buyer = $3 and r.service <> $4 and r.counted = true)"
    );
    ctx.tx.execute(sql, values![more, bot, buyer, service]).map(drop)
}
