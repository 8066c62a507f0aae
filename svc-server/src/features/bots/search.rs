//! The statement that finds services by term and filters, with the best bots first.

use svc_core::app::Ctx;
use svc_core::page::Page;
use svc_core::services::discovery::Ladder;
use svc_core::services::service::name_key;
use svc_store::db::Sql;
use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::Credits;
use svc_types::api::bots::{BotSort, DiscoverBots};
use svc_types::credits::AMOUNT_MAX;

use super::Found;

/// What a request wants of each service beside a term, as the statements ask for it.
pub(super) struct Filters {
    pub(super) price_max: i64,
    pub(super) tenths_min: i64,
    /// Patterns of the wanted language, and of its regions and scripts.
    pub(super) same: String,
    pub(super) narrower: String,
    pub(super) ms_max: Option<i64>,
    /// The least share of successful orders, in thousandths.
    pub(super) success_min: Option<i64>,
}

impl Filters {
    pub(super) fn of(request: &DiscoverBots) -> Self {
        let language = request.language.as_deref().map(str::to_lowercase);
        let (same, narrower) = match &language {
            Some(tag) => (format!("%\"{tag}\"%"), format!("%\"{tag}-%")),
            None => ("%".to_owned(), "%".to_owned()),
        };
        Self {
            price_max: request.max_price.map_or(AMOUNT_MAX, Credits::micros),
            tenths_min: request.min_rating.map_or(0, |rating| i64::from(rating.half_steps()) * 5),
            same,
            narrower,
            ms_max: request.max_answer_seconds.map(|seconds| i64::from(seconds.get()) * 1000),
            success_min: request.min_success.map(|share| i64::from(share.thousandths())),
        }
    }
}

/// Services by the words of the ladder, each with its best place.
const WORDED: &str = "with recursive slot (n) as (
        select 0 where length(cast($1 as text)) > 0
        union all select n + 1 from slot where (n + 2) * 130 <= length(cast($1 as text))
     ), variant as (
        select rtrim(substr(cast($1 as text), n * 130 + 1, 64)) as stem,
            rtrim(substr(cast($1 as text), n * 130 + 65, 64)) as word,
            substr(cast($1 as text), n * 130 + 129, 1) as of_word,
            cast(substr(cast($1 as text), n * 130 + 130, 1) as integer) as relation
        from slot
     ), hit as (
        select w.service, variant.of_word, min(15000 + 10000 * w.place + 30000 * case
            when variant.relation = 0 and w.word = variant.word then 0
            when variant.relation = 0 then 1
            else variant.relation end) as place
        from variant cross join service_word w
        where w.stem = variant.stem
        group by w.service, variant.of_word
     ), worded as (
        select hit.service, max(hit.place) as place from hit
        group by hit.service having count(*) = $2
     )";

/// The same, and the services that the ladder found by their meaning.
const REACHED: &str = "spot (n) as (
        select 0 where length(cast($3 as text)) > 0
        union all select n + 1 from spot where (n + 2) * 64 <= length(cast($3 as text))
     ), reached as (
        select worded.service, worded.place from worded
        union all
        select rtrim(substr(cast($3 as text), n * 64 + 1, 64)), 135000 + 10000 * n from spot
     )";

/// Those of them that the filters admit, each with its place in the order that was asked for.
const MATCHED: &str = "matched as materialized (
        select v.id, v.bot, case
            when $4 = 'price' then v.price
            when $4 = 'orders' then 0 - f.completed
            when $4 = 'speed' then case
                when f.completed + f.failed >= 5 then coalesce(f.median_ms, 9999999999)
                else 9999999999 end
            when $4 = 'rating' or $5 = '' then 5000 - v.rating_rank
            when v.name_key = $5 then 5000 - v.rating_rank
            when v.name_key like $6 escape '\\' then 15000 - v.rating_rank
            when v.tags_key like $6 escape '\\' then 25000 - v.rating_rank
            when v.search_text like $6 escape '\\' then 35000 - v.rating_rank
            else reached.place - v.rating_rank end as place
        from service v
        join account o on o.id = v.bot
        join figure f on f.id = v.id
        left join reached on reached.service = v.id
        where v.active and v.deleted_at is null
            and (reached.service is not null or v.search_text like $6 escape '\\')
            and v.price <= $7 and v.rating_tenths >= $8
            and (cast($9 as text) is null or v.category = $9)
            and (lower(v.languages) like $10 or lower(v.languages) like $11)
            and (cast($12 as bigint) is null
                or f.completed + f.failed >= 5 and f.median_ms <= $12)
            and (cast($13 as bigint) is null or f.completed + f.failed >= 5
                and f.completed * 1000 >= $13 * (f.completed + f.failed))
            and o.deleted_at is null and o.status <> 'suspended'
            and o.paused_at is null and o.allow_service_requests
     )";

/// The bots of a page with their services. `cross join` makes SQLite begin with the bots of the page.
const SEARCH: Sql = sql!(
    WORDED,
    ", ",
    REACHED,
    ", ",
    MATCHED,
    " select ",
    Found::COLUMNS,
    " from (
        select matched.bot, min(matched.place) as best from matched
        group by matched.bot
        having min(matched.place) > $14 or min(matched.place) = $14 and matched.bot > $15
        order by best, matched.bot limit $16
     ) found
     cross join account a
     cross join matched offer
     cross join service s
     cross join figure f
     where a.id = found.bot and offer.bot = found.bot and s.id = offer.id and f.id = offer.id
     order by found.best, found.bot, offer.place, s.id"
);

/// Services that match, grouped by bot, the best of each first. Each place is a multiple of 10,000 by where
/// a term matches: 30,000 for each rung of the ladder, 10,000 for tag and 20,000 for description, less the
/// rank by ratings. Services found by meaning come in order of similarity.
///
/// The ladder's words and ids come in a text each, from which `slot` and `spot` cut them.
pub(super) fn search(
    ctx: &mut Ctx<'_, '_>,
    request: &DiscoverBots,
    ladder: &Ladder,
    page: &Page,
) -> Result<Vec<Found>> {
    let sort = request.sort.as_ref().unwrap_or(&BotSort::Relevance);
    if ladder.term.is_empty() && matches!(sort, BotSort::Relevance | BotSort::Rating) {
        return super::best::search(ctx, request, page);
    }
    let (best, bot) = page.after_number()?.unwrap_or((i64::MIN, ""));
    let Filters { price_max, tenths_min, same, narrower, ms_max, success_min } =
        Filters::of(request);
    ctx.tx.all(
        SEARCH,
        values![
            ladder.encoded(),
            ladder.words(),
            ladder.meant(),
            sort.as_str(),
            name_key(&ladder.term),
            pattern(&ladder.term),
            price_max,
            tenths_min,
            request.category,
            same,
            narrower,
            ms_max,
            success_min,
            best,
            bot,
            page.rows(),
        ],
    )
}

/// The `like` pattern that matches texts containing `term`.
fn pattern(term: &str) -> String {
    let escaped = term.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    format!("%{escaped}%")
}
