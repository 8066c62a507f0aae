//! Who signed in: the claims of ID tokens and of `/oauth/userinfo`.

use std::time::Duration;

use serde_json::{Map, Value, json};
use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::UserId;

use super::token::Issued;
use super::{Client, GrantScopes, signing};
use crate::app::Ctx;
use crate::identity::credentials;
use crate::services::account::{self, Short};

/// How long an ID token is valid.
const LIFE: Duration = Duration::from_mins(10);

/// Whether this account can sign in elsewhere: not while it is suspended, paused or deleted.
pub fn may_sign_in(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<bool> {
    let account = credentials::acting(ctx, account)?;
    Ok(account.is_some_and(|account| account.require_active().is_ok()))
}

/// The claims about an account that these scopes cover.
pub fn claims(
    ctx: &mut Ctx<'_, '_>,
    account: &UserId,
    scopes: GrantScopes,
) -> Result<Map<String, Value>> {
    let mut claims = Map::new();
    claims.insert("sub".to_owned(), json!(account));
    if scopes.profile {
        let sql = sql!("select ", Short::COLUMNS, " from account a where a.id = $1");
        let short: Short = ctx.tx.one(sql, values![account])?;
        let picture = account::avatar(ctx.app, account, short.avatar.as_deref());
        claims.insert("preferred_username".to_owned(), json!(short.username));
        claims.insert("name".to_owned(), json!(short.display_name));
        claims.insert("picture".to_owned(), json!(picture));
        claims.insert("is_agent".to_owned(), json!(short.is_agent));
    }
    if scopes.email
        && let Some(email) = verified_email(ctx, account)?
    {
        claims.insert("email".to_owned(), json!(email));
        claims.insert("email_verified".to_owned(), json!(true));
    }
    Ok(claims)
}

/// An address counts once the account has proved that it is its own.
fn verified_email(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<Option<String>> {
    let sql = sql!("select email from account where id = $1 and email_verified_at is not null");
    Ok(ctx.tx.optional::<Option<String>>(sql, values![account])?.flatten())
}

/// The ID token of new tokens.
pub fn make(ctx: &mut Ctx<'_, '_>, client: &Client, issued: &Issued) -> Result<String> {
    let mut claims = claims(ctx, &issued.account, issued.scopes)?;
    let seconds = |at: svc_types::Timestamp| at.as_millis() / 1000;
    let now = ctx.now();
    claims.insert("iss".to_owned(), json!(ctx.app.public_url));
    claims.insert("aud".to_owned(), json!(client.id));
    claims.insert("iat".to_owned(), json!(seconds(now)));
    claims.insert("exp".to_owned(), json!(seconds(now.plus(LIFE))));
    claims.insert("auth_time".to_owned(), json!(seconds(issued.auth_time)));
    if let Some(nonce) = &issued.nonce {
        claims.insert("nonce".to_owned(), json!(nonce));
    }
    signing::sign(ctx, client.alg, "JWT", &claims)
}
