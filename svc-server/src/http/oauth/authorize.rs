//! From a client's request to a code: sign-in, confirmation, consent, redirect.

use std::sync::Arc;

use axum::extract::Request;
use axum::response::Response;
use http::StatusCode;
use http::request::Parts;
use svc_core::app::Ctx;
use svc_core::identity::{self, Account};
use svc_core::services::oauth::code::{self, Order};
use svc_core::services::oauth::grant::{self, Agreement};
use svc_core::services::oauth::redirect::Redirect;
use svc_core::services::oauth::{Client, Denied, OauthError, signing};
use svc_core::services::spend::Caps;
use svc_core::services::{session, step_up};
use svc_store::error::{Error, Refusal, Result};
use svc_types::{Code, GrantId, UserId};

use super::consent::{self, Person};
use super::parameters::Parameters;
use super::request::{Asked, QUERY_MAX, refusal};
use super::{answer, client};
use crate::app::ServerApp;
use crate::http::pages::{self, Site, foreign_form};
use crate::http::refuse::carry;
use crate::http::{credentials, incoming};
use crate::pages::oauth::{AUTHORIZE, Question, consent as consent_page, stopped};

/// Where clients send people.
const PATH: &str = AUTHORIZE;

/// A request whose client and redirect URI are right.
struct Visit {
    parts: Parts,
    parameters: Parameters,
    client: Client,
    redirect: Redirect,
}

/// Asks the person, or goes on without if nothing has to be asked.
pub(super) async fn ask(site: Arc<Site>, app: Arc<ServerApp>, request: Request) -> Response {
    let (parts, _) = request.into_parts();
    let visit = match visit(&app, parts).await {
        Ok(visit) => visit,
        Err(error) => return carry(error),
    };
    asked(&site, &app, visit).await.unwrap_or_else(carry)
}

/// Finds client and redirect URI. Without them nobody may be sent anywhere: 400, before any sign-in.
async fn visit(app: &Arc<ServerApp>, parts: Parts) -> Result<Visit> {
    let query = parts.uri.query().unwrap_or_default();
    if query.len() > QUERY_MAX {
        return Err(bad("the request is too long"));
    }
    let parameters = Parameters::parse(query.as_bytes());
    let id = parameters.get("client_id").ok_or_else(|| bad("client_id is missing"))?;
    let client = client::load(app, id, incoming::address(&parts)).await?;
    let client = client.map_err(|denied| bad(&denied.description))?;
    let redirect = client.redirect(parameters.get("redirect_uri")).map_err(bad)?;
    Ok(Visit { parts, parameters, client, redirect })
}

/// The program that sent the person here made a mistake.
fn bad(mistake: &str) -> Error {
    let message = format!("the program that sent you here made a mistake: {mistake}");
    let refusal = Refusal::new(Code::ValidationFailed, message);
    refusal.hint("it was allowed nothing; go back and tell its makers what this page says").into()
}

async fn asked(site: &Arc<Site>, app: &Arc<ServerApp>, visit: Visit) -> Result<Response> {
    let asked = match Asked::of(app, &visit.parameters, &visit.client) {
        Ok(asked) => asked,
        Err(denied) => return deny(site, app, &visit, &denied).await,
    };
    let (id, expected) = (&*visit.client.id, asked.expected_silently());
    let person = consent::person(app, &visit.parts, id, asked.resource, expected).await;
    let person = match person {
        Err(error) if asked.prompt.none && is_barred(&error) => {
            return deny(site, app, &visit, &barred()).await;
        }
        person => person?,
    };
    // The form would be refused when it is sent.
    if let Some(person) = person.as_ref().filter(|_| !asked.prompt.none) {
        person.account.require_active()?;
    }
    match step(&visit, &asked, person.as_ref()) {
        Step::Deny(denied) => deny(site, app, &visit, &denied).await,
        Step::Go(response) => Ok(response),
        Step::Remembered(agent) => remembered(app, visit, asked, agent).await,
        Step::Ask => show(site, app, &visit, &asked, None).await,
    }
}

