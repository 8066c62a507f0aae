//! Agent cards, signed: of each selling agent, and of the platform.
//!
//! A card is signed whenever it is read. ECDSA signatures differ each time, so its tag is a weak
//! one, of what is signed.

use std::sync::Arc;

use axum::Extension;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use axum::response::Response;
use http::StatusCode;
use http::header::{
    ACCESS_CONTROL_ALLOW_ORIGIN, CACHE_CONTROL, ETAG, HeaderMap, HeaderValue, IF_NONE_MATCH,
};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use svc_core::app::{App, Ctx};
use svc_core::due;
use svc_core::ids;
use svc_core::keys;
use svc_core::services::oauth::signing::{self, Alg, Detached};
use svc_store::error::{Error, Result};
use svc_types::api::bots::{Capabilities, Capability, GetCapabilities};
use svc_types::api::users::{GetUser, User};
use svc_types::{Handle, Scope};

use super::bridge::text_input;
use super::fault::host;
use super::{VERSION, extension};
use crate::app::ServerApp;
use crate::http::direct::DirectApi;
use crate::http::incoming::address;
use crate::http::plain::response;
use crate::http::refuse::carry;
use crate::http::routes::invalid_path;

/// What every call needs, and what a message with a price needs.
const SCOPES: [Scope; 2] = [Scope::Read, Scope::ExchangeSpend];

/// The card of the platform.
pub(super) async fn platform(State(app): State<Arc<ServerApp>>, request: Request) -> Response {
    let card = |ctx: &mut Ctx<'_, '_>| Ok(platform_card(ctx.app));
    serve(&app, request.headers(), card).await
}

/// The card of a selling agent; 404 for all other accounts.
pub(super) async fn agent(
    State(app): State<Arc<ServerApp>>,
    Extension(direct): Extension<Arc<DirectApi>>,
    username: Result<Path<String>, PathRejection>,
    request: Request,
) -> Response {
    let Ok(Path(username)) = username else { return invalid_path() };
    if !ids::can_exist(&username) {
        return carry(Error::not_found("selling agent"));
    }
    let username = Handle::from(username);
    let (parts, _) = request.into_parts();
    let from = address(&parts);
    let card = move |ctx: &mut Ctx<'_, '_>| {
        ctx.come_from(from);
        let offered = GetCapabilities { username: username.clone() };
        let Capabilities { capabilities } = direct.read(ctx, None, &offered)?;
        if capabilities.is_empty() {
            return Err(Error::not_found("selling agent"));
        }
        let user = GetUser { username: username.clone() };
        let user = direct.read(ctx, None, &user)?.user;
        Ok(agent_card(ctx.app, &user, &capabilities))
    };
    serve(&app, &parts.headers, card).await
}

/// Answers with a card, signed, or with 304 if the caller has it.
async fn serve(
    app: &Arc<ServerApp>,
    headers: &HeaderMap,
    card: impl Fn(&mut Ctx<'_, '_>) -> Result<Value> + Send + Sync + 'static,
) -> Response {
    let known = headers.get(IF_NONE_MATCH).cloned();
    let job = move |ctx: &mut Ctx<'_, '_>| {
        let mut card = without_empty(card(ctx)?).unwrap_or_default();
        let version = format!("1.0.0+{}", short_hash(&canonical(&card)?));
        card["version"] = version.into();
        let signed = canonical(&card)?;
        let tag = format!("W/\"{}\"", short_hash(&signed));
        if known.as_ref().is_some_and(|known| matches(known, &tag)) {
            return Ok((tag, None));
        }
        let Detached { protected, signature } =
            signing::sign_detached(ctx, Alg::Es256, "JOSE", &signed)?;
        card["signatures"] = json!([{ "protected": protected, "signature": signature }]);
        Ok((tag, Some(card)))
    };
    let made = async {
        signing::ensure(app).await?;
        due::read_in_time(app, job).await
    };
    match made.await {
        Ok((tag, card)) => answer(&tag, card.as_ref()),
        Err(error) => carry(error),
    }
}

fn answer(tag: &str, card: Option<&Value>) -> Response {
    let body = card.map(Value::to_string).unwrap_or_default();
    let mut response = response("application/json", body.into_bytes());
    if card.is_none() {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
    }
    let headers = response.headers_mut();
    headers.insert(ETAG, HeaderValue::try_from(tag).expect("digits are a header's value"));
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("public, max-age=300"));
    response
}

/// Whether a list of tags has this one (RFC 9110, 13.1.2).
fn matches(known: &HeaderValue, tag: &str) -> bool {
    let weak = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    let known = known.to_str().unwrap_or_default();
    known.split(',').any(|it| it.trim() == "*" || weak(it) == weak(tag))
}

/// The bytes that are signed (RFC 8785).
fn canonical(card: &Value) -> Result<Vec<u8>> {
    serde_json_canonicalizer::to_vec(card).map_err(Error::internal)
}

/// A hash of what a version may hold behind its plus: letters and digits (Semantic Versioning, 10).
fn short_hash(bytes: &[u8]) -> String {
    keys::hex(&Sha256::digest(bytes)[..12])
}

/// A value without `null`, empty texts, lists and objects: verifiers drop these before they check.
fn without_empty(value: Value) -> Option<Value> {
    let value = match value {
        Value::Array(items) => Value::Array(items.into_iter().filter_map(without_empty).collect()),
        Value::Object(members) => Value::Object(
            members
                .into_iter()
                .filter_map(|(name, value)| Some((name, without_empty(value)?)))
                .collect::<Map<_, _>>(),
        ),
        other => other,
    };
    let is_empty = match &value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    };
    (!is_empty).then_some(value)
}

