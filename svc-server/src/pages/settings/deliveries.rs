//! Deliveries of a webhook, with each attempt.

use std::fmt::Display;

use askama::Template;
use svc_store::error::Result;
use svc_types::api::webhooks::{
    Delivery, DeliveryAttempt, DeliveryEnvelope, DeliveryErrorClass, DeliveryOutcome,
    DeliveryTrigger, GetWebhook, GetWebhookDelivery, RedeliverWebhook, Webhook,
};

use crate::http::{Done, Html, PageContext, PageRequest, Pages};
use crate::language::Language;
use crate::pages::{Flash, Frame};

/// The pages of this module.
pub(super) fn pages() -> Pages {
    Pages::new()
        .get("/settings/webhooks/{webhookId}/deliveries/{deliveryId}", show)
        .button::<RedeliverWebhook>(
            "/settings/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver",
            redelivered,
        )
}

fn redelivered(request: &PageRequest, answer: &DeliveryEnvelope) -> Done {
    let webhook = request.field("webhookId").unwrap_or_default();
    let delivery = &answer.delivery.id;
    Done::to(format!("/settings/webhooks/{webhook}/deliveries/{delivery}")).say(Flash::Redelivered)
}

#[derive(Template)]
#[template(path = "settings/delivery.html")]
struct Page {
    frame: Frame,
    tab: &'static str,
    webhook: Webhook,
    delivery: Delivery,
    attempts: Vec<DeliveryAttempt>,
    body: String,
}

impl Page {
    /// How an attempt ended, in words.
    fn outcome(&self, outcome: &DeliveryOutcome) -> String {
        self.frame.language.text(&format!("settings-delivery-outcome-{outcome}"))
    }
}

fn show(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let asked: GetWebhookDelivery = request.decode()?;
    let webhook = context.ask(&GetWebhook { webhook_id: asked.webhook_id.clone() })?.webhook;
    let mut delivery = context.ask(&asked)?.delivery;
    Html::of(&Page {
        frame: Frame::of(context, request, request.t("settings-delivery-title"))?,
        tab: "/settings/webhooks",
        attempts: delivery.attempts.take().unwrap_or_default(),
        body: delivery.body.take().map(readable).unwrap_or_default(),
        webhook,
        delivery,
    })
}

/// Indented JSON; any other text unchanged.
fn readable(body: String) -> String {
    let json: Result<serde_json::Value, _> = serde_json::from_str(&body);
    json.ok().and_then(|json| serde_json::to_string_pretty(&json).ok()).unwrap_or(body)
}

/// The state of a delivery, in words.
pub(super) fn state(language: Language, state: impl Display) -> String {
    language.text(&format!("settings-delivery-state-{state}"))
}

/// What made a delivery, in words.
pub(super) fn trigger(language: Language, trigger: &DeliveryTrigger) -> String {
    language.text(&format!("settings-delivery-trigger-{trigger}"))
}

/// The id of a text about why an attempt failed; an unknown class itself.
pub(in crate::pages) fn reason(class: &DeliveryErrorClass) -> &str {
    match class {
        DeliveryErrorClass::Dns => "settings-delivery-dns",
        DeliveryErrorClass::BlockedAddress => "settings-delivery-blocked",
        DeliveryErrorClass::ConnectRefused => "settings-delivery-refused",
        DeliveryErrorClass::ConnectTimeout => "settings-delivery-no-connection",
        DeliveryErrorClass::Tls => "settings-delivery-tls",
        DeliveryErrorClass::Timeout => "settings-delivery-timeout",
        DeliveryErrorClass::Reset => "settings-delivery-reset",
        DeliveryErrorClass::Protocol => "settings-delivery-protocol",
        DeliveryErrorClass::HttpStatus => "settings-delivery-status",
        DeliveryErrorClass::Lost => "settings-delivery-stopped",
        other => other.as_str(),
    }
}
