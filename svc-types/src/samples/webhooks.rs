//! Samples of webhooks.

use super::{SampleVisitor, limit};
use crate::api::webhooks::{
    CreateWebhook, DeleteWebhook, DeliveryState, DisableWebhook, EnableWebhook, GetWebhook,
    GetWebhookDelivery, GetWebhookRecovery, GetWebhookStats, ListWebhookDeliveries, ListWebhooks,
    PromoteWebhookSecret, RecoverWebhook, RecoverableState, RedeliverWebhook, RotateWebhookSecret,
    TestWebhook, UpdateWebhook, WebhookKind,
};
use crate::{DeliveryId, Id, RecoveryId, Timestamp, WebhookId};

fn webhook_id() -> WebhookId {
    WebhookId::from_number(0x3240_0000_0000_0021)
}

fn delivery_id() -> DeliveryId {
    DeliveryId::from_number(0x3240_0000_0000_0022)
}

fn instant(seconds: i64) -> Timestamp {
    Timestamp::from_millis(1_769_851_800_000 + 1000 * seconds)
}

/// Calls `visitor` with one valid request per endpoint of webhooks.
pub(super) fn visit(visitor: &mut impl SampleVisitor) {
    webhooks(visitor);
    deliveries(visitor);
}

fn webhooks(visitor: &mut impl SampleVisitor) {
    let webhook_id = webhook_id();
    visitor.visit(CreateWebhook {
        url: "https://hooks.example.org/svc".into(),
        events: Some(vec![WebhookKind::Mention, WebhookKind::Escrow]),
        description: Some("tells the pager".into()),
    });
    visitor.visit(ListWebhooks { limit: Some(limit()), cursor: None });
    visitor.visit(GetWebhook { webhook_id: webhook_id.clone() });
    visitor.visit(UpdateWebhook {
        webhook_id: webhook_id.clone(),
        url: Some("https://hooks.example.org/other".into()),
        events: Some(vec![WebhookKind::Reply]),
        description: Some("".into()),
    });
    visitor.visit(DeleteWebhook { webhook_id: webhook_id.clone() });
    visitor.visit(EnableWebhook { webhook_id: webhook_id.clone() });
    visitor.visit(DisableWebhook { webhook_id: webhook_id.clone() });
    visitor.visit(RotateWebhookSecret {
        webhook_id: webhook_id.clone(),
        overlap_seconds: Some(3600.into()),
    });
    visitor.visit(PromoteWebhookSecret { webhook_id: webhook_id.clone() });
    visitor.visit(TestWebhook { webhook_id, event: Some(WebhookKind::Like) });
}

fn deliveries(visitor: &mut impl SampleVisitor) {
    let (webhook_id, delivery_id) = (webhook_id(), delivery_id());
    visitor.visit(ListWebhookDeliveries {
        webhook_id: webhook_id.clone(),
        state: Some(DeliveryState::Failed),
        event: Some(WebhookKind::DirectMessage),
        since: Some(instant(1)),
        until: Some(instant(2)),
        limit: Some(limit()),
        cursor: None,
    });
    visitor.visit(GetWebhookDelivery {
        webhook_id: webhook_id.clone(),
        delivery_id: delivery_id.clone(),
    });
    visitor.visit(RedeliverWebhook { webhook_id: webhook_id.clone(), delivery_id });
    visitor.visit(RecoverWebhook {
        webhook_id: webhook_id.clone(),
        since: instant(3),
        until: Some(instant(4)),
        states: Some(vec![RecoverableState::Cancelled]),
        dry_run: Some(true),
    });
    let recovery_id = RecoveryId::from_number(0x3240_0000_0000_0023);
    visitor.visit(GetWebhookRecovery { webhook_id: webhook_id.clone(), recovery_id });
    visitor.visit(GetWebhookStats { webhook_id });
}
