//! One effect per Idempotency-Key.
//!
//! The transaction of the effect locks the key first: of concurrent equal requests one does the work, and the
//! others find its answer. The row of the key is inserted last, with the answer, so that it is written once.

use std::borrow::Cow;
use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::header::{HeaderName, HeaderValue};
use http::request::Parts;
use http::{Method, StatusCode};
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};
use svc_core::app::Ctx;
use svc_core::services::idempotency::{Place, lock, place};
use svc_store::error::{Error, Refusal, Result};
use svc_store::{row, sql, values};
use svc_types::Code;
use svc_types::endpoint::REPEATABLE_FOR;

use super::answer::{Headers, Reply};
use super::direct::OfForm;

/// The longest Idempotency-Key.
const KEY_LENGTH_MAX: usize = 255;

/// The header of a replayed answer.
pub(super) const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

/// Fewest characters of the key of an anonymous caller, as many as 128 random bits have in base64. It is all that
/// protects the secret of the answer, so nobody may guess it.
pub(super) const ANONYMOUS_LENGTH_MIN: usize = 22;

/// An Idempotency-Key with its principal and the fingerprint of its request.
#[derive(Clone, Debug)]
pub struct Key {
    principal: String,
    text: String,
    fingerprint: [u8; 32],
    /// Whether the answer is a secret, stored encrypted for [`REPEATABLE_FOR`].
    is_repeatable: bool,
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
        let fingerprint = hash.finalize().into();
        Self { principal: principal.to_owned(), text, fingerprint, is_repeatable: false }
    }

    /// The key of an anonymous caller. It is their only credential, so only its hash is stored.
    #[must_use]
    pub fn repeatable(self) -> Self {
        let text = URL_SAFE_NO_PAD.encode(Sha256::digest(self.text.as_bytes()));
        Self { text, is_repeatable: true, ..self }
    }

    /// Where its row is.
    fn place(&self) -> Place {
        place(&self.principal, &self.text)
    }

    /// The associated data of its encrypted answer.
    fn associated_data(&self) -> String {
        format!("idempotency {} {}", self.principal, self.text)
    }
}

