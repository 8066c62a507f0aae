//! The context of a handler.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use serde::Serialize;
use serde::de::DeserializeOwned;
use svc_client::Client;
use svc_client::types::api::posts::Content;
use svc_client::types::{ChannelId, Code, Credits, EscrowId, MessageId, UserId};
use tokio::sync::watch;

use super::dialogue::Dialogue;
use super::fail::Fail;
use super::sent::{Sent, within};
use super::state::{State, States};
use crate::error::Error;
use crate::journal::{DialogueChange, Journal};

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
    pub(super) state: Arc<HandlerState>,
}

/// The state that a context shares with its bot.
pub(crate) struct HandlerState {
    pub(crate) journal: Journal,
    /// Whether the bot is stopping.
    pub(crate) stopping: watch::Receiver<bool>,
    pub(crate) charge: Mutex<Option<Credits>>,
    /// Values of the program.
    pub(crate) states: Arc<States>,
    /// The conversation, if this is a handler of messages.
    pub(crate) chat: Option<Chat>,
    /// How the handler changes its dialogue.
    pub(crate) dialogue: Mutex<Option<DialogueChange>>,
    /// How much this attempt has sent.
    pub(crate) sent: Mutex<Sent>,
}

/// A conversation.
pub(crate) struct Chat {
    pub(crate) place: Place,
    /// The key of its dialogue.
    pub(crate) dialogue: String,
}

/// Where replies go.
pub(crate) enum Place {
    Direct(UserId),
    Channel(ChannelId),
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
            self.skip_sent(step).await?;
            return Ok(serde_json::from_str(&known)?);
        }
        let value = within(step, work()).await?;
        self.save_sent(step).await?;
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

    /// Replies to a message: directly, or in its channel. If the handler runs again, the same reply is
    /// not sent twice, provided that the handler makes its replies in the same order. The text that was
    /// sent stays, also if it is another one now.
    ///
    /// ```
    /// # async fn show(cx: svc_bot_kit::Ctx) -> Result<(), svc_bot_kit::Fail> {
    /// cx.reply("thanks").await
    /// # }
    /// ```
    pub async fn reply(&self, text: impl Into<Content>) -> Result<(), Fail> {
        let Some(chat) = &self.state.chat else {
            return Err(Error::config("only handlers of messages can reply").into());
        };
        let number = self.count_reply();
        let key = self.step_key(&format!("reply:{number}"));
        let sent = match &chat.place {
            Place::Direct(user) => {
                let call = self.client.messages().send(user.as_str(), text);
                call.idempotency_key(key).await.map(drop)
            }
            Place::Channel(channel) => {
                let post = self.client.channels().post(channel, text);
                post.reply_to(&self.request_id).idempotency_key(key).await.map(drop)
            }
        };
        match sent {
            // The handler ran before, and sent its reply of this number.
            Err(error) if error.code() == Some(&Code::IdempotencyConflict) => Ok(()),
            sent => Ok(sent?),
        }
    }

    /// A value set with [`Bot::state`](crate::Bot::state). Fails if there is none of this type.
    ///
    /// ```
    /// struct Greeting(String);
    ///
    /// # fn show(cx: svc_bot_kit::Ctx) -> Result<(), svc_bot_kit::Fail> {
    /// println!("{}", cx.state::<Greeting>()?.0);
    /// # Ok(()) }
    /// ```
    pub fn state<T: Send + Sync + 'static>(&self) -> Result<State<T>, Fail> {
        self.state.states.get().ok_or_else(|| {
            let name = std::any::type_name::<T>();
            Error::config(format!("Bot::state was not called with a value of type {name}")).into()
        })
    }

    /// What the bot remembers of this conversation.
    ///
    /// ```
    /// # async fn show(cx: svc_bot_kit::Ctx) -> Result<(), svc_bot_kit::Fail> {
    /// let visits = cx.dialogue::<u32>();
    /// let count = visits.get().await?.unwrap_or_default() + 1;
    /// visits.set(&count)?;
    /// # Ok(()) }
    /// ```
    pub fn dialogue<T: Serialize + DeserializeOwned>(&self) -> Dialogue<T> {
        Dialogue::new(self.clone())
    }

    /// Takes how the handler changed its dialogue.
    pub(crate) fn take_dialogue(&self) -> Option<DialogueChange> {
        self.state.dialogue.lock().unwrap_or_else(PoisonError::into_inner).take()
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
