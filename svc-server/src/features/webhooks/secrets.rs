//! Secrets of webhooks: rotation, and which one signs.

use std::time::Duration;

use svc_core::app::Ctx;
use svc_core::identity::Account;
use svc_core::services::webhook::{self, secret};
use svc_store::error::Result;
use svc_types::Whole;
use svc_types::api::webhooks::{
    OVERLAP_DEFAULT, PromoteWebhookSecret, RotateWebhookSecret, WebhookEnvelope,
    WebhookSecretRotated,
};

use super::require_for_messages;

/// Anyone with the secret can forge messages that the receiver trusts.
pub(super) fn rotate(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &RotateWebhookSecret,
) -> Result<WebhookSecretRotated> {
    let record = webhook::locked(ctx, caller, &request.webhook_id)?;
    require_for_messages(caller, &record.kinds())?;
    let id = record.id;
    let seconds = request.overlap_seconds.map_or(OVERLAP_DEFAULT, Whole::get);
    let overlap = Duration::from_secs(seconds.into());
    let (secret, previous_expires_at) = secret::rotate(ctx, &id, overlap)?;
    let webhook = webhook::load(ctx, caller, &id)?;
    Ok(WebhookSecretRotated { webhook, secret, previous_expires_at })
}

pub(super) fn promote(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &PromoteWebhookSecret,
) -> Result<WebhookEnvelope> {
    let id = webhook::locked(ctx, caller, &request.webhook_id)?.id;
    secret::promote(ctx, &id)?;
    Ok(WebhookEnvelope { webhook: webhook::load(ctx, caller, &id)? })
}
