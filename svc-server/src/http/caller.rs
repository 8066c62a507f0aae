//! From credential to caller: one impl per `by` type (api.md §1.3, security.md §1, §2).
//!
//! The Authorization header wins over the cookie, and an invalid one is 401, never a fallback.

use std::time::Duration;

use http::Method;
use http::header::{AUTHORIZATION, COOKIE, HOST, HeaderMap, ORIGIN};
use svc_types::api::auth::AuthMethod;
use svc_types::api::users::{AccountStatus, Role, Tier};
use svc_types::{AppId, By, Code, Timestamp, UserId, by};

use super::cookie;
use crate::app::Cx;
use crate::config::Config;
use crate::error::{Error, Refusal, Result};
use crate::keys::{self, Hash};
use crate::{row, sql, values};

/// A session that was last seen longer ago than this is marked as seen again.
const SEEN_STEP: Duration = Duration::from_hours(1);

/// What a request brings to say who is calling.
#[derive(Clone, Debug)]
pub struct Credentials {
    /// What the Authorization header holds.
    bearer: Bearer,
    /// Hash of the session cookie.
    session: Option<Hash>,
    /// Whether a cookie may be trusted to have been sent by our own pages.
    same_site: bool,
}

impl Credentials {
    /// Reads the headers; nothing is looked up yet.
    pub fn read(config: &Config, method: &Method, headers: &HeaderMap) -> Self {
        let bearer = Bearer::read(headers);
        let session = cookie::read(config, headers.get_all(COOKIE)).map(keys::hash);
        let same_site = method.is_safe() || is_same_site(headers);
        Self { bearer, session, same_site }
    }

    fn is_absent(&self) -> bool {
        matches!(self.bearer, Bearer::Absent) && self.session.is_none()
    }
}

/// What the Authorization header holds.
#[derive(Clone, Debug)]
enum Bearer {
    /// There is none.
    Absent,
    /// Something else than `Bearer <key>`.
    Malformed,
    /// What follows `Bearer `.
    Key(String),
}

impl Bearer {
    fn read(headers: &HeaderMap) -> Self {
        let Some(value) = headers.get(AUTHORIZATION) else { return Self::Absent };
        match value.to_str().ok().and_then(|text| text.split_once(' ')) {
            Some((scheme, key)) if scheme.eq_ignore_ascii_case("bearer") => {
                Self::Key(key.trim().to_owned())
            }
            _ => Self::Malformed,
        }
    }
}

/// The rule of Go's `CrossOriginProtection`, but a request that tells nothing is refused.
fn is_same_site(headers: &HeaderMap) -> bool {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    if let Some(site) = text("sec-fetch-site") {
        return matches!(site, "same-origin" | "none");
    }
    let origin = text(ORIGIN.as_str()).and_then(|origin| origin.split_once("://"));
    origin.is_some_and(|(_, host)| text(HOST.as_str()) == Some(host))
}

/// The account that calls.
#[derive(Clone, Debug)]
pub struct Account {
    /// Its id.
    pub id: UserId,
    /// Its name.
    pub username: String,
    /// The name shown to people.
    pub display_name: String,
    /// What it may do.
    pub role: Role,
    /// Whether moderators limited it.
    pub status: AccountStatus,
    /// Its subscription.
    pub tier: Tier,
    /// Whether it is an agent.
    pub is_agent: bool,
    /// How it was authenticated.
    pub method: SignedBy,
}

/// How an account was authenticated.
#[derive(Clone, Debug)]
pub enum SignedBy {
    /// By the key with this id.
    ApiKey(String),
    /// By the session with this hash; `stale` when it should be marked as seen.
    Session {
        /// Hash of the cookie.
        hash: Hash,
        /// Whether it should be marked as seen.
        stale: bool,
    },
}

impl Account {
    /// How it was authenticated, as the wire says it.
    pub const fn auth_method(&self) -> AuthMethod {
        match self.method {
            SignedBy::ApiKey(_) => AuthMethod::ApiKey,
            SignedBy::Session { .. } => AuthMethod::Session,
        }
    }

    /// Whether it works the reports and disputes.
    pub const fn is_moderator(&self) -> bool {
        matches!(self.role, Role::Moderator | Role::Admin)
    }
}

/// The developer's app that calls.
#[derive(Clone, Debug)]
pub struct DeveloperApp {
    /// Its id.
    pub id: AppId,
}

