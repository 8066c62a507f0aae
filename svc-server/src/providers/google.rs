//! Google, or another OpenID provider in its place.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde::Deserialize;
use svc_core::services::link::id_token::{self, Expected, Flaw, Proved, ProviderKeys};
use svc_core::services::link::{self, Begun};
use svc_store::error::Result;
use svc_types::Timestamp;
use svc_types::api::links::LinkProvider::Google;

use super::{Answer, Foreign, ask, unavailable, unproved};
use crate::app::ServerApp;

/// How long metadata and keys are kept.
const LIFE: Duration = Duration::from_hours(1);

/// Time between two requests for keys because of one that is not known.
const KEYS_EVERY: Duration = Duration::from_mins(1);

/// What the issuer publishes about itself (OpenID Connect Discovery, 3).
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Metadata {
    issuer: String,
    pub(super) authorization_endpoint: String,
    token_endpoint: String,
    jwks_uri: String,
    /// Whether answers name their issuer (RFC 9207).
    #[serde(default)]
    authorization_response_iss_parameter_supported: bool,
}

/// What is known of the issuer.
#[derive(Debug, Default)]
pub(super) struct Known {
    metadata: Mutex<Option<Dated<Metadata>>>,
    keys: Mutex<Option<Dated<ProviderKeys>>>,
}

#[derive(Clone, Debug)]
struct Dated<T> {
    value: T,
    at: Timestamp,
}

/// What was learned within this time.
fn within<T: Clone>(known: &Mutex<Option<Dated<T>>>, now: Timestamp, life: Duration) -> Option<T> {
    let known = known.lock().unwrap_or_else(PoisonError::into_inner);
    known.as_ref().filter(|dated| now.since(dated.at) < life).map(|dated| dated.value.clone())
}

fn learn<T: Clone>(known: &Mutex<Option<Dated<T>>>, value: &T, at: Timestamp) {
    let dated = Dated { value: value.clone(), at };
    *known.lock().unwrap_or_else(PoisonError::into_inner) = Some(dated);
}

/// The metadata of the issuer, not older than an hour.
pub(super) async fn metadata(app: &ServerApp) -> Result<Metadata> {
    let (known, now) = (&app.providers.google.metadata, app.clock.now());
    if let Some(metadata) = within(known, now, LIFE) {
        return Ok(metadata);
    }
    let issuer = &app.config.links.google.issuer;
    let url = format!("{}/.well-known/openid-configuration", issuer.trim_end_matches('/'));
    let metadata: Metadata = ask::parse(&Google, &ask::document(app, &Google, &url).await?)?;
    if metadata.issuer != *issuer {
        return Err(unavailable(&Google, "its metadata are of another issuer"));
    }
    learn(known, &metadata, now);
    Ok(metadata)
}

/// The keys of the issuer, not older than `life`.
async fn keys(app: &ServerApp, metadata: &Metadata) -> Result<ProviderKeys> {
    let (known, now) = (&app.providers.google.keys, app.clock.now());
    if let Some(keys) = within(known, now, LIFE) {
        return Ok(keys);
    }
    let document = ask::document(app, &Google, &metadata.jwks_uri).await?;
    let keys = ProviderKeys::parse(&document);
    let keys = keys.ok_or_else(|| unavailable(&Google, "its keys are malformed"))?;
    learn(known, &keys, now);
    Ok(keys)
}

/// Exchanges the code, and reads the account of the ID token.
pub(super) async fn prove(app: &ServerApp, answer: &Answer, begun: &Begun) -> Result<Foreign> {
    let metadata = metadata(app).await?;
    let is_right = match &answer.issuer {
        Some(issuer) => *issuer == metadata.issuer,
        None => !metadata.authorization_response_iss_parameter_supported,
    };
    if !is_right {
        return Err(unproved(&Google, "it comes from another issuer"));
    }
    let url = &metadata.token_endpoint;
    let tokens = ask::exchange(app, &Google, url, &answer.code, begun).await?;
    let token = tokens.id_token.ok_or_else(|| unproved(&Google, "it brings no ID token"))?;
    let proved = read(app, &metadata, &token, begun).await?;
    let subject = link::subject(&metadata.issuer, &proved.subject);
    Ok(Foreign { subject, name: proved.email })
}

/// Checks an ID token. One with an unknown key is checked again with new keys, because issuers change
/// theirs.
async fn read(app: &ServerApp, metadata: &Metadata, token: &str, begun: &Begun) -> Result<Proved> {
    let expected = Expected {
        issuer: &metadata.issuer,
        client_id: &app.config.links.google.client_id,
        nonce_hash: &begun.nonce_hash,
        now: app.clock.now(),
    };
    let flaw = match id_token::verify(token, &keys(app, metadata).await?, &expected) {
        Err(Flaw::UnknownKey) if outdate_keys(app) => {
            id_token::verify(token, &keys(app, metadata).await?, &expected)
        }
        checked => checked,
    };
    flaw.map_err(|flaw| match flaw {
        Flaw::UnknownKey => unproved(&Google, "its key is not known"),
        Flaw::Wrong(why) => unproved(&Google, why),
    })
}

/// Forgets the keys; false if they were asked for within a minute.
fn outdate_keys(app: &ServerApp) -> bool {
    let (known, now) = (&app.providers.google.keys, app.clock.now());
    let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
    let is_old = known.as_ref().is_some_and(|dated| now.since(dated.at) >= KEYS_EVERY);
    if is_old {
        *known = None;
    }
    is_old
}
