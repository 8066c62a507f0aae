//! From handlers to the router. Method, path, caller and status come from the request's type.

use std::any::{Any, TypeId};
use std::pin::Pin;
use std::sync::Arc;

use axum::Router;
use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{RawPathParams, Request, State};
use axum::response::Response;
use axum::routing::{MethodFilter, on};
use http::Method;
use svc_core::app::Ctx;
use svc_core::identity::Credential;
use svc_store::error::{Error, Result};
use svc_types::{Code, Endpoint};

use super::answer::{Answer, Reply};
use super::inside::{Asked, Inside, Within};
use super::refuse::carry;
use super::serve::{self, Ask, Incoming};
use crate::app::ServerApp;

/// What a handler of `E` is told of who calls.
pub type CallerOf<E> = <<E as Endpoint>::By as Credential>::Caller;

/// A handler over a transaction.
pub type Script<E, R> = fn(&mut Ctx<'_, '_>, &CallerOf<E>, &E) -> Result<R>;

/// A handler over a transaction that also gets what was prepared before it.
pub type ScriptAfter<E, P, R> = fn(&mut Ctx<'_, '_>, &CallerOf<E>, &E, &P) -> Result<R>;

/// The future of one call, its type forgotten so that axum's generics are compiled once.
type Pending = Pin<Box<dyn Future<Output = Result<Reply>> + Send>>;
pub(super) type Answered = Pin<Box<dyn Future<Output = Response> + Send>>;
pub(super) type Handler = Arc<dyn Fn(Arc<ServerApp>, Incoming) -> Pending + Send + Sync>;

/// The parameters of a path, unless they are no text.
pub(super) type Params = Result<RawPathParams, RawPathParamsRejection>;

/// Endpoints with their handlers.
#[derive(Default)]
pub struct Routes(Vec<Route>);

struct Route {
    id: TypeId,
    name: &'static str,
    method: Method,
    path: &'static str,
    suspended: bool,
    handler: Handler,
    /// The [`Asked`] of an endpoint that only reads.
    asked: Option<Arc<dyn Any + Send + Sync>>,
}

impl Routes {
    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Serves an endpoint that only reads.
    #[must_use]
    pub fn read<E, R>(self, script: Script<E, R>) -> Self
    where
        E: Endpoint,
        E::By: Credential,
        R: Into<Answer<E::Response>> + 'static,
    {
        let asked: Asked<E> = Box::new(move |ctx, account, request| {
            let caller = E::By::of(account)?;
            script(ctx, &caller, request)?.into().object()
        });
        let mut routes = self.add::<E>(Arc::new(move |app, incoming| {
            Box::pin(serve::read::<E, R>(app, incoming, script))
        }));
        routes.0.last_mut().expect("an endpoint was added").asked = Some(Arc::new(asked));
        routes
    }

    /// Serves an endpoint that changes something.
    #[must_use]
    pub fn write<E, R>(self, script: Script<E, R>) -> Self
    where
        E: Endpoint,
        E::By: Credential,
        R: Into<Answer<E::Response>> + 'static,
    {
        self.add::<E>(Arc::new(move |app, incoming| {
            Box::pin(serve::write::<E, R>(app, incoming, script))
        }))
    }

    /// Serves an endpoint whose change needs slow work first, such as hashing a password.
    #[must_use]
    pub fn write_after<E, P, R, F>(
        self,
        prepare: fn(Arc<ServerApp>, Arc<Ask<E>>) -> F,
        script: ScriptAfter<E, P, R>,
    ) -> Self
    where
        E: Endpoint,
        E::By: Credential,
        P: Send + Sync + 'static,
        R: Into<Answer<E::Response>> + 'static,
        F: Future<Output = Result<P>> + Send + 'static,
    {
        self.add::<E>(Arc::new(move |app, incoming| {
            Box::pin(serve::write_after::<E, P, R, F>(app, incoming, prepare, script))
        }))
    }

    /// Serves an endpoint some of whose requests need slow work before their change: where `look`
    /// finds something to do, it is done before the script, which gets the outcome.
    #[must_use]
    pub fn write_or_after<E, L, P, R, F>(
        self,
        is_slow: fn(&E) -> bool,
        load: Script<E, L>,
        prepare: fn(Arc<ServerApp>, L) -> F,
        script: ScriptAfter<E, Option<P>, R>,
    ) -> Self
    where
        E: Endpoint,
        E::By: Credential,
        L: Send + 'static,
        P: Send + Sync + 'static,
        R: Into<Answer<E::Response>> + 'static,
        F: Future<Output = Result<P>> + Send + 'static,
    {
        self.add::<E>(Arc::new(move |app, incoming| {
            let steps = serve::Slow { is_slow, load, prepare };
            Box::pin(serve::write_or_after::<E, L, P, R, F>(app, incoming, steps, script))
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
        self.add::<E>(Arc::new(move |app, incoming| {
            Box::pin(serve::answer::<E, F>(app, incoming, answer))
        }))
    }

    /// Lets suspended accounts call the endpoint added last, although it changes something.
    #[must_use]
    pub fn even_suspended(mut self) -> Self {
        self.0.last_mut().expect("an endpoint was added").suspended = true;
        self
    }

    /// These and those.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }

    /// Names of the endpoints, for the test that none is missing.
    pub fn names(&self) -> Vec<&'static str> {
        self.0.iter().map(|route| route.name).collect()
    }

    fn add<E: Endpoint>(mut self, handler: Handler) -> Self {
        let (name, method, path) = (E::NAME, E::METHOD, E::PATH);
        let (id, suspended, asked) = (TypeId::of::<E>(), false, None);
        self.0.push(Route { id, name, method, path, suspended, handler, asked });
        self
    }

    /// The same endpoints for those inside the process who ask as a client would.
    pub(super) fn inside(&self) -> Inside {
        let entry = |route: &Route| {
            let (handler, suspended) = (Arc::clone(&route.handler), route.suspended);
            (route.id, Within { handler, suspended, asked: route.asked.clone() })
        };
        Inside::new(self.0.iter().map(entry).collect())
    }

    /// The router below `/api`.
    pub(super) fn router(self) -> Router<Arc<ServerApp>> {
        self.0.into_iter().fold(Router::new(), |router, route| {
            let filter = MethodFilter::try_from(route.method.clone()).expect("a usual method");
            router.route(route.path, on(filter, route.endpoint()))
        })
    }
}

impl Route {
    /// The route as axum calls it.
    fn endpoint(
        self,
    ) -> impl Fn(State<Arc<ServerApp>>, Params, Request) -> Answered + Clone + Send + Sync + 'static
    {
        let suspended = self.suspended;
        let handler = self.handler;
        move |State(app), params, request: Request| {
            let Ok(params): Params = params else {
                return Box::pin(async { no_text() });
            };
            let path = params.iter().map(|(_, value)| value.to_owned()).collect();
            let (parts, body) = request.into_parts();
            let reply = handler(app, Incoming { parts, body, path, suspended });
            Box::pin(async move { reply.await.map_or_else(carry, Response::from) })
        }
    }
}

/// What is answered on a path nobody serves.
pub async fn no_route() -> Response {
    carry(Error::refused(
        Code::NotFound,
        "no such path; the interface is described at /api/openapi.json",
    ))
}

/// What is answered when a parameter in a path is no text.
pub fn no_text() -> Response {
    carry(Error::refused(Code::ValidationFailed, "the path must be percent-encoded UTF-8"))
}

/// What is answered when a path does not take a method.
pub async fn no_method() -> Response {
    carry(Error::refused(Code::MethodNotAllowed, "this path does not take this method"))
}
