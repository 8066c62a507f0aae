//! The hooks for messages.

use std::sync::Arc;

use svc_client::types::api::channels::ChannelMessage;
use svc_client::types::api::messages::Message;
use tower::{Layer, Service};

use super::layers::ChatService;
use super::message::{ChatMessage, Command};
use super::routes::{OnChannelMessage, OnMessage, Route};
use crate::bot::Bot;
use crate::bot::callbacks::HandlerFuture;
use crate::service::{Ctx, Fail};

impl Bot {
    /// Handles direct messages that are not orders and that no [`command`](Self::command) or
    /// [`filter`](Self::filter) handles. Answers to orders that the account placed are among them: their
    /// `schema` is `service.response`.
    ///
    /// The bot handles messages sent after it first started with its journal, not older ones. Open
    /// orders are always handled, whatever their age.
    ///
    /// The function runs again for a message if the process ended while it ran, at most three times
    /// in total, and after a transient error, as described at [`on_error`](Self::on_error). Use
    /// [`Ctx::reply`], [`Ctx::once`] and [`Ctx::step_key`] so that it does not act twice. Later
    /// messages of the same conversation wait meanwhile. It may run for 60 s; after that it has failed.
    ///
    /// Set it once: a bot with two such functions fails to start.
    ///
    /// ```
    /// # fn show(bot: svc_bot_kit::Bot) {
    /// bot.on_message(async |cx, _| cx.reply("thanks").await);
    /// # }
    /// ```
    pub fn on_message<H, F>(mut self, function: H) -> Self
    where
        H: Fn(Ctx, Message) -> F + Send + Sync + 'static,
        F: Future<Output = Result<(), Fail>> + Send + 'static,
    {
        let callback: OnMessage = Arc::new(move |cx, message| Box::pin(function(cx, message)));
        self.hooks.set("on_message", |hooks| &mut hooks.chat.on_message, callback);
        self
    }

    /// Handles messages in the channels that the bot's account is a member of, except its own and
    /// those that a [`command`](Self::command), a [`mention`](Self::mention) or a
    /// [`filter`](Self::filter) handles.
    ///
    /// The guarantees are those of [`on_message`](Self::on_message); messages of one channel are
    /// handled one after the other. In a channel that the bot joins, it handles messages sent from
    /// then on. Set it once.
    ///
    /// ```
    /// # fn show(bot: svc_bot_kit::Bot) {
    /// bot.on_channel_message(async |cx, message| match &*message.content {
    ///     "ping" => cx.reply("pong").await,
    ///     _ => Ok(()),
    /// });
    /// # }
    /// ```
    pub fn on_channel_message<H, F>(mut self, function: H) -> Self
    where
        H: Fn(Ctx, ChannelMessage) -> F + Send + Sync + 'static,
        F: Future<Output = Result<(), Fail>> + Send + 'static,
    {
        let callback: OnChannelMessage =
            Arc::new(move |cx, message| Box::pin(function(cx, message)));
        self.hooks.set("on_channel_message", |hooks| &mut hooks.chat.on_channel_message, callback);
        self
    }

    /// Handles a command, such as `/remind me tomorrow`, in direct messages and channels.
    ///
    /// `/remind@wordbot` is a command only for that bot. Case is ignored. Commands, mentions and
    /// filters are tried in the order of the calls; the first that matches gets the message.
    ///
    /// ```
    /// # fn show(bot: svc_bot_kit::Bot) {
    /// bot.command("remind", async |cx, command| cx.reply(format!("noted: {}", command.args)).await);
    /// # }
    /// ```
    pub fn command<H, F>(mut self, name: impl AsRef<str>, function: H) -> Self
    where
        H: Fn(Ctx, Command) -> F + Send + Sync + 'static,
        F: Future<Output = Result<(), Fail>> + Send + 'static,
    {
        let name = name.as_ref().trim_start_matches('/').to_lowercase();
        let handler =
            Arc::new(move |cx, command| -> HandlerFuture { Box::pin(function(cx, command)) });
        let is_known = |route: &Route| matches!(route, Route::Command(known, _) if *known == name);
        if self.hooks.chat.ordered.iter().any(is_known) {
            self.hooks.problem = Some(format!("the command /{name} has two handlers"));
        }
        self.hooks.chat.ordered.push(Route::Command(name, handler));
        self
    }

