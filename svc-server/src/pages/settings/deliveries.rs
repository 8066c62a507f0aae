//! Deliveries of a webhook, with each attempt.

use askama::Template;
use svc_store::error::Result;
use svc_types::api::webhooks::{
    Delivery, DeliveryAttempt, DeliveryEnvelope, DeliveryErrorClass, GetWebhook,
    GetWebhookDelivery, RedeliverWebhook, Webhook,
};

use crate::http::{Done, Html, PageContext, PageRequest, Pages};
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

fn show(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let asked: GetWebhookDelivery = request.decode()?;
    let webhook = context.ask(&GetWebhook { webhook_id: asked.webhook_id.clone() })?.webhook;
    let mut delivery = context.ask(&asked)?.delivery;
    Html::of(&Page {
        frame: Frame::of(context, request, "Delivery")?,
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

/// Why an attempt failed, in words.
pub(super) fn reason(class: &DeliveryErrorClass) -> &str {
    match class {
        DeliveryErrorClass::Dns => "the name was not found",
        DeliveryErrorClass::BlockedAddress => "the address is not public",
        DeliveryErrorClass::ConnectRefused => "nobody listens there",
        DeliveryErrorClass::ConnectTimeout => "nobody took the call in time",
        DeliveryErrorClass::Tls => "the connection could not be secured",
        DeliveryErrorClass::Timeout => "no answer came in time",
        DeliveryErrorClass::Reset => "the connection broke off",
        DeliveryErrorClass::Protocol => "the answer was no HTTP",
        DeliveryErrorClass::HttpStatus => "the answer was no success",
        DeliveryErrorClass::Lost => "the server stopped meanwhile",
        other => other.as_str(),
    }
}