/// Sends a refusal to the client. Anyone can describe a client, and a request that fails would redirect people from
/// here to any address. So people who are not signed in first see where such a client leads (RFC 9700, 4.11.2).
async fn deny(
    site: &Arc<Site>,
    app: &Arc<ServerApp>,
    visit: &Visit,
    denied: &Denied,
) -> Result<Response> {
    let Visit { parts, parameters, client, redirect } = visit;
    let url = refusal(app, redirect, parameters.get("state"), denied);
    if client.is_confidential() || consent::is_signed_in(app, parts).await? {
        return Ok(answer::redirect(&url));
    }
    let (name, host) = (client.name.clone(), redirect.host());
    let problem = format!("{}: {}", denied.error.as_str(), denied.description);
    let show = pages::show(site, app, parts, move |context, request| {
        stopped(context, request, (&*name, &*host), &problem, &url)
    });
    let mut response = show.await?;
    *response.status_mut() = StatusCode::BAD_REQUEST;
    Ok(response)
}

/// Gives a code by what the person agreed to before, for an agent or for their own account. If that, the ownership or
/// the session has ended since it was read, the request begins again. With `prompt=none`, an account that may allow
/// nothing is answered by an error.
async fn remembered(
    app: &Arc<ServerApp>,
    visit: Visit,
    asked: Asked,
    agent: Option<UserId>,
) -> Result<Response> {
    let again = format!("{PATH}?{}", visit.parameters.without(&[]));
    let denied = refusal(app, &visit.redirect, visit.parameters.get("state"), &barred());
    let is_silent = asked.prompt.none;
    let given = give(app, (visit, asked), move |ctx, (account, visit, asked)| {
        account.require_active()?;
        let acted_for = match &agent {
            None => account.id.clone(),
            Some(agent) => consent::identity_of(ctx, account, Some(agent.as_str()))?,
        };
        let (parties, origin) = ((&acted_for, &account.id), visit.redirect.origin());
        let covered = (asked.scopes, &*origin);
        grant::still_remembered(ctx, parties, &visit.client.id, asked.resource, covered)
    });
    match given.await {
        Err(error) if is_silent && is_barred(&error) => Ok(answer::redirect(&denied)),
        Err(error) if has_changed(&error) => Ok(answer::redirect(&again)),
        given => Ok(given?.unwrap_or_else(|| answer::redirect(&again))),
    }
}

/// Whether the account of the person may allow nothing.
fn is_barred(error: &Error) -> bool {
    let code = error.code();
    matches!(
        code,
        Code::AccountSuspended | Code::AccountPaused | Code::AccountDeleted | Code::ApprovalPending
    )
}

/// Whether the session, or the agent, is no longer what it was when it was read.
fn has_changed(error: &Error) -> bool {
    matches!(error.code(), Code::Unauthorized | Code::NotFound | Code::AgentDeactivated)
}

/// The refusal of such an account.
fn barred() -> Denied {
    Denied::new(OauthError::AccessDenied, "the account of the person may not allow this now")
}

/// What comes next.
enum Step {
    Deny(Denied),
    Go(Response),
    /// A code of what was allowed before, for this agent or their own account; none while that is suspended or paused.
    Remembered(Option<UserId>),
    Ask,
}

fn step(visit: &Visit, asked: &Asked, person: Option<&Person>) -> Step {
    let deny = |error: OauthError, message: &'static str| Step::Deny(Denied::new(error, message));
    let again = || signed_in_again(visit, asked);
    let Some(person) = person else {
        if asked.prompt.none {
            return deny(OauthError::LoginRequired, "the person is not signed in");
        }
        return Step::Go(consent::sign_in(&again()));
    };
    if asked.wants_sign_in(person.signed_in_for) {
        if asked.prompt.none {
            return deny(OauthError::LoginRequired, "the person has to sign in again");
        }
        return Step::Go(consent::confirm(&again()));
    }
    let is_other = person.agent.is_none() && asked.expects_other(&person.account.id);
    // A program to which the person has allowed nothing gets the same answer for every account that it guesses.
    if is_other && asked.prompt.none && person.remembered.is_some() {
        return deny(OauthError::LoginRequired, "another account is signed in");
    }
    let remembered = person.remembered.as_ref().filter(|_| !is_other);
    let origin = visit.redirect.origin();
    let is_remembered = remembered.is_some_and(|before| before.covers(asked.scopes, &origin));
    if is_remembered && !asked.prompt.consent && !visit.redirect.is_local() {
        return Step::Remembered(person.agent.clone());
    }
    if asked.prompt.none {
        return deny(OauthError::ConsentRequired, "the person has not agreed to this");
    }
    if asked.scopes.needs_confirmation() && !person.is_confirmed {
        return Step::Go(consent::confirm(&again()));
    }
    Step::Ask
}

