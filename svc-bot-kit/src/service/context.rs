//! What a handler knows of its order, and what it can do beside answering.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use serde::Serialize;
use serde::de::DeserializeOwned;
use svc_client::Client;
use svc_client::types::{Credits, EscrowId, MessageId};
use tokio::sync::watch;

use super::fail::Fail;
use crate::journal::Journal;

/// What a handler is given beside its input.
#[derive(Clone)]
#[non_exhaustive]
pub struct Ctx {
    /// The order: the id of the message it came with. For other events, the id of the event.
    pub request_id: MessageId,
    /// The name of who asks; empty for events beside messages.
    pub requester: String,
    /// What is offered; nothing beside an order.
    pub offered: Credits,
    /// The escrow that pays, if one does.
    pub escrow_id: Option<EscrowId>,
    client: Client,
    state: Arc<HandlerState>,
}

/// What a context needs of its bot.
pub(crate) struct HandlerState {
    pub(crate) journal: Journal,
    /// Whether the bot is to stop.
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

    /// The same with another client.
    pub(crate) fn with_client(self, client: Client) -> Self {
        Self { client, ..self }
    }

    /// Charges less than what is offered. More is never charged, and an escrow pays all or nothing.
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

    /// Does a step of an order once, also when its handler starts again: the result is kept until
    /// the order is answered.
    ///
    /// A crash after the step and before its result is kept repeats it; give
    /// [`step_key`](Self::step_key) to systems that know such keys.
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

    /// A key for a step of this order, the same whenever its handler starts again.
    ///
    /// ```
    /// # fn show(cx: svc_bot_kit::Ctx) {
    /// let key = cx.step_key("paper"); // step:paper:msg_01..
    /// # }
    /// ```
    pub fn step_key(&self, step: &str) -> String {
        // Apart from the keys under which the bot itself answers.
        format!("step:{step}:{}", self.request_id)
    }

    /// Waits until the bot is to stop; the handler is given up some time later.
    ///
    /// ```
    /// # async fn show(cx: svc_bot_kit::Ctx) {
    /// cx.cancelled().await;
    /// println!("to be short now");
    /// # }
    /// ```
    pub async fn cancelled(&self) {
        let mut stopping = self.state.stopping.clone();
        // A bot that is gone gives the handler up anyway.
        let _ = stopping.wait_for(|stopping| *stopping).await;
    }

    /// The bot's own client. Messages that it sends are marked as automated.
    ///
    /// ```
    /// # async fn show(cx: svc_bot_kit::Ctx) -> Result<(), svc_bot_kit::Fail> {
    /// let me = cx.client().users().me().await?;
    /// # Ok(()) }
    /// ```
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// What the handler wants to charge, if it said so.
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
