//! The steps every endpoint goes through, in order.
//!
//! The HTTP layer refuses first (405, 413, 415). Then come the credential (401, 403), a stored
//! Idempotency-Key, the request itself (400), live keys in its texts (400), and the handler (404,
//! 403, 409, 429).

use std::net::IpAddr;
use std::sync::Arc;

use axum::body::Body;
use http::StatusCode;
use http::request::Parts;
use serde::Serialize;
use svc_core::app::Ctx;
use svc_core::due;
use svc_core::identity::credentials;
use svc_core::identity::{Account, Caller, Credential, SignedBy};
use svc_core::keys::Hash;
use svc_core::services::budget;
use svc_core::services::secrets::Suspects;
use svc_store::error::{Error, Result};
use svc_types::{Endpoint, by, wire};

use super::answer::{Answer, Reply};
use super::arrive::{Accepts, Head, arrive, take};
use super::idempotency::{self, Key};
use super::routes::{CallerOf, Script, ScriptAfter};
use crate::app::ServerApp;

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
}

/// Identifies, decodes and answers in one job.
pub async fn read<E, R>(
    app: Arc<ServerApp>,
    incoming: Incoming,
    script: Script<E, R>,
) -> Result<Reply>
where
    E: Endpoint,
    E::By: Credential,
    R: Into<Answer<E::Response>> + 'static,
{
    let (head, request) = arrive::<E>(&app, incoming).await?;
    let job = move |ctx: &mut Ctx<'_, '_>| {
        let caller = head.admit::<E::By>(ctx)?;
        let request = request.as_ref().map_err(|rejected| Error::from(rejected.clone()))?;
        let reply = reply_of::<E, R>(script(ctx, &caller, request)?)?;
        Ok((reply, stale_session(&caller)))
    };
    let (reply, stale) = due::read(&app, job).await?;
    mark_seen(&app, stale);
    Ok(reply)
}

/// Identifies and answers in one transaction, together with its Idempotency-Key.
pub async fn write<E, R>(
    app: Arc<ServerApp>,
    incoming: Incoming,
    script: Script<E, R>,
) -> Result<Reply>
where
    E: Endpoint,
    E::By: Credential,
    R: Into<Answer<E::Response>> + 'static,
{
    let (head, request) = arrive::<E>(&app, incoming).await?;
    match request {
        Ok(request) => at_once(app, head, request, script).await,
        Err(rejected) => misunderstood::<E>(&app, &head, rejected).await,
    }
}

/// Identifies, then does slow work, then answers in a transaction with its Idempotency-Key.
pub async fn write_after<E, P, R, F>(
    app: Arc<ServerApp>,
    incoming: Incoming,
    prepare: fn(Arc<ServerApp>, Arc<Ask<E>>) -> F,
    script: ScriptAfter<E, P, R>,
) -> Result<Reply>
where
    E: Endpoint,
    E::By: Credential,
    P: Send + Sync + 'static,
    R: Into<Answer<E::Response>> + 'static,
    F: Future<Output = Result<P>> + Send,
{
    let (head, request) = arrive::<E>(&app, incoming).await?;
    match request {
        Ok(request) => afterwards(app, head, request, prepare, script).await,
        Err(rejected) => misunderstood::<E>(&app, &head, rejected).await,
    }
}

/// How the slow requests of an endpoint are told from the others, and prepared.
pub struct Slow<E: Endpoint, L, F>
where
    E::By: Credential,
{
    /// Whether a request is one of them.
    pub is_slow: fn(&E) -> bool,
    /// What the work needs to know, read in the job that identifies the caller.
    pub load: Script<E, L>,
    /// The work.
    pub prepare: fn(Arc<ServerApp>, L) -> F,
}

/// At once, or after slow work, as the request needs it.
pub async fn write_or_after<E, L, P, R, F>(
    app: Arc<ServerApp>,
    incoming: Incoming,
    slow: Slow<E, L, F>,
    script: ScriptAfter<E, Option<P>, R>,
) -> Result<Reply>
where
    E: Endpoint,
    E::By: Credential,
    L: Send + 'static,
    P: Send + Sync + 'static,
    R: Into<Answer<E::Response>> + 'static,
    F: Future<Output = Result<P>> + Send,
{
    let (head, request) = arrive::<E>(&app, incoming).await?;
    let request = match request {
        Ok(request) => request,
        Err(rejected) => return misunderstood::<E>(&app, &head, rejected).await,
    };
    let mut prepared = None;
    if (slow.is_slow)(&request) {
        let (asked, load) = (request.clone(), slow.load);
        let looking = move |ctx: &mut Ctx<'_, '_>, caller: &CallerOf<E>| load(ctx, caller, &asked);
        let (accepted, found) = accept_and::<E::By, L>(&app, &head, looking).await?;
        if let Some(reply) = accepted.replay {
            return Ok(reply);
        }
        if let Some(found) = found {
            prepared = Some((slow.prepare)(Arc::clone(&app), found).await?);
        }
    }
    let script = move |ctx: &mut Ctx<'_, '_>, caller: &CallerOf<E>, request: &E| {
        script(ctx, caller, request, &prepared)
    };
    at_once(app, head, request, script).await
}

