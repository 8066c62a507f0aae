//! What operators watch: figures of the whole platform, and deliveries that were given up.

use svc_core::app::Ctx;
use svc_core::identity::Account;
use svc_core::page::Page;
use svc_core::services::overview;
use svc_core::services::sale::{DAY_MS, HOUR_MS};
use svc_store::error::Result;
use svc_types::Timestamp;
use svc_types::api::operate::{
    FailedDeliveryPage, GetOverview, ListFailedDeliveries, Overview, OverviewEnvelope,
    OverviewStep, OverviewWindow,
};

use crate::http::Routes;

/// The endpoints of this feature.
pub fn routes() -> Routes {
    Routes::new().read(show).read(failed_deliveries)
}

fn show(ctx: &mut Ctx<'_, '_>, _: &Account, request: &GetOverview) -> Result<OverviewEnvelope> {
    let window = request.window.clone().unwrap_or(OverviewWindow::Week);
    let (step_ms, steps) = match window {
        OverviewWindow::Day => (HOUR_MS, 24),
        _ => (DAY_MS, 7),
    };
    let first = (ctx.now().as_millis() / step_ms - steps + 1) * step_ms;
    let from = Timestamp::from_millis(first);
    let found = overview::steps(ctx, step_ms, from)?;
    let series: Vec<OverviewStep> = (0..steps)
        .map(|step| {
            let start = first + step * step_ms;
            let step = found.get(&start).copied().unwrap_or_default();
            OverviewStep {
                start: Timestamp::from_millis(start),
                signups: step.signups,
                orders_done: step.completed,
                orders_failed: step.failed,
            }
        })
        .collect();
    let sum = |value: fn(&OverviewStep) -> i64| series.iter().map(value).sum();
    let (escrows_open, escrows_hold) = overview::escrows(ctx)?;
    let (disputes_open, oldest_dispute_at) = overview::disputes(ctx)?;
    let overview = Overview {
        window,
        signups: sum(|step| step.signups),
        signups_waiting: overview::signups_waiting(ctx)?,
        orders_done: sum(|step| step.orders_done),
        orders_failed: sum(|step| step.orders_failed),
        escrows_open,
        escrows_hold,
        disputes_open,
        oldest_dispute_at,
        deliveries_failed: overview::deliveries_failed(ctx, from)?,
        queues: overview::queues(ctx)?,
        series,
    };
    Ok(OverviewEnvelope { overview })
}

fn failed_deliveries(
    ctx: &mut Ctx<'_, '_>,
    _: &Account,
    request: &ListFailedDeliveries,
) -> Result<FailedDeliveryPage> {
    let page = Page::of(request, request.limit, request.cursor.as_ref(), 1)?;
    let mut deliveries = overview::failed_deliveries(ctx, &page)?;
    let next_cursor = page.cut(&mut deliveries, |delivery| vec![delivery.id.to_string()]);
    Ok(FailedDeliveryPage { deliveries, next_cursor })
}
