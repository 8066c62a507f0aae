//! Sign-in on a device without a browser: it begins there, and a page here takes the decision.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::response::Response;
use http::StatusCode;
use http::request::Parts;
use serde_json::{Value, json};
use svc_core::app::Ctx;
use svc_core::services::attempt::Counter;
use svc_core::services::oauth::client as clients;
use svc_core::services::oauth::device::{self, INTERVAL_SECONDS, LIFE, Waiting, spaced, typed};
use svc_core::services::oauth::grant::{self, Agreement};
use svc_core::services::oauth::{Client, Denied, GrantScopes, Outcome, Resource, signing};
use svc_core::services::spend::Caps;
use svc_core::services::{session, step_up};
use svc_store::error::{Error, Result};
use svc_types::Code;

use super::authorize::Typed;
use super::parameters::Parameters;
use super::{answer, client, consent};
use crate::app::ServerApp;
use crate::http::credentials;
use crate::http::incoming::{self, Allows, Incoming};
use crate::http::pages::{self, Site, foreign_form};
use crate::http::refuse::carry;
use crate::pages::oauth::{Question, consent as consent_page, device_code, device_done};

const PATH: &str = "/device";

/// Begins a sign-in on a device (RFC 8628, 3.1).
pub(super) async fn start(State(app): State<Arc<ServerApp>>, request: Request) -> Response {
    answer::outcome(started(&app, request).await)
}

async fn started(app: &Arc<ServerApp>, request: Request) -> Outcome<Response> {
    let (parts, body) = request.into_parts();
    let mut incoming = Incoming { parts, body, path: Vec::new(), allows: Allows::default() };
    let form = Parameters::of_form(&mut incoming).await?;
    let from = incoming::address(&incoming.parts);
    let proof = form.refuse_repeated().and_then(|()| form.proof(&incoming.parts.headers));
    let proof = match proof {
        Ok(proof) => proof,
        Err(denied) => return Ok(Err(denied)),
    };
    let Some(id) = proof.id.clone() else { return Ok(Err(Denied::client())) };
    if let Err(denied) = client::load_for_device(app, &id, from).await? {
        return Ok(Err(denied));
    }
    let (scope, resource) = (form.get("scope").map(str::to_owned), form.resource(app));
    if scope.as_deref().is_some_and(|scope| GrantScopes::stored(scope).openid) {
        signing::ensure(app).await?;
    }
    let begin = move |ctx: &mut Ctx<'_, '_>| {
        ctx.come_from(from);
        let client = match clients::authenticate(ctx, &proof)? {
            Ok(client) => client,
            Err(denied) => return Ok(Err(denied)),
        };
        let wanted = GrantScopes::asked(scope.as_deref(), &client);
        let wanted = wanted.and_then(|scopes| Ok((scopes, resource.clone()?)));
        let (scopes, resource) = match wanted {
            Ok((scopes, resource)) => (scopes, resource.unwrap_or(Resource::Api)),
            Err(denied) => return Ok(Err(denied)),
        };
        for counter in Counter::devices(ctx, ctx.network()) {
            counter.take(ctx)?;
        }
        device::start(ctx, &client, scopes, resource).map(Ok)
    };
    let outcome = app.write(begin).await?;
    Ok(outcome.map(|begun| answer::object(StatusCode::OK, &codes(app, &begun))))
}

/// What the device shows its person, and what it asks with.
fn codes(app: &ServerApp, begun: &device::Started) -> Value {
    let uri = format!("{}{PATH}", app.public_url);
    json!({
        "device_code": begun.device_code,
        "user_code": begun.user_code,
        "verification_uri": uri,
        "verification_uri_complete": format!("{uri}?user_code={}", begun.user_code),
        "expires_in": LIFE.as_secs(),
        "interval": INTERVAL_SECONDS,
    })
}

/// Shows the field for a code, or what the device with this code asks for.
pub(super) async fn show(site: Arc<Site>, app: Arc<ServerApp>, request: Request) -> Response {
    let (parts, _) = request.into_parts();
    let parameters = Parameters::parse(parts.uri.query().unwrap_or_default().as_bytes());
    let code = parameters.get("user_code").unwrap_or_default().to_owned();
    page(&site, &app, &parts, code, None).await.unwrap_or_else(carry)
}

async fn page(
    site: &Arc<Site>,
    app: &Arc<ServerApp>,
    parts: &Parts,
    code: String,
    typed: Option<Typed>,
) -> Result<Response> {
    let here = here(&code);
    let person = consent::person(app, parts, clients::SVC, Resource::Api, None).await?;
    let Some(person) = person else { return Ok(consent::sign_in(&here)) };
    if code.is_empty() {
        return ask_code(site, app, parts, code, None).await;
    }
    let found = match look_up(app, parts, &person.account.id, &code).await {
        Ok(found) => found,
        Err(error) => return ask_code(site, app, parts, code, Some(error)).await,
    };
    let (client, waiting) = found;
    // The form would be refused when it is sent.
    person.account.require_active()?;
    if waiting.scopes.needs_confirmation() && !person.is_confirmed {
        return Ok(consent::confirm(&here));
    }
    let status = typed.as_ref().map_or(StatusCode::OK, Typed::status);
    let mut question = Question::new(&client.name, waiting.host, waiting.scopes);
    PATH.clone_into(&mut question.action);
    question.user_code = Some(code);
    if let Some(typed) = typed {
        question.choose(typed.acting);
        question.fill(typed.per_order, typed.per_day, typed.problem);
    }
    let show = pages::show(site, app, parts, move |context, request| {
        consent_page(context, request, &question)
    });
    let mut response = show.await?;
    *response.status_mut() = status;
    Ok(response)
}

