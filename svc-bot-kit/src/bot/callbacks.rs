//! What a bot's author has it do, without types.

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

/// What is done now and then.
#[derive(Clone)]
pub(super) struct Every {
    pub(super) pause: Duration,
    pub(super) function: Arc<dyn Fn(Client) -> Answered + Send + Sync>,
}

/// What an author has said is to be done.
#[derive(Clone, Default)]
pub(super) struct Hooks {
    pub(super) on_message: Option<OnMessage>,
    pub(super) on_event: Option<OnEvent>,
    pub(super) on_error: Option<OnError>,
    /// Asked before the handler of each order.
    pub(super) before: Vec<Before>,
    pub(super) every: Vec<Every>,
    /// The method that was to set a handler which was set before.
    pub(super) set_twice: Option<&'static str>,
}

impl Hooks {
    /// Sets a handler of which a bot has one; the bot does not start with a second.
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
