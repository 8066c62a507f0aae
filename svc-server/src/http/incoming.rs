//! An incoming request: received and decoded before its caller is known, then authenticated.

use std::net::IpAddr;
use std::sync::Arc;

use axum::body::Body;
use bytes::{Bytes, BytesMut};
use http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, TRANSFER_ENCODING};
use http::request::Parts;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use svc_core::app::{App, Ctx};
use svc_core::config::Strictness;
use svc_core::identity::{Account, Caller, Credential, Credentials, SignedBy};
use svc_core::services::step_up;
use svc_store::db::Freshness;
use svc_store::error::{Error, Refusal, Result};
use svc_types::wire::{Handling, Rejected};
use svc_types::{Code, Endpoint, Scopes, Who, wire};
use url::form_urlencoded;

use super::consistency;
use super::credentials;
use super::direct::Changed;
use super::erased::{ErasedEndpoint, ErasedRequest};
use super::idempotency::{self, Key};
use super::in_transit::count_request;
use super::multipart;
use super::observe::{Peer, Principal, RequestId};
use super::prefer::{self, HandlingReport};

/// Most characters of the name of an unknown parameter that a refusal repeats.
const NAME_CHARS_MAX: usize = 64;

/// A request whose body is still unread.
pub(super) struct Incoming {
    /// Method, URI, headers, extensions.
    pub(super) parts: Parts,
    /// The unread body.
    pub(super) body: Body,
    /// Decoded path parameters, in order.
    pub(super) path: Vec<String>,
    /// How its endpoint differs from most.
    pub(super) allows: Allows,
}

/// How an endpoint differs from most: who may call it in spite of their state, and whether it answers each
/// request by itself.
#[derive(Clone, Copy, Default)]
pub(super) struct Allows {
    /// Suspended accounts and paused agents may, although it is a write.
    pub(super) suspended: bool,
    /// Deleted accounts may, until they are erased.
    pub(super) deleted: bool,
    /// Answers are not stored under an Idempotency-Key.
    pub(super) afresh: bool,
}

/// A request whose body was read.
pub(super) struct Received {
    parts: Parts,
    body: Bytes,
    credentials: Credentials,
    /// The Idempotency-Key header, or its refusal, which waits until the caller is known.
    key: Result<Option<String>, Box<Refusal>>,
    /// The principal of anonymous callers' Idempotency-Keys, on repeatable endpoints.
    anonymous: Option<String>,
    allows: Allows,
    freshness: Freshness,
}

/// What an endpoint asks of the credential of an account.
#[derive(Clone, Copy)]
pub(super) struct Rules {
    /// The scopes of which it needs one.
    pub(super) scopes: Scopes,
    /// Whether it must have been confirmed lately.
    pub(super) guarded: bool,
}

impl Rules {
    /// The rules of a declaration.
    pub(super) const fn of<E: Endpoint>() -> Self {
        Self { scopes: E::SCOPES, guarded: E::GUARDED }
    }
}

