//! Webhooks as they are stored, and as their owner sees them.

use svc_store::error::{Error, Result};
use svc_store::{row, sql, values};
use svc_types::api::users::Tier;
use svc_types::api::webhooks::{
    Breaker, BreakerState, DeliveryErrorClass, DisabledReason, LastError, WEBHOOKS_MAX,
    WEBHOOKS_MAX_PRO, Webhook, WebhookKind, WebhookStatus,
};
use svc_types::{Timestamp, UserId, WebhookId};

use super::secret::{self, Secret};
use crate::app::Ctx;
use crate::identity::Account;
use crate::services::account;

/// A webhook's row with the number of its open deliveries.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its id.
    pub id: WebhookId,
    /// Its owner.
    pub account: UserId,
    /// Where events are sent.
    pub url: String,
    description: Option<String>,
    events: String,
    /// Whether it is called.
    pub status: WebhookStatus,
    disabled_reason: Option<DisabledReason>,
    pub(super) disabled_at: Option<Timestamp>,
    pub(super) suspended_at: Option<Timestamp>,
    unsettled_since: Option<Timestamp>,
    breaker_until: Option<Timestamp>,
    last_success_at: Option<Timestamp>,
    last_error_at: Option<Timestamp>,
    last_error_class: Option<DeliveryErrorClass>,
    last_error_status: Option<i64>,
    created_at: Timestamp,
    updated_at: Timestamp,
    open: i64,
}
row!(Record {
    id: "w.id",
    account: "w.account",
    url: "w.url",
    description: "w.description",
    events: "w.events",
    status: "w.status",
    disabled_reason: "w.disabled_reason",
    disabled_at: "w.disabled_at",
    suspended_at: "w.suspended_at",
    unsettled_since: "w.unsettled_since",
    breaker_until: "w.breaker_until",
    last_success_at: "w.last_success_at",
    last_error_at: "w.last_error_at",
    last_error_class: "w.last_error_class",
    last_error_status: "w.last_error_status",
    created_at: "w.created_at",
    updated_at: "w.updated_at",
    open: "(
        select count(*) from (
            select 1 from webhook_delivery d
            where d.webhook = w.id and d.state in ('pending', 'sending', 'held')
            limit 10000
        ) as waiting
    )",
});

/// A statement that reads [`Record`]s that are not deleted: `select_webhooks!("w.id = $1")`.
#[macro_export]
macro_rules! select_webhooks {
    ($rest:literal) => {
        svc_store::sql!(
            "select ",
            $crate::services::webhook::Record::COLUMNS,
            " from webhook w where w.deleted_at is null and ",
            $rest
        )
    };
}

impl Record {
    /// The kinds it lists.
    pub fn kinds(&self) -> Vec<WebhookKind> {
        let kinds = self.events.split(',').filter(|kind| !kind.is_empty());
        kinds.map(WebhookKind::from).collect()
    }

    /// Since when it has not been called, if it is disabled or suspended.
    pub(super) fn down_since(&self) -> Option<Timestamp> {
        self.disabled_at.into_iter().chain(self.suspended_at).min()
    }

    /// Since when the first of what waits for it may be held, if it is disabled or suspended. That is before it went
    /// down if it was up for too short a time for all of it to go on.
    pub(super) fn held_since(&self) -> Option<Timestamp> {
        let down_since = self.down_since()?;
        Some(self.unsettled_since.map_or(down_since, |since| since.min(down_since)))
    }

    /// The same as the API returns it, with its current secrets.
    fn into_api(self, secrets: &[Secret], now: Timestamp) -> Webhook {
        let until = self.breaker_until;
        let state = |until| if now < until { BreakerState::Open } else { BreakerState::HalfOpen };
        let error = self.last_error_at.zip(self.last_error_class.clone());
        let http_status = self.last_error_status.and_then(|status| u16::try_from(status).ok());
        Webhook {
            events: self.kinds(),
            secret_hint: secrets.first().map(|secret| secret.hint.clone()).unwrap_or_default(),
            secrets: secrets.iter().map(Secret::to_api).collect(),
            breaker: until.map(|until| Breaker { state: state(until), until }),
            last_error: error.map(|(at, class)| LastError { at, class, http_status }),
            pending_count: u32::try_from(self.open).unwrap_or(u32::MAX),
            id: self.id,
            url: self.url,
            description: self.description,
            status: self.status,
            disabled_reason: self.disabled_reason,
            last_success_at: self.last_success_at,
            created_at: self.created_at,
            updated_at: self.updated_at,
        }
    }
}

/// Most webhooks of an account of this tier.
pub const fn most(tier: &Tier) -> i64 {
    match tier {
        Tier::Pro => WEBHOOKS_MAX_PRO,
        _ => WEBHOOKS_MAX,
    }
}

/// Kinds as they are stored: each once, in the order of the specification, between commas.
pub fn list_of(kinds: &[WebhookKind]) -> String {
    let is_listed = |word: &&&str| kinds.iter().any(|kind| kind.as_str() == **word);
    let listed: Vec<&str> = WebhookKind::WORDS.iter().filter(is_listed).copied().collect();
    format!(",{},", listed.join(","))
}

/// The name of a kind among the members that a person changed in a form.
pub fn member(kind: &WebhookKind) -> String {
    format!("events.{kind}")
}

/// The caller's webhook with this id, else 404.
pub fn own(ctx: &mut Ctx<'_, '_>, caller: &Account, id: &WebhookId) -> Result<Record> {
    let found: Option<Record> = ctx
        .tx
        .optional(select_webhooks!("w.id = $1 and w.account = $2"), values![id, caller.id])?;
    found.ok_or_else(|| Error::not_found("webhook"))
}

/// The same, locked until the transaction ends, together with its deliveries.
pub fn locked(ctx: &mut Ctx<'_, '_>, caller: &Account, id: &WebhookId) -> Result<Record> {
    let sql = sql!("select id from webhook where id = $1 and account = $2 for no key update");
    ctx.tx.lock(sql, values![id, caller.id])?;
    own(ctx, caller, id)
}

/// Serializes changes of an account's number of webhooks; returns its tier.
pub fn lock_owner(ctx: &mut Ctx<'_, '_>, owner: &UserId) -> Result<Tier> {
    account::lock(ctx, owner)?;
    ctx.tx.one(sql!("select tier from account where id = $1"), values![owner])
}

/// The number of an account's active webhooks.
pub fn count_active(ctx: &mut Ctx<'_, '_>, owner: &UserId) -> Result<i64> {
    let sql = sql!(
        "select count(*) from webhook
         where account = $1 and deleted_at is null and status = 'active'"
    );
    ctx.tx.one(sql, values![owner])
}

/// The caller's webhook as the API returns it.
pub fn load(ctx: &mut Ctx<'_, '_>, caller: &Account, id: &WebhookId) -> Result<Webhook> {
    let (now, record) = (ctx.now(), own(ctx, caller, id)?);
    let secrets = secret::of(ctx, id)?;
    Ok(record.into_api(&secrets, now))
}

/// Webhooks of one account as the API returns them.
pub fn to_api_all(
    ctx: &mut Ctx<'_, '_>,
    owner: &UserId,
    records: Vec<Record>,
) -> Result<Vec<Webhook>> {
    let (now, all) = (ctx.now(), secret::of_account(ctx, owner)?);
    let shown = records.into_iter().map(|record| {
        let secrets = all.get(&record.id).map_or(&[][..], Vec::as_slice);
        record.into_api(secrets, now)
    });
    Ok(shown.collect())
}
