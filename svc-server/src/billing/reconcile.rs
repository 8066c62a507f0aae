//! Compares Stripe's books with ours: payments, refunds, disputes, and what arrived.
//!
//! Nothing is changed here. A difference that another look would settle is put into the queue if the
//! operator asks for that; all others are for people.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use serde::Serialize;
use svc_core::app::Ctx;
use svc_core::services::billing::queue::{self, Kind};
use svc_core::services::billing::reconcile::{self as ours, Paid, PaidOut, Settled};
use svc_store::error::{Error, Result};
use svc_types::{PaymentId, PayoutId, Timestamp};

use super::Billing;
use crate::app::ServerApp;
use crate::stripe::{After, CallError, CheckoutSession, Dispute, Page, Refund, Transfer};

/// Most pages of a list that are compared.
const PAGES_MAX: usize = 10_000;

/// What stands in one of the books and not in the other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Difference {
    /// The id of the object: Stripe's, or ours where Stripe has none.
    pub id: String,
    /// What differs.
    pub what: String,
    /// Whether another look settles it.
    pub fixable: bool,
}

/// The outcome of a comparison.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// How many objects were compared.
    pub compared: usize,
    /// What differs.
    pub differences: Vec<Difference>,
    /// How many objects were put into the queue.
    pub queued: usize,
}

impl Report {
    /// Whether nothing differs.
    pub const fn agrees(&self) -> bool {
        self.differences.is_empty()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Difference { id, what, .. } in &self.differences {
            writeln!(f, "{id}: {what}")?;
        }
        let (compared, found) = (self.compared, self.differences.len());
        writeln!(f, "{compared} objects compared, {found} differences, {} queued", self.queued)
    }
}

/// A difference, and the object that has to be looked at again.
struct Found {
    difference: Difference,
    kind: Option<Kind>,
}

impl Found {
    /// A difference that another look settles.
    fn fixable(kind: Kind, id: &str, what: String) -> Self {
        let difference = Difference { id: id.to_owned(), what, fixable: true };
        Self { difference, kind: Some(kind) }
    }

    /// A difference that needs a person.
    fn lasting(id: &str, what: String) -> Self {
        let difference = Difference { id: id.to_owned(), what, fixable: false };
        Self { difference, kind: None }
    }
}

/// Compares everything since a time. With `fix`, objects that another look settles are queued.
pub async fn reconcile(app: &Arc<ServerApp>, since: Timestamp, fix: bool) -> Result<Report> {
    let billing =
        app.billing().ok_or_else(|| Error::setup("billing.stripe.key_file is not set"))?;
    let mut books = Books { app, billing, since, compared: 0, found: Vec::new() };
    books.payments().await?;
    books.refunds().await?;
    books.disputes().await?;
    books.transfers().await?;
    let Books { compared, found, .. } = books;
    let wanted: Vec<_> = found
        .iter()
        .filter_map(|it| Some((it.kind.filter(|_| fix)?, it.difference.id.clone())))
        .collect();
    let queued = wanted.len();
    if queued > 0 {
        let raise = move |ctx: &mut Ctx<'_, '_>| {
            wanted.iter().try_for_each(|(kind, id)| queue::raise(ctx, *kind, id))
        };
        app.write(raise).await?;
    }
    let differences = found.into_iter().map(|it| it.difference).collect();
    Ok(Report { compared, differences, queued })
}

/// Both books, and what differs so far.
struct Books<'a> {
    app: &'a Arc<ServerApp>,
    billing: &'a Billing,
    since: Timestamp,
    compared: usize,
    found: Vec<Found>,
}