/// The page of a code, for the way back from a sign-in.
fn here(code: &str) -> String {
    match typed(code) {
        Some(code) => format!("{PATH}?user_code={}", spaced(&code)),
        None => PATH.to_owned(),
    }
}

/// The form for a code, and what is wrong with the one that was typed.
async fn ask_code(
    site: &Arc<Site>,
    app: &Arc<ServerApp>,
    parts: &Parts,
    code: String,
    problem: Option<Error>,
) -> Result<Response> {
    let status = problem.as_ref().map_or(StatusCode::OK, |error| error.code().status());
    let problem = match problem {
        None => None,
        Some(Error::Refused(refusal)) => Some(refusal),
        Some(error) => return Err(error),
    };
    let show = pages::show(site, app, parts, move |context, request| {
        device_code(context, request, &code, problem.as_deref())
    });
    let mut response = show.await?;
    *response.status_mut() = status;
    Ok(response)
}

/// The sign-in that waits under a code; 404 otherwise. Wrong codes are counted, so that nobody finds
/// the sign-in of another person by guessing.
async fn look_up(
    app: &Arc<ServerApp>,
    parts: &Parts,
    account: &svc_types::UserId,
    code: &str,
) -> Result<(Client, Waiting)> {
    let from = incoming::address(parts);
    if let Some(code) = typed(code) {
        let found = app.read(move |ctx| {
            let Some(waiting) = device::waiting(ctx, &code)? else { return Ok(None) };
            let client = clients::find(ctx, &waiting.client_id)?;
            Ok(client.map(|client| (client, waiting)))
        });
        let guesses = Counter::device_guesses(account);
        // After too many wrong codes the response is the same for a right one.
        let counter = guesses.clone();
        app.read(move |ctx| counter.refuse_beyond(ctx)).await?;
        if let Some(found) = found.await? {
            return Ok(found);
        }
        app.write(move |ctx| {
            ctx.come_from(from);
            guesses.take(ctx).map(drop)
        })
        .await?;
    }
    let message =
        "no device waits with this code; compare it with your device, or begin again there";
    Err(Error::refused(Code::NotFound, message))
}

/// Takes the decision about a device.
pub(super) async fn decide(site: Arc<Site>, app: Arc<ServerApp>, request: Request) -> Response {
    if !credentials::is_same_site(request.headers()) {
        return carry(foreign_form());
    }
    let (parts, body) = request.into_parts();
    match consent::form(parts, body).await {
        Ok((parts, form)) => decided(&site, &app, &parts, form).await.unwrap_or_else(carry),
        Err(error) => carry(error),
    }
}

async fn decided(
    site: &Arc<Site>,
    app: &Arc<ServerApp>,
    parts: &Parts,
    form: Parameters,
) -> Result<Response> {
    let code = form.get("user_code").unwrap_or_default().to_owned();
    let person = consent::person(app, parts, clients::SVC, Resource::Api, None).await?;
    let Some(person) = person else { return Ok(consent::sign_in(&here(&code))) };
    let found = match look_up(app, parts, &person.account.id, &code).await {
        Ok(found) => found,
        Err(error) => return ask_code(site, app, parts, code, Some(error)).await,
    };
    let is_allowed = form.get("decision") == Some("allow");
    if is_allowed && consent::is_of_another(&form, &person.account.id) {
        return page(site, app, parts, code, Some(Typed::of(&form, None))).await;
    }
    let caps = match consent::caps(&form, found.1.scopes) {
        Err(wrong) if is_allowed => {
            return page(site, app, parts, code, Some(Typed::of(&form, Some(wrong)))).await;
        }
        caps => caps.unwrap_or_default(),
    };
    let acting = form.get("as").map(str::to_owned);
    let noted = note(app, parts, (code.clone(), found), is_allowed.then_some(caps), acting).await;
    match noted {
        Err(Error::Refused(refusal)) if refusal.code == Code::StepUpRequired => {
            return Ok(consent::confirm(&here(&code)));
        }
        Err(error) if error.code() == Code::Unauthorized => {
            return Ok(consent::sign_in(&here(&code)));
        }
        Err(error @ Error::Refused(_)) if error.code() == Code::NotFound => {
            return ask_code(site, app, parts, code, Some(error)).await;
        }
        noted => noted?,
    }
    let show = pages::show(site, app, parts, move |context, request| {
        device_done(context, request, is_allowed)
    });
    show.await
}

/// Stores the decision: with caps if it is yes.
async fn note(
    app: &Arc<ServerApp>,
    parts: &Parts,
    (code, (client, waiting)): (String, (Client, Waiting)),
    caps: Option<Caps>,
    acting: Option<String>,
) -> Result<()> {
    let own = credentials::of_page(&app.config, &parts.headers);
    let from = incoming::address(parts);
    app.write(move |ctx| {
        ctx.come_from(from);
        let account = svc_core::identity::credentials::account(ctx, &own)?;
        let grant = match caps {
            None => None,
            Some(caps) => {
                if waiting.scopes.needs_confirmation() {
                    step_up::require(ctx, &account)?;
                }
                let acted_for = consent::identity_of(ctx, &account, acting.as_deref())?;
                let agreement = Agreement {
                    account: &acted_for,
                    giver: &account.id,
                    client: &client,
                    host: &waiting.host,
                    scopes: waiting.scopes,
                    resource: waiting.resource,
                    caps,
                    remembered_for: None,
                };
                Some(grant::give(ctx, &agreement)?)
            }
        };
        let auth_time = session::signed_in_at(ctx, &account)?;
        let code = typed(&code).unwrap_or_default();
        if device::decide(ctx, &code, grant.as_ref(), auth_time)? {
            return Ok(());
        }
        let message = "the code was used or has expired; begin again on your device";
        Err(Error::refused(Code::NotFound, message))
    })
    .await
}
