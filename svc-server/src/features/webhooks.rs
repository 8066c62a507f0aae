//! Webhooks: management by their owner (spec §6.1).

mod deliveries;
mod recoveries;
mod secrets;
mod stats;
mod test;

use svc_core::app::Cx;
use svc_core::identity::Account;
use svc_core::page::Page;
use svc_core::select_webhooks;
use svc_core::services::standing;
use svc_core::services::webhook::{self, Record, secret};
use svc_store::error::{Error, Refusal, Result};
use svc_store::{sql, values};
use svc_types::api::Deleted;
use svc_types::api::webhooks::{
    CreateWebhook, DeleteWebhook, DisableWebhook, DisabledReason, EnableWebhook, GetWebhook,
    ListWebhooks, SecretRole, UpdateWebhook, WebhookEnvelope, WebhookKind, WebhookPage,
    WebhookStatus, WebhookWithSecret,
};
use svc_types::{Code, UserId, WebhookId};

use crate::http::Routes;
use crate::outbound::Rules;
use crate::outbound::url::judge;

/// Larger than every webhook id.
const LAST_ID: &str = "x";

/// The endpoints of this feature.
pub fn routes() -> Routes {
    Routes::new()
        .write(create)
        .read(list)
        .read(read)
        .write(update)
        .write(delete)
        .write(enable)
        .write(disable)
        .write(secrets::rotate)
        .write(secrets::promote)
        .and(test::routes())
        .and(deliveries::routes())
        .and(recoveries::routes())
        .read(stats::read)
}

fn create(
    cx: &mut Cx<'_, '_>,
    caller: &Account,
    request: &CreateWebhook,
) -> Result<WebhookWithSecret> {
    let events = events(request.events.as_deref())?;
    let description = request.description.as_deref().filter(|text| !text.is_empty());
    let url = judged(cx, &request.url)?;
    standing::keep(cx, caller)?;
    refuse_too_many(cx, &caller.id)?;
    let (id, now): (WebhookId, _) = (cx.id(), cx.now());
    cx.tx.execute(
        sql!(
            "insert into webhook (id, account, url, description, events, status, max_in_flight,
                created_at, updated_at)
             values ($1, $2, $3, $4, $5, 'active', $6, $7, $7)"
        ),
        values![
            id,
            caller.id,
            url,
            description,
            events.unwrap_or_else(|| webhook::list_of(&WebhookKind::DEFAULT)),
            i64::from(cx.app.config.webhooks.sends_per_webhook),
            now
        ],
    )?;
    let secret = secret::create(cx, &id, &SecretRole::Current)?;
    Ok(WebhookWithSecret { webhook: webhook::shown(cx, caller, &id)?, secret })
}

/// The kinds asked for as they are stored.
fn events(kinds: Option<&[WebhookKind]>) -> Result<Option<String>> {
    match kinds {
        None => Ok(None),
        Some([]) => Err(Error::invalid("events", "events must list at least one kind")),
        Some(kinds) => Ok(Some(webhook::list_of(kinds))),
    }
}

/// The address as it is called; 400 when it may not be.
fn judged(cx: &mut Cx<'_, '_>, url: &str) -> Result<String> {
    let judged = judge(url, &Rules::of(&cx.app.config));
    Ok(judged.map_err(|refusal| refusal.field("url"))?.into())
}

/// 403 when the account has as many webhooks as its tier allows. Two made at once are counted one
/// after the other.
fn refuse_too_many(cx: &mut Cx<'_, '_>, owner: &UserId) -> Result<()> {
    let most = webhook::most(&webhook::lock_owner(cx, owner)?);
    let sql = sql!("select count(*) from webhook where account = $1 and deleted_at is null");
    if cx.tx.one::<i64>(sql, values![owner])? < most {
        return Ok(());
    }
    let message = format!("your tier has at most {most} webhooks, disabled ones included");
    Err(limit_reached(message, "delete one you no longer need"))
}

fn limit_reached(message: String, hint: &str) -> Error {
    Refusal::new(Code::WebhookLimitReached, message).hint(hint).into()
}

fn list(cx: &mut Cx<'_, '_>, caller: &Account, request: &ListWebhooks) -> Result<WebhookPage> {
    let page = Page::of(request, request.limit, request.cursor.as_ref(), 1)?;
    let after = page.after_one().unwrap_or(LAST_ID);
    let mut records: Vec<Record> = cx.tx.all(
        select_webhooks!("w.account = $1 and w.id < $2 order by w.id desc limit $3"),
        values![caller.id, after, page.rows()],
    )?;
    let next_cursor = page.cut(&mut records, |record| vec![record.id.to_string()]);
    Ok(WebhookPage { webhooks: webhook::shown_all(cx, &caller.id, records)?, next_cursor })
}

fn read(cx: &mut Cx<'_, '_>, caller: &Account, request: &GetWebhook) -> Result<WebhookEnvelope> {
    Ok(WebhookEnvelope { webhook: webhook::shown(cx, caller, &request.webhook_id)? })
}

fn update(
    cx: &mut Cx<'_, '_>,
    caller: &Account,
    request: &UpdateWebhook,
) -> Result<WebhookEnvelope> {
    let events = events(request.events.as_deref())?;
    let description = request.description.as_deref();
    let url = request.url.as_deref().map(|url| judged(cx, url)).transpose()?;
    let (now, record) = (cx.now(), webhook::locked(cx, caller, &request.webhook_id)?);
    let is_moved = url.as_ref().is_some_and(|url| *url != record.url);
    cx.tx.execute(
        sql!(
            "update webhook set
                url = coalesce($1, url),
                events = coalesce($2, events),
                description = case when cast($3 as text) is null then description
                    when $3 = '' then null else $3 end,
                updated_at = $4
             where id = $5"
        ),
        values![url, events, description, now, record.id],
    )?;
    if is_moved {
        webhook::forget_failures(cx, &record.id)?;
    }
    Ok(WebhookEnvelope { webhook: webhook::shown(cx, caller, &record.id)? })
}

fn delete(cx: &mut Cx<'_, '_>, caller: &Account, request: &DeleteWebhook) -> Result<Deleted> {
    let record = webhook::locked(cx, caller, &request.webhook_id)?;
    webhook::withdraw(cx, &record.id)?;
    Ok(Deleted { deleted: true })
}

/// After a downgrade there are more webhooks than the tier allows; as many as it does may be
/// called, whichever the owner prefers.
fn enable(
    cx: &mut Cx<'_, '_>,
    caller: &Account,
    request: &EnableWebhook,
) -> Result<WebhookEnvelope> {
    let most = webhook::most(&webhook::lock_owner(cx, &caller.id)?);
    let record = webhook::locked(cx, caller, &request.webhook_id)?;
    if record.status != WebhookStatus::Active {
        if webhook::count_active(cx, &caller.id)? >= most {
            let message = format!("your tier has at most {most} webhooks");
            return Err(limit_reached(message, "disable another one first"));
        }
        webhook::enable(cx, &record)?;
    }
    Ok(WebhookEnvelope { webhook: webhook::shown(cx, caller, &record.id)? })
}

fn disable(
    cx: &mut Cx<'_, '_>,
    caller: &Account,
    request: &DisableWebhook,
) -> Result<WebhookEnvelope> {
    let record = webhook::locked(cx, caller, &request.webhook_id)?;
    webhook::disable(cx, &record.id, &DisabledReason::Manual)?;
    Ok(WebhookEnvelope { webhook: webhook::shown(cx, caller, &record.id)? })
}
