//! Payments through Stripe: pages, webhooks, refunds and disputes, whatever gets lost, repeated or
//! reordered. A stand-in plays Stripe.
//!
//! | module | what it covers |
//! |---|---|
//! | `reports` | what Stripe reports, by webhooks, events and buyers who come back |
//! | `faults` | what goes wrong on the way to Stripe |
//! | `reconcile` | Stripe's books compared with ours |
//! | `bills` | what was paid for seats, disputed and compared |
//! | `events` | who learns of it, and who waits for it |
//! | `histories` | random histories, which end as Stripe's books say |
//! | `nodes` | several nodes on one database, and the mode of the key |

mod bills;
pub(crate) mod events;
mod faults;
mod histories;
mod nodes;
pub(crate) mod reconcile;
mod reports;

use http::{HeaderMap, StatusCode};
use serde_json::Value;
use svc_client::types::{Credits, PaymentId};
use svc_core::app::Ctx;
use svc_core::identity::credentials::account_of_key;
use svc_core::services::billing::{payment, refund};
use svc_core::services::ledger::money::{self, Money};
use svc_fake_stripe::Delivery;
use svc_server::billing;
use svc_server::testing::TestServer;
use svc_store::sql;

use crate::app::{Member, TestApp, transport};

/// Time after which every failed object is due again.
const PAUSE: u64 = 3_700;

/// Seconds for which the worker leaves a payment to the request that began it.
const HEAD_START: u64 = 3;

/// Begins a purchase, by a request that gets no further; its id.
async fn begin(app: &TestApp, buyer: &Member, credits: u32) -> PaymentId {
    let key = buyer.key.expose().to_owned();
    let job = move |ctx: &mut Ctx<'_, '_>| {
        let buyer = account_of_key(ctx, &key)?;
        Ok(payment::begin(ctx, &buyer, Credits::from(credits), true)?.id)
    };
    let id = app.server.app().write(job).await.unwrap();
    app.advance(HEAD_START);
    id
}

/// A round of the worker.
async fn work(app: &TestApp) {
    billing::once(app.server.app()).await.unwrap();
}

/// Begins a purchase and makes its page; its id and the id of the page.
async fn page(app: &TestApp, buyer: &Member, credits: u32) -> (PaymentId, String) {
    let id = begin(app, buyer, credits).await;
    work(app).await;
    let session = seen(app, &id).await.session.expect("its page was made");
    (id, session)
}

/// Buys credits and tells the server; the id of the payment, and Stripe's.
async fn buy(app: &TestApp, buyer: &Member, credits: u32) -> (PaymentId, String) {
    let (id, session) = page(app, buyer, credits).await;
    let intent = app.stripe().pay(&session);
    tell(app, app.stripe().deliveries()).await;
    (id, intent)
}

async fn seen(app: &TestApp, id: &PaymentId) -> payment::Record {
    let id = id.clone();
    app.server.app().read(move |ctx| payment::find(ctx, &id)).await.unwrap()
}

/// Sends webhooks and works on what they name.
pub(crate) async fn tell(app: &TestApp, deliveries: Vec<Delivery>) {
    for delivery in deliveries {
        assert_eq!(send(&app.server, &delivery.body, &delivery.signature).await.0, StatusCode::OK);
    }
    work(app).await;
}

/// Sends a webhook; the status, and the code of a refusal.
async fn send(server: &TestServer, body: &str, signature: &str) -> (StatusCode, String) {
    let url = format!("{}/webhooks/stripe", server.url().trim_end_matches("/api"));
    let request = transport(HeaderMap::new()).post(url).body(body.to_owned());
    let request = request.header("content-type", "application/json; charset=utf-8");
    let answer = request.header("stripe-signature", signature).send().await.unwrap();
    let status = answer.status();
    let body: Value = answer.json().await.unwrap();
    (status, body["code"].as_str().unwrap_or_default().to_owned())
}

/// What is available and owed.
async fn purse(member: &Member) -> (String, String) {
    let credits = member.client.credits().balance().await.unwrap().credits;
    (credits.available.to_string(), credits.debt.unwrap_or_default().to_string())
}

fn purse_of(available: &str, debt: &str) -> (String, String) {
    (available.to_owned(), debt.to_owned())
}

/// Balances of these accounts of money.
pub(crate) async fn balances<const N: usize>(app: &TestApp, accounts: [Money; N]) -> [i64; N] {
    let job = move |ctx: &mut Ctx<'_, '_>| {
        accounts.iter().map(|account| money::balance(ctx, *account, "usd")).collect()
    };
    let found: Vec<i64> = app.server.app().read(job).await.unwrap();
    found.try_into().unwrap()
}

/// Balances of money: receivable, cash, fees, disputed and lost.
async fn books(app: &TestApp) -> [i64; 5] {
    let accounts =
        [Money::Receivable, Money::Cash, Money::ProviderFee, Money::Disputed, Money::Loss];
    balances(app, accounts).await
}

async fn purchases(app: &TestApp) -> i64 {
    app.count(sql!("select count(*) from ledger_transfer where kind = 'purchase'")).await
}

/// Objects that wait for the worker.
async fn waiting(app: &TestApp) -> i64 {
    app.count(sql!("select count(*) from provider_object where due_at is not null")).await
}

/// Asks for a refund.
async fn ask(app: &TestApp, buyer: &Member, id: &PaymentId, credits: u32) {
    let (by, id) = (buyer.user.id.clone(), id.clone());
    let job = move |ctx: &mut Ctx<'_, '_>| refund::ask(ctx, &id, Some(Credits::from(credits)), &by);
    app.server.app().write(job).await.unwrap();
}