fn platform_card(app: &App) -> Value {
    let root = &app.public_url;
    json!({
        "name": "svc",
        "description": "Finds agents that sell services. The text of a message is the search term; \
            the answer has the URLs of their agent cards.",
        "supportedInterfaces": [
            { "url": format!("{root}/a2a"), "protocolBinding": "JSONRPC", "protocolVersion": VERSION },
        ],
        "provider": provider(app),
        "documentationUrl": format!("{root}/skill.md"),
        "capabilities": { "streaming": true },
        "defaultInputModes": ["text/plain"],
        "defaultOutputModes": ["application/json", "text/plain"],
        "skills": [{
            "id": "discover",
            "name": "Discover",
            "description": "Finds agents by name, tags and description of their services. Without a \
                term it lists agents, best rated first.",
            "tags": ["discovery", "agents", "services"],
            "examples": ["translation"],
        }],
    })
}

fn agent_card(app: &App, user: &User, offered: &[Capability]) -> Value {
    let (root, username) = (&app.public_url, &user.username);
    let url = format!("{root}/a2a/{username}");
    let name = Some(user.display_name.trim()).filter(|name| !name.is_empty());
    let description = Some(user.bio.clone()).filter(|bio| !bio.trim().is_empty());
    let interface = |binding: &str| json!({ "url": url, "protocolBinding": binding, "protocolVersion": VERSION });
    json!({
        "name": name.unwrap_or(username),
        "description": description.unwrap_or_else(|| format!("Services of @{username}")),
        "supportedInterfaces": [interface("JSONRPC"), interface("HTTP+JSON")],
        "provider": provider(app),
        "documentationUrl": format!("{root}/@{username}"),
        "iconUrl": user.avatar,
        "capabilities": {
            "streaming": true,
            "extensions": [credits(app, user, offered)],
        },
        "securitySchemes": schemes(root),
        "securityRequirements": [requirement("apiKey"), requirement("oauth")],
        "defaultInputModes": ["application/json"],
        "defaultOutputModes": ["application/json"],
        "skills": offered.iter().map(skill).collect::<Vec<_>>(),
    })
}

fn provider(app: &App) -> Value {
    json!({ "organization": host(app), "url": app.public_url })
}

/// What a message may cost, and where schemas stand: neither has a place in a skill.
fn credits(app: &App, user: &User, offered: &[Capability]) -> Value {
    let root = &app.public_url;
    let prices = offered.iter().map(|it| (it.id.to_string(), json!(it.price_credits)));
    json!({
        "uri": extension::uri(app),
        "description": "Orders cost credits. The metadata of a message or of its request says under \
            this URI how many at most: {\"maxCredits\": 5}. A data part {\"serviceId\", \"input\"} \
            names the service, which is the id of the skill.",
        "required": true,
        "params": {
            "prices": prices.collect::<Map<_, _>>(),
            "schemas": format!("{root}/api/v1/bots/{}/capabilities", user.username),
        },
    })
}

/// Either scheme is enough, with the scopes that buyers need.
fn requirement(scheme: &str) -> Value {
    json!({ "schemes": { scheme: { "list": SCOPES.map(|scope| scope.to_string()) } } })
}

fn schemes(root: &str) -> Value {
    let scopes = SCOPES.map(|scope| (scope.to_string(), json!(about(&scope))));
    json!({
        "apiKey": { "httpAuthSecurityScheme": {
            "scheme": "Bearer",
            "description": "An API key of an account of this platform.",
        }},
        "oauth": { "oauth2SecurityScheme": {
            "description": format!("An access token for {root}/api."),
            "oauth2MetadataUrl": format!("{root}/.well-known/oauth-authorization-server"),
            "flows": { "authorizationCode": {
                "authorizationUrl": format!("{root}/oauth/authorize"),
                "tokenUrl": format!("{root}/oauth/token"),
                "refreshUrl": format!("{root}/oauth/token"),
                "scopes": scopes.into_iter().collect::<Map<_, _>>(),
                "pkceRequired": true,
            }},
        }},
    })
}

const fn about(scope: &Scope) -> &'static str {
    match scope {
        Scope::Read => "Read tasks",
        _ => "Place, answer and cancel orders, within the caps of the credential",
    }
}

/// A service as a skill. Every list has an item: verifiers would drop an empty one.
fn skill(service: &Capability) -> Value {
    let tags =
        if service.tags.is_empty() { vec!["service".to_owned()] } else { service.tags.clone() };
    let mut modes = vec!["application/json"];
    if text_input(service).is_some() {
        modes.push("text/plain");
    }
    json!({
        "id": service.id,
        "name": service.name,
        "description": service.description,
        "tags": tags,
        "inputModes": modes,
        "outputModes": ["application/json"],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_empty_is_dropped_with_what_holds_only_that() {
        let value =
            json!({ "a": "", "b": [{ "c": [] }], "d": null, "e": false, "f": 0, "g": ["", "x"] });
        assert_eq!(without_empty(value), Some(json!({ "e": false, "f": 0, "g": ["x"] })));
        assert_eq!(without_empty(json!({ "a": [[]] })), None);
    }

    #[test]
    fn a_list_of_tags_is_compared_weakly() {
        let known = |text: &'static str| matches(&HeaderValue::from_static(text), "W/\"abc\"");
        assert!(known("\"abc\"") && known("W/\"x\", W/\"abc\"") && known("*"));
        assert!(!known("\"ab\"") && !known(""));
    }
}
