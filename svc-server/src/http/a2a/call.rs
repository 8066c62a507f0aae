//! A call of the protocol: the agent it is for, the account that calls, and the endpoints.

use std::sync::Arc;

use axum::extract::Request;
use bytes::Bytes;
use http::header::{COOKIE, HeaderMap};
use http::request::Parts;
use svc_core::due;
use svc_core::identity::Account;
use svc_store::error::{Error, Result};
use svc_types::api::orders::{GetOrder, ServiceOrder};
use svc_types::{By, Code, Endpoint, MessageId, Scopes, by};
use url::form_urlencoded;

use super::fault::{Fault, Kind};
use super::{VERSION, extension};
use crate::app::ServerApp;
use crate::http::direct::DirectApi;
use crate::http::incoming::{self, Accepts, Allows, Incoming, Received, Rules};
use crate::http::observe::RequestId;

/// The service parameter with the version that the client speaks, a header or in the query.
const VERSION_PARAMETER: &str = "a2a-version";

/// Longest id of a task.
const TASK_ID_MAX: usize = 64;

/// The endpoints, as the program that sent a request.
#[derive(Clone)]
pub(super) struct Api {
    pub(super) app: Arc<ServerApp>,
    direct: Arc<DirectApi>,
    /// The request without its cookies: only keys and tokens count here.
    parts: Parts,
}

/// A call for an agent by an account.
pub(super) struct Call {
    pub(super) api: Api,
    /// The agent in the path.
    pub(super) agent: String,
    /// The caller, who is the buyer.
    pub(super) account: Account,
}

/// A request with its body, not yet authenticated.
pub(super) struct Opened {
    pub(super) api: Api,
    received: Arc<Received>,
}

impl Opened {
    /// Receives a request (413, 415). Without a credential it ends here (401) if the caller must be
    /// known.
    pub(super) async fn of<B: By>(
        app: Arc<ServerApp>,
        direct: Arc<DirectApi>,
        request: Request,
    ) -> Result<Self> {
        let (mut parts, body) = request.into_parts();
        parts.headers.remove(COOKIE);
        let api = Api { parts: parts.clone(), direct, app };
        // The endpoints behind refuse accounts that may not act; all may read.
        let allows = Allows { suspended: true, ..Allows::default() };
        let incoming = Incoming { parts, body, path: Vec::new(), allows };
        let accepts = Accepts {
            bytes_max: api.app.config.limits.body_bytes,
            is_type: |essence| matches!(essence, "application/json" | "application/a2a+json"),
            refusal: ["the body must be JSON", "send Content-Type: application/json"],
        };
        let received = incoming::receive(&api.app, incoming, &accepts, B::WHO).await?;
        Ok(Self { api, received: Arc::new(received) })
    }

    /// The raw body.
    pub(super) fn body(&self) -> Bytes {
        self.received.body().clone()
    }

    /// Identifies the caller (401). Scopes are checked by the endpoints.
    pub(super) async fn authenticate(self, agent: String) -> Result<Call> {
        let Self { api, received } = self;
        let rules = Rules { scopes: Scopes::NONE, guarded: false };
        let job = move |ctx: &mut svc_core::app::Ctx<'_, '_>| {
            received.authenticate::<by::Account>(ctx, rules)
        };
        let account = due::read_in_time(&api.app, job).await?;
        Ok(Call { api, agent, account })
    }
}

impl Api {
    /// Calls an endpoint, once per `key` if there is one.
    pub(super) async fn ask<E: Endpoint>(
        &self,
        request: &E,
        key: Option<&str>,
    ) -> Result<E::Response> {
        let reply = self.direct.send_as(&self.app, self.parts.clone(), request, key).await?;
        serde_json::from_slice(&reply.body).map_err(Error::internal)
    }

    /// Refuses other versions than ours. A client that names none speaks an older one (§3.6.2).
    pub(super) fn check_version(&self) -> Result<(), Fault> {
        let asked = version(&self.parts.headers, self.parts.uri.query().unwrap_or_default());
        // A patch version does not matter.
        let is_ours =
            asked.strip_prefix(VERSION).is_some_and(|it| it.is_empty() || it.starts_with('.'));
        if is_ours {
            return Ok(());
        }
        let message = format!("this agent speaks A2A {VERSION} only");
        Err(Fault::new(Kind::VersionNotSupported, message)
            .hint(format!("send the header A2A-Version: {VERSION}")))
    }

    /// The request id of the log.
    pub(super) fn request_id(&self) -> String {
        request_id(&self.parts.extensions)
    }

    /// The URI of the extension that says how much a message may cost.
    pub(super) fn extension(&self) -> String {
        extension::uri(&self.app)
    }
}

/// The request id of a request.
pub(super) fn request_id(extensions: &http::Extensions) -> String {
    extensions.get::<RequestId>().map(|id| id.0.to_string()).unwrap_or_default()
}

fn version(headers: &HeaderMap, query: &str) -> String {
    let header = headers.get(VERSION_PARAMETER).and_then(|value| value.to_str().ok());
    let header = header.filter(|text| !text.is_empty()).map(str::to_owned);
    let in_query = || {
        let mut pairs = form_urlencoded::parse(query.as_bytes());
        let found = pairs.find(|(name, _)| name.eq_ignore_ascii_case(VERSION_PARAMETER));
        found.map(|(_, text)| text.into_owned())
    };
    header.or_else(in_query).unwrap_or_default()
}

impl Call {
    /// An order that the caller placed with the agent.
    pub(super) async fn order(&self, task: &str) -> Result<ServiceOrder, Fault> {
        if task.len() > TASK_ID_MAX || !task.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(Fault::no_task());
        }
        let order_id = MessageId::from(task);
        let request = GetOrder { order_id, wait_seconds: None, after_version: None };
        let order = self.api.ask(&request, None).await.map(|found| found.order);
        let order = order.map_err(unknown)?;
        if self.is_own(&order) { Ok(order) } else { Err(Fault::no_task()) }
    }

    /// Whether the caller placed it, with this agent.
    fn is_own(&self, order: &ServiceOrder) -> bool {
        let is_agent = order.provider.username.eq_ignore_ascii_case(&self.agent)
            || order.provider.id.as_str() == self.agent;
        is_agent && order.buyer.id == self.account.id
    }
}

/// The refusal of an order that the caller may not see, or that has no possible id.
fn unknown(error: Error) -> Fault {
    match error.code() {
        Code::NotFound | Code::ValidationFailed => Fault::no_task(),
        _ => error.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_a_header_or_in_the_query() {
        let headers = |text: &'static str| {
            HeaderMap::from_iter([(VERSION_PARAMETER.parse().unwrap(), text.parse().unwrap())])
        };
        assert_eq!(version(&headers("1.0"), "a2a-version=2"), "1.0");
        assert_eq!(version(&HeaderMap::new(), "x=1&A2A-Version=1.0"), "1.0");
        assert_eq!(version(&headers(""), ""), "");
    }
}
