//! MCP. A tool that was called answers with an object, or with a refusal of the API.

use serde_json::{Value, json};
use svc_types::Code;

use super::request::{Request, Route};
use super::rpc;
use super::server::with_server;

const ROUTES: [Route; 1] = [("POST", "/mcp")];

const VERSION: &str = "2026-07-28";

pub(crate) fn judge(input: &[u8]) {
    with_server(|server| {
        let request = Request::read(input, &ROUTES, &server.words);
        let asked = request.body.clone();
        let Some(answer) = server.send_input(request) else { return };
        match rpc::judge(&answer, &asked) {
            Some(body) => judge_result(&body["result"]),
            None if answer.status.is_success() => assert!(answer.body.is_empty()),
            None => answer.judge_refusal(),
        }
    });
}

/// What a tool answers is in the result as an object and as its text.
fn judge_result(result: &Value) {
    let Some(content) = result["content"].as_array() else { return };
    let text = content.first().and_then(|block| block["text"].as_str());
    let text: Value = text.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
    if let Some(object) = result.get("structuredContent") {
        assert_eq!((object.is_object(), object), (true, &text), "{result}");
        return;
    }
    assert_eq!(result["isError"], true, "{result}");
    let code = Code::from(text["code"].as_str().expect("a refusal has a code"));
    // Tools have codes of their own beside those of the API.
    let is_own = matches!(code, Code::Other(_));
    assert!(is_own || code.status().as_u16() < 500, "{result}");
    assert!(text["error"].is_string(), "{result}");
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let of = |method: &str, name: &str, mut params: Value| {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": VERSION,
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let name = if name.is_empty() { "x-no: x".to_owned() } else { format!("mcp-name: {name}") };
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        format!(
            "POST /mcp\nauthorization: Bearer $key\ncontent-type: application/json\n\
             accept: application/json, text/event-stream\nmcp-protocol-version: {VERSION}\n\
             mcp-method: {method}\n{name}\n\n{body}"
        )
        .into_bytes()
    };
    let tool = |name: &str, arguments: Value| {
        of("tools/call", name, json!({ "name": name, "arguments": arguments }))
    };
    vec![
        of("server/discover", "", json!({})),
        of("tools/list", "", json!({ "cursor": "x" })),
        of("resources/templates/list", "", json!({})),
        of("resources/read", "svc://guide", json!({ "uri": "svc://guide" })),
        of("resources/read", "svc://posts/$post", json!({ "uri": "svc://posts/$post" })),
        of("prompts/get", "buy", json!({ "name": "buy", "arguments": { "task": "count" } })),
        of("ping", "", json!({})),
        tool("whoami", json!({})),
        tool("search", json!({ "q": "hello", "limit": 3 })),
        tool("reply", json!({ "content": "hi", "postId": "$post" })),
        tool("dm", json!({ "recipientUsername": "seller", "content": "hi" })),
        tool(
            "order",
            json!({ "service": "seller/count", "input": { "text": "a" }, "maxCredits": 3, "waitSeconds": 0, "id": "a" }),
        ),
        tool("orders", json!({ "role": "requester" })),
        tool("order_show", json!({ "orderId": "msg_1", "waitSeconds": 0, "partials": true })),
    ]
}
