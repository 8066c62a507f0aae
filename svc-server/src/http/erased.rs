//! Endpoints, requests and handlers without their types, so that the stages which all requests pass are compiled
//! once for each kind of caller and not for each endpoint.

use std::any::Any;
use std::sync::Arc;

use svc_core::app::Ctx;
use svc_core::identity::Credential;
use svc_core::services::secrets::Suspects;
use svc_store::error::Result;
use svc_types::wire::{self, Handling, Rejected};
use svc_types::{Declaration, Endpoint};

use super::answer::{Answer, Reply};
use super::incoming::Rules;
use super::prefer;

/// What the stages of a request know of its endpoint.
pub(super) struct ErasedEndpoint {
    pub(super) declared: Declaration,
    /// What it asks of the credential of an account.
    pub(super) rules: Rules,
    /// Decodes a request, and names the members that are ignored.
    pub(super) decode: Decoder<Result<(ErasedRequest, Vec<String>), Rejected>>,
    /// All problems of a request that is refused.
    pub(super) problems: Decoder<Vec<Rejected>>,
}

/// A function over the decoded parameters of a path, the query, the body and how unknown members are handled.
type Decoder<T> = fn(&[&str], &str, &[u8], Handling) -> T;

impl ErasedEndpoint {
    /// The endpoint of this type.
    pub(super) const fn of<E: Endpoint>() -> &'static Self {
        const {
            &Self {
                declared: Declaration::of::<E>(),
                rules: Rules::of::<E>(),
                decode: decode::<E>,
                problems: wire::problems::<E>,
            }
        }
    }
}

fn decode<E: Endpoint>(
    path: &[&str],
    query: &str,
    body: &[u8],
    handling: Handling,
) -> Result<(ErasedRequest, Vec<String>), Rejected> {
    let (request, mut ignored) = wire::decode_with::<E>(path, query, body, handling)?;
    ignored.extend(prefer::ignored_in_content(&request));
    Ok((ErasedRequest(Box::new(request)), ignored))
}

/// A decoded request of some endpoint.
pub(super) struct ErasedRequest(Box<dyn Request>);

trait Request: Any + Send + Sync {
    fn suspects(&self) -> Suspects;
}

impl<E: Endpoint> Request for E {
    fn suspects(&self) -> Suspects {
        suspects(self)
    }
}

/// Possible live keys in the texts of a request. GET and DELETE store no text, so theirs are not
/// searched.
pub(super) fn suspects<E: Endpoint>(request: &E) -> Suspects {
    if wire::in_query(&E::METHOD) { Suspects::default() } else { Suspects::of(request) }
}

impl ErasedRequest {
    /// The request.
    ///
    /// # Panics
    /// If it is one of another endpoint.
    pub(super) fn get<E: Endpoint>(&self) -> &E {
        let request: &dyn Any = &*self.0;
        request.downcast_ref().expect("a handler gets the requests of its endpoint")
    }

    /// The request by value.
    ///
    /// # Panics
    /// If it is one of another endpoint.
    pub(super) fn into_inner<E: Endpoint>(self) -> E {
        let request: Box<dyn Any> = self.0;
        *request.downcast().expect("a handler gets the requests of its endpoint")
    }

    /// [`suspects`] of the request.
    pub(super) fn suspects(&self) -> Suspects {
        self.0.suspects()
    }
}

/// A handler with its endpoint. It serializes what it answers.
pub(super) struct ErasedHandler<B: Credential> {
    endpoint: &'static ErasedEndpoint,
    run: Arc<Run<B>>,
}

type Run<B> = dyn Fn(&mut Ctx<'_, '_>, &<B as Credential>::Caller, &ErasedRequest) -> Result<Reply>
    + Send
    + Sync;

impl<B: Credential> ErasedHandler<B> {
    /// A handler of `E`.
    pub(super) fn of<E, R>(
        handler: impl Fn(&mut Ctx<'_, '_>, &B::Caller, &E) -> Result<R> + Send + Sync + 'static,
    ) -> Self
    where
        E: Endpoint<By = B>,
        R: Into<Answer<E::Response>>,
    {
        Self::replying(move |ctx, caller, request| {
            handler(ctx, caller, request)?.into().reply(E::STATUS)
        })
    }

    /// A handler of `E` that serializes by itself.
    pub(super) fn replying<E: Endpoint<By = B>>(
        handler: impl Fn(&mut Ctx<'_, '_>, &B::Caller, &E) -> Result<Reply> + Send + Sync + 'static,
    ) -> Self {
        let run = move |ctx: &mut Ctx<'_, '_>, caller: &B::Caller, request: &ErasedRequest| {
            handler(ctx, caller, request.get())
        };
        Self { endpoint: ErasedEndpoint::of::<E>(), run: Arc::new(run) }
    }

    /// Its endpoint.
    pub(super) const fn endpoint(&self) -> &'static ErasedEndpoint {
        self.endpoint
    }

    /// Handles a request of its endpoint.
    pub(super) fn run(
        &self,
        ctx: &mut Ctx<'_, '_>,
        caller: &B::Caller,
        request: &ErasedRequest,
    ) -> Result<Reply> {
        (self.run)(ctx, caller, request)
    }
}

// Not derived, because callers need not be `Clone`.
impl<B: Credential> Clone for ErasedHandler<B> {
    fn clone(&self) -> Self {
        Self { endpoint: self.endpoint, run: Arc::clone(&self.run) }
    }
}