/// The bodies that an endpoint accepts.
pub(super) struct Accepts {
    pub(super) bytes_max: usize,
    /// Whether it accepts a media type: in lower case, and empty without a Content-Type.
    pub(super) is_type: fn(&str) -> bool,
    /// Message and hint of the refusal of any other type.
    pub(super) refusal: [&'static str; 2],
}

impl Accepts {
    pub(super) fn json(bytes_max: usize) -> Self {
        let refusal = ["the body must be JSON", "send Content-Type: application/json"];
        Self { bytes_max, is_type: |essence| essence == "application/json", refusal }
    }
}

/// Receives a request (413, 415) and decodes it. A malformed header is an error, and a malformed request an inner
/// one, because it is refused only when the caller is known.
pub(super) async fn decode(
    app: &App,
    mut incoming: Incoming,
    endpoint: &ErasedEndpoint,
) -> Result<(Arc<Received>, Result<ErasedRequest, Vec<Rejected>>)> {
    let path = std::mem::take(&mut incoming.path);
    let accepts = Accepts::json(app.config.limits.body_bytes);
    let mut received = receive(app, incoming, &accepts, endpoint.declared.who).await?;
    let name = endpoint.declared.name;
    received.anonymous = endpoint.declared.repeatable.then(|| format!("anyone {name}"));
    let Received { parts, credentials, .. } = &received;
    received.freshness = consistency::of_request(&endpoint.declared, &parts.headers, credentials)?;
    let path: Vec<&str> = path.iter().map(String::as_str).collect();
    let query = received.parts.uri.query().unwrap_or("");
    let preferred = prefer::handling(&received.parts.headers)?;
    let handling = match app.config.api.strict {
        Strictness::All => Handling::Strict,
        Strictness::Declared => preferred,
    };
    let decoded = (endpoint.decode)(&path, query, &received.body, handling);
    if let Some(report) = received.parts.extensions.get::<HandlingReport>() {
        let ignored = decoded.as_ref().map_or(&[][..], |(_, ignored)| ignored);
        report.set(preferred, ignored);
    }
    let all = |first: Rejected| match first.field {
        Some(_) => (endpoint.problems)(&path, query, &received.body, handling),
        None => vec![first],
    };
    let decoded = decoded.map(|(request, _)| request).map_err(all);
    Ok((Arc::new(received), decoded))
}

/// [`decode`] for what handles the requests of one endpoint only.
pub(super) async fn decode_as<E: Endpoint>(
    app: &App,
    incoming: Incoming,
) -> Result<(Arc<Received>, Result<E, Vec<Rejected>>)> {
    let (received, request) = decode(app, incoming, ErasedEndpoint::of::<E>()).await?;
    Ok((received, request.map(ErasedRequest::into_inner)))
}

/// Reads a request without decoding it (413, 415).
pub(super) async fn receive(
    app: &App,
    mut incoming: Incoming,
    accepts: &Accepts,
    who: Who,
) -> Result<Received> {
    let has_body = check_body_head(&incoming.parts, accepts)?;
    let credentials =
        credentials::read(&app.config, &incoming.parts.method, &incoming.parts.headers);
    let resource = incoming.parts.extensions.get().copied().unwrap_or(credentials.resource);
    let of_deleted = incoming.allows.deleted;
    let credentials = Credentials { of_deleted, resource, ..credentials };
    if matches!(who, Who::Account | Who::Moderator | Who::Admin) {
        // Without a credential the body is not read and no job is queued.
        credentials.refuse_hopeless()?;
    }
    let bytes_max = accepts.bytes_max;
    let body = if has_body { read_body(&mut incoming, bytes_max).await? } else { Bytes::new() };
    let Incoming { parts, allows, .. } = incoming;
    let key = idempotency::key(&parts);
    let freshness = Freshness::Latest;
    Ok(Received { credentials, key, anonymous: None, allows, freshness, body, parts })
}

/// Reads the body of a request (413, 415) without checking its credential.
pub(super) async fn read(incoming: &mut Incoming, accepts: &Accepts) -> Result<Bytes> {
    let has_body = check_body_head(&incoming.parts, accepts)?;
    if has_body { read_body(incoming, accepts.bytes_max).await } else { Ok(Bytes::new()) }
}

/// The first bytes of a body, at most `bytes_max`. The rest stays unread.
pub(super) async fn read_beginning(incoming: &mut Incoming, bytes_max: usize) -> Result<Bytes> {
    let mut body = std::mem::take(&mut incoming.body);
    let mut read = BytesMut::new();
    while read.len() < bytes_max
        && let Some(frame) = body.frame().await
    {
        let frame = frame.map_err(|_| ended_early())?;
        let room = bytes_max - read.len();
        if let Some(data) = frame.data_ref() {
            read.extend_from_slice(&data[..data.len().min(room)]);
        }
    }
    Ok(read.freeze())
}

/// The client's address. Limits count all unknown clients as one.
pub(super) fn address(parts: &Parts) -> IpAddr {
    let peer = parts.extensions.get::<Peer>();
    peer.map_or_else(|| IpAddr::from([0, 0, 0, 0]), |peer| peer.address)
}

impl Received {
    /// The size of the body.
    pub(super) fn bytes(&self) -> u64 {
        self.body.len() as u64
    }

    /// The raw body.
    pub(super) const fn body(&self) -> &Bytes {
        &self.body
    }

    /// The Content-Type, empty without one.
    pub(super) fn content_type(&self) -> &str {
        content_type(&self.parts)
    }

    /// The query of its address.
    pub(super) fn query(&self) -> Option<&str> {
        self.parts.uri.query()
    }

    /// Refuses the parameters of an upload, which has its fields in the body.
    pub(super) fn refuse_query(&self, hint: &str) -> Result<()> {
        let query = self.query().unwrap_or_default();
        match form_urlencoded::parse(query.as_bytes()).next() {
            Some((name, _)) => Err(unknown_parameter(&name, hint)),
            None => Ok(()),
        }
    }

    /// How fresh the answer must be.
    pub(super) const fn freshness(&self) -> Freshness {
        self.freshness
    }

    /// Identifies the caller (401), and refuses what the credential alone forbids (403).
    pub(super) fn authenticate<B: Credential>(
        &self,
        ctx: &mut Ctx<'_, '_>,
        rules: Rules,
    ) -> Result<B::Caller> {
        ctx.come_from(self.address());
        ctx.request_bytes = self.bytes();
        let caller = B::identify(ctx, &self.credentials)?;
        record_principal(&self.parts, &caller);
        if let Some(account) = caller.account() {
            account.require(rules.scopes)?;
            if rules.guarded {
                step_up::require(ctx, account)?;
            }
            note_use(ctx, account);
        }
        self.check_active(&caller)?;
        Ok(caller)
    }

    /// Suspended accounts and paused agents may read, and finish their open deals.
    fn check_active(&self, caller: &impl Caller) -> Result<()> {
        match caller.account() {
            Some(account) if !self.allows.suspended && !self.parts.method.is_safe() => {
                account.require_active()
            }
            _ => Ok(()),
        }
    }

