//! Webhooks: management by their owner (spec §6.1).

mod deliveries;
mod recoveries;
mod secrets;
mod stats;
mod test;

use svc_core::app::Ctx;
use svc_core::identity::Account;
use svc_core::page::Page;
use svc_core::select_webhooks;
use svc_core::services::visibility;
use svc_core::services::webhook::{self, Record, secret};
use svc_store::error::{Error, Refusal, Result};
use svc_store::{sql, values};
use svc_types::api::Deleted;
use svc_types::api::webhooks::{
    CreateWebhook, DeleteWebhook, DisableWebhook, DisabledReason, EnableWebhook, GetWebhook,
    ListWebhooks, SecretRole, UpdateWebhook, WebhookEnvelope, WebhookKind, WebhookPage,
    WebhookStatus, WebhookWithSecret,
};
use svc_types::{Code, Scope, UserId, WebhookId};

use crate::http::Routes;
use crate::outbound::Rules;
use crate::outbound::url::judge;

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
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &CreateWebhook,
) -> Result<WebhookWithSecret> {
    let events = events(request.events.as_deref())?;
    require_for_messages(caller, request.events.as_deref().unwrap_or(&WebhookKind::DEFAULT))?;
    let description = request.description.as_deref().filter(|text| !text.is_empty());
    let url = judged(ctx, &request.url)?;
    visibility::keep(ctx, caller)?;
    refuse_too_many(ctx, &caller.id)?;
    let (id, now): (WebhookId, _) = (ctx.id(), ctx.now());
    ctx.tx.execute(
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
            i64::from(ctx.app.config.webhooks.sends_per_webhook),
            now
        ],
    )?;
    let secret = secret::create(ctx, &id, &SecretRole::Current)?;
    Ok(WebhookWithSecret { webhook: webhook::load(ctx, caller, &id)?, secret })
}

/// 403 if these kinds include messages and the credential may not read them: its receiver would.
fn require_for_messages(caller: &Account, kinds: &[WebhookKind]) -> Result<()> {
    if kinds.contains(&WebhookKind::DirectMessage) {
        return caller.require_one(&Scope::Dm);
    }
    Ok(())
}

/// 403 if the credential may not read messages and the new address of a webhook that is locked would get some: those to
/// come, or those that wait from when it listed them.
fn require_to_move(ctx: &mut Ctx<'_, '_>, caller: &Account, webhook: &Record) -> Result<()> {
    require_for_messages(caller, &webhook.kinds())?;
    if webhook::delivery::is_message_open(ctx, &webhook.id)? {
        caller.require_one(&Scope::Dm)?;
    }
    Ok(())
}

/// The requested kinds in stored form.
fn events(kinds: Option<&[WebhookKind]>) -> Result<Option<String>> {
    match kinds {
        None => Ok(None),
        Some([]) => Err(Error::invalid("events", "events must list at least one kind")),
        Some(kinds) => Ok(Some(webhook::list_of(kinds))),
    }
}

/// The kinds of a webhook that is locked, after what a person changed in a form; `None` if the request is not of a form.
fn changed_events(
    ctx: &Ctx<'_, '_>,
    webhook: &Record,
    request: &UpdateWebhook,
) -> Result<Option<String>> {
    if !ctx.is_of_changes() {
        return Ok(None);
    }
    let is_left = |kind: &WebhookKind| ctx.leaves(&webhook::member(kind));
    let asked = request.events.as_deref().unwrap_or_default().iter();
    let left = webhook.kinds().into_iter().filter(is_left);
    let kinds: Vec<WebhookKind> =
        left.chain(asked.filter(|kind| !is_left(kind)).cloned()).collect();
    events(Some(&kinds))
}

/// The normalized URL; 400 if it is not permitted.
fn judged(ctx: &mut Ctx<'_, '_>, url: &str) -> Result<String> {
    let judged = judge(url, &Rules::of(&ctx.app.config));
    Ok(judged.map_err(|refusal| refusal.field("url"))?.into())
}

