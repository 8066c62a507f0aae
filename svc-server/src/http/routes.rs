//! Builds the router from handlers. Method, path, caller and status come from the request's type.

use std::any::{Any, TypeId};
use std::pin::Pin;
use std::sync::Arc;

use axum::Router;
use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{RawPathParams, Request, State};
use axum::response::Response;
use axum::routing::{MethodFilter, on};
use serde::Serialize;
use serde::de::DeserializeOwned;
use svc_core::app::{App, Ctx};
use svc_core::identity::{Account, Credential};
use svc_store::error::{Error, Result};
use svc_types::{Code, Declaration, Endpoint};

use super::answer::{Answer, Reply};
use super::deprecation::announce;
use super::direct::{DirectApi, DirectEndpoint, ReadScript};
use super::erased::{ErasedEndpoint, ErasedHandler};
use super::incoming::{Allows, Incoming};
use super::pipeline::{self, Call, Pipeline, Stop, Wait};
use super::prefer::HandlingReport;
use super::refuse::{carry, carry_from};
use crate::app::ServerApp;

/// The caller that a handler of `E` gets.
pub type CallerOf<E> = <<E as Endpoint>::By as Credential>::Caller;

/// A handler: a synchronous function over a transaction.
pub type Script<E, R> = fn(&mut Ctx<'_, '_>, &CallerOf<E>, &E) -> Result<R>;

/// A handler that also gets the result of its preparation.
pub type PreparedScript<E, P, R> = fn(&mut Ctx<'_, '_>, &CallerOf<E>, &E, &P) -> Result<R>;

/// The future of one call. It is boxed, so that axum's generics are compiled once.
type Pending = Pin<Box<dyn Future<Output = Result<Reply, Stop>> + Send>>;
pub(super) type Answered = Pin<Box<dyn Future<Output = Response> + Send>>;
pub(super) type Handler = Arc<dyn Fn(Arc<ServerApp>, Incoming) -> Pending + Send + Sync>;

/// The parameters of a path, unless they are not UTF-8.
pub(super) type Params = Result<RawPathParams, RawPathParamsRejection>;

/// Refuses all calls where the operator has not configured a feature.
pub type Requirement = fn(&App) -> Result<()>;

/// Endpoints with their handlers.
pub struct Routes {
    routes: Vec<Route>,
    /// What the endpoints that are added next require.
    requires: Requirement,
}

impl Default for Routes {
    fn default() -> Self {
        Self { routes: Vec::new(), requires: |_| Ok(()) }
    }
}

struct Route {
    id: TypeId,
    endpoint: &'static ErasedEndpoint,
    allows: Allows,
    handler: Handler,
    /// The [`ReadScript`] of an endpoint that only reads.
    read: Option<Arc<dyn Any + Send + Sync>>,
}

impl Routes {
    /// An empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// What the endpoints added from here on require. It is checked after the credential and before
    /// anything else of the request.
    #[must_use]
    pub fn requiring(self, requires: Requirement) -> Self {
        Self { requires, ..self }
    }

    /// Serves an endpoint that only reads, in one read job.
    #[must_use]
    pub fn read<E, R>(self, script: Script<E, R>) -> Self
    where
        E: Endpoint,
        E::By: Credential,
        R: Into<Answer<E::Response>> + 'static,
    {
        let requires = self.requires;
        let read: ReadScript<E> = Box::new(move |ctx, account, request| {
            let caller = E::By::of(account)?;
            requires(ctx.app)?;
            script(ctx, &caller, request)?.into().object()
        });
        self.add::<E>(reading(requires, ErasedHandler::of::<E, R>(script)), Some(read))
    }

    /// Serves an endpoint that only reads, after what its answers need was made: usually long before.
    #[must_use]
    pub fn read_after<E, F>(
        self,
        prepare: fn(Arc<ServerApp>) -> F,
        script: Script<E, E::Response>,
    ) -> Self
    where
        E: Endpoint,
        E::By: Credential,
        F: Future<Output = Result<()>> + Send + 'static,
    {
        let (requires, handler) = (self.requires, ErasedHandler::of(script));
        let handler: Handler = Arc::new(move |app, incoming| {
            let handler = handler.clone();
            Box::pin(async move {
                prepare(Arc::clone(&app)).await?;
                pipeline::read(app, incoming, requires, handler).await
            })
        });
        self.add::<E>(handler, None)
    }

    /// Serves an endpoint that only reads, and whose caller may wait until what it read has changed:
    /// `waits` says whether, and for how long.
    #[must_use]
    pub fn read_waiting<E>(
        self,
        script: Script<E, E::Response>,
        waits: fn(&E, &E::Response) -> Option<Wait>,
    ) -> Self
    where
        E: Endpoint,
        E::By: Credential<Caller = Account>,
    {
        let requires = self.requires;
        let read: ReadScript<E> = Box::new(move |ctx, account, request| {
            let caller = E::By::of(account)?;
            requires(ctx.app)?;
            script(ctx, &caller, request)
        });
        let handler: Handler = Arc::new(move |app, incoming| {
            Box::pin(pipeline::read_waiting::<E>(app, incoming, requires, script, waits))
        });
        self.add::<E>(handler, Some(read))
    }

