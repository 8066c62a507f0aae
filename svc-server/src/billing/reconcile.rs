//! Compares the books of Stripe and of the chain with ours.
//!
//! Nothing is changed here. A difference that another look would settle is put into the queue if the
//! operator asks for that; all others are for people.
//!
//! | module | what it compares |
//! |---|---|
//! | `purchases` | payments, refunds and disputes |
//! | `seats` | subscriptions and their bills |
//! | `payouts` | transfers to sellers |
//! | `balance` | what arrived, left, and was kept by Stripe |
//!
//! What the chain says is compared by `x402::reconcile`.

mod balance;
mod payouts;
mod purchases;
mod seats;

use std::fmt;
use std::sync::Arc;

use serde::Serialize;
use svc_core::app::Ctx;
use svc_core::services::billing::queue::{self, Kind};
use svc_store::error::{Error, Result};
use svc_types::Timestamp;

use super::Billing;
use crate::app::ServerApp;
use crate::stripe::{CallError, Page};
use crate::x402;

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
    if !app.config.sells_credits() {
        return Err(Error::setup("neither billing.stripe.key_file nor x402.facilitator is set"));
    }
    let (mut compared, mut found) = match app.billing() {
        Some(billing) => compare(app, billing, since).await?,
        None => (0, Vec::new()),
    };
    let tokens = x402::reconcile(app, since).await?;
    compared += tokens.compared;
    found.extend(tokens.differences.into_iter().map(|(id, what)| Found::lasting(&id, what)));
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

/// Compares everything with Stripe; how many objects, and what differs.
async fn compare(
    app: &Arc<ServerApp>,
    billing: &Billing,
    since: Timestamp,
) -> Result<(usize, Vec<Found>)> {
    let mut books = Books { app, billing, since, compared: 0, found: Vec::new() };
    books.payments().await?;
    books.refunds().await?;
    books.disputes().await?;
    books.subscriptions().await?;
    books.bills().await?;
    books.transfers().await?;
    books.balance().await?;
    Ok((books.compared, books.found))
}

/// Both books, and what differs so far.
struct Books<'a> {
    app: &'a Arc<ServerApp>,
    billing: &'a Billing,
    since: Timestamp,
    compared: usize,
    found: Vec<Found>,
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
