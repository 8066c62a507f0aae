//! Who is signed in, and what that person decides.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::response::Response;
use http::request::Parts;
use svc_core::app::Ctx;
use svc_core::identity::{Account, Credentials, credentials as identity};
use svc_core::services::oauth::{GrantScopes, Resource, choice, grant};
use svc_core::services::spend::Caps;
use svc_core::services::{session, step_up};
use svc_store::error::{Error, Result};
use svc_types::{Code, Credits, UserId};
use url::form_urlencoded;

use super::parameters::Parameters;
use crate::app::ServerApp;
use crate::http::credentials;
use crate::http::incoming::{self, Allows, Incoming};
use crate::http::pages::{form_key, reply};
use crate::pages::oauth::{PER_DAY, PER_ORDER};

/// Where people confirm who they are.
const CONFIRM: &str = "/settings/confirm";

/// A person who is signed in.
#[derive(Clone, Debug)]
pub(super) struct Person {
    /// The account.
    pub(super) account: Account,
    /// How long ago the person signed in, or confirmed who they are, by the clock of the database.
    pub(super) signed_in_for: Duration,
    /// Whether that was lately.
    pub(super) is_confirmed: bool,
    /// The agent of the person that the program expects, if the person has let the program sign in as it before.
    pub(super) agent: Option<UserId>,
    /// What was agreed to before, for this agent or for the account itself.
    pub(super) remembered: Option<grant::Remembered>,
}

/// The person of a page, if one is signed in. `expected` may be an agent of the person.
pub(super) async fn person(
    app: &Arc<ServerApp>,
    parts: &Parts,
    client: &str,
    resource: Resource,
    expected: Option<&str>,
) -> Result<Option<Person>> {
    let (own, client) = (credentials::of_page(&app.config, &parts.headers), client.to_owned());
    let expected = expected.map(str::to_owned);
    let from = incoming::address(parts);
    app.read(move |ctx| {
        ctx.come_from(from);
        let Some(account) = signed_in(ctx, &own)? else { return Ok(None) };
        let since = unless_ended(session::signed_in_at(ctx, &account))?;
        let Some(since) = since else { return Ok(None) };
        let signed_in_for = ctx.now().since(since);
        let is_confirmed = match step_up::require(ctx, &account) {
            Ok(()) => true,
            Err(Error::Refused(_)) => false,
            Err(error) => return Err(error),
        };
        let itself = (&account.id, &account.id);
        let remembered = grant::remembered(ctx, itself, &client, resource)?;
        let mut person = Person { account, signed_in_for, is_confirmed, agent: None, remembered };
        if let Some(expected) = &expected {
            expect_agent(ctx, &mut person, expected, (&*client, resource))?;
        }
        Ok(Some(person))
    })
    .await
}

/// Lets the person sign in as the agent that a program expects, if the person has allowed the program that before.
/// Other programs must not learn who owns an agent.
fn expect_agent(
    ctx: &mut Ctx<'_, '_>,
    person: &mut Person,
    expected: &str,
    (client, resource): (&str, Resource),
) -> Result<()> {
    let Some(agent) = choice::agent(ctx, &person.account, expected)? else { return Ok(()) };
    let parties = (&agent, &person.account.id);
    let Some(remembered) = grant::remembered(ctx, parties, client, resource)? else {
        return Ok(());
    };
    person.remembered = Some(remembered);
    person.agent = Some(agent);
    Ok(())
}

/// Whether somebody is signed in, though perhaps to an account that may allow nothing.
pub(super) async fn is_signed_in(app: &Arc<ServerApp>, parts: &Parts) -> Result<bool> {
    let own = credentials::of_page(&app.config, &parts.headers);
    match app.read(move |ctx| signed_in(ctx, &own)).await {
        Ok(account) => Ok(account.is_some()),
        Err(Error::Refused(_)) => Ok(true),
        Err(error) => Err(error),
    }
}

/// The account of the cookie.
pub(super) fn signed_in(ctx: &mut Ctx<'_, '_>, own: &Credentials) -> Result<Option<Account>> {
    unless_ended(identity::account(ctx, own))
}

/// What a session leads to; none if it has ended, which on PostgreSQL may happen between two statements.
fn unless_ended<T>(found: Result<T>) -> Result<Option<T>> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(Error::Refused(refusal)) if refusal.code == Code::Unauthorized => Ok(None),
        Err(error) => Err(error),
    }
}

/// Whether the question of this form was put to another account, which was signed in before.
pub(super) fn is_of_another(form: &Parameters, account: &UserId) -> bool {
    let asked = form.get(form_key::FIELD).and_then(form_key::account);
    asked.is_some_and(|asked| asked != account.as_str())
}

/// The account that a grant acts for. Suspended accounts and paused agents give none.
pub(super) fn identity_of(
    ctx: &mut Ctx<'_, '_>,
    giver: &Account,
    asked: Option<&str>,
) -> Result<UserId> {
    giver.require_active()?;
    choice::acted_for(ctx, giver, asked)
}

/// The caps of the form, if spending is asked for; else the field that is no number of credits above 0.
pub(super) fn caps(form: &Parameters, scopes: GrantScopes) -> Result<Caps, &'static str> {
    if !scopes.spends() {
        return Ok(Caps::default());
    }
    let most = |name: &'static str| {
        let credits: Option<Credits> = form.get(name).and_then(|text| text.trim().parse().ok());
        credits.map(Credits::micros).filter(|micros| *micros > 0).ok_or(name)
    };
    Ok(Caps { per_order: Some(most(PER_ORDER)?), per_day: Some(most(PER_DAY)?) })
}

/// 303 to the sign-in or to the form of a confirmation, which lead back to `next`.
pub(super) fn sign_in(next: &str) -> Response {
    reply::to_sign_in(next)
}

/// 303 to the form of a confirmation, which leads back to `next`.
pub(super) fn confirm(next: &str) -> Response {
    let next: String = form_urlencoded::byte_serialize(next.as_bytes()).collect();
    reply::see(&format!("{CONFIRM}?next={next}"))
}

/// Reads a form whose path and headers are still needed.
pub(super) async fn form(parts: Parts, body: Body) -> Result<(Parts, Parameters)> {
    let mut incoming = Incoming { parts, body, path: Vec::new(), allows: Allows::default() };
    let form = Parameters::of_form(&mut incoming).await?;
    Ok((incoming.parts, form))
}
