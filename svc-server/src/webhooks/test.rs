//! Test deliveries, which are called once.

use std::sync::Arc;

use svc_core::app::Ctx;
use svc_core::services::webhook::secret;
use svc_store::error::{Error, Result};
use svc_store::{row, sql, values};
use svc_types::{DeliveryId, EventId, Timestamp, UserId, WebhookId};

use super::attempt::{self, Attempt};
use super::request::{Keys, OutboundRequest};
use super::{finish, lease};
use crate::app::ServerApp;

/// Owner and end of a test's lease. A test is inserted in state `sending`, as attempt 1.
pub fn lease_of_test(ctx: &Ctx<'_, '_>) -> (&'static str, Timestamp) {
    ("test", ctx.now().plus(lease::time(&ctx.app.config)))
}

/// A pending test.
struct PendingTest {
    webhook: WebhookId,
    account: UserId,
    url: String,
    event: EventId,
    kind: String,
    body: String,
}
row!(PendingTest {
    webhook: "w.id",
    account: "w.account",
    url: "w.url",
    event: "d.event",
    kind: "d.kind",
    body: "d.body",
});

/// Calls the webhook and records the result. A test is not retried, and does not change the health
/// of the webhook.
pub async fn attempt_once(app: &Arc<ServerApp>, delivery: &DeliveryId) -> Result<()> {
    let id = delivery.clone();
    let request = app.read(move |ctx| request(ctx, &id)).await?;
    let attempt = attempt::make(app, request).await;
    app.write(move |ctx| record_result(ctx, &attempt)).await
}

fn request(ctx: &mut Ctx<'_, '_>, delivery: &DeliveryId) -> Result<OutboundRequest> {
    let waiting: Option<PendingTest> = ctx.tx.optional(
        sql!(
            "select ",
            PendingTest::COLUMNS,
            " from webhook_delivery d join webhook w on w.id = d.webhook
             where d.id = $1 and d.state = 'sending' and d.trigger_kind = 'test'
                and d.body is not null and w.deleted_at is null"
        ),
        values![delivery],
    )?;
    let waiting = waiting.ok_or_else(|| Error::not_found("webhook"))?;
    let secrets = secret::live(ctx, &waiting.webhook)?;
    Ok(OutboundRequest {
        delivery: delivery.clone(),
        account: waiting.account,
        url: waiting.url,
        event: waiting.event,
        kind: waiting.kind,
        seq: None,
        attempt: 1,
        is_test: true,
        body: waiting.body,
        trace: None,
        keys: Keys::new(secrets.ok_or_else(|| Error::not_found("webhook"))?)?,
        webhook: waiting.webhook,
    })
}

fn record_result(ctx: &mut Ctx<'_, '_>, attempt: &Attempt) -> Result<()> {
    let delivered_at = attempt.failure().is_none().then_some(ctx.now());
    let rows = ctx.tx.execute(
        sql!(
            "update webhook_delivery set lease_owner = null, lease_until = null,
                state = case when cast($1 as bigint) is null then 'failed' else 'delivered' end,
                delivered_at = $1
             where id = $2 and state = 'sending' and trigger_kind = 'test'"
        ),
        values![delivered_at, attempt.request.delivery],
    )?;
    if rows == 1 { finish::record(ctx, attempt, None) } else { Ok(()) }
}
