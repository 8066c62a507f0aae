//! Type-erased callbacks behind the hooks of a bot.

use std::sync::Arc;
use std::time::Duration;

use svc_client::Client;
use svc_client::types::api::connect::Event;
use svc_client::types::api::messages::Message;

use super::handler_error::{Decision, HandlerError};
use crate::service::{BoxFuture, Ctx, Fail};

pub(super) type Answered = BoxFuture<Result<(), Fail>>;
pub(super) type OnMessage = Arc<dyn Fn(Ctx, Message) -> Answered + Send + Sync>;
pub(super) type OnEvent = Arc<dyn Fn(Ctx, Event) -> Answered + Send + Sync>;
pub(super) type OnError = Arc<dyn Fn(&HandlerError) -> Decision + Send + Sync>;
pub(super) type Before = Arc<dyn Fn(Ctx) -> Answered + Send + Sync>;

/// A callback that runs repeatedly.
#[derive(Clone)]
pub(super) struct Every {
    pub(super) pause: Duration,
    pub(super) function: Arc<dyn Fn(Client) -> Answered + Send + Sync>,
}

#[derive(Clone, Default)]
pub(super) struct Hooks {
    pub(super) on_message: Option<OnMessage>,
    pub(super) on_event: Option<OnEvent>,
    pub(super) on_error: Option<OnError>,
    /// Run before the handler of every order.
    pub(super) before: Vec<Before>,
    pub(super) every: Vec<Every>,
    /// The method that was called twice although a bot has one such handler.
    pub(super) set_twice: Option<&'static str>,
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
            self.set_twice = Some(method);
        }
    }
}
