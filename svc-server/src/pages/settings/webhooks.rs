//! Webhooks: creation, settings, tests, secrets, deletion.

use askama::Template;
use svc_core::services::webhook::member;
use svc_store::error::Result;
use svc_types::api::Deleted;
use svc_types::api::webhooks::{
    CreateWebhook, DeleteWebhook, Delivery, DeliveryEnvelope, DisableWebhook, DisabledReason,
    EnableWebhook, GetWebhook, GetWebhookStats, ListWebhookDeliveries, ListWebhooks,
    PromoteWebhookSecret, RotateWebhookSecret, SecretRole, TestWebhook, UpdateWebhook, Webhook,
    WebhookKind, WebhookSecretRotated, WebhookStats, WebhookStatus, WebhookWithSecret,
};

use super::key::Secret;
use crate::http::{Done, Form, Html, PageContext, PageRequest, Pages, unchanged};
use crate::pages::{Flash, Frame};

/// Kinds of events to choose from, with the ids of their labels.
pub(super) const KINDS: [(WebhookKind, &str); 10] = [
    (WebhookKind::Follow, "settings-event-follow"),
    (WebhookKind::Like, "settings-event-like"),
    (WebhookKind::Repost, "settings-event-repost"),
    (WebhookKind::Reply, "settings-event-reply"),
    (WebhookKind::Mention, "settings-event-mention"),
    (WebhookKind::DirectMessage, "settings-event-message"),
    (WebhookKind::Escrow, "settings-event-escrow"),
    (WebhookKind::Service, "settings-event-service"),
    (WebhookKind::Order, "settings-event-order"),
    (WebhookKind::Billing, "settings-event-billing"),
];

/// The kinds that this server has: the last one only where money is paid.
fn kinds(context: &PageContext<'_>) -> &'static [(WebhookKind, &'static str)] {
    let without = KINDS.len() - 1;
    if context.app().config.sells_credits() { &KINDS } else { &KINDS[..without] }
}

/// Overlaps of two secrets to choose from: seconds and the id of the label.
const OVERLAPS: [(&str, &str); 4] = [
    ("86400", "settings-webhook-overlap-day"),
    ("3600", "settings-webhook-overlap-hour"),
    ("604800", "settings-webhook-overlap-week"),
    ("0", "settings-webhook-overlap-none"),
];

/// States to filter deliveries by, with the ids of their labels.
const FILTERS: [(&str, &str); 6] = [
    ("", "settings-webhook-all"),
    ("delivered", "settings-delivery-state-delivered"),
    ("failed", "settings-delivery-state-failed"),
    ("pending", "settings-delivery-state-pending"),
    ("held", "settings-delivery-state-held"),
    ("cancelled", "settings-delivery-state-cancelled"),
];

/// The id of the status of a webhook, with the reason why it is disabled.
const fn status(webhook: &Webhook) -> &'static str {
    match (&webhook.status, &webhook.disabled_reason) {
        (WebhookStatus::Active, _) => "settings-webhook-active",
        (_, Some(DisabledReason::Manual)) => "settings-webhook-disabled-by-you",
        (_, Some(DisabledReason::Failing)) => "settings-webhook-disabled-failing",
        (_, Some(DisabledReason::Gone)) => "settings-webhook-disabled-gone",
        (_, Some(DisabledReason::TierLimit)) => "settings-webhook-disabled-tier",
        _ => "settings-webhook-disabled",
    }
}

/// The id of a text about when a secret ends.
const fn ends(role: &SecretRole) -> &'static str {
    match role {
        SecretRole::Current => "settings-webhook-secret-current",
        SecretRole::Next => "settings-webhook-secret-next",
        _ => "settings-webhook-secret-previous",
    }
}

