//! The one call of a test.

use std::sync::Arc;

use svc_core::app::Cx;
use svc_core::services::webhook::secret;
use svc_store::error::{Error, Result};
use svc_store::{row, sql, values};
use svc_types::{DeliveryId, EventId, Timestamp, UserId, WebhookId};

use super::attempt::{self, Attempt};
use super::parcel::{Keys, Parcel};
use super::{finish, lease};
use crate::app::ServerApp;

/// Who claims tests, and until when: a test is inserted in state `sending`, as attempt 1.
pub fn lease_of_test(cx: &Cx<'_, '_>) -> (&'static str, Timestamp) {
    ("test", cx.now().plus(lease::time(&cx.app.config)))
}

/// A test that waits for its call.
struct Waiting {
    webhook: WebhookId,
    account: UserId,
    url: String,
    event: EventId,
    kind: String,
    body: String,
}
row!(Waiting { webhook, account, url, event, kind, body });

/// Makes the call of a test and writes down what became of it. It is not made again, and tells
/// nothing about the webhook.
pub async fn attempt_once(app: &Arc<ServerApp>, delivery: &DeliveryId) -> Result<()> {
    let id = delivery.clone();
    let parcel = app.read(move |cx| parcel(cx, &id)).await?;
    let attempt = attempt::make(app, parcel).await;
    app.write(move |cx| settle(cx, &attempt)).await
}

fn parcel(cx: &mut Cx<'_, '_>, delivery: &DeliveryId) -> Result<Parcel> {
    let waiting: Option<Waiting> = cx.tx.optional(
        sql!(
            "select w.id, w.account, w.url, d.event, d.kind, d.body
             from webhook_delivery d join webhook w on w.id = d.webhook
             where d.id = $1 and d.state = 'sending' and d.trigger_kind = 'test'
                and d.body is not null and w.deleted_at is null"
        ),
        values![delivery],
    )?;
    let waiting = waiting.ok_or_else(|| Error::not_found("webhook"))?;
    let secrets = secret::live(cx, &waiting.webhook)?;
    Ok(Parcel {
        delivery: delivery.clone(),
        account: waiting.account,
        url: waiting.url,
        event: waiting.event,
        kind: waiting.kind,
        seq: None,
        attempt: 1,
        is_test: true,
        body: waiting.body,
        keys: Keys::new(secrets.ok_or_else(|| Error::not_found("webhook"))?)?,
        webhook: waiting.webhook,
    })
}

fn settle(cx: &mut Cx<'_, '_>, attempt: &Attempt) -> Result<()> {
    let delivered_at = attempt.failure().is_none().then_some(cx.now());
    let rows = cx.tx.execute(
        sql!(
            "update webhook_delivery set lease_owner = null, lease_until = null,
                state = case when cast($1 as bigint) is null then 'failed' else 'delivered' end,
                delivered_at = $1
             where id = $2 and state = 'sending' and trigger_kind = 'test'"
        ),
        values![delivered_at, attempt.parcel.delivery],
    )?;
    if rows == 1 { finish::note(cx, attempt, None) } else { Ok(()) }
}
