//! Live keys are refused in every text, whichever endpoint takes it.

use http::Method;
use serde_json::{Map, Value, json};
use svc_client::types::service_message::ServiceRequest;
use svc_client::types::{Code, Who, wire};

use crate::market::{Market, object};
use crate::on_both_engines;
use crate::raw::{answer, member};
use crate::world::{Ask, World, asks};

/// Fields that are secrets by type, and shown to nobody else.
const EXEMPT: [&str; 4] = ["password", "currentPassword", "newPassword", "token"];

/// The members of a request with a key in the place of each text, one after the other, and as the
/// name of a member of each object.
fn leaks(members: &Map<String, Value>, key: &str) -> Vec<Map<String, Value>> {
    let mut places = vec![String::new()];
    let (mut leaks, whole) = (Vec::new(), Value::Object(members.clone()));
    while let Some(place) = places.pop() {
        let mut leak = whole.clone();
        match leak.pointer_mut(&place).unwrap() {
            Value::Object(inner) => {
                places.extend(inner.keys().map(|name| format!("{place}/{name}")));
                inner.insert(key.to_owned(), json!(true));
            }
            Value::Array(inner) => {
                places.extend((0..inner.len()).map(|index| format!("{place}/{index}")));
                inner.push(json!(key));
            }
            Value::String(text) => key.clone_into(text),
            _ => continue,
        }
        leaks.push(object(leak));
    }
    leaks
}

/// The endpoint asked with these members by who may ask it; the code and the member of the refusal.
async fn refusal(world: &World, ask: &Ask, members: Map<String, Value>) -> (Code, String) {
    let key = match ask.who {
        Who::Developer => world.gate.key.expose(),
        _ => world.staff.key.expose(),
    };
    let mut ask = ask.clone();
    ask.members.extend(members);
    let received = answer(ask.request(&world.app).bearer_auth(key)).await;
    let refusal = received.refusal();
    (refusal.code, member(&refusal.field.unwrap_or_default()).to_owned())
}

/// Whether the endpoint takes these members as far as their form goes.
fn is_understood(ask: &Ask, members: &Map<String, Value>) -> bool {
    let body = serde_json::to_vec(members).unwrap();
    let path: Vec<&str> = ask.parameters().map(|_| "x").collect();
    (ask.understands)(&path, &body)
}

on_both_engines! {
    async fn a_live_key_is_refused_in_every_text_of_every_endpoint(
        app: TestApp, "public_url" = "http://localhost", "billing.stripe.key_file" = "stripe.key",
        "billing.stripe.webhook_secret_files" = "stripe.secret", "payouts.enabled" = "true",
        "payouts.rate" = "0.01"
    ) {
        let world = World::new(app).await;
        let key = world.bystander.member.key.expose().to_owned();
        let (mut refused, mut endpoints) = (0, 0);
        for ask in asks().iter().filter(|ask| !wire::in_query(&ask.method)) {
            let mut own = ask.members.clone();
            own.retain(|name, _| !ask.parameters().any(|parameter| parameter == name));
            let before = refused;
            for leak in leaks(&own, &key) {
                let is_exempt = |(name, value): (&String, &Value)| {
                    EXEMPT.contains(&&**name) && value.to_string().contains(&key)
                };
                let is_unknown = leak.contains_key(&key);
                if is_unknown || leak.iter().any(is_exempt) || !is_understood(ask, &leak) {
                    continue;
                }
                // What an endpoint does not know of a nested object is kept by nobody.
                let kept = (ask.texts)(&serde_json::to_vec(&leak).unwrap());
                if !kept.iter().any(|text| text.contains(&key)) {
                    continue;
                }
                let at = leak.iter().find(|(_, value)| value.to_string().contains(&key));
                let expected = (Code::CredentialInContent, at.unwrap().0.clone());
                assert_eq!(refusal(&world, ask, leak.clone()).await, expected, "{} {leak:?}", ask.name);
                refused += 1;
            }
            endpoints += usize::from(refused > before);
        }
        assert!(refused > 100 && endpoints > 40, "{refused} texts of {endpoints} endpoints");
    }

    async fn a_live_key_is_refused_behind_escapes_in_an_order(app: TestApp) {
        let market = Market::new(app).await;
        let key = market.bob.key.expose();
        let escaped = key.chars().map(|c| format!("\\u{:04x}", u32::from(c)));
        let escaped = escaped.collect::<Vec<_>>().concat();
        let order = ServiceRequest {
            input: object(json!({ "text": "KEY", "KEY": 1 })),
            ..market.order(1)
        };
        let content = json!({ "schema": "service.request", "payload": order }).to_string();
        for content in [content.replace("KEY", key), content.replace("KEY", &escaped)] {
            let body = json!({ "recipientUsername": "bob", "content": content });
            let sending = market.ada.raw(&market.app, Method::POST, "/messages").json(&body);
            let refusal = answer(sending).await.refusal();
            assert_eq!((refusal.code, refusal.field.as_deref()), (Code::CredentialInContent, Some("content")));
        }
    }

    async fn a_live_key_is_refused_as_the_name_of_a_member(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let key = bob.key.expose();
        let payload = json!({ "inside": [{ key: 1 }] });
        let body = json!({ "recipientUsername": "bob", "content": "x", "schema": "own", "payload": payload });
        let refusal = answer(ada.raw(&app, Method::POST, "/messages").json(&body)).await.refusal();
        assert_eq!(refusal.code, Code::CredentialInContent);
        assert_eq!(member(&refusal.field.unwrap()), "payload");
    }

    async fn a_revoked_key_is_accepted_in_texts(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        bob.client.auth().regenerate_api_key().await.unwrap();
        let website = format!("https://example.org/?k={}", bob.key.expose());
        let body = json!({ "website": website, "bio": bob.key.expose() });
        let changed = answer(ada.raw(&app, Method::PATCH, "/users/me").json(&body)).await.json();
        assert_eq!(changed["user"]["website"], website);
    }
}