/// 403 if the account has as many webhooks as its tier allows. Locks the account, so that
/// concurrent creations count each other.
fn refuse_too_many(ctx: &mut Ctx<'_, '_>, owner: &UserId) -> Result<()> {
    let most = webhook::most(&webhook::lock_owner(ctx, owner)?);
    let sql = sql!("select count(*) from webhook where account = $1 and deleted_at is null");
    if ctx.tx.one::<i64>(sql, values![owner])? < most {
        return Ok(());
    }
    let message = format!("your tier has at most {most} webhooks, disabled ones included");
    Err(limit_reached(message, "delete one you no longer need"))
}

fn limit_reached(message: String, hint: &str) -> Error {
    Refusal::new(Code::WebhookLimitReached, message).hint(hint).into()
}

fn list(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &ListWebhooks) -> Result<WebhookPage> {
    let page = Page::of(request, request.limit, request.cursor.as_ref(), 1)?;
    let mut records: Vec<Record> = ctx.tx.all(
        select_webhooks!("w.account = $1 and w.id < $2 order by w.id desc limit $3"),
        values![caller.id, page.before(), page.rows()],
    )?;
    let next_cursor = page.cut(&mut records, |record| vec![record.id.to_string()]);
    Ok(WebhookPage { webhooks: webhook::to_api_all(ctx, &caller.id, records)?, next_cursor })
}

fn read(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &GetWebhook) -> Result<WebhookEnvelope> {
    Ok(WebhookEnvelope { webhook: webhook::load(ctx, caller, &request.webhook_id)? })
}

fn update(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &UpdateWebhook,
) -> Result<WebhookEnvelope> {
    let events = events(request.events.as_deref())?;
    require_for_messages(caller, request.events.as_deref().unwrap_or_default())?;
    let description = request.description.as_deref();
    let url = request.url.as_deref().map(|url| judged(ctx, url)).transpose()?;
    let (now, record) = (ctx.now(), webhook::locked(ctx, caller, &request.webhook_id)?);
    let events = changed_events(ctx, &record, request)?.or(events);
    let is_moved = url.as_ref().is_some_and(|url| *url != record.url);
    if is_moved {
        require_to_move(ctx, caller, &record)?;
    }
    ctx.tx.execute(
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
        webhook::forget_failures(ctx, &record.id)?;
    }
    Ok(WebhookEnvelope { webhook: webhook::load(ctx, caller, &record.id)? })
}

fn delete(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &DeleteWebhook) -> Result<Deleted> {
    let record = webhook::locked(ctx, caller, &request.webhook_id)?;
    webhook::withdraw(ctx, &record.id)?;
    Ok(Deleted { deleted: true })
}

/// After a downgrade an account may have more webhooks than its tier allows. The owner chooses
/// which of them stay active.
fn enable(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &EnableWebhook,
) -> Result<WebhookEnvelope> {
    let most = webhook::most(&webhook::lock_owner(ctx, &caller.id)?);
    let record = webhook::locked(ctx, caller, &request.webhook_id)?;
    if record.status != WebhookStatus::Active {
        if webhook::count_active(ctx, &caller.id)? >= most {
            let message = format!("your tier has at most {most} webhooks");
            return Err(limit_reached(message, "disable another one first"));
        }
        webhook::enable(ctx, &record)?;
    }
    Ok(WebhookEnvelope { webhook: webhook::load(ctx, caller, &record.id)? })
}

fn disable(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &DisableWebhook,
) -> Result<WebhookEnvelope> {
    let record = webhook::locked(ctx, caller, &request.webhook_id)?;
    webhook::disable(ctx, &record.id, &DisabledReason::Manual)?;
    Ok(WebhookEnvelope { webhook: webhook::load(ctx, caller, &record.id)? })
}
