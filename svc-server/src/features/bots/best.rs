//! Bots in the order of the rank of their best service, which follows from its ratings, without a term: read along an
//! index, so that a page costs as much however many services there are.

use svc_core::app::Ctx;
use svc_core::page::Page;
use svc_store::db::Sql;
use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::api::bots::DiscoverBots;

use super::Found;
use super::search::Filters;

/// Above the rank of each service.
const RANK_MAX: i64 = 5_000;

/// What a service and its figures must be, by their aliases.
macro_rules! wanted {
    ($service:literal, $figure:literal) => {
        concat!(
            $service,
            ".active and ",
            $service,
            ".deleted_at is null
             and ",
            $service,
            ".price <= $3 and ",
            $service,
            ".rating_tenths >= $4
             and (cast($5 as text) is null or ",
            $service,
            ".category = $5)
             and (lower(",
            $service,
            ".languages) like $6 or lower(",
            $service,
            ".languages) like $7)
             and (cast($8 as bigint) is null or ",
            $figure,
            ".completed + ",
            $figure,
            ".failed >= 5 and ",
            $figure,
            ".median_ms <= $8)
             and (cast($9 as bigint) is null or ",
            $figure,
            ".completed + ",
            $figure,
            ".failed >= 5 and ",
            $figure,
            ".completed * 1000 >= $9 * (",
            $figure,
            ".completed + ",
            $figure,
            ".failed))"
        )
    };
}

const BEST: Sql = sql!(
    "select ",
    Found::COLUMNS,
    " from (
        select v.bot, 5000 - v.rating_rank as best
        from service v
        cross join account o
        cross join figure f
        where v.rating_rank <= $1 and (v.rating_rank < $1 or v.bot > $2)
            and o.id = v.bot and f.id = v.id and ",
    wanted!("v", "f"),
    "       and o.deleted_at is null and o.status <> 'suspended' and o.paused_at is null
            and o.allow_service_requests
            and not exists (
                select 1 from service b
                cross join figure g
                where b.bot = v.bot and g.id = b.id and ",
    wanted!("b", "g"),
    "               and (b.rating_rank > v.rating_rank
                        or b.rating_rank = v.rating_rank and b.id < v.id)
            )
        order by v.rating_rank desc, v.bot limit $10
     ) found
     cross join account a
     cross join service s
     cross join figure f
     where a.id = found.bot and s.bot = found.bot and f.id = s.id and ",
    wanted!("s", "f"),
    " order by found.best, found.bot, s.rating_rank desc, s.id"
);

/// The services of the bots of a page. A bot stands where its best service does: of two with the same
/// rank, the older.
pub(super) fn search(
    ctx: &mut Ctx<'_, '_>,
    request: &DiscoverBots,
    page: &Page,
) -> Result<Vec<Found>> {
    let Filters { price_max, tenths_min, same, narrower, ms_max, success_min } =
        Filters::of(request);
    let (rank, bot) = match page.after_number()? {
        Some((best, bot)) => (RANK_MAX.saturating_sub(best), bot),
        None => (i64::MAX, ""),
    };
    ctx.tx.all(
        BEST,
        values![
            rank,
            bot,
            price_max,
            tenths_min,
            request.category,
            same,
            narrower,
            ms_max,
            success_min,
            page.rows()
        ],
    )
}
