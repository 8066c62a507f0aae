//! Codes and refresh tokens become tokens; tokens are looked at and ended.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::response::Response;
use http::StatusCode;
use serde_json::{Map, Value, json};
use svc_core::app::Ctx;
use svc_core::services::oauth::client::{self, GRANT_TYPES, Proof};
use svc_core::services::oauth::code::{self, Redemption};
use svc_core::services::oauth::token::{self, ACCESS_LIFE, Issued, Seen};
use svc_core::services::oauth::{Client, Denied, OauthError, Outcome, Resource, device, id_token};
use svc_store::error::Result;

use super::answer;
use super::parameters::Parameters;
use crate::app::ServerApp;
use crate::http::incoming::{self, Allows, Incoming};

/// What a client exchanges for tokens.
#[derive(Clone, Debug)]
enum Exchange {
    Code(Redemption),
    Refresh { token: String, scope: Option<String>, resource: Option<Resource> },
    Device(String),
}

/// Exchanges a code, a device code or a refresh token for tokens.
pub(super) async fn exchange(State(app): State<Arc<ServerApp>>, request: Request) -> Response {
    answer::outcome(exchanged(&app, request).await)
}

async fn exchanged(app: &Arc<ServerApp>, request: Request) -> Outcome<Response> {
    let (parameters, proof, from) = match sent(request).await? {
        Ok(sent) => sent,
        Err(denied) => return Ok(Err(denied)),
    };
    let exchange = match parse(app, &parameters) {
        Ok(exchange) => exchange,
        // The client is judged first, so that a stranger learns nothing else.
        Err(denied) => {
            let known = app.read(move |ctx| client::authenticate(ctx, &proof)).await?;
            return Ok(Err(known.err().unwrap_or(denied)));
        }
    };
    let issue = move |ctx: &mut Ctx<'_, '_>| {
        ctx.come_from(from);
        let client = match client::authenticate(ctx, &proof)? {
            Ok(client) => client,
            Err(denied) => return Ok(Err(denied)),
        };
        let issued = match &exchange {
            Exchange::Code(redemption) => code::redeem(ctx, &client, redemption)?,
            Exchange::Device(code) => device::poll(ctx, &client, code)?,
            Exchange::Refresh { token, scope, resource } => {
                token::refresh(ctx, &client, token, scope.as_deref(), *resource)?
            }
        };
        match issued {
            Ok(issued) => tokens(ctx, &client, &issued).map(Ok),
            Err(denied) => Ok(Err(denied)),
        }
    };
    let issued = app.write(issue).await?;
    Ok(issued.map(|value| answer::object(StatusCode::OK, &value)))
}

/// A form and its sender.
async fn sent(request: Request) -> Outcome<(Parameters, Proof, std::net::IpAddr)> {
    let (parts, body) = request.into_parts();
    let mut incoming = Incoming { parts, body, path: Vec::new(), allows: Allows::default() };
    let parameters = Parameters::of_form(&mut incoming).await?;
    let from = incoming::address(&incoming.parts);
    let checked = parameters.refuse_repeated();
    let proof = checked.and_then(|()| parameters.proof(&incoming.parts.headers));
    Ok(proof.map(|proof| (parameters, proof, from)))
}

fn parse(app: &ServerApp, parameters: &Parameters) -> Result<Exchange, Denied> {
    let own = |name: &str| parameters.get(name).map(str::to_owned);
    let [by_code, by_refresh, by_device] = GRANT_TYPES;
    let resource = parameters.resource(app)?;
    match parameters.need("grant_type")? {
        kind if kind == by_code => Ok(Exchange::Code(Redemption {
            code: parameters.need("code")?.to_owned(),
            verifier: parameters.need("code_verifier")?.to_owned(),
            redirect_uri: own("redirect_uri"),
            resource,
        })),
        kind if kind == by_refresh => {
            let token = parameters.need("refresh_token")?.to_owned();
            Ok(Exchange::Refresh { token, scope: own("scope"), resource })
        }
        kind if kind == by_device => {
            Ok(Exchange::Device(parameters.need("device_code")?.to_owned()))
        }
        _ => {
            let message = format!("grant_type must be one of: {}", GRANT_TYPES.join(" "));
            Err(Denied::new(OauthError::UnsupportedGrantType, message))
        }
    }
}