/// The request for after the sign-in, without the parameters that asked for one. `max_age=0` would ask every time.
fn signed_in_again(visit: &Visit, asked: &Asked) -> String {
    let is_now = asked.max_age.is_some_and(|most| most.is_zero());
    let prompt = Some("prompt").filter(|_| asked.prompt.login);
    let fulfilled: Vec<&str> =
        prompt.into_iter().chain(Some("max_age").filter(|_| is_now)).collect();
    let is_asked_too = asked.prompt.login && asked.prompt.consent;
    let left = if is_asked_too { "&prompt=consent" } else { "" };
    format!("{PATH}?{}{left}", visit.parameters.without(&fulfilled))
}

/// Shows the question, again after wrong caps and to another account.
async fn show(
    site: &Arc<Site>,
    app: &Arc<ServerApp>,
    visit: &Visit,
    asked: &Asked,
    typed: Option<Typed>,
) -> Result<Response> {
    let Visit { parts, parameters, client, redirect } = visit;
    let status = typed.as_ref().map_or(StatusCode::OK, Typed::status);
    let mut question = Question::new(&client.name, client.host(Some(redirect)), asked.scopes);
    question.action = format!("{PATH}?{}", parameters.without(&[]));
    question.returns_to = Some(redirect.host());
    question.choose(asked.expected().map(str::to_owned));
    if let Some(typed) = typed {
        question.choose(typed.acting);
        question.fill(typed.per_order, typed.per_day, typed.problem);
    }
    let show = pages::show(site, app, parts, move |context, request| {
        Ok(consent_page(context, request, &question)?.leading_away(true))
    });
    let mut response = show.await?;
    *response.status_mut() = status;
    Ok(response)
}

/// What the person typed.
pub(super) struct Typed {
    pub(super) per_order: String,
    pub(super) per_day: String,
    /// The account that the person chose.
    pub(super) acting: Option<String>,
    /// The wrong field; none if another account was asked.
    pub(super) problem: Option<&'static str>,
}

impl Typed {
    /// The fields of a form, and which is wrong.
    pub(super) fn of(form: &Parameters, problem: Option<&'static str>) -> Self {
        let own = |name: &str| form.get(name).unwrap_or_default().to_owned();
        let acting = form.get("as").map(str::to_owned);
        Self { per_order: own("perOrder"), per_day: own("perDay"), acting, problem }
    }

    /// The status of the page that shows it again.
    pub(super) const fn status(&self) -> StatusCode {
        if self.problem.is_some() { StatusCode::BAD_REQUEST } else { StatusCode::CONFLICT }
    }
}

/// Takes the decision. A form without one is a client's request that came by POST.
pub(super) async fn decide(site: Arc<Site>, app: Arc<ServerApp>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let (parts, form) = match consent::form(parts, body).await {
        Ok(form) => form,
        Err(error) => return carry(error),
    };
    if form.get("decision").is_none() {
        let query = form.without(&[]);
        return answer::redirect(&format!("{PATH}?{query}"));
    }
    if !credentials::is_same_site(&parts.headers) {
        return carry(foreign_form());
    }
    decided(&site, &app, parts, form).await.unwrap_or_else(carry)
}

