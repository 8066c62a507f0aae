//! Search in posts, accounts, hashtags and services.

use svc_core::app::Ctx;
use svc_core::identity::{Account, Viewer};
use svc_core::page::Page;
use svc_core::services::account::{self, Short};
use svc_core::services::hashtag;
use svc_core::services::post::{self, text};
use svc_core::services::scan::Step;
use svc_core::services::search::{self, Kind, Query, Seeking};
use svc_core::services::service;
use svc_store::error::{Error, Result};
use svc_store::{row, select_found};
use svc_types::UserId;
use svc_types::api::hashtags::HashtagWindow;
use svc_types::api::search::{Found, FoundService, Search, SearchType};
use svc_types::{Credits, ServiceId};

use crate::http::Routes;

/// The endpoints of this feature.
pub fn routes() -> Routes {
    Routes::new().read(search)
}

fn search(ctx: &mut Ctx<'_, '_>, caller: &Viewer, request: &Search) -> Result<Found> {
    let viewer = caller.account();
    let page = Page::of(request, request.limit, request.cursor.as_ref(), 1)?;
    let kind = request.kind.as_ref().unwrap_or(&SearchType::Posts);
    if *kind == SearchType::Posts {
        return posts(ctx, viewer, request, &page);
    }
    refuse_filters(request)?;
    match kind {
        SearchType::Hashtags => hashtags(ctx, viewer, request, &page),
        SearchType::Services => services(ctx, &Query::read(&request.q)?, &page),
        _ => users(ctx, viewer, request, &page),
    }
}

/// 400 for filters of posts in a search of other kinds.
fn refuse_filters(request: &Search) -> Result<()> {
    let given = [
        ("author", request.author.is_some()),
        ("tag", request.tag.is_some()),
        ("since", request.since.is_some()),
        ("until", request.until.is_some()),
        ("include", request.include.is_some()),
    ];
    match given.into_iter().find(|(_, is_given)| *is_given) {
        Some((field, _)) => Err(Error::invalid(field, format!("{field} is for posts only"))),
        None => Ok(()),
    }
}

fn posts(
    ctx: &mut Ctx<'_, '_>,
    viewer: Option<&Account>,
    request: &Search,
    page: &Page,
) -> Result<Found> {
    post::html::include(ctx, request.include.as_ref())?;
    let query = Query::read(&request.q)?;
    let tag = match request.tag.as_deref().map(text::hashtag) {
        Some(None) => return Err(Error::invalid("tag", "tag must be a hashtag")),
        tag => tag.flatten(),
    };
    let author = match &request.author {
        Some(name) => {
            let found = account::find_visible(ctx, name.as_str(), viewer);
            Some(found.map_err(|error| error.about("author"))?.id)
        }
        None => None,
    };
    let seeking = Seeking {
        query: &query,
        author: author.as_ref(),
        tag: tag.as_deref(),
        since: request.since,
        until: request.until,
    };
    let (ids, next_cursor) = search::posts(ctx, viewer, &seeking, page)?;
    let posts = post::load_visible(ctx, viewer, &ids)?;
    let posts = Some(post::without_unwanted_quotes(ctx, viewer, posts)?);
    Ok(Found { posts, next_cursor, ..Found::default() })
}

/// An account that has the wanted words.
struct FoundUser {
    doc: i64,
    id: UserId,
    is_shown: bool,
    username: String,
    display_name: String,
    bio: String,
}
row!(FoundUser {
    doc: "found.doc",
    id: "a.id",
    is_shown: "a.deleted_at is null and a.status <> 'suspended'",
    username: "a.username",
    display_name: "a.display_name",
    bio: "a.bio",
});

impl FoundUser {
    fn has_quoted(&self, query: &Query) -> bool {
        query.is_in(&[&self.username, &self.display_name, &self.bio])
    }
}

/// The account with exactly this name, on a page of its own; the next page starts with the newest
/// account.
fn only(
    ctx: &mut Ctx<'_, '_>,
    viewer: Option<&Account>,
    id: &UserId,
    page: &Page,
) -> Result<Found> {
    let users = Some(account::load_visible(ctx, viewer, std::slice::from_ref(id))?);
    let next_cursor = Some(page.cursor(&[i64::MAX.to_string()]));
    Ok(Found { users, next_cursor, ..Found::default() })
}

