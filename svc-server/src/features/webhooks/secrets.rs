//! Secrets of webhooks: a new one, and when it signs.

use std::time::Duration;

use svc_core::app::Cx;
use svc_core::identity::Account;
use svc_core::services::webhook::{self, secret};
use svc_store::error::Result;
use svc_types::Whole;
use svc_types::api::webhooks::{
    OVERLAP_DEFAULT, PromoteWebhookSecret, RotateWebhookSecret, WebhookEnvelope,
    WebhookSecretRotated,
};

pub(super) fn rotate(
    cx: &mut Cx<'_, '_>,
    caller: &Account,
    request: &RotateWebhookSecret,
) -> Result<WebhookSecretRotated> {
    let id = webhook::locked(cx, caller, &request.webhook_id)?.id;
    let seconds = request.overlap_seconds.map_or(OVERLAP_DEFAULT, Whole::get);
    let overlap = Duration::from_secs(seconds.into());
    let (secret, previous_expires_at) = secret::rotate(cx, &id, overlap)?;
    let webhook = webhook::shown(cx, caller, &id)?;
    Ok(WebhookSecretRotated { webhook, secret, previous_expires_at })
}

pub(super) fn promote(
    cx: &mut Cx<'_, '_>,
    caller: &Account,
    request: &PromoteWebhookSecret,
) -> Result<WebhookEnvelope> {
    let id = webhook::locked(cx, caller, &request.webhook_id)?.id;
    secret::promote(cx, &id)?;
    Ok(WebhookEnvelope { webhook: webhook::shown(cx, caller, &id)? })
}