    /// Serves an endpoint that writes, in one transaction.
    #[must_use]
    pub fn write<E, R>(self, script: Script<E, R>) -> Self
    where
        E: Endpoint,
        E::By: Credential,
        R: Into<Answer<E::Response>> + 'static,
    {
        let handler = writing(self.requires, ErasedHandler::of::<E, R>(script));
        self.add::<E>(handler, None)
    }

    /// Serves an endpoint that begins something in one transaction and completes it after that, at
    /// another host. What the script returns is stored under the Idempotency-Key, and `after` makes
    /// the answer from it: again when the request is repeated.
    #[must_use]
    pub fn write_then<E, R, F>(
        self,
        script: Script<E, R>,
        after: fn(Arc<ServerApp>, R) -> F,
    ) -> Self
    where
        E: Endpoint,
        E::By: Credential,
        R: Serialize + DeserializeOwned + 'static,
        F: Future<Output = Result<E::Response>> + Send + 'static,
    {
        let work = move |pipeline: Pipeline<E::By>| pipeline.transact_then(script, after);
        self.decoded::<E, _>(work)
    }

    /// Serves an endpoint that does slow work, such as hashing a password, before it writes.
    #[must_use]
    pub fn write_prepared<E, P, R, F>(
        self,
        prepare: fn(Arc<ServerApp>, Arc<Call<E>>) -> F,
        script: PreparedScript<E, P, R>,
    ) -> Self
    where
        E: Endpoint,
        E::By: Credential,
        P: Send + Sync + 'static,
        R: Into<Answer<E::Response>> + 'static,
        F: Future<Output = Result<P>> + Send + 'static,
    {
        self.decoded::<E, _>(move |pipeline: Pipeline<E::By>| async move {
            let call = pipeline.authenticate::<E>().await?;
            let prepared = call.prepare(prepare).await?;
            let handler = move |ctx: &mut Ctx<'_, '_>, caller: &CallerOf<E>, request: &E| {
                Ok(script(ctx, caller, request, &prepared)?.into())
            };
            call.transact(handler).await
        })
    }

    /// Serves an endpoint of which some requests do slow work before they write. For a request that
    /// `is_slow`, `load` reads what `prepare` needs, and the script gets the result of `prepare`.
    #[must_use]
    pub fn write_prepared_if<E, L, P, R, F>(
        self,
        is_slow: fn(&E) -> bool,
        load: Script<E, L>,
        prepare: fn(Arc<ServerApp>, L) -> F,
        script: PreparedScript<E, Option<P>, R>,
    ) -> Self
    where
        E: Endpoint,
        E::By: Credential,
        L: Send + 'static,
        P: Send + Sync + 'static,
        R: Into<Answer<E::Response>> + 'static,
        F: Future<Output = Result<P>> + Send + 'static,
    {
        self.decoded::<E, _>(move |pipeline: Pipeline<E::By>| async move {
            let mut prepared = None;
            if is_slow(pipeline.request()) {
                let (loaded, _turn) = pipeline.load(load).await?;
                prepared = Some(pipeline.prepare(prepare, loaded).await?);
            }
            let script = move |ctx: &mut Ctx<'_, '_>, caller: &CallerOf<E>, request: &E| {
                script(ctx, caller, request, &prepared)
            };
            pipeline.transact(ErasedHandler::of::<E, R>(script)).await
        })
    }

    /// Serves an endpoint that needs no transaction.
    #[must_use]
    pub fn answer<E, F>(self, answer: fn(Arc<ServerApp>, E) -> F) -> Self
    where
        E: Endpoint,
        E::By: Credential,
        F: Future<Output = Result<E::Response>> + Send + 'static,
    {
        self.decoded::<E, _>(move |pipeline: Pipeline<E::By>| pipeline.answer(answer))
    }

    /// Lets suspended accounts and paused agents call the endpoint added last, although it writes.
    #[must_use]
    pub fn allow_suspended(mut self) -> Self {
        self.routes.last_mut().expect("an endpoint was added").allows.suspended = true;
        self
    }

    /// Lets deleted accounts that are not erased yet call the endpoint added last.
    #[must_use]
    pub fn allow_deleted(mut self) -> Self {
        self.routes.last_mut().expect("an endpoint was added").allows.deleted = true;
        self
    }

    /// Answers each request to the endpoint added last by itself, whatever its Idempotency-Key: a stored
    /// answer would be out of date.
    #[must_use]
    pub fn answer_afresh(mut self) -> Self {
        self.routes.last_mut().expect("an endpoint was added").allows.afresh = true;
        self
    }

