//! What an author has a bot do beside services.

use std::sync::Arc;
use std::time::Duration;

use svc_client::Client;
use svc_client::types::api::connect::Event;
use svc_client::types::api::messages::Message;

use super::builder::Bot;
use super::hooks::{Answered, Every};
use crate::service::{Ctx, Fail};

impl Bot {
    /// Takes direct messages that are no orders, from the moment on at which a bot began with its
    /// journal: what was written before is not answered now. Orders that are open always are.
    ///
    /// The function starts again for a message at which the process ended, at most three times in
    /// all; [`Ctx::once`] and [`Ctx::step_key`] keep it from acting twice. Its errors go to the log.
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
        self.hooks.on_message = Some(Arc::new(function));
        self
    }

    /// Takes what happens beside direct messages, such as likes and moves of escrows, with the same
    /// guarantees as [`on_message`](Self::on_message), but in no order. The context's `request_id`
    /// is the event's id.
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
        self.hooks.on_event = Some(Arc::new(function));
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

    /// Does something when the bot is open, and again when so much time has passed since it ended.
    /// Its errors go to the log. It is not in the journal: a start that was missed is not made up for.
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