    /// Handles messages in channels that name the bot, such as `@wordbot hello`.
    ///
    /// ```
    /// # fn show(bot: svc_bot_kit::Bot) {
    /// bot.mention(async |cx, _| cx.reply("yes?").await);
    /// # }
    /// ```
    pub fn mention<H, F>(mut self, function: H) -> Self
    where
        H: Fn(Ctx, ChatMessage) -> F + Send + Sync + 'static,
        F: Future<Output = Result<(), Fail>> + Send + 'static,
    {
        let handler =
            Arc::new(move |cx, message| -> HandlerFuture { Box::pin(function(cx, message)) });
        self.hooks.chat.ordered.push(Route::Mention(handler));
        self
    }

    /// Handles messages, direct and in channels, for which `matches` returns true. It may be called more than
    /// once for a message.
    ///
    /// ```
    /// # fn show(bot: svc_bot_kit::Bot) {
    /// let is_agent = |message: &svc_bot_kit::ChatMessage| message.sender().is_agent;
    /// bot.filter(is_agent, async |_, _| Ok(())); // ignores agents
    /// # }
    /// ```
    pub fn filter<M, H, F>(mut self, matches: M, function: H) -> Self
    where
        M: Fn(&ChatMessage) -> bool + Send + Sync + 'static,
        H: Fn(Ctx, ChatMessage) -> F + Send + Sync + 'static,
        F: Future<Output = Result<(), Fail>> + Send + 'static,
    {
        let handler =
            Arc::new(move |cx, message| -> HandlerFuture { Box::pin(function(cx, message)) });
        self.hooks.chat.ordered.push(Route::Filter(Arc::new(matches), handler));
        self
    }

    /// Adds a tower layer around the handlers of messages; a later one is around the earlier ones.
    ///
    /// A layer may answer a message itself, or pass it on, with another text for example. Concurrency
    /// and retries are the bot's. Orders are wrapped by [`before`](Self::before).
    ///
    /// ```
    /// # fn show(bot: svc_bot_kit::Bot) {
    /// use tower::ServiceBuilder;
    ///
    /// bot.layer(ServiceBuilder::new().map_request(|(cx, message): (svc_bot_kit::Ctx, _)| {
    ///     tracing::info!(from = %cx.requester, "a message");
    ///     (cx, message)
    /// }));
    /// # }
    /// ```
    pub fn layer<L>(mut self, layer: L) -> Self
    where
        L: Layer<ChatService> + Send + Sync + 'static,
        L::Service: Service<(Ctx, ChatMessage), Response = (), Error = Fail>
            + Clone
            + Send
            + Sync
            + 'static,
        <L::Service as Service<(Ctx, ChatMessage)>>::Future: Send + 'static,
    {
        self.hooks.layers.add(layer);
        self
    }

    /// Gives handlers a value, which they get with [`Ctx::state`]: one of each type.
    ///
    /// ```
    /// struct Greeting(String);
    ///
    /// # fn show(bot: svc_bot_kit::Bot) {
    /// bot.state(Greeting("hello".to_owned())).on_message(async |cx, _| {
    ///     let greeting = cx.state::<Greeting>()?;
    ///     cx.reply(&*greeting.0).await
    /// });
    /// # }
    /// ```
    pub fn state<T: Send + Sync + 'static>(mut self, value: T) -> Self {
        if !self.states.add(value) {
            let name = std::any::type_name::<T>();
            self.hooks.problem =
                Some(format!("Bot::state was called twice with a value of type {name}"));
        }
        self
    }
}
