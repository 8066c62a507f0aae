//! Sign-ins: the sessions they start, and how they end.

use svc_store::error::{Error, Result};
use svc_store::{row, sql, values};
use svc_types::api::auth::LoggedIn;
use svc_types::api::security::SecurityAction;
use svc_types::api::sessions::SessionInfo;
use svc_types::{Code, SessionId, Timestamp, UserId};

use crate::app::Ctx;
use crate::identity::{Account, SignedBy, credentials};
use crate::ids;
use crate::keys::{self, Hash};
use crate::services::security::{self, About};
use crate::services::{account, attempt, deletion, step_up, wrong_clock};

/// Most sessions of an account, which are listed at once. A further one ends those that were used longest ago.
const SESSIONS_MAX: i64 = 100;

/// Starts a session; the answer is its token.
pub fn start(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<String> {
    let (token, hash) = keys::session_token();
    let (id, now): (SessionId, _) = (ctx.id(), ctx.now());
    let ends = now.plus(ctx.app.config.session.life);
    let network = ctx.network().around().to_string();
    ctx.tx.execute(
        sql!(
            "insert into session (token_hash, id, account, network, created_at, last_seen_at,
                expires_at, confirmed_until)
             values ($1, $2, $3, $4, $5, $5, $6, $7)"
        ),
        values![hash, id, account, network, now, ends, now.plus(step_up::LIFE)],
    )?;
    make_room(ctx, account, &id)?;
    let is_known = attempt::is_known(ctx, account, ctx.network())?;
    security::note_sign_in(ctx, account, &id, is_known)?;
    Ok(token)
}

/// Ends the sessions that a new one leaves no room for.
fn make_room(ctx: &mut Ctx<'_, '_>, account: &UserId, new: &SessionId) -> Result<()> {
    let ended = ctx.tx.execute(
        sql!(
            "delete from session where token_hash in
             (select token_hash from session where account = $1 and id <> $2
              order by last_seen_at desc, id desc limit 1000 offset $3)"
        ),
        values![account, new, SESSIONS_MAX - 1],
    )?;
    if ended > 0 {
        ctx.effects.checked.push(account.clone());
    }
    Ok(())
}

/// Signs an account in: what the answer says, and the token of the new session.
pub fn sign_in(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<(LoggedIn, String)> {
    let user = account::own(ctx, account)?;
    let token = start(ctx, account)?;
    let erased_at = deletion::erases_at(ctx, account)?;
    Ok((LoggedIn { user, erased_at }, token))
}

/// The refusal of every failed sign-in, whatever was wrong.
pub fn invalid_credentials() -> Error {
    Error::refused(Code::InvalidCredentials, "the name or the password is wrong")
}

struct Record {
    token_hash: Vec<u8>,
    id: SessionId,
    network: String,
    created_at: Timestamp,
    last_seen_at: Timestamp,
    expires_at: Timestamp,
}
row!(Record {
    token_hash: "token_hash",
    id: "id",
    network: "network",
    created_at: "created_at",
    last_seen_at: "last_seen_at",
    expires_at: "expires_at",
});

impl Record {
    fn into_api(self, current: Option<&Hash>) -> SessionInfo {
        SessionInfo {
            is_current: current.is_some_and(|hash| keys::same(&self.token_hash, hash)),
            session_id: self.id,
            created_at: self.created_at,
            created_from: self.network,
            last_seen_at: self.last_seen_at,
            expires_at: self.expires_at,
        }
    }
}

/// The session of the request.
const fn current(caller: &Account) -> Option<&Hash> {
    match &caller.method {
        SignedBy::Session { hash, .. } => Some(hash),
        SignedBy::ApiKey(_) | SignedBy::Token(_) | SignedBy::Clock => None,
    }
}

/// The caller's sessions that have not ended, newest first.
pub fn list(ctx: &mut Ctx<'_, '_>, caller: &Account) -> Result<Vec<SessionInfo>> {
    let now = ctx.now();
    let idle_since = now.minus(ctx.app.config.session.idle);
    let records: Vec<Record> = ctx.tx.all(
        sql!(
            "select ",
            Record::COLUMNS,
            " from session where account = $1 and expires_at > $2 and last_seen_at > $3
             order by id desc limit $4"
        ),
        values![caller.id, now, idle_since, SESSIONS_MAX],
    )?;
    Ok(records.into_iter().map(|record| record.into_api(current(caller))).collect())
}

/// When the person behind a session signed in, or confirmed who they are since. For other
/// credentials it is now: they prove themselves with every request. A confirmation by a clock that was far ahead does
/// not count. 401 if the session has just ended.
pub fn signed_in_at(ctx: &mut Ctx<'_, '_>, caller: &Account) -> Result<Timestamp> {
    let Some(hash) = current(caller) else { return Ok(ctx.now()) };
    let sql = sql!("select created_at, confirmed_until from session where token_hash = $1");
    let found: Option<(Timestamp, Option<Timestamp>)> = ctx.tx.optional(sql, values![hash])?;
    let (created_at, confirmed) = found.ok_or_else(credentials::ended_session)?;
    let far = wrong_clock::far_ahead(ctx.now());
    let confirmed_at =
        confirmed.filter(|until| *until < far).map(|until| until.minus(step_up::LIFE));
    Ok(confirmed_at.map_or(created_at, |at| at.max(created_at)))
}

/// Ends a session; false if the account has no such session.
pub fn end(ctx: &mut Ctx<'_, '_>, account: &UserId, session: &SessionId) -> Result<bool> {
    let sql = sql!("delete from session where account = $1 and id = $2");
    if ctx.tx.execute(sql, values![account, session])? == 0 {
        return Ok(false);
    }
    ctx.effects.checked.push(account.clone());
    security::note(ctx, account, &SecurityAction::SessionEnded, About::session(session))?;
    Ok(true)
}

/// Ends the session of this token.
pub fn sign_out(ctx: &mut Ctx<'_, '_>, account: &UserId, hash: &Hash) -> Result<()> {
    let sql = sql!("select id from session where token_hash = $1");
    let session: Option<SessionId> = ctx.tx.optional(sql, values![hash])?;
    match session {
        Some(session) => end(ctx, account, &session).map(drop),
        None => Ok(()),
    }
}

/// Ends every session of an account; whether there was one.
pub fn end_all(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<bool> {
    let sql = sql!("delete from session where account = $1");
    let ended = ctx.tx.execute(sql, values![account])? > 0;
    if ended {
        ctx.effects.checked.push(account.clone());
    }
    Ok(ended)
}

/// Ends every session of the caller but the one of the request.
pub fn end_others(ctx: &mut Ctx<'_, '_>, caller: &Account) -> Result<()> {
    let none: Hash = ids::random();
    let kept = current(caller).unwrap_or(&none);
    let sql = sql!("delete from session where account = $1 and token_hash <> $2");
    if ctx.tx.execute(sql, values![caller.id, kept])? > 0 {
        ctx.effects.checked.push(caller.id.clone());
        security::note(ctx, &caller.id, &SecurityAction::SessionEnded, About::default())?;
    }
    Ok(())
}
