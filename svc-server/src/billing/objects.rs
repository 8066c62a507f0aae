//! Objects that are to be applied: each is got from Stripe as it is now.
//!
//! An object that belongs to another server of the same Stripe account changes nothing.

use std::sync::Arc;

use svc_core::app::Ctx;
use svc_core::services::billing::facts::BalanceChange;
use svc_core::services::billing::queue::{self, Claim, Kind};
use svc_core::services::billing::{cash, dispute, payment, refund};
use svc_store::error::Result;
use svc_types::PaymentId;
use svc_types::api::billing::PaymentStatus;

use super::worker::finish;
use super::{Billing, Problem, bills, facts, subscriptions};
use crate::app::ServerApp;
use crate::stripe::{Charge, Expandable, PaymentIntent};

/// Applies a page.
pub(super) async fn apply_session(
    app: &Arc<ServerApp>,
    billing: &Billing,
    claim: &Claim,
) -> Result<(), Problem> {
    let session = billing.stripe.checkout(&claim.id).await?;
    let Some(id) = billing.ours(session.metadata.as_ref()) else {
        return finish(app, claim, |_| Ok(())).await;
    };
    if session.mode == "subscription" {
        return subscriptions::finish_page(app, claim, id.into(), &session).await;
    }
    let id = PaymentId::from(id);
    let (fact, charge) = (facts::session(&session), facts::charge_of(&session).cloned());
    finish(app, claim, move |ctx| {
        // What arrived is counted with its charge.
        charge.iter().try_for_each(|charge| queue::raise(ctx, Kind::Charge, &charge.id))?;
        payment::apply(ctx, &id, &fact)
    })
    .await
}

/// Counts what of a charge arrived, and names its refunds and disputes.
pub(super) async fn apply_charge(
    app: &Arc<ServerApp>,
    billing: &Billing,
    claim: &Claim,
) -> Result<(), Problem> {
    let charge = billing.stripe.charge(&claim.id).await?;
    let is_sale = billing.ours(Some(&charge.metadata)).is_some();
    // What pays for a subscription has no metadata of ours.
    if !is_sale && bills::intent_of(app, &charge).await?.is_none() {
        return finish(app, claim, |_| Ok(())).await;
    }
    let intent = charge.payment_intent.as_ref().map(Expandable::<PaymentIntent>::id);
    // A refund of a bill may have been reported before the bill, and have failed meanwhile.
    let refunds = match intent.filter(|_| charge.amount_refunded > 0 || !is_sale) {
        Some(intent) => billing.refunds_of(intent).await?,
        None => Vec::new(),
    };
    // A dispute of a bill may have been reported before the bill.
    let disputes = match intent.filter(|_| charge.disputed && !is_sale) {
        Some(intent) => billing.stripe.disputes_of(intent).await?.data,
        None => Vec::new(),
    };
    let changes = facts::changes(charge.balance_transaction.as_ref());
    finish(app, claim, move |ctx| {
        count(ctx, &changes)?;
        refunds.iter().try_for_each(|refund| queue::raise(ctx, Kind::Refund, &refund.id))?;
        disputes.iter().try_for_each(|dispute| queue::raise(ctx, Kind::Dispute, &dispute.id))
    })
    .await
}

/// Applies a refund.
pub(super) async fn apply_refund(
    app: &Arc<ServerApp>,
    billing: &Billing,
    claim: &Claim,
) -> Result<(), Problem> {
    let refund = billing.stripe.refund(&claim.id).await?;
    let charge = refund.charge.as_ref().and_then(|charge| charge.object());
    let changes = facts::changes(
        refund.balance_transaction.iter().chain(&refund.failure_balance_transaction),
    );
    let Some(id) = paid(app, billing, charge).await? else {
        if bills::refunded(app, claim, &refund, changes).await? {
            return Ok(());
        }
        return finish(app, claim, |_| Ok(())).await;
    };
    let fact = facts::refund(&refund, id, billing.ours(refund.metadata.as_ref()))?;
    finish(app, claim, move |ctx| {
        refund::apply(ctx, &fact)?;
        count(ctx, &changes)
    })
    .await
}

/// Applies a dispute.
pub(super) async fn apply_dispute(
    app: &Arc<ServerApp>,
    billing: &Billing,
    claim: &Claim,
) -> Result<(), Problem> {
    let found = billing.stripe.dispute(&claim.id).await?;
    let changes: Vec<_> = found.balance_transactions.iter().map(facts::change).collect();
    let Some(id) = paid(app, billing, found.charge.object()).await? else {
        if bills::disputed(app, claim, &found, changes).await? {
            return Ok(());
        }
        return finish(app, claim, |_| Ok(())).await;
    };
    let fact = facts::dispute(&found, id)?;
    finish(app, claim, move |ctx| {
        dispute::apply(ctx, &fact)?;
        count(ctx, &changes)
    })
    .await
}

fn count(ctx: &mut Ctx<'_, '_>, changes: &[BalanceChange]) -> Result<()> {
    changes.iter().try_for_each(|change| cash::apply(ctx, change))
}

/// The payment that a charge belongs to. One that is not known to be paid is named too, so that its page
/// is applied before what came after it.
async fn paid(
    app: &Arc<ServerApp>,
    billing: &Billing,
    charge: Option<&Charge>,
) -> Result<Option<PaymentId>, Problem> {
    let metadata = charge.map(|charge| &charge.metadata);
    let Some(id) = billing.ours(metadata).map(PaymentId::from) else { return Ok(None) };
    let asked = id.clone();
    let record = app.read(move |ctx| payment::known(ctx, &asked)).await?;
    let open = record
        .filter(|record| !matches!(record.status, PaymentStatus::Paid | PaymentStatus::Mismatch));
    if let Some(session) = open.and_then(|record| record.session) {
        app.write(move |ctx| queue::raise(ctx, Kind::Session, &session)).await?;
    }
    Ok(Some(id))
}
