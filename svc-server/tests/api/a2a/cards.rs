//! Agent cards: what they say, who has one, and that nobody can change them unseen.

use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED, ParsedPublicKey};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::Method;
use serde_json::{Value, json};
use svc_client::types::api::services::Acceptance;

use crate::app::TestApp;
use crate::market::{Market, offer};
use crate::on_both_engines;
use crate::raw::{Raw, answer};

const PATH: &str = "/../a2a/bob/.well-known/agent-card.json";

async fn card(app: &TestApp, path: &str) -> Raw {
    answer(app.raw(Method::GET, path)).await
}

/// Checks the signature of a card as RFC 7515 says, by the keys that the server publishes.
async fn is_signed(app: &TestApp, card: &Value) -> bool {
    let mut signed = card.clone();
    let signatures = signed.as_object_mut().unwrap().remove("signatures").unwrap();
    let protected = signatures[0]["protected"].as_str().unwrap();
    let header: Value =
        serde_json::from_slice(&URL_SAFE_NO_PAD.decode(protected).unwrap()).unwrap();
    assert_eq!((&header["alg"], &header["typ"]), (&json!("ES256"), &json!("JOSE")));
    let keys = app.document("/.well-known/jwks.json").await;
    let key =
        keys["keys"].as_array().unwrap().iter().find(|key| key["kid"] == header["kid"]).unwrap();
    let part = |name: &str| URL_SAFE_NO_PAD.decode(key[name].as_str().unwrap()).unwrap();
    let point = [vec![4], part("x"), part("y")].concat();
    let public = ParsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point).unwrap();
    let payload = serde_json_canonicalizer::to_vec(&signed).unwrap();
    let text = format!("{protected}.{}", URL_SAFE_NO_PAD.encode(payload));
    let signature = URL_SAFE_NO_PAD.decode(signatures[0]["signature"].as_str().unwrap()).unwrap();
    public.verify_sig(text.as_bytes(), &signature).is_ok()
}

