//! What operators watch: figures of the whole platform, and the lists of what they count.

use svc_core::app::Ctx;
use svc_core::identity::Account;
use svc_core::page::Page;
use svc_core::services::overview::{self, Steps};
use svc_store::error::Result;
use svc_types::Timestamp;
use svc_types::api::operate::{
    EndedOrderPage, FailedDeliveryPage, GetOverview, ListEndedOrders, ListFailedDeliveries,
    ListOpenEscrows, ListQueue, OpenEscrowPage, OrderOutcome, Overview, OverviewEnvelope,
    OverviewStep, OverviewWindow, QueuePage,
};

use crate::http::Routes;

/// The endpoints of this feature.
pub fn routes() -> Routes {
    Routes::new().read(show).read(failed_deliveries).read(orders).read(escrows).read(queue)
}

fn show(ctx: &mut Ctx<'_, '_>, _: &Account, request: &GetOverview) -> Result<OverviewEnvelope> {
    let window = request.window.clone().unwrap_or(OverviewWindow::Week);
    let steps = Steps::of(ctx, &window);
    let found = overview::steps(ctx, steps.length_ms, steps.begin())?;
    let series: Vec<OverviewStep> = (0..steps.count)
        .map(|step| {
            let start = steps.first + step * steps.length_ms;
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
        deliveries_failed: overview::deliveries_failed(ctx, steps.begin())?,
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
    let from = request.window.as_ref().map(|window| Steps::of(ctx, window).begin());
    let mut deliveries = overview::failed_deliveries(ctx, from, &page)?;
    let next_cursor = page.cut(&mut deliveries, |delivery| vec![delivery.id.to_string()]);
    Ok(FailedDeliveryPage { deliveries, next_cursor })
}

fn orders(ctx: &mut Ctx<'_, '_>, _: &Account, request: &ListEndedOrders) -> Result<EndedOrderPage> {
    let page = Page::of(request, request.limit, request.cursor.as_ref(), 2)?;
    let outcome = request.outcome.as_ref().unwrap_or(&OrderOutcome::Completed);
    let window = request.window.as_ref().unwrap_or(&OverviewWindow::Week);
    let from = Steps::of(ctx, window).begin();
    let mut orders = overview::ended_orders(ctx, outcome, from, &page)?;
    let next_cursor = page.cut(&mut orders, overview::key_of_ended);
    Ok(EndedOrderPage { orders, next_cursor })
}

fn escrows(
    ctx: &mut Ctx<'_, '_>,
    _: &Account,
    request: &ListOpenEscrows,
) -> Result<OpenEscrowPage> {
    let page = Page::of(request, request.limit, request.cursor.as_ref(), 1)?;
    let mut escrows = overview::open_escrows(ctx, &page)?;
    let next_cursor = page.cut(&mut escrows, |escrow| vec![escrow.id.to_string()]);
    Ok(OpenEscrowPage { escrows, next_cursor })
}

fn queue(ctx: &mut Ctx<'_, '_>, _: &Account, request: &ListQueue) -> Result<QueuePage> {
    let keys = overview::keys(&request.queue);
    let page = Page::of(request, request.limit, request.cursor.as_ref(), keys)?;
    let mut entries = overview::waiting(ctx, &request.queue, &page)?;
    let next_cursor = page.cut(&mut entries, overview::key_of_entry);
    Ok(QueuePage { entries, next_cursor })
}
