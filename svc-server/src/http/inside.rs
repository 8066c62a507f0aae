//! The endpoints for those inside the process: pages ask them as a client would, by the same
//! scripts and handlers, without a connection and for reads without JSON.

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
use svc_types::{Endpoint, wire};

use super::answer::Reply;
use super::routes::Handler;
use super::serve::Incoming;
use crate::app::ServerApp;

/// A read of `E` inside a job, for an account or for nobody.
pub(super) type Asked<E> = Box<
    dyn Fn(&mut Ctx<'_, '_>, Option<&Account>, &E) -> Result<<E as Endpoint>::Response>
        + Send
        + Sync,
>;

const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// An endpoint as it is reached from inside.
pub(super) struct Within {
    pub(super) handler: Handler,
    pub(super) suspended: bool,
    /// The [`Asked`] of its type, if it only reads.
    pub(super) asked: Option<Arc<dyn Any + Send + Sync>>,
}

/// All endpoints, by their request types.
pub(super) struct Inside(HashMap<TypeId, Within>);

impl Inside {
    pub(super) const fn new(endpoints: HashMap<TypeId, Within>) -> Self {
        Self(endpoints)
    }

    /// Runs the script of an endpoint that only reads, in the job that asks.
    pub(super) fn ask<E: Endpoint>(
        &self,
        ctx: &mut Ctx<'_, '_>,
        account: Option<&Account>,
        request: &E,
    ) -> Result<E::Response> {
        let asked = self.0.get(&TypeId::of::<E>()).and_then(|within| within.asked.as_ref());
        let asked = asked.and_then(|asked| asked.downcast_ref::<Asked<E>>());
        let asked = asked.ok_or_else(|| Error::internal(format!("{} is no read", E::NAME)))?;
        asked(ctx, account, request)
    }

    /// Sends a request through the handler that HTTP uses, with the head of the one that came: the
    /// cookie, where from, what says which site. An Idempotency-Key belongs to a POST alone.
    pub(super) async fn send<E: Endpoint>(
        &self,
        app: &Arc<ServerApp>,
        mut parts: Parts,
        request: &E,
        key: Option<&str>,
    ) -> Result<Reply> {
        let within = self.0.get(&TypeId::of::<E>());
        let within = within.ok_or_else(|| Error::internal(format!("{} is not served", E::NAME)))?;
        let encoded =
            wire::encode(request).map_err(|error| Error::invalid("", error.to_string()))?;
        let uri = format!("{}?{}", encoded.path, encoded.query);
        parts.uri = uri.trim_end_matches('?').parse().map_err(Error::internal)?;
        parts.method = E::METHOD;
        for name in [AUTHORIZATION, TRANSFER_ENCODING, CONTENT_LENGTH, IDEMPOTENCY_KEY] {
            parts.headers.remove(name);
        }
        let body = encoded.body.unwrap_or_default();
        parts.headers.insert(CONTENT_LENGTH, body.len().into());
        parts.headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if let Some(key) = key.and_then(|key| HeaderValue::try_from(key).ok()) {
            parts.headers.insert(IDEMPOTENCY_KEY, key);
        }
        let path = parameters::<E>(parts.uri.path());
        let suspended = within.suspended;
        let incoming = Incoming { parts, body: Body::from(body), path, suspended };
        (within.handler)(Arc::clone(app), incoming).await
    }
}

/// The decoded parameters of a path that was encoded for `E`.
fn parameters<E: Endpoint>(path: &str) -> Vec<String> {
    let segments = E::PATH.split('/').zip(path.split('/'));
    let values = segments.filter(|(name, _)| name.starts_with('{')).map(|(_, value)| value);
    let decoded = |value| percent_encoding::percent_decode_str(value).decode_utf8_lossy();
    values.map(|value| decoded(value).into_owned()).collect()
}