/// The pages of this module.
pub(super) fn pages() -> Pages {
    let one = "/settings/webhooks/{webhookId}";
    Pages::new()
        .get("/settings/webhooks", list)
        .form_once::<CreateWebhook>("/settings/webhooks", list, made)
        .get(one, show)
        .form_by::<UpdateWebhook>(one, show, changed, |request, _| at(request).say(Flash::Saved))
        .with_members_of::<UpdateWebhook>()
        .form::<TestWebhook>("/settings/webhooks/{webhookId}/test", show, tested)
        .form_once::<RotateWebhookSecret>("/settings/webhooks/{webhookId}/rotate", show, rotated)
        .button::<PromoteWebhookSecret>("/settings/webhooks/{webhookId}/promote", |request, _| {
            at(request).say(Flash::SecretPromoted)
        })
        .button::<EnableWebhook>("/settings/webhooks/{webhookId}/enable", |request, _| {
            at(request).say(Flash::WebhookEnabled)
        })
        .button::<DisableWebhook>("/settings/webhooks/{webhookId}/disable", |request, _| {
            at(request).say(Flash::WebhookDisabled)
        })
        .get("/settings/webhooks/{webhookId}/delete", ask_delete)
        .form::<DeleteWebhook>("/settings/webhooks/{webhookId}/delete", ask_delete, deleted)
}

/// Redirects back to the webhook.
fn at(request: &PageRequest) -> Done {
    Done::to(format!("/settings/webhooks/{}", request.field("webhookId").unwrap_or_default()))
}

/// The text of such a member.
const fn ticked(is_ticked: bool) -> &'static str {
    if is_ticked { "true" } else { "false" }
}

/// What the person changed. A kind that is left as the form showed it stays as it is at that moment.
fn changed(context: &mut PageContext<'_>, request: &PageRequest) -> Result<UpdateWebhook> {
    context.signed_in()?;
    let asked: UpdateWebhook = request.decode()?;
    if request.field(unchanged::FIELD).is_none() {
        return Ok(asked);
    }
    let typed = asked.events.unwrap_or_default();
    let members = kinds(context).iter().map(|(kind, _)| (member(kind), typed.contains(kind)));
    let changed = members.filter(|(name, is_ticked)| !request.showed(name, ticked(*is_ticked)));
    context.change_only(changed.map(|(name, _)| name).collect());
    // The endpoint refuses an empty list, but kinds that this form does not change may remain.
    Ok(UpdateWebhook { events: Some(typed).filter(|typed| !typed.is_empty()), ..asked })
}

fn deleted(_: &PageRequest, _: &Deleted) -> Done {
    Done::to("/settings/webhooks").say(Flash::WebhookDeleted)
}

fn tested(request: &PageRequest, answer: &DeliveryEnvelope) -> Done {
    let webhook = request.field("webhookId").unwrap_or_default();
    let delivery = &answer.delivery.id;
    Done::to(format!("/settings/webhooks/{webhook}/deliveries/{delivery}")).say(Flash::Tested)
}

#[derive(Template)]
#[template(path = "settings/webhooks.html")]
struct List<'a> {
    frame: Frame,
    tab: &'static str,
    form: Form<'a>,
    webhooks: Vec<Webhook>,
    next: Option<String>,
    kinds: &'static [(WebhookKind, &'static str)],
    /// Seconds for which deliveries are listed.
    kept: u64,
}

impl List<'_> {
    /// Whether a kind is checked: as submitted, or by default if it is of orders.
    fn is_ticked(&self, kind: &WebhookKind) -> bool {
        if self.form.is_typed() {
            self.form.chose("events", kind.as_str())
        } else {
            matches!(kind, WebhookKind::Escrow | WebhookKind::Service | WebhookKind::Order)
        }
    }
}

fn list(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let cursor = request.field("cursor").map(Into::into);
    let page = context.ask(&ListWebhooks { cursor, limit: None })?;
    Html::of(&List {
        frame: Frame::of(context, request, request.t("settings-tab-webhooks"))?,
        tab: "/settings/webhooks",
        form: request.form::<CreateWebhook>(),
        next: request.next(page.next_cursor.as_ref()),
        webhooks: page.webhooks,
        kinds: kinds(context),
        kept: context.app().config.retention.deliveries.as_secs(),
    })
}

fn made(
    context: &mut PageContext<'_>,
    request: &PageRequest,
    made: &WebhookWithSecret,
) -> Result<Html> {
    secret(context, request, &made.webhook, made.secret.expose(), "settings-webhook-secret-first")
}

