//! A request on its way in: taken off the connection, read as far as that goes without knowing who
//! sends it, and then admitted.

use std::net::IpAddr;
use std::sync::Arc;

use http::header::{CONTENT_LENGTH, CONTENT_TYPE, TRANSFER_ENCODING};
use http::request::Parts;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use svc_types::api::users::AccountStatus;
use svc_types::{By, Code, Endpoint, Who, wire};

use super::caller::{Caller, Credential};
use super::credentials::Credentials;
use super::idempotency::{self, Key};
use super::observe::{Peer, Principal};
use super::routes::CallerOf;
use super::serve::Incoming;
use crate::app::{App, Cx};
use crate::error::{Error, Refusal, Result};

/// What a request is judged by beside what it asks.
pub(super) struct Head {
    parts: Parts,
    body: Vec<u8>,
    credentials: Credentials,
    key: Result<Option<String>, Box<Refusal>>,
    suspended_may: bool,
}

/// Takes a request off the connection (413, 415), and reads it as far as that goes without
/// knowing who sends it.
pub(super) async fn arrive<E: Endpoint>(
    app: &App,
    mut incoming: Incoming,
) -> Result<(Arc<Head>, Result<E, wire::Rejected>)> {
    let body_max = app.config.limits.body_bytes;
    let has_body = check_body_head(&incoming.parts, body_max)?;
    let credentials =
        Credentials::read(&app.config, &incoming.parts.method, &incoming.parts.headers);
    if matches!(E::By::WHO, Who::Account | Who::Moderator | Who::Admin) {
        // Whoever sends no credential is not read to, and takes nobody's place in a queue.
        credentials.refuse_hopeless()?;
    }
    let body = if has_body { read_body(&mut incoming, body_max).await? } else { Vec::new() };
    let Incoming { parts, path, suspended, .. } = incoming;
    let path: Vec<&str> = path.iter().map(String::as_str).collect();
    let request = wire::decode(&path, parts.uri.query().unwrap_or(""), &body);
    let head =
        Head { credentials, key: idempotency::key(&parts), suspended_may: suspended, body, parts };
    Ok((Arc::new(head), request))
}

impl Head {
    /// Who calls; 401, and the 403 that follows from the credential alone.
    pub(super) fn admit<E>(&self, cx: &mut Cx<'_, '_>) -> Result<CallerOf<E>>
    where
        E: Endpoint,
        E::By: Credential,
    {
        cx.come_from(self.address());
        let caller = E::By::identify(cx, &self.credentials)?;
        note(&self.parts, &caller);
        check_standing::<E>(&caller, self.suspended_may)?;
        Ok(caller)
    }

    /// The Idempotency-Key. Anonymous callers have none to keep, so theirs are not looked at.
    pub(super) fn key(&self, caller: &impl Caller) -> Result<Option<Key>> {
        let Some(principal) = caller.principal() else {
            return Ok(None);
        };
        let given = self.key.clone()?;
        let (method, path) = (&self.parts.method, self.parts.uri.path());
        Ok(given.map(|text| Key::new(principal, text, method, path, &self.body)))
    }

    /// Where it comes from; limits count all peers that nobody knows as one.
    pub(super) fn address(&self) -> IpAddr {
        let peer = self.parts.extensions.get::<Peer>();
        peer.map_or_else(|| IpAddr::from([0, 0, 0, 0]), |peer| peer.address)
    }
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