/// Somebody who looks: an account, or anonymous.
#[derive(Clone, Debug)]
pub struct Viewer(Option<Account>);

impl Viewer {
    /// The account, if it is one.
    pub const fn account(&self) -> Option<&Account> {
        self.0.as_ref()
    }
}

/// Nobody in particular.
#[derive(Clone, Debug)]
pub struct Anybody;

/// A caller as the steps of an endpoint see it.
pub trait Caller: Clone + Send + Sync + 'static {
    /// Whose Idempotency-Keys these are; none for anonymous callers.
    fn principal(&self) -> Option<&str>;

    /// The account behind it, if there is one.
    fn account(&self) -> Option<&Account>;
}

/// Finds out who calls.
pub trait Credential: By {
    /// What a handler gets.
    type Caller: Caller;

    /// The caller when no credential is looked at, so that the database need not be asked.
    fn unasked() -> Option<Self::Caller> {
        None
    }

    /// The caller, or the 401 or 403 that follows from the credential alone.
    fn identify(cx: &mut Cx<'_, '_>, credentials: &Credentials) -> Result<Self::Caller>;
}

impl Caller for Anybody {
    fn principal(&self) -> Option<&str> {
        None
    }

    fn account(&self) -> Option<&Account> {
        None
    }
}

impl Caller for Account {
    fn principal(&self) -> Option<&str> {
        Some(self.id.as_str())
    }

    fn account(&self) -> Option<&Account> {
        Some(self)
    }
}

impl Caller for Viewer {
    fn principal(&self) -> Option<&str> {
        self.0.as_ref().and_then(Account::principal)
    }

    fn account(&self) -> Option<&Account> {
        self.0.as_ref()
    }
}

impl Caller for DeveloperApp {
    fn principal(&self) -> Option<&str> {
        Some(self.id.as_str())
    }

    fn account(&self) -> Option<&Account> {
        None
    }
}

impl Credential for by::Anyone {
    type Caller = Anybody;

    fn unasked() -> Option<Anybody> {
        Some(Anybody)
    }

    fn identify(_: &mut Cx<'_, '_>, _: &Credentials) -> Result<Anybody> {
        Ok(Anybody)
    }
}

impl Credential for by::Optional {
    type Caller = Viewer;

    fn identify(cx: &mut Cx<'_, '_>, credentials: &Credentials) -> Result<Viewer> {
        let is_absent = credentials.is_absent();
        let account = if is_absent { None } else { Some(account(cx, credentials)?) };
        Ok(Viewer(account))
    }
}

impl Credential for by::Account {
    type Caller = Account;

    fn identify(cx: &mut Cx<'_, '_>, credentials: &Credentials) -> Result<Account> {
        account(cx, credentials)
    }
}

impl Credential for by::Moderator {
    type Caller = Account;

    fn identify(cx: &mut Cx<'_, '_>, credentials: &Credentials) -> Result<Account> {
        let account = account(cx, credentials)?;
        if account.is_moderator() { Ok(account) } else { Err(wrong_role("a moderator")) }
    }
}

impl Credential for by::Admin {
    type Caller = Account;

    fn identify(cx: &mut Cx<'_, '_>, credentials: &Credentials) -> Result<Account> {
        let account = account(cx, credentials)?;
        if account.role == Role::Admin { Ok(account) } else { Err(wrong_role("an admin")) }
    }
}

impl Credential for by::Developer {
    type Caller = DeveloperApp;

    fn identify(cx: &mut Cx<'_, '_>, credentials: &Credentials) -> Result<DeveloperApp> {
        if let Bearer::Key(key) = &credentials.bearer
            && let Some(app) = developer(cx, key)?
        {
            return Ok(app);
        }
        match account(cx, credentials) {
            Ok(_) => Err(Refusal::new(
                Code::DeveloperKeyRequired,
                "this call needs a developer key, not an account's credential",
            )
            .hint("register an app with POST /v1/developers/register")
            .into()),
            Err(Error::Refused(_)) => Err(Error::refused(
                Code::InvalidDeveloperKey,
                "a valid developer key is needed: Authorization: Bearer svc_dk_…",
            )),
            Err(fault) => Err(fault),
        }
    }
}

fn wrong_role(who: &str) -> Error {
    Error::refused(Code::Forbidden, format!("only {who} may do this"))
}

