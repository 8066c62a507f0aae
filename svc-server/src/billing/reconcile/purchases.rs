//! Credits that were sold: payments, their refunds and disputes.

use std::collections::HashSet;
use std::time::Duration;

use svc_core::services::billing::queue::Kind;
use svc_core::services::billing::reconcile::{self as ours, Paid, Settled};
use svc_store::error::Result;
use svc_types::{PaymentId, Timestamp, money};

use super::{Books, Found, all, keyed};
use crate::billing::facts;
use crate::stripe::{After, CheckoutSession, Dispute, Refund};

/// Time in which what was paid arrives in the balance, also from banks that take days.
const ARRIVES_WITHIN: Duration = Duration::from_hours(10 * 24);

impl Books<'_> {
    pub(super) async fn payments(&mut self) -> Result<()> {
        let (stripe, since) = (&self.billing.stripe, self.since);
        let sessions = all(async |id: Option<&str>| {
            let page = stripe.checkouts_with_charges(After { since, id }).await;
            page.map(keyed(|it: &CheckoutSession| &it.id))
        });
        let (mut theirs, now) = (HashSet::new(), self.app.clock.now());
        for session in sessions.await? {
            let Some(id) = self.billing.ours(session.metadata.as_ref()) else { continue };
            // What is paid on pages of subscriptions is compared by their bills.
            if session.mode != "payment" {
                continue;
            }
            self.compared += 1;
            theirs.insert(id.to_owned());
            let asked = PaymentId::from(id);
            let known = self.app.read(move |ctx| ours::payment(ctx, &asked)).await?;
            self.found.extend(compare_session(&session, known));
            self.found.extend(not_arrived(&session, now));
        }
        let paid = self.app.read(move |ctx| ours::paid_since(ctx, since)).await?;
        for id in paid.iter().filter(|id| !theirs.contains(id.as_str())) {
            let what = "paid here, and unknown to Stripe".to_owned();
            self.found.push(Found::lasting(id.as_str(), what));
        }
        Ok(())
    }

    pub(super) async fn refunds(&mut self) -> Result<()> {
        let (stripe, since) = (&self.billing.stripe, self.since);
        let refunds = all(async |id: Option<&str>| {
            stripe.refunds(After { since, id }).await.map(keyed(|it: &Refund| &it.id))
        });
        for refund in refunds.await? {
            let Some(intent) = &refund.payment_intent else { continue };
            let (intent, id) = (intent.id().to_owned(), refund.id.clone());
            let known = self.app.read(move |ctx| ours::refund(ctx, &intent, &id)).await?;
            let Some(known) = known else { continue };
            self.compared += 1;
            let status = match refund.status.as_deref() {
                Some("succeeded") => "done",
                Some("failed" | "canceled") => "failed",
                _ => "asked",
            };
            let (id, amount, currency) = (&refund.id, refund.amount, &refund.currency);
            let seen = Seen { id, kind: Kind::Refund, amount, currency, status };
            self.found.extend(compare_settled(&seen, &known));
        }
        Ok(())
    }

    pub(super) async fn disputes(&mut self) -> Result<()> {
        let (stripe, since) = (&self.billing.stripe, self.since);
        let disputes = all(async |id: Option<&str>| {
            stripe.disputes(After { since, id }).await.map(keyed(|it: &Dispute| &it.id))
        });
        for dispute in disputes.await? {
            let Some(intent) = &dispute.payment_intent else { continue };
            let (intent, id) = (intent.id().to_owned(), dispute.id.clone());
            let known = self.app.read(move |ctx| ours::dispute(ctx, &intent, &id)).await?;
            let Some(known) = known else { continue };
            let status = match dispute.status.as_str() {
                "won" => "won",
                "lost" => "lost",
                "needs_response" | "under_review" => "open",
                // Nothing was taken.
                _ => continue,
            };
            self.compared += 1;
            let (id, amount, currency) = (&dispute.id, dispute.amount, &dispute.currency);
            let seen = Seen { id, kind: Kind::Dispute, amount, currency, status };
            self.found.extend(compare_settled(&seen, &known));
        }
        Ok(())
    }
}

