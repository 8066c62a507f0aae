//! Credits that were paid out.

use std::collections::HashSet;

use svc_core::services::billing::queue::Kind;
use svc_core::services::billing::reconcile::{self as ours, PaidOut};
use svc_store::error::Result;
use svc_types::{PayoutId, money};

use super::{Books, Found, all, keyed};
use crate::stripe::{After, Transfer};

impl Books<'_> {
    pub(super) async fn transfers(&mut self) -> Result<()> {
        let (stripe, since) = (&self.billing.stripe, self.since);
        let transfers = all(async |id: Option<&str>| {
            stripe.transfers(After { since, id }).await.map(keyed(|it: &Transfer| &it.id))
        });
        let mut theirs = HashSet::new();
        for transfer in transfers.await? {
            let Some(id) = self.billing.ours(transfer.metadata.as_ref()) else { continue };
            self.compared += 1;
            theirs.insert(id.to_owned());
            let asked = PayoutId::from(id);
            let known = self.app.read(move |ctx| ours::payout(ctx, &asked)).await?;
            self.found.extend(compare_transfer(&transfer, known));
        }
        let sent = self.app.read(move |ctx| ours::sent_since(ctx, since)).await?;
        for id in sent.iter().filter(|id| !theirs.contains(id.as_str())) {
            let what = "sent here, and unknown to Stripe".to_owned();
            self.found.push(Found::lasting(id.as_str(), what));
        }
        Ok(())
    }
}

fn compare_transfer(transfer: &Transfer, known: Option<PaidOut>) -> Option<Found> {
    let (id, amount, currency) = (&transfer.id, transfer.amount, &transfer.currency);
    let Some(known) = known else {
        let what = "belongs to this server, which has no such payout".to_owned();
        return Some(Found::lasting(id, what));
    };
    if known.transfer.as_ref().is_some_and(|it| it != id) {
        return Some(Found::lasting(id, "is a second transfer of its payout".to_owned()));
    }
    if (known.amount, &known.currency) != (amount, currency) {
        let theirs = money::in_words(amount, currency);
        let ours = money::in_words(known.amount, &known.currency);
        return Some(Found::lasting(id, format!("{theirs} at Stripe, and {ours} here")));
    }
    let theirs = match transfer.amount_reversed {
        0 => "sent",
        reversed if reversed == amount => "returned",
        reversed => {
            let words = |amount: i64| money::in_words(amount, currency);
            let what = format!("{} of {} came back", words(reversed), words(amount));
            return Some(Found::lasting(id, what));
        }
    };
    if known.status == theirs {
        return None;
    }
    let what = format!("{theirs} at Stripe, and {} here", known.status);
    let is_fixable = matches!(known.status.as_str(), "sending" | "sent");
    Some(if is_fixable {
        Found::fixable(Kind::Transfer, id, what)
    } else {
        Found::lasting(id, what)
    })
}
