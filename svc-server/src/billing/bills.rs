//! Bills of subscriptions: what was paid, went back, or is disputed. Their charges have no metadata of
//! ours, so a bill is known by its payment.

use std::sync::Arc;

use svc_core::services::billing::cash;
use svc_core::services::billing::facts::BalanceChange;
use svc_core::services::billing::queue::{self, Claim, Kind};
use svc_core::services::billing::subscription::dispute::{self, Disputed};
use svc_core::services::billing::subscription::invoice::{self, Returned};
use svc_types::SubscriptionId;

use super::worker::finish;
use super::{Billing, Problem, facts};
use crate::app::ServerApp;
use crate::stripe::{self, Charge};

/// Applies a bill: what was paid, and what arrived of it.
pub(super) async fn apply(
    app: &Arc<ServerApp>,
    billing: &Billing,
    claim: &Claim,
) -> Result<(), Problem> {
    let found = billing.stripe.invoice(&claim.id).await?;
    let details = found.parent.as_ref().and_then(|parent| parent.subscription_details.as_ref());
    let metadata = details.and_then(|details| details.metadata.as_ref());
    let ours = billing.ours(metadata).filter(|_| found.status.as_deref() == Some("paid"));
    let (Some(ours), Some(details)) = (ours, details) else {
        return finish(app, claim, |_| Ok(())).await;
    };
    // Payments that were cancelled, or are open, took no money.
    let payments = found.payments.iter().flat_map(|page| &page.data);
    let mut paid = payments.filter(|payment| payment.status == "paid");
    let intent = paid.find_map(|payment| payment.payment.payment_intent.clone());
    let taxes = found.total_taxes.iter().flatten().map(|tax| tax.amount).sum();
    let fact = invoice::Fact {
        id: found.id.clone(),
        subscription: SubscriptionId::from(ours),
        currency: found.currency.clone(),
        total: found.amount_paid,
        tax: if found.amount_paid == found.total { taxes } else { 0 },
        intent,
    };
    let subscription = details.subscription.clone();
    let charge = match &fact.intent {
        Some(intent) => billing.stripe.payment_intent(intent).await?.latest_charge,
        None => None,
    };
    finish(app, claim, move |ctx| {
        invoice::apply(ctx, &fact)?;
        queue::raise(ctx, Kind::Subscription, &subscription)?;
        // What arrived is counted with its charge.
        charge.iter().try_for_each(|charge| queue::raise(ctx, Kind::Charge, charge.id()))
    })
    .await
}

/// The payment of a bill that a charge belongs to.
pub(super) async fn intent_of(
    app: &Arc<ServerApp>,
    charge: &Charge,
) -> Result<Option<String>, Problem> {
    let Some(intent) = charge.payment_intent.as_ref().map(|it| it.id().to_owned()) else {
        return Ok(None);
    };
    let asked = intent.clone();
    let is_known = app.read(move |ctx| invoice::is_known(ctx, &asked)).await?;
    Ok(is_known.then_some(intent))
}

/// Applies a refund of a bill; false if it is one of something else.
pub(super) async fn refunded(
    app: &Arc<ServerApp>,
    claim: &Claim,
    found: &stripe::Refund,
    changes: Vec<BalanceChange>,
) -> Result<bool, Problem> {
    let charge = found.charge.as_ref().and_then(|charge| charge.object());
    let Some(charge) = charge else { return Ok(false) };
    let Some(intent) = intent_of(app, charge).await? else { return Ok(false) };
    let refund = Returned {
        id: found.id.clone(),
        currency: found.currency.clone(),
        amount: found.amount,
        state: facts::refund_state(found)?,
        at: found.created,
    };
    finish(app, claim, move |ctx| {
        invoice::refunded(ctx, &intent, &refund)?;
        changes.iter().try_for_each(|change| cash::apply(ctx, change))
    })
    .await?;
    Ok(true)
}

/// Applies a dispute of a bill; false if it is one of something else.
pub(super) async fn disputed(
    app: &Arc<ServerApp>,
    claim: &Claim,
    found: &stripe::Dispute,
    changes: Vec<BalanceChange>,
) -> Result<bool, Problem> {
    let Some(charge) = found.charge.object() else { return Ok(false) };
    let Some(intent) = intent_of(app, charge).await? else { return Ok(false) };
    let fact = Disputed {
        id: found.id.clone(),
        currency: found.currency.clone(),
        amount: found.amount,
        state: facts::dispute_state(found)?,
    };
    finish(app, claim, move |ctx| {
        dispute::apply(ctx, &intent, &fact)?;
        changes.iter().try_for_each(|change| cash::apply(ctx, change))
    })
    .await?;
    Ok(true)
}
