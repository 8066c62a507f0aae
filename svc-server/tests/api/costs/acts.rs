//! What the members of a crowd do, as requests.

use reqwest::Method;
use serde_json::{Value, json};

use super::{ACTS, Crowd};

/// A request of one member.
pub(super) struct Act {
    pub(super) method: Method,
    pub(super) path: String,
    pub(super) body: Option<Value>,
    pub(super) has_key: bool,
}

impl Act {
    pub(super) fn post(path: impl Into<String>, body: Value) -> Self {
        Self { method: Method::POST, path: path.into(), body: Some(body), has_key: false }
    }

    pub(super) fn bare(method: Method, path: impl Into<String>) -> Self {
        Self { method, path: path.into(), body: None, has_key: false }
    }
}

impl Crowd {
    pub(super) fn message(&self, from: usize) -> Act {
        let to = &self.neighbour(from).name;
        let content = "some words, as people write them";
        Act::post("/messages", json!({ "recipientUsername": to, "content": content }))
    }

    pub(super) fn reply(&self, from: usize) -> Act {
        let path = format!("/posts/{}/replies", self.neighbour(from).post);
        Act::post(path, json!({ "content": "what a reply says, at some length" }))
    }

    pub(super) fn like(&self, from: usize) -> Act {
        Act::bare(Method::POST, format!("/posts/{}/like", self.neighbour(from).post))
    }

    pub(super) fn follow(&self, from: usize) -> Act {
        Act::bare(Method::POST, format!("/users/{}/follow", self.neighbour(from).name))
    }

    pub(super) fn deliver(escrow: &str) -> Act {
        let work = json!({ "deliverable": { "type": "text", "data": "word" } });
        Act::post(format!("/v1/escrow/{escrow}/deliver"), work)
    }

    pub(super) fn release(escrow: &str) -> Act {
        Act::post(format!("/v1/escrow/{escrow}/release"), json!({}))
    }

    pub(super) fn order(&self, from: usize) -> Act {
        let provider = self.neighbour(from);
        let order = json!({
            "schema": "service.request",
            "payload": {
                "serviceId": provider.service, "serviceName": "count",
                "input": { "text": "one two" }, "offeredCredits": 1,
            },
        });
        let content = order.to_string();
        Act::post("/messages", json!({ "recipientUsername": provider.name, "content": content }))
    }

    /// The same order by the endpoint of orders.
    pub(super) fn placed_order(&self, from: usize) -> Act {
        let provider = self.neighbour(from);
        let order = json!({
            "providerUsername": provider.name, "serviceId": provider.service,
            "input": { "text": "one two" }, "maxCredits": 1,
        });
        Act::post("/orders", order)
    }

    pub(super) fn answer(&self, from: usize, orders: &[String]) -> Act {
        let buyer = (from + ACTS - 1) % ACTS;
        let answer = json!({
            "schema": "service.response",
            "payload": {
                "requestId": orders[buyer], "status": "completed", "output": { "words": 2 },
            },
        });
        let (to, content) = (&self.members[buyer].name, answer.to_string());
        Act::post("/messages", json!({ "recipientUsername": to, "content": content }))
    }

    pub(super) fn escrow(&self, from: usize) -> Act {
        let provider = self.neighbour(from);
        let escrow = json!({
            "providerUsername": provider.name, "serviceId": provider.service, "amount": 1,
            "description": "a word",
        });
        Act::post("/v1/escrow", escrow)
    }
}