/// New tokens as RFC 6749 writes them. A suspended or paused account goes on reading by a refresh, but gets
/// no ID token, which a program would take for a sign-in.
fn tokens(ctx: &mut Ctx<'_, '_>, client: &Client, issued: &Issued) -> Result<Value> {
    let mut value = json!({
        "access_token": issued.access,
        "token_type": "Bearer",
        "expires_in": ACCESS_LIFE.as_secs(),
        "refresh_token": issued.refresh,
        "scope": issued.scopes.to_string(),
    });
    if issued.scopes.openid && id_token::may_sign_in(ctx, &issued.account)? {
        value["id_token"] = id_token::make(ctx, client, issued)?.into();
    }
    Ok(value)
}

/// Tells a client with a secret about its own token (RFC 7662). One of a suspended or paused account, which signs in
/// nowhere, is inactive: who asks here asks whether to let somebody in.
pub(super) async fn introspect(State(app): State<Arc<ServerApp>>, request: Request) -> Response {
    answer::outcome(introspected(&app, request).await)
}

async fn introspected(app: &Arc<ServerApp>, request: Request) -> Outcome<Response> {
    let (parameters, proof, _) = match sent(request).await? {
        Ok(sent) => sent,
        Err(denied) => return Ok(Err(denied)),
    };
    let token = parameters.get("token").map(str::to_owned);
    let see = move |ctx: &mut Ctx<'_, '_>| {
        let client = client::authenticate(ctx, &proof)?;
        let client = match client.map(|client| Some(client).filter(Client::is_confidential)) {
            Ok(Some(client)) => client,
            Ok(None) => return Ok(Err(Denied::client())),
            Err(denied) => return Ok(Err(denied)),
        };
        let Some(token) = &token else { return Ok(Err(Denied::request("token is missing"))) };
        Ok(Ok(match token::see(ctx, &client, token)? {
            Some(seen) if is_active(ctx, &seen)? => described(ctx, &client, &seen),
            _ => json!({ "active": false }),
        }))
    };
    let seen = app.read(see).await?;
    Ok(seen.map(|value| answer::object(StatusCode::OK, &value)))
}

/// Whether a valid token counts. By an access token a program asks whether to let somebody in, which it should not
/// for a suspended or paused account. A refresh token goes on to get such tokens.
fn is_active(ctx: &mut Ctx<'_, '_>, seen: &Seen) -> Result<bool> {
    Ok(!seen.is_access || id_token::may_sign_in(ctx, &seen.account)?)
}

fn described(ctx: &Ctx<'_, '_>, client: &Client, seen: &Seen) -> Value {
    let seconds = |at: svc_types::Timestamp| at.as_millis() / 1000;
    let mut value = json!({
        "active": true,
        "scope": seen.scopes.to_string(),
        "client_id": client.id,
        "username": seen.username,
        "sub": seen.account,
        "iss": ctx.app.public_url,
        "aud": seen.resource.url(ctx.app),
        "iat": seconds(seen.issued_at),
        "exp": seconds(seen.expires_at),
    });
    if seen.is_access {
        value["token_type"] = "Bearer".into();
    }
    value
}

/// Ends a token (RFC 7009). A token of another client, or an unknown one, is none of its business.
pub(super) async fn revoke(State(app): State<Arc<ServerApp>>, request: Request) -> Response {
    answer::outcome(revoked(&app, request).await)
}

async fn revoked(app: &Arc<ServerApp>, request: Request) -> Outcome<Response> {
    let (parameters, proof, from) = match sent(request).await? {
        Ok(sent) => sent,
        Err(denied) => return Ok(Err(denied)),
    };
    let token = parameters.get("token").map(str::to_owned);
    let end = move |ctx: &mut Ctx<'_, '_>| {
        ctx.come_from(from);
        let client = match client::authenticate(ctx, &proof)? {
            Ok(client) => client,
            Err(denied) => return Ok(Err(denied)),
        };
        let Some(token) = &token else { return Ok(Err(Denied::request("token is missing"))) };
        token::revoke(ctx, &client, token).map(Ok)
    };
    let ended = app.write(end).await?;
    Ok(ended.map(|()| answer::object(StatusCode::OK, &Value::Object(Map::new()))))
}
