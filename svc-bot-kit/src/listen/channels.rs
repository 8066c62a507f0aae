//! Reads messages of channels, triggered by hints.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt;
use std::time::Duration;

use svc_client::types::api::channels::{Channel, ChannelMessage};
use svc_client::types::api::messages::Order;
use svc_client::types::{ChannelId, MessageId, Timestamp};
use svc_client::{Client, Error, Result};
use tokio::time::{Instant, sleep_until};

use super::channel_hints::ChannelHints;
use super::hints::{Deadline, Hint, Hints};
use super::listener::{PAUSE_MAX, PAUSE_MIN, longer};
use super::passing::{asked_wait, may_answer_later};
use super::source::{self, Source};

/// Channels or messages per request.
const PAGE: u32 = 100;
/// Unread messages of a channel at most; older ones are skipped.
const UNREAD_MAX: usize = 10_000;

/// Messages of an account's channels, in the order of each channel, without gaps or duplicates.
///
/// [`next`](Self::next) returns a message until you mark it as [`done`](Self::done). Store its id for
/// its channel once it is handled, so that the program can resume [`after`](Self::after) it. The
/// listener reads all channels that the account is a member of, unless you name [`only`](Self::only)
/// some. A channel without a stored position begins with the messages that follow.
///
/// While the platform is unreachable, the listener keeps trying. Of a channel with more than 10,000
/// unread messages, only the newest are read.
///
/// ```no_run
/// use svc_bot_kit::{Listener, Source};
/// use svc_client::Client;
///
/// # fn load() -> Vec<(String, String)> { Vec::new() }
/// # fn save(_: &str, _: &str) {}
/// # async fn show() -> svc_client::Result<()> {
/// let mut channels = Listener::channels(Client::from_env()?).sources([Source::stream()]);
/// for (channel, message) in load() {
///     channels = channels.after(channel, message);
/// }
/// loop {
///     let message = channels.next().await?;
///     println!("{}: {}", message.sender.username, message.content);
///     save(message.channel_id.as_str(), message.message_id.as_str());
///     channels.done(&message);
/// }
/// # }
/// ```
pub struct ChannelListener {
    client: Client,
    only: Option<Vec<ChannelId>>,
    /// The last message read of each channel; empty before the first.
    positions: BTreeMap<ChannelId, MessageId>,
    /// Messages that were read and are not done.
    ready: VecDeque<ChannelMessage>,
    /// Channels to read.
    due: BTreeSet<ChannelId>,
    /// Whether the account may be in other channels now, and all are to be read.
    must_list: bool,
    /// Messages since this time are new in channels that have no position when they are first listed;
    /// `None` if messages from now on are.
    since: Option<Timestamp>,
    was_listed: bool,
    pause: Duration,
    /// When to list all channels at the latest: it may be in new ones, and sources do not watch all.
    list_at: Deadline,
    /// Until when the platform asks not to read.
    held_until: Option<Instant>,
    /// Own hints; otherwise those of a listener that shares `channel_hints`.
    hints: Option<Box<dyn Hints>>,
    channel_hints: ChannelHints,
}

impl ChannelListener {
    pub(super) fn new(client: Client, channel_hints: ChannelHints) -> Self {
        Self {
            client,
            only: None,
            positions: BTreeMap::new(),
            ready: VecDeque::new(),
            due: BTreeSet::new(),
            must_list: true,
            since: None,
            was_listed: false,
            pause: PAUSE_MIN,
            list_at: Deadline::default(),
            held_until: None,
            hints: None,
            channel_hints,
        }
    }

    /// Starts after this message of a channel, the last one you handled there.
    ///
    /// ```
    /// # fn show(channels: svc_bot_kit::ChannelListener) {
    /// channels.after("chan_01", "msg_01");
    /// # }
    /// ```
    #[must_use]
    pub fn after(mut self, channel: impl Into<ChannelId>, message: impl Into<MessageId>) -> Self {
        self.positions.insert(channel.into(), message.into());
        self
    }

    /// Reads only these channels, which need not be the account's if they are public.
    ///
    /// ```
    /// # fn show(channels: svc_bot_kit::ChannelListener) {
    /// channels.only(["chan_01"]);
    /// # }
    /// ```
    #[must_use]
    pub fn only<T: Into<ChannelId>>(mut self, channels: impl IntoIterator<Item = T>) -> Self {
        self.only = Some(channels.into_iter().map(Into::into).collect());
        self
    }

