//! The input that a provider asks for while an order is open, and inputs that do not fit their schema.

use http::Method;
use serde_json::{Value, json};
use svc_client::types::Code;
use svc_client::types::api::orders::{
    InputOrder, OrderStatus, ProgressOrder, ProgressState, ResponseStatus,
};

use super::lifecycle::{DAY, actions};
use super::refused;
use crate::app::{code, fault};
use crate::market::{Market, object};
use crate::on_both_engines;
use crate::raw::answer;

on_both_engines! {
    async fn each_member_of_an_input_that_does_not_fit_is_named(app: TestApp) {
        let market = Market::new(app).await;
        let id = market.placed().await.id;
        let schema = object(json!({
            "type": "object",
            "properties": { "lang": { "enum": ["en", "de"] }, "n": { "type": "integer" } },
        }));
        let bob = market.bob.client.orders();
        let asking = bob.progress(&id, ProgressState::InputRequired).prompt("Which language?");
        asking.prompt_schema(schema).await.unwrap();
        let request = market.app.raw(Method::POST, &format!("/orders/{id}/input"));
        let request = request.bearer_auth(market.ada.key.expose());
        let input = json!({ "promptId": "1", "input": { "lang": "fr", "n": "x" } });
        let refusal = answer(request.json(&input)).await.refusal();
        assert_eq!(refusal.code, Code::InputSchemaMismatch);
        let mut fields: Vec<&str> = refusal.errors.iter().map(|one| &*one.field).collect();
        assert_eq!(Some(fields[0]), refusal.field.as_deref());
        fields.sort_unstable();
        assert_eq!(fields, ["/input/lang", "/input/n"]);
    }

    async fn an_order_names_each_member_of_its_input_that_does_not_fit(app: TestApp) {
        let market = Market::new(app).await;
        let number = json!({ "type": "integer" });
        let schema = json!({ "type": "object", "properties": { "n": number, "m": number } });
        let update = market.bob.client.services().update(&market.service);
        update.input_schema(object(schema)).await.unwrap();
        let body = json!({
            "providerUsername": "bob", "serviceId": market.service, "maxCredits": 10,
            "input": { "n": "x", "m": "y" },
        });
        let refusal = market.sent(&market.ada, Method::POST, "/orders", &body).await.refusal();
        assert_eq!(refusal.code, Code::InputSchemaMismatch);
        let mut fields: Vec<&str> = refusal.errors.iter().map(|one| &*one.field).collect();
        assert_eq!(Some(fields[0]), refusal.field.as_deref());
        fields.sort_unstable();
        assert_eq!(fields, ["/input/m", "/input/n"]);
    }

    async fn a_provider_asks_and_the_buyer_gives_the_input(app: TestApp) {
        let market = Market::new(app).await;
        let id = market.placed().await.id;
        let (ada, bob) = (market.ada.client.orders(), market.bob.client.orders());
        let (early, hint) = refused::<InputOrder>(ada.input(&id, "1", json!(1)).await);
        assert_eq!((early, &*hint), (Code::WrongState, "open"));
        let schema = object(json!({ "type": "object", "required": ["lang"], "properties": { "lang": { "enum": ["en", "de"] } } }));
        let asking = bob.progress(&id, ProgressState::InputRequired).prompt("Which language?").prompt_schema(schema.clone());
        let asked = asking.await.unwrap().order;
        let prompt = asked.prompt.clone().unwrap();
        assert_eq!((&asked.status, &*prompt.id, &*prompt.text, prompt.schema), (&OrderStatus::InputRequired, "1", "Which language?", Some(schema)));
        assert_eq!(asked, market.order_seen(&id).await);
        let wrong = ada.input(&id, "1", json!({ "lang": "fr" })).await.unwrap_err();
        assert_eq!((wrong.code(), wrong.field()), (Some(&Code::InputSchemaMismatch), Some("/input/lang")));
        let wrong = ada.input(&id, "1", json!(7)).await;
        assert_eq!(fault::<InputOrder>(wrong), (Code::InputSchemaMismatch, "input".to_owned()));
        for input in [Value::Null, json!("x".repeat(64 * 1024))] {
            let wrong = ada.input(&id, "1", input).await;
            assert_eq!(fault::<InputOrder>(wrong), (Code::ValidationFailed, "input".to_owned()));
        }
        let (other, hint) = refused::<InputOrder>(ada.input(&id, "2", json!({ "lang": "de" })).await);
        assert_eq!((other, &*hint), (Code::WrongState, "input_required"));
        assert_eq!(code::<InputOrder>(bob.input(&id, "1", json!({ "lang": "de" })).await), Code::Forbidden);
        assert_eq!(market.order_seen(&id).await, asked, "what was refused changed nothing");
        market.app.advance(5);
        let given = ada.input(&id, "1", json!({ "lang": "de" })).await.unwrap().order;
        let prompt = given.prompt.clone().unwrap();
        assert_eq!((&given.status, prompt.input), (&OrderStatus::Working, Some(json!({ "lang": "de" }))));
        assert_eq!(prompt.input_at, Some(given.created_at.plus(std::time::Duration::from_secs(5))));
        let (again, hint) = refused::<InputOrder>(ada.input(&id, "1", json!({ "lang": "en" })).await);
        assert_eq!((again, &*hint), (Code::WrongState, "working"));
        assert_eq!(actions(&market.bob).await, ["placed", "input_given"]);
        assert_eq!(actions(&market.ada).await, ["input_required"]);
        let listed = market.ada.client.notifications().list().await.unwrap().notifications;
        assert_eq!(listed[0].text.as_deref(), Some("@bob needs your input, @ada"));
        market.bob.client.orders().progress(&id, ProgressState::Working).await.unwrap();
        assert_eq!(market.order_seen(&id).await.prompt, given.prompt, "it is kept until the next");
        let next = bob.progress(&id, ProgressState::InputRequired).prompt("And which font?").await.unwrap().order;
        let prompt = next.prompt.unwrap();
        assert_eq!((&*prompt.id, prompt.schema, prompt.input, prompt.input_at), ("2", None, None, None));
        bob.answer(&id, ResponseStatus::Completed).await.unwrap();
        let (closed, hint) = refused::<InputOrder>(ada.input(&id, "2", json!("serif")).await);
        assert_eq!((closed, &*hint), (Code::WrongState, "completed"));
    }

    async fn the_schema_of_a_question_is_run_within_a_step_limit(app: TestApp) {
        let market = Market::new(app).await;
        let id = market.placed().await.id;
        let branches: Vec<Value> = (0..900).map(|n| json!({ "const": n + 1 })).collect();
        let schema = object(json!({ "items": { "not": { "anyOf": branches } } }));
        let asking = market.bob.client.orders().progress(&id, ProgressState::InputRequired);
        asking.prompt("?").prompt_schema(schema).await.unwrap();
        let input = json!(vec![0; 19_000]);
        let error = market.ada.client.orders().input(&id, "1", input).await.unwrap_err();
        assert_eq!(error.code(), Some(&Code::InputSchemaMismatch));
        assert!(error.hint().unwrap().contains("steps"), "{error:?}");
    }

    async fn the_clock_runs_while_an_input_is_awaited(app: TestApp) {
        let market = Market::new(app).await;
        let id = market.placed().await.id;
        market.bob.client.orders().progress(&id, ProgressState::InputRequired).prompt("?").await.unwrap();
        market.app.advance(DAY);
        let (late, hint) = refused::<InputOrder>(market.ada.client.orders().input(&id, "1", json!(1)).await);
        assert_eq!((late, &*hint), (Code::WrongState, "expired"));
        let id = market.placed().await.id;
        market.app.advance(DAY);
        let (late, hint) = refused::<ProgressOrder>(market.bob.client.orders().progress(&id, ProgressState::Working).await);
        assert_eq!((late, &*hint), (Code::RequestClosed, "expired"));
        assert_eq!(market.have().await, ["100+0", "100+0"]);
        market.is_consistent().await;
    }
}
