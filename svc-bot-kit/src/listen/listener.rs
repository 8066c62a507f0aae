//! Reads events by sequence number, triggered by hints.

use std::collections::VecDeque;
use std::fmt;
use std::time::Duration;

#[cfg(feature = "mqtt")]
use svc_client::types::ApiKey;
use svc_client::types::api::connect::{Event, EventPage};
use svc_client::{Client, Result};
use tokio::time::Instant;

use super::channel_hints::ChannelHints;
use super::channels::ChannelListener;
use super::hints::{Deadline, Hint, Hints, Polling};
use super::passing::{asked_wait, may_answer_later};
use super::source::{self, Source};

/// Poll interval after an event.
pub(super) const PAUSE_MIN: Duration = Duration::from_secs(2);
/// Poll interval while nothing happens or hints are live.
pub(super) const PAUSE_MAX: Duration = Duration::from_secs(30);
/// Events per request.
const PAGE: u32 = 100;

/// An account's events in order, without gaps or duplicates.
///
/// [`next`](Self::next) returns an event until you mark it as [`done`](Self::done). Store its `seq`
/// once it is handled, so that the program can resume [`after`](Self::after) it. While the platform
/// is unreachable, the listener keeps trying.
///
/// ```no_run
/// use svc_bot_kit::Listener;
/// use svc_client::Client;
///
/// # fn load() -> u64 { 0 }
/// # fn save(_: u64) {}
/// # async fn show() -> svc_client::Result<()> {
/// let mut listener = Listener::new(Client::from_env()?).after(load());
/// loop {
///     let event = listener.next().await?;
///     println!("{} {:?}", event.seq, event.typed());
///     save(event.seq);
///     listener.done(&event);
/// }
/// # }
/// ```
pub struct Listener {
    client: Client,
    types: Option<Vec<String>>,
    /// The sequence number after which to read next; unknown at first.
    last: Option<u64>,
    begins_now: bool,
    /// Events that were read and are not done.
    ready: VecDeque<Event>,
    /// Whether the platform may have more events.
    must_poll: bool,
    /// Until when the platform asks not to poll.
    held_until: Option<Instant>,
    pause: Duration,
    /// When to poll at the latest.
    poll_at: Deadline,
    hints: Box<dyn Hints>,
    /// What the hints know of channels.
    channel_hints: ChannelHints,
    /// Called whenever the platform responds or sends an event.
    on_contact: Box<dyn Fn() + Send + Sync>,
}

impl Listener {
    /// Listens for events from now on; see [`after`](Self::after) and
    /// [`from_start`](Self::from_start).
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// let listener = svc_bot_kit::Listener::new(svc);
    /// # }
    /// ```
    pub fn new(client: Client) -> Self {
        Self {
            client,
            types: None,
            last: None,
            begins_now: true,
            ready: VecDeque::new(),
            must_poll: true,
            held_until: None,
            pause: PAUSE_MIN,
            poll_at: Deadline::default(),
            hints: Box::new(Polling),
            channel_hints: ChannelHints::default(),
            on_contact: Box::new(|| {}),
        }
    }

    /// Listens for messages in the channels of the client's account.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// let channels = svc_bot_kit::Listener::channels(svc);
    /// # }
    /// ```
    pub fn channels(client: Client) -> ChannelListener {
        ChannelListener::new(client, ChannelHints::default())
    }

    /// Listens for messages in the account's channels, with the hints that this listener gets.
    #[cfg(feature = "bot")]
    pub(crate) fn with_channels(&self) -> ChannelListener {
        ChannelListener::new(self.client.clone(), self.channel_hints.clone())
    }

    /// Starts after the event with this sequence number, the last one you handled.
    ///
    /// If the platform no longer has the events that follow, [`next`](Self::next) fails with
    /// `cursor_expired` instead of leaving a gap.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// let listener = svc_bot_kit::Listener::new(svc).after(41);
    /// # }
    /// ```
    #[must_use]
    pub fn after(mut self, seq: u64) -> Self {
        self.last = Some(seq);
        self
    }

    /// Starts with the oldest event that the platform still has.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// let listener = svc_bot_kit::Listener::new(svc).from_start();
    /// # }
    /// ```
    #[must_use]
    pub fn from_start(mut self) -> Self {
        self.begins_now = false;
        self
    }