fn unauthorized() -> Error {
    Refusal::new(Code::Unauthorized, "a valid API key or session is needed")
        .hint("send Authorization: Bearer svc_ak_…, or sign in")
        .into()
}

/// The account behind a header or a cookie.
fn account(cx: &mut Cx<'_, '_>, credentials: &Credentials) -> Result<Account> {
    match (&credentials.bearer, &credentials.session) {
        (Bearer::Key(key), _) => by_key(cx, key),
        (Bearer::Malformed, _) | (Bearer::Absent, None) => Err(unauthorized()),
        (Bearer::Absent, Some(hash)) => {
            let account = by_session(cx, hash)?;
            if credentials.same_site { Ok(account) } else { Err(cross_site()) }
        }
    }
}

fn cross_site() -> Error {
    Refusal::new(Code::CrossSiteRequest, "a cookie counts only for requests of the same site")
        .hint("send an API key instead of the cookie")
        .into()
}

struct AccountRow {
    id: UserId,
    username: String,
    display_name: String,
    role: Role,
    status: AccountStatus,
    tier: Tier,
    is_agent: bool,
    key_hash: Option<Vec<u8>>,
    last_seen_at: Option<Timestamp>,
}
row!(AccountRow {
    id,
    username,
    display_name,
    role,
    status,
    tier,
    is_agent,
    key_hash,
    last_seen_at,
});

impl AccountRow {
    fn account(self, method: SignedBy) -> Account {
        let Self { id, username, display_name, role, status, tier, is_agent, .. } = self;
        Account { id, username, display_name, role, status, tier, is_agent, method }
    }
}

fn by_key(cx: &mut Cx<'_, '_>, key: &str) -> Result<Account> {
    if developer(cx, key)?.is_some() {
        return Err(Error::refused(
            Code::DeveloperKeyRefused,
            "a developer key works only for verify-identity and its own app",
        ));
    }
    let key_id = keys::key_id(keys::API_KEY, key).ok_or_else(unauthorized)?;
    let found: Option<AccountRow> = cx.tx.optional(
        sql!(
            "select id, username, display_name, role, status, tier, is_agent, key_hash,
                cast(null as bigint)
             from account where key_id = $1"
        ),
        values![key_id],
    )?;
    let stored = found.as_ref().and_then(|row| row.key_hash.as_deref()).unwrap_or(&[0; 32]);
    let same = keys::same(stored, &keys::hash(key));
    let found = found.filter(|_| same).ok_or_else(unauthorized)?;
    Ok(found.account(SignedBy::ApiKey(key_id.to_owned())))
}

fn by_session(cx: &mut Cx<'_, '_>, hash: &Hash) -> Result<Account> {
    let now = cx.now();
    let idle_since = now.minus(cx.app.config.session.idle);
    let found: Option<AccountRow> = cx.tx.optional(
        sql!(
            "select a.id, a.username, a.display_name, a.role, a.status, a.tier, a.is_agent,
                a.key_hash, s.last_seen_at
             from session s join account a on a.id = s.account
             where s.token_hash = $1 and s.expires_at > $2 and s.last_seen_at > $3"
        ),
        values![hash, now, idle_since],
    )?;
    let found = found.ok_or_else(unauthorized)?;
    let stale = found.last_seen_at.is_none_or(|seen| now.since(seen) > SEEN_STEP);
    Ok(found.account(SignedBy::Session { hash: *hash, stale }))
}

/// The app behind a developer key, if the key is one and lives.
fn developer(cx: &mut Cx<'_, '_>, key: &str) -> Result<Option<DeveloperApp>> {
    let Some(key_id) = keys::key_id(keys::DEVELOPER_KEY, key) else {
        return Ok(None);
    };
    let found: Option<(AppId, Vec<u8>)> = cx.tx.optional(
        sql!("select id, key_hash from developer_app where key_id = $1 and deleted_at is null"),
        values![key_id],
    )?;
    let hash = keys::hash(key);
    Ok(found.filter(|(_, stored)| keys::same(stored, &hash)).map(|(id, _)| DeveloperApp { id }))
}

/// Marks a session as seen, so that it does not end for want of use.
pub fn seen(cx: &mut Cx<'_, '_>, hash: &Hash) -> Result<()> {
    let now = cx.now();
    let sql = sql!("update session set last_seen_at = $1 where token_hash = $2");
    cx.tx.execute(sql, values![now, hash]).map(|_| ())
}
