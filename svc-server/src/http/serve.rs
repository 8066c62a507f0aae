//! The steps every endpoint goes through, in order.
//!
//! The HTTP layer refuses first (405, 413, 415). Then come the credential (401, 403), a stored
//! Idempotency-Key, the request itself (400), and the handler (404, 403, 409, 429).

use std::net::IpAddr;
use std::sync::Arc;

use axum::body::Body;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE, TRANSFER_ENCODING};
use http::request::Parts;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use svc_types::api::users::AccountStatus;
use svc_types::{Code, Endpoint, wire};

use super::answer::{Answer, Reply};
use super::caller::{Caller, Credential, SignedBy};
use super::credentials::{self, Credentials};
use super::idempotency::{self, Key, Stored};
use super::observe::{Peer, Principal};
use super::routes::{CallerOf, Script, ScriptAfter};
use crate::app::{App, Cx};
use crate::error::{Error, Refusal, Result};
use crate::keys::Hash;

/// A request as it came.
pub struct Incoming {
    /// Method, URI, headers, extensions.
    pub parts: Parts,
    /// The body, still unread.
    pub body: Body,
    /// Decoded path parameters, in order.
    pub path: Vec<String>,
    /// Whether suspended accounts may call although it changes something.
    pub suspended: bool,
}

/// A request that was understood.
pub struct Ask<E: Endpoint>
where
    E::By: Credential,
{
    /// Who calls.
    pub caller: CallerOf<E>,
    /// What is asked.
    pub request: E,
    /// Where from.
    pub address: IpAddr,
    key: Option<Key>,
}

/// Identifies, decodes and answers in one job.
pub async fn read<E, R>(app: Arc<App>, incoming: Incoming, script: Script<E, R>) -> Result<Reply>
where
    E: Endpoint,
    E::By: Credential,
    R: Into<Answer<E::Response>> + 'static,
{
    let credentials =
        Credentials::read(&app.config, &incoming.parts.method, &incoming.parts.headers);
    let request = decode::<E>(&incoming, &[]);
    let parts = incoming.parts;
    let (reply, stale) = app
        .read(move |cx| {
            let caller = E::By::identify(cx, &credentials)?;
            note(&parts, &caller);
            let request = request.as_ref().map_err(|rejected| Error::from(rejected.clone()))?;
            let answer: Answer<E::Response> = script(cx, &caller, request)?.into();
            Ok((answer.reply(E::STATUS)?, stale_session(&caller)))
        })
        .await?;
    mark_seen(&app, stale);
    Ok(reply)
}

/// Identifies, decodes, and answers in a transaction with its Idempotency-Key.
pub async fn write<E, R>(app: Arc<App>, incoming: Incoming, script: Script<E, R>) -> Result<Reply>
where
    E: Endpoint,
    E::By: Credential,
    R: Into<Answer<E::Response>> + 'static,
{
    match accept::<E>(&app, incoming).await? {
        Accepted::Replay(reply) => Ok(reply),
        Accepted::Fresh(ask) => {
            let job = move |cx: &mut Cx<'_, '_>| {
                idempotency::once::<E>(cx, ask.key.as_ref(), |cx| {
                    script(cx, &ask.caller, &ask.request).map(R::into)
                })
            };
            app.write(job).await
        }
    }
}

/// The same with slow work between decoding and the transaction.
pub async fn write_after<E, P, R, F>(
    app: Arc<App>,
    incoming: Incoming,
    prepare: fn(Arc<App>, Arc<Ask<E>>) -> F,
    script: ScriptAfter<E, P, R>,
) -> Result<Reply>
where
    E: Endpoint,
    E::By: Credential,
    P: Send + Sync + 'static,
    R: Into<Answer<E::Response>> + 'static,
    F: Future<Output = Result<P>> + Send,
{
    match accept::<E>(&app, incoming).await? {
        Accepted::Replay(reply) => Ok(reply),
        Accepted::Fresh(ask) => {
            let ask = Arc::new(ask);
            let prepared = prepare(Arc::clone(&app), Arc::clone(&ask)).await?;
            let job = move |cx: &mut Cx<'_, '_>| {
                idempotency::once::<E>(cx, ask.key.as_ref(), |cx| {
                    script(cx, &ask.caller, &ask.request, &prepared).map(R::into)
                })
            };
            app.write(job).await
        }
    }
}

/// Answers without a transaction.
pub async fn answer<E, F>(
    app: Arc<App>,
    incoming: Incoming,
    answer: fn(Arc<App>, E) -> F,
) -> Result<Reply>
where
    E: Endpoint,
    E::By: Credential,
    F: Future<Output = Result<E::Response>> + Send,
{
    match accept::<E>(&app, incoming).await? {
        Accepted::Replay(reply) => Ok(reply),
        Accepted::Fresh(ask) => {
            let value = answer(app, ask.request).await?;
            Answer::from(value).reply(E::STATUS)
        }
    }
}

enum Accepted<E: Endpoint>
where
    E::By: Credential,
{
    /// The key was used before; here is its answer.
    Replay(Reply),
    /// To be done now.
    Fresh(Ask<E>),
}