/// Refuses what has not the form of its endpoint, once the caller may know that. It changes
/// nothing, so it need not wait for those that do.
async fn misunderstood<E>(
    app: &Arc<ServerApp>,
    head: &Arc<Head>,
    rejected: wire::Rejected,
) -> Result<Reply>
where
    E: Endpoint,
    E::By: Credential,
{
    accept::<E::By>(app, head).await?.replay.ok_or_else(|| rejected.into())
}

async fn at_once<E, R>(
    app: Arc<ServerApp>,
    head: Arc<Head>,
    request: E,
    script: impl Fn(&mut Ctx<'_, '_>, &CallerOf<E>, &E) -> Result<R> + Send + Sync + 'static,
) -> Result<Reply>
where
    E: Endpoint,
    E::By: Credential,
    R: Into<Answer<E::Response>> + 'static,
{
    let suspects = suspects(&request);
    let job = move |ctx: &mut Ctx<'_, '_>| {
        let caller = head.admit::<E::By>(ctx)?;
        let key = head.key(&caller)?;
        ctx.request_id = head.request_id();
        let work = |ctx: &mut Ctx<'_, '_>| {
            suspects.refuse_live(ctx)?;
            budget::pay_for::<E>(ctx, caller.account().map(|account| &account.id))?;
            reply_of::<E, R>(script(ctx, &caller, &request)?)
        };
        let reply = idempotency::once(ctx, key.as_ref(), E::SECRET, work)?;
        Ok((reply.spending(&ctx.spent), stale_session(&caller)))
    };
    let (reply, stale) = due::write(&app, job).await?;
    mark_seen(&app, stale);
    Ok(reply)
}

async fn afterwards<E, P, R, F>(
    app: Arc<ServerApp>,
    head: Arc<Head>,
    request: E,
    prepare: fn(Arc<ServerApp>, Arc<Ask<E>>) -> F,
    script: ScriptAfter<E, P, R>,
) -> Result<Reply>
where
    E: Endpoint,
    E::By: Credential,
    P: Send + Sync + 'static,
    R: Into<Answer<E::Response>> + 'static,
    F: Future<Output = Result<P>> + Send,
{
    let Accepted { caller, key, replay } = accept::<E::By>(&app, &head).await?;
    if let Some(reply) = replay {
        return Ok(reply);
    }
    let suspects = suspects(&request);
    if !suspects.is_empty() {
        app.read(move |ctx| suspects.refuse_live(ctx)).await?;
    }
    let ask = Arc::new(Ask { caller, request, address: head.address() });
    let prepared = match prepare(Arc::clone(&app), Arc::clone(&ask)).await {
        Ok(prepared) => prepared,
        // The same request may have taken effect meanwhile; then this one is refused because of it.
        Err(refused) => return replayed(&app, key).await?.ok_or(refused),
    };
    let job = move |ctx: &mut Ctx<'_, '_>| {
        ctx.request_bytes = head.bytes();
        let work = |ctx: &mut Ctx<'_, '_>| {
            budget::pay_for::<E>(ctx, ask.caller.account().map(|account| &account.id))?;
            reply_of::<E, R>(script(ctx, &ask.caller, &ask.request, &prepared)?)
        };
        let reply = idempotency::once(ctx, key.as_ref(), E::SECRET, work)?;
        Ok(reply.spending(&ctx.spent))
    };
    due::write(&app, job).await
}

/// The answer to the same request, if there is one by now.
async fn replayed(app: &Arc<ServerApp>, key: Option<Key>) -> Result<Option<Reply>> {
    let Some(key) = key else { return Ok(None) };
    let job = move |ctx: &mut Ctx<'_, '_>| {
        let stored = idempotency::stored(ctx, &key)?;
        stored.map(|stored| stored.replay(ctx, &key)).transpose()
    };
    app.read(job).await
}

/// What may be a live key in the texts of a request that changes something. What only names or
/// finds something is kept by nobody.
fn suspects<E: Endpoint>(request: &E) -> Suspects {
    if wire::in_query(&E::METHOD) { Suspects::default() } else { Suspects::of(request) }
}

