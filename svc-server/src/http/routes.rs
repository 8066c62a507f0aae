//! Builds the router from handlers. Method, path, caller and status come from the request's type.

use std::any::{Any, TypeId};
use std::pin::Pin;
use std::sync::Arc;

use axum::Router;
use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{RawPathParams, Request, State};
use axum::response::Response;
use axum::routing::{MethodFilter, on};
use http::Method;
use serde::Serialize;
use serde::de::DeserializeOwned;
use svc_core::app::{App, Ctx};
use svc_core::identity::{Account, Credential};
use svc_store::error::{Error, Result};
use svc_types::endpoint::Deprecated;
use svc_types::{Code, Endpoint, Scopes};

use super::answer::{Answer, Reply};
use super::deprecation::announce;
use super::direct::{DirectApi, DirectEndpoint, ReadScript};
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
    name: &'static str,
    method: Method,
    path: &'static str,
    /// What a token needs, of which a refusal tells.
    scopes: Scopes,
    deprecated: Option<Deprecated>,
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
        let mut routes = self.add::<E>(Arc::new(move |app, incoming| {
            Box::pin(pipeline::read::<E>(app, incoming, requires, move |ctx, caller, request| {
                Ok(script(ctx, caller, request)?.into())
            }))
        }));
        routes.routes.last_mut().expect("an endpoint was added").read = Some(Arc::new(read));
        routes
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
        let requires = self.requires;
        self.add::<E>(Arc::new(move |app, incoming| {
            Box::pin(async move {
                prepare(Arc::clone(&app)).await?;
                pipeline::read::<E>(app, incoming, requires, move |ctx, caller, request| {
                    Ok(script(ctx, caller, request)?.into())
                })
                .await
            })
        }))
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
        let mut routes = self.add::<E>(Arc::new(move |app, incoming| {
            Box::pin(pipeline::read_waiting::<E>(app, incoming, requires, script, waits))
        }));
        routes.routes.last_mut().expect("an endpoint was added").read = Some(Arc::new(read));
        routes
    }

    /// Serves an endpoint that writes, in one transaction.
    #[must_use]
    pub fn write<E, R>(self, script: Script<E, R>) -> Self
    where
        E: Endpoint,
        E::By: Credential,
        R: Into<Answer<E::Response>> + 'static,
    {
        let requires = self.requires;
        self.add::<E>(Arc::new(move |app, incoming| {
            Box::pin(async move {
                let pipeline = Pipeline::<E>::decode(app, incoming, requires).await?;
                let handler = move |ctx: &mut Ctx<'_, '_>, caller: &CallerOf<E>, request: &E| {
                    Ok(script(ctx, caller, request)?.into())
                };
                pipeline.transact(handler).await
            })
        }))
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
        let requires = self.requires;
        self.add::<E>(Arc::new(move |app, incoming| {
            Box::pin(async move {
                let pipeline = Pipeline::<E>::decode(app, incoming, requires).await?;
                pipeline.transact_then(script, after).await
            })
        }))
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
        let requires = self.requires;
        self.add::<E>(Arc::new(move |app, incoming| {
            Box::pin(async move {
                let pipeline = Pipeline::<E>::decode(app, incoming, requires).await?;
                let call = pipeline.authenticate().await?;
                let prepared = call.prepare(prepare).await?;
                let handler = move |ctx: &mut Ctx<'_, '_>, caller: &CallerOf<E>, request: &E| {
                    Ok(script(ctx, caller, request, &prepared)?.into())
                };
                call.transact(handler).await
            })
        }))
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
        let requires = self.requires;
        self.add::<E>(Arc::new(move |app, incoming| {
            Box::pin(async move {
                let pipeline = Pipeline::<E>::decode(app, incoming, requires).await?;
                let mut prepared = None;
                if is_slow(pipeline.request()) {
                    let loaded = pipeline.load(load).await?;
                    prepared = Some(pipeline.prepare(prepare, loaded).await?);
                }
                let handler = move |ctx: &mut Ctx<'_, '_>, caller: &CallerOf<E>, request: &E| {
                    Ok(script(ctx, caller, request, &prepared)?.into())
                };
                pipeline.transact(handler).await
            })
        }))
    }

    /// Serves an endpoint that needs no transaction.
    #[must_use]
    pub fn answer<E, F>(self, answer: fn(Arc<ServerApp>, E) -> F) -> Self
    where
        E: Endpoint,
        E::By: Credential,
        F: Future<Output = Result<E::Response>> + Send + 'static,
    {
        let requires = self.requires;
        self.add::<E>(Arc::new(move |app, incoming| {
            Box::pin(async move {
                let pipeline = Pipeline::<E>::decode(app, incoming, requires).await?;
                pipeline.answer(answer).await
            })
        }))
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

    /// Adds the endpoints of another list.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.routes.extend(other.routes);
        self
    }

    /// The endpoints' names, for the test that none is missing.
    pub fn names(&self) -> Vec<&'static str> {
        self.routes.iter().map(|route| route.name).collect()
    }

    fn add<E: Endpoint>(mut self, handler: Handler) -> Self {
        let (name, method, path) = (E::NAME, E::METHOD, E::PATH);
        let (id, allows, read) = (TypeId::of::<E>(), Allows::default(), None);
        let (scopes, deprecated) = (E::SCOPES, E::DEPRECATED);
        let route = Route { id, name, method, path, scopes, deprecated, allows, handler, read };
        self.routes.push(route);
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
            let filter = MethodFilter::try_from(route.method.clone()).expect("a usual method");
            router.route(route.path, on(filter, route.endpoint()))
        })
    }
}

impl Route {
    /// The route as an axum handler.
    fn endpoint(
        self,
    ) -> impl Fn(State<Arc<ServerApp>>, Params, Request) -> Answered + Clone + Send + Sync + 'static
    {
        let Self { allows, handler, scopes, deprecated, .. } = self;
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
