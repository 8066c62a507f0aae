//! From messages to orders, and from orders to tasks.

use std::time::Duration;

use http::Method;
use serde_json::{Value, json};
use svc_client::types::api::orders::{OrderStatus, ProgressState, ResponseStatus};
use svc_client::types::api::services::Acceptance;
use svc_client::types::{Credits, MessageId};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::{message, order, state};
use crate::market::{Market, object, offer};
use crate::on_both_engines;
use crate::raw::{Raw, answer};

fn id(task: &Value) -> MessageId {
    task["id"].as_str().unwrap().into()
}

impl Market {
    /// Ada sends a message and waits for the end; returns once she waits.
    async fn waiting(&self, params: &Value) -> JoinHandle<Raw> {
        let asking = self.posting(&self.ada, "").json(&super::rpc("SendMessage", params));
        crate::waits::waiting(&self.app, asking, 1).await
    }

    /// The parameters of a message that waits.
    fn patient(&self, id: &str) -> Value {
        let mut params = self.sending(id);
        params.as_object_mut().unwrap().remove("configuration");
        params
    }
}

on_both_engines! {
    async fn a_task_is_an_order(app: TestApp) {
        let market = Market::new(app).await;
        let task = market.task("m-1").await;
        let order = market.order_seen(&id(&task)).await;
        assert_eq!((&order.status, order.offered_credits), (&OrderStatus::Open, Credits::from(5)));
        assert_eq!(order.client_order_id.as_deref(), Some("m-1"));
        assert_eq!(Value::from(order.input.clone()), json!({ "text": "a b" }));
        assert_eq!(market.have().await, ["95+5", "100+0"]);
        assert_eq!(task, json!({
            "id": order.id, "contextId": order.conversation_id,
            "status": { "state": "TASK_STATE_SUBMITTED", "timestamp": "2026-01-31T09:30:00.000Z" },
            "history": [{
                "messageId": "m-1", "contextId": order.conversation_id, "taskId": order.id, "role": "ROLE_USER",
                "parts": [{ "data": { "serviceId": market.service, "input": { "text": "a b" } }, "mediaType": "application/json" }],
            }],
            "metadata": { market.app.extension(): {
                "status": "open", "serviceId": market.service, "offeredCredits": 5,
                "expiresAt": "2026-02-01T09:30:00.000Z",
            }},
        }));
        let read = market.result("GetTask", &json!({ "id": order.id })).await;
        assert_eq!(read, task);
        let short = market.result("GetTask", &json!({ "id": order.id, "historyLength": 0 })).await;
        assert_eq!(short.get("history"), None);
        market.is_consistent().await;
    }

    async fn the_same_message_again_is_the_same_task(app: TestApp) {
        let market = Market::new(app).await;
        let task = market.task("m-1").await;
        assert_eq!(market.task("m-1").await, task);
        let mut other = market.sending("m-1");
        other["message"]["parts"][0]["data"]["input"] = json!({ "text": "c" });
        assert_eq!(market.error("SendMessage", &other).await, (-32000, "IDEMPOTENCY_CONFLICT".to_owned()));
        let refused = market.call(&market.ada, "SendMessage", &other).await.json();
        assert_eq!(refused["error"]["message"], "this messageId was used for another order", "{refused}");
        assert!(!refused.to_string().contains("clientOrderId"), "{refused}");
        assert_eq!(market.have().await, ["95+5", "100+0"]);
    }

    async fn a_price_without_a_limit_is_asked_for_and_nothing_is_ordered(app: TestApp) {
        let market = Market::new(app).await;
        let mut params = market.sending("m-1");
        params["message"].as_object_mut().unwrap().remove("metadata");
        let asked = market.result("SendMessage", &params).await["task"].clone();
        assert_eq!(state(&asked), "TASK_STATE_INPUT_REQUIRED");
        let text = asked["status"]["message"]["parts"][0]["text"].as_str().unwrap();
        assert!(text.contains("5 credits") && text.contains("maxCredits"), "{text}");
        assert_eq!(asked["metadata"][market.app.extension()]["priceCredits"], 5);
        assert_eq!(market.have().await, ["100+0", "100+0"]);
        assert!(market.ada.client.orders().list().await.unwrap().orders.is_empty());
        let mut read = market.result("GetTask", &json!({ "id": asked["id"] })).await;
        read["status"]["timestamp"] = asked["status"]["timestamp"].clone();
        assert_eq!(read, asked);
        assert_eq!(market.error("CancelTask", &json!({ "id": asked["id"] })).await.0, -32002);
        let mut follow = message("m-2", &json!([{ "data": { "input": { "text": "a b" } } }]));
        follow["taskId"] = asked["id"].clone();
        follow["contextId"] = asked["contextId"].clone();
        let params = json!({ "message": follow, "metadata": market.app.at_most(5), "configuration": { "returnImmediately": true } });
        let placed = market.result("SendMessage", &params).await["task"].clone();
        assert_eq!(state(&placed), "TASK_STATE_SUBMITTED");
        assert_eq!(market.order_seen(&id(&placed)).await.service_id, market.service);
        assert_eq!(market.have().await, ["95+5", "100+0"]);
    }

    async fn a_free_service_needs_no_limit(app: TestApp) {
        let market = Market::new(app).await;
        let free = offer(&market.bob, "gift", 0).await;
        let params = json!({ "message": order("m-1", &free, &json!({})), "configuration": { "returnImmediately": true } });
        let task = market.result("SendMessage", &params).await["task"].clone();
        assert_eq!(market.order_seen(&id(&task)).await.offered_credits, Credits::from(0));
    }

    async fn plain_text_is_the_input_of_the_one_service_that_takes_a_text(app: TestApp) {
        let market = Market::new(app).await;
        market.takes_a_text().await;
        let text = |id: &str| {
            let message = message(id, &json!([{ "text": "one" }, { "text": "two" }]));
            json!({ "message": message, "metadata": market.app.at_most(5), "configuration": { "returnImmediately": true } })
        };
        let task = market.result("SendMessage", &text("m-1")).await["task"].clone();
        assert_eq!(Value::from(market.order_seen(&id(&task)).await.input), json!({ "text": "one\ntwo" }));
        let path = "/../a2a/bob/.well-known/agent-card.json";
        let card = answer(market.app.raw(Method::GET, path)).await.json();
        assert_eq!(card["skills"][0]["inputModes"], json!(["application/json", "text/plain"]));
        offer(&market.bob, "other", 0).await;
        assert_eq!(market.error("SendMessage", &text("m-2")).await, (-32005, "CONTENT_TYPE_NOT_SUPPORTED".to_owned()));
        for service in market.bob.client.services().list().await.unwrap().services {
            market.bob.client.services().delete(&service.id).await.unwrap();
        }
        assert_eq!(market.error("SendMessage", &text("m-3")).await, (-32004, "UNSUPPORTED_OPERATION".to_owned()), "it offers nothing");
    }

    async fn a_message_is_answered_when_its_task_ends(app: TestApp) {
        let market = Market::new(app).await;
        let asking = market.waiting(&market.patient("m-1")).await;
        let order = market.ada.client.orders().list().await.unwrap().orders.remove(0);
        market.bob.client.orders().progress(&order.id, ProgressState::Working).partial(json!("half")).await.unwrap();
        let output = object(json!({ "words": 2 }));
        market.bob.client.orders().answer(&order.id, ResponseStatus::Completed).output(output).await.unwrap();
        let task = asking.await.unwrap().json()["result"]["task"].clone();
        assert_eq!((state(&task), id(&task)), ("TASK_STATE_COMPLETED", order.id));
        assert_eq!(task["artifacts"], json!([
            { "artifactId": "partial-1", "name": "partial-1", "parts": [{ "data": "half", "mediaType": "application/json" }] },
            { "artifactId": "output", "name": "work", "parts": [{ "data": { "words": 2 }, "mediaType": "application/json" }] },
        ]));
        assert_eq!(task["metadata"][market.app.extension()]["chargedCredits"], 5);
        assert_eq!(market.app.server.app().post_commit.waits.count(), 0);
        market.is_consistent().await;
    }

    async fn a_message_waits_a_minute_at_most(app: TestApp, "limits.request_timeout" = "1s") {
        let market = Market::new(app).await;
        let mut asking = market.waiting(&market.patient("m-1")).await;
        // Real time, since that is what the limit of requests counts.
        timeout(Duration::from_millis(1_200), &mut asking).await.expect_err("it still waits");
        let order = market.ada.client.orders().list().await.unwrap().orders.remove(0).id;
        let shorter = format!("/orders/{order}?waitSeconds=59");
        let shorter = market.ada.raw(&market.app, Method::GET, &shorter);
        let shorter = crate::waits::waiting(&market.app, shorter, 2).await;
        market.app.advance(59);
        shorter.await.unwrap();
        assert_eq!(market.app.server.app().post_commit.waits.count(), 1, "the message goes on to wait");
        market.app.advance(1);
        assert_eq!(state(&asking.await.unwrap().json()["result"]["task"]), "TASK_STATE_SUBMITTED");
    }

    async fn a_question_is_answered_by_a_message_to_its_task(app: TestApp) {
        let market = Market::new(app).await;
        let asking = market.waiting(&market.patient("m-1")).await;
        let order = market.ada.client.orders().list().await.unwrap().orders.remove(0);
        let schema = object(json!({ "type": "object", "required": ["n"], "properties": { "n": { "type": "integer" } } }));
        let ask = market.bob.client.orders().progress(&order.id, ProgressState::InputRequired);
        ask.prompt("how many?").prompt_schema(schema.clone()).await.unwrap();
        let task = asking.await.unwrap().json()["result"]["task"].clone();
        assert_eq!(state(&task), "TASK_STATE_INPUT_REQUIRED");
        let parts = &task["status"]["message"]["parts"];
        assert_eq!((&parts[0]["text"], &parts[1]["data"]), (&json!("how many?"), &json!({ "schema": schema })));
        let kept = market.call(&market.ada, "CancelTask", &json!({ "id": order.id })).await.json();
        assert_eq!(kept["error"]["data"][0]["metadata"]["hint"], "the order is input required");
        let reply = |id: &str, data: &Value| {
            let mut reply = message(id, &json!([{ "data": data }]));
            reply["taskId"] = json!(order.id);
            json!({ "message": reply, "configuration": { "returnImmediately": true } })
        };
        let wrong = market.call(&market.ada, "SendMessage", &reply("m-2", &json!({ "n": "three" }))).await.json();
        assert_eq!(super::named(&wrong).0, -32602);
        assert_eq!(wrong["error"]["data"][0]["metadata"]["code"], "input_schema_mismatch");
        assert_eq!(wrong["error"]["data"][1]["fieldViolations"][0]["field"], "message.parts.data.n");
        // Libraries write whole numbers as doubles.
        let given = reply("m-3", &json!({ "n": 3.0 }));
        let working = market.result("SendMessage", &given).await["task"].clone();
        assert_eq!(state(&working), "TASK_STATE_WORKING");
        let seen = market.order_seen(&order.id).await.prompt.unwrap();
        assert_eq!(seen.input.unwrap().to_string(), r#"{"n":3}"#);
        assert_eq!(market.result("SendMessage", &given).await["task"]["id"], json!(order.id), "it counts once");
        let late = market.error("SendMessage", &reply("m-4", &json!({ "n": 4 }))).await;
        assert_eq!(late, (-32004, "UNSUPPORTED_OPERATION".to_owned()));
        let roles = |task: &Value| -> Vec<Value> {
            task["history"].as_array().unwrap().iter().map(|it| it["role"].clone()).collect()
        };
        assert_eq!(roles(&working), ["ROLE_USER", "ROLE_AGENT", "ROLE_USER"]);
        let latest = market.result("GetTask", &json!({ "id": order.id, "historyLength": 2 })).await;
        assert_eq!(roles(&latest), ["ROLE_AGENT", "ROLE_USER"]);
        let mut other = reply("m-5", &json!({ "n": 5 }));
        other["message"]["contextId"] = json!("another");
        assert_eq!(market.error("SendMessage", &other).await, (-32602, "INVALID_PARAMS".to_owned()));
        // A retry is answered with the task as it is, and not as it was.
        market.bob.client.orders().progress(&order.id, ProgressState::Working).percent(40).await.unwrap();
        let again = market.result("SendMessage", &given).await["task"].clone();
        assert_eq!(again["metadata"][market.app.extension()]["percent"], 40);
        market.bob.client.orders().answer(&order.id, ResponseStatus::Completed).await.unwrap();
        let again = market.result("SendMessage", &given).await["task"].clone();
        assert_eq!(state(&again), "TASK_STATE_COMPLETED");
        assert_eq!(market.error("SendMessage", &reply("m-6", &json!({ "n": 6 }))).await, late);
        market.is_consistent().await;
    }

    async fn what_can_be_cancelled_is_and_nothing_else(app: TestApp) {
        let market = Market::new(app).await;
        let kept = market.task("m-1").await;
        let refused = market.error("CancelTask", &json!({ "id": kept["id"] })).await;
        assert_eq!(refused, (-32002, "TASK_NOT_CANCELABLE".to_owned()));
        let update = market.bob.client.services().update(&market.service);
        update.acceptance(Acceptance::Explicit).await.unwrap();
        let task = market.task("m-2").await;
        let cancelled = market.result("CancelTask", &json!({ "id": task["id"] })).await;
        assert_eq!(state(&cancelled), "TASK_STATE_CANCELED");
        assert_eq!(market.error("CancelTask", &json!({ "id": task["id"] })).await.0, -32002);
        let task = market.task("m-3").await;
        market.ada.client.orders().cancel(id(&task)).reason("found it").await.unwrap();
        let read = market.result("GetTask", &json!({ "id": task["id"] })).await;
        let said = &read["status"]["message"];
        assert_eq!((&said["role"], &said["parts"][0]["text"]), (&json!("ROLE_USER"), &json!("found it")));
        assert_eq!(market.have().await, ["95+5", "100+0"]);
        market.is_consistent().await;
    }

    async fn an_end_says_why(app: TestApp) {
        let market = Market::new(app).await;
        let [declined, failed] = [market.task("m-1").await, market.task("m-2").await];
        let orders = market.bob.client.orders();
        orders.answer(id(&declined), ResponseStatus::Rejected).reason("busy").await.unwrap();
        orders.answer(id(&failed), ResponseStatus::Error).error("broken").await.unwrap();
        let expired = market.task("m-3").await;
        market.app.advance(24 * 3600);
        for (task, wanted, text) in [
            (&declined, "TASK_STATE_REJECTED", Some("busy")),
            (&failed, "TASK_STATE_FAILED", Some("broken")),
            (&expired, "TASK_STATE_FAILED", None),
        ] {
            let read = market.result("GetTask", &json!({ "id": task["id"] })).await;
            let said = read["status"]["message"]["parts"][0]["text"].as_str();
            assert_eq!((state(&read), said), (wanted, text));
            let late = json!({ "message": { "messageId": "m-9", "role": "ROLE_USER", "taskId": task["id"], "parts": [{ "text": "x" }] } });
            assert_eq!(market.error("SendMessage", &late).await.0, -32004);
        }
        assert_eq!(market.have().await, ["100+0", "100+0"]);
    }

    async fn work_that_an_escrow_pays_is_a_task_too(app: TestApp) {
        let market = Market::new(app).await;
        let escrow = market.open(10).await.id;
        let order = market.placing().escrow_id(&escrow).await.unwrap().order.id;
        let read = async || market.result("GetTask", &json!({ "id": order })).await;
        market.deliver(&escrow).await;
        let delivered = read().await;
        let facts = &delivered["metadata"][market.app.extension()];
        assert_eq!((state(&delivered), &facts["status"]), ("TASK_STATE_WORKING", &json!("delivered")));
        market.app.advance(60);
        market.ada.client.escrow().release(&escrow).await.unwrap();
        let done = read().await;
        assert_eq!(state(&done), "TASK_STATE_COMPLETED");
        assert_eq!(done["status"]["timestamp"], json!(market.app.ahead(0)), "it ended now");
        let escrow = market.open(10).await.id;
        let order = market.placing().escrow_id(&escrow).await.unwrap().order.id;
        let read = async || {
            let task = market.result("GetTask", &json!({ "id": order })).await;
            state(&task).to_owned()
        };
        market.deliver(&escrow).await;
        market.dispute(&escrow).await;
        assert_eq!(read().await, "TASK_STATE_WORKING", "somebody has yet to decide");
        market.bob.client.escrow().refund(&escrow).await.unwrap();
        assert_eq!(read().await, "TASK_STATE_FAILED");
    }

    async fn tasks_are_listed_by_page_and_state(app: TestApp) {
        let market = Market::new(app).await;
        let mut ids = Vec::new();
        for number in 1..=5 {
            ids.push(market.task(&format!("m-{number}")).await["id"].clone());
        }
        market.app.advance(60);
        for done in &ids[..2] {
            let output = object(json!({ "n": 1 }));
            let answering = market.bob.client.orders().answer(done.as_str().unwrap(), ResponseStatus::Completed);
            answering.output(output).await.unwrap();
        }
        let list = async |params: Value| market.result("ListTasks", &params).await;
        let listed = |page: &Value| -> Vec<Value> {
            page["tasks"].as_array().unwrap().iter().map(|task| task["id"].clone()).collect()
        };
        let all = list(json!({})).await;
        assert_eq!(listed(&all), ids.iter().rev().cloned().collect::<Vec<_>>());
        assert_eq!((&all["nextPageToken"], &all["totalSize"], &all["pageSize"]), (&json!(""), &json!(5), &json!(50)));
        assert!(all["tasks"].as_array().unwrap().iter().all(|task| task.get("artifacts").is_none()));
        let first = list(json!({ "pageSize": 2 })).await;
        let next = list(json!({ "pageSize": 2, "pageToken": first["nextPageToken"] })).await;
        assert_eq!([listed(&first), listed(&next)].concat(), ids[1..].iter().rev().cloned().collect::<Vec<_>>());
        let third = list(json!({ "pageSize": 2, "pageToken": next["nextPageToken"] })).await;
        assert_eq!((listed(&third), &third["nextPageToken"]), (vec![ids[0].clone()], &json!("")));
        let known = [&first, &next, &third].map(|page| page["totalSize"].clone());
        assert_eq!(known, [json!(3), json!(5), json!(5)], "what is known so far, then all");
        let done = list(json!({ "status": "TASK_STATE_COMPLETED", "includeArtifacts": true })).await;
        assert_eq!(listed(&done), [ids[1].clone(), ids[0].clone()]);
        assert_eq!(done["tasks"][0]["artifacts"][0]["artifactId"], "output");
        assert_eq!(list(json!({ "status": "TASK_STATE_WORKING" })).await["tasks"], json!([]));
        let context = &all["tasks"][0]["contextId"];
        assert_eq!(listed(&list(json!({ "contextId": context })).await).len(), 5);
        assert_eq!(list(json!({ "contextId": "another" })).await["tasks"], json!([]));
        assert_eq!(list(json!({ "statusTimestampAfter": "2026-02-01T00:00:00Z" })).await["tasks"], json!([]));
        let ended = list(json!({ "statusTimestampAfter": market.app.ahead(0) })).await;
        assert_eq!(listed(&ended), [ids[1].clone(), ids[0].clone()], "what has ended since");
        for wrong in [json!({ "pageSize": 0 }), json!({ "pageSize": 101 }), json!({ "pageToken": "x" }), json!({ "pageToken": "2.x" }), json!({ "historyLength": -1 })] {
            assert_eq!(market.error("ListTasks", &wrong).await.0, -32602, "{wrong}");
        }
    }

    async fn a_context_is_the_conversation_with_the_agent(app: TestApp) {
        let market = Market::new(app).await;
        let context = market.task("m-1").await["contextId"].clone();
        let mut again = market.sending("m-2");
        again["message"]["contextId"] = context.clone();
        assert_eq!(market.result("SendMessage", &again).await["task"]["contextId"], context);
        again["message"]["messageId"] = json!("m-3");
        again["message"]["contextId"] = json!("mine");
        assert_eq!(market.error("SendMessage", &again).await.0, -32602);
        assert_eq!(market.have().await, ["90+10", "100+0"]);
    }
}
