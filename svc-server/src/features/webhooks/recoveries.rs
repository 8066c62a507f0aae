//! Recoveries: redelivery of failed deliveries in a time range.

use std::sync::Arc;

use svc_core::app::Ctx;
use svc_core::identity::Account;
use svc_core::services::webhook;
use svc_core::services::webhook::recover::{self, Scope};
use svc_store::error::{Error, Refusal, Result};
use svc_types::api::webhooks::{
    GetWebhookRecovery, RecoverWebhook, RecoverableState, RecoveryEnvelope,
};
use svc_types::{Code, Timestamp};

use crate::app::ServerApp;
use crate::http::Routes;
use crate::http::pipeline::Call;

/// Most concurrent recoveries of a webhook.
const RUNNING_MAX: i64 = 10;

/// Every state that can be recovered.
const STATES: [RecoverableState; 4] = [
    RecoverableState::Failed,
    RecoverableState::Cancelled,
    RecoverableState::Held,
    RecoverableState::Missing,
];

pub(super) fn routes() -> Routes {
    Routes::new().write_prepared(count, begin).read(read)
}

/// The requested range and states, resolved at the current time.
fn scope(request: &RecoverWebhook, now: Timestamp) -> Result<Scope> {
    let until = request.until.unwrap_or(now);
    if until < request.since {
        return Err(match request.until {
            Some(_) => Error::invalid("until", "until must not be before since"),
            None => Error::invalid("since", "since must not be in the future"),
        });
    }
    let states = match request.states.as_deref() {
        None => STATES.to_vec(),
        Some([]) => return Err(Error::invalid("states", "states must list at least one state")),
        Some(states) => STATES.into_iter().filter(|state| states.contains(state)).collect(),
    };
    Ok(Scope { since: request.since, until, states })
}

/// The number of matching deliveries, and their selection.
struct Counted {
    scope: Scope,
    matched: i64,
}

/// Counts matching deliveries in batches of read jobs: there may be a week of events.
async fn count(app: Arc<ServerApp>, ask: Arc<Call<RecoverWebhook>>) -> Result<Counted> {
    let scope = scope(&ask.request, app.clock.now())?;
    let (mut matched, mut after) = (0, Some(0));
    while let Some(from) = after {
        let (ask, scope) = (Arc::clone(&ask), scope.clone());
        let part = app.read(move |ctx| {
            let webhook = webhook::own(ctx, &ask.caller, &ask.request.webhook_id)?;
            recover::count(ctx, &webhook, &scope, from)
        });
        let part = part.await?;
        matched += part.matched;
        after = part.last;
    }
    Ok(Counted { scope, matched })
}

fn begin(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &RecoverWebhook,
    counted: &Counted,
) -> Result<RecoveryEnvelope> {
    let webhook = webhook::locked(ctx, caller, &request.webhook_id)?;
    let is_dry = request.dry_run.unwrap_or(false);
    if !is_dry && recover::count_running(ctx, &webhook.id)? >= RUNNING_MAX {
        let message = format!("{RUNNING_MAX} recoveries of this webhook go on already");
        return Err(Refusal::new(Code::LimitReached, message).hint("wait for one to end").into());
    }
    let id = recover::begin(ctx, &webhook, &counted.scope, counted.matched, is_dry)?;
    Ok(RecoveryEnvelope { recovery: recover::of(ctx, &webhook.id, &id)?.into_api() })
}

fn read(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &GetWebhookRecovery,
) -> Result<RecoveryEnvelope> {
    let webhook = webhook::own(ctx, caller, &request.webhook_id)?;
    let recovery = recover::of(ctx, &webhook.id, &request.recovery_id)?;
    Ok(RecoveryEnvelope { recovery: recovery.into_api() })
}