    /// Listens only for events of these kinds.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// let listener = svc_bot_kit::Listener::new(svc).types(["like", "direct_message"]);
    /// # }
    /// ```
    #[must_use]
    pub fn types<T: Into<String>>(mut self, types: impl IntoIterator<Item = T>) -> Self {
        self.types = Some(types.into_iter().map(Into::into).collect());
        self
    }

    /// Receives events over MQTT as they happen, with the account's API key as the password.
    ///
    /// Events lost by the broker are read from the platform's list within 30 s. If there is no broker,
    /// or it rejects the key, the listener polls. If the connection breaks or the broker refuses a
    /// topic, the listener reconnects after 1 s, doubling up to 30 s. A broker on another machine must
    /// use TLS (feature `mqtt-tls`) unless you call [`live_plain`](Self::live_plain).
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// let listener = svc_bot_kit::Listener::new(svc).live("svc_ak_..");
    /// # }
    /// ```
    #[cfg(feature = "mqtt")]
    #[cfg_attr(docsrs, doc(cfg(feature = "mqtt")))]
    #[must_use]
    pub fn live(self, key: impl Into<ApiKey>) -> Self {
        self.sources([Source::mqtt(key)])
    }

    /// Like [`live`](Self::live), but sends the API key even without TLS; use it only in a network
    /// you trust.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// let listener = svc_bot_kit::Listener::new(svc).live_plain("svc_ak_..");
    /// # }
    /// ```
    #[cfg(feature = "mqtt")]
    #[cfg_attr(docsrs, doc(cfg(feature = "mqtt")))]
    #[must_use]
    pub fn live_plain(self, key: impl Into<ApiKey>) -> Self {
        self.sources([Source::mqtt_plain(key)])
    }

    /// Polls when one of these sources gives a hint; without sources, polls only by time.
    ///
    /// Events without a hint are read within 30 s.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// use svc_bot_kit::{Notifier, Listener, Source};
    ///
    /// let notifier = Notifier::new();
    /// let listener = Listener::new(svc).sources([Source::notifier(&notifier)]);
    /// # }
    /// ```
    #[must_use]
    pub fn sources(mut self, sources: impl IntoIterator<Item = Source>) -> Self {
        self.hints = source::hints(sources, &self.client, &self.channel_hints);
        self
    }

