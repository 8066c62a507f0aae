//! The binding of JSON-RPC 2.0 (A2A 1.0, §9).
//!
//! Errors of the protocol are answers with status 200. Refusals that concern the credential, limits or
//! the server keep their HTTP status and headers, in the same form.

use std::sync::Arc;

use axum::Extension;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use axum::response::Response;
use http::StatusCode;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue, WWW_AUTHENTICATE};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use svc_core::app::App;
use svc_types::{Scope, by};

use super::call::{Call, Opened, request_id};
use super::fault::{Fault, Kind};
use super::flow::{self, Binding};
use super::operations::{self, Streamed};
use crate::app::ServerApp;
use crate::http::direct::DirectApi;
use crate::http::plain::response;
use crate::http::refuse::{Reader, carry_from, challenge, finish};
use crate::http::routes::invalid_path;

/// A request of JSON-RPC.
#[derive(Debug, Deserialize)]
pub(super) struct RpcRequest {
    jsonrpc: String,
    id: Value,
    pub(super) method: String,
    #[serde(default)]
    params: Value,
}

/// Answers a call for an agent.
pub(super) async fn call(
    State(app): State<Arc<ServerApp>>,
    Extension(direct): Extension<Arc<DirectApi>>,
    username: Result<Path<String>, PathRejection>,
    request: Request,
) -> Response {
    let Ok(Path(agent)) = username else { return invalid_path() };
    let request_id = request_id(request.extensions());
    let opened = Opened::of::<by::Account>(Arc::clone(&app), direct, request).await;
    let call = async {
        let opened = opened?;
        let body = opened.body();
        Ok::<_, Fault>((opened.authenticate(agent).await?, body))
    };
    match call.await {
        Ok((call, body)) => dispatch(call, &body).await,
        Err(fault) => refuse(&app, &Value::Null, fault, &request_id),
    }
}

async fn dispatch(call: Call, body: &[u8]) -> Response {
    let (app, request_id) = (Arc::clone(&call.api.app), call.api.request_id());
    let (id, request) = read(body);
    let done = async {
        let request = request?;
        call.api.check_version()?;
        run(call, &id, request).await
    };
    done.await.unwrap_or_else(|fault| refuse(&app, &id, fault, &request_id))
}

async fn run(call: Call, id: &Value, request: RpcRequest) -> Result<Response, Fault> {
    let response = match &*request.method {
        "SendMessage" => success(id, &operations::send(&call, &request.params()?).await?),
        "GetTask" => success(id, &operations::get(&call, &request.params()?).await?),
        "ListTasks" => success(id, &operations::list(&call, &request.params()?).await?),
        "CancelTask" => success(id, &operations::cancel(&call, &request.params()?).await?),
        "SendStreamingMessage" => match operations::stream(call, &request.params()?).await? {
            Streamed::Once(event) => flow::respond_once(&event, &Binding::Rpc(id.clone())),
            Streamed::Flow(flow) => flow::respond(*flow, Binding::Rpc(id.clone())),
        },
        "SubscribeToTask" => {
            let flow = operations::subscribe(call, &request.params()?).await?;
            flow::respond(flow, Binding::Rpc(id.clone()))
        }
        other => return Err(unknown(other)),
    };
    Ok(response)
}

/// The refusal of a method that agents here do not have.
pub(super) fn unknown(method: &str) -> Fault {
    match method {
        "CreateTaskPushNotificationConfig"
        | "GetTaskPushNotificationConfig"
        | "ListTaskPushNotificationConfigs"
        | "DeleteTaskPushNotificationConfig" => super::bridge::no_push(),
        "GetExtendedAgentCard" => no_extended_card(),
        _ => Fault::new(Kind::MethodNotFound, "there is no such method")
            .hint("methods are SendMessage, SendStreamingMessage, GetTask, ListTasks, CancelTask and SubscribeToTask"),
    }
}

/// The refusal of a card that there is not.
pub(super) fn no_extended_card() -> Fault {
    Fault::new(Kind::UnsupportedOperation, "the public agent card is the only one")
}

/// Reads a request, and its id as far as it has one.
pub(super) fn read(body: &[u8]) -> (Value, Result<RpcRequest, Fault>) {
    let Ok(value) = serde_json::from_slice::<Value>(body) else {
        return (Value::Null, Err(Fault::new(Kind::Parse, "the body must be JSON")));
    };
    let id = value.get("id").filter(|id| id.is_string() || id.is_i64() || id.is_u64());
    let id = id.cloned().unwrap_or(Value::Null);
    let form = "the body must be one JSON-RPC 2.0 request with jsonrpc, id, method and params";
    let request = serde_json::from_value::<RpcRequest>(value).ok();
    let request = request.filter(|it| it.jsonrpc == "2.0" && it.id == id);
    (id, request.ok_or_else(|| Fault::new(Kind::InvalidRequest, form)))
}

impl RpcRequest {
    /// The parameters of a method. Without any they are an empty object.
    pub(super) fn params<T: DeserializeOwned>(self) -> Result<T, Fault> {
        let params = if self.params.is_null() { json!({}) } else { self.params };
        parameters(params)
    }
}

/// Reads parameters.
pub(super) fn parameters<T: DeserializeOwned>(params: Value) -> Result<T, Fault> {
    serde_json::from_value(params)
        .map_err(|error| Fault::new(Kind::InvalidParams, format!("wrong parameters: {error}")))
}

/// The response object of a result.
pub(super) fn result(id: &Value, result: &impl Serialize) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "result": result })
}

/// The response with a result.
pub(super) fn success(id: &Value, value: &impl Serialize) -> Response {
    private(StatusCode::OK, &result(id, value), "application/json")
}

/// A body that nobody stores.
pub(super) fn private(status: StatusCode, body: &Value, content_type: &str) -> Response {
    let mut response = response(content_type, body.to_string().into_bytes());
    *response.status_mut() = status;
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// The response object of an error.
pub(super) fn error(app: &App, id: &Value, fault: &Fault, request_id: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": fault.rpc(app, request_id) })
}

/// The response with an error.
pub(super) fn refuse(app: &App, id: &Value, fault: Fault, request_id: &str) -> Response {
    let status = if fault.is_about_http() { fault.status() } else { StatusCode::OK };
    let body = error(app, id, &fault, request_id);
    with_headers(private(status, &body, "application/json"), fault, app, request_id)
}

/// Adds what the API says in headers: how to get a credential, and when to try again.
pub(super) fn with_headers(
    mut response: Response,
    fault: Fault,
    app: &App,
    request_id: &str,
) -> Response {
    let Some(cause) = fault.into_cause() else { return response };
    let carried = carry_from(cause, std::iter::once(&Scope::Read).collect());
    // Clients of A2A read what is wrong in the body.
    let challenge = challenge(&carried, app, false);
    // This logs failures of the server.
    let plain = finish(carried, request_id, Reader::Program);
    let headers = response.headers_mut();
    for (name, value) in plain.headers().iter().filter(|(name, _)| *name != CONTENT_TYPE) {
        headers.insert(name, value.clone());
    }
    headers.extend(challenge.map(|challenge| (WWW_AUTHENTICATE, challenge)));
    response
}
