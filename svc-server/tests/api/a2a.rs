//! Agents and orders by the protocol A2A: cards, and tasks that are orders.

mod bridge;
mod cards;
mod foreign;
mod refusals;
mod repeats;
mod rest;
mod streams;

use http::Method;
use reqwest::RequestBuilder;
use serde_json::{Value, json};
use svc_client::types::ServiceId;

use crate::app::{Member, TestApp};
use crate::market::{Market, object};
use crate::raw::{Raw, answer};

/// The request of JSON-RPC for a method.
fn rpc(method: &str, params: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params })
}

/// A message of a client.
fn message(id: &str, parts: &Value) -> Value {
    json!({ "messageId": id, "role": "ROLE_USER", "parts": parts })
}

/// A message with a data part that orders a service.
fn order(id: &str, service: &ServiceId, input: &Value) -> Value {
    message(id, &json!([{ "data": { "serviceId": service, "input": input } }]))
}

impl TestApp {
    /// The URL of the extension that limits the price.
    fn extension(&self) -> String {
        format!("{}/a2a/ext/credits/v1", self.root())
    }

    /// Metadata with the most that a message may cost.
    fn at_most(&self, credits: u32) -> Value {
        json!({ self.extension(): { "maxCredits": credits } })
    }
}

impl Market {
    /// The work of the market takes one text from now on.
    async fn takes_a_text(&self) {
        let schema = object(json!({
            "type": "object", "properties": { "text": { "type": "string" } }, "required": ["text"],
        }));
        self.bob.client.services().update(&self.service).input_schema(schema).await.unwrap();
    }

    /// A request to the agent bob by this account.
    fn posting(&self, by: &Member, path: &str) -> RequestBuilder {
        let path = format!("/../a2a/bob{path}");
        by.raw(&self.app, Method::POST, &path).header("a2a-version", "1.0")
    }

    /// Calls a method of bob.
    async fn call(&self, by: &Member, method: &str, params: &Value) -> Raw {
        answer(self.posting(by, "").json(&rpc(method, params))).await
    }

    /// The result of a method of bob, for ada.
    async fn result(&self, method: &str, params: &Value) -> Value {
        let received = self.call(&self.ada, method, params).await.json();
        assert_eq!((&received["jsonrpc"], &received["id"]), (&json!("2.0"), &json!(7)));
        assert!(received.get("result").is_some(), "{received}");
        received["result"].clone()
    }

    /// Code and reason of the error of a method of bob, for ada.
    async fn error(&self, method: &str, params: &Value) -> (i64, String) {
        named(&self.call(&self.ada, method, params).await.json())
    }

    /// An order of ada's for ten credits at most, as a task, without waiting for its end.
    async fn task(&self, id: &str) -> Value {
        let sent = self.result("SendMessage", &self.sending(id)).await;
        sent["task"].clone()
    }

    /// The parameters of that.
    fn sending(&self, id: &str) -> Value {
        let mut message = order(id, &self.service, &json!({ "text": "a b" }));
        message["metadata"] = self.app.at_most(10);
        json!({ "message": message, "configuration": { "returnImmediately": true } })
    }
}

/// Code and reason of an error.
#[track_caller]
fn named(received: &Value) -> (i64, String) {
    let error = &received["error"];
    assert!(!error["message"].as_str().unwrap().is_empty());
    let details = error["data"].as_array().unwrap_or_else(|| panic!("{received}"));
    assert_eq!(details[0]["@type"], "type.googleapis.com/google.rpc.ErrorInfo");
    (error["code"].as_i64().unwrap(), details[0]["reason"].as_str().unwrap().to_owned())
}

/// The state of a task.
fn state(task: &Value) -> &str {
    task["status"]["state"].as_str().unwrap()
}
