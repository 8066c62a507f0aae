//! Stripe's objects in the words of the platform.

use svc_core::services::billing::facts::{
    BalanceChange, Dispute, DisputeState, Refund, RefundState, Session, SessionState,
};
use svc_types::PaymentId;

use super::Problem;
use crate::stripe::{self, Charge, CheckoutSession, Expandable, PaymentIntent};

/// A page, as far as it is.
pub(super) fn session(session: &CheckoutSession) -> Session {
    Session {
        id: session.id.clone(),
        state: session_state(session),
        url: session.url.clone(),
        currency: session.currency.clone().unwrap_or_default(),
        subtotal: session.amount_subtotal.unwrap_or_default(),
        tax: session.total_details.as_ref().map_or(0, |details| details.amount_tax),
        total: session.amount_total.unwrap_or_default(),
        intent: session.payment_intent.as_ref().map(|intent| intent.id().to_owned()),
        receipt_url: charge_of(session).and_then(|charge| charge.receipt_url.clone()),
    }
}

/// Only `paid` is money. A page is over as well when its money did not arrive.
fn session_state(session: &CheckoutSession) -> SessionState {
    let has_failed = |intent: &PaymentIntent| {
        matches!(intent.status.as_str(), "requires_payment_method" | "canceled")
    };
    let is_complete = session.status.as_deref() == Some("complete");
    if session.payment_status == "paid" {
        SessionState::Paid
    } else if session.status.as_deref() == Some("expired")
        || is_complete && intent_of(session).is_some_and(has_failed)
    {
        SessionState::Expired
    } else {
        SessionState::Unpaid
    }
}

fn intent_of(session: &CheckoutSession) -> Option<&PaymentIntent> {
    session.payment_intent.as_ref()?.object()
}

/// The charge of a page that was paid.
pub(super) fn charge_of(session: &CheckoutSession) -> Option<&Charge> {
    intent_of(session)?.latest_charge.as_ref()?.object()
}

/// A refund of a payment; `ours` is our id if it was asked for here.
pub(super) fn refund(
    refund: &stripe::Refund,
    payment: PaymentId,
    ours: Option<&str>,
) -> Result<Refund, Problem> {
    let state = refund_state(refund)?;
    Ok(Refund {
        id: refund.id.clone(),
        ours: ours.map(str::to_owned),
        payment,
        currency: refund.currency.clone(),
        amount: refund.amount,
        state,
    })
}

/// How far a refund is.
pub(super) fn refund_state(refund: &stripe::Refund) -> Result<RefundState, Problem> {
    match refund.status.as_deref() {
        Some("pending" | "requires_action") => Ok(RefundState::Pending),
        Some("succeeded") => Ok(RefundState::Succeeded),
        Some("failed" | "canceled") => Ok(RefundState::Failed),
        other => Err(Problem::Unknown(format!("refund {}", other.unwrap_or("without a status")))),
    }
}

/// A dispute of a payment.
pub(super) fn dispute(dispute: &stripe::Dispute, payment: PaymentId) -> Result<Dispute, Problem> {
    let state = dispute_state(dispute)?;
    Ok(Dispute {
        id: dispute.id.clone(),
        payment,
        currency: dispute.currency.clone(),
        amount: dispute.amount,
        state,
    })
}

/// How far a dispute is.
pub(super) fn dispute_state(dispute: &stripe::Dispute) -> Result<DisputeState, Problem> {
    match dispute.status.as_str() {
        // Nothing was taken, or the bank asked and was answered.
        "warning_needs_response" | "warning_under_review" | "warning_closed" | "prevented" => {
            Ok(DisputeState::Inquiry)
        }
        "needs_response" | "under_review" => Ok(DisputeState::Open),
        "won" => Ok(DisputeState::Won),
        "lost" => Ok(DisputeState::Lost),
        other => Err(Problem::Unknown(format!("dispute {other}"))),
    }
}

/// The changes of the balance that an object names. Stripe enters some of them later.
pub(super) fn changes<'a>(
    entries: impl IntoIterator<Item = &'a Expandable<stripe::BalanceTransaction>>,
) -> Vec<BalanceChange> {
    entries.into_iter().filter_map(Expandable::object).map(change).collect()
}

/// A change of the balance.
pub(super) fn change(entry: &stripe::BalanceTransaction) -> BalanceChange {
    BalanceChange {
        id: entry.id.clone(),
        currency: entry.currency.clone(),
        amount: entry.amount,
        fee: entry.fee,
        at: entry.created,
    }
}
