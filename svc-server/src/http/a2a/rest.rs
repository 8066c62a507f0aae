//! The binding of HTTP and JSON (A2A 1.0, §11), over the same operations.

use std::sync::Arc;

use axum::Extension;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use axum::response::Response;
use http::StatusCode;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use svc_core::app::App;
use svc_store::error::Error;
use svc_types::{Code, by};
use url::form_urlencoded;

use super::bridge::no_push as push_fault;
use super::call::{Call, Opened, request_id};
use super::fault::{Fault, Kind};
use super::flow::{self, Binding};
use super::operations::{self, Streamed};
use super::rpc;
use super::types::{GetTask, ListTasks, NamedTask};
use crate::app::ServerApp;
use crate::http::direct::DirectApi;
use crate::http::routes::invalid_path;

/// The media type of bodies.
const MEDIA_TYPE: &str = "application/a2a+json";

type AppState = State<Arc<ServerApp>>;
type Direct = Extension<Arc<DirectApi>>;
type Segments<T> = Result<Path<T>, PathRejection>;

/// A call with its raw body and its query.
struct Asked {
    call: Call,
    body: bytes::Bytes,
    query: String,
}

/// Opens a call, runs an operation, and turns its fault into a response.
async fn with_call<F>(
    app: Arc<ServerApp>,
    direct: Arc<DirectApi>,
    agent: Option<String>,
    request: Request,
    operation: impl FnOnce(Asked) -> F,
) -> Response
where
    F: Future<Output = Result<Response, Fault>>,
{
    let Some(agent) = agent else { return invalid_path() };
    let request_id = request_id(request.extensions());
    let query = request.uri().query().unwrap_or_default().to_owned();
    let opened = Opened::of::<by::Account>(Arc::clone(&app), direct, request).await;
    let done = async {
        let opened = opened?;
        let body = opened.body();
        let call = opened.authenticate(agent).await?;
        call.api.check_version()?;
        operation(Asked { call, body, query }).await
    };
    done.await.unwrap_or_else(|fault| refuse(&app, fault, &request_id))
}

/// `POST …/message:send`.
pub(super) async fn send(
    State(app): AppState,
    Extension(direct): Direct,
    path: Segments<String>,
    request: Request,
) -> Response {
    let operation =
        async |Asked { call, body, .. }| success(&operations::send(&call, &read(&body)?).await?);
    with_call(app, direct, path.ok().map(|it| it.0), request, operation).await
}

/// `POST …/message:stream`.
pub(super) async fn stream(
    State(app): AppState,
    Extension(direct): Direct,
    path: Segments<String>,
    request: Request,
) -> Response {
    let operation = async |Asked { call, body, .. }| {
        Ok(match operations::stream(call, &read(&body)?).await? {
            Streamed::Once(event) => flow::respond_once(&event, &Binding::Rest),
            Streamed::Flow(flow) => flow::respond(*flow, Binding::Rest),
        })
    };
    with_call(app, direct, path.ok().map(|it| it.0), request, operation).await
}

/// `GET …/tasks`.
pub(super) async fn list(
    State(app): AppState,
    Extension(direct): Direct,
    path: Segments<String>,
    request: Request,
) -> Response {
    let operation = async |Asked { call, query, .. }| {
        let asked: ListTasks = rpc::parameters(members(&query))?;
        success(&operations::list(&call, &asked).await?)
    };
    with_call(app, direct, path.ok().map(|it| it.0), request, operation).await
}

/// `GET …/tasks/{id}` and `GET …/tasks/{id}:subscribe`.
pub(super) async fn read_task(
    State(app): AppState,
    Extension(direct): Direct,
    path: Segments<(String, String)>,
    request: Request,
) -> Response {
    let Ok(Path((agent, id))) = path else { return invalid_path() };
    let operation = async move |Asked { call, query, .. }| {
        if let Some(id) = id.strip_suffix(":subscribe") {
            let task = NamedTask { id: id.to_owned() };
            return Ok(flow::respond(operations::subscribe(call, &task).await?, Binding::Rest));
        }
        let Value::Object(mut asked) = members(&query) else { return Err(Fault::no_task()) };
        asked.insert("id".to_owned(), id.into());
        let asked: GetTask = rpc::parameters(Value::Object(asked))?;
        success(&operations::get(&call, &asked).await?)
    };
    with_call(app, direct, Some(agent), request, operation).await
}

/// `POST …/tasks/{id}:cancel` and `POST …/tasks/{id}:subscribe`.
pub(super) async fn change_task(
    State(app): AppState,
    Extension(direct): Direct,
    path: Segments<(String, String)>,
    request: Request,
) -> Response {
    let Ok(Path((agent, id))) = path else { return invalid_path() };
    let operation = async move |Asked { call, .. }| {
        let named = |id: &str| NamedTask { id: id.to_owned() };
        match id.rsplit_once(':') {
            Some((id, "cancel")) => success(&operations::cancel(&call, &named(id)).await?),
            Some((id, "subscribe")) => {
                let flow = operations::subscribe(call, &named(id)).await?;
                Ok(flow::respond(flow, Binding::Rest))
            }
            _ => {
                let message = "a task is changed by POST …:cancel, and followed by …:subscribe";
                Err(Error::refused(Code::MethodNotAllowed, message).into())
            }
        }
    };
    with_call(app, direct, Some(agent), request, operation).await
}

/// Push notifications, which agents here do not have.
pub(super) async fn no_push(State(app): AppState, request: Request) -> Response {
    refuse(&app, push_fault(), &request_id(request.extensions()))
}

/// `GET …/extendedAgentCard`.
pub(super) async fn no_extended_card(State(app): AppState, request: Request) -> Response {
    refuse(&app, rpc::no_extended_card(), &request_id(request.extensions()))
}

fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Fault> {
    let body: Value = serde_json::from_slice(body)
        .map_err(|_| Fault::new(Kind::Parse, "the body must be JSON"))?;
    rpc::parameters(body)
}

/// The parameters of a query as the members of a request: numbers and truth values by their words.
fn members(query: &str) -> Value {
    let pairs = form_urlencoded::parse(query.as_bytes());
    let typed = |name: &str, text: &str| match name {
        "historyLength" | "pageSize" => {
            text.parse::<i32>().map_or_else(|_| text.into(), Value::from)
        }
        "includeArtifacts" => text.parse::<bool>().map_or_else(|_| text.into(), Value::from),
        _ => Value::from(text),
    };
    let members = pairs.map(|(name, text)| {
        let value = typed(&name, &text);
        (name.into_owned(), value)
    });
    Value::Object(members.collect::<Map<_, _>>())
}

fn success(value: &impl Serialize) -> Result<Response, Fault> {
    let body = serde_json::to_value(value).map_err(Error::internal)?;
    Ok(rpc::private(StatusCode::OK, &body, MEDIA_TYPE))
}

fn refuse(app: &App, fault: Fault, request_id: &str) -> Response {
    let response = rpc::private(fault.status(), &fault.body(app, request_id), MEDIA_TYPE);
    rpc::with_headers(response, fault, app, request_id)
}
