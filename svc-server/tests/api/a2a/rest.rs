//! The binding of HTTP and JSON, over the same operations.

use http::Method;
use serde_json::{Value, json};
use svc_client::types::api::orders::ResponseStatus;
use svc_client::types::api::services::Acceptance;

use super::streams::Live;
use super::{rpc, state};
use crate::market::Market;
use crate::on_both_engines;
use crate::raw::{Raw, answer};

impl Market {
    async fn got(&self, path: &str) -> Raw {
        let request = self.ada.raw(&self.app, Method::GET, &format!("/../a2a/bob{path}"));
        answer(request.header("a2a-version", "1.0")).await
    }
}

/// Status, name and reason of an error.
fn refused(received: &Raw) -> (u16, String, String) {
    assert_eq!(received.header("content-type"), Some("application/a2a+json"));
    let body: Value = serde_json::from_str(&received.text).unwrap();
    let error = &body["error"];
    assert_eq!(error["code"], received.status.as_u16());
    assert_eq!(error["details"][0]["@type"], "type.googleapis.com/google.rpc.ErrorInfo");
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    (received.status.as_u16(), text(&error["status"]), text(&error["details"][0]["reason"]))
}

on_both_engines! {
    async fn both_bindings_answer_the_same(app: TestApp) {
        let market = Market::new(app).await;
        let update = market.bob.client.services().update(&market.service);
        update.acceptance(Acceptance::Explicit).await.unwrap();
        let sent = answer(market.posting(&market.ada, "/message:send").json(&market.sending("m-1"))).await;
        assert_eq!(sent.header("content-type"), Some("application/a2a+json"));
        assert_eq!(sent.header("cache-control"), Some("no-store"));
        let task = sent.json()["task"].clone();
        assert_eq!(market.task("m-1").await, task);
        let id = task["id"].as_str().unwrap();
        assert_eq!(market.got(&format!("/tasks/{id}")).await.json(), task);
        assert_eq!(market.got(&format!("/tasks/{id}?historyLength=0")).await.json().get("history"), None);
        let listed = market.got("/tasks?pageSize=5&status=TASK_STATE_SUBMITTED&includeArtifacts=true").await.json();
        assert_eq!(listed["tasks"], json!([task]));
        assert_eq!(listed, market.result("ListTasks", &json!({ "pageSize": 5 })).await);
        let cancelled = answer(market.posting(&market.ada, &format!("/tasks/{id}:cancel"))).await.json();
        assert_eq!(state(&cancelled), "TASK_STATE_CANCELED");
        assert_eq!(market.result("GetTask", &json!({ "id": id })).await, cancelled);
    }

    async fn streams_have_events_without_an_envelope(app: TestApp) {
        let market = Market::new(app).await;
        let request = market.posting(&market.ada, "/message:stream").json(&market.sending("m-1"));
        let mut live = Live::open(request).await;
        let task = live.data().await.unwrap()["task"].clone();
        let id = task["id"].as_str().unwrap();
        let path = format!("/tasks/{id}:subscribe");
        let by_get = market.ada.raw(&market.app, Method::GET, &format!("/../a2a/bob{path}")).header("a2a-version", "1.0");
        let mut subscribed = [Live::open(by_get).await, Live::open(market.posting(&market.ada, &path)).await];
        for live in &mut subscribed {
            assert_eq!(live.data().await.unwrap(), json!({ "task": task }));
        }
        market.bob.client.orders().answer(id, ResponseStatus::Error).error("broken").await.unwrap();
        for live in subscribed.iter_mut().chain([&mut live]) {
            assert_eq!(state(&live.data().await.unwrap()["statusUpdate"]), "TASK_STATE_FAILED");
            assert_eq!(live.data().await, None);
        }
        let ended = market.got(&path).await;
        assert_eq!(refused(&ended), (400, "FAILED_PRECONDITION".into(), "UNSUPPORTED_OPERATION".into()));
    }

    async fn errors_have_the_form_of_the_binding(app: TestApp) {
        let market = Market::new(app).await;
        let id = market.task("m-1").await["id"].as_str().unwrap().to_owned();
        let missing = market.got("/tasks/msg_x").await;
        assert_eq!(refused(&missing), (404, "NOT_FOUND".into(), "TASK_NOT_FOUND".into()));
        let kept = answer(market.posting(&market.ada, &format!("/tasks/{id}:cancel"))).await;
        assert_eq!(refused(&kept), (400, "FAILED_PRECONDITION".into(), "TASK_NOT_CANCELABLE".into()));
        let page = market.got("/tasks?pageSize=many").await;
        assert_eq!(refused(&page), (400, "INVALID_ARGUMENT".into(), "INVALID_PARAMS".into()));
        let body = answer(market.posting(&market.ada, "/message:send").header("content-type", "application/a2a+json").body("{")).await;
        assert_eq!(refused(&body), (400, "INVALID_ARGUMENT".into(), "PARSE_ERROR".into()));
        let mut dear = market.sending("m-2");
        dear["message"]["metadata"] = market.app.at_most(1);
        let dear = answer(market.posting(&market.ada, "/message:send").json(&dear)).await;
        assert_eq!(refused(&dear), (409, "ABORTED".into(), "PRICE_ABOVE_MAX".into()));
        let push = market.got(&format!("/tasks/{id}/pushNotificationConfigs")).await;
        assert_eq!(refused(&push).2, "PUSH_NOTIFICATION_NOT_SUPPORTED");
        assert_eq!(refused(&market.got("/extendedAgentCard").await).2, "UNSUPPORTED_OPERATION");
        let other = answer(market.posting(&market.ada, &format!("/tasks/{id}"))).await;
        assert_eq!(refused(&other).0, 405);
        let old = market.ada.raw(&market.app, Method::GET, "/../a2a/bob/tasks");
        assert_eq!(refused(&answer(old).await).2, "VERSION_NOT_SUPPORTED");
        let bare = market.app.raw(Method::GET, "/../a2a/bob/tasks").header("a2a-version", "1.0");
        let bare = answer(bare).await;
        assert_eq!(refused(&bare), (401, "UNAUTHENTICATED".into(), "UNAUTHORIZED".into()));
        assert!(bare.header("www-authenticate").is_some());
        let by_rpc = answer(market.posting(&market.ada, "").json(&rpc("GetTask", &json!({ "id": "msg_x" })))).await;
        assert_eq!(by_rpc.status.as_u16(), 200, "JSON-RPC has codes of its own");
    }
}
