//! Which handler a message goes to.

use std::sync::Arc;

use svc_client::types::api::channels::ChannelMessage;
use svc_client::types::api::messages::Message;

use super::message::{ChatMessage, Command, mentions};
use crate::bot::callbacks::HandlerFuture;
use crate::service::Ctx;

pub(super) type OnMessage = Arc<dyn Fn(Ctx, Message) -> HandlerFuture + Send + Sync>;
pub(super) type OnChannelMessage = Arc<dyn Fn(Ctx, ChannelMessage) -> HandlerFuture + Send + Sync>;
type OnChat = Arc<dyn Fn(Ctx, ChatMessage) -> HandlerFuture + Send + Sync>;
type OnCommand = Arc<dyn Fn(Ctx, Command) -> HandlerFuture + Send + Sync>;
type Predicate = Arc<dyn Fn(&ChatMessage) -> bool + Send + Sync>;

/// A handler for some messages.
#[derive(Clone)]
pub(super) enum Route {
    Command(String, OnCommand),
    Mention(OnChat),
    Filter(Predicate, OnChat),
}

/// The handlers of messages. The first route that matches gets a message, `on_message` and
/// `on_channel_message` get the others.
#[derive(Clone, Default)]
pub(in crate::bot) struct Routes {
    pub(super) ordered: Vec<Route>,
    pub(in crate::bot) on_message: Option<OnMessage>,
    pub(in crate::bot) on_channel_message: Option<OnChannelMessage>,
}

/// The handler of one message, ready to run.
pub(in crate::bot) type Chosen = Box<dyn FnOnce(Ctx) -> HandlerFuture + Send>;

impl Routes {
    /// Whether a direct message may have a handler.
    pub(in crate::bot) fn wants_messages(&self) -> bool {
        let directs = |route: &Route| !matches!(route, Route::Mention(_));
        self.on_message.is_some() || self.ordered.iter().any(directs)
    }

    /// Whether a message in a channel may have a handler.
    pub(in crate::bot) fn wants_channels(&self) -> bool {
        self.on_channel_message.is_some() || !self.ordered.is_empty()
    }

    /// The handler of a message, if there is one.
    pub(in crate::bot) fn choose(&self, message: ChatMessage, bot: &str) -> Option<Chosen> {
        for route in &self.ordered {
            match route {
                Route::Command(name, handler) => {
                    let command = Command::parse(&message, bot);
                    if let Some(command) = command.filter(|command| command.name == *name) {
                        let handler = Arc::clone(handler);
                        return Some(Box::new(move |cx| handler(cx, command)));
                    }
                }
                Route::Mention(handler) => {
                    if message.channel().is_some() && mentions(message.content(), bot) {
                        return Some(chosen(handler, message));
                    }
                }
                Route::Filter(matches, handler) => {
                    if matches(&message) {
                        return Some(chosen(handler, message));
                    }
                }
            }
        }
        self.otherwise(message)
    }

    fn otherwise(&self, message: ChatMessage) -> Option<Chosen> {
        match message {
            ChatMessage::Direct(message) => {
                let handler = self.on_message.clone()?;
                Some(Box::new(move |cx| handler(cx, message)))
            }
            ChatMessage::Channel(message) => {
                let handler = self.on_channel_message.clone()?;
                Some(Box::new(move |cx| handler(cx, message)))
            }
        }
    }
}

fn chosen(handler: &OnChat, message: ChatMessage) -> Chosen {
    let handler = Arc::clone(handler);
    Box::new(move |cx| handler(cx, message))
}
