//! Webhooks and deliveries as people read them.

use svc_client::types::api::webhooks::{
    Delivery, DeliveryAttempt, DeliveryStats, Recovery, Webhook, WebhookKind, WebhookSecretInfo,
    WebhookStats,
};

use crate::output::{counted, one_line};
use crate::time;

/// A webhook on one line.
pub(super) fn webhook(webhook: &Webhook) -> String {
    let reason = webhook.disabled_reason.as_ref().map(|reason| format!(" ({reason})"));
    let waiting = match webhook.pending_count {
        0 => String::new(),
        count => format!("  {count} waiting"),
    };
    let (status, reason) = (&webhook.status, reason.unwrap_or_default());
    format!("{}  {status}{reason}  {}{waiting}", webhook.id, one_line(&webhook.url))
}

/// A webhook with all that is known of it.
pub(super) fn whole(hook: &Webhook) -> String {
    let kinds: Vec<&str> = hook.events.iter().map(WebhookKind::as_str).collect();
    let mut lines = vec![webhook(hook), format!("events  {}", kinds.join(", "))];
    if let Some(description) = &hook.description {
        lines.push(format!("for  {}", one_line(description)));
    }
    lines.extend(hook.secrets.iter().map(secret));
    if let Some(at) = hook.last_success_at {
        lines.push(format!("worked  {}", time::minute(at)));
    }
    if let Some(error) = &hook.last_error {
        let status = error.http_status.map(|status| format!(" {status}")).unwrap_or_default();
        lines.push(format!("failed  {}  {}{status}", time::minute(error.at), error.class));
    }
    if let Some(breaker) = &hook.breaker {
        lines.push(format!("paused until  {}", time::minute(breaker.until)));
    }
    lines.join("\n")
}

fn secret(secret: &WebhookSecretInfo) -> String {
    let end = secret.expires_at.map(|end| format!("  until {}", time::minute(end)));
    let made = time::minute(secret.created_at);
    format!("secret  {}  {}  of {made}{}", secret.id, secret.role, end.unwrap_or_default())
}

/// A delivery on one line.
pub(super) fn delivery(delivery: &Delivery) -> String {
    let Delivery { id, event, state, trigger, attempts_count, .. } = delivery;
    let made = time::minute(delivery.created_at);
    let next = delivery.next_attempt_at.map(|at| format!("  next {}", time::minute(at)));
    let next = next.unwrap_or_default();
    let attempts = counted((*attempts_count).into(), "attempt");
    format!("{id}  {made}  {event}  {state}  {attempts}  by {trigger}{next}")
}

/// A delivery with its body and its attempts.
pub(super) fn whole_delivery(whole: &Delivery) -> String {
    let attempts = whole.attempts.iter().flatten().map(attempt);
    let body = whole.body.as_deref().map(one_line);
    let lines = [delivery(whole)].into_iter().chain(attempts).chain(body);
    lines.collect::<Vec<_>>().join("\n")
}

fn attempt(attempt: &DeliveryAttempt) -> String {
    let DeliveryAttempt { n, outcome, duration_ms, .. } = attempt;
    let status = attempt.http_status.map(|status| format!("  {status}")).unwrap_or_default();
    let class = attempt.error_class.as_ref().map(|class| format!("  {class}")).unwrap_or_default();
    let began = time::minute(attempt.started_at);
    format!("  {n}  {began}  {outcome}{status}{class}  {duration_ms} ms")
}

/// A recovery on one line.
pub(super) fn recovery(recovery: &Recovery) -> String {
    let Recovery { id, matched, queued, status, .. } = recovery;
    format!("{id}  {status}  {queued} of {matched} events queued")
}

/// How deliveries fare, a line for each window.
pub(super) fn stats(stats: &WebhookStats) -> String {
    format!("24h  {}\n7d   {}", window(&stats.day), window(&stats.week))
}

fn window(figures: &DeliveryStats) -> String {
    let counts = figures.by_state.iter();
    let mut parts: Vec<String> = counts.map(|(state, count)| format!("{count} {state}")).collect();
    if parts.is_empty() {
        return "no deliveries".to_owned();
    }
    if let Some(rate) = figures.success_rate {
        parts.push(format!("{:.1} % arrived", rate * 100.0));
    }
    if let (Some(half), Some(most)) = (figures.p50_ms, figures.p95_ms) {
        parts.push(format!("half within {half} ms, 95 % within {most} ms"));
    }
    parts.join("  ")
}
