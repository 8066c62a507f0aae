//! Discovery of bots and their services (spec §2.6, §4).

use svc_core::app::Ctx;
use svc_core::identity::Viewer;
use svc_core::page::Page;
use svc_core::select_services;
use svc_core::services::account;
use svc_core::services::service::{self, Record};
use svc_store::error::{Error, Result};
use svc_store::{row, sql, values};
use svc_types::api::bots::{
    Bot, BotPage, BotService, BotSort, Capabilities, DiscoverBots, GetCapabilities,
};
use svc_types::api::services::Acceptance;
use svc_types::credits::AMOUNT_MAX;
use svc_types::{Code, Credits, ServiceId, UserId};

use crate::http::Routes;

/// The endpoints of this feature.
pub fn routes() -> Routes {
    Routes::new().read(discover).read(capabilities)
}

fn capabilities(
    ctx: &mut Ctx<'_, '_>,
    caller: &Viewer,
    request: &GetCapabilities,
) -> Result<Capabilities> {
    let bot = account::find_visible(ctx, request.username.as_str(), caller.account())?;
    if !bot.is_agent {
        return Err(Error::refused(Code::NotFound, "the account is a person and offers nothing"));
    }
    if bot.is_paused {
        return Ok(Capabilities { capabilities: Vec::new() });
    }
    let records: Vec<Record> = ctx.tx.all(
        select_services!("where s.bot = $1 and s.active and s.deleted_at is null order by s.id"),
        values![bot.id],
    )?;
    let capabilities = records.into_iter().map(Record::capability).collect::<Result<_>>()?;
    Ok(Capabilities { capabilities })
}

/// Most services of a bot in a list of bots. Its capabilities include all of them.
const SERVICES_SHOWN: usize = 10;

/// A matching service with its bot and the rank of the bot.
struct Found {
    bot: UserId,
    username: String,
    display_name: String,
    avatar: Option<String>,
    best: i64,
    id: ServiceId,
    name: String,
    description: String,
    tags: String,
    price: Credits,
    ratings_count: i64,
    rating_tenths: i64,
    acceptance: Acceptance,
}
row!(Found {
    bot: "s.bot",
    username: "a.username",
    display_name: "a.display_name",
    avatar: "a.avatar",
    best: "found.best",
    id: "s.id",
    name: "s.name",
    description: "s.description",
    tags: "s.tags",
    price: "s.price",
    ratings_count: "s.ratings_count",
    rating_tenths: "s.rating_tenths",
    acceptance: "s.acceptance",
});

impl Found {
    fn into_api(self) -> Result<BotService> {
        Ok(BotService {
            name: self.name,
            price_credits: self.price,
            rating: service::stars(self.rating_tenths),
            id: self.id,
            ratings_count: self.ratings_count,
            description: self.description,
            tags: serde_json::from_str(&self.tags).map_err(Error::internal)?,
            acceptance: self.acceptance,
        })
    }
}

/// A page of bots, ordered by the best service of each.
fn discover(ctx: &mut Ctx<'_, '_>, _: &Viewer, request: &DiscoverBots) -> Result<BotPage> {
    let page = Page::of(request, request.limit, request.cursor.as_ref(), 2)?;
    let (best, bot) = page.after_number()?.unwrap_or((i64::MIN, ""));
    let term = request.service.as_deref().unwrap_or("").to_lowercase();
    let price_max = request.max_price.map_or(AMOUNT_MAX, Credits::micros);
    let tenths_min = request.min_rating.map_or(0, |rating| i64::from(rating.half_steps()) * 5);
    let sort = request.sort.as_ref().unwrap_or(&BotSort::Relevance).as_str();
    // `cross join` and the bound on `id` make SQLite read each bot along the index of services.
    let found: Vec<Found> = ctx.tx.all(
        sql!(
            "select ",
            Found::COLUMNS,
            " from (
                select matched.bot, min(matched.place) as best
                from (
                    select v.bot, case
                        when $1 = 'price' then v.price
                        when $1 = 'rating' or $2 = '' then 50 - v.rating_tenths
                        when v.name_key = $2 then 50 - v.rating_tenths
                        when v.name_key like $3 escape '\\' then 150 - v.rating_tenths
                        when v.tags_key like $3 escape '\\' then 250 - v.rating_tenths
                        else 350 - v.rating_tenths end as place
                    from service v join account o on o.id = v.bot
                    where v.active and v.deleted_at is null and v.search_text like $3 escape '\\'
                        and v.price <= $4 and v.rating_tenths >= $5
                        and o.deleted_at is null and o.status <> 'suspended'
                        and o.paused_at is null
                ) matched
                group by matched.bot
                having min(matched.place) > $6 or min(matched.place) = $6 and matched.bot > $7
                order by best, matched.bot limit $8
             ) found
             cross join account a
             cross join service s
             where a.id = found.bot
                and s.bot = found.bot and s.id > '' and s.active and s.deleted_at is null
                and s.search_text like $3 escape '\\' and s.price <= $4 and s.rating_tenths >= $5
             order by found.best, found.bot, case when $1 = 'price' then s.price
                else 50 - s.rating_tenths end, s.id"
        ),
        values![sort, term, pattern(&term), price_max, tenths_min, best, bot, page.rows()],
    )?;
    let mut bots = grouped(found);
    let keys = |group: &Vec<Found>| vec![group[0].best.to_string(), group[0].bot.to_string()];
    let next_cursor = page.cut(&mut bots, keys);
    let bots = bots.into_iter().map(|group| bot_of(ctx, group)).collect::<Result<_>>()?;
    Ok(BotPage { bots, next_cursor })
}

/// The `like` pattern that matches texts containing `term`.
fn pattern(term: &str) -> String {
    let escaped = term.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    format!("%{escaped}%")
}

/// Groups services by bot, in their order.
fn grouped(found: Vec<Found>) -> Vec<Vec<Found>> {
    let mut groups: Vec<Vec<Found>> = Vec::new();
    for one in found {
        match groups.last_mut() {
            Some(group) if group[0].bot == one.bot => group.push(one),
            _ => groups.push(vec![one]),
        }
    }
    groups
}

fn bot_of(ctx: &Ctx<'_, '_>, group: Vec<Found>) -> Result<Bot> {
    let first = &group[0];
    let (username, display_name) = (first.username.clone(), first.display_name.clone());
    let avatar = account::avatar(ctx.app, &first.bot, first.avatar.as_deref());
    let shown = group.into_iter().take(SERVICES_SHOWN);
    let services = shown.map(Found::into_api).collect::<Result<_>>()?;
    Ok(Bot { username, services, display_name, avatar })
}
