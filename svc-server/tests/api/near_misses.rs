//! Texts that resemble a service message, and members that a service message does not have.

use http::Method;
use serde_json::{Value, json};
use svc_client::types::Code;

use crate::app::{Member, TestApp};
use crate::market::offer;
use crate::on_both_engines;
use crate::raw::{Raw, answer};

async fn send(app: &TestApp, from: &Member, more: Value) -> Raw {
    let mut body = json!({ "recipientUsername": "wordbot" });
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    answer(from.raw(app, Method::POST, "/messages").json(&body)).await
}

on_both_engines! {
    async fn what_resembles_an_order_is_refused_with_the_right_form(app: TestApp) {
        let [ada, wordbot] = app.agents(["ada", "wordbot"]).await;
        for (content, schema) in [
            (json!({ "type": "service.request" }), "service.request"),
            (json!({ "schema": "service.reqest", "payload": {} }), "service.request"),
            (json!({ "serviceId": "srv_1", "input": { "text": "a" } }), "service.request"),
            (json!({ "type": "service.response", "payload": {} }), "service.response"),
            (json!({ "requestId": "msg_1", "status": "completed" }), "service.response"),
        ] {
            let refused = send(&app, &ada, json!({ "content": content.to_string() })).await.refusal();
            assert_eq!((refused.code, refused.field.as_deref()), (Code::InvalidServiceMessage, Some("content")));
            let hint = refused.hint.unwrap();
            assert!(hint.starts_with(&format!("{{\"schema\":\"{schema}\",\"payload\":{{")), "{hint}");
            assert!(refused.error.contains("`plain: true`"), "{}", refused.error);
        }
        assert_eq!(wordbot.client.messages().list().await.unwrap().messages, []);
        let batch = json!({ "operations": [{ "op": "send_message", "recipientUsername": "wordbot",
            "content": "{\"type\":\"service.request\"}" }] });
        let batch = answer(ada.raw(&app, Method::POST, "/batch").json(&batch)).await.json();
        assert_eq!(batch["results"][0]["body"]["code"], "invalid_service_message", "{batch}");
    }

    async fn what_is_meant_as_an_order_and_is_no_json_is_refused(app: TestApp) {
        let [ada, wordbot] = app.agents(["ada", "wordbot"]).await;
        let order = r#"{"schema": "service.request", "payload": {"serviceId": "srv_1", "input": {"n": 1}}}"#;
        let not_a_number = order.replace("1}}}", "NaN}}}");
        for (content, why) in [
            (not_a_number.clone(), "is no valid JSON (expected value at line 1"),
            (order.replace('"', "'"), "is no valid JSON"),
            (json!(order).to_string(), "is encoded as JSON twice"),
        ] {
            let refused = send(&app, &ada, json!({ "content": content })).await.refusal();
            assert_eq!((refused.code, refused.field.as_deref()), (Code::InvalidServiceMessage, Some("content")));
            assert!(refused.error.contains(why), "{}", refused.error);
            assert!(refused.hint.unwrap().starts_with("{\"schema\":\"service.request\""));
        }
        assert_eq!(wordbot.client.messages().list().await.unwrap().messages, []);
        let sent = send(&app, &ada, json!({ "content": not_a_number, "plain": true })).await.json();
        assert_eq!(sent["message"]["content"], not_a_number);
    }

    async fn an_order_that_is_an_object_in_place_of_its_json_is_refused_as_that(app: TestApp) {
        let [ada, _] = app.agents(["ada", "wordbot"]).await;
        let order = json!({ "schema": "service.request", "payload": { "serviceId": "srv_1" } });
        let refused = send(&app, &ada, json!({ "content": order })).await.refusal();
        assert_eq!((refused.code, refused.field.as_deref()), (Code::ValidationFailed, Some("content")));
        assert_eq!(refused.hint.as_deref(), Some("send a JSON string, not an object"));
    }

    async fn it_is_sent_as_text_if_the_sender_says_so(app: TestApp) {
        let [ada, wordbot] = app.agents(["ada", "wordbot"]).await;
        let content = json!({ "requestId": 7, "status": "ok" }).to_string();
        let sent = send(&app, &ada, json!({ "content": content, "plain": true })).await.json();
        assert_eq!(sent["message"]["content"], content);
        assert!(sent["message"]["request"].is_null());
        let read = wordbot.client.messages().list().await.unwrap().messages;
        assert_eq!(read[0].content, content);
        let refused = send(&app, &ada, json!({ "content": content, "plain": false })).await.refusal();
        assert_eq!(refused.code, Code::InvalidServiceMessage);
    }

    async fn plain_makes_no_text_of_a_service_message(app: TestApp) {
        let [ada, _] = app.agents(["ada", "wordbot"]).await;
        let content = json!({ "schema": "service.request", "payload": {} }).to_string();
        let refused = send(&app, &ada, json!({ "content": content, "plain": true })).await.refusal();
        assert_eq!(refused.field.as_deref(), Some("/payload/serviceId"));
    }

    async fn unknown_members_of_a_service_message_are_taken_and_named(app: TestApp) {
        let [ada, wordbot] = app.agents(["ada", "wordbot"]).await;
        let service = offer(&wordbot, "count", 5).await;
        for prefer in ["handling=lenient", "handling=strict"] {
            let order = json!({ "schema": "service.request", "priority": 1, "payload": {
                "serviceId": service, "serviceName": "count", "input": { "text": "a", "tone": 1 },
                "offeredCredits": 5, "dueBy": "soon", "a, b": 1,
            } });
            let body = json!({ "recipientUsername": "wordbot", "content": order.to_string() });
            let sent = ada.raw(&app, Method::POST, "/messages").header("prefer", prefer).json(&body);
            let sent = answer(sent).await;
            let ignored: Vec<&str> = sent.header("svc-ignored").unwrap().split(", ").collect();
            assert_eq!(ignored, ["/priority", "/payload/a%2C%20b", "/payload/dueBy"]);
            assert_eq!(sent.json()["message"]["request"]["status"], "open");
        }
    }
}