on_both_engines! {
    async fn a_card_names_the_services_and_is_signed(app: TestApp) {
        let market = Market::new(app).await;
        let (app, bob) = (&market.app, &market.bob);
        let edit = bob.client.users().update_me().display_name("Bob's bureau");
        edit.bio("I count, and translate to español").await.unwrap();
        bob.client.services().update(&market.service).tags(["count".into()]).acceptance(Acceptance::Explicit).await.unwrap();
        let other = offer(bob, "other", 0).await;
        let received = card(app, PATH).await;
        let (read, root) = (received.json(), app.root());
        assert_eq!(received.header("content-type"), Some("application/json"));
        assert_eq!(received.header("access-control-allow-origin"), Some("*"));
        assert_eq!(received.header("cache-control"), Some("public, max-age=300"));
        assert_eq!((&read["name"], &read["description"]), (&json!("Bob's bureau"), &json!("I count, and translate to español")));
        let interface = |binding: &str| json!({
            "url": format!("{root}/a2a/bob"), "protocolBinding": binding, "protocolVersion": "1.0",
        });
        assert_eq!(read["supportedInterfaces"], json!([interface("JSONRPC"), interface("HTTP+JSON")]));
        assert_eq!(read["capabilities"]["streaming"], true);
        let extension = &read["capabilities"]["extensions"][0];
        assert_eq!((&extension["uri"], &extension["required"]), (&json!(app.extension()), &json!(true)));
        assert_eq!(extension["params"]["prices"], json!({ market.service.as_str(): 5, other.as_str(): 0 }));
        assert_eq!(read["skills"], json!([
            { "id": market.service, "name": "work", "description": "does what it is called", "tags": ["count"],
              "inputModes": ["application/json"], "outputModes": ["application/json"] },
            { "id": other, "name": "other", "description": "does what it is called", "tags": ["service"],
              "inputModes": ["application/json"], "outputModes": ["application/json"] },
        ]));
        let requirement = |scheme: &str| json!({ "schemes": { scheme: { "list": ["read", "exchange:spend"] } } });
        assert_eq!(read["securityRequirements"], json!([requirement("apiKey"), requirement("oauth")]));
        assert_eq!(read["securitySchemes"]["apiKey"]["httpAuthSecurityScheme"]["scheme"], "Bearer");
        assert!(is_signed(app, &read).await);
        for path in ["/skills/0/name", "/capabilities/extensions/0/params/schemas", "/version"] {
            let mut forged = read.clone();
            let text = forged.pointer_mut(path).unwrap();
            *text = json!(format!("{}x", text.as_str().unwrap()));
            assert!(!is_signed(app, &forged).await, "{path}");
        }
    }

    async fn the_uri_of_the_extension_leads_to_its_description(app: TestApp) {
        let read = card(&app, "/../a2a/ext/credits/v1").await;
        assert_eq!((read.status.as_u16(), read.header("content-type")), (200, Some("text/markdown; charset=utf-8")));
        assert!(read.text.contains(&app.extension()) && read.text.contains("maxCredits"), "{}", read.text);
        assert!(!read.text.contains("{root}"), "{}", read.text);
        // The name is free for agents.
        offer(&app.agent("ext").await, "work", 5).await;
        let read = card(&app, "/../a2a/ext/.well-known/agent-card.json").await.json();
        assert_eq!(read["name"], "ext");
    }

    async fn only_selling_agents_have_a_card(app: TestApp) {
        let market = Market::new(app).await;
        market.app.person("carol", "correct horse").await;
        for name in ["ada", "carol", "nobody", "%00"] {
            let refused = card(&market.app, &format!("/../a2a/{name}/.well-known/agent-card.json")).await;
            assert!(matches!(refused.status.as_u16(), 400 | 404), "{name}: {}", refused.text);
            refused.refusal();
        }
        assert_eq!(card(&market.app, "/../a2a/BOB/.well-known/agent-card.json").await.json()["name"], "bob");
        market.bob.client.services().update(&market.service).active(false).await.unwrap();
        assert_eq!(card(&market.app, PATH).await.status.as_u16(), 404);
        market.bob.client.services().update(&market.service).active(true).await.unwrap();
        let tag = card(&market.app, PATH).await.header("etag").unwrap().to_owned();
        market.app.suspend("bob").await;
        assert_eq!(card(&market.app, PATH).await.status.as_u16(), 404);
        let known = market.app.raw(Method::GET, PATH).header("if-none-match", &tag);
        assert_eq!(answer(known).await.status.as_u16(), 404, "also where it is known");
    }

    async fn a_card_is_sent_again_only_when_it_has_changed(app: TestApp) {
        let market = Market::new(app).await;
        let first = card(&market.app, PATH).await;
        let tag = first.header("etag").unwrap().to_owned();
        let again = || answer(market.app.raw(Method::GET, PATH).header("if-none-match", &tag));
        let unchanged = again().await;
        assert_eq!((unchanged.status.as_u16(), &*unchanged.text), (304, ""));
        assert_eq!(unchanged.header("etag"), Some(&*tag));
        let other = card(&market.app, PATH).await.json();
        assert_eq!(other["version"], first.json()["version"]);
        let version = other["version"].as_str().unwrap();
        let build = version.strip_prefix("1.0.0+").unwrap();
        assert!(build.bytes().all(|byte| byte.is_ascii_alphanumeric()), "{version}");
        market.bob.client.services().update(&market.service).price(6).await.unwrap();
        let changed = again().await;
        assert_eq!(changed.status.as_u16(), 200);
        assert_ne!(changed.header("etag"), Some(&*tag));
        assert_ne!(changed.json()["version"], other["version"]);
    }

    async fn the_platform_has_a_signed_card_of_its_own(app: TestApp) {
        let read = card(&app, "/../.well-known/agent-card.json").await.json();
        assert_eq!(read["supportedInterfaces"], json!([
            { "url": format!("{}/a2a", app.root()), "protocolBinding": "JSONRPC", "protocolVersion": "1.0" },
        ]));
        assert_eq!(read["skills"][0]["id"], "discover");
        assert!(is_signed(&app, &read).await);
    }

    async fn the_platform_answers_a_search_with_cards(app: TestApp) {
        let market = Market::new(app).await;
        let call = async |method: &str, params: Value| {
            let sent = market.app.raw(Method::POST, "/../a2a").header("a2a-version", "1.0");
            answer(sent.json(&super::rpc(method, &params))).await.json()
        };
        let search = async |text: &str| {
            let message = super::message("m1", &json!([{ "text": text }]));
            call("SendMessage", json!({ "message": message })).await
        };
        let found = search("work").await["result"]["message"].take();
        let url = format!("{}/a2a/bob/.well-known/agent-card.json", market.app.root());
        assert_eq!((&found["role"], &found["contextId"]), (&json!("ROLE_AGENT"), &json!("m1")));
        assert_eq!(found["parts"][0]["text"], json!(url));
        let agent = &found["parts"][1]["data"]["agents"][0];
        assert_eq!((&agent["card"], &agent["username"]), (&json!(url), &json!("bob")));
        assert_eq!(agent["services"][0]["id"], json!(market.service));
        let none = search("nothing of the kind").await;
        assert_eq!(none["result"]["message"]["parts"][1]["data"], json!({ "agents": [] }));
        let refused = search(&"x".repeat(101)).await;
        assert_eq!(refused["error"]["data"][1]["fieldViolations"][0]["field"], "message.parts", "{refused}");
        let absent = call("GetTask", json!({ "id": "msg_x" })).await;
        assert_eq!(super::named(&absent), (-32001, "TASK_NOT_FOUND".to_owned()));
        let tasks = call("ListTasks", json!({ "id": "msg_x" })).await;
        assert_eq!(tasks["result"]["tasks"], json!([]));
    }
}
