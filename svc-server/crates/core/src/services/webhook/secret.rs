//! Secrets of webhooks: stored encrypted, and which of them sign at an instant.
//!
//! During a rotation there are two. The current one signs the header with one signature, both sign
//! the header with several. When the overlap ends, the next one becomes the current one, whether or
//! not its row was updated.

use std::collections::HashMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use svc_store::error::{Refusal, Result};
use svc_store::{row, sql, values};
use svc_types::api::webhooks::{SecretRole, WebhookSecretInfo};
use svc_types::{Code, Timestamp, UserId, WebhookId, WebhookSecret, WebhookSecretId};

use crate::app::Ctx;
use crate::{ids, keys};

/// Random bytes of a secret; their base64 needs no padding.
const LENGTH: usize = 24;

/// Characters of a secret that its owner can see later.
const HINT: usize = 4;

/// A secret's row.
#[derive(Clone, Debug)]
pub struct Secret {
    webhook: WebhookId,
    id: WebhookSecretId,
    role: SecretRole,
    encrypted: Vec<u8>,
    /// Its last characters.
    pub hint: String,
    created_at: Timestamp,
    expires_at: Option<Timestamp>,
}
row!(Secret {
    webhook: "webhook",
    id: "id",
    role: "role",
    encrypted: "sealed",
    hint: "hint",
    created_at: "created_at",
    expires_at: "expires_at",
});

impl Secret {
    /// The view of its owner.
    pub fn to_api(&self) -> WebhookSecretInfo {
        WebhookSecretInfo {
            id: self.id.clone(),
            role: self.role.clone(),
            created_at: self.created_at,
            expires_at: self.expires_at,
        }
    }

    fn has_ended(&self, now: Timestamp) -> bool {
        self.expires_at.is_some_and(|end| end <= now)
    }

    fn open(&self, ctx: &Ctx<'_, '_>) -> Result<Key> {
        let text = ctx.app.encrypt.decrypt(&place(&self.webhook, &self.id), &self.encrypted)?;
        Ok(Key { id: self.id.clone(), secret: text.into() })
    }
}

/// A secret that signs.
#[derive(Clone, Debug)]
pub struct Key {
    /// Its id, which an attempt stores.
    pub id: WebhookSecretId,
    /// The secret itself.
    pub secret: WebhookSecret,
}

/// The secrets of a webhook at one instant.
#[derive(Clone, Debug)]
pub struct Secrets {
    /// Signs the header with one signature.
    pub signing: Key,
    /// Sign the header with several signatures: newest first, including `signing`.
    pub all: Vec<Key>,
}

/// The context that a secret is encrypted for.
fn place(webhook: &WebhookId, id: &WebhookSecretId) -> String {
    format!("{webhook} {id}")
}

/// Secrets as they are at an instant: the current one first.
fn as_of(mut secrets: Vec<Secret>, now: Timestamp) -> Vec<Secret> {
    secrets.retain(|secret| !secret.has_ended(now));
    if !secrets.iter().any(|secret| secret.role == SecretRole::Current) {
        let next = secrets.iter_mut().find(|secret| secret.role == SecretRole::Next);
        if let Some(next) = next {
            next.role = SecretRole::Current;
        }
    }
    secrets.sort_by_key(|secret| match secret.role {
        SecretRole::Current => 0,
        SecretRole::Next => 1,
        _ => 2,
    });
    secrets
}

/// The secrets of a webhook, the current one first.
pub fn of(ctx: &mut Ctx<'_, '_>, webhook: &WebhookId) -> Result<Vec<Secret>> {
    let secrets = ctx.tx.all(
        sql!("select ", Secret::COLUMNS, " from webhook_secret where webhook = $1"),
        values![webhook],
    )?;
    Ok(as_of(secrets, ctx.now()))
}

/// The secrets of an account's webhooks, the current one first.
pub(super) fn of_account(
    ctx: &mut Ctx<'_, '_>,
    account: &UserId,
) -> Result<HashMap<WebhookId, Vec<Secret>>> {
    let secrets: Vec<Secret> = ctx.tx.all(
        sql!(
            "select ",
            Secret::COLUMNS,
            " from (
                select w.id as owned from webhook w where w.account = $1 and w.deleted_at is null
             ) webhooks
             join webhook_secret s on s.webhook = webhooks.owned"
        ),
        values![account],
    )?;
    let mut by_webhook: HashMap<WebhookId, Vec<Secret>> = HashMap::new();
    for secret in secrets {
        by_webhook.entry(secret.webhook.clone()).or_default().push(secret);
    }
    let now = ctx.now();
    Ok(by_webhook.into_iter().map(|(id, secrets)| (id, as_of(secrets, now))).collect())
}

/// The secrets that sign calls of a webhook now; `None` if it was deleted. An older one that no key of this server
/// opens is lost, and signs nothing; where the newest can't be opened, another node may have its key.
pub fn live(ctx: &mut Ctx<'_, '_>, webhook: &WebhookId) -> Result<Option<Secrets>> {
    let mut secrets = of(ctx, webhook)?;
    let by_role: Vec<WebhookSecretId> = secrets.iter().map(|secret| secret.id.clone()).collect();
    secrets.sort_by(|a, b| (b.created_at, &b.id).cmp(&(a.created_at, &a.id)));
    let Some((newest, older)) = secrets.split_first() else { return Ok(None) };
    let mut all = vec![newest.open(ctx)?];
    all.extend(older.iter().filter_map(|secret| secret.open(ctx).ok()));
    let signing = by_role.iter().find_map(|id| all.iter().find(|key| key.id == *id)).cloned();
    Ok(signing.map(|signing| Secrets { signing, all }))
}

