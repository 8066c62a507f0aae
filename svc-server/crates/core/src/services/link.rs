//! Accounts elsewhere that are linked to accounts here.
//!
//! Of an account elsewhere only a hash of its id is kept, never its name or a token. Its row stays
//! when it is unlinked and when its account here is erased, so that what a person gets once is not
//! given again.

mod attempt;
pub mod id_token;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use svc_store::error::{Error, Refusal, Result};
use svc_store::{row, sql, values};
use svc_types::api::links::{Link, LinkList, LinkProvider};
use svc_types::api::security::SecurityAction;
use svc_types::{Code, Timestamp, UserId};

pub use self::attempt::{
    Begun, Offer, Returned, begin, confirm, expired, find_offer, forget_expired, forget_of,
    is_begun, offer, redirect_uri, take,
};
use crate::app::{App, Ctx};
use crate::config::GrantCondition;
use crate::keys::{self, Hash};
use crate::services::audit::{self, By, On};
use crate::services::security::{self, About};
use crate::services::{account, grant};

/// The name of a provider, for people.
pub fn name(provider: &LinkProvider) -> &str {
    match provider {
        LinkProvider::Google => "Google",
        LinkProvider::X => "X",
        other => other.as_str(),
    }
}

/// 503 where the operator has not registered this server at the provider.
pub fn require(app: &App, provider: &LinkProvider) -> Result<()> {
    if app.config.links.client(provider).is_some() {
        return Ok(());
    }
    let name = name(provider);
    let message = format!("this server links no accounts of {name}");
    let hint = format!("its operator turns it on by the setting links.{provider}.client_id");
    Err(Refusal::new(Code::FeatureNotConfigured, message).hint(hint).into())
}

/// What is kept of an account elsewhere: a hash of its id and of who gave it.
pub fn subject(issuer: &str, id: &str) -> Hash {
    keys::hash(&format!("linked account\n{issuer}\n{id}"))
}

struct Record {
    provider: LinkProvider,
    linked_at: Timestamp,
}
row!(Record { provider: "l.provider", linked_at: "l.linked_at" });

/// What is linked to an account.
pub fn list(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<LinkList> {
    let records: Vec<Record> = ctx.tx.all(
        sql!("select ", Record::COLUMNS, " from link l where l.account = $1 order by l.provider"),
        values![account],
    )?;
    let link = |Record { provider, linked_at }| Link { provider, linked_at };
    Ok(LinkList { links: records.into_iter().map(link).collect() })
}

/// Whether anything is linked to an account.
pub fn exists(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<bool> {
    let sql = sql!("select 1 from link where account = $1 limit 1");
    Ok(ctx.tx.optional::<i64>(sql, values![account])?.is_some())
}

/// Links an account elsewhere, instead of another one of the same provider; 409 if it is linked to
/// another account here.
pub fn add(
    ctx: &mut Ctx<'_, '_>,
    account: &UserId,
    provider: &LinkProvider,
    subject: &Hash,
) -> Result<()> {
    account::lock_with_rows(ctx, account)?;
    // In one order, for two accounts that swap what is linked to them.
    ctx.tx.lock(
        sql!(
            "select subject_hash from link
             where provider = $1 and (subject_hash = $2 or account = $3)
             order by subject_hash for update"
        ),
        values![provider, subject, account],
    )?;
    let others = sql!(
        "update link set account = null, linked_at = null
         where account = $1 and provider = $2 and subject_hash <> $3"
    );
    ctx.tx.execute(others, values![account, provider, subject])?;
    let now = ctx.now();
    let times: Option<i64> = ctx.tx.optional(
        sql!(
            "insert into link (provider, subject_hash, account, linked_at, times)
             values ($1, $2, $3, $4, 1)
             on conflict (provider, subject_hash) do update
             set account = excluded.account, linked_at = excluded.linked_at, times = link.times + 1
             where link.account is null or link.account = excluded.account
             returning times"
        ),
        values![provider, subject, account, now],
    )?;
    let times = times.ok_or_else(|| taken(provider))?;
    if !set_verified(ctx, account, provider, true)? {
        return Err(expired());
    }
    security::note(ctx, account, &SecurityAction::LinkAdded, About::default())?;
    if times == 1 { on_first(ctx, account, provider, subject) } else { Ok(()) }
}

/// What happens when an account elsewhere is linked for the first time ever, in the transaction that
/// links it. What a person gets once belongs here: neither unlinking nor another account repeats it.
fn on_first(
    ctx: &mut Ctx<'_, '_>,
    account: &UserId,
    provider: &LinkProvider,
    subject: &Hash,
) -> Result<()> {
    let once_key = format!("{} {}", provider.as_str(), URL_SAFE_NO_PAD.encode(subject));
    grant::pay(ctx, account, GrantCondition::Linked, &once_key)?;
    audit::write(
        ctx,
        By(account.as_str()),
        "first_link",
        On(account.as_str()),
        Some(provider.as_str()),
    )
}

fn taken(provider: &LinkProvider) -> Error {
    let name = name(provider);
    let message = format!("the account of {name} is linked to another account here");
    let hint = "unlink it there first, or choose another";
    Refusal::new(Code::AlreadyExists, message).hint(hint).into()
}

/// Unlinks the account of a provider; false if there is none.
pub fn remove(ctx: &mut Ctx<'_, '_>, account: &UserId, provider: &LinkProvider) -> Result<bool> {
    account::lock_with_rows(ctx, account)?;
    let rows = ctx.tx.execute(
        sql!(
            "update link set account = null, linked_at = null
             where account = $1 and provider = $2"
        ),
        values![account, provider],
    )?;
    if rows == 0 {
        return Ok(false);
    }
    set_verified(ctx, account, provider, false)?;
    security::note(ctx, account, &SecurityAction::LinkRemoved, About::default())?;
    Ok(true)
}

/// Sets what the profile says; false for a deleted account.
fn set_verified(
    ctx: &mut Ctx<'_, '_>,
    account: &UserId,
    provider: &LinkProvider,
    is_verified: bool,
) -> Result<bool> {
    let sql = if *provider == LinkProvider::Google {
        sql!("update account set google_verified = $1 where id = $2 and deleted_at is null")
    } else {
        sql!("update account set x_verified = $1 where id = $2 and deleted_at is null")
    };
    Ok(ctx.tx.execute(sql, values![is_verified, account])? == 1)
}

/// Unlinks everything of an account that is erased.
pub fn forget(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<()> {
    forget_of(ctx, account)?;
    let sql = sql!("update link set account = null, linked_at = null where account = $1");
    ctx.tx.execute(sql, values![account])?;
    let sql = sql!("update account set x_verified = false, google_verified = false where id = $1");
    ctx.tx.execute(sql, values![account]).map(drop)
}
