//! Discovery of bots and their services (spec §2.6, §4).

mod best;
mod search;

use std::sync::Arc;

use svc_core::app::Ctx;
use svc_core::identity::Viewer;
use svc_core::page::Page;
use svc_core::select_services;
use svc_core::services::discovery::Ladder;
use svc_core::services::figure::Figures;
use svc_core::services::oauth::signing;
use svc_core::services::service::{self, Record};
use svc_core::services::{account, post, reputation, review};
use svc_store::error::{Error, Result};
use svc_store::{row, values};
use svc_types::api::bots::{
    Bot, BotPage, BotService, Capabilities, DiscoverBots, GetCapabilities, GetReputation,
    ListBotReviews, ReputationEnvelope,
};
use svc_types::api::orders::ReviewPage;
use svc_types::api::services::{Acceptance, ServiceCategory};
use svc_types::{Code, Credits, Handle, ServiceId, UserId};

use self::search::search;
use crate::app::ServerApp;
use crate::http::Routes;

/// The endpoints of this feature.
pub fn routes() -> Routes {
    Routes::new()
        .read(discover)
        .read(capabilities)
        .read(reviews)
        .read_after(make_keys, show_reputation)
}

/// The bot that a caller asks about, else 404.
fn bot(ctx: &mut Ctx<'_, '_>, caller: &Viewer, username: &Handle) -> Result<account::Record> {
    let bot = account::find_visible(ctx, username.as_str(), caller.account())?;
    if bot.is_agent {
        return Ok(bot);
    }
    Err(Error::refused(Code::NotFound, "the account is a person and offers nothing"))
}

fn reviews(ctx: &mut Ctx<'_, '_>, caller: &Viewer, request: &ListBotReviews) -> Result<ReviewPage> {
    let bot = bot(ctx, caller, &request.username)?;
    let page = Page::of(request, request.limit, request.cursor.as_ref(), 1)?;
    review::of_bot(ctx, &page, &bot.id)
}

/// Makes the keys that sign, at their first use.
async fn make_keys(app: Arc<ServerApp>) -> Result<()> {
    signing::ensure(&app.core()).await
}

fn show_reputation(
    ctx: &mut Ctx<'_, '_>,
    caller: &Viewer,
    request: &GetReputation,
) -> Result<ReputationEnvelope> {
    let bot = bot(ctx, caller, &request.username)?;
    let reputation = reputation::of(ctx, &bot.id)?;
    let attestation = reputation::attest(ctx, &bot.id, &reputation)?;
    Ok(ReputationEnvelope { reputation, attestation })
}

fn capabilities(
    ctx: &mut Ctx<'_, '_>,
    caller: &Viewer,
    request: &GetCapabilities,
) -> Result<Capabilities> {
    let bot = bot(ctx, caller, &request.username)?;
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
    category: ServiceCategory,
    languages: String,
    completed: i64,
    failed: i64,
    median_ms: Option<i64>,
    p95_ms: Option<i64>,
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
    category: "s.category",
    languages: "s.languages",
    completed: "f.completed",
    failed: "f.failed",
    median_ms: "f.median_ms",
    p95_ms: "f.p95_ms",
});

impl Found {
    /// The service, and why a term found it.
    fn into_api(self, ladder: &Ladder) -> Result<BotService> {
        let tags = service::texts(&self.tags)?;
        let matched = match ladder.term.as_str() {
            "" => None,
            _ => ladder.explain(&self.name, &tags, &self.description),
        };
        let Self { completed, failed, median_ms, p95_ms, .. } = self;
        let figures = Figures { completed, failed, median_ms, p95_ms };
        Ok(BotService {
            name: self.name,
            price_credits: self.price,
            rating: service::stars(self.rating_tenths),
            id: self.id,
            ratings_count: self.ratings_count,
            description: self.description,
            tags,
            acceptance: self.acceptance,
            category: self.category,
            languages: service::texts(&self.languages)?,
            orders_done: completed,
            median_answer_seconds: figures.median_seconds(),
            p95_answer_seconds: figures.p95_seconds(),
            success_rate: figures.success_rate(),
            matched,
        })
    }
}

/// A page of bots, ordered by the best service of each.
fn discover(ctx: &mut Ctx<'_, '_>, _: &Viewer, request: &DiscoverBots) -> Result<BotPage> {
    if request.language.as_deref().is_some_and(|language| !post::is_language(language)) {
        let message = "language must be a BCP 47 tag such as en or pt-BR";
        return Err(Error::invalid("language", message));
    }
    let page = Page::of(request, request.limit, request.cursor.as_ref(), 3)?;
    let term = request.service.as_deref().unwrap_or("");
    let mut ladder = Ladder::of(term, &ctx.app.synonyms);
    let first = page.after.as_ref().map_or(Rung::Above, |keys| Rung::of(&keys[2]));
    let (mut found, mut rung) = (Vec::new(), first);
    for lower in Rung::ALL.into_iter().filter(|lower| *lower >= first) {
        if lower.extend(&mut ladder, ctx)? {
            (found, rung) = (search(ctx, request, &ladder, &page)?, lower);
        }
        if !found.is_empty() || page.after.is_some() {
            break;
        }
    }
    let mut bots = grouped(found);
    let keys = |group: &Vec<Found>| {
        vec![group[0].best.to_string(), group[0].bot.to_string(), rung.word().to_owned()]
    };
    let next_cursor = page.cut(&mut bots, keys);
    let bots = bots.into_iter().map(|group| bot_of(ctx, group, &ladder)).collect::<Result<_>>()?;
    Ok(BotPage { bots, next_cursor })
}

/// How far down the ladder a list goes, which its cursor says. A lower rung is only tried when those
/// above find nothing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rung {
    /// Exact words, other forms and synonyms.
    Above,
    /// Misspelt words.
    Near,
    /// Services with a similar meaning.
    Meaning,
}

impl Rung {
    const ALL: [Self; 3] = [Self::Above, Self::Near, Self::Meaning];

    const fn word(self) -> &'static str {
        match self {
            Self::Above => "above",
            Self::Near => "near",
            Self::Meaning => "meaning",
        }
    }

    fn of(word: &str) -> Self {
        Self::ALL.into_iter().find(|rung| rung.word() == word).unwrap_or(Self::Above)
    }

    /// Extends a ladder to this rung; false if that adds nothing to search for.
    fn extend(self, ladder: &mut Ladder, ctx: &mut Ctx<'_, '_>) -> Result<bool> {
        match self {
            Self::Above => Ok(true),
            Self::Near => ladder.add_near(ctx),
            Self::Meaning => ladder.add_meaning(ctx),
        }
    }
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

fn bot_of(ctx: &Ctx<'_, '_>, group: Vec<Found>, ladder: &Ladder) -> Result<Bot> {
    let first = &group[0];
    let (username, display_name) = (first.username.clone(), first.display_name.clone());
    let avatar = account::avatar(ctx.app, &first.bot, first.avatar.as_deref());
    let shown = group.into_iter().take(SERVICES_SHOWN);
    let services = shown.map(|one| one.into_api(ladder)).collect::<Result<_>>()?;
    Ok(Bot { username, services, display_name, avatar })
}
