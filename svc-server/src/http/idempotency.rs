//! One effect per Idempotency-Key.
//!
//! The key's row is written first in the transaction of the effect, so its unique index is the
//! mutex: of equal requests at once one does the work, and the others find its answer.

use http::header::{HeaderName, HeaderValue};
use http::request::Parts;
use http::{Method, StatusCode};
use sha2::{Digest, Sha256};
use svc_types::Code;

use super::answer::{Headers, Reply};
use crate::app::Cx;
use crate::error::{Error, Refusal, Result};
use crate::{row, sql, values};

/// Longest Idempotency-Key.
const KEY_LENGTH_MAX: usize = 255;

/// Marks an answer that was given before.
pub(super) const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

/// Whose key it is, and what it was used for.
#[derive(Clone, Debug)]
pub struct Key {
    principal: String,
    text: String,
    fingerprint: [u8; 32],
}

impl Key {
    /// A key with the fingerprint of its request.
    pub fn new(principal: &str, text: String, method: &Method, path: &str, body: &[u8]) -> Self {
        let mut hash = Sha256::new();
        hash.update(method.as_str());
        hash.update([b' ']);
        hash.update(path);
        hash.update([b'\n']);
        hash.update(body);
        Self { principal: principal.to_owned(), text, fingerprint: hash.finalize().into() }
    }
}

/// The key of a POST, if it has one; 400 when it is malformed.
pub fn key(parts: &Parts) -> Result<Option<String>, Box<Refusal>> {
    if parts.method != Method::POST {
        return Ok(None);
    }
    let mut given = parts.headers.get_all("idempotency-key").iter();
    let (Some(value), more) = (given.next(), given.next()) else {
        return Ok(None);
    };
    let visible = |bytes: &[u8]| bytes.iter().all(u8::is_ascii_graphic);
    let valid = (1..=KEY_LENGTH_MAX).contains(&value.len()) && visible(value.as_bytes());
    match value.to_str() {
        Ok(text) if valid && more.is_none() => Ok(Some(text.to_owned())),
        _ => {
            let message =
                format!("Idempotency-Key must be 1 to {KEY_LENGTH_MAX} visible ASCII characters");
            Err(Refusal::new(Code::ValidationFailed, message).field("Idempotency-Key").into())
        }
    }
}

/// What an earlier request left under its key.
#[derive(Clone, Debug)]
pub struct Stored {
    fingerprint: Vec<u8>,
    status: Option<i64>,
    headers: Option<String>,
    body: Option<Vec<u8>>,
}
row!(Stored { fingerprint, status, headers, body });

impl Stored {
    /// The first answer again, or 409 when it belongs to another request or held a secret.
    pub fn replay(self, key: &Key) -> Result<Reply> {
        if self.fingerprint != key.fingerprint {
            let refusal = "this Idempotency-Key was used for another request";
            return Err(Refusal::new(Code::IdempotencyConflict, refusal)
                .hint("use a fresh key")
                .into());
        }
        let status = self.status.and_then(|status| u16::try_from(status).ok());
        let status = status.and_then(|status| StatusCode::from_u16(status).ok());
        let (Some(status), Some(body)) = (status, self.body) else {
            let refusal = "the first answer held a secret, which is shown once";
            let hint = "the first call took effect; ask for a new secret with a fresh key";
            return Err(Refusal::new(Code::IdempotencyConflict, refusal).hint(hint).into());
        };
        let mut headers = read_headers(self.headers.as_deref().unwrap_or(""));
        headers.push((REPLAYED, HeaderValue::from_static("true")));
        Ok(Reply { status, headers, body })
    }
}

/// What is stored for a key.
pub fn stored(cx: &mut Cx<'_, '_>, key: &Key) -> Result<Option<Stored>> {
    cx.tx.optional(
        sql!(
            "select fingerprint, status, headers, body from idempotency
             where principal = $1 and key = $2"
        ),
        values![key.principal, key.text],
    )
}

/// Does the work, unless the key's work was done before; a secret answer is not kept.
pub fn once(
    cx: &mut Cx<'_, '_>,
    key: Option<&Key>,
    is_secret: bool,
    work: impl Fn(&mut Cx<'_, '_>) -> Result<Reply>,
) -> Result<Reply> {
    let Some(key) = key else {
        return work(cx);
    };
    if !reserve(cx, key)? {
        let stored = stored(cx, key)?;
        return stored.ok_or_else(in_progress)?.replay(key);
    }
    let reply = work(cx)?;
    if !is_secret {
        keep(cx, key, &reply)?;
    }
    Ok(reply)
}

/// The row was there a moment ago: its transaction was rolled back, or swept.
fn in_progress() -> Error {
    Refusal::new(Code::IdempotencyInProgress, "the first request with this key is still running")
        .retry_after(1)
        .into()
}

/// Takes the key; false when it is taken.
fn reserve(cx: &mut Cx<'_, '_>, key: &Key) -> Result<bool> {
    let now = cx.now();
    let rows = cx.tx.execute(
        sql!(
            "insert into idempotency (principal, key, fingerprint, created_at)
             values ($1, $2, $3, $4)
             on conflict (principal, key) do nothing"
        ),
        values![key.principal, key.text, key.fingerprint, now],
    )?;
    Ok(rows == 1)
}

fn keep(cx: &mut Cx<'_, '_>, key: &Key, reply: &Reply) -> Result<()> {
    let status = i64::from(reply.status.as_u16());
    let headers = write_headers(&reply.headers);
    cx.tx.execute(
        sql!(
            "update idempotency set status = $1, headers = $2, body = $3
             where principal = $4 and key = $5"
        ),
        values![status, headers, reply.body, key.principal, key.text],
    )?;
    Ok(())
}

/// One `name: value` per line.
fn write_headers(headers: &Headers) -> String {
    let line = |(name, value): &(HeaderName, HeaderValue)| {
        value.to_str().ok().map(|value| format!("{name}: {value}\n"))
    };
    headers.iter().filter_map(line).collect()
}

fn read_headers(text: &str) -> Headers {
    let header = |line: &str| {
        let (name, value) = line.split_once(": ")?;
        Some((name.parse().ok()?, value.parse().ok()?))
    };
    text.lines().filter_map(header).collect()
}
