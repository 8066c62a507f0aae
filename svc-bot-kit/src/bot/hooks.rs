//! The hooks of a bot: handlers for everything except orders and messages.

use std::sync::Arc;
use std::time::Duration;

use svc_client::Client;
use svc_client::types::api::connect::Event;

use super::builder::Bot;
use super::callbacks::{Every, HandlerFuture, OnError, OnEvent};
use super::handler_error::{Decision, HandlerError};
use crate::service::{Ctx, Fail};

impl Bot {
    /// Handles every other event, such as likes and escrow changes.
    ///
    /// The guarantees are those of [`on_message`](Self::on_message), but events are handled in no
    /// particular order. The context's `request_id` is the event's id. Set it once.
    ///
    /// The platform keeps events for 7 days by default: a bot that was offline for longer misses older ones.
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
        let callback: OnEvent = Arc::new(move |cx, event| Box::pin(function(cx, event)));
        self.hooks.set("on_event", |hooks| &mut hooks.on_event, callback);
        self
    }

    /// Receives every handler error and decides how to proceed with the job. Set it once; it must
    /// not block.
    ///
    /// [`Decision::Retry`] runs the handler again. The delay is the one requested by `Fail::retry` or
    /// the platform's `Retry-After`; otherwise it is 2 s, doubled after each failure up to 5 minutes.
    /// A handler is tried at most 10 times within one hour. The journal keeps the count, so a restart
    /// of the process does not reset it.
    ///
    /// Without this hook, [`HandlerError::decision`] applies: `Retry` after [`Fail::retry`] and after
    /// a transient error of a request to the platform, such as a lost connection, 429, 500 or 503;
    /// otherwise `Fail`. A service's function runs again after a transient error only with
    /// [`OnCrash::Rerun`](crate::OnCrash::Rerun); without it the order is answered with an error.
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
        let callback: OnError = Arc::new(function);
        self.hooks.set("on_error", |hooks| &mut hooks.on_error, callback);
        self
    }

    /// Adds a check that runs before the handler of every order, in the order of the calls to this
    /// method. If it fails, the handler does not run and the order is answered with that failure. Its time
    /// counts towards the [`timeout`](crate::Service::timeout) of the service.
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
        self.hooks.before.push(Arc::new(move |cx| Box::pin(function(cx))));
        self
    }

    /// Runs a function when the bot starts and then repeatedly, with this pause between the end of
    /// one run and the start of the next.
    ///
    /// After an error that [`on_error`](Self::on_error) decides to retry, the next run starts after
    /// the retry delay if that is shorter. Runs are not journaled: missed ones are not made up for.
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
        let function = Arc::new(move |client| -> HandlerFuture { Box::pin(function(client)) });
        self.hooks.every.push(Every { pause, function });
        self
    }
}