/// Every step before the handler.
async fn accept<E>(app: &Arc<App>, mut incoming: Incoming) -> Result<Accepted<E>>
where
    E: Endpoint,
    E::By: Credential,
{
    let has_body = check_body_head(&incoming.parts, app.config.limits.body_bytes)?;
    let key = idempotency::key(&incoming.parts);
    let (caller, stored) = identify::<E>(app, &incoming.parts, key.as_ref().ok()).await?;
    check_standing::<E>(&caller, incoming.suspended)?;
    // Anonymous callers have no keys to keep, so theirs are not looked at.
    let key = if caller.principal().is_some() { key? } else { None };
    let body = if has_body {
        read_body(&mut incoming, app.config.limits.body_bytes).await?
    } else {
        Vec::new()
    };
    let key = key.zip(caller.principal()).map(|(key, principal)| {
        Key::new(principal, key, &incoming.parts.method, incoming.parts.uri.path(), &body)
    });
    if let (Some(stored), Some(key)) = (stored, &key) {
        return stored.replay(key).map(Accepted::Replay);
    }
    let request = decode::<E>(&incoming, &body)?;
    let address =
        incoming.parts.extensions.get::<Peer>().map_or_else(unknown_address, |peer| peer.address);
    Ok(Accepted::Fresh(Ask { caller, request, address, key }))
}

/// The address of a peer nobody knows; limits then count all such peers as one.
fn unknown_address() -> IpAddr {
    IpAddr::from([0, 0, 0, 0])
}

/// Who calls, and what is stored for their Idempotency-Key.
async fn identify<E>(
    app: &Arc<App>,
    parts: &Parts,
    key: Option<&Option<String>>,
) -> Result<(CallerOf<E>, Option<Stored>)>
where
    E: Endpoint,
    E::By: Credential,
{
    let credentials = Credentials::read(&app.config, &parts.method, &parts.headers);
    let key = key.cloned().flatten();
    let look = move |cx: &mut Cx<'_, '_>| {
        let caller = E::By::identify(cx, &credentials)?;
        let stored = match (caller.principal(), &key) {
            (Some(principal), Some(key)) => idempotency::stored(cx, principal, key)?,
            _ => None,
        };
        Ok((caller, stored))
    };
    let found = match E::By::unasked() {
        Some(caller) => (caller, None),
        None => app.read(look).await?,
    };
    note(parts, &found.0);
    mark_seen(app, stale_session(&found.0));
    Ok(found)
}

/// Notes for the log who calls.
fn note(parts: &Parts, caller: &impl Caller) {
    if let (Some(log), Some(id)) = (parts.extensions.get::<Principal>(), caller.principal()) {
        log.set(id);
    }
}

/// Suspended accounts read, and finish what is open.
fn check_standing<E: Endpoint>(caller: &impl Caller, suspended_may: bool) -> Result<()> {
    let suspended =
        caller.account().is_some_and(|account| account.status == AccountStatus::Suspended);
    if suspended && !suspended_may && !E::METHOD.is_safe() {
        let refusal =
            Refusal::new(Code::AccountSuspended, "the account is suspended and may only read");
        return Err(refusal.into());
    }
    Ok(())
}

/// 413 and 415 as far as the head tells; whether there is a body.
fn check_body_head(parts: &Parts, bytes_max: usize) -> Result<bool> {
    if wire::in_query(&parts.method) {
        return Ok(false);
    }
    let length =
        parts.headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
    let has_body =
        parts.headers.contains_key(TRANSFER_ENCODING) || length.is_some_and(|bytes: u64| bytes > 0);
    if length.is_some_and(|bytes| usize::try_from(bytes).unwrap_or(usize::MAX) > bytes_max) {
        return Err(too_large(bytes_max));
    }
    let content_type = parts.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let essence = content_type.and_then(|text| text.split(';').next()).unwrap_or("").trim();
    if has_body && !essence.eq_ignore_ascii_case("application/json") {
        let refusal = Refusal::new(Code::UnsupportedMediaType, "the body must be JSON");
        return Err(refusal.hint("send Content-Type: application/json").into());
    }
    Ok(has_body)
}

async fn read_body(incoming: &mut Incoming, bytes_max: usize) -> Result<Vec<u8>> {
    let body = std::mem::take(&mut incoming.body);
    match Limited::new(body, bytes_max).collect().await {
        Ok(collected) => Ok(collected.to_bytes().into()),
        Err(error) if error.is::<LengthLimitError>() => Err(too_large(bytes_max)),
        Err(_) => Err(Error::refused(Code::InvalidJson, "the body ended too early")),
    }
}

fn too_large(bytes_max: usize) -> Error {
    Error::refused(Code::PayloadTooLarge, format!("the body must have at most {bytes_max} bytes"))
}

fn decode<E: Endpoint>(incoming: &Incoming, body: &[u8]) -> Result<E, wire::Rejected> {
    let path: Vec<&str> = incoming.path.iter().map(String::as_str).collect();
    wire::decode(&path, incoming.parts.uri.query().unwrap_or(""), body)
}

/// The session to mark as seen, if there is one.
fn stale_session(caller: &impl Caller) -> Option<Hash> {
    match caller.account()?.method {
        SignedBy::Session { hash, stale: true } => Some(hash),
        _ => None,
    }
}

/// Marks the session as seen, beside the answer.
fn mark_seen(app: &Arc<App>, session: Option<Hash>) {
    let Some(hash) = session else { return };
    let app = Arc::clone(app);
    tokio::spawn(async move {
        if let Err(error) = app.write(move |cx| credentials::seen(cx, &hash)).await {
            tracing::warn!(%error, "a session could not be marked as seen");
        }
    });
}