/// Answers without a transaction.
pub async fn answer<E, F>(
    app: Arc<ServerApp>,
    incoming: Incoming,
    answer: fn(Arc<ServerApp>, E) -> F,
) -> Result<Reply>
where
    E: Endpoint,
    E::By: Credential,
    F: Future<Output = Result<E::Response>> + Send,
{
    let (head, request) = arrive::<E>(&app, incoming).await?;
    let accepted = accept::<E::By>(&app, &head).await?;
    if let Some(reply) = accepted.replay {
        return Ok(reply);
    }
    Answer::from(answer(app, request?).await?).reply(E::STATUS)
}

/// Identifies, then works on a body that is no JSON, then answers in a transaction with its
/// Idempotency-Key: the steps of an account's write whose request is a file.
pub(super) async fn upload<T, P, F>(
    app: Arc<ServerApp>,
    incoming: Incoming,
    accepts: Accepts,
    count: fn(&mut Ctx<'_, '_>, &Account) -> Result<()>,
    prepare: fn(Arc<ServerApp>, Arc<Head>) -> F,
    script: fn(&mut Ctx<'_, '_>, &Account, &P) -> Result<T>,
) -> Result<Reply>
where
    T: Serialize + 'static,
    P: Send + Sync + 'static,
    F: Future<Output = Result<P>> + Send,
{
    let head = Arc::new(take::<by::Account>(&app, incoming, &accepts).await?);
    let Accepted { caller, key, replay } = accept::<by::Account>(&app, &head).await?;
    if let Some(reply) = replay {
        return Ok(reply);
    }
    let (counted, bytes) = (caller.clone(), head.bytes());
    let counting = move |ctx: &mut Ctx<'_, '_>| {
        ctx.request_bytes = bytes;
        count(ctx, &counted)
    };
    app.write(counting).await?;
    let prepared = prepare(Arc::clone(&app), head).await?;
    let job = move |ctx: &mut Ctx<'_, '_>| {
        let work = |ctx: &mut Ctx<'_, '_>| {
            Answer::from(script(ctx, &caller, &prepared)?).reply(StatusCode::OK)
        };
        idempotency::once(ctx, key.as_ref(), false, work)
    };
    due::write(&app, job).await
}

/// A handler's answer with the status of its endpoint.
fn reply_of<E: Endpoint, R: Into<Answer<E::Response>>>(answer: R) -> Result<Reply> {
    answer.into().reply(E::STATUS)
}

/// What is known before the request itself is looked at.
struct Accepted<C> {
    caller: C,
    key: Option<Key>,
    /// What was answered when the key was used before.
    replay: Option<Reply>,
}

/// Every step before the request itself, in a job of its own.
async fn accept<B: Credential>(
    app: &Arc<ServerApp>,
    head: &Arc<Head>,
) -> Result<Accepted<B::Caller>> {
    if let Some(caller) = B::unasked()
        && !head.is_repeatable()
    {
        return Ok(Accepted { caller, key: None, replay: None });
    }
    accept_and::<B, ()>(app, head, |_, _| Ok(())).await.map(|(accepted, _)| accepted)
}

/// The same, and what `look` finds in the same job; it does not look when the key was used before.
async fn accept_and<B, L>(
    app: &Arc<ServerApp>,
    head: &Arc<Head>,
    load: impl Fn(&mut Ctx<'_, '_>, &B::Caller) -> Result<L> + Send + 'static,
) -> Result<(Accepted<B::Caller>, Option<L>)>
where
    B: Credential,
    L: Send + 'static,
{
    let head = Arc::clone(head);
    let job = move |ctx: &mut Ctx<'_, '_>| {
        let caller = head.admit::<B>(ctx)?;
        let key = head.key(&caller)?;
        let replay = match &key {
            Some(key) => idempotency::stored(ctx, key)?.map(|stored| stored.replay(ctx, key)),
            None => None,
        };
        let found = if replay.is_none() { Some(load(ctx, &caller)?) } else { None };
        Ok((Accepted { caller, key, replay: replay.transpose()? }, found))
    };
    let (accepted, found) = app.read(job).await?;
    mark_seen(app, stale_session(&accepted.caller));
    Ok((accepted, found))
}

/// The session to mark as seen, if there is one.
pub(super) fn stale_session(caller: &impl Caller) -> Option<Hash> {
    match caller.account()?.method {
        SignedBy::Session { hash, stale: true } => Some(hash),
        _ => None,
    }
}

/// Marks the session as seen, beside the answer.
pub(super) fn mark_seen(app: &Arc<ServerApp>, session: Option<Hash>) {
    let Some(hash) = session else { return };
    let app = Arc::clone(app);
    tokio::spawn(async move {
        if let Err(error) = app.write(move |ctx| credentials::seen(ctx, &hash)).await {
            tracing::warn!(%error, "a session could not be marked as seen");
        }
    });
}