    /// Reads a channel when one of these sources gives a hint; without sources, only by time.
    ///
    /// Messages without a hint are read within 30 s. A stream watches the first 50 channels, MQTT the
    /// first 198.
    ///
    /// ```
    /// # fn show(channels: svc_bot_kit::ChannelListener) {
    /// channels.sources([svc_bot_kit::Source::stream()]);
    /// # }
    /// ```
    #[must_use]
    pub fn sources(mut self, sources: impl IntoIterator<Item = Source>) -> Self {
        self.hints = Some(source::hints(sources, &self.client, &self.channel_hints));
        self
    }

    /// In channels without a position, messages since this time are new, but none before the account
    /// joined.
    #[cfg(feature = "bot")]
    pub(crate) fn since(mut self, since: Option<Timestamp>) -> Self {
        self.since = since;
        self
    }

    /// Waits for a message that is not [`done`](Self::done).
    ///
    /// This method is cancel safe.
    ///
    /// # Errors
    /// Whatever the platform refuses for good, such as an invalid key. Transient errors are retried.
    ///
    /// ```no_run
    /// # async fn show(mut channels: svc_bot_kit::ChannelListener) -> svc_client::Result<()> {
    /// let message = channels.next().await?;
    /// # Ok(()) }
    /// ```
    pub async fn next(&mut self) -> Result<ChannelMessage> {
        loop {
            if let Some(message) = self.ready.front() {
                return Ok(message.clone());
            }
            self.note_changes();
            if !self.must_list && self.due.is_empty() {
                self.wait().await;
                continue;
            }
            if let Some(until) = self.held_until {
                sleep_until(until).await;
                self.held_until = None;
            }
            match self.read_next().await {
                Ok(()) => {}
                Err(error) if may_answer_later(&error) => {
                    tracing::warn!(%error, "channels can't be read; retrying");
                    self.held_until = Some(Instant::now() + asked_wait(&error));
                    self.wait().await;
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Waits for at least one message and returns all that are ready.
    #[cfg(feature = "bot")]
    pub(crate) async fn batch(&mut self) -> Result<Vec<ChannelMessage>> {
        self.next().await?;
        Ok(self.ready.iter().cloned().collect())
    }

    /// The last message read of each channel, which is the one to continue after once all that is
    /// ready was handled.
    #[cfg(feature = "bot")]
    pub(crate) fn positions(&self) -> Vec<(ChannelId, MessageId)> {
        self.positions.iter().map(|(channel, message)| (channel.clone(), message.clone())).collect()
    }

    /// Fixes the position "now" of channels without a position. [`next`](Self::next) does this
    /// implicitly.
    ///
    /// ```no_run
    /// # async fn show(mut channels: svc_bot_kit::ChannelListener) -> svc_client::Result<()> {
    /// channels.begin().await?;
    /// # Ok(()) }
    /// ```
    pub async fn begin(&mut self) -> Result<()> {
        while self.must_list {
            match self.list().await {
                Ok(()) => self.must_list = false,
                Err(error) if may_answer_later(&error) => {
                    tracing::warn!(%error, "channels can't be listed; retrying");
                    tokio::time::sleep(asked_wait(&error).max(PAUSE_MIN)).await;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Marks a message, and all before it in its channel, as handled.
    ///
    /// ```no_run
    /// # async fn show(mut channels: svc_bot_kit::ChannelListener) -> svc_client::Result<()> {
    /// let message = channels.next().await?;
    /// channels.done(&message);
    /// # Ok(()) }
    /// ```
    pub fn done(&mut self, message: &ChannelMessage) {
        self.ready.retain(|ready| {
            ready.channel_id != message.channel_id
                || ready.message_id.as_str() > message.message_id.as_str()
        });
    }

    /// Lists the channels, or reads one that is due.
    async fn read_next(&mut self) -> Result<()> {
        if self.must_list {
            self.list().await?;
            self.must_list = false;
        }
        // The channel stays due until it was read.
        let Some(channel) = self.due.first().cloned() else { return Ok(()) };
        match self.read(&channel).await {
            Ok(messages) => {
                if !messages.is_empty() {
                    self.pause = PAUSE_MIN;
                }
                self.ready.extend(messages);
            }
            Err(Error::NotFound { .. } | Error::Forbidden { .. }) => {
                tracing::debug!(%channel, "the channel can no longer be read");
            }
            Err(error) => return Err(error),
        }
        self.due.remove(&channel);
        Ok(())
    }

    /// Determines the channels to read: all of them are due.
    async fn list(&mut self) -> Result<()> {
        let channels = match &self.only {
            Some(only) => only.iter().map(|id| (id.clone(), None)).collect(),
            None => self.joined().await?,
        };
        let mut readable = Vec::new();
        for (channel, joined_at) in channels {
            if !self.positions.contains_key(&channel) {
                let since = match (self.was_listed, self.since) {
                    (false, None) => None,
                    (false, since) => since.max(joined_at),
                    // The account was not in channels that appear later.
                    (true, _) => joined_at,
                };
                // A channel that can't be read yet begins once it can, with the messages that follow.
                let Some(begin) = self.last_before(&channel, since).await? else { continue };
                self.positions.insert(channel.clone(), begin);
            }
            readable.push(channel);
        }
        self.was_listed = true;
        self.channel_hints.follow(&readable);
        self.due.extend(readable);
        Ok(())
    }

    /// The channels that the account is a member of, and when it joined them.
    async fn joined(&mut self) -> Result<Vec<(ChannelId, Option<Timestamp>)>> {
        let list = self.client.channels().list().mine(true).limit(PAGE);
        let mut page = list.clone().page().await?;
        let mut channels = std::mem::take(&mut page.items);
        while let Some(cursor) = page.next_cursor {
            page = list.clone().after(cursor).page().await?;
            channels.append(&mut page.items);
        }
        let joined = |channel: Channel| (channel.id, channel.viewer.and_then(|it| it.joined_at));
        Ok(channels.into_iter().map(joined).collect())
    }

    /// The last message of a channel before this time, or the last one; `None` if the channel can't be read.
    async fn last_before(
        &mut self,
        channel: &ChannelId,
        since: Option<Timestamp>,
    ) -> Result<Option<MessageId>> {
        let list = self.client.channels().messages(channel).order(Order::Desc).limit(PAGE);
        let mut page = match list.clone().page().await {
            Err(Error::NotFound { .. } | Error::Forbidden { .. }) => return Ok(None),
            answered => answered?,
        };
        let mut read = 0;
        loop {
            let is_before =
                |message: &&ChannelMessage| since.is_none_or(|since| message.created_at < since);
            if let Some(last) = page.items.iter().find(is_before) {
                return Ok(Some(last.message_id.clone()));
            }
            read += page.items.len();
            let Some(cursor) = page.next_cursor.filter(|_| read < UNREAD_MAX) else {
                return Ok(Some("".into()));
            };
            page = list.clone().after(cursor).page().await?;
        }
    }

    /// The messages of a channel after its position, oldest first.
    async fn read(&mut self, channel: &ChannelId) -> Result<Vec<ChannelMessage>> {
        let known = self.positions.get(channel).map_or("", MessageId::as_str);
        let list = self.client.channels().messages(channel).order(Order::Desc).limit(PAGE);
        let (mut unread, mut page) = (Vec::new(), list.clone().page().await?);
        loop {
            let listed = page.items.len();
            let new =
                page.items.into_iter().take_while(|message| message.message_id.as_str() > known);
            let before = unread.len();
            unread.extend(new);
            let reached_known = unread.len() - before < listed;
            let Some(cursor) = page.next_cursor.filter(|_| !reached_known) else { break };
            if unread.len() >= UNREAD_MAX {
                tracing::warn!(%channel, "too many unread messages; older ones are skipped");
                break;
            }
            page = list.clone().after(cursor).page().await?;
        }
        if let Some(newest) = unread.first() {
            self.positions.insert(channel.clone(), newest.message_id.clone());
        }
        unread.reverse();
        Ok(unread)
    }

    /// Notes which channels the hints named.
    fn note_changes(&mut self) {
        let changed = self.channel_hints.take();
        self.must_list |= changed.all;
        let wanted = |id: &ChannelId| self.positions.contains_key(id);
        self.due.extend(changed.ids.into_iter().filter(wanted));
    }

    /// Waits until a channel may have new messages, or it is time to look.
    async fn wait(&mut self) {
        match self.hint().await {
            Hint::Elapsed => {
                self.pause = longer(self.pause);
                self.must_list = true;
                self.list_at.clear();
            }
            Hint::Poll => self.must_list = true,
            // Channels are named separately, and events of the account are not messages of channels.
            Hint::Channel | Hint::Event(_) => {}
        }
    }

    async fn hint(&mut self) -> Hint {
        let at_most = if self.channel_hints.is_live() { PAUSE_MAX } else { self.pause };
        let left = self.list_at.left(at_most);
        match &mut self.hints {
            _ if left.is_zero() => Hint::Elapsed,
            Some(hints) => hints.wait(left).await,
            None => match tokio::time::timeout(left, self.channel_hints.notified()).await {
                Ok(()) => Hint::Channel,
                Err(_) => Hint::Elapsed,
            },
        }
    }
}

impl fmt::Debug for ChannelListener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChannelListener")
            .field("positions", &self.positions)
            .field("ready", &self.ready.len())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
#[path = "channels_tests.rs"]
mod tests;