async fn decided(
    site: &Arc<Site>,
    app: &Arc<ServerApp>,
    parts: Parts,
    form: Parameters,
) -> Result<Response> {
    let visit = visit(app, parts).await?;
    let deny = |denied: &Denied| {
        let state = visit.parameters.get("state");
        answer::redirect(&refusal(app, &visit.redirect, state, denied))
    };
    let asked = match Asked::of(app, &visit.parameters, &visit.client) {
        Ok(asked) => asked,
        Err(denied) => return Ok(deny(&denied)),
    };
    if form.get("decision") != Some("allow") {
        let denied = Denied::new(OauthError::AccessDenied, "the person did not allow it");
        return Ok(deny(&denied));
    }
    let person = consent::person(app, &visit.parts, &visit.client.id, asked.resource, None).await?;
    if person.is_some_and(|person| consent::is_of_another(&form, &person.account.id)) {
        return show(site, app, &visit, &asked, Some(Typed::of(&form, None))).await;
    }
    let caps = match consent::caps(&form, asked.scopes) {
        Ok(caps) => caps,
        Err(wrong) => {
            let typed = Some(Typed::of(&form, Some(wrong)));
            return show(site, app, &visit, &asked, typed).await;
        }
    };
    agree(app, visit, asked, caps, form.get("as").map(str::to_owned)).await
}

/// Stores what the person agreed to, and gives the code.
async fn agree(
    app: &Arc<ServerApp>,
    visit: Visit,
    asked: Asked,
    caps: Caps,
    acting: Option<String>,
) -> Result<Response> {
    let again = signed_in_again(&visit, &asked);
    let scopes = asked.scopes;
    let given = give(app, (visit, asked), move |ctx, (account, visit, asked)| {
        if scopes.needs_confirmation() {
            step_up::require(ctx, account)?;
        }
        let acted_for = consent::identity_of(ctx, account, acting.as_deref())?;
        let host = visit.client.host(Some(&visit.redirect));
        let agreement = Agreement {
            account: &acted_for,
            giver: &account.id,
            client: &visit.client,
            host: &host,
            scopes,
            resource: asked.resource,
            caps,
            remembered_for: Some(visit.redirect.origin()).filter(|_| !visit.redirect.is_local()),
        };
        grant::give(ctx, &agreement).map(Some)
    });
    match given.await {
        Err(Error::Refused(refusal)) if refusal.code == Code::StepUpRequired => {
            Ok(consent::confirm(&again))
        }
        Err(Error::Refused(refusal)) if refusal.code == Code::Unauthorized => {
            Ok(consent::sign_in(&again))
        }
        given => given.map(|given| given.unwrap_or_else(|| answer::redirect(&again))),
    }
}

/// The person, and what is asked for.
type Parties<'a> = (&'a Account, &'a Visit, &'a Asked);

/// Gives the code of a grant, as the person who is signed in; `None` without a grant.
async fn give(
    app: &Arc<ServerApp>,
    (visit, asked): (Visit, Asked),
    grant: impl Fn(&mut Ctx<'_, '_>, Parties<'_>) -> Result<Option<GrantId>> + Send + 'static,
) -> Result<Option<Response>> {
    if asked.scopes.openid {
        signing::ensure(app).await?;
    }
    let own = credentials::of_page(&app.config, &visit.parts.headers);
    let from = incoming::address(&visit.parts);
    let job = move |ctx: &mut Ctx<'_, '_>| {
        ctx.come_from(from);
        let account = identity::credentials::account(ctx, &own)?;
        let Some(grant) = grant(ctx, (&account, &visit, &asked))? else { return Ok(None) };
        let order = Order {
            grant: &grant,
            client: &visit.client,
            redirect_uri: visit.redirect.as_str(),
            challenge: &asked.challenge,
            scopes: asked.scopes,
            nonce: asked.nonce.as_deref(),
            auth_time: session::signed_in_at(ctx, &account)?,
        };
        let code = code::make(ctx, &order)?;
        let mut parameters = vec![("code", &*code), ("iss", &*ctx.app.public_url)];
        parameters.extend(visit.parameters.get("state").map(|state| ("state", state)));
        Ok(Some(visit.redirect.with(&parameters)))
    };
    Ok(app.write(job).await?.map(|url| answer::redirect(&url)))
}
