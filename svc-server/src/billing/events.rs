//! Events that no webhook brought, and what events name.

use std::sync::Arc;

use svc_core::app::Ctx;
use svc_core::services::billing::payout::destination;
use svc_core::services::billing::queue::{self, Kind};
use svc_core::services::billing::subscription::begin;
use svc_core::services::billing::{payment, state};
use svc_store::error::Result;
use svc_types::Timestamp;

use super::Billing;
use crate::app::ServerApp;
use crate::stripe::{After, Event};

/// The events that name something of interest; Stripe takes at most 20 types.
const TYPES: [&str; 20] = [
    "checkout.session.completed",
    "checkout.session.expired",
    "checkout.session.async_payment_succeeded",
    "checkout.session.async_payment_failed",
    "charge.succeeded",
    "charge.updated",
    "charge.refunded",
    "refund.created",
    "refund.updated",
    "refund.failed",
    "charge.dispute.created",
    "charge.dispute.updated",
    "charge.dispute.closed",
    "charge.dispute.funds_withdrawn",
    "charge.dispute.funds_reinstated",
    "customer.subscription.updated",
    "customer.subscription.deleted",
    "invoice.paid",
    "transfer.reversed",
    "account.updated",
];

/// Longest id of an object.
const ID_MAX: usize = 255;

/// Most pages of a hundred events that are read at once.
const PAGES_MAX: usize = 1_000;

/// Most open payments whose pages are checked in a round.
const OPEN_MAX: i64 = 1_000;

/// The object that an event names; none if it is of no interest.
fn named(event: &Event) -> Option<(Kind, &str)> {
    let is_id = |id: &&str| {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        (1..=ID_MAX).contains(&id.len()) && id.bytes().all(is_plain)
    };
    let id = event.data.object.id.as_deref().filter(is_id)?;
    Some((kind_of(&event.r#type)?, id))
}

fn kind_of(r#type: &str) -> Option<Kind> {
    match r#type {
        other if !TYPES.contains(&other) => None,
        other if other.starts_with("checkout.") => Some(Kind::Session),
        other if other.starts_with("refund.") => Some(Kind::Refund),
        other if other.starts_with("charge.dispute.") => Some(Kind::Dispute),
        other if other.starts_with("customer.subscription.") => Some(Kind::Subscription),
        other if other.starts_with("invoice.") => Some(Kind::Invoice),
        other if other.starts_with("transfer.") => Some(Kind::Transfer),
        other if other.starts_with("account.") => Some(Kind::Account),
        _ => Some(Kind::Charge),
    }
}

/// Puts what an event names into the queue.
pub(crate) fn raise(ctx: &mut Ctx<'_, '_>, event: &Event) -> Result<()> {
    match named(event) {
        Some((kind, id)) => queue::raise(ctx, kind, id),
        None => Ok(()),
    }
}

/// Reads the events since the last poll, and checks all open pages. A failure is logged, and the next
/// poll begins at the same time.
pub(super) async fn poll(app: &Arc<ServerApp>, billing: &Billing) -> Result<()> {
    let begun = app.clock.now();
    let Some(since) = app.write(state::begin_poll).await? else { return Ok(()) };
    if !read(app, billing, since).await? {
        return Ok(());
    }
    app.write(move |ctx| {
        payment::raise_open(ctx, OPEN_MAX)?;
        begin::raise_open(ctx, OPEN_MAX)?;
        destination::raise_waiting(ctx, OPEN_MAX)?;
        state::end_poll(ctx, begun)
    })
    .await
}

/// Queues what events since then name; returns whether all could be read.
async fn read(app: &Arc<ServerApp>, billing: &Billing, since: Timestamp) -> Result<bool> {
    let mut last: Option<String> = None;
    for _ in 0..PAGES_MAX {
        let after = After { since, id: last.as_deref() };
        let page = match billing.stripe.events(&TYPES, after).await {
            Ok(page) => page,
            Err(error) => {
                tracing::warn!(%error, "events of Stripe could not be read");
                return Ok(false);
            }
        };
        last = page.data.last().map(|event| event.id.clone());
        let has_more = page.has_more;
        app.write(move |ctx| page.data.iter().try_for_each(|event| raise(ctx, event))).await?;
        if !has_more {
            return Ok(true);
        }
    }
    tracing::error!("Stripe has too many events: run svc-server reconcile --fix");
    Ok(true)
}
