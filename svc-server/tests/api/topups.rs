//! Credits that are paid with tokens on a chain, by x402. A stand-in plays the chain and the facilitator;
//! the tests of `program` use real ones.
//!
//! | module | what it covers |
//! |---|---|
//! | `buying` | what a signed payment buys, and once only |
//! | `faults` | a facilitator that lies or breaks, a chain that is slow, down or talks nonsense |
//! | `refusals` | payments that are not what was asked for, and accounts that may not buy |
//! | `books` | the chain compared with our books |
//! | `nodes` | several nodes on one database, and settings |

mod books;
mod buying;
mod faults;
mod nodes;
mod refusals;

use http::HeaderMap;
use serde_json::Value;
use svc_core::services::ledger::money::{self, Money};
use svc_server::testing::TestServer;
use svc_server::x402;
use svc_store::sql;

use crate::app::chain::{START, decode, encode, signed};
use crate::app::{Member, TestApp, transport};

/// When payments of these tests end, unless they say otherwise: five minutes after the start.
const SOON: i64 = START + 300;

/// What a request for credits was answered.
#[derive(Debug, PartialEq)]
struct Answer {
    status: u16,
    body: Value,
    headers: HeaderMap,
}

impl Answer {
    /// A header of x402, decoded.
    fn header(&self, name: &str) -> Option<Value> {
        Some(decode(self.headers.get(name)?.to_str().unwrap()))
    }

    /// The status, and the code of a refusal or the status of the payment.
    fn short(&self) -> (u16, &str) {
        let word = [&self.body["code"], &self.body["payment"]["status"]];
        (self.status, word.into_iter().find_map(Value::as_str).unwrap_or_default())
    }
}

/// Asks a server for credits, with the text of a payment.
async fn ask_at(server: &TestServer, who: &Member, credits: &str, payment: Option<&str>) -> Answer {
    let url = format!("{}/v1/credits/x402?credits={credits}", server.url());
    let request = transport(HeaderMap::new()).post(url);
    let request = request.bearer_auth(who.key.expose());
    let request = payment
        .into_iter()
        .fold(request, |request, payment| request.header("payment-signature", payment));
    let answer = request.send().await.unwrap();
    let (status, headers) = (answer.status().as_u16(), answer.headers().clone());
    let text = answer.text().await.unwrap();
    let body = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    Answer { status, body, headers }
}

async fn ask(app: &TestApp, who: &Member, credits: &str, payment: Option<&str>) -> Answer {
    ask_at(&app.server, who, credits, payment).await
}

/// What the server asks for.
async fn offer(app: &TestApp, who: &Member, credits: &str) -> Value {
    let asked = ask(app, who, credits, None).await;
    assert_eq!(asked.short(), (402, "payment_required"), "{asked:?}");
    asked.header("payment-required").unwrap()
}

/// A signed payment for what the server asks for.
async fn sign(app: &TestApp, who: &Member, credits: &str, nonce: u64) -> String {
    encode(&signed(&offer(app, who, credits).await, nonce, SOON))
}

/// A round of the worker, when every payment is due.
async fn work(app: &TestApp) {
    app.advance(61);
    x402::once(app.server.app()).await.unwrap();
}

/// What is available, and what of it money stands behind.
async fn purse(member: &Member) -> (String, String) {
    let credits = member.client.credits().balance().await.unwrap().credits;
    (credits.available.to_string(), credits.backed.unwrap_or_default().to_string())
}

fn purse_of(available: &str, backed: &str) -> (String, String) {
    (available.to_owned(), backed.to_owned())
}

async fn purchases(app: &TestApp) -> i64 {
    app.count(sql!("select count(*) from ledger_transfer where kind = 'purchase'")).await
}

/// Balances of tokens: receivable, cash and sales, in millionths.
async fn tokens(app: &TestApp) -> [i64; 3] {
    let job = |ctx: &mut svc_core::app::Ctx<'_, '_>| {
        let mut balance = |account| money::balance(ctx, account, "usdc");
        Ok([balance(Money::Receivable)?, balance(Money::Cash)?, balance(Money::Sales)?])
    };
    app.server.app().read(job).await.unwrap()
}
