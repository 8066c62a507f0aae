//! Endpoints without a connection, for pages and for protocols that map to the API: reads run the
//! endpoint's script without JSON, everything else goes through the handler that HTTP uses.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::sync::Arc;

use axum::body::Body;
use http::header::{
    AUTHORIZATION, CONTENT_LENGTH, CONTENT_TYPE, HeaderName, HeaderValue, TRANSFER_ENCODING,
};
use http::request::Parts;
use svc_core::app::Ctx;
use svc_core::identity::Account;
use svc_store::error::{Error, Result};
use svc_types::wire::{self, Encoded};
use svc_types::{Declaration, Endpoint};

use super::answer::Reply;
use super::incoming::{Allows, Incoming};
use super::pipeline::Stop;
use super::routes::Handler;
use crate::app::ServerApp;

/// Reads `E` inside a job, for an account or anonymously.
pub(super) type ReadScript<E> = Box<
    dyn Fn(&mut Ctx<'_, '_>, Option<&Account>, &E) -> Result<<E as Endpoint>::Response>
        + Send
        + Sync,
>;

/// Marks a request that a form sends: its Idempotency-Key counts for a deletion too. The second of two equal ones would
/// find nothing, and say so.
#[derive(Clone, Copy, Debug)]
pub(super) struct OfForm;

/// Accompanies a request that replaces several members together: those that a person changed in its form. The handler
/// reads the others behind its lock, because another form may replace them in the same instant.
#[derive(Clone, Debug)]
pub(super) struct Changed(pub(super) Arc<[String]>);

const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// An endpoint without its route.
pub(super) struct DirectEndpoint {
    pub(super) handler: Handler,
    pub(super) allows: Allows,
    /// The [`ReadScript`] of its type, if it only reads.
    pub(super) read: Option<Arc<dyn Any + Send + Sync>>,
}

/// All endpoints by request type.
pub(crate) struct DirectApi(HashMap<TypeId, DirectEndpoint>);

impl DirectApi {
    pub(super) const fn new(endpoints: HashMap<TypeId, DirectEndpoint>) -> Self {
        Self(endpoints)
    }

    /// Runs the script of an endpoint that only reads, in the caller's job.
    pub(crate) fn read<E: Endpoint>(
        &self,
        ctx: &mut Ctx<'_, '_>,
        account: Option<&Account>,
        request: &E,
    ) -> Result<E::Response> {
        let endpoint = self.0.get(&TypeId::of::<E>());
        let script = endpoint
            .and_then(|endpoint| endpoint.read.as_ref())
            .and_then(|script| script.downcast_ref::<ReadScript<E>>())
            .ok_or_else(|| Error::internal(format!("{} is not a read endpoint", E::NAME)))?;
        script(ctx, account, request)
    }

    /// [`Self::send_form`], but the Authorization header of `parts` counts.
    pub(super) async fn send_as<E: Endpoint>(
        &self,
        app: &Arc<ServerApp>,
        parts: Parts,
        request: &E,
        key: Option<&str>,
    ) -> Result<Reply> {
        self.send(app, parts, DirectRequest::of(request)?, key).await
    }

    /// Sends a request through the endpoint's handler. It keeps the cookie, the address and the
    /// origin headers of the page's request in `parts`.
    pub(super) async fn send_form(
        &self,
        app: &Arc<ServerApp>,
        mut parts: Parts,
        request: DirectRequest,
        key: Option<&str>,
    ) -> Result<Reply> {
        parts.headers.remove(AUTHORIZATION);
        parts.extensions.insert(OfForm);
        self.send(app, parts, request, key).await
    }

    async fn send(
        &self,
        app: &Arc<ServerApp>,
        mut parts: Parts,
        request: DirectRequest,
        key: Option<&str>,
    ) -> Result<Reply> {
        let DirectRequest { id, declared, encoded, changed } = request;
        let endpoint = self
            .0
            .get(&id)
            .ok_or_else(|| Error::internal(format!("{} is not served", declared.name)))?;
        let uri = format!("{}?{}", encoded.path, encoded.query);
        parts.uri = uri.trim_end_matches('?').parse().map_err(Error::internal)?;
        parts.method = declared.method;
        for name in [TRANSFER_ENCODING, CONTENT_LENGTH, IDEMPOTENCY_KEY] {
            parts.headers.remove(name);
        }
        let body = encoded.body.unwrap_or_default();
        parts.headers.insert(CONTENT_LENGTH, body.len().into());
        parts.headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if let Some(key) = key.and_then(|key| HeaderValue::try_from(key).ok()) {
            parts.headers.insert(IDEMPOTENCY_KEY, key);
        }
        if let Some(changed) = changed {
            parts.extensions.insert(changed);
        }
        let path = parameters(declared.path, parts.uri.path());
        let allows = endpoint.allows;
        let incoming = Incoming { parts, body: Body::from(body), path, allows };
        (endpoint.handler)(Arc::clone(app), incoming).await.or_else(Stop::into_result)
    }
}

/// An encoded request. The type of its endpoint is erased, so that what sends it is compiled once.
pub(super) struct DirectRequest {
    id: TypeId,
    declared: Declaration,
    encoded: Encoded,
    changed: Option<Changed>,
}

impl DirectRequest {
    pub(super) fn of<E: Endpoint>(request: &E) -> Result<Self> {
        let encoded = wire::encode(request);
        let encoded = encoded.map_err(|error| Error::invalid("", error.to_string()))?;
        let declared = Declaration::of::<E>();
        Ok(Self { id: TypeId::of::<E>(), declared, encoded, changed: None })
    }

    /// The same with the members that a person changed, if it means only those.
    pub(super) fn changing(self, members: Option<Vec<String>>) -> Self {
        Self { changed: members.map(|members| Changed(members.into())), ..self }
    }
}

/// Decodes the parameters of a path that was encoded for this template.
fn parameters(template: &str, path: &str) -> Vec<String> {
    template
        .split('/')
        .zip(path.split('/'))
        .filter(|(name, _)| name.starts_with('{'))
        .map(|(_, value)| percent_encoding::percent_decode_str(value).decode_utf8_lossy().into())
        .collect()
}
