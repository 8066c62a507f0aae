//! The balance at Stripe: what arrived of payments, what left, and what Stripe keeps.

use std::collections::HashSet;

use svc_core::services::billing::queue::Kind;
use svc_core::services::billing::reconcile::{self as ours, Counted};
use svc_store::error::{Error, Result};
use svc_types::{PayoutId, money};

use super::{Books, Found, all, keyed};
use crate::billing::{Problem, bills};
use crate::stripe::{After, BalanceTransaction, CallError, Charge, Expandable};

impl Books<'_> {
    /// Compares the changes of the balance that payments of this server caused.
    pub(super) async fn balance(&mut self) -> Result<()> {
        let (stripe, since) = (&self.billing.stripe, self.since);
        let changes = all(async |id: Option<&str>| {
            let page = stripe.balance_transactions(After { since, id }).await;
            page.map(keyed(|it: &BalanceTransaction| &it.id))
        });
        let mut theirs = HashSet::new();
        for change in changes.await? {
            let asked = change.id.clone();
            let counted = self.app.read(move |ctx| ours::counted(ctx, &asked)).await?;
            let found = match counted {
                Some(counted) => compare_change(&change, &counted),
                None => self.uncounted(&change).await?,
            };
            self.compared += 1;
            self.found.extend(found);
            theirs.insert(change.id);
        }
        let counted = self.app.read(move |ctx| ours::counted_since(ctx, since)).await?;
        for id in counted.iter().filter(|id| !theirs.contains(*id)) {
            self.found.extend(self.older_change(id).await?);
        }
        Ok(())
    }

    /// A change that is not counted here, unless something else than a payment of this server caused it.
    async fn uncounted(&self, change: &BalanceTransaction) -> Result<Option<Found>> {
        let source = change.source.as_deref().and_then(|id| Some((kind_of(id)?, id)));
        let Some((kind, id)) = source else { return Ok(None) };
        let is_ours = match self.is_ours(kind, id).await {
            Err(Problem::Apply(error)) => return Err(error),
            other => other.map_err(Error::internal)?,
        };
        let BalanceTransaction { id: entry, amount, currency, .. } = change;
        let amount = money::in_words(*amount, currency);
        let what = || format!("its {entry} of {amount} is not counted here");
        Ok(is_ours.then(|| Found::fixable(kind, id, what())))
    }

    /// Whether an object of Stripe belongs to a payment, bill or payout of this server.
    async fn is_ours(&self, kind: Kind, id: &str) -> Result<bool, Problem> {
        let stripe = &self.billing.stripe;
        match kind {
            Kind::Refund => self.is_our_charge(stripe.refund(id).await?.charge).await,
            Kind::Dispute => self.is_our_charge(Some(stripe.dispute(id).await?.charge)).await,
            Kind::Transfer => {
                let transfer = stripe.transfer(id).await?;
                let payout = self.billing.ours(transfer.metadata.as_ref()).map(PayoutId::from);
                let Some(payout) = payout else { return Ok(false) };
                let known = self.app.read(move |ctx| ours::payout(ctx, &payout)).await?;
                Ok(known.is_some_and(|it| it.transfer.as_deref() == Some(id)))
            }
            _ => self.is_our_charge(Some(Expandable::Id(id.to_owned()))).await,
        }
    }

    async fn is_our_charge(&self, charge: Option<Expandable<Charge>>) -> Result<bool, Problem> {
        let charge = match charge {
            None => return Ok(false),
            Some(Expandable::Object(charge)) => *charge,
            Some(Expandable::Id(id)) => self.billing.stripe.charge(&id).await?,
        };
        let is_sale = self.billing.ours(Some(&charge.metadata)).is_some();
        Ok(is_sale || bills::intent_of(self.app, &charge).await?.is_some())
    }

    /// A change that was counted in the time that is compared may have happened before.
    async fn older_change(&self, id: &str) -> Result<Option<Found>> {
        let known: Result<BalanceTransaction, CallError> =
            self.billing.stripe.balance_transaction(id).await;
        match known {
            Ok(_) => Ok(None),
            Err(error) if error.is_missing() => {
                Ok(Some(Found::lasting(id, "counted here, and unknown to Stripe".to_owned())))
            }
            Err(error) => Err(Error::internal(error)),
        }
    }
}

/// What kind of object caused a change; none if it is not about payments.
fn kind_of(source: &str) -> Option<Kind> {
    match source.split_once('_')?.0 {
        "ch" | "py" => Some(Kind::Charge),
        "re" | "pyr" => Some(Kind::Refund),
        "du" | "dp" => Some(Kind::Dispute),
        "tr" => Some(Kind::Transfer),
        _ => None,
    }
}

fn compare_change(change: &BalanceTransaction, counted: &Counted) -> Option<Found> {
    let theirs = (change.amount, change.fee, change.currency.as_str());
    let here = (counted.amount, counted.fee, counted.currency.as_str());
    let what = || {
        let words = |(amount, fee, currency): (i64, i64, &str)| {
            let [amount, fee] = [amount, fee].map(|it| money::in_words(it, currency));
            format!("{amount} less {fee}")
        };
        format!("{} at Stripe, and {} counted here", words(theirs), words(here))
    };
    (theirs != here).then(|| Found::lasting(&change.id, what()))
}
