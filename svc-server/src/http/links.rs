//! The way back from a provider: `/auth/callback/{provider}`, and the page that asks to confirm.
//!
//! A browser that is signed in to the account that began links at once. Where a key began, any other
//! browser is asked first, by a page that names both accounts: otherwise a stranger's URL would link
//! the visitor's account elsewhere to the stranger's account here.

use std::sync::Arc;

use axum::Router;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use axum::response::Response;
use axum::routing::get;
use http::header::SET_COOKIE;
use http::request::Parts;
use svc_core::app::Ctx;
use svc_core::identity::credentials::account as identify;
use svc_core::identity::{Account, Credentials};
use svc_core::services::attempt::Counter;
use svc_core::services::link::{self, Begun, Returned};
use svc_store::error::{Error, Refusal, Result};
use svc_types::Code;
use svc_types::api::links::LinkProvider;
use url::form_urlencoded;

use super::incoming::{self, Accepts, Allows, Incoming};
use super::pages::{Site, foreign_form, reply, show};
use super::refuse::carry;
use super::{cookie, credentials};
use crate::app::ServerApp;
use crate::pages::Flash;
use crate::pages::links as pages;
use crate::providers::{self, Answer, Foreign};

/// The page that asks to confirm.
const CONFIRM: &str = "/link";

/// Where people link accounts.
const SETTINGS: &str = "/settings/security";

/// Most bytes of an answer, and of the form.
const BYTES_MAX: usize = 16 * 1024;

type App = State<Arc<ServerApp>>;

/// The routes, outside of `/api`.
pub(super) fn router(site: &Arc<Site>) -> Router<Arc<ServerApp>> {
    let [asking, confirming] = [Arc::clone(site), Arc::clone(site)];
    let ask = move |State(app): App, request: Request| async move {
        ask(asking, app, request).await.unwrap_or_else(carry)
    };
    let confirm = move |State(app): App, request: Request| async move {
        confirm(confirming, app, request).await.unwrap_or_else(carry)
    };
    Router::new()
        .route("/auth/callback/{provider}", get(come_back))
        .route(CONFIRM, get(ask).post(confirm))
}

/// Takes the answer of a provider.
async fn come_back(
    State(app): App,
    provider: Result<Path<String>, PathRejection>,
    request: Request,
) -> Response {
    let Ok(Path(provider)) = provider else { return super::routes::invalid_path() };
    let (parts, _) = request.into_parts();
    returned(&app, &parts, LinkProvider::from(provider.as_str())).await.unwrap_or_else(carry)
}

async fn returned(app: &Arc<ServerApp>, parts: &Parts, provider: LinkProvider) -> Result<Response> {
    if matches!(provider, LinkProvider::Other(_)) {
        return Err(Error::not_found("provider"));
    }
    link::require(app, &provider)?;
    let query = Query::of(parts)?;
    let returned = Returned { provider: provider.clone(), state: query.state.clone() };
    let begun = take(app, parts, returned).await?;
    let answer = query.answer(&provider)?;
    let foreign = providers::prove(app, &provider, &answer, &begun).await?;
    finish(app, parts, provider, begun, foreign).await
}

/// The parameters of an answer (RFC 6749, 4.1.2).
struct Query {
    state: String,
    code: Option<String>,
    issuer: Option<String>,
    error: Option<String>,
}

impl Query {
    /// 400 without a state, and for parameters that stand twice.
    fn of(parts: &Parts) -> Result<Self> {
        let text = parts.uri.query().unwrap_or_default();
        if text.len() > BYTES_MAX {
            return Err(Error::invalid("state", "the answer is too long"));
        }
        let pairs: Vec<_> = form_urlencoded::parse(text.as_bytes()).collect();
        let one = |name: &str| {
            let mut found = pairs.iter().filter(|(own, _)| own == name);
            match (found.next(), found.next()) {
                (_, Some(_)) => {
                    Err(Error::invalid(name, format!("{name} must be given only once")))
                }
                (first, None) => Ok(first.map(|(_, text)| text.clone().into_owned())),
            }
        };
        let missing = || Error::invalid("state", "state is missing");
        let state = one("state")?.filter(|state| !state.is_empty()).ok_or_else(missing)?;
        Ok(Self { state, code: one("code")?, issuer: one("iss")?, error: one("error")? })
    }

    /// 400 where the person or the provider did not agree; 503 where the provider could not answer.
    fn answer(self, provider: &LinkProvider) -> Result<Answer> {
        let name = link::name(provider);
        let message = match (self.error.as_deref(), self.code) {
            (None, Some(code)) => return Ok(Answer { code, issuer: self.issuer }),
            (Some("access_denied"), _) => format!("you did not agree at {name}"),
            (Some(fault @ ("server_error" | "temporarily_unavailable")), _) => {
                return Err(providers::unavailable(provider, fault));
            }
            _ => format!("{name} did not agree"),
        };
        let hint = "nothing was linked; begin again if you want to";
        Err(Refusal::new(Code::ValidationFailed, message).hint(hint).into())
    }
}

