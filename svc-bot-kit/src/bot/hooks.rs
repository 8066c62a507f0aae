//! What a bot's author has it do, without types.

use std::sync::Arc;
use std::time::Duration;

use svc_client::Client;
use svc_client::types::api::connect::Event;
use svc_client::types::api::messages::Message;

use crate::service::{BoxFuture, Ctx, Fail};

pub(super) type Answered = BoxFuture<Result<(), Fail>>;
pub(super) type OnMessage = Arc<dyn Fn(Ctx, Message) -> Answered + Send + Sync>;
pub(super) type OnEvent = Arc<dyn Fn(Ctx, Event) -> Answered + Send + Sync>;
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
    /// Asked before the handler of each order.
    pub(super) before: Vec<Before>,
    pub(super) every: Vec<Every>,
}
