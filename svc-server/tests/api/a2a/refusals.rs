//! What is refused, in the words of the protocol, and changes nothing.

use http::Method;
use serde_json::{Value, json};
use svc_client::types::Scope;

use super::{message, named, order, rpc};
use crate::app::Member;
use crate::market::Market;
use crate::oauth::asking;
use crate::on_both_engines;
use crate::raw::answer;

on_both_engines! {
    async fn only_the_buyer_sees_a_task_and_only_at_its_agent(app: TestApp) {
        let market = Market::new(app).await;
        let carol = market.app.agent("carol").await;
        let id = json!({ "id": market.task("m-1").await["id"] });
        for other in [&market.bob, &carol] {
            for method in ["GetTask", "CancelTask", "SubscribeToTask"] {
                let refused = market.call(other, method, &id).await.json();
                assert_eq!(named(&refused), (-32001, "TASK_NOT_FOUND".to_owned()), "{method}");
            }
            let input = json!({ "message": { "messageId": "x", "role": "ROLE_USER", "taskId": id["id"], "parts": [{ "data": 1 }] } });
            assert_eq!(named(&market.call(other, "SendMessage", &input).await.json()).0, -32001);
            let listed = market.call(other, "ListTasks", &json!({})).await.json();
            assert!(listed["result"]["tasks"].as_array().is_none_or(Vec::is_empty), "{listed}");
        }
        let elsewhere = market.ada.raw(&market.app, Method::POST, "/../a2a/carol").header("a2a-version", "1.0");
        assert_eq!(named(&answer(elsewhere.json(&rpc("GetTask", &id))).await.json()).0, -32001);
        let listed = async |by: &Member, agent: &str| {
            let request = by.raw(&market.app, Method::POST, &format!("/../a2a/{agent}"));
            let request = request.header("a2a-version", "1.0").json(&rpc("ListTasks", &json!({})));
            answer(request).await.json()["result"]["tasks"].clone()
        };
        assert_eq!(listed(&market.ada, "carol").await, json!([]), "carol has no task of ada's");
        assert_eq!(listed(&market.bob, "ada").await, json!([]), "bob sold to ada, and ordered nothing");
        for wrong in ["msg_x", "", "../orders", "quote_srv_x", "a b", "\u{0}"] {
            assert_eq!(market.error("GetTask", &json!({ "id": wrong })).await.0, -32001, "{wrong:?}");
        }
    }

    async fn a_credential_is_needed_and_a_cookie_is_none(app: TestApp) {
        let market = Market::new(app).await;
        market.app.person("carol", "correct horse").await;
        let cookie = market.app.sign_in("carol", "correct horse").await;
        let request = || market.app.raw(Method::POST, "/../a2a/bob").header("a2a-version", "1.0").json(&rpc("ListTasks", &json!({})));
        for sent in [
            request(),
            request().bearer_auth("svc_ak_wrong"),
            request().header("cookie", cookie).header("sec-fetch-site", "same-origin"),
        ] {
            let refused = answer(sent).await;
            assert_eq!(refused.status.as_u16(), 401);
            let challenge = refused.header("www-authenticate").unwrap();
            assert!(challenge.starts_with("Bearer resource_metadata=") && challenge.ends_with("scope=\"read\""), "{challenge}");
            let body: Value = serde_json::from_str(&refused.text).unwrap();
            assert_eq!((named(&body), &body["id"]), ((-32000, "UNAUTHORIZED".to_owned()), &Value::Null));
            assert_eq!(body["error"]["data"][0]["metadata"]["requestId"], refused.header("x-request-id").unwrap());
        }
    }

    async fn scopes_and_caps_of_a_key_hold(app: TestApp) {
        let market = Market::new(app).await;
        let (app, ada) = (&market.app, &market.ada);
        let reading = ada.client.keys().create("reader", vec![Scope::Read]).await.unwrap().api_key;
        let post = |body: Value| app.raw(Method::POST, "/../a2a/bob").header("a2a-version", "1.0").bearer_auth(reading.expose()).json(&body);
        let listed = answer(post(rpc("ListTasks", &json!({})))).await.json();
        assert_eq!(listed["result"]["tasks"], json!([]));
        let refused = answer(post(rpc("SendMessage", &market.sending("m-1")))).await;
        assert_eq!(refused.status.as_u16(), 403);
        assert!(refused.header("www-authenticate").unwrap().contains("scope=\"exchange:spend\""));
        let body: Value = serde_json::from_str(&refused.text).unwrap();
        assert_eq!(named(&body), (-32000, "INSUFFICIENT_SCOPE".to_owned()));
        let elsewhere = ada.client.keys().create("elsewhere", vec![Scope::Read]).allow_from(["10.0.0.0/8".into()]).await;
        let key = elsewhere.unwrap().api_key;
        let post = app.raw(Method::POST, "/../a2a/bob").header("a2a-version", "1.0").bearer_auth(key.expose());
        let refused = answer(post.json(&rpc("ListTasks", &json!({})))).await.json();
        assert_eq!(named(&refused), (-32000, "ADDRESS_NOT_ALLOWED".to_owned()));
        let here = ada.client.keys().create("here", vec![Scope::Read]).allow_from(["127.0.0.0/8".into()]).await;
        let key = here.unwrap().api_key;
        let post = app.raw(Method::POST, "/../a2a/bob").header("a2a-version", "1.0").bearer_auth(key.expose());
        let listed = answer(post.json(&rpc("ListTasks", &json!({})))).await.json();
        assert_eq!(listed["result"]["tasks"], json!([]));
        assert_eq!(market.have().await, ["100+0", "100+0"]);
    }

    async fn a_token_for_the_api_places_orders(app: TestApp) {
        let market = Market::new(app).await;
        let dana = market.app.visitor("dana").await;
        market.app.grant_credits("dana", 50).await;
        let client = market.app.register_client(&["https://gate.example.org/done"]).await;
        let asked = asking(&client, "read exchange:spend");
        let code = dana.agree(&market.app, &asked).await;
        let tokens = market.app.redeem(&client, &code).await.json();
        let token = tokens["access_token"].as_str().unwrap();
        let post = |id: &str| {
            let request = market.app.raw(Method::POST, "/../a2a/bob").header("a2a-version", "1.0");
            answer(request.bearer_auth(token).json(&rpc("SendMessage", &market.sending(id))))
        };
        assert_eq!(super::state(&post("m-1").await.json()["result"]["task"]), "TASK_STATE_SUBMITTED");
        let mut last = Value::Null;
        for number in 2..=12 {
            last = post(&format!("m-{number}")).await.json();
        }
        assert_eq!(named(&last), (-32000, "SPEND_LIMIT".to_owned()), "the consent allows 50 credits a day");
    }

    async fn another_version_is_refused(app: TestApp) {
        let market = Market::new(app).await;
        let call = |version: Option<&str>, query: &str| {
            let mut request = market.ada.raw(&market.app, Method::POST, &format!("/../a2a/bob{query}"));
            if let Some(version) = version {
                request = request.header("a2a-version", version);
            }
            answer(request.json(&rpc("ListTasks", &json!({}))))
        };
        for version in [None, Some("0.3"), Some("1.1"), Some("2.0")] {
            let refused = call(version, "").await.json();
            assert_eq!(named(&refused), (-32009, "VERSION_NOT_SUPPORTED".to_owned()));
        }
        for (version, query) in [(Some("1.0"), ""), (Some("1.0.1"), ""), (None, "?A2A-Version=1.0")] {
            assert!(call(version, query).await.json().get("result").is_some());
        }
    }

    async fn a_malformed_request_is_named(app: TestApp, "limits.body_bytes" = "4000") {
        let market = Market::new(app).await;
        let post = |body: &str| {
            let request = market.posting(&market.ada, "").header("content-type", "application/json");
            answer(request.body(body.to_owned()))
        };
        for (body, code) in [
            ("{", -32700),
            ("[]", -32600),
            ("{}", -32600),
            (r#"{"jsonrpc":"1.0","id":1,"method":"ListTasks"}"#, -32600),
            (r#"{"jsonrpc":"2.0","method":"ListTasks"}"#, -32600),
            (r#"{"jsonrpc":"2.0","id":{},"method":"ListTasks"}"#, -32600),
            (r#"[{"jsonrpc":"2.0","id":1,"method":"ListTasks"}]"#, -32600),
            (r#"{"jsonrpc":"2.0","id":1,"method":"tasks/get"}"#, -32601),
            (r#"{"jsonrpc":"2.0","id":1,"method":"GetTask","params":{}}"#, -32602),
            (r#"{"jsonrpc":"2.0","id":1,"method":"GetTask","params":[]}"#, -32602),
            (r#"{"jsonrpc":"2.0","id":1,"method":"GetExtendedAgentCard"}"#, -32004),
            (r#"{"jsonrpc":"2.0","id":1,"method":"CreateTaskPushNotificationConfig"}"#, -32003),
        ] {
            assert_eq!(named(&post(body).await.json()).0, code, "{body}");
        }
        let named_id = post(r#"{"jsonrpc":"2.0","id":"x","method":"no"}"#).await.json();
        assert_eq!(named_id["id"], "x");
        let wrong_type = answer(market.posting(&market.ada, "").header("content-type", "text/plain").body("{}")).await;
        assert_eq!(wrong_type.status.as_u16(), 415);
        let large = json!({ "pad": "x".repeat(4000) }).to_string();
        assert_eq!(post(&large).await.status.as_u16(), 413);
        assert_eq!(answer(market.ada.raw(&market.app, Method::GET, "/../a2a/bob")).await.status.as_u16(), 405);
    }

    async fn a_wrong_message_places_no_order(app: TestApp) {
        let market = Market::new(app).await;
        let service = &market.service;
        let extension = market.app.extension();
        let spend = |metadata: Value| {
            let mut message = order("m", service, &json!({}));
            message["metadata"] = metadata;
            json!({ "message": message })
        };
        let parts = |parts: Value| json!({ "message": message("m", &parts), "metadata": market.app.at_most(10) });
        let mut by_agent = spend(market.app.at_most(10));
        by_agent["message"]["role"] = json!("ROLE_AGENT");
        let mut pushing = spend(market.app.at_most(10));
        pushing["configuration"] = json!({ "taskPushNotificationConfig": { "url": "https://example.org" } });
        let mut low = spend(market.app.at_most(4));
        low["metadata"] = market.app.at_most(10);
        low["configuration"] = json!({ "returnImmediately": true });
        let mut long = spend(market.app.at_most(10));
        long["message"]["messageId"] = json!("x".repeat(65));
        for (params, code) in [
            (spend(json!({ extension.clone(): { "maxCredit": 10 } })), -32602),
            (spend(json!({ extension.clone(): { "maxCredits": -1 } })), -32602),
            (spend(json!({ extension.clone(): { "maxCredits": "10" } })), -32602),
            (spend(json!({ extension.clone(): 10 })), -32602),
            (spend(market.app.at_most(4)), -32000),
            (low, -32000),
            (parts(json!([])), -32602),
            (parts(json!([{}])), -32602),
            (parts(json!([{ "text": "a", "data": 1 }])), -32602),
            (parts(json!([{ "data": {} }, { "data": {} }])), -32602),
            (parts(json!([{ "data": "text" }])), -32602),
            (parts(json!([{ "data": { "input": {} } }])), -32602),
            (parts(json!([{ "data": { "serviceId": service } }])), -32602),
            (parts(json!([{ "data": { "serviceId": service, "input": {}, "maxCredits": 5 } }])), -32602),
            (parts(json!([{ "data": { "serviceId": "srv_x", "input": {} } }])), -32602),
            (parts(json!([{ "url": "https://example.org/a.png" }])), -32005),
            (parts(json!([{ "raw": "AAAA" }])), -32005),
            (parts(json!([{ "text": "does it take text?" }])), -32005),
            (by_agent, -32602),
            (pushing, -32003),
            (long, -32602),
        ] {
            let refused = market.call(&market.ada, "SendMessage", &params).await.json();
            assert_eq!(named(&refused).0, code, "{params} {refused}");
        }
        let above = market.call(&market.ada, "SendMessage", &spend(market.app.at_most(4))).await.json();
        let info = &above["error"]["data"][0];
        assert_eq!((&info["reason"], &info["metadata"]["code"]), (&json!("PRICE_ABOVE_MAX"), &json!("price_above_max")));
        assert!(info["metadata"]["hint"].as_str().unwrap().contains('5'), "{info}");
        let mut published = spend(market.app.at_most(10));
        published["message"]["parts"][0]["data"]["input"] = json!({ "note": market.ada.key.expose() });
        let published = market.call(&market.ada, "SendMessage", &published).await.json();
        assert_eq!(published["error"]["data"][0]["metadata"]["code"], "credential_in_content");
        assert_eq!(market.have().await, ["100+0", "100+0"]);
        assert!(market.ada.client.orders().list().await.unwrap().orders.is_empty());
    }

    async fn refusals_name_what_was_sent_and_say_what_to_do(app: TestApp) {
        let market = Market::new(app).await;
        let mut again = market.sending("m-1");
        again["message"]["contextId"] = json!("conv_1");
        for (method, params) in [("ListTasks", json!({})), ("SendMessage", again)] {
            let request = market.ada.raw(&market.app, Method::POST, "/../a2a/nobody");
            let request = request.header("a2a-version", "1.0").json(&rpc(method, &params));
            let unknown = answer(request).await.json();
            assert_eq!(named(&unknown).0, -32602);
            assert_eq!(unknown["error"]["data"].as_array().unwrap().len(), 1, "the URL names the agent: {unknown}");
        }
        let details = async |method: &str, params: &Value| {
            let refused = market.call(&market.ada, method, params).await.json();
            let data = &refused["error"]["data"];
            (data[0]["metadata"]["hint"].clone(), data[1]["fieldViolations"][0]["field"].clone())
        };
        let mut low = market.sending("m-1");
        low["message"]["metadata"] = market.app.at_most(4);
        let field = format!("metadata.{}.maxCredits", market.app.extension());
        assert_eq!(details("SendMessage", &low).await, (json!("maxCredits 5 agrees to the price"), json!(field)));
        let kept = json!({ "id": market.task("m-2").await["id"] });
        assert_eq!(details("CancelTask", &kept).await, (json!("the order is open"), Value::Null));
    }

    async fn a_suspended_buyer_reads_and_orders_nothing(app: TestApp) {
        let market = Market::new(app).await;
        let id = json!({ "id": market.task("m-1").await["id"] });
        market.app.suspend("ada").await;
        assert_eq!(super::state(&market.result("GetTask", &id).await), "TASK_STATE_SUBMITTED");
        assert_eq!(market.error("SendMessage", &market.sending("m-2")).await.1, "ACCOUNT_SUSPENDED");
    }
}
