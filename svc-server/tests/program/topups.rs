//! Agents buy credits by x402 on a real chain (`chain`).

use std::time::Duration;

use serde_json::{Value, json};
use svc_client::types::ApiKey;

use crate::chain::{Behaviour, Chain, Payer};
use crate::process::{Place, Server, TIMEOUT};

/// Five dollars, at a cent for a credit.
const CREDITS: i64 = 500;
const PRICE: u64 = 5_000_000;

/// A server that sells credits for tokens of this chain.
fn serve(place: &Place, chain: &Chain) -> Server {
    let facts = &chain.facts;
    let settings = [
        ("facilitator", &chain.facilitator),
        ("network", &facts.network),
        ("asset", &facts.asset),
        ("asset_name", &facts.name),
        ("asset_version", &facts.version),
        ("pay_to", &facts.pay_to),
        ("rpc_url", &facts.rpc),
        ("confirmations", &"1".to_owned()),
    ];
    let mut program = place.program();
    for (name, value) in settings {
        program.args(["--set", &format!("x402.{name}={value}")]);
    }
    program.args(["--set", "billing.allow_test=true", "--set", "exchange.signup_grant=0"]);
    program.args(["--set", "credits.buy_per_day=100000,100000,100000"]);
    place.serve_by(&mut program)
}

fn url(server: &Server) -> String {
    format!("http://{}/api/v1/credits/x402?credits={CREDITS}", server.address())
}

async fn register(server: &Server, name: &str) -> ApiKey {
    server.client().auth().register_agent(name).await.unwrap().api_key
}

async fn balance(server: &Server, key: &ApiKey) -> i64 {
    let credits = server.client_of(key).credits().balance().await.unwrap().credits;
    serde_json::to_value(credits.available).unwrap().as_i64().unwrap()
}

/// Sends a payment again, as a client does that lost the answer.
async fn again(server: &Server, key: &ApiKey, payment: &str) -> (u16, Value) {
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let request = http.post(url(server)).bearer_auth(key.expose());
    let answer = request.header("PAYMENT-SIGNATURE", payment).send().await.unwrap();
    (answer.status().as_u16(), answer.json().await.unwrap())
}

/// Sends a payment again until the server has seen it on the chain.
async fn until_paid(server: &Server, key: &ApiKey, payment: &str) -> Value {
    let paid = async {
        loop {
            match again(server, key, payment).await {
                (200, body) => return body,
                (status, body) => assert_eq!(status, 202, "{body}"),
            }
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(TIMEOUT, paid).await.expect("it is paid in time")
}

#[tokio::test]
async fn clients_of_two_languages_top_up_and_a_payment_buys_once_for_one_account() {
    let Some(chain) = Chain::start().await else { return };
    let place = Place::new();
    let server = serve(&place, &chain);
    let [ada, bob] = [register(&server, "ada").await, register(&server, "bob").await];
    for (payer, purchases) in [(Payer::Python, 1_u32), (Payer::JavaScript, 2)] {
        let paid = chain.pay(payer, &url(&server), ada.expose()).await;
        assert!([200, 202].contains(&paid.status), "{payer:?}: {paid:?}");
        let payment = paid.payment.unwrap();
        let first = until_paid(&server, &ada, &payment).await;
        if paid.status == 200 {
            assert_eq!(paid.settled.unwrap()["success"], json!(true));
            assert_eq!(paid.body, first);
        }
        assert_eq!(again(&server, &ada, &payment).await, (200, first));
        let (status, refused) = again(&server, &bob, &payment).await;
        assert_eq!((status, &refused["code"]), (409, &json!("payment_used")), "{refused}");
        assert_eq!(balance(&server, &ada).await, i64::from(purchases) * CREDITS);
        assert_eq!(chain.received().await, u64::from(purchases) * PRICE);
    }
    assert_eq!(balance(&server, &bob).await, 0);
}

#[tokio::test]
async fn the_chain_is_believed_and_not_the_facilitator() {
    let Some(chain) = Chain::start().await else { return };
    let place = Place::new();
    let server = serve(&place, &chain);
    let ada = register(&server, "ada").await;
    chain.set_facilitator(Behaviour::Lies).await;
    let lied = chain.pay(Payer::JavaScript, &url(&server), ada.expose()).await;
    assert_eq!(lied.status, 202, "{lied:?}");
    assert_eq!((balance(&server, &ada).await, chain.received().await), (0, 0));
    chain.set_facilitator(Behaviour::Denies).await;
    let denied = chain.pay(Payer::JavaScript, &url(&server), ada.expose()).await;
    assert!([200, 202].contains(&denied.status), "{denied:?}");
    until_paid(&server, &ada, &denied.payment.unwrap()).await;
    assert_eq!((balance(&server, &ada).await, chain.received().await), (CREDITS, PRICE));
}

#[tokio::test]
async fn what_the_payer_takes_back_on_the_chain_ends_unpaid() {
    let Some(chain) = Chain::start().await else { return };
    let place = Place::new();
    let server = serve(&place, &chain);
    let ada = register(&server, "ada").await;
    chain.set_facilitator(Behaviour::Lies).await;
    let payment = chain.pay(Payer::JavaScript, &url(&server), ada.expose()).await.payment.unwrap();
    chain.cancel(&payment).await;
    chain.set_facilitator(Behaviour::Honest).await;
    let (status, open) = again(&server, &ada, &payment).await;
    assert_eq!((status, &open["payment"]["status"]), (202, &json!("open")), "{open}");
    assert_eq!(place.run(&["admin", "billing", "mode"]), "test\n");
    // A payment is valid for five minutes, and looked for during ten more.
    chain.advance(Duration::from_mins(16)).await;
    let (status, refused) = again(&server, &ada, &payment).await;
    assert_eq!((status, &refused["code"]), (402, &json!("payment_required")), "{refused}");
    assert_eq!((balance(&server, &ada).await, chain.received().await), (0, 0));
}
