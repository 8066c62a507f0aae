//! Tower layers around the handlers of messages.

use std::fmt;
use std::future::poll_fn;
use std::sync::Arc;
use std::task::{Context, Poll};

use tower::{Layer, Service};

use super::message::ChatMessage;
use super::routes::Routes;
use crate::bot::callbacks::HandlerFuture;
use crate::service::{BoxFuture, Ctx, Fail};

/// The handlers of messages as a tower service, which a [layer](crate::Bot::layer) wraps.
///
/// A request is the context and the message. The error is that of the handler.
#[derive(Clone)]
pub struct ChatService(Arc<dyn Fn(Ctx, ChatMessage) -> HandlerFuture + Send + Sync>);

/// The layers of a bot, the outermost last.
#[derive(Clone, Default)]
pub(in crate::bot) struct Layers(Vec<Arc<dyn Fn(ChatService) -> ChatService + Send + Sync>>);

/// The handlers with all layers around them.
pub(in crate::bot) type Layered = ChatService;

impl Layers {
    /// Adds a layer around those added before.
    pub(super) fn add<L>(&mut self, layer: L)
    where
        L: Layer<ChatService> + Send + Sync + 'static,
        L::Service: Service<(Ctx, ChatMessage), Response = (), Error = Fail>
            + Clone
            + Send
            + Sync
            + 'static,
        <L::Service as Service<(Ctx, ChatMessage)>>::Future: Send + 'static,
    {
        self.0.push(Arc::new(move |inner| ChatService::of(layer.layer(inner))));
    }

    /// Puts the layers around the handlers.
    pub(in crate::bot) fn around(&self, routes: Routes, bot: &str) -> Layered {
        let bot = bot.to_owned();
        let handlers = move |cx: Ctx, message: ChatMessage| -> HandlerFuture {
            match routes.choose(message, &bot) {
                Some(handler) => handler(cx),
                None => Box::pin(std::future::ready(Ok(()))),
            }
        };
        let innermost = ChatService(Arc::new(handlers));
        self.0.iter().fold(innermost, |inner, layer| layer(inner))
    }
}

impl ChatService {
    /// Erases the type of a service.
    fn of<S>(service: S) -> Self
    where
        S: Service<(Ctx, ChatMessage), Response = (), Error = Fail> + Clone + Send + Sync + 'static,
        S::Future: Send + 'static,
    {
        Self(Arc::new(move |cx, message| {
            let mut service = service.clone();
            Box::pin(async move {
                poll_fn(|task| service.poll_ready(task)).await?;
                service.call((cx, message)).await
            })
        }))
    }

    /// Handles a message.
    pub(in crate::bot) fn handle(&self, cx: Ctx, message: ChatMessage) -> HandlerFuture {
        self.0(cx, message)
    }
}

impl Service<(Ctx, ChatMessage)> for ChatService {
    type Response = ();
    type Error = Fail;
    type Future = BoxFuture<Result<(), Fail>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Fail>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, (cx, message): (Ctx, ChatMessage)) -> Self::Future {
        self.handle(cx, message)
    }
}

impl fmt::Debug for ChatService {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChatService").finish_non_exhaustive()
    }
}