/// Creates a secret of a webhook.
pub fn create(
    ctx: &mut Ctx<'_, '_>,
    webhook: &WebhookId,
    role: &SecretRole,
) -> Result<WebhookSecret> {
    let text = format!("{}{}", keys::WEBHOOK_SECRET, STANDARD.encode(ids::random::<LENGTH>()));
    let (id, now): (WebhookSecretId, _) = (ctx.id(), ctx.now());
    let encrypted = ctx.app.encrypt.encrypt(&place(webhook, &id), &text)?;
    let hint = &text[text.len() - HINT..];
    ctx.tx.execute(
        sql!(
            "insert into webhook_secret (id, webhook, role, sealed, hash, hint, created_at)
             values ($1, $2, $3, $4, $5, $6, $7)"
        ),
        values![id, webhook, role, encrypted, keys::hash(&text), hint, now],
    )?;
    Ok(text.into())
}

/// Adds a secret to a webhook that is locked; returns when the old one expires.
pub fn rotate(
    ctx: &mut Ctx<'_, '_>,
    webhook: &WebhookId,
    overlap: std::time::Duration,
) -> Result<(WebhookSecret, Timestamp)> {
    advance(ctx, webhook)?;
    let end = ctx.now().plus(overlap);
    if overlap.is_zero() {
        forget(ctx, webhook)?;
        return Ok((create(ctx, webhook, &SecretRole::Current)?, end));
    }
    let found: Option<Timestamp> = ctx.tx.one(
        sql!("select max(expires_at) from webhook_secret where webhook = $1"),
        values![webhook],
    )?;
    if let Some(until) = found {
        let refusal = Refusal::new(Code::RotationInProgress, "two secrets are valid already");
        let hint = format!("until {until}; overlapSeconds 0 ends both at once");
        return Err(refusal.hint(hint).into());
    }
    let sql = sql!("update webhook_secret set expires_at = $1 where webhook = $2");
    ctx.tx.execute(sql, values![end, webhook])?;
    Ok((create(ctx, webhook, &SecretRole::Next)?, end))
}

/// Makes the new secret of a webhook that is locked the current one; the old one stays valid.
pub fn promote(ctx: &mut Ctx<'_, '_>, webhook: &WebhookId) -> Result<()> {
    advance(ctx, webhook)?;
    let next: Option<i64> = ctx.tx.optional(
        sql!("select 1 from webhook_secret where webhook = $1 and role = 'next'"),
        values![webhook],
    )?;
    if next.is_none() {
        let refusal = Refusal::new(Code::WrongState, "no new secret waits to be promoted");
        return Err(refusal.hint("POST /webhooks/{webhookId}/rotate-secret makes one").into());
    }
    for sql in [
        sql!("update webhook_secret set role = 'previous' where webhook = $1 and role = 'current'"),
        sql!("update webhook_secret set role = 'current' where webhook = $1 and role = 'next'"),
    ] {
        ctx.tx.execute(sql, values![webhook])?;
    }
    Ok(())
}

/// Stores what has changed only because time passed.
fn advance(ctx: &mut Ctx<'_, '_>, webhook: &WebhookId) -> Result<()> {
    let now = ctx.now();
    ctx.tx.execute(
        sql!("delete from webhook_secret where webhook = $1 and expires_at <= $2"),
        values![webhook, now],
    )?;
    ctx.tx.execute(
        sql!(
            "update webhook_secret set role = 'current'
             where webhook = $1 and role = 'next' and not exists (
                select 1 from webhook_secret s where s.webhook = $1 and s.role = 'current')"
        ),
        values![webhook],
    )?;
    Ok(())
}

/// Deletes the secrets of a webhook.
pub(super) fn forget(ctx: &mut Ctx<'_, '_>, webhook: &WebhookId) -> Result<()> {
    ctx.tx.execute(sql!("delete from webhook_secret where webhook = $1"), values![webhook])?;
    Ok(())
}

/// Secrets re-encrypted in one transaction.
const BATCH: i64 = 200;

/// Encrypts the secrets after this id with the newest key; returns how many, and the last id. One that no key opens is
/// left as it is: it is lost already.
pub fn reencrypt(
    ctx: &mut Ctx<'_, '_>,
    after: Option<&WebhookSecretId>,
) -> Result<(usize, Option<WebhookSecretId>)> {
    let secrets: Vec<Secret> = ctx.tx.all(
        sql!("select ", Secret::COLUMNS, " from webhook_secret where id > $1 order by id limit $2"),
        values![after.map_or("", WebhookSecretId::as_str), BATCH],
    )?;
    let mut count = 0;
    for secret in &secrets {
        let Ok(Key { secret: text, .. }) = secret.open(ctx) else { continue };
        let encrypted =
            ctx.app.encrypt.encrypt(&place(&secret.webhook, &secret.id), text.expose())?;
        let sql = sql!("update webhook_secret set sealed = $1 where id = $2");
        ctx.tx.execute(sql, values![encrypted, secret.id])?;
        count += 1;
    }
    Ok((count, secrets.last().map(|last| last.id.clone())))
}
