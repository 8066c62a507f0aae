//! The tools of agents over HTTP, at `/mcp`.

mod access;
mod consent;
mod escrows;
mod foreign;
mod more;
mod orders;
mod tools;
mod topups;

use http::Method;
use reqwest::RequestBuilder;
use serde_json::{Value, json};

use crate::app::{Member, TestApp};
use crate::market::offer;
use crate::oauth::{Visitor, asking, text, with};
use crate::raw::{Raw, answer};

const VERSION: &str = "2026-07-28";
const TYPES: &str = "application/json, text/event-stream";

/// A host of an agent that speaks the current version of the protocol and shows forms.
#[derive(Clone)]
struct Host<'a> {
    app: &'a TestApp,
    credential: String,
    capabilities: Value,
}

impl TestApp {
    /// A request to the endpoint without a credential.
    fn mcp(&self, method: Method) -> RequestBuilder {
        self.raw(method, "/../mcp").header("accept", TYPES)
    }

    fn host(&self, credential: impl Into<String>) -> Host<'_> {
        let capabilities = json!({ "elicitation": { "form": {} } });
        Host { app: self, credential: credential.into(), capabilities }
    }

    fn host_of(&self, member: &Member) -> Host<'_> {
        self.host(member.key.expose())
    }

    /// A token of the visitor's for the endpoint.
    async fn mcp_token(&self, visitor: &Visitor, scope: &str, caps: [&str; 2]) -> String {
        let client = self.register_client(&[crate::oauth::DONE]).await;
        let resource = format!("{}/mcp", self.root());
        let asked = with(asking(&client, scope), "resource", &resource);
        let fields = [("decision", "allow"), ("perOrder", caps[0]), ("perDay", caps[1])];
        let sent = visitor.decide(self, &asked, &fields).await;
        let code = crate::oauth::returned(&sent, "code").unwrap();
        text(&self.redeem(&client, &code).await.json(), "access_token")
    }
}

impl Host<'_> {
    /// The same host, which can't ask the person anything.
    fn mute(&self) -> Self {
        Self { capabilities: json!({}), ..self.clone() }
    }

    fn request(&self, method: &str, mut params: Value) -> RequestBuilder {
        params["_meta"]["io.modelcontextprotocol/protocolVersion"] = VERSION.into();
        params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = self.capabilities.clone();
        let named = params.get("name").or_else(|| params.get("uri")).and_then(Value::as_str);
        let mut request = self.app.mcp(Method::POST).bearer_auth(&self.credential);
        request = request.header("mcp-protocol-version", VERSION).header("mcp-method", method);
        if let Some(named) = named {
            request = request.header("mcp-name", named);
        }
        request.json(&json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }))
    }

    async fn send(&self, method: &str, params: Value) -> Raw {
        answer(self.request(method, params)).await
    }

    /// The result of a request.
    async fn ask(&self, method: &str, params: Value) -> Value {
        let answered = self.send(method, params).await.json();
        answered.get("result").unwrap_or_else(|| panic!("{answered:#}")).clone()
    }

    async fn call(&self, tool: &str, arguments: Value) -> Value {
        self.ask("tools/call", json!({ "name": tool, "arguments": arguments })).await
    }

    /// What a tool did.
    async fn done(&self, tool: &str, arguments: Value) -> Value {
        let result = self.call(tool, arguments).await;
        assert_eq!(result["isError"], false, "{result:#}");
        let text: Value = serde_json::from_str(text_of(&result)).unwrap();
        assert_eq!(text, result["structuredContent"]);
        text
    }

    /// What the endpoint of a tool answered.
    async fn seen(&self, tool: &str, arguments: Value) -> Value {
        self.done(tool, arguments).await["untrusted"].take()
    }

    /// Why a tool failed.
    async fn refused(&self, tool: &str, arguments: Value) -> Value {
        failure(&self.call(tool, arguments).await)
    }

    /// The question of a tool to the person.
    async fn question(&self, tool: &str, arguments: Value) -> Value {
        let result = self.call(tool, arguments).await;
        assert_eq!(result["resultType"], "input_required", "{result:#}");
        result
    }

    /// Calls a tool again with what the person answered.
    async fn answer(&self, tool: &str, arguments: Value, question: &Value, said: Value) -> Value {
        let params = json!({
            "name": tool, "arguments": arguments, "requestState": question["requestState"],
            "inputResponses": { "consent": said },
        });
        self.ask("tools/call", params).await
    }
}

fn agreed() -> Value {
    json!({ "action": "accept", "content": { "agree": true } })
}

fn text_of(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{result:#}"))
}

/// Why a tool failed; a failure has no structured content.
#[track_caller]
fn failure(result: &Value) -> Value {
    assert_eq!((&result["isError"], result.get("structuredContent")), (&true.into(), None));
    serde_json::from_str(text_of(result)).unwrap()
}

/// An order of bob's service.
fn wanted(service: &str) -> Value {
    json!({ "service": format!("bob/{service}"), "maxCredits": 100, "waitSeconds": 0 })
}

/// Bob, who sells `work` for 5, `report` for 60 and `book` for 101, and a buyer with 300 credits.
async fn sellers(app: &TestApp) -> (Visitor, Member) {
    let (ada, bob) = (app.visitor("ada").await, app.agent("bob").await);
    for (name, price) in [("work", 5), ("report", 60), ("book", 101)] {
        offer(&bob, name, price).await;
    }
    app.grant_credits("ada", 200).await;
    (ada, bob)
}
