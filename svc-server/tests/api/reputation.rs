//! What an agent has done, signed so that others can check it.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::Method;
use serde_json::{Map, Value, json};
use svc_client::types::api::bots::GetReputation;
use svc_client::types::api::escrow::GetEscrowAttestation;
use svc_client::types::api::orders::ResponseStatus;
use svc_client::types::{Code, MessageId, Rating};

use crate::app::{Member, TestApp, code};
use crate::foreign::{Foreign, set_clock};
use crate::market::{Market, offer};
use crate::on_both_engines;
use crate::raw::answer;

/// An order that bob completed and its buyer rates.
async fn rated(market: &Market, buyer: &Member, service: &str, half_steps: u8) -> MessageId {
    let placing = buyer.client.orders().create("bob", service, Map::new());
    let id = placing.offered_credits(0).await.unwrap().order.id;
    market.bob.client.orders().answer(&id, ResponseStatus::Completed).await.unwrap();
    let rating = Rating::from_half_steps(half_steps).unwrap();
    buyer.client.orders().review(&id, rating).await.unwrap();
    id
}

/// Five orders, of which two buyers rate two services; ada's of the second one.
async fn busy(market: &Market) -> MessageId {
    let dan = market.app.agent("dan").await;
    let other = offer(&market.bob, "more", 0).await;
    for half_steps in [8, 9, 10] {
        rated(market, &market.ada, market.service.as_str(), half_steps).await;
    }
    let second = rated(market, &market.ada, other.as_str(), 8).await;
    rated(market, &dan, other.as_str(), 6).await;
    second
}

async fn read(app: &TestApp) -> Value {
    answer(app.raw(Method::GET, "/v1/bots/bob/reputation")).await.json()
}

/// A part of a token: 0 the header, 1 the claims.
fn part(token: &str, number: usize) -> Value {
    let part = token.split('.').nth(number).unwrap();
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(part).unwrap()).unwrap()
}

/// The token with another mean in its claims.
fn forged(token: &str) -> String {
    let mut claims = part(token, 1);
    claims["ratings"]["mean"] = json!(4.9);
    let parts: Vec<&str> = token.split('.').collect();
    let claims = URL_SAFE_NO_PAD.encode(claims.to_string());
    format!("{}.{claims}.{}", parts[0], parts[2])
}

/// What a foreign program finds in a token and in a forged one.
async fn judged(app: &TestApp, judge: &mut Foreign, token: &str) -> [Value; 2] {
    for line in [&*format!("{}/.well-known/jwks.json", app.root()), &*app.root(), token] {
        judge.say(line).await;
    }
    let found = judge.hear().await;
    judge.say(&forged(token)).await;
    [found, judge.hear().await]
}

on_both_engines! {
    async fn a_reputation_is_the_sum_of_an_agents_services(app: TestApp) {
        let market = Market::new(app).await;
        let fresh = read(&market.app).await["reputation"].clone();
        assert_eq!(fresh, json!({ "orders": 0, "ratings": { "count": 0, "mean": 0.0, "buyers": 0 } }));
        let second = busy(&market).await;
        let shown = read(&market.app).await;
        let expected = json!({
            "orders": 5, "successRate": 1.0, "ratings": { "count": 3, "mean": 4.0, "buyers": 2 },
        });
        assert_eq!(shown["reputation"], expected);
        market.bob.client.services().delete(&market.service).await.unwrap();
        assert_eq!(read(&market.app).await["reputation"], expected, "a withdrawn service counts");
        market.ada.client.orders().delete_review(&second).await.unwrap();
        let ratings = json!({ "count": 2, "mean": 4.0, "buyers": 2 });
        assert_eq!(read(&market.app).await["reputation"]["ratings"], ratings, "ada still rates the other one");
        market.is_consistent().await;
    }

    async fn an_attestation_names_the_agent_and_no_buyer(app: TestApp) {
        let market = Market::new(app).await;
        busy(&market).await;
        let shown = read(&market.app).await;
        let token = shown["attestation"].as_str().unwrap();
        let header = part(token, 0);
        assert_eq!((&header["typ"], &header["alg"]), (&json!("svc-reputation+jwt"), &json!("ES256")));
        let claims = part(token, 1);
        let issued = claims["iat"].as_i64().unwrap();
        assert_eq!(claims, json!({
            "iss": market.app.root(), "sub": market.bob.user.id, "iat": issued, "exp": issued + 30 * 86_400,
            "orders": 5, "successRate": 1.0, "ratings": shown["reputation"]["ratings"],
        }));
        market.app.person("pam", "correct horse").await;
        for gone in ["pam", "nobody"] {
            let asked = market.app.anonymous.bots().reputation(gone).await;
            assert_eq!(code::<GetReputation>(asked), Code::NotFound, "{gone}");
        }
    }

    async fn the_parties_of_an_escrow_get_an_attestation(app: TestApp) {
        let market = Market::new(app).await;
        let id = market.open(1).await.id;
        let of = |member: &Member| member.client.escrow().attestation(&id);
        let [seen, other] = [of(&market.ada).await.unwrap(), of(&market.bob).await.unwrap()];
        let claims = part(&seen.attestation, 1);
        assert_eq!(claims, part(&other.attestation, 1));
        assert_eq!(claims["sub"], json!(market.bob.user.id));
        let expected = json!({ "id": id, "status": "funded", "serviceId": market.service });
        assert_eq!(claims["escrow"], expected);
        assert!(!claims.to_string().contains(market.ada.user.id.as_str()), "{claims}");
        market.deliver(&id).await;
        market.dispute(&id).await;
        let judge = market.app.agent("judge").await;
        market.app.grant_role("judge", "moderator").await;
        for stranger in [&judge, &market.app.agent("eve").await] {
            assert_eq!(code::<GetEscrowAttestation>(of(stranger).await), Code::NotFound);
        }
    }

    async fn pyjwt_verifies_an_attestation_and_refuses_a_changed_one(app: TestApp) {
        let library = ["-c", "import jwt, cryptography"];
        let Some(mut judge) = Foreign::start("python3", "reputation.py", &library).await else { return };
        let market = Market::new(app).await;
        set_clock(&market.app);
        busy(&market).await;
        let token = read(&market.app).await["attestation"].as_str().unwrap().to_owned();
        let [found, changed] = judged(&market.app, &mut judge, &token).await;
        assert_eq!(found, json!({ "typ": "svc-reputation+jwt", "sub": market.bob.user.id, "mean": 4.0 }));
        assert_eq!(changed, json!({ "refused": "InvalidSignatureError" }));
    }

    async fn jose_verifies_an_attestation_and_refuses_a_changed_one(app: TestApp) {
        let library = ["-e", "require.resolve('jose')"];
        let Some(mut judge) = Foreign::start("node", "reputation.cjs", &library).await else { return };
        let market = Market::new(app).await;
        set_clock(&market.app);
        busy(&market).await;
        let token = read(&market.app).await["attestation"].as_str().unwrap().to_owned();
        let [found, changed] = judged(&market.app, &mut judge, &token).await;
        assert_eq!(found, json!({ "typ": "svc-reputation+jwt", "sub": market.bob.user.id, "mean": 4 }));
        assert_eq!(changed, json!({ "refused": "ERR_JWS_SIGNATURE_VERIFICATION_FAILED" }));
    }
}
