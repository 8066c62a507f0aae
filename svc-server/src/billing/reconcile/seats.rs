//! Seats that were sold: subscriptions and their bills.

use std::collections::HashSet;

use svc_core::services::billing::queue::Kind;
use svc_core::services::billing::reconcile::{self as ours, Seats};
use svc_store::error::{Error, Result};
use svc_types::{SubscriptionId, money};

use super::{Books, Found, all, keyed};
use crate::stripe::{After, Invoice, Subscription};

impl Books<'_> {
    /// Compares subscriptions that run, whenever they began.
    pub(super) async fn subscriptions(&mut self) -> Result<()> {
        let stripe = &self.billing.stripe;
        let running = all(async |id: Option<&str>| {
            stripe.subscriptions(id).await.map(keyed(|it: &Subscription| &it.id))
        });
        let mut theirs = HashSet::new();
        for subscription in running.await? {
            let Some(id) = self.billing.ours(Some(&subscription.metadata)) else { continue };
            self.compared += 1;
            theirs.insert(subscription.id.clone());
            let asked = SubscriptionId::from(id);
            let known = self.app.read(move |ctx| ours::seats(ctx, &asked)).await?;
            self.found.extend(compare_subscription(&subscription, known));
        }
        let paid = self.app.read(ours::running).await?;
        for id in paid.iter().filter(|id| !theirs.contains(*id)) {
            let what = "not running at Stripe, and running here".to_owned();
            self.found.push(Found::fixable(Kind::Subscription, id, what));
        }
        Ok(())
    }

    /// Compares bills that were paid.
    pub(super) async fn bills(&mut self) -> Result<()> {
        let (stripe, since) = (&self.billing.stripe, self.since);
        let paid = all(async |id: Option<&str>| {
            stripe.paid_invoices(After { since, id }).await.map(keyed(|it: &Invoice| &it.id))
        });
        let mut theirs = HashSet::new();
        for bill in paid.await? {
            let details = bill.parent.as_ref().and_then(|it| it.subscription_details.as_ref());
            let metadata = details.and_then(|it| it.metadata.as_ref());
            if self.billing.ours(metadata).is_none() {
                continue;
            }
            self.compared += 1;
            let asked = bill.id.clone();
            let known = self.app.read(move |ctx| ours::bill(ctx, &asked)).await?;
            self.found.extend(compare_bill(&bill, known));
            theirs.insert(bill.id);
        }
        let paid = self.app.read(move |ctx| ours::bills_since(ctx, since)).await?;
        for id in paid.iter().filter(|id| !theirs.contains(*id)) {
            self.found.extend(self.older_bill(id).await?);
        }
        Ok(())
    }

    /// A bill that was paid in the time that is compared may have been made before.
    async fn older_bill(&self, id: &str) -> Result<Option<Found>> {
        let is_paid = match self.billing.stripe.invoice(id).await {
            Ok(bill) => bill.status.as_deref() == Some("paid"),
            Err(error) if error.is_missing() => false,
            Err(error) => return Err(Error::internal(error)),
        };
        let what = || "paid here, and not paid at Stripe".to_owned();
        Ok((!is_paid).then(|| Found::lasting(id, what())))
    }
}

fn compare_subscription(subscription: &Subscription, known: Option<Seats>) -> Option<Found> {
    let id = &subscription.id;
    let Some(known) = known else {
        let what = "belongs to this server, which has no such subscription".to_owned();
        return Some(Found::lasting(id, what));
    };
    if known.provider_id.as_ref().is_some_and(|it| it != id) {
        return Some(Found::lasting(id, "is a second one of its subscription".to_owned()));
    }
    let status = match subscription.status.as_str() {
        "active" | "trialing" => "active",
        "past_due" | "unpaid" | "paused" => "past_due",
        // Its first payment is on its way.
        _ => return None,
    };
    let seats = subscription.items.data.first().and_then(|item| item.quantity).unwrap_or(0);
    if (status, seats) == (known.status.as_str(), known.quantity) {
        return None;
    }
    let (here, paid) = (&known.status, known.quantity);
    let what = format!("{status} with {seats} seats at Stripe, and {here} with {paid} here");
    Some(Found::fixable(Kind::Subscription, id, what))
}

fn compare_bill(bill: &Invoice, known: Option<i64>) -> Option<Found> {
    let Some(amount) = known else {
        return Some(Found::fixable(Kind::Invoice, &bill.id, "paid, and unknown here".to_owned()));
    };
    let words = |amount: i64| money::in_words(amount, &bill.currency);
    let what = || format!("{} paid at Stripe, and {} here", words(bill.amount_paid), words(amount));
    (amount != bill.amount_paid).then(|| Found::lasting(&bill.id, what()))
}