fn compare_session(session: &CheckoutSession, known: Option<Paid>) -> Option<Found> {
    let is_paid = session.payment_status == "paid";
    let Some(known) = known else {
        let what = "belongs to this server, which has no such payment".to_owned();
        let is_open = is_paid && !is_given_back(session);
        return is_open.then(|| Found::lasting(&session.id, what));
    };
    if known.is_mismatch() && is_given_back(session) {
        return None;
    }
    if is_paid != known.is_paid {
        let theirs = if is_paid { "paid" } else { "not paid" };
        let what = format!("{theirs} at Stripe, and {} here", known.status);
        let is_fixable = is_paid && !known.is_mismatch();
        return Some(if is_fixable {
            Found::fixable(Kind::Session, &session.id, what)
        } else {
            Found::lasting(&session.id, what)
        });
    }
    let theirs = (session.amount_subtotal, session.currency.as_deref());
    let same = theirs == (Some(known.amount), Some(known.currency.as_str()));
    if same {
        return None;
    }
    let (amount, currency) = (theirs.0.unwrap_or_default(), theirs.1.unwrap_or_default());
    let theirs = money::in_words(amount, currency);
    let ours = money::in_words(known.amount, &known.currency);
    Some(Found::lasting(&session.id, format!("{theirs} at Stripe, and {ours} here")))
}

/// Whether the operator has refunded what was paid, as they do with what nobody asked for.
fn is_given_back(session: &CheckoutSession) -> bool {
    facts::charge_of(session).is_some_and(|charge| charge.amount_refunded >= charge.amount)
}

/// What was paid long ago and is in no entry of the balance. One that is there and not counted here is named with
/// the other entries.
fn not_arrived(session: &CheckoutSession, now: Timestamp) -> Option<Found> {
    let charge = facts::charge_of(session).filter(|charge| charge.paid)?;
    let is_missing = charge.balance_transaction.is_none();
    let is_late = now.since(charge.created) >= ARRIVES_WITHIN;
    let what = || {
        let amount = money::in_words(charge.amount, &charge.currency);
        format!("{amount} was paid ten days ago or earlier, and is not in the balance")
    };
    (is_missing && is_late).then(|| Found::lasting(&charge.id, what()))
}

/// A refund or a dispute as Stripe has it.
struct Seen<'a> {
    id: &'a str,
    kind: Kind,
    amount: i64,
    currency: &'a str,
    status: &'a str,
}

fn compare_settled(seen: &Seen<'_>, known: &Settled) -> Option<Found> {
    let Seen { id, kind, amount, currency, status } = seen;
    match known {
        // A refund that failed or a dispute that was won before it was seen never counted.
        Settled::Unknown | Settled::Uncounted if matches!(*status, "failed" | "won") => None,
        Settled::Uncounted if *status == "asked" => None,
        Settled::Unknown | Settled::Uncounted => {
            Some(Found::fixable(*kind, id, "unknown here".to_owned()))
        }
        Settled::Known { amount: ours, .. } if ours != amount => {
            let words = |amount: i64| money::in_words(amount, currency);
            let what = format!("{} at Stripe, and {} here", words(*amount), words(*ours));
            Some(Found::lasting(id, what))
        }
        // What was refunded at Stripe counts before the bank has the money.
        Settled::Known { status: ours, .. } if *status == "asked" && ours == "done" => None,
        Settled::Known { status: ours, .. } if ours != status => {
            let what = format!("{status} at Stripe, and {ours} here");
            // Both are final here.
            let is_over = matches!(ours.as_str(), "won" | "failed");
            Some(if is_over { Found::lasting(id, what) } else { Found::fixable(*kind, id, what) })
        }
        Settled::Known { .. } => None,
    }
}
