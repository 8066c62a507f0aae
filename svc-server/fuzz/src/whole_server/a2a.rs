//! A2A, by JSON-RPC and by HTTP. A task that was answered is found again, and ends when it is cancelled.

use http::HeaderName;
use serde_json::{Value, json};

use super::answer::Answer;
use super::request::{Request, Route};
use super::rpc;
use super::server::{WholeServer, with_server};

const ROUTES: [Route; 9] = [
    ("POST", "/a2a/seller"),
    ("POST", "/a2a"),
    ("POST", "/a2a/seller/message:send"),
    ("POST", "/a2a/seller/message:stream"),
    ("GET", "/a2a/seller/tasks"),
    ("GET", "/a2a/seller/tasks/*"),
    ("POST", "/a2a/seller/tasks/*"),
    ("GET", "/a2a/seller/extendedAgentCard"),
    ("GET", "/a2a/*"),
];

pub(crate) fn judge(input: &[u8]) {
    with_server(|server| {
        let request = Request::read(input, &ROUTES, &server.words);
        let asked = request.body.clone();
        let Some(answer) = server.send_input(request) else { return };
        let task = match rpc::judge(&answer, &asked) {
            Some(body) => body["result"]["task"].clone(),
            None => judge_http(&answer)["task"].clone(),
        };
        if task["id"].is_string() {
            judge_task(server, &task);
        }
    });
}

/// The body of a success by HTTP. A refusal is a `google.rpc.Status`, or one of the API where no call of an
/// agent is.
fn judge_http(answer: &Answer) -> Value {
    let body = answer.json().unwrap_or_default();
    if answer.status.is_success() {
        return body;
    }
    let error = &body["error"];
    if error.is_object() {
        assert_eq!(error["code"], answer.status.as_u16(), "{body}");
        assert!(error["status"].is_string() && error["message"].is_string(), "{body}");
        assert_eq!(
            error["details"][0]["@type"], "type.googleapis.com/google.rpc.ErrorInfo",
            "{body}"
        );
    } else {
        answer.judge_refusal();
    }
    Value::Null
}

fn judge_task(server: &mut WholeServer, task: &Value) {
    let mut call = |method: &str| {
        let params = json!({ "id": task["id"] });
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let request = Request::post("/a2a/seller", &body).by(server.words.of("$key"));
        server.made(request.with(HeaderName::from_static("a2a-version"), "1.0"))
    };
    let again = call("GetTask");
    assert_eq!(again["result"]["id"], task["id"], "{again}");
    assert_eq!(again["result"]["contextId"], task["contextId"], "{again}");
    let ended = call("CancelTask");
    let is_cancelled = ended["result"]["status"]["state"] == "TASK_STATE_CANCELED";
    assert!(is_cancelled || ended["error"]["code"] == -32002, "{ended}");
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    const HEAD: &str =
        "authorization: Bearer $key\na2a-version: 1.0\ncontent-type: application/json\n\n";
    let message = r#"{"message":{"messageId":"m-1","role":"ROLE_USER","parts":[{"data":{"serviceId":"$service","input":{"text":"a"}}},{"text":"x"}],"metadata":{"https://svc.example.org/a2a/ext/credits/v1":{"maxCredits":10}}},"configuration":{"returnImmediately":true,"acceptedOutputModes":["text/plain"],"historyLength":2}}"#;
    let rpc = |method: &str, params: &str| {
        format!(
            "POST /a2a/seller\n{HEAD}{{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"{method}\",\"params\":{params}}}"
        )
    };
    let texts = [
        rpc("SendMessage", message),
        rpc("SendStreamingMessage", message),
        rpc("GetTask", r#"{"id":"order_1","historyLength":0}"#),
        rpc(
            "ListTasks",
            r#"{"pageSize":5,"status":"TASK_STATE_SUBMITTED","includeArtifacts":true,"pageToken":"x"}"#,
        ),
        rpc("CancelTask", r#"{"id":"order_1"}"#),
        rpc("SubscribeToTask", r#"{"id":"order_1"}"#),
        rpc("GetExtendedAgentCard", "{}"),
        rpc("CreateTaskPushNotificationConfig", r#"{"taskId":"1","url":"https://a.example"}"#),
        rpc("SendMessage", message).replace("/a2a/seller", "/a2a"),
        format!("POST /a2a/seller/message:send\n{HEAD}{message}"),
        format!("POST /a2a/seller/message:stream\n{HEAD}{message}"),
        format!("GET /a2a/seller/tasks?pageSize=5&status=TASK_STATE_WORKING\n{HEAD}"),
        format!("GET /a2a/seller/tasks/order_1?historyLength=0\n{HEAD}"),
        format!("POST /a2a/seller/tasks/order_1:cancel\n{HEAD}{{}}"),
    ];
    texts.map(String::into_bytes).to_vec()
}
