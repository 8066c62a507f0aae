//! Subscriptions at Stripe: their pages and changes are made, and what they are now is applied.

use std::sync::Arc;

use svc_core::services::billing::queue::{self, Claim, Kind};
use svc_core::services::billing::subscription::change::{self, Action, Change};
use svc_core::services::billing::subscription::state::{self, Fact, State};
use svc_core::services::billing::subscription::{self, Record, begin};
use svc_types::SubscriptionId;
use svc_types::api::tiers::SubscriptionStatus;
use tokio::time::Instant;

use super::make::{earlier_session, is_final, is_first, is_late};
use super::worker::finish;
use super::{Billing, Problem, facts, in_time, wait_max};
use crate::app::ServerApp;
use crate::stripe::{self, CallError, CheckoutSession, NewSubscription, SubscriptionUpdate};

/// The page for customers, and where they come back to.
const SETTINGS: &str = "/settings/billing";

/// Makes the page of a subscription, after withdrawn ones of the same person were closed.
pub(super) async fn page(
    app: &Arc<ServerApp>,
    billing: &Billing,
    claim: &Claim,
) -> Result<(), Problem> {
    let id = SubscriptionId::from(claim.id.as_str());
    let asked = id.clone();
    let read = app.read(move |ctx| {
        let record = subscription::find(ctx, &asked)?;
        let withdrawn = begin::withdrawn_pages(ctx, &record)?;
        let customer = subscription::customer(ctx, &record.account)?;
        Ok((record, withdrawn, customer))
    });
    let (record, withdrawn, customer) = read.await?;
    for session in &withdrawn {
        if !is_closed(app, billing, session).await? {
            let session = session.clone();
            return finish(app, claim, move |ctx| {
                // It was paid: that subscription counts, and this one is not needed.
                queue::raise(ctx, Kind::Session, &session)?;
                begin::give_up(ctx, &id)
            })
            .await;
        }
    }
    if record.status != SubscriptionStatus::Creating {
        return finish(app, claim, |_| Ok(())).await;
    }
    let made = if is_first(claim, record.created_at, app.clock.now()) {
        None
    } else {
        earlier_session(billing, record.created_at, record.id.as_str()).await?
    };
    let made = match made {
        Some(session) => Ok(session),
        None => new_page(app, billing, &record, customer.as_deref()).await,
    };
    match made {
        Ok(session) => finish_page(app, claim, id, &session).await,
        Err(error) if is_final(&error) => {
            tracing::error!(%error, subscription = claim.id, "Stripe refuses to make a page");
            finish(app, claim, move |ctx| begin::give_up(ctx, &id)).await
        }
        Err(error) => Err(error.into()),
    }
}

/// Makes a page. If the operator has deleted the customer at Stripe, it is for another one.
async fn new_page(
    app: &ServerApp,
    billing: &Billing,
    record: &Record,
    customer: Option<&str>,
) -> Result<CheckoutSession, CallError> {
    let key = record.id.as_str();
    match new_page_for(app, billing, record, customer, key).await {
        Err(error) if error.lacks("customer") => {
            // Stripe keeps the refusal under the first key.
            let key = format!("{key}-again");
            new_page_for(app, billing, record, None, &key).await
        }
        made => made,
    }
}

async fn new_page_for(
    app: &ServerApp,
    billing: &Billing,
    record: &Record,
    customer: Option<&str>,
    key: &str,
) -> Result<CheckoutSession, CallError> {
    let (base, id) = (&app.public_url, &record.id);
    let new = NewSubscription {
        subscription: id.as_str(),
        key,
        server: &billing.server,
        customer,
        product: "Pro",
        currency: &record.currency,
        amount: record.amount,
        quantity: record.seats_wanted(),
        has_tax: app.config.billing.tax,
        success_url: &format!("{base}/billing/return?subscription={id}"),
        cancel_url: &format!("{base}{SETTINGS}"),
        expires_at: record.expires_at,
    };
    billing.stripe.create_subscription_checkout(&new).await
}

/// Closes a page; false if it was paid before.
pub(super) async fn is_closed(
    app: &ServerApp,
    billing: &Billing,
    session: &str,
) -> Result<bool, Problem> {
    let is = |found: &CheckoutSession, status: &str| found.status.as_deref() == Some(status);
    let found = billing.stripe.checkout(session).await?;
    if !is(&found, "open") {
        return Ok(is(&found, "expired"));
    }
    let key = format!("{session}-close-{}", app.clock.now().as_millis());
    match billing.stripe.expire_checkout(session, &key).await {
        // It was paid, or closed by another node, between the two calls.
        Err(CallError::Refused(_)) => Ok(is(&billing.stripe.checkout(session).await?, "expired")),
        closed => Ok(closed.map(|_| true)?),
    }
}

/// Applies the page of a subscription.
pub(super) async fn finish_page(
    app: &Arc<ServerApp>,
    claim: &Claim,
    id: SubscriptionId,
    session: &CheckoutSession,
) -> Result<(), Problem> {
    let (fact, made) = (facts::session(session), session.subscription.clone());
    finish(app, claim, move |ctx| begin::apply_page(ctx, &id, &fact, made.as_deref())).await
}