impl Books<'_> {
    async fn payments(&mut self) -> Result<()> {
        let (stripe, since) = (&self.billing.stripe, self.since);
        let sessions = all(async |id: Option<&str>| {
            stripe.checkouts(After { since, id }).await.map(keyed(|it: &CheckoutSession| &it.id))
        });
        let mut theirs = HashSet::new();
        for session in sessions.await? {
            let Some(id) = self.billing.ours(session.metadata.as_ref()) else { continue };
            self.compared += 1;
            theirs.insert(id.to_owned());
            let asked = PaymentId::from(id);
            let known = self.app.read(move |ctx| ours::payment(ctx, &asked)).await?;
            self.found.extend(compare_session(&session, known));
        }
        let paid = self.app.read(move |ctx| ours::paid_since(ctx, since)).await?;
        for id in paid.iter().filter(|id| !theirs.contains(id.as_str())) {
            let what = "paid here, and unknown to Stripe".to_owned();
            self.found.push(Found::lasting(id.as_str(), what));
        }
        Ok(())
    }

    async fn refunds(&mut self) -> Result<()> {
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
            let seen = Seen { id: &refund.id, kind: Kind::Refund, amount: refund.amount, status };
            self.found.extend(compare_settled(&seen, &known));
        }
        Ok(())
    }

    async fn disputes(&mut self) -> Result<()> {
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
            let (id, amount) = (&dispute.id, dispute.amount);
            let seen = Seen { id, kind: Kind::Dispute, amount, status };
            self.found.extend(compare_settled(&seen, &known));
        }
        Ok(())
    }

    async fn transfers(&mut self) -> Result<()> {
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

/// A page's objects with the id by which the next page is asked for.
fn keyed<T>(id: fn(&T) -> &String) -> impl FnOnce(Page<T>) -> (Vec<T>, Option<String>) {
    move |page| {
        let next = page.data.last().map(id).filter(|_| page.has_more).cloned();
        (page.data, next)
    }
}

/// All objects of a list.
async fn all<T>(
    page: impl AsyncFn(Option<&str>) -> Result<(Vec<T>, Option<String>), CallError>,
) -> Result<Vec<T>> {
    let (mut objects, mut last) = (Vec::new(), None::<String>);
    for _ in 0..PAGES_MAX {
        let (found, next) = page(last.as_deref()).await.map_err(Error::internal)?;
        objects.extend(found);
        match next {
            Some(next) => last = Some(next),
            None => return Ok(objects),
        }
    }
    Err(Error::internal("a list of Stripe has no end"))
}

fn compare_session(session: &CheckoutSession, known: Option<Paid>) -> Option<Found> {
    let is_paid = session.payment_status == "paid";
    let Some(known) = known else {
        let what = "belongs to this server, which has no such payment".to_owned();
        return is_paid.then(|| Found::lasting(&session.id, what));
    };
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
    let what =
        format!("{amount} {currency} at Stripe, and {} {} here", known.amount, known.currency);
    Some(Found::lasting(&session.id, what))
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
        let (ours, unit) = (known.amount, &known.currency);
        let what = format!("{amount} {currency} at Stripe, and {ours} {unit} here");
        return Some(Found::lasting(id, what));
    }
    let theirs = match transfer.amount_reversed {
        0 => "sent",
        reversed if reversed == amount => "returned",
        reversed => {
            let what = format!("{reversed} of {amount} {currency} came back");
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

/// A refund or a dispute as Stripe has it.
struct Seen<'a> {
    id: &'a str,
    kind: Kind,
    amount: i64,
    status: &'a str,
}

fn compare_settled(seen: &Seen<'_>, known: &Settled) -> Option<Found> {
    let Seen { id, kind, amount, status } = seen;
    match known {
        // A refund that failed or a dispute that was won before it was seen never counted.
        Settled::Unknown if matches!(*status, "failed" | "won") => None,
        Settled::Unknown => Some(Found::fixable(*kind, id, "unknown here".to_owned())),
        Settled::Known { amount: ours, .. } if ours != amount => {
            Some(Found::lasting(id, format!("{amount} at Stripe, and {ours} here")))
        }
        Settled::Known { status: ours, .. } if ours != status => {
            Some(Found::fixable(*kind, id, format!("{status} at Stripe, and {ours} here")))
        }
        Settled::Known { .. } => None,
    }
}