    /// Waits for the oldest event that is not [`done`](Self::done).
    ///
    /// This method is cancel safe.
    ///
    /// # Errors
    /// Whatever the platform refuses for good, such as `cursor_expired` or an invalid key. Transient
    /// errors are retried.
    ///
    /// ```no_run
    /// # async fn show(mut listener: svc_bot_kit::Listener) -> svc_client::Result<()> {
    /// let event = listener.next().await?;
    /// # Ok(()) }
    /// ```
    pub async fn next(&mut self) -> Result<Event> {
        loop {
            if let Some(event) = self.ready.front() {
                return Ok(event.clone());
            }
            if !self.must_poll || self.held_until.is_some_and(|until| Instant::now() < until) {
                self.wait().await;
                continue;
            }
            match self.poll().await {
                Ok(has_more) => self.must_poll = has_more,
                Err(error) if may_answer_later(&error) => {
                    tracing::warn!(%error, "events can't be read; retrying");
                    self.held_until = Some(Instant::now() + asked_wait(&error));
                    self.wait().await;
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Waits for at least one event and returns all that are ready.
    #[cfg(feature = "bot")]
    pub(crate) async fn batch(&mut self) -> Result<Vec<Event>> {
        self.next().await?;
        Ok(self.ready.iter().cloned().collect())
    }

    /// Calls this whenever the platform responds or sends an event.
    #[cfg(feature = "bot")]
    pub(crate) fn on_contact(mut self, on_contact: impl Fn() + Send + Sync + 'static) -> Self {
        self.on_contact = Box::new(on_contact);
        self
    }

    /// Continues after the event with this sequence number and drops what was read.
    #[cfg(feature = "bot")]
    pub(crate) fn skip_to(&mut self, seq: u64) {
        self.last = Some(seq);
        self.ready.clear();
        self.must_poll = true;
    }

    /// Marks an event, and all before it, as handled.
    ///
    /// ```no_run
    /// # async fn show(mut listener: svc_bot_kit::Listener) -> svc_client::Result<()> {
    /// let event = listener.next().await?;
    /// listener.done(&event);
    /// # Ok(()) }
    /// ```
    pub fn done(&mut self, event: &Event) {
        self.ready.retain(|ready| ready.seq > event.seq);
    }

    /// The sequence number of the last event read, initially the one given to
    /// [`after`](Self::after); `None` before the first poll otherwise.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// assert_eq!(svc_bot_kit::Listener::new(svc).after(41).position(), Some(41));
    /// # }
    /// ```
    pub fn position(&self) -> Option<u64> {
        self.last
    }

    /// Fixes the position "now" for a new listener, so that no later event is missed.
    ///
    /// [`next`](Self::next) does this implicitly.
    ///
    /// ```no_run
    /// # async fn show(mut listener: svc_bot_kit::Listener) -> svc_client::Result<()> {
    /// listener.begin().await?;
    /// # Ok(()) }
    /// ```
    pub async fn begin(&mut self) -> Result<()> {
        if self.begins_now && self.last.is_none() {
            let page = self.client.events().list().limit(1).await?;
            self.last = Some(page.latest_seq);
        }
        Ok(())
    }

    /// Reads the next page of events. Returns whether there are more.
    async fn poll(&mut self) -> Result<bool> {
        self.begin().await?;
        let mut call = self.client.events().list().limit(PAGE);
        if let Some(types) = &self.types {
            call = call.types(types.clone());
        }
        if let Some(last) = self.last {
            call = call.with(|request| request.after = Some(last));
        }
        let page = call.await?;
        (self.on_contact)();
        Ok(self.take(page))
    }

    fn take(&mut self, page: EventPage) -> bool {
        let has_more = page.next_cursor.is_some();
        for event in page.events {
            if self.last.is_none_or(|last| event.seq > last) {
                self.last = Some(event.seq);
                self.ready.push_back(event);
            }
        }
        // Events of other kinds, or that the key may not read, need not be skipped again; a page may hold
        // nothing else.
        self.last = self.last.max(page.next_cursor.or(Some(page.latest_seq)));
        if !self.ready.is_empty() {
            self.pause = PAUSE_MIN;
        }
        has_more
    }

    /// Waits until it is time to poll or an event arrives.
    async fn wait(&mut self) {
        while self.ready.is_empty() {
            match self.hint().await {
                Hint::Event(event) => self.receive(*event),
                Hint::Poll => self.must_poll = true,
                Hint::Channel => {}
                Hint::Elapsed => {
                    self.pause = longer(self.pause);
                    self.must_poll = true;
                }
            }
            if self.must_poll {
                self.poll_at.clear();
                return;
            }
        }
    }

    async fn hint(&mut self) -> Hint {
        let at_most = if self.hints.is_live() { PAUSE_MAX } else { self.pause };
        let left = self.poll_at.left(at_most);
        if left.is_zero() { Hint::Elapsed } else { self.hints.wait(left).await }
    }

    /// Accepts an event that arrived as a hint.
    fn receive(&mut self, event: Event) {
        let Some(next) = self.last.map(|last| last + 1) else { return };
        (self.on_contact)();
        if event.seq > next {
            // An event before this one is missing; the platform's list has both.
            self.must_poll = true;
        } else if event.seq == next {
            self.last = Some(next);
            // Nothing is missing up to here.
            self.poll_at.clear();
            let is_wanted = self.types.as_ref().is_none_or(|types| types.contains(&event.event));
            if is_wanted {
                self.ready.push_back(event);
            }
        }
    }
}

impl fmt::Debug for Listener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Listener")
            .field("types", &self.types)
            .field("last", &self.last)
            .field("ready", &self.ready.len())
            .finish_non_exhaustive()
    }
}

/// The poll interval after one in which nothing happened: half as long again, up to [`PAUSE_MAX`].
pub(super) fn longer(pause: Duration) -> Duration {
    pause.mul_f64(1.5).min(PAUSE_MAX)
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
