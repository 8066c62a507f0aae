//! Sign-ins: sessions and the limits against guessing.

use std::net::IpAddr;
use std::time::Duration;

use http::header::HeaderValue;
use svc_types::{Code, UserId};

use crate::app::Cx;
use crate::error::{Error, Refusal, Result, Window};
use crate::http::cookie;
use crate::ids;
use crate::keys;
use crate::{sql, values};

/// Starts a session; the answer is its cookie.
pub fn start(cx: &mut Cx<'_, '_>, account: &UserId) -> Result<HeaderValue> {
    let (token, hash) = keys::session_token();
    let now = cx.now();
    let ends = now.plus(cx.app.config.session.life);
    cx.tx.execute(
        sql!(
            "insert into session (token_hash, account, created_at, last_seen_at, expires_at)
             values ($1, $2, $3, $3, $4)"
        ),
        values![hash, account, now, ends],
    )?;
    Ok(cookie::set(&cx.app.config, &token))
}

/// Something that is counted in a window, such as failed sign-ins from an address.
#[derive(Clone, Debug)]
pub struct Counter {
    scope: String,
    limit: u32,
    window: Duration,
}

impl Counter {
    /// Failed sign-ins to an account from an address, and from the address in all.
    fn sign_in(cx: &Cx<'_, '_>, name: &str, address: IpAddr) -> [Self; 2] {
        let limits = &cx.app.config.limits.sign_in;
        // The name is what was typed and may be long; its hash is not.
        let name = short_hash(name);
        [
            Self {
                scope: format!("sign-in {address} {name}"),
                limit: limits.account_failures,
                window: limits.account_window,
            },
            Self {
                scope: format!("sign-in {address}"),
                limit: limits.address_failures,
                window: limits.address_window,
            },
        ]
    }

    /// New accounts from an address, if they are limited.
    pub fn sign_up(cx: &Cx<'_, '_>, address: IpAddr) -> Option<Self> {
        let limits = &cx.app.config.limits.sign_up;
        let limited = limits.count > 0 && (limits.loopback || !address.is_loopback());
        limited.then(|| Self {
            scope: format!("sign-up {address}"),
            limit: limits.count,
            window: limits.window,
        })
    }

    /// Pictures that an account uploads, if they are limited.
    pub fn uploads(cx: &Cx<'_, '_>, account: &UserId) -> Option<Self> {
        let limits = &cx.app.config.limits.uploads;
        (limits.count > 0).then(|| Self {
            scope: format!("upload {account}"),
            limit: limits.count,
            window: limits.window,
        })
    }

    /// Refuses with 429 once the limit is reached.
    pub fn check(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        let now = cx.now();
        let since = now.minus(self.window);
        let (count, first): (i64, Option<i64>) = cx.tx.one(
            sql!("select count(*), min(at) from login_failure where scope = $1 and at > $2"),
            values![self.scope, since],
        )?;
        if count < i64::from(self.limit) {
            return Ok(());
        }
        let first = first.map_or(now, svc_types::Timestamp::from_millis);
        let window = Window { limit: self.limit, remaining: 0, reset: first.plus(self.window) };
        Err(Refusal::new(Code::RateLimited, "too many attempts").window(window, now).into())
    }

    /// Counts one.
    pub fn count(&self, cx: &mut Cx<'_, '_>) -> Result<CountId> {
        let (id, now): (CountId, _) = (cx.id(), cx.now());
        let sql = sql!("insert into login_failure (id, scope, at) values ($1, $2, $3)");
        cx.tx.execute(sql, values![id.0, self.scope, now])?;
        Ok(id)
    }
}

/// A sign-in under way. It counts as failed until it succeeds, so that of many guesses at once no
/// more are tried than of guesses one by one.
#[derive(Debug)]
pub struct Attempt([CountId; 2]);

impl Attempt {
    /// Counts an attempt, or refuses it with 429.
    pub fn start(cx: &mut Cx<'_, '_>, name: &str, address: IpAddr) -> Result<Self> {
        let [account, address] = Counter::sign_in(cx, name, address);
        account.check(cx)?;
        address.check(cx)?;
        Ok(Self([account.count(cx)?, address.count(cx)?]))
    }

    /// Takes the count back.
    pub fn succeeded(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        for id in &self.0 {
            cx.tx.execute(sql!("delete from login_failure where id = $1"), values![id.0])?;
        }
        Ok(())
    }
}

/// Id of one counted attempt; nobody outside sees it.
#[derive(Debug)]
pub struct CountId(String);

impl From<String> for CountId {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl svc_types::Id for CountId {
    const PREFIX: &'static str = "cnt_";
}

/// A short stand-in for a text of any length.
fn short_hash(text: &str) -> String {
    use base64::Engine;
    let hash = keys::hash(&text.to_lowercase());
    base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(&hash[..12])
}

/// The refusal of every failed sign-in, whatever was wrong.
pub fn invalid_credentials() -> Error {
    Error::refused(Code::InvalidCredentials, "the name or the password is wrong")
}

/// Ends every session of an account but the one with this hash.
pub fn end_others(cx: &mut Cx<'_, '_>, account: &UserId, kept: Option<&keys::Hash>) -> Result<()> {
    let none: keys::Hash = ids::random();
    let kept = kept.unwrap_or(&none);
    let sql = sql!("delete from session where account = $1 and token_hash <> $2");
    cx.tx.execute(sql, values![account, kept]).map(|_| ())
}
