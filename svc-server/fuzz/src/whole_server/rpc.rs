//! Calls of JSON-RPC 2.0, which A2A and MCP are made of.

use serde_json::Value;

use super::answer::Answer;

/// Whether an answer is one of JSON-RPC rather than a refusal of the API. If so, it has a result or an
/// error, never both, and the id of the call.
pub(super) fn judge(answer: &Answer, asked: &[u8]) -> Option<Value> {
    let body = answer.json()?;
    if body["jsonrpc"] != "2.0" {
        return None;
    }
    let asked: Value = serde_json::from_slice(asked).unwrap_or_default();
    let id = body.get("id").filter(|id| !id.is_null());
    assert!(id.is_none_or(|id| asked.get("id").is_some_and(|own| is_same(own, id))), "{body}");
    assert!(body.get("result").is_some() != body.get("error").is_some(), "{body}");
    if let Some(error) = body.get("error") {
        assert!(error["code"].is_i64(), "{body}");
        assert!(error["message"].as_str().is_some_and(|message| !message.is_empty()), "{body}");
    } else {
        assert!(id.is_some() && answer.status.is_success(), "{body}");
    }
    Some(body)
}

/// Whether an id is that of a call. The number 1.0 is 1.
fn is_same(one: &Value, other: &Value) -> bool {
    one == other || one.is_number() && one.as_f64() == other.as_f64()
}