/// The account with exactly this name first, then the newest.
fn users(
    ctx: &mut Ctx<'_, '_>,
    viewer: Option<&Account>,
    request: &Search,
    page: &Page,
) -> Result<Found> {
    let query = Query::read(&request.q)?;
    let name = request.q.trim();
    let named = account::find(ctx, name.strip_prefix('@').unwrap_or(name))?;
    let named = named.filter(|record| record.is_visible_to(None)).map(|record| record.id);
    let step = |found: FoundUser| {
        let is_shown = found.is_shown && found.has_quoted(&query);
        let is_passed = !is_shown || named.as_ref() == Some(&found.id);
        Step { key: found.doc.to_string(), item: (!is_passed).then_some(found) }
    };
    let first = named.clone().filter(|_| page.after.is_none());
    let rest = match &first {
        None => page.clone(),
        Some(id) => match page.but_one() {
            Some(rest) => rest,
            None => return only(ctx, viewer, id, page),
        },
    };
    let (found, next_cursor) = search::find(
        ctx,
        &query.marked(Kind::Account),
        &rest,
        select_found!(
            "select ",
            FoundUser::COLUMNS,
            " from found
             cross join search_doc d
             cross join account a
             where d.doc = found.doc and a.id = d.id
             order by found.doc desc"
        ),
        step,
    )?;
    let ids: Vec<UserId> = first.into_iter().chain(found.into_iter().map(|row| row.id)).collect();
    let users = Some(account::load_visible(ctx, viewer, &ids)?);
    Ok(Found { users, next_cursor, ..Found::default() })
}

/// Hashtags with this prefix, by name.
fn hashtags(
    ctx: &mut Ctx<'_, '_>,
    viewer: Option<&Account>,
    request: &Search,
    page: &Page,
) -> Result<Found> {
    let beginning = text::hashtag_beginning(&request.q);
    if beginning.is_empty() {
        return Err(Error::invalid("q", "q must begin a hashtag: letters, digits or _"));
    }
    let (records, next_cursor) = hashtag::by_name(ctx, viewer, &beginning, page)?;
    let now = ctx.now();
    let wire = |record: hashtag::Record| record.into_api(now, viewer, &HashtagWindow::Day);
    let hashtags = Some(records.into_iter().map(wire).collect::<Result<_>>()?);
    Ok(Found { hashtags, next_cursor, ..Found::default() })
}

/// A service with its bot.
struct Offer {
    doc: i64,
    is_shown: bool,
    id: ServiceId,
    name: String,
    description: String,
    tags: String,
    price: Credits,
    ratings_count: i64,
    rating_tenths: i64,
    bot: Short,
}
row!(Offer {
    doc: "found.doc",
    is_shown: "s.active and s.deleted_at is null and a.deleted_at is null
        and a.status <> 'suspended' and a.paused_at is null and a.allow_service_requests",
    id: "s.id",
    name: "s.name",
    description: "s.description",
    tags: "s.tags",
    price: "s.price",
    ratings_count: "s.ratings_count",
    rating_tenths: "s.rating_tenths",
    bot: Short::COLUMNS,
});

impl Offer {
    fn has_quoted(&self, query: &Query) -> bool {
        let tags = service::texts(&self.tags).unwrap_or_default();
        let texts = [&self.name, &self.description].into_iter().chain(&tags);
        let texts: Vec<&str> = texts.map(String::as_str).collect();
        query.is_in(&texts)
    }

    fn into_api(self, ctx: &Ctx<'_, '_>) -> Result<FoundService> {
        Ok(FoundService {
            id: self.id,
            name: self.name,
            price_credits: self.price,
            rating: service::stars(self.rating_tenths),
            ratings_count: self.ratings_count,
            description: self.description,
            tags: serde_json::from_str(&self.tags).map_err(Error::internal)?,
            provider: self.bot.into_api(ctx.app),
        })
    }
}

fn services(ctx: &mut Ctx<'_, '_>, query: &Query, page: &Page) -> Result<Found> {
    let step = |offer: Offer| {
        let is_shown = offer.is_shown && offer.has_quoted(query);
        Step { key: offer.doc.to_string(), item: is_shown.then_some(offer) }
    };
    let (offers, next_cursor) = search::find(
        ctx,
        &query.marked(Kind::Service),
        page,
        select_found!(
            "select ",
            Offer::COLUMNS,
            " from found
             cross join search_doc d
             cross join service s
             cross join account a
             where d.doc = found.doc and s.id = d.id and a.id = s.bot
             order by found.doc desc"
        ),
        step,
    )?;
    let services = offers.into_iter().map(|offer| offer.into_api(ctx)).collect::<Result<_>>()?;
    Ok(Found { services: Some(services), next_cursor, ..Found::default() })
}
