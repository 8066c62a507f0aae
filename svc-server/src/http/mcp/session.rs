//! One request to `/mcp`: its caller, and how its tools call endpoints.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use axum::extract::Request;
use http::Extensions;
use http::header::{AUTHORIZATION, HeaderValue};
use http::request::Parts;
use rmcp::model::{
    CallToolRequestParams, InputRequiredResult, ProgressNotificationParam, ProgressToken,
    ProtocolVersion,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use svc_core::identity::Account;
use svc_core::services::oauth::Resource;
use svc_mcp::{Backend, Order, OrderResult, Topup, TopupResult};
use svc_store::error::{Error, Refusal};
use svc_store::trace::{self, Context};
use svc_types::api::escrow::{CreateEscrow, ReleaseEscrow};
use svc_types::{Endpoint, Scope};
use tokio_util::sync::CancellationToken;

use crate::app::ServerApp;
use crate::http::direct::DirectApi;
use crate::http::idempotency::REPLAYED;
use crate::http::observe::{Peer, Principal, RequestId};
use crate::http::plain::guide;
use crate::http::refuse::{error_body, is_denial, visible};

/// Who calls, as the tools of a request need it.
#[derive(Clone)]
pub(super) struct Visit {
    pub(super) account: Arc<Account>,
    authorization: Option<HeaderValue>,
    /// The Idempotency-Key of the request, for a tool that calls one endpoint.
    key: Option<String>,
    peer: Option<Peer>,
    principal: Option<Principal>,
    request_id: Arc<str>,
    /// The trace of the request: the library runs tools on tasks of its own.
    pub(super) trace: Option<Context>,
    /// A refusal for which the host needs another credential: it is answered by a status.
    denial: Arc<OnceLock<Refusal>>,
}

impl Visit {
    pub(super) fn of(parts: &Parts, account: Account) -> Self {
        let key = parts.headers.get("idempotency-key").and_then(|key| key.to_str().ok());
        let id = parts.extensions.get::<RequestId>();
        Self {
            account: Arc::new(account),
            authorization: parts.headers.get(AUTHORIZATION).cloned(),
            key: key.map(str::to_owned),
            peer: parts.extensions.get().copied(),
            principal: parts.extensions.get().cloned(),
            request_id: id.map_or_else(|| Arc::from(""), |id| Arc::clone(&id.0)),
            trace: trace::current(),
            denial: Arc::default(),
        }
    }

    /// The refusal of a call that needs another credential. Its challenge names what the token has too:
    /// hosts ask for what it says, and a token with less would be refused elsewhere.
    pub(super) fn denial(&self) -> Option<Refusal> {
        let mut denial = self.denial.get().cloned()?;
        if let Some(needed) = denial.scope.take() {
            let has = self.account.scopes.iter().map(|scope| scope.to_string());
            let all: Vec<String> = has.chain([needed]).collect();
            denial.scope = Some(all.join(" "));
        }
        Some(denial)
    }

    /// What a call inside the process takes over from the request.
    pub(super) fn parts(&self) -> Parts {
        let (mut parts, ()) = Request::new(()).into_parts();
        if let Some(authorization) = &self.authorization {
            parts.headers.insert(AUTHORIZATION, authorization.clone());
        }
        let kept: &mut Extensions = &mut parts.extensions;
        kept.insert(Resource::Mcp);
        kept.insert(RequestId(Arc::clone(&self.request_id)));
        if let Some(peer) = self.peer {
            kept.insert(peer);
        }
        if let Some(principal) = &self.principal {
            kept.insert(principal.clone());
        }
        parts
    }
}

/// Why a tool did not do what it was called for.
#[derive(Debug)]
pub(super) enum Failure {
    /// It was refused, or failed: error, code, hint.
    Refused(Value),
    /// Tokens must be paid first: what x402 asks for.
    Unpaid(Value),
    /// The person has to be asked first.
    Ask(Box<InputRequiredResult>),
}

/// One call of a tool.
pub(super) struct Session {
    pub(super) app: Arc<ServerApp>,
    direct: Arc<DirectApi>,
    pub(super) visit: Visit,
    /// What the host sent back of an earlier question.
    pub(super) state: Option<String>,
    pub(super) answers: BTreeMap<String, Value>,
    /// Whether the host can ask the person.
    pub(super) can_ask: bool,
    /// Cancelled when the host no longer waits.
    pub(super) gone: CancellationToken,
    progress: Option<(ProgressToken, RequestContext<RoleServer>)>,
}

impl Session {
    /// The session of a call; none without the visit that the transport notes.
    pub(super) fn of(
        app: &Arc<ServerApp>,
        direct: &Arc<DirectApi>,
        asked: Option<&mut CallToolRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Option<Self> {
        let visit = context.extensions.get::<Parts>()?.extensions.get::<Visit>()?.clone();
        let (state, answers) = match asked {
            Some(asked) => (asked.request_state.take(), asked.input_responses.take()),
            None => (None, None),
        };
        Some(Self {
            app: Arc::clone(app),
            direct: Arc::clone(direct),
            visit,
            state,
            answers: answers.unwrap_or_default(),
            can_ask: can_ask(&context),
            gone: context.ct.clone(),
            progress: context.meta.get_progress_token().map(|token| (token, context)),
        })
    }

    /// Calls an endpoint, once per Idempotency-Key.
    pub(super) async fn call<E: Endpoint, T: DeserializeOwned>(
        &self,
        request: &E,
        key: Option<&str>,
    ) -> Result<T, Failure> {
        self.call_once(request, key).await.map(|(answer, _)| answer)
    }

    /// The same, and whether the answer is that of an earlier call.
    pub(super) async fn call_once<E: Endpoint, T: DeserializeOwned>(
        &self,
        request: &E,
        key: Option<&str>,
    ) -> Result<(T, bool), Failure> {
        let reply = self.direct.send_as(&self.app, self.visit.parts(), request, key).await;
        let answer = reply.and_then(|reply| {
            let is_replayed = reply.headers.iter().any(|(name, _)| *name == REPLAYED);
            let answer = serde_json::from_slice(&reply.body).map_err(Error::internal)?;
            Ok((answer, is_replayed))
        });
        answer.map_err(|error| self.refused(&error))
    }

    /// An error of the platform as the result of a tool.
    pub(super) fn refused(&self, error: &Error) -> Failure {
        let refusal = visible(error, &self.visit.request_id);
        if is_denial(&refusal) {
            // The first one is answered.
            let _ = self.visit.denial.set(refusal.clone());
        }
        Failure::Refused(json!(error_body(refusal, &self.visit.request_id)))
    }

    /// 403 unless the credential may spend.
    pub(super) fn require_spending(&self) -> Result<(), Failure> {
        let judged = self.visit.account.require_one(&Scope::ExchangeSpend);
        judged.map_err(|error| self.refused(&error))
    }

    /// Tells a host that asked for it how far the call is.
    pub(super) async fn report(&self, step: u32, message: String) {
        let Some((token, context)) = &self.progress else { return };
        let report = ProgressNotificationParam::new(token.clone(), f64::from(step));
        // A host that is gone needs no report.
        let _ = context.peer.notify_progress(report.with_message(message)).await;
    }
}

/// Whether the host shows forms, in a version of the protocol that has them without a session.
fn can_ask(context: &RequestContext<RoleServer>) -> bool {
    let is_modern = context
        .protocol_version()
        .is_some_and(|version| version.as_str() >= ProtocolVersion::V_2026_07_28.as_str());
    let asks = context.client_capabilities().and_then(|capable| capable.elicitation);
    // Without details a host means forms.
    is_modern && asks.is_some_and(|asks| asks.form.is_some() || asks.url.is_none())
}

/// A failure that a tool finds itself.
pub(super) fn failure(code: &str, message: impl Into<String>, hint: impl Into<String>) -> Failure {
    let (message, hint) = (message.into(), hint.into());
    Failure::Refused(json!({ "error": message, "code": code, "hint": hint }))
}

impl Backend for Session {
    type Error = Failure;

    async fn send<E: Endpoint>(&self, request: E) -> Result<Value, Failure> {
        self.call(&request, self.visit.key.as_deref()).await
    }

    async fn order(&self, order: Order) -> Result<OrderResult, Failure> {
        super::order::order(self, order).await
    }

    async fn open(&self, request: CreateEscrow) -> Result<Value, Failure> {
        super::escrow::open(self, request).await
    }

    async fn release(
        &self,
        request: ReleaseEscrow,
        checksum: Option<Value>,
    ) -> Result<Value, Failure> {
        super::escrow::release(self, request, checksum).await
    }

    async fn topup(&self, topup: Topup) -> Result<TopupResult, Failure> {
        super::topup::topup(self, topup).await
    }

    async fn guide(&self) -> Result<String, Failure> {
        Ok(guide(&self.app))
    }

    fn resource_error(failure: Failure) -> Option<ErrorData> {
        let Failure::Refused(body) = failure else { return None };
        let text = |member: &str| body[member].as_str().unwrap_or("it was refused").to_owned();
        let (code, message) = (text("code"), text("error"));
        svc_mcp::resource_error(&code, &message, body)
    }

    fn misused(message: String, hint: impl Into<String>) -> Failure {
        failure("validation_failed", message, hint)
    }
}
