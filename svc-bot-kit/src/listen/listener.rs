//! Reads events by number, and by hints when to.

use std::collections::VecDeque;
use std::fmt;
use std::time::Duration;

#[cfg(feature = "mqtt")]
use svc_client::types::ApiKey;
use svc_client::types::api::connect::{Event, EventPage};
use svc_client::{Client, Error, Result};

use super::hints::{Hint, Hints, Polling};
use super::source::{Several, Source};

/// Time between two looks after something happened.
const PAUSE_MIN: Duration = Duration::from_secs(2);
/// Time between two looks when nothing happens, or when hints tell of what happens.
const PAUSE_MAX: Duration = Duration::from_secs(30);
/// Events per look.
const PAGE: u32 = 100;

/// An account's events, in their order, without gaps and without doubles.
///
/// An event comes again until it is [`done`](Self::done): keep its `seq` when it has been handled,
/// and a program that was killed goes on where it was. While the platform can't be reached, the
/// listener waits for it.
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
    /// The number behind which the next look begins; unknown at first.
    last: Option<u64>,
    begins_now: bool,
    /// What was read and is not done.
    ready: VecDeque<Event>,
    /// Whether the list may have more than was read.
    must_look: bool,
    pause: Duration,
    hints: Box<dyn Hints>,
    /// Called when the platform was heard of.
    on_sign: Box<dyn Fn() + Send + Sync>,
}

impl Listener {
    /// Listens to what happens from now on.
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
            must_look: true,
            pause: PAUSE_MIN,
            hints: Box::new(Polling),
            on_sign: Box::new(|| {}),
        }
    }

    /// Begins behind the event of this number, the last one that was handled.
    ///
    /// When what follows is no longer kept, [`next`](Self::next) fails with `cursor_expired` rather
    /// than go on with a gap.
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

    /// Begins at the oldest event that is kept.
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

    /// Listens to events of these kinds alone.
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

    /// Hears of events the moment they happen, over MQTT, with the account's key as the password.
    ///
    /// What is lost on that way is read from the list, at the latest after 30 seconds. Where there is
    /// no broker, or it refuses the key, the list alone is read; a broker that breaks the connection
    /// or refuses a topic is asked again, after a second at first and half a minute at last. A broker
    /// beyond this machine must have TLS (feature `mqtt-tls`), unless
    /// [`live_plain`](Self::live_plain) says otherwise.
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

    /// The same, also where the key travels in the clear: only in a network one trusts.
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

    /// Looks when one of these hints at something; with none of them, now and then.
    ///
    /// What a source does not tell of is read from the list, at the latest after 30 seconds.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// use svc_bot_kit::{Bell, Listener, Source};
    ///
    /// let bell = Bell::new();
    /// let listener = Listener::new(svc).sources([Source::bell(&bell)]);
    /// # }
    /// ```
    #[must_use]
    pub fn sources(mut self, sources: impl IntoIterator<Item = Source>) -> Self {
        #[cfg(feature = "mqtt")]
        let hints = |source: Source| source.hints(&self.client);
        #[cfg(not(feature = "mqtt"))]
        let hints = Source::hints;
        let mut all: Vec<_> = sources.into_iter().map(hints).collect();
        self.hints = match (all.pop(), all.is_empty()) {
            (None, _) => Box::new(Polling),
            (Some(only), true) => only,
            (Some(last), false) => {
                all.push(last);
                Box::new(Several(all))
            }
        };
        self
    }

    /// The oldest event that is not [`done`](Self::done); waits for one to happen.
    ///
    /// A call that is given up loses nothing.
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
            if !self.must_look {
                self.wait().await;
                continue;
            }
            match self.look().await {
                Ok(has_more) => self.must_look = has_more,
                Err(error) if is_passing(&error) => {
                    tracing::warn!(%error, "events can't be read now");
                    self.wait().await;
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// All events that are ready and not [`done`](Self::done), at least one; waits for it.
    #[cfg(feature = "bot")]
    pub(crate) async fn batch(&mut self) -> Result<Vec<Event>> {
        self.next().await?;
        Ok(self.ready.iter().cloned().collect())
    }

    /// Calls this whenever the platform was heard of.
    #[cfg(feature = "bot")]
    pub(crate) fn on_sign(mut self, on_sign: impl Fn() + Send + Sync + 'static) -> Self {
        self.on_sign = Box::new(on_sign);
        self
    }

    /// Goes on behind the event of this number, whatever was read.
    #[cfg(feature = "bot")]
    pub(crate) fn skip_to(&mut self, seq: u64) {
        self.last = Some(seq);
        self.ready.clear();
        self.must_look = true;
    }

    /// The event has been handled and does not come again.
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

    /// The number of the last event that was read, or before which this began; unknown before the
    /// first look.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// assert_eq!(svc_bot_kit::Listener::new(svc).after(41).position(), Some(41));
    /// # }
    /// ```
    pub fn position(&self) -> Option<u64> {
        self.last
    }

    /// Finds out where "now" is, unless it began elsewhere; afterwards nothing is missed.
    ///
    /// [`next`](Self::next) does this by itself.
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

    /// Reads what follows the last event; whether there is more.
    async fn look(&mut self) -> Result<bool> {
        self.begin().await?;
        let mut call = self.client.events().list().limit(PAGE);
        if let Some(types) = &self.types {
            call = call.types(types.clone());
        }
        if let Some(last) = self.last {
            call = call.with(|request| request.after = Some(last));
        }
        let page = call.await?;
        (self.on_sign)();
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
        if !has_more && self.types.is_some() {
            // What was left out need not be left out again.
            self.last = self.last.max(Some(page.latest_seq));
        }
        if !self.ready.is_empty() {
            self.pause = PAUSE_MIN;
        }
        has_more
    }

    /// Waits until it is worth looking, or an event came by itself.
    async fn wait(&mut self) {
        while self.ready.is_empty() {
            let at_most = if self.hints.is_live() { PAUSE_MAX } else { self.pause };
            match self.hints.wait(at_most).await {
                Hint::Event(event) => self.hear(*event),
                Hint::Look => self.must_look = true,
                Hint::Time => {
                    self.pause = self.pause.mul_f64(1.5).min(PAUSE_MAX);
                    self.must_look = true;
                }
            }
            if self.must_look {
                return;
            }
        }
    }

    /// Takes in an event that came by itself.
    fn hear(&mut self, event: Event) {
        let Some(next) = self.last.map(|last| last + 1) else { return };
        (self.on_sign)();
        if event.seq > next {
            // Something is missing before it: the list has both.
            self.must_look = true;
        } else if event.seq == next {
            self.last = Some(next);
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

/// Whether waiting may help. A refusal without a code of the platform is one of something in its
/// place, such as a proxy while it is away.
pub(crate) fn is_passing(error: &Error) -> bool {
    matches!(
        error,
        Error::RateLimited { .. }
            | Error::Server { .. }
            | Error::Unavailable { .. }
            | Error::Transport { .. }
            | Error::Timeout { .. }
    ) || error.status().is_some_and(|status| !status.is_success()) && error.code().is_none()
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
