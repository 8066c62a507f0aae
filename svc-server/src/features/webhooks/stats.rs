//! Statistics on the deliveries of a webhook.

use std::collections::BTreeMap;
use std::time::Duration;

use svc_core::app::Ctx;
use svc_core::identity::Account;
use svc_core::ids;
use svc_core::services::webhook;
use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::api::webhooks::{
    DeliveryState, DeliveryStats, GetWebhookStats, WebhookStats, WebhookStatsEnvelope,
};
use svc_types::{DeliveryId, WebhookId};

/// How many of the newest deliveries in a window have their attempts read.
const TIMED_MAX: i64 = 1_000;

pub(super) fn read(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &GetWebhookStats,
) -> Result<WebhookStatsEnvelope> {
    let id = webhook::own(ctx, caller, &request.webhook_id)?.id;
    let day = window(ctx, &id, Duration::from_hours(24))?;
    let week = window(ctx, &id, Duration::from_hours(7 * 24))?;
    Ok(WebhookStatsEnvelope { stats: WebhookStats { day, week } })
}

fn window(ctx: &mut Ctx<'_, '_>, webhook: &WebhookId, window: Duration) -> Result<DeliveryStats> {
    let first: DeliveryId = ids::first_of(ctx.now().minus(window));
    let by_state = webhook::delivery::count_by_state(ctx, webhook, &first)?;
    let times: Vec<i64> = ctx.tx.all(
        sql!(
            "select t.duration_ms from (
                select id from webhook_delivery
                where webhook = $1 and id >= $2 and trigger_kind <> 'test'
                order by id desc limit $3
             ) as newest
             join webhook_attempt t on t.delivery = newest.id
             where t.outcome <> 'lost'
             order by t.duration_ms"
        ),
        values![webhook, first, TIMED_MAX],
    )?;
    Ok(DeliveryStats {
        success_rate: success_rate(&by_state),
        by_state,
        p50_ms: share(&times, 50),
        p95_ms: share(&times, 95),
    })
}

#[expect(clippy::cast_precision_loss, reason = "at most 10,000 are counted")]
fn success_rate(by_state: &BTreeMap<String, u64>) -> Option<f64> {
    let of = |state: DeliveryState| by_state.get(state.as_str()).copied().unwrap_or_default();
    let (delivered, failed) = (of(DeliveryState::Delivered), of(DeliveryState::Failed));
    let ended = delivered + failed;
    (ended > 0).then(|| delivered as f64 / ended as f64)
}

/// The nearest-rank percentile.
fn share(sorted: &[i64], percent: usize) -> Option<u64> {
    let rank = (sorted.len() * percent).div_ceil(100);
    sorted.get(rank.checked_sub(1)?).map(|time| time.unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentile_is_one_of_the_times() {
        let times: Vec<i64> = (1..=20).collect();
        assert_eq!((share(&times, 50), share(&times, 95)), (Some(10), Some(19)));
        assert_eq!((share(&[7], 50), share(&[7], 95)), (Some(7), Some(7)));
        assert_eq!(share(&[], 50), None);
    }
}
