//! What browsers, feed readers and search engines look for beside the pages.

use std::iter;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::extract::{Request, State};
use axum::response::Response;
use axum::routing::get;
use http::header::{CACHE_CONTROL, HeaderMap, HeaderValue};
use http::request::Parts;
use serde_json::Map;
use svc_store::error::Result;
use svc_types::api::bots::{Bot, DiscoverBots};
use svc_types::api::services::ServiceCategory;
use svc_types::{Timestamp, wire};

use super::credentials;
use super::pages::{PageContext, Site, with_context};
use super::plain::response;
use super::refuse::carry;
use crate::app::ServerApp;
use crate::pages::assets;

/// The pages that a search engine begins with.
const ENTRY_PAGES: [&str; 6] = ["/", "/services", "/explore", "/feed", "/docs", "/about"];

/// Most pages in the sitemap. A search engine finds the others by their links.
const SITEMAP_PAGES_MAX: usize = 1000;

/// Agents in a page of the catalogue, and the most pages of it that the sitemap reads.
const BOTS_A_PAGE: u32 = 100;
const CATALOGUE_PAGES_MAX: usize = 5;

/// How long a sitemap counts as current.
const SITEMAP_LIFE: Duration = Duration::from_hours(1);

/// How long caches keep the sitemap, and everything else.
const HOUR: HeaderValue = HeaderValue::from_static("public, max-age=3600");
const DAY: HeaderValue = HeaderValue::from_static("public, max-age=86400");

/// The routes.
pub(super) fn routes(site: &Arc<Site>) -> Router<Arc<ServerApp>> {
    let sitemap = Arc::new(Sitemap { site: Arc::clone(site), made: Mutex::default() });
    let show = move |State(app): State<Arc<ServerApp>>, request: Request| {
        let sitemap = Arc::clone(&sitemap);
        async move {
            let (parts, _) = request.into_parts();
            sitemap.show(&app, &parts).await
        }
    };
    Router::new()
        .route("/favicon.ico", get(async || file("image/x-icon", assets::FAVICON.to_vec(), DAY)))
        .route("/robots.txt", get(robots))
        .route("/sitemap.xml", get(show))
        .route("/manifest.webmanifest", get(async || manifest()))
}

/// Search engines read the pages, and the pictures that previews of links show; programs read the
/// documents that `/llms.txt` names.
async fn robots(State(app): State<Arc<ServerApp>>) -> Response {
    let text = format!(
        "User-agent: *\nAllow: /api/media/\nAllow: /api/users/*/avatar\nAllow: /api/openapi.json\n\
         Allow: /api/asyncapi.json\nDisallow: /api/\nDisallow: /login\nDisallow: /report\n\
         Sitemap: {}/sitemap.xml\n",
        app.public_url
    );
    file("text/plain; charset=utf-8", text.into_bytes(), DAY)
}

/// The list of pages for search engines, and when it was made.
struct Sitemap {
    site: Arc<Site>,
    made: Mutex<Option<(Timestamp, String)>>,
}

impl Sitemap {
    async fn show(&self, app: &Arc<ServerApp>, parts: &Parts) -> Response {
        match self.current(app, parts).await {
            Ok(text) => file("application/xml", text.into_bytes(), HOUR),
            Err(error) => carry(error),
        }
    }

    async fn current(&self, app: &Arc<ServerApp>, parts: &Parts) -> Result<String> {
        let now = app.clock.now();
        if let Some(text) = self.kept(now) {
            return Ok(text);
        }
        // What a guest may see, no matter who asks first.
        let guest = credentials::of_page(&app.config, &HeaderMap::new());
        let paths = with_context(&self.site, app, parts, guest, paths).await?;
        let text = sitemap(&app.public_url, &paths);
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        *made = Some((now, text.clone()));
        Ok(text)
    }

    fn kept(&self, now: Timestamp) -> Option<String> {
        let made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        let (at, text) = made.as_ref()?;
        (now < at.plus(SITEMAP_LIFE)).then(|| text.clone())
    }
}

/// The pages of the sitemap: entries, categories, and agents with their services.
fn paths(context: &mut PageContext<'_>) -> Result<Vec<String>> {
    let mut paths: Vec<String> = ENTRY_PAGES.into_iter().map(str::to_owned).collect();
    paths.extend(ServiceCategory::WORDS.iter().map(|category| format!("/services/{category}")));
    paths.extend(agents(context)?);
    paths.truncate(SITEMAP_PAGES_MAX);
    Ok(paths)
}

/// The pages of agents in the catalogue and of their services. The agent with the newest service is
/// first; ids grow with time.
fn agents(context: &mut PageContext<'_>) -> Result<Vec<String>> {
    let mut asked: DiscoverBots = wire::decode_members(&Map::new())?;
    asked.limit = Some(BOTS_A_PAGE.into());
    let mut found = Vec::new();
    for _ in 0..CATALOGUE_PAGES_MAX {
        let page = context.ask(&asked)?;
        let names: Vec<&str> = page.bots.iter().map(|bot| bot.username.as_str()).collect();
        let listed = context.listed(&names)?;
        for bot in page.bots.iter().filter(|bot| listed.contains(&bot.username)) {
            let newest = bot.services.iter().map(|service| service.id.clone()).max();
            found.push((newest, pages_of(bot)));
        }
        asked.cursor = page.next_cursor;
        if asked.cursor.is_none() {
            break;
        }
    }
    found.sort_by(|(one, _), (other, _)| other.cmp(one));
    Ok(found.into_iter().flat_map(|(_, pages)| pages).collect())
}

/// The pages of an agent: its profile, and each service that the catalogue shows.
fn pages_of(bot: &Bot) -> Vec<String> {
    let profile = format!("/@{}", bot.username);
    let services = bot.services.iter().map(|service| format!("{profile}/services/{}", service.id));
    let services: Vec<String> = services.collect();
    iter::once(profile).chain(services).collect()
}

/// Paths as XML; a path of this site has no character that XML gives a meaning to.
fn sitemap(site: &str, paths: &[String]) -> String {
    let mut text = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n\
                    <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n"
        .to_owned();
    for path in paths {
        text.extend(["<url><loc>", site, path.as_str(), "</loc></url>\n"]);
    }
    text.push_str("</urlset>\n");
    text
}

fn manifest() -> Response {
    let icon = format!("/assets/{}", assets::ICON.name);
    let manifest = serde_json::json!({
        "name": "svc", "short_name": "svc", "start_url": "/", "display": "standalone",
        "background_color": "#f5f6f8", "theme_color": "#3257c9",
        "icons": [{ "src": icon, "type": "image/svg+xml", "sizes": "any" }],
    });
    file("application/manifest+json", manifest.to_string().into_bytes(), DAY)
}

fn file(content_type: &str, bytes: Vec<u8>, life: HeaderValue) -> Response {
    let mut response = response(content_type, bytes);
    response.headers_mut().insert(CACHE_CONTROL, life);
    response
}
