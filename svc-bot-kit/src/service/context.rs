//! The context of a handler.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use serde::Serialize;
use serde::de::DeserializeOwned;
use svc_client::Client;
use svc_client::types::{Credits, EscrowId, MessageId};
use tokio::sync::watch;

use super::fail::Fail;
use crate::journal::Journal;

/// The context of a handler: its order, and what the handler can do besides returning a result.
#[derive(Clone)]
#[non_exhaustive]
pub struct Ctx {
    /// The id of the order or message, or of the event for other events.
    pub request_id: MessageId,
    /// The username of the sender; empty for events other than messages.
    pub requester: String,
    /// The credits offered; 0 unless this is an order.
    pub offered: Credits,
    /// The escrow that pays, if one does.
    pub escrow_id: Option<EscrowId>,
    client: Client,
    state: Arc<HandlerState>,
}

/// The state that a context shares with its bot.
pub(crate) struct HandlerState {
    pub(crate) journal: Journal,
    /// Whether the bot is stopping.
    pub(crate) stopping: watch::Receiver<bool>,
    pub(crate) charge: Mutex<Option<Credits>>,
}

impl Ctx {
    pub(crate) fn new(
        request_id: MessageId,
        requester: String,
        offered: Credits,
        escrow_id: Option<EscrowId>,
        client: Client,
        state: Arc<HandlerState>,
    ) -> Self {
        Self { request_id, requester, offered, escrow_id, client, state }
    }

    pub(crate) fn with_client(self, client: Client) -> Self {
        Self { client, ..self }
    }

    /// Charges less than the buyer offered; a larger amount is capped. An escrow always pays in full.
    ///
    /// ```
    /// # fn show(cx: svc_bot_kit::Ctx) {
    /// cx.charge(2);
    /// # }
    /// ```
    pub fn charge(&self, amount: impl Into<Credits>) {
        let amount = amount.into().min(self.offered).max(Credits::default());
        *self.state.charge.lock().unwrap_or_else(PoisonError::into_inner) = Some(amount);
    }

    /// Runs a step of a handler once, even if the handler runs again. The journal keeps the result
    /// until the order is answered.
    ///
    /// A crash after the step but before its result is stored repeats the step. Pass
    /// [`step_key`](Self::step_key) to systems that accept idempotency keys.
    ///
    /// ```
    /// use svc_bot_kit::{Ctx, Fail};
    ///
    /// # async fn buy(key: &str) -> Result<String, std::io::Error> { Ok(key.to_owned()) }
    /// async fn order_paper(cx: Ctx) -> Result<String, Fail> {
    ///     cx.once("paper", async || Ok(buy(&cx.step_key("paper")).await?)).await
    /// }
    /// ```
    pub async fn once<T, F>(&self, step: &str, work: impl FnOnce() -> F) -> Result<T, Fail>
    where
        T: Serialize + DeserializeOwned,
        F: Future<Output = Result<T, Fail>>,
    {
        let job = self.request_id.as_str();
        if let Some(known) = self.state.journal.step(job, step).await? {
            return Ok(serde_json::from_str(&known)?);
        }
        let value = work().await?;
        self.state.journal.save_step(job, step, serde_json::to_string(&value)?).await?;
        Ok(value)
    }

    /// An idempotency key for a step, which stays the same when the handler runs again.
    ///
    /// ```
    /// # fn show(cx: svc_bot_kit::Ctx) {
    /// let key = cx.step_key("paper"); // step:paper:msg_01..
    /// # }
    /// ```
    pub fn step_key(&self, step: &str) -> String {
        // The prefix keeps it distinct from the keys of the bot's answers.
        format!("step:{step}:{}", self.request_id)
    }

    /// Waits until the bot is stopping. The handler is aborted after the time set with
    /// [`Bot::drain`](crate::Bot::drain).
    ///
    /// ```
    /// # async fn show(cx: svc_bot_kit::Ctx) {
    /// cx.cancelled().await;
    /// println!("shutting down");
    /// # }
    /// ```
    pub async fn cancelled(&self) {
        let mut stopping = self.state.stopping.clone();
        // Fails only if the bot was dropped, which aborts the handler anyway.
        let _ = stopping.wait_for(|stopping| *stopping).await;
    }

    /// The bot's client. Messages sent with it are marked as automated.
    ///
    /// ```
    /// # async fn show(cx: svc_bot_kit::Ctx) -> Result<(), svc_bot_kit::Fail> {
    /// let me = cx.client().users().me().await?;
    /// # Ok(()) }
    /// ```
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// The amount set with [`charge`](Self::charge).
    pub(crate) fn charged(&self) -> Option<Credits> {
        *self.state.charge.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Ctx {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ctx")
            .field("request_id", &self.request_id)
            .field("requester", &self.requester)
            .field("offered", &self.offered)
            .field("escrow_id", &self.escrow_id)
            .finish_non_exhaustive()
    }
}
