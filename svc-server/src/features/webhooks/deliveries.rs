//! Deliveries of a webhook, and redelivery.

use svc_core::app::Ctx;
use svc_core::identity::Account;
use svc_core::ids;
use svc_core::page::Page;
use svc_core::select_deliveries;
use svc_core::services::scan::{self, Step};
use svc_core::services::webhook;
use svc_core::services::webhook::delivery::{self, Draft, Record};
use svc_store::error::{Refusal, Result};
use svc_store::{sql, values};
use svc_types::api::webhooks::{
    DeliveryEnvelope, DeliveryPage, DeliveryState, DeliveryTrigger, GetWebhookDelivery,
    ListWebhookDeliveries, RedeliverWebhook, WebhookKind,
};
use svc_types::{Code, DeliveryId, Scope, WebhookId};

use crate::http::Routes;

pub(super) fn routes() -> Routes {
    Routes::new().read(list).read(read).write(redeliver)
}

/// Deliveries are scanned along an index and filtered by kind. The limit bounds the cost of a page
/// when the kind is rare.
fn list(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &ListWebhookDeliveries,
) -> Result<DeliveryPage> {
    let page = Page::of(request, request.limit, request.cursor.as_ref(), 1)?;
    let webhook = webhook::own(ctx, caller, &request.webhook_id)?.id;
    let until = request.until.map(ids::first_of::<DeliveryId>);
    let before = until.as_ref().map_or(ids::LAST, DeliveryId::as_str).to_owned();
    let since = request.since.map(ids::first_of::<DeliveryId>);
    let listed = delivery::first_listed(ctx);
    let first = since.filter(|since| *since > listed).unwrap_or(listed);
    let is_meant = |record: &Record| {
        record.id >= first && request.state.as_ref().is_none_or(|state| record.state == *state)
    };
    let load = |ctx: &mut Ctx<'_, '_>, after: Option<&str>, most: i64| {
        let before = after.unwrap_or(&before);
        let found = load(ctx, &webhook, request.state.as_ref(), before, most)?;
        Ok(found.into_iter().take_while(is_meant).map(|record| step(record, request)).collect())
    };
    let (records, next_cursor) = scan::page(ctx, &page, load)?;
    let deliveries = records.into_iter().map(Record::into_api).collect();
    Ok(DeliveryPage { deliveries, next_cursor })
}

/// Deliveries before this one, newest first. With a state, those of the preceding states follow, so
/// that one statement reads along the index of states.
fn load(
    ctx: &mut Ctx<'_, '_>,
    webhook: &WebhookId,
    state: Option<&DeliveryState>,
    before: &str,
    most: i64,
) -> Result<Vec<Record>> {
    match state {
        Some(state) => ctx.tx.all(
            select_deliveries!(
                "where webhook = $1 and (state, id) < ($2, $3)
                 order by state desc, id desc limit $4"
            ),
            values![webhook, state, before, most],
        ),
        None => ctx.tx.all(
            select_deliveries!("where webhook = $1 and id < $2 order by id desc limit $3"),
            values![webhook, before, most],
        ),
    }
}

fn step(record: Record, request: &ListWebhookDeliveries) -> Step<Record> {
    let is_wanted = request.event.as_ref().is_none_or(|kind| kind.as_str() == record.kind);
    Step { key: record.id.to_string(), item: is_wanted.then_some(record) }
}

fn read(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &GetWebhookDelivery,
) -> Result<DeliveryEnvelope> {
    let webhook = webhook::own(ctx, caller, &request.webhook_id)?;
    let mut delivery = delivery::whole(ctx, &webhook.id, &request.delivery_id)?;
    if is_message(&delivery.event) && !caller.scopes.contains(&Scope::Dm) {
        delivery.body = None;
    }
    Ok(DeliveryEnvelope { delivery })
}

/// Whether only keys with the scope `dm` may read events of this kind.
fn is_message(kind: &str) -> bool {
    kind == WebhookKind::DirectMessage.as_str()
}

fn redeliver(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &RedeliverWebhook,
) -> Result<DeliveryEnvelope> {
    let webhook = webhook::locked(ctx, caller, &request.webhook_id)?;
    let before = delivery::of(ctx, &webhook.id, &request.delivery_id)?;
    if is_message(&before.kind) {
        // The webhook may have another address now.
        caller.require_one(&Scope::Dm)?;
    }
    let seq: Option<i64> =
        ctx.tx.optional(sql!("select seq from event where id = $1"), values![before.event])?;
    let Some(seq) = seq else {
        let refusal = Refusal::new(Code::EventExpired, "the event has expired");
        return Err(refusal.hint("the events of tests are not retained").into());
    };
    let sent: i64 = ctx.tx.one(
        sql!("select max(replay_no) from webhook_delivery where event = $1 and webhook = $2"),
        values![before.event, webhook.id],
    )?;
    let draft = Draft {
        webhook: &webhook.id,
        event: &before.event,
        kind: &before.kind,
        seq,
        replay_no: sent + 1,
        trigger: DeliveryTrigger::Manual,
        is_held: webhook::down_for(ctx, &webhook).is_some(),
    };
    let id = delivery::insert(ctx, &draft)?;
    Ok(DeliveryEnvelope { delivery: delivery::of(ctx, &webhook.id, &id)?.into_api() })
}
