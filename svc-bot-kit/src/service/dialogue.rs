//! What a bot remembers of a conversation.

use std::fmt;
use std::marker::PhantomData;
use std::sync::PoisonError;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::context::Ctx;
use super::fail::Fail;
use crate::error::Error;
use crate::journal::DialogueChange;

/// What a bot remembers of its conversation with one person, kept in the journal; from
/// [`Ctx::dialogue`].
///
/// A conversation is that of direct messages, or what one person writes in one channel. A change
/// takes effect together with the end of the handler: if the handler fails or is interrupted, it runs
/// again with the value it found. A dialogue that is not changed for 30 days is forgotten.
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use svc_bot_kit::{Bot, Ctx, Fail};
///
/// #[derive(Serialize, Deserialize)]
/// enum Booking { AskedCity, AskedDay { city: String } }
///
/// async fn book(cx: Ctx, text: String) -> Result<(), Fail> {
///     let booking = cx.dialogue();
///     match booking.get().await? {
///         None => {
///             booking.set(&Booking::AskedCity)?;
///             cx.reply("which city?").await
///         }
///         Some(Booking::AskedCity) => {
///             booking.set(&Booking::AskedDay { city: text })?;
///             cx.reply("which day?").await
///         }
///         Some(Booking::AskedDay { city }) => {
///             booking.end()?;
///             cx.reply(format!("booked: {city}, {text}")).await
///         }
///     }
/// }
///
/// # fn show(bot: Bot) {
/// bot.on_message(|cx, message| book(cx, message.content));
/// # }
/// ```
pub struct Dialogue<T> {
    cx: Ctx,
    value: PhantomData<fn() -> T>,
}

impl<T: Serialize + DeserializeOwned> Dialogue<T> {
    pub(super) fn new(cx: Ctx) -> Self {
        Self { cx, value: PhantomData }
    }

    /// The value, as this handler may have changed it; `None` before the first
    /// [`set`](Self::set) and after [`end`](Self::end). A stored value of another type counts as none.
    ///
    /// ```
    /// # async fn show(cx: svc_bot_kit::Ctx) -> Result<(), svc_bot_kit::Fail> {
    /// let visits: Option<u32> = cx.dialogue().get().await?;
    /// # Ok(()) }
    /// ```
    pub async fn get(&self) -> Result<Option<T>, Fail> {
        let key = self.key()?;
        let change = self.change().clone();
        let value = match change {
            Some(change) => change.value,
            None => self.cx.state.journal.dialogue(key).await?,
        };
        let Some(value) = value else { return Ok(None) };
        let value = serde_json::from_str(&value).inspect_err(|error| {
            tracing::warn!(%error, "the stored dialogue has another type; it starts over");
        });
        Ok(value.ok())
    }

    /// Sets the value.
    ///
    /// ```
    /// # fn show(cx: svc_bot_kit::Ctx) -> Result<(), svc_bot_kit::Fail> {
    /// cx.dialogue().set(&7)?;
    /// # Ok(()) }
    /// ```
    pub fn set(&self, value: &T) -> Result<(), Fail> {
        let value = serde_json::to_string(value)?;
        self.stage(Some(value))
    }

    /// Forgets the value.
    ///
    /// ```
    /// # fn show(cx: svc_bot_kit::Ctx) -> Result<(), svc_bot_kit::Fail> {
    /// cx.dialogue::<u32>().end()?;
    /// # Ok(()) }
    /// ```
    pub fn end(&self) -> Result<(), Fail> {
        self.stage(None)
    }

    fn stage(&self, value: Option<String>) -> Result<(), Fail> {
        let key = self.key()?.to_owned();
        *self.change() = Some(DialogueChange { key, value });
        Ok(())
    }

    fn key(&self) -> Result<&str, Fail> {
        let chat = self.cx.state.chat.as_ref();
        let chat =
            chat.ok_or_else(|| Error::config("only handlers of messages have a dialogue"))?;
        Ok(&chat.dialogue)
    }

    fn change(&self) -> std::sync::MutexGuard<'_, Option<DialogueChange>> {
        self.cx.state.dialogue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> fmt::Debug for Dialogue<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dialogue").field("cx", &self.cx).finish_non_exhaustive()
    }
}
