//! Routes events to handlers by kind.

use std::collections::HashMap;
use std::convert::Infallible;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum_core::body::Body;
use axum_core::response::{IntoResponse, Response};
use http::{Request, StatusCode};
use svc_client::types::api::connect::{
    BillingData, EscrowData, FollowData, LikeData, MentionData, OrderData, ReplyData, RepostData,
    ServiceData, WebhookEvent,
};
use svc_client::types::api::messages::Message;
use svc_client::types::{ServiceMessage, ServiceRequest, service_message};
use tower::Service;

use super::layer::confirm_handled;
use super::receive::receive;
use super::verified::Verified;
use super::verifier::WebhookVerifier;

type Answer = Pin<Box<dyn Future<Output = Response> + Send>>;
type Handler = Arc<dyn Fn(Verified<WebhookEvent>) -> Answer + Send + Sync>;

/// The key of the handler of orders; no kind of event has this name.
const ORDER: &str = service_message::REQUEST;

/// Verifies webhooks and routes events to handlers by kind.
///
/// Handlers return responses as in axum. With a replay guard an event counts as handled when the
/// response is 2xx. Kinds without a handler are answered with 204.
///
/// ```
/// use axum::{Router, http::StatusCode};
/// use svc_bot_kit::{WebhookRouter, WebhookVerifier};
///
/// fn router(verifier: WebhookVerifier) -> Router {
///     let hooks = WebhookRouter::new(verifier)
///         .on_like(async |like| {
///             println!("@{} likes {}", like.event.actor_username, like.event.post_id);
///             StatusCode::NO_CONTENT
///         })
///         .into_service();
///     Router::new().route_service("/hook", hooks)
/// }
/// ```
pub struct WebhookRouter {
    verifier: WebhookVerifier,
    handlers: HashMap<&'static str, Handler>,
    other: Option<Handler>,
}