/// The visitor's account.
fn visitor(ctx: &mut Ctx<'_, '_>, own: &Credentials) -> Result<Option<Account>> {
    match identify(ctx, own) {
        Ok(account) => Ok(Some(account)),
        Err(Error::Refused(refusal))
            if matches!(refusal.code, Code::Unauthorized | Code::AccountDeleted) =>
        {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// Takes the link that an answer belongs to. Made-up answers are refused without a transaction.
async fn take(app: &Arc<ServerApp>, parts: &Parts, returned: Returned) -> Result<Begun> {
    let own = credentials::of_page(&app.config, &parts.headers);
    let (from, asked) = (incoming::address(parts), returned.clone());
    if !app.read(move |ctx| link::is_begun(ctx, &asked)).await? {
        return Err(link::expired());
    }
    let take = move |ctx: &mut Ctx<'_, '_>| {
        ctx.come_from(from);
        for counter in Counter::link_answers(ctx, ctx.network()) {
            counter.take(ctx)?;
        }
        let visitor = visitor(ctx, &own)?;
        link::take(ctx, &returned, visitor.as_ref().map(|account| &account.id))
    };
    app.write(take).await
}

/// Links at once in a browser of the account, and asks in any other.
async fn finish(
    app: &Arc<ServerApp>,
    parts: &Parts,
    provider: LinkProvider,
    begun: Begun,
    foreign: Foreign,
) -> Result<Response> {
    let own = credentials::of_page(&app.config, &parts.headers);
    let from = incoming::address(parts);
    let finish = move |ctx: &mut Ctx<'_, '_>| {
        ctx.come_from(from);
        let is_own = visitor(ctx, &own)?.is_some_and(|visitor| visitor.id == begun.account);
        if is_own {
            link::add(ctx, &begun.account, &provider, &foreign.subject)?;
            return Ok(None);
        }
        if begun.by_session {
            return Err(link::expired());
        }
        link::offer(ctx, &begun.account, &provider, &foreign.subject, &foreign.name).map(Some)
    };
    if let Some(token) = app.write(finish).await? {
        return Ok(reply::see(&format!("{CONFIRM}?token={token}")));
    }
    let mut response = reply::see(SETTINGS);
    let flash = cookie::set_flash(&app.config, Flash::Linked.word());
    response.headers_mut().append(SET_COOKIE, flash);
    Ok(response)
}

/// Asks to confirm. Opening the page changes nothing.
async fn ask(site: Arc<Site>, app: Arc<ServerApp>, request: Request) -> Result<Response> {
    let (parts, _) = request.into_parts();
    let token = token_of(parts.uri.query().unwrap_or_default().as_bytes())?;
    let asked = token.clone();
    let offer = app.read(move |ctx| link::find_offer(ctx, &asked)).await?;
    show(&site, &app, &parts, move |context, request| pages::ask(context, request, &offer, &token))
        .await
}

/// Links what was confirmed.
async fn confirm(site: Arc<Site>, app: Arc<ServerApp>, request: Request) -> Result<Response> {
    let (parts, body) = request.into_parts();
    if !credentials::is_same_site(&parts.headers) {
        return Err(foreign_form());
    }
    let accepts = Accepts {
        bytes_max: BYTES_MAX,
        is_type: |essence| essence == "application/x-www-form-urlencoded",
        refusal: ["the body must be a form", "send the form of the page as it is"],
    };
    let mut incoming = Incoming { parts, body, path: Vec::new(), allows: Allows::default() };
    let token = token_of(&incoming::read(&mut incoming, &accepts).await?)?;
    let (parts, asked) = (incoming.parts, token.clone());
    let offer = app.read(move |ctx| link::find_offer(ctx, &asked)).await?;
    let from = incoming::address(&parts);
    let confirm = move |ctx: &mut Ctx<'_, '_>| {
        ctx.come_from(from);
        link::confirm(ctx, &token)
    };
    app.write(confirm).await?;
    show(&site, &app, &parts, move |context, request| pages::done(context, request, &offer)).await
}

/// The token of a query or form; 400 without.
fn token_of(pairs: &[u8]) -> Result<String> {
    let mut pairs = form_urlencoded::parse(pairs);
    let token = pairs.find(|(name, _)| name == "token").map(|(_, token)| token.into_owned());
    token.filter(|token| !token.is_empty()).ok_or_else(link::expired)
}
