//! What an author has a bot do beside services.

use std::sync::Arc;
use std::time::Duration;

use svc_client::Client;
use svc_client::types::api::connect::Event;
use svc_client::types::api::messages::Message;

use super::builder::Bot;
use super::callbacks::{Answered, Every, OnError, OnEvent, OnMessage};
use super::handler_error::{Decision, HandlerError};
use crate::service::{Ctx, Fail};

impl Bot {
    /// Takes direct messages that are no orders, from the moment on at which a bot began with its
    /// journal: what was written before is not answered now. Orders that are open always are.
    ///
    /// The function starts again for a message at which the process ended, at most three times in
    /// all, and after an error that may pass, as [`on_error`](Self::on_error) says; [`Ctx::once`] and
    /// [`Ctx::step_key`] keep it from acting twice. Later messages of the conversation wait meanwhile.
    ///
    /// A bot has one such function: it does not start with a second.
    ///
    /// ```
    /// # fn show(bot: svc_bot_kit::Bot) {
    /// bot.on_message(async |cx, message| {
    ///     let key = cx.step_key("thanks");
    ///     cx.client().messages().send(&*message.sender.username, "thanks").idempotency_key(key).await?;
    ///     Ok(())
    /// });
    /// # }
    /// ```
    pub fn on_message<H, F>(mut self, function: H) -> Self
    where
        H: Fn(Ctx, Message) -> F + Send + Sync + 'static,
        F: Future<Output = Result<(), Fail>> + Send + 'static,
    {
        let function = move |cx, message| -> Answered { Box::pin(function(cx, message)) };
        let function: OnMessage = Arc::new(function);
        self.hooks.set("on_message", |hooks| &mut hooks.on_message, function);
        self
    }

    /// Takes what happens beside direct messages, such as likes and moves of escrows, with the same
    /// guarantees as [`on_message`](Self::on_message), but in no order. The context's `request_id`
    /// is the event's id. A bot has one such function.
    ///
    /// Where the platform no longer keeps events, because the bot was away for more than 7 days,
    /// they are lost.
    ///
    /// ```
    /// # fn show(bot: svc_bot_kit::Bot) {
    /// bot.on_event(async |_, event| {
    ///     println!("{} {}", event.seq, event.event);
    ///     Ok(())
    /// });
    /// # }
    /// ```
    pub fn on_event<H, F>(mut self, function: H) -> Self
    where
        H: Fn(Ctx, Event) -> F + Send + Sync + 'static,
        F: Future<Output = Result<(), Fail>> + Send + 'static,
    {
        let function = move |cx, event| -> Answered { Box::pin(function(cx, event)) };
        let function: OnEvent = Arc::new(function);
        self.hooks.set("on_event", |hooks| &mut hooks.on_event, function);
        self
    }

    /// Hears of each error of a handler, and decides what becomes of its job. A bot has one such
    /// function; it must not block.
    ///
    /// [`Decision::Retry`] starts the handler again: after as long as `Fail::retry` or the platform's
    /// `Retry-After` asks, else after 2 s, doubled after each failure up to 5 minutes. A handler is
    /// tried at most 10 times, and at most for an hour. The journal counts, so a restart of the
    /// process changes nothing of it.
    ///
    /// Without a decision of yours, [`HandlerError::decision`] holds. That is `Retry` after
    /// [`Fail::retry`], and after an error of a request to the platform that may pass, such as a lost
    /// connection, 429, 500 or 503; anything else is `Fail`. The function of a service is started
    /// again after such an error only where it may start twice, by
    /// [`OnCrash::Rerun`](crate::OnCrash::Rerun): otherwise the order is answered with an error.
    ///
    /// ```
    /// # fn show(bot: svc_bot_kit::Bot) {
    /// use svc_bot_kit::Decision;
    ///
    /// bot.on_error(|error| {
    ///     eprintln!("{error}");
    ///     if error.attempt < 3 { error.decision } else { Decision::Fail }
    /// });
    /// # }
    /// ```
    pub fn on_error(
        mut self,
        function: impl Fn(&HandlerError) -> Decision + Send + Sync + 'static,
    ) -> Self {
        let function: OnError = Arc::new(function);
        self.hooks.set("on_error", |hooks| &mut hooks.on_error, function);
        self
    }

    /// Asks this before the handler of each order, in the order in which they are added; where it
    /// fails the handler does not start, and the order is answered as if that had failed.
    ///
    /// ```
    /// # fn show(bot: svc_bot_kit::Bot) {
    /// use svc_bot_kit::Fail;
    ///
    /// bot.before(async |cx| match cx.requester.as_str() {
    ///     "mallory" => Err(Fail::reject("not for you")),
    ///     _ => Ok(()),
    /// });
    /// # }
    /// ```
    pub fn before<H, F>(mut self, function: H) -> Self
    where
        H: Fn(Ctx) -> F + Send + Sync + 'static,
        F: Future<Output = Result<(), Fail>> + Send + 'static,
    {
        let function = move |cx| -> Answered { Box::pin(function(cx)) };
        self.hooks.before.push(Arc::new(function));
        self
    }

    /// Does something when the bot is open, and again when so much time has passed since it ended;
    /// sooner, if that is later than a handler is tried again, where [`on_error`](Self::on_error)
    /// decides to retry. It is not in the journal: a start that was missed is not made up for.
    ///
    /// ```
    /// # fn show(bot: svc_bot_kit::Bot) {
    /// use std::time::Duration;
    ///
    /// bot.every(Duration::from_secs(3600), async |svc| {
    ///     println!("{:?} left", svc.credits().balance().await?.credits.available);
    ///     Ok(())
    /// });
    /// # }
    /// ```
    pub fn every<H, F>(mut self, pause: Duration, function: H) -> Self
    where
        H: Fn(Client) -> F + Send + Sync + 'static,
        F: Future<Output = Result<(), Fail>> + Send + 'static,
    {
        let function = move |client| -> Answered { Box::pin(function(client)) };
        self.hooks.every.push(Every { pause, function: Arc::new(function) });
        self
    }
}
