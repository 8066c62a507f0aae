//! Test calls of a webhook, with a sample event.

use std::sync::Arc;
use std::time::Duration;

use svc_core::app::Ctx;
use svc_core::identity::Account;
use svc_core::services::webhook::{self, delivery};
use svc_store::error::{Error, Refusal, Result, Window};
use svc_store::{sql, values};
use svc_types::api::connect::WebhookEvent;
use svc_types::api::webhooks::{DeliveryEnvelope, TestWebhook, WebhookKind};
use svc_types::{Code, DeliveryId, EventId, Timestamp, WebhookId};

use crate::app::ServerApp;
use crate::http::Routes;
use crate::http::pipeline::Call;
use crate::webhooks::{attempt_once, lease_of_test};

/// Least time between two tests of a webhook.
const EVERY: Duration = Duration::from_secs(5);

pub(super) fn routes() -> Routes {
    Routes::new().write_prepared(call, envelope)
}

/// Records the test, and makes the call outside of any transaction.
async fn call(app: Arc<ServerApp>, ask: Arc<Call<TestWebhook>>) -> Result<DeliveryId> {
    let asked = Arc::clone(&ask);
    let id = app.write(move |ctx| begin(ctx, &asked.caller, &asked.request)).await?;
    attempt_once(&app, &id).await?;
    Ok(id)
}

fn begin(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &TestWebhook) -> Result<DeliveryId> {
    let webhook = webhook::locked(ctx, caller, &request.webhook_id)?.id;
    take_turn(ctx, &webhook)?;
    let kind = request.event.as_ref().unwrap_or(&WebhookKind::Mention).as_str();
    let sample = WebhookEvent::sample(kind);
    let sample = sample.ok_or_else(|| Error::internal(format!("{kind} has no sample")))?;
    let (id, event, now): (DeliveryId, EventId, _) = (ctx.id(), ctx.id(), ctx.now());
    let (owner, until) = lease_of_test(ctx);
    ctx.tx.execute(
        sql!(
            "insert into webhook_delivery (id, webhook, event, kind, replay_no, trigger_kind, body,
                state, attempt, lease_owner, lease_until, created_at)
             values ($1, $2, $3, $4, 0, 'test', $5, 'sending', 1, $6, $7, $8)"
        ),
        values![id, webhook, event, kind, sample.webhook_body(now), owner, until, now],
    )?;
    Ok(id)
}

/// 429 if the webhook was tested too recently. A test that a wrong clock dated far ahead does not count.
fn take_turn(ctx: &mut Ctx<'_, '_>, webhook: &WebhookId) -> Result<()> {
    let now = ctx.now();
    let rows = ctx.tx.execute(
        sql!(
            "update webhook set tested_at = $1
             where id = $2 and (tested_at is null or tested_at <= $3 or tested_at > $4)"
        ),
        values![now, webhook, now.minus(EVERY), now.plus(EVERY)],
    )?;
    if rows == 1 {
        return Ok(());
    }
    let sql = sql!("select tested_at from webhook where id = $1");
    let last: Timestamp = ctx.tx.one(sql, values![webhook])?;
    let window = Window { limit: 1, remaining: 0, reset: last.plus(EVERY) };
    let refusal = Refusal::new(Code::RateLimited, "a webhook is tested once in 5 seconds");
    Err(refusal.hint("wait for retryAfter seconds").window(window, now).into())
}

fn envelope(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &TestWebhook,
    id: &DeliveryId,
) -> Result<DeliveryEnvelope> {
    let webhook = webhook::own(ctx, caller, &request.webhook_id)?;
    Ok(DeliveryEnvelope { delivery: delivery::whole(ctx, &webhook.id, id)? })
}