/// The key of a POST, or of a form that deletes, if it has one; 400 if it is malformed.
pub fn key(parts: &Parts) -> Result<Option<String>, Box<Refusal>> {
    let is_form = parts.extensions.get::<OfForm>().is_some();
    if parts.method != Method::POST && !(is_form && parts.method == Method::DELETE) {
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

/// The body of a registration without its proof of work. A proof counts once, so a repetition has another one, or none
/// yet: its client asks whether one is needed.
pub(super) fn without_proof(body: &[u8]) -> Cow<'_, [u8]> {
    let members = serde_json::from_slice::<BTreeMap<String, &RawValue>>(body);
    let others = members.ok().and_then(|mut members| {
        members.remove("proof");
        serde_json::to_vec(&members).ok()
    });
    others.map_or(Cow::Borrowed(body), Cow::Owned)
}

/// The stored outcome of an earlier request.
#[derive(Clone, Debug)]
pub struct Stored {
    fingerprint: Vec<u8>,
    status: Option<i64>,
    headers: Option<String>,
    body: Option<Vec<u8>>,
}
row!(Stored { fingerprint: "fingerprint", status: "status", headers: "headers", body: "body" });

impl Stored {
    /// The stored answer; 409 if the key was used for another request, or the answer held a secret.
    pub fn replay(self, ctx: &Ctx<'_, '_>, key: &Key) -> Result<Reply> {
        if self.fingerprint != key.fingerprint {
            let refusal = "this Idempotency-Key was used for another request";
            return Err(Refusal::new(Code::IdempotencyConflict, refusal)
                .hint("use a fresh key")
                .into());
        }
        let status = self.status.and_then(|status| u16::try_from(status).ok());
        let status = status.and_then(|status| StatusCode::from_u16(status).ok());
        let answer = match self.body {
            Some(encrypted) if key.is_repeatable => Some(decrypt(ctx, key, &encrypted)?),
            Some(body) => Some((self.headers.unwrap_or_default(), body)),
            None => None,
        };
        let (Some(status), Some((headers, body))) = (status, answer) else {
            let refusal = "the first response contained a secret, which is returned only once";
            let hint =
                "the first call took effect; replace the secret of what it made, or delete that";
            return Err(Refusal::new(Code::IdempotencyConflict, refusal).hint(hint).into());
        };
        let mut headers = read_headers(&headers);
        headers.push((REPLAYED, HeaderValue::from_static("true")));
        Ok(Reply { status, headers, body })
    }
}

/// Loads the outcome stored under a key, unless it has expired.
pub fn stored(ctx: &mut Ctx<'_, '_>, key: &Key) -> Result<Option<Stored>> {
    let now = ctx.now();
    ctx.tx.optional(
        sql!(
            "select ",
            Stored::COLUMNS,
            " from idempotency
             where hash = $1 and (expires_at is null or expires_at > $2)"
        ),
        values![key.place(), now],
    )
}

/// Does the work once per key, and replays the stored answer afterwards. Secret answers are not
/// stored.
pub fn once(
    ctx: &mut Ctx<'_, '_>,
    key: Option<&Key>,
    is_secret: bool,
    work: &dyn Fn(&mut Ctx<'_, '_>) -> Result<Reply>,
) -> Result<Reply> {
    let Some(key) = key else {
        return work(ctx);
    };
    lock(ctx, &key.place())?;
    if let Some(stored) = stored(ctx, key)? {
        return stored.replay(ctx, key);
    }
    let reply = work(ctx)?;
    if key.is_repeatable {
        let encrypted = encrypt(ctx, key, &reply)?;
        store(ctx, key, Some((reply.status, "", &encrypted)))?;
    } else if is_secret {
        store(ctx, key, None)?;
    } else {
        let headers = write_headers(&reply.headers);
        store(ctx, key, Some((reply.status, &headers, &reply.body)))?;
    }
    Ok(reply)
}

/// Encrypts an answer with its headers, because one may set a cookie.
fn encrypt(ctx: &Ctx<'_, '_>, key: &Key, reply: &Reply) -> Result<Vec<u8>> {
    let body = std::str::from_utf8(&reply.body).map_err(Error::internal)?;
    let text = format!("{}\n{body}", write_headers(&reply.headers));
    ctx.app.encrypt.encrypt(&key.associated_data(), &text)
}

/// Decrypts the headers and the body of a stored answer.
fn decrypt(ctx: &Ctx<'_, '_>, key: &Key, encrypted: &[u8]) -> Result<(String, Vec<u8>)> {
    let text = ctx.app.encrypt.decrypt(&key.associated_data(), encrypted)?;
    // Headers end with an empty line, unless there are none.
    let (headers, body) = match text.strip_prefix('\n') {
        Some(body) => ("", body),
        None => text.split_once("\n\n").unwrap_or(("", &text)),
    };
    Ok((headers.to_owned(), body.as_bytes().to_vec()))
}

/// Inserts the row of a key, with status, headers and body of the answer unless that is a secret.
fn store(
    ctx: &mut Ctx<'_, '_>,
    key: &Key,
    answer: Option<(StatusCode, &str, &[u8])>,
) -> Result<()> {
    let now = ctx.now();
    let expires_at = key.is_repeatable.then(|| now.plus(REPEATABLE_FOR));
    if key.is_repeatable {
        // That of an earlier answer, which has expired.
        let sql = sql!("delete from idempotency where hash = $1 and expires_at <= $2");
        ctx.tx.write(sql, values![key.place(), now])?;
    }
    let status = answer.map(|(status, ..)| i64::from(status.as_u16()));
    let headers = answer.map(|(_, headers, _)| headers);
    let body = answer.map(|(.., body)| body);
    ctx.tx.write(
        sql!(
            "insert into idempotency (hash, fingerprint, status, headers, body, created_at, expires_at)
             values ($1, $2, $3, $4, $5, $6, $7)"
        ),
        values![key.place(), key.fingerprint, status, headers, body, now, expires_at],
    )
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
