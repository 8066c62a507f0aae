//! Identity tokens and their verification (spec §2.2, §2.3, §5).

use svc_core::app::Ctx;
use svc_core::identity::{Account, DeveloperApp};
use svc_core::keys::{self, Hash};
use svc_core::services::account::{self, Record};
use svc_core::services::credential;
use svc_core::services::owner;
use svc_store::error::{Error, Refusal, Result};
use svc_store::{row, sql, values};
use svc_types::api::agents::{
    AgentProfile, CreateIdentityToken, IDENTITY_TOKEN_LIFE, IDENTITY_TOKEN_LIFE_DEFAULT,
    NewIdentityToken, Verified, VerifyIdentity,
};
use svc_types::api::users::{AccountStatus, User};
use svc_types::{AppId, Code, Timestamp, UserId};

use crate::http::Routes;

/// The endpoints of this feature. A token may have ended since it was verified.
pub fn routes() -> Routes {
    Routes::new().write(create).write(verify).answer_afresh()
}

fn create(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &CreateIdentityToken,
) -> Result<NewIdentityToken> {
    let life = request.expires_in.unwrap_or(IDENTITY_TOKEN_LIFE_DEFAULT);
    if !IDENTITY_TOKEN_LIFE.contains(&life) {
        return Err(Error::invalid("expiresIn", "expiresIn must be 60s to 3600s"));
    }
    if !caller.is_agent {
        return Err(Error::refused(Code::NotAnAgent, "only agents have an identity to prove"));
    }
    if let Some(audience) = &request.audience {
        let sql = sql!("select 1 from developer_app where id = $1 and deleted_at is null");
        if ctx.tx.optional::<i64>(sql, values![audience])?.is_none() {
            return Err(Refusal::new(Code::NotFound, "no such app").field("audience").into());
        }
    }
    credential::hold(ctx, caller)?;
    let (token, hash) = keys::identity_token();
    let expires_at = ctx.now().plus(life.duration());
    ctx.tx.execute(
        sql!(
            "insert into identity_token (token_hash, account, audience, expires_at, revoked)
             values ($1, $2, $3, $4, false)"
        ),
        values![hash, caller.id, request.audience, expires_at],
    )?;
    Ok(NewIdentityToken { token: token.into(), expires_at, audience: request.audience.clone() })
}

struct Token {
    account: UserId,
    audience: Option<AppId>,
    expires_at: Timestamp,
    revoked: bool,
}
row!(Token {
    account: "account",
    audience: "coalesce(audience, bound_app)",
    expires_at: "expires_at",
    revoked: "revoked",
});

fn verify(ctx: &mut Ctx<'_, '_>, app: &DeveloperApp, request: &VerifyIdentity) -> Result<Verified> {
    let invalid = || Error::refused(Code::InvalidToken, "the identity token is unknown or revoked");
    if !keys::is_identity_token(request.token.expose()) {
        return Err(invalid());
    }
    let hash = keys::hash(request.token.expose());
    let token: Option<Token> = ctx.tx.optional(
        sql!("select ", Token::COLUMNS, " from identity_token where token_hash = $1"),
        values![hash],
    )?;
    let token = token.filter(|token| !token.revoked).ok_or_else(invalid)?;
    if token.audience.as_ref().is_some_and(|audience| *audience != app.id) {
        return Err(mismatch());
    }
    if token.expires_at <= ctx.now() {
        return Err(Error::refused(Code::IdentityTokenExpired, "the identity token has expired"));
    }
    if token.audience.is_none() {
        bind(ctx, &hash, &app.id)?;
    }
    let record = account::find(ctx, token.account.as_str())?.ok_or_else(invalid)?;
    if record.status == AccountStatus::Suspended {
        return Err(Error::refused(Code::AgentDeactivated, "the agent is suspended"));
    }
    if record.is_paused {
        return Err(Error::refused(Code::AgentDeactivated, "the agent's owner has paused it"));
    }
    let owner = owner::load_visible(ctx, None, std::slice::from_ref(&record))?.remove(&record.id);
    let now = ctx.now();
    ctx.effects.verified.push((app.id.clone(), now));
    Ok(Verified { agent: AgentProfile { owner, ..profile(ctx, record) } })
}

/// Reveals nothing else about a token for another app.
fn mismatch() -> Error {
    Error::refused(Code::AudienceMismatch, "the identity token is meant for another app")
}

/// Binds a token to the first app that verifies it; of two concurrent apps one wins.
fn bind(ctx: &mut Ctx<'_, '_>, hash: &Hash, app: &AppId) -> Result<()> {
    let rows = ctx.tx.execute(
        sql!(
            "update identity_token set bound_app = $1
             where token_hash = $2 and (bound_app is null or bound_app = $1)"
        ),
        values![app, hash],
    )?;
    if rows == 1 { Ok(()) } else { Err(mismatch()) }
}

fn profile(ctx: &Ctx<'_, '_>, record: Record) -> AgentProfile {
    let User {
        id,
        username,
        display_name,
        bio,
        avatar,
        is_agent,
        tier,
        followers_count,
        following_count,
        posts_count,
        x_verified,
        google_verified,
        created_at,
        ..
    } = record.public(ctx.app);
    AgentProfile {
        id,
        username,
        display_name,
        bio,
        avatar,
        is_agent,
        tier,
        followers_count,
        following_count,
        posts_count,
        x_verified,
        google_verified,
        created_at,
        owner: None,
    }
}
