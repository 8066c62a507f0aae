//! Type-erased callbacks behind the hooks of a bot.

use std::sync::Arc;
use std::time::Duration;

use svc_client::Client;
use svc_client::types::api::connect::Event;

use super::chat::{Layers, Routes};
use super::handler_error::{Decision, HandlerError};
use crate::service::{BoxFuture, Ctx, Fail};

/// What a handler returns.
pub(super) type HandlerFuture = BoxFuture<Result<(), Fail>>;
pub(super) type OnEvent = Arc<dyn Fn(Ctx, Event) -> HandlerFuture + Send + Sync>;
pub(super) type OnError = Arc<dyn Fn(&HandlerError) -> Decision + Send + Sync>;
pub(super) type Before = Arc<dyn Fn(Ctx) -> HandlerFuture + Send + Sync>;

/// A callback that runs repeatedly.
#[derive(Clone)]
pub(super) struct Every {
    pub(super) pause: Duration,
    pub(super) function: Arc<dyn Fn(Client) -> HandlerFuture + Send + Sync>,
}

#[derive(Clone, Default)]
pub(super) struct Hooks {
    /// Handlers of messages, and the layers around them.
    pub(super) chat: Routes,
    pub(super) layers: Layers,
    pub(super) on_event: Option<OnEvent>,
    pub(super) on_error: Option<OnError>,
    /// Run before the handler of every order.
    pub(super) before: Vec<Before>,
    pub(super) every: Vec<Every>,
    /// What is wrong with the calls of the builder.
    pub(super) problem: Option<String>,
}

impl Hooks {
    /// Sets a handler of which a bot has one; a second call makes the bot fail to start.
    pub(super) fn set<H: ?Sized>(
        &mut self,
        method: &'static str,
        slot: fn(&mut Self) -> &mut Option<Arc<H>>,
        handler: Arc<H>,
    ) {
        if slot(self).replace(handler).is_some() {
            self.problem = Some(format!("Bot::{method} was called twice but must be called once"));
        }
    }
}