fn rotated(
    context: &mut PageContext<'_>,
    request: &PageRequest,
    made: &WebhookSecretRotated,
) -> Result<Html> {
    secret(context, request, &made.webhook, made.secret.expose(), "settings-webhook-secret-new")
}

fn secret(
    context: &mut PageContext<'_>,
    request: &PageRequest,
    webhook: &Webhook,
    secret: &str,
    what: &'static str,
) -> Result<Html> {
    Html::of(&Secret {
        frame: Frame::of(context, request, request.t("settings-webhook-title"))?,
        what,
        value: secret,
        meaning: "settings-webhook-secret-about",
        command: String::new(),
        back: format!("/settings/webhooks/{}", webhook.id),
    })
}

#[derive(Template)]
#[template(path = "settings/webhook.html")]
struct Page<'a> {
    frame: Frame,
    tab: &'static str,
    webhook: Webhook,
    stats: WebhookStats,
    deliveries: Vec<Delivery>,
    next: Option<String>,
    /// The state to filter deliveries by; empty for all.
    state: &'a str,
    form: Form<'a>,
    test: Form<'a>,
    rotate: Form<'a>,
    kinds: &'static [(WebhookKind, &'static str)],
    overlaps: &'static [(&'static str, &'static str)],
    /// Seconds for which deliveries are listed.
    kept: u64,
}

impl Page<'_> {
    fn is_active(&self) -> bool {
        self.webhook.status == WebhookStatus::Active
    }

    /// What the form shows, for its field `shown`.
    fn shown(&self) -> String {
        let Webhook { url, description, events, .. } = &self.webhook;
        let mut members = vec![
            ("url".to_owned(), url.as_str()),
            ("description".to_owned(), description.as_deref().unwrap_or_default()),
        ];
        let kinds = self.kinds.iter();
        members.extend(kinds.map(|(kind, _)| (member(kind), ticked(events.contains(kind)))));
        self.form.shown(members.iter().map(|(name, text)| (name.as_str(), *text)))
    }

    /// Whether the former secret still signs, too.
    fn is_rotating(&self) -> bool {
        self.webhook.secrets.iter().any(|secret| secret.role == SecretRole::Next)
    }

    fn is_ticked(&self, kind: &WebhookKind) -> bool {
        if self.form.is_typed() {
            self.form.chose("events", kind.as_str())
        } else {
            self.webhook.events.contains(kind)
        }
    }
}

fn show(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let asked = GetWebhook { webhook_id: request.field("webhookId").unwrap_or_default().into() };
    let webhook = context.ask(&asked)?.webhook;
    let asked = ListWebhookDeliveries {
        webhook_id: webhook.id.clone(),
        state: request.field("state").map(Into::into),
        event: None,
        since: None,
        until: None,
        limit: None,
        cursor: request.field("cursor").map(Into::into),
    };
    let page = context.ask(&asked)?;
    let stats = context.ask(&GetWebhookStats { webhook_id: webhook.id.clone() })?.stats;
    Html::of(&Page {
        frame: Frame::of(context, request, request.t("settings-webhook-title"))?,
        tab: "/settings/webhooks",
        next: request.next(page.next_cursor.as_ref()),
        deliveries: page.deliveries,
        state: request.field("state").unwrap_or_default(),
        stats,
        webhook,
        form: request.form::<UpdateWebhook>(),
        test: request.form::<TestWebhook>(),
        rotate: request.form::<RotateWebhookSecret>(),
        kinds: kinds(context),
        overlaps: &OVERLAPS,
        kept: context.app().config.retention.deliveries.as_secs(),
    })
}

#[derive(Template)]
#[template(path = "settings/webhook_delete.html")]
struct Delete {
    frame: Frame,
    webhook: Webhook,
}

fn ask_delete(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let webhook = context.ask(&request.decode::<GetWebhook>()?)?.webhook;
    let frame = Frame::of(context, request, request.t("settings-webhook-delete-title"))?;
    Html::of(&Delete { frame, webhook })
}
