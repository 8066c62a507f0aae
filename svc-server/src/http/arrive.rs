//! A request on its way in: taken off the connection, read as far as that goes without knowing who
//! sends it, and then admitted.

use std::net::IpAddr;
use std::sync::Arc;

use http::header::{CONTENT_LENGTH, CONTENT_TYPE, TRANSFER_ENCODING};
use http::request::Parts;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use svc_core::app::App;
use svc_core::app::Ctx;
use svc_core::identity::Credentials;
use svc_core::identity::{Caller, Credential};
use svc_store::error::{Error, Refusal, Result};
use svc_types::api::users::AccountStatus;
use svc_types::{By, Code, Endpoint, Who, wire};

use super::credentials;
use super::idempotency::{self, Key};
use super::observe::{OfRequest, Peer, Principal};
use super::serve::Incoming;

/// What a request is judged by beside what it asks.
pub(super) struct Head {
    parts: Parts,
    body: Vec<u8>,
    credentials: Credentials,
    key: Result<Option<String>, Box<Refusal>>,
    /// Whose the Idempotency-Keys of anonymous callers are, where they count.
    anonymous: Option<String>,
    suspended_may: bool,
}

/// What a body may be.
pub(super) struct Accepts {
    /// Its largest size.
    pub(super) bytes_max: usize,
    /// Whether its media type, in lower case and empty without one, will do.
    pub(super) is_type: fn(&str) -> bool,
    /// What is wrong with another type, and what would be right.
    pub(super) otherwise: [&'static str; 2],
}

impl Accepts {
    fn json(bytes_max: usize) -> Self {
        let otherwise = ["the body must be JSON", "send Content-Type: application/json"];
        Self { bytes_max, is_type: |essence| essence == "application/json", otherwise }
    }
}

/// Takes a request off the connection (413, 415), and reads it as far as that goes without
/// knowing who sends it.
pub(super) async fn arrive<E: Endpoint>(
    app: &App,
    mut incoming: Incoming,
) -> Result<(Arc<Head>, Result<E, wire::Rejected>)> {
    let path = std::mem::take(&mut incoming.path);
    let accepts = Accepts::json(app.config.limits.body_bytes);
    let mut head = take::<E::By>(app, incoming, &accepts).await?;
    head.anonymous = E::REPEATABLE.then(|| format!("anyone {}", E::NAME));
    let path: Vec<&str> = path.iter().map(String::as_str).collect();
    let request = wire::decode(&path, head.parts.uri.query().unwrap_or(""), &head.body);
    Ok((Arc::new(head), request))
}

/// Takes a request off the connection (413, 415) whatever its body means.
pub(super) async fn take<B: By>(
    app: &App,
    mut incoming: Incoming,
    accepts: &Accepts,
) -> Result<Head> {
    let has_body = check_body_head(&incoming.parts, accepts)?;
    let credentials =
        credentials::read(&app.config, &incoming.parts.method, &incoming.parts.headers);
    if matches!(B::WHO, Who::Account | Who::Moderator | Who::Admin) {
        // Whoever sends no credential is not read to, and takes nobody's place in a queue.
        credentials.refuse_hopeless()?;
    }
    let bytes_max = accepts.bytes_max;
    let body = if has_body { read_body(&mut incoming, bytes_max).await? } else { Vec::new() };
    let Incoming { parts, suspended, .. } = incoming;
    let key = idempotency::key(&parts);
    Ok(Head { credentials, key, anonymous: None, suspended_may: suspended, body, parts })
}

/// The body of a request, whoever sends it (413, 415).
pub(super) async fn read(incoming: &mut Incoming, accepts: &Accepts) -> Result<Vec<u8>> {
    let has_body = check_body_head(&incoming.parts, accepts)?;
    if has_body { read_body(incoming, accepts.bytes_max).await } else { Ok(Vec::new()) }
}

/// Where a request comes from; limits count all peers that nobody knows as one.
pub(super) fn address(parts: &Parts) -> IpAddr {
    let peer = parts.extensions.get::<Peer>();
    peer.map_or_else(|| IpAddr::from([0, 0, 0, 0]), |peer| peer.address)
}

impl Head {
    /// Size of the body.
    pub(super) fn bytes(&self) -> u64 {
        self.body.len() as u64
    }