/// Makes a change of a subscription.
pub(super) async fn change(
    app: &Arc<ServerApp>,
    billing: &Billing,
    claim: &Claim,
) -> Result<(), Problem> {
    let asked = claim.id.clone();
    let read = app.read(move |ctx| {
        let Some(change) = change::by_id(ctx, &asked)? else { return Ok(None) };
        let record = subscription::find(ctx, &change.subscription)?;
        Ok(Some((change, record)))
    });
    let found = read.await?.filter(|(change, _)| change.is_asked());
    let Some((change, record)) = found else { return finish(app, claim, |_| Ok(())).await };
    let known = record.provider_id.as_deref().unwrap_or_default();
    let id = claim.id.clone();
    let is_late = is_late(change.created_at, app.clock.now());
    if is_late || claim.tries > 0 {
        let now = billing.stripe.subscription(known).await?;
        if is_made(&change, &now) {
            return finish_change(app, billing, claim, &now).await;
        }
        // A day later nobody waits for the charge any more.
        if is_late && change.action == Action::Seats {
            return finish(app, claim, move |ctx| change::declined(ctx, &id)).await;
        }
    }
    match make(billing, &change, &record, known).await {
        Ok(made) => finish_change(app, billing, claim, &made).await,
        Err(error) if is_final(&error) => {
            tracing::warn!(%error, change = claim.id, "Stripe refuses to change a subscription");
            finish(app, claim, move |ctx| {
                change::declined(ctx, &id)?;
                // It may have ended there, which is why it can't be changed.
                record
                    .provider_id
                    .iter()
                    .try_for_each(|known| queue::raise(ctx, Kind::Subscription, known))
            })
            .await
        }
        Err(error) => Err(error.into()),
    }
}

async fn make(
    billing: &Billing,
    change: &Change,
    record: &Record,
    known: &str,
) -> Result<stripe::Subscription, CallError> {
    let quantity = change.quantity();
    let are_more = i64::try_from(quantity).is_ok_and(|wanted| wanted > record.quantity);
    let item = record.item.as_deref().unwrap_or_default();
    let update = match change.action {
        Action::Seats => SubscriptionUpdate::Seats { item, quantity, are_more },
        Action::Cancel => SubscriptionUpdate::Cancels(true),
        Action::Resume => going_on(&billing.stripe.subscription(known).await?),
        Action::End => return billing.stripe.cancel_subscription(known).await,
    };
    billing.stripe.update_subscription(known, update, &change.id).await
}

/// What lets a subscription go on: Stripe takes back the end of the month, or a time at which it ends.
const fn going_on(now: &stripe::Subscription) -> SubscriptionUpdate<'static> {
    if now.cancel_at.is_some() && !now.cancel_at_period_end {
        SubscriptionUpdate::Endless
    } else {
        SubscriptionUpdate::Cancels(false)
    }
}

/// Whether a subscription is what a change was to make of it.
fn is_made(change: &Change, now: &stripe::Subscription) -> bool {
    let item = now.items.data.first();
    match change.action {
        Action::Seats => {
            let quantity = item.and_then(|item| item.quantity);
            quantity.and_then(|it| usize::try_from(it).ok()) == Some(change.quantity())
        }
        Action::Cancel => is_to_end(now),
        Action::Resume => !is_to_end(now),
        Action::End => now.status == "canceled",
    }
}

/// Whether it ends with the month, or at a time.
const fn is_to_end(now: &stripe::Subscription) -> bool {
    now.cancel_at_period_end || now.cancel_at.is_some()
}

async fn finish_change(
    app: &Arc<ServerApp>,
    billing: &Billing,
    claim: &Claim,
    made: &stripe::Subscription,
) -> Result<(), Problem> {
    let id = claim.id.clone();
    match fact(billing, made)? {
        Some(fact) => finish(app, claim, move |ctx| change::done(ctx, &id, &fact)).await,
        None => finish(app, claim, |_| Ok(())).await,
    }
}

/// Applies a subscription.
pub(super) async fn apply(
    app: &Arc<ServerApp>,
    billing: &Billing,
    claim: &Claim,
) -> Result<(), Problem> {
    let found = billing.stripe.subscription(&claim.id).await?;
    let Some(fact) = fact(billing, &found)? else { return finish(app, claim, |_| Ok(())).await };
    let asked = claim.clone();
    finish(app, claim, move |ctx| {
        // It may have got a further seat since it was found, which it would lose here.
        if queue::is_last(ctx, &asked)? { state::apply(ctx, &fact) } else { Ok(()) }
    })
    .await
}

/// A subscription in our words; none if it belongs to another server.
fn fact(billing: &Billing, found: &stripe::Subscription) -> Result<Option<Fact>, Problem> {
    let Some(ours) = billing.ours(Some(&found.metadata)) else { return Ok(None) };
    let state = match found.status.as_str() {
        "incomplete" => State::Incomplete,
        "active" | "trialing" => State::Paid,
        "past_due" | "unpaid" | "paused" => State::Unpaid,
        "canceled" | "incomplete_expired" => State::Ended,
        other => return Err(Problem::Unknown(format!("subscription {other}"))),
    };
    let none = || Problem::Unknown("a subscription without seats".to_owned());
    let item = found.items.data.first().ok_or_else(none)?;
    Ok(Some(Fact {
        id: found.id.clone(),
        ours: SubscriptionId::from(ours),
        state,
        customer: found.customer.clone(),
        item: item.id.clone(),
        quantity: item.quantity.unwrap_or(0),
        period: (item.current_period_start, item.current_period_end),
        ended_at: found.ended_at,
        cancels: is_to_end(found),
    }))
}

impl Billing {
    /// A page on which a customer changes the card and sees bills.
    pub(crate) async fn portal(
        &self,
        app: &ServerApp,
        customer: &str,
        key: &str,
    ) -> Result<String, CallError> {
        let return_url = format!("{}{SETTINGS}", app.public_url);
        let until = Instant::now() + wait_max(app);
        Ok(in_time(until, self.stripe.create_portal(customer, &return_url, key)).await?.url)
    }
}
