//! Receivers of webhooks: whether they are called, and whether they answer.

use svc_client::types::Timestamp;
use svc_client::types::api::webhooks::{BreakerState, ListWebhooks, Webhook, WebhookStatus};

use super::check::Check;
use crate::caller::Caller;
use crate::time;

const NAME: &str = "webhook";

/// Checks each webhook receiver of the account.
pub(super) async fn check_all(caller: &Caller, checks: &mut Vec<Check>) {
    let listed = ListWebhooks { limit: Some(100.into()), cursor: None };
    match caller.read(listed).await {
        Ok(listed) => checks.extend(listed.value.webhooks.iter().map(check)),
        Err(error) => checks.push(Check::failed(NAME, *error, "svc webhooks list")),
    }
}

fn check(webhook: &Webhook) -> Check {
    let Webhook { id, url, .. } = webhook;
    if webhook.status != WebhookStatus::Active {
        let reason = webhook.disabled_reason.as_ref().map(|reason| format!(" ({reason})"));
        let detail = format!("{url} is disabled{}", reason.unwrap_or_default());
        return Check::bad(NAME, detail, format!("svc webhooks enable {id}"));
    }
    let is_paused = webhook.breaker.as_ref().is_some_and(|pause| pause.state == BreakerState::Open);
    let failed = webhook.last_error.as_ref();
    let failed = failed.filter(|failed| webhook.last_success_at.is_none_or(|at| at < failed.at));
    match failed {
        Some(failed) => {
            let status = failed.http_status.map(|status| format!(" {status}"));
            let detail = format!(
                "{url} fails: {}{} at {}; {}{} wait",
                failed.class,
                status.unwrap_or_default(),
                time::minute(failed.at),
                if is_paused { "calls pause, " } else { "" },
                webhook.pending_count,
            );
            Check::bad(NAME, detail, format!("svc webhooks deliveries {id}"))
        }
        None => Check::good(NAME, format!("{url}, {}", delivered(webhook.last_success_at))),
    }
}

fn delivered(last: Option<Timestamp>) -> String {
    last.map_or("nothing delivered yet".to_owned(), |at| format!("last at {}", time::minute(at)))
}