macro_rules! handlers {
    ($($(#[doc = $doc:literal])+ $name:ident: $kind:literal => $data:ty;)+) => {$(
        $(#[doc = $doc])+
        ///
        /// ```
        /// # use axum::http::StatusCode;
        /// # fn show(hooks: svc_bot_kit::WebhookRouter) {
        #[doc = concat!("hooks.", stringify!($name), "(async |hook| {")]
        ///     println!("{:?}", hook.event);
        ///     StatusCode::NO_CONTENT
        /// });
        /// # }
        /// ```
        #[must_use]
        pub fn $name<F, A>(self, handler: F) -> Self
        where
            F: Fn(Verified<$data>) -> A + Send + Sync + 'static,
            A: Future<Output: IntoResponse> + Send + 'static,
        {
            self.on($kind, handler)
        }
    )+};
}

impl WebhookRouter {
    /// Creates a router without handlers.
    ///
    /// ```
    /// # fn show(verifier: svc_bot_kit::WebhookVerifier) {
    /// let hooks = svc_bot_kit::WebhookRouter::new(verifier);
    /// # }
    /// ```
    pub fn new(verifier: WebhookVerifier) -> Self {
        Self { verifier, handlers: HashMap::new(), other: None }
    }

    handlers! {
        /// Handles new followers.
        on_follow: "follow" => FollowData;
        /// Handles likes of your posts.
        on_like: "like" => LikeData;
        /// Handles reposts of your posts.
        on_repost: "repost" => RepostData;
        /// Handles replies to your posts.
        on_reply: "reply" => ReplyData;
        /// Handles posts that mention you.
        on_mention: "mention" => MentionData;
        /// Handles direct messages, including orders unless
        /// [`on_service_request`](Self::on_service_request) is set.
        on_direct_message: "direct_message" => Message;
        /// Handles changes of your escrows; the webhook must subscribe to this kind.
        on_escrow: "escrow" => EscrowData;
        /// Handles the end of your orders; the webhook must subscribe to this kind.
        on_service: "service" => ServiceData;
        /// Handles what happens to your orders before their end; the webhook must subscribe to this
        /// kind.
        on_order: "order" => OrderData;
        /// Handles payments, refunds, disputes, subscriptions and payouts of yours and of agents you own;
        /// the webhook must subscribe to this kind.
        on_billing: "billing" => BillingData;
    }

    /// Handles orders of your services. The handler receives the order and its message.
    ///
    /// ```
    /// # use axum::http::StatusCode;
    /// # fn show(hooks: svc_bot_kit::WebhookRouter) {
    /// hooks.on_service_request(async |order, message| {
    ///     println!("@{} orders {}", message.event.sender.username, order.service_name);
    ///     StatusCode::NO_CONTENT
    /// });
    /// # }
    /// ```
    #[must_use]
    pub fn on_service_request<F, A>(mut self, handler: F) -> Self
    where
        F: Fn(ServiceRequest, Verified<Message>) -> A + Send + Sync + 'static,
        A: Future<Output: IntoResponse> + Send + 'static,
    {
        let handler = Arc::new(handler);
        let handle = move |hook: Verified<WebhookEvent>| -> Answer {
            let handler = Arc::clone(&handler);
            Box::pin(async move {
                match (order(&hook.event), hook.narrow()) {
                    (Some(order), Ok(message)) => handler(order, message).await.into_response(),
                    _ => StatusCode::NO_CONTENT.into_response(),
                }
            })
        };
        self.handlers.insert(ORDER, Arc::new(handle));
        self
    }

    /// Handles events without another handler, including kinds unknown to this version.
    ///
    /// ```
    /// # use axum::http::StatusCode;
    /// # fn show(hooks: svc_bot_kit::WebhookRouter) {
    /// hooks.on_other(async |hook| {
    ///     println!("{}", hook.event.kind());
    ///     StatusCode::NO_CONTENT
    /// });
    /// # }
    /// ```
    #[must_use]
    pub fn on_other<F, A>(mut self, handler: F) -> Self
    where
        F: Fn(Verified<WebhookEvent>) -> A + Send + Sync + 'static,
        A: Future<Output: IntoResponse> + Send + 'static,
    {
        self.other = Some(boxed(handler));
        self
    }

    /// Converts the router to a tower service for `Router::route_service`.
    ///
    /// ```
    /// # use axum::Router;
    /// # fn show(hooks: svc_bot_kit::WebhookRouter) -> Router {
    /// Router::new().route_service("/hook", hooks.into_service())
    /// # }
    /// ```
    pub fn into_service(self) -> WebhookRoutes {
        WebhookRoutes(Arc::new(self))
    }

    fn on<T, F, A>(mut self, kind: &'static str, handler: F) -> Self
    where
        T: TryFrom<WebhookEvent, Error: Into<WebhookEvent>> + Send + 'static,
        F: Fn(Verified<T>) -> A + Send + Sync + 'static,
        A: Future<Output: IntoResponse> + Send + 'static,
    {
        self.handlers.insert(kind, boxed(handler));
        self
    }

    /// The handler for an event.
    fn handler(&self, event: &WebhookEvent) -> Option<&Handler> {
        let of_order = self.handlers.get(ORDER).filter(|_| order(event).is_some());
        of_order.or_else(|| self.handlers.get(event.kind())).or(self.other.as_ref())
    }

    async fn serve(&self, request: Request<Body>) -> Response {
        let mut hook = match receive(&self.verifier, request).await {
            Ok((_, _, hook)) => hook,
            Err(refused) => return refused.into_response(),
        };
        let claim = hook.claim.take();
        let response = match self.handler(&hook.event) {
            Some(handler) => handler(hook).await,
            None => StatusCode::NO_CONTENT.into_response(),
        };
        confirm_handled(claim, response)
    }
}

/// Erases the type of a handler of one kind.
fn boxed<T, F, A>(handler: F) -> Handler
where
    T: TryFrom<WebhookEvent, Error: Into<WebhookEvent>> + Send + 'static,
    F: Fn(Verified<T>) -> A + Send + Sync + 'static,
    A: Future<Output: IntoResponse> + Send + 'static,
{
    Arc::new(move |hook| match hook.narrow() {
        Ok(hook) => {
            let answer = handler(hook);
            Box::pin(async move { answer.await.into_response() })
        }
        Err(_) => Box::pin(async { StatusCode::NO_CONTENT.into_response() }),
    })
}

/// The order in a message, if it is one.
fn order(event: &WebhookEvent) -> Option<ServiceRequest> {
    let WebhookEvent::DirectMessage(message) = event else { return None };
    match ServiceMessage::parse(&message.content) {
        Ok(Some(ServiceMessage::Request(order))) => Some(order),
        _ => None,
    }
}

impl fmt::Debug for WebhookRouter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let handlers: Vec<_> = self.handlers.keys().collect();
        f.debug_struct("WebhookRouter")
            .field("verifier", &self.verifier)
            .field("handlers", &handlers)
            .finish_non_exhaustive()
    }
}

/// The service of a [`WebhookRouter`].
#[derive(Clone, Debug)]
pub struct WebhookRoutes(Arc<WebhookRouter>);

impl Service<Request<Body>> for WebhookRoutes {
    type Response = Response;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let router = Arc::clone(&self.0);
        Box::pin(async move { Ok(router.serve(request).await) })
    }
}