    /// The Idempotency-Key. An anonymous caller has one on repeatable endpoints only, if it can't be guessed.
    pub(super) fn key(&self, caller: &impl Caller) -> Result<Option<Key>> {
        let known = caller.principal();
        let Some(principal) = known.or(self.anonymous.as_deref()) else {
            return Ok(None);
        };
        let Some(text) = self.key.clone()?.filter(|_| !self.allows.afresh) else {
            return Ok(None);
        };
        if known.is_none() && text.len() < idempotency::ANONYMOUS_LENGTH_MIN {
            return Ok(None);
        }
        let (method, path) = (&self.parts.method, self.parts.uri.path());
        let body = if self.is_repeatable() {
            idempotency::without_proof(&self.body)
        } else {
            multipart::without_boundary(self.content_type(), &self.body)
        };
        let key = Key::new(principal, text, method, path, &body);
        Ok(Some(if known.is_none() { key.repeatable() } else { key }))
    }

    /// Whether anonymous callers may use an Idempotency-Key.
    pub(super) const fn is_repeatable(&self) -> bool {
        self.anonymous.is_some()
    }

    /// The request id of the log.
    pub(super) fn request_id(&self) -> Arc<str> {
        let id = self.parts.extensions.get::<RequestId>();
        id.map_or_else(|| Arc::from(""), |id| Arc::clone(&id.0))
    }

    /// The members that a person changed in its form, if it means only those.
    pub(super) fn changed(&self) -> Option<Arc<[String]>> {
        self.parts.extensions.get::<Changed>().map(|changed| Arc::clone(&changed.0))
    }

    /// The client's address.
    pub(super) fn address(&self) -> IpAddr {
        address(&self.parts)
    }
}

/// 400 for a parameter that the endpoint does not have.
pub(super) fn unknown_parameter(name: &str, hint: &str) -> Error {
    let name: String = name.chars().take(NAME_CHARS_MAX).collect();
    let refusal = Refusal::new(Code::UnknownParameter, format!("{name} is not known here"));
    refusal.field(&name).hint(hint).into()
}

/// Notes the use of an API key or a grant, which is written later.
fn note_use(ctx: &Ctx<'_, '_>, account: &Account) {
    let id = match &account.method {
        SignedBy::ApiKey(key_id) => key_id.as_str(),
        SignedBy::Token(grant) => grant.as_str(),
        SignedBy::Session { .. } | SignedBy::Clock => return,
    };
    ctx.app.key_uses.note(id, ctx.network().around(), ctx.now());
}

/// Records the caller for the log line.
fn record_principal(parts: &Parts, caller: &impl Caller) {
    if let (Some(log), Some(id)) = (parts.extensions.get::<Principal>(), caller.principal()) {
        log.set(id);
    }
}

/// Refuses by Content-Length (413) and Content-Type (415); returns whether there is a body.
fn check_body_head(parts: &Parts, accepts: &Accepts) -> Result<bool> {
    if wire::in_query(&parts.method) {
        return Ok(false);
    }
    let length = content_length(parts);
    let has_body =
        parts.headers.contains_key(TRANSFER_ENCODING) || length.is_some_and(|bytes| bytes > 0);
    let bytes_max = accepts.bytes_max;
    if length.is_some_and(|bytes| bytes > bytes_max) {
        return Err(too_large(bytes_max));
    }
    let essence = content_type(parts).split(';').next().unwrap_or("").trim();
    if has_body && !(accepts.is_type)(&essence.to_ascii_lowercase()) {
        let [message, hint] = accepts.refusal;
        return Err(Refusal::new(Code::UnsupportedMediaType, message).hint(hint).into());
    }
    if has_body && is_encoded(parts) {
        let refusal = Refusal::new(Code::UnsupportedMediaType, "the body must not be compressed");
        return Err(refusal.hint("send it without Content-Encoding").into());
    }
    Ok(has_body)
}

/// Whether the body is compressed. It would be refused as broken JSON.
fn is_encoded(parts: &Parts) -> bool {
    let plain = |coding: &[u8]| coding.is_empty() || coding.eq_ignore_ascii_case(b"identity");
    parts.headers.get(CONTENT_ENCODING).is_some_and(|coding| !plain(coding.as_bytes()))
}

/// The Content-Length, if there is one.
pub(super) fn content_length(parts: &Parts) -> Option<usize> {
    let length: u64 = parts.headers.get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok()?;
    Some(usize::try_from(length).unwrap_or(usize::MAX))
}

/// The Content-Type, empty without one.
pub(super) fn content_type(parts: &Parts) -> &str {
    parts.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("")
}

async fn read_body(incoming: &mut Incoming, bytes_max: usize) -> Result<Bytes> {
    let announced = content_length(&incoming.parts).unwrap_or(bytes_max);
    count_request(&mut incoming.parts, announced)?;
    let body = std::mem::take(&mut incoming.body);
    match Limited::new(body, bytes_max).collect().await {
        Ok(collected) => Ok(collected.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => Err(too_large(bytes_max)),
        Err(_) => Err(ended_early()),
    }
}

fn ended_early() -> Error {
    Error::refused(Code::InvalidJson, "the body ended too early")
}

pub(super) fn too_large(bytes_max: usize) -> Error {
    Error::refused(Code::PayloadTooLarge, format!("the body must have at most {bytes_max} bytes"))
}
