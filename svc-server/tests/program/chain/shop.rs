//! The chain, the facilitator and the payers among themselves: a server with the least that x402 needs.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::{Behaviour, Chain, Payer};

/// Asks for five tokens.
fn offer(chain: &Chain) -> Value {
    let facts = &chain.facts;
    json!({
        "scheme": "exact",
        "network": facts.network,
        "asset": facts.asset,
        "amount": "5000000",
        "payTo": facts.pay_to,
        "maxTimeoutSeconds": 300,
        "extra": { "name": facts.name, "version": facts.version },
    })
}

fn encoded(value: &Value) -> String {
    BASE64_STANDARD.encode(value.to_string())
}

/// What the facilitator is asked of a payment.
fn question(chain: &Chain, payment: &str) -> Value {
    let payment: Value = serde_json::from_slice(&BASE64_STANDARD.decode(payment).unwrap()).unwrap();
    json!({ "x402Version": 2, "paymentPayload": payment, "paymentRequirements": offer(chain) })
}

async fn sell(State(chain): State<Arc<Chain>>, headers: HeaderMap) -> Response {
    if headers.get("authorization").is_none_or(|it| it != "Bearer secret") {
        return StatusCode::UNAUTHORIZED.into_response();
    }
    let Some(payment) = headers.get("payment-signature") else {
        let resource = json!({ "url": "https://svc.example.org/credits", "description": "x" });
        let asked = json!({ "x402Version": 2, "resource": resource, "accepts": [offer(&chain)] });
        let header = [("payment-required", encoded(&asked))];
        return (StatusCode::PAYMENT_REQUIRED, header, "{}").into_response();
    };
    let question = question(&chain, payment.to_str().unwrap());
    let verified = chain.post(&format!("{}/verify", chain.facilitator), &question).await;
    assert_eq!(verified["isValid"], true, "{verified}");
    let settled = chain.post(&format!("{}/settle", chain.facilitator), &question).await;
    ([("payment-response", encoded(&settled))], verified.to_string()).into_response()
}

/// The URL of a server that sells for five tokens of this chain.
async fn shop(chain: Arc<Chain>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let app = Router::new().route("/", post(sell)).with_state(chain);
    tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
    url
}

#[tokio::test]
async fn both_payers_pay_once_and_the_chain_decides_not_what_the_facilitator_says() {
    let Some(chain) = Chain::start().await.map(Arc::new) else { return };
    let url = shop(Arc::clone(&chain)).await;
    for (payer, received) in [(Payer::Python, 5_000_000), (Payer::JavaScript, 10_000_000)] {
        let paid = chain.pay(payer, &url, "secret").await;
        let settled = paid.settled.as_ref().unwrap();
        assert_eq!((paid.status, &settled["success"]), (200, &json!(true)), "{payer:?}: {paid:?}");
        assert_eq!(paid.body["payer"], *chain.facts.payer_address);
        assert_eq!(chain.received().await, received);
        let again = question(&chain, &paid.payment.unwrap());
        for call in ["verify", "settle"] {
            let refused = chain.post(&format!("{}/{call}", chain.facilitator), &again).await;
            assert!(refused["isValid"] != true && refused["success"] != true, "{refused}");
        }
        assert_eq!(chain.received().await, received);
    }
    for (behaviour, says, received) in [
        (Behaviour::Lies, true, 10_000_000),
        (Behaviour::Denies, false, 15_000_000),
        (Behaviour::Honest, true, 20_000_000),
    ] {
        chain.set_facilitator(behaviour).await;
        let settled = chain.pay(Payer::JavaScript, &url, "secret").await.settled.unwrap();
        assert_eq!(settled["success"], says, "{behaviour:?}: {settled}");
        assert_eq!(chain.received().await, received, "{behaviour:?}");
    }
    chain.set_mining(false).await;
    let settled = chain.pay(Payer::JavaScript, &url, "secret").await.settled.unwrap();
    assert_eq!(settled["errorReason"], "settlement_pending", "{settled}");
    assert_eq!(chain.received().await, 20_000_000);
    chain.mine(1).await;
    assert_eq!(chain.received().await, 25_000_000);
    // A block that comes after the end of a payment leaves the money with the payer.
    let settled = chain.pay(Payer::JavaScript, &url, "secret").await.settled.unwrap();
    assert_eq!(settled["errorReason"], "settlement_pending", "{settled}");
    chain.advance(Duration::from_hours(1)).await;
    chain.set_mining(true).await;
    assert_eq!(chain.received().await, 25_000_000);
}