    /// The body as it came.
    pub(super) fn body(&self) -> &[u8] {
        &self.body
    }

    /// The Content-Type, empty without one.
    pub(super) fn content_type(&self) -> &str {
        content_type(&self.parts)
    }

    /// Who calls; 401, and the 403 that follows from the credential alone.
    pub(super) fn admit<B: Credential>(&self, ctx: &mut Ctx<'_, '_>) -> Result<B::Caller> {
        ctx.come_from(self.address());
        ctx.request_bytes = self.bytes();
        let caller = B::identify(ctx, &self.credentials)?;
        note(&self.parts, &caller);
        self.check_suspended(&caller)?;
        Ok(caller)
    }

    /// Suspended accounts read, and finish what is open.
    fn check_suspended(&self, caller: &impl Caller) -> Result<()> {
        let suspended =
            caller.account().is_some_and(|account| account.status == AccountStatus::Suspended);
        if suspended && !self.suspended_may && !self.parts.method.is_safe() {
            let refusal =
                Refusal::new(Code::AccountSuspended, "the account is suspended and may only read");
            return Err(refusal.into());
        }
        Ok(())
    }

    /// The Idempotency-Key. That of an anonymous caller counts where the endpoint is repeatable.
    pub(super) fn key(&self, caller: &impl Caller) -> Result<Option<Key>> {
        let known = caller.principal();
        let Some(principal) = known.or(self.anonymous.as_deref()) else {
            return Ok(None);
        };
        let Some(text) = self.key.clone()? else {
            return Ok(None);
        };
        let (method, path) = (&self.parts.method, self.parts.uri.path());
        let key = Key::new(principal, text, method, path, &self.body);
        Ok(Some(if known.is_none() { key.repeatable() } else { key }))
    }

    /// Whether the Idempotency-Key of an anonymous caller is looked at.
    pub(super) const fn is_repeatable(&self) -> bool {
        self.anonymous.is_some()
    }

    /// The id of the request.
    pub(super) fn request_id(&self) -> Arc<str> {
        let id = self.parts.extensions.get::<OfRequest>();
        id.map_or_else(|| Arc::from(""), |id| Arc::clone(&id.0))
    }

    /// Where it comes from.
    pub(super) fn address(&self) -> IpAddr {
        address(&self.parts)
    }
}

/// Notes for the log who calls.
fn note(parts: &Parts, caller: &impl Caller) {
    if let (Some(log), Some(id)) = (parts.extensions.get::<Principal>(), caller.principal()) {
        log.set(id);
    }
}

/// 413 and 415 as far as the head tells; whether there is a body.
fn check_body_head(parts: &Parts, accepts: &Accepts) -> Result<bool> {
    if wire::in_query(&parts.method) {
        return Ok(false);
    }
    let length =
        parts.headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
    let has_body =
        parts.headers.contains_key(TRANSFER_ENCODING) || length.is_some_and(|bytes: u64| bytes > 0);
    let bytes_max = accepts.bytes_max;
    if length.is_some_and(|bytes| usize::try_from(bytes).unwrap_or(usize::MAX) > bytes_max) {
        return Err(too_large(bytes_max));
    }
    let essence = content_type(parts).split(';').next().unwrap_or("").trim();
    if has_body && !(accepts.is_type)(&essence.to_ascii_lowercase()) {
        let [message, hint] = accepts.otherwise;
        return Err(Refusal::new(Code::UnsupportedMediaType, message).hint(hint).into());
    }
    Ok(has_body)
}

fn content_type(parts: &Parts) -> &str {
    parts.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("")
}

async fn read_body(incoming: &mut Incoming, bytes_max: usize) -> Result<Vec<u8>> {
    let body = std::mem::take(&mut incoming.body);
    match Limited::new(body, bytes_max).collect().await {
        Ok(collected) => Ok(collected.to_bytes().into()),
        Err(error) if error.is::<LengthLimitError>() => Err(too_large(bytes_max)),
        Err(_) => Err(Error::refused(Code::InvalidJson, "the body ended too early")),
    }
}

pub(super) fn too_large(bytes_max: usize) -> Error {
    Error::refused(Code::PayloadTooLarge, format!("the body must have at most {bytes_max} bytes"))
}