    /// Adds the endpoints of another list.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.routes.extend(other.routes);
        self
    }

    /// The endpoints' names, for the test that none is missing.
    pub fn names(&self) -> Vec<&'static str> {
        self.routes.iter().map(|route| route.endpoint.declared.name).collect()
    }

    /// Adds an endpoint by what is done with each decoded request.
    fn decoded<E, F>(
        self,
        work: impl Fn(Pipeline<E::By>) -> F + Clone + Send + Sync + 'static,
    ) -> Self
    where
        E: Endpoint,
        E::By: Credential,
        F: Future<Output = Result<Reply, Stop>> + Send + 'static,
    {
        let handler = decoding(ErasedEndpoint::of::<E>(), self.requires, work);
        self.add::<E>(handler, None)
    }

    fn add<E: Endpoint>(mut self, handler: Handler, read: Option<ReadScript<E>>) -> Self {
        let (id, endpoint) = (TypeId::of::<E>(), ErasedEndpoint::of::<E>());
        let read = read.map(|read| Arc::new(read) as Arc<dyn Any + Send + Sync>);
        self.routes.push(Route { id, endpoint, allows: Allows::default(), handler, read });
        self
    }

    /// The same endpoints for pages, which call them without HTTP.
    pub(crate) fn direct(&self) -> DirectApi {
        let endpoints = self.routes.iter().map(|route| {
            let (handler, allows) = (Arc::clone(&route.handler), route.allows);
            (route.id, DirectEndpoint { handler, allows, read: route.read.clone() })
        });
        DirectApi::new(endpoints.collect())
    }

    /// The router of `/api`.
    pub(super) fn router(self) -> Router<Arc<ServerApp>> {
        self.routes.into_iter().fold(Router::new(), |router, route| {
            let Declaration { method, path, .. } = &route.endpoint.declared;
            let filter = MethodFilter::try_from(method.clone()).expect("a usual method");
            router.route(path, on(filter, route.endpoint()))
        })
    }
}

/// Handles an endpoint that only reads, in one read job.
fn reading<B: Credential>(requires: Requirement, handler: ErasedHandler<B>) -> Handler {
    Arc::new(move |app, incoming| {
        Box::pin(pipeline::read(app, incoming, requires, handler.clone()))
    })
}

/// Handles an endpoint that writes, in one transaction.
fn writing<B: Credential>(requires: Requirement, handler: ErasedHandler<B>) -> Handler {
    let endpoint = handler.endpoint();
    decoding(endpoint, requires, move |pipeline: Pipeline<B>| pipeline.transact(handler.clone()))
}

/// Decodes each request, then does this work with it.
fn decoding<B, F>(
    endpoint: &'static ErasedEndpoint,
    requires: Requirement,
    work: impl Fn(Pipeline<B>) -> F + Clone + Send + Sync + 'static,
) -> Handler
where
    B: Credential,
    F: Future<Output = Result<Reply, Stop>> + Send + 'static,
{
    Arc::new(move |app, incoming| {
        let work = work.clone();
        Box::pin(async move {
            let pipeline = Pipeline::<B>::decode(app, incoming, endpoint, requires).await?;
            work(pipeline).await
        })
    })
}

impl Route {
    /// The route as an axum handler.
    fn endpoint(
        self,
    ) -> impl Fn(State<Arc<ServerApp>>, Params, Request) -> Answered + Clone + Send + Sync + 'static
    {
        let Self { endpoint, allows, handler, .. } = self;
        let Declaration { scopes, deprecated, .. } = endpoint.declared;
        move |State(app), params, request: Request| {
            let Ok(params): Params = params else {
                return Box::pin(async { invalid_path() });
            };
            let path = params.iter().map(|(_, value)| value.to_owned()).collect();
            let (mut parts, body) = request.into_parts();
            let report = HandlingReport::default();
            parts.extensions.insert(report.clone());
            let reply = handler(app, Incoming { parts, body, path, allows });
            Box::pin(async move {
                let answered = reply.await.or_else(Stop::into_result);
                let answer =
                    answered.map_or_else(|error| carry_from(error, scopes), Response::from);
                announce(report.add_to(answer), deprecated)
            })
        }
    }
}

/// The response to an unknown path.
pub async fn no_route() -> Response {
    carry(Error::refused(
        Code::NotFound,
        "no such path; the interface is described at /api/openapi.json",
    ))
}

/// The response to a path parameter that is not UTF-8.
pub fn invalid_path() -> Response {
    carry(Error::refused(Code::ValidationFailed, "the path must be percent-encoded UTF-8"))
}

/// The response to a method that the path does not support.
pub async fn no_method() -> Response {
    carry(Error::refused(Code::MethodNotAllowed, "this path does not take this method"))
}
