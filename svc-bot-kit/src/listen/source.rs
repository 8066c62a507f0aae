//! The sources of hints for a listener.

use std::fmt;
use std::future::poll_fn;
use std::task::Poll;
use std::time::Duration;

use svc_client::Client;
#[cfg(feature = "mqtt")]
use svc_client::types::ApiKey;

use super::channel_hints::ChannelHints;
use super::hints::{Hints, Polling, Waiting};
#[cfg(feature = "mqtt")]
use super::mqtt;
use super::notifier::Notifier;
use super::stream;

/// Where hints about new events come from; without a source, a listener polls.
///
/// ```
/// use svc_bot_kit::{Notifier, Source};
///
/// let notifier = Notifier::new();
/// let source = Source::notifier(&notifier);
/// ```
pub struct Source(Kind);

enum Kind {
    Poll,
    Stream,
    Notifier(Notifier),
    #[cfg(feature = "mqtt")]
    Mqtt {
        key: ApiKey,
        allows_plain: bool,
    },
}

impl Source {
    /// Polls: 2 s after an event, then at growing intervals of up to 30 s while nothing happens.
    ///
    /// ```
    /// let source = svc_bot_kit::Source::poll();
    /// ```
    pub fn poll() -> Self {
        Self(Kind::Poll)
    }

    /// Receives events as they happen, by server-sent events over the client's own connection. Without
    /// such a stream on the platform, polls.
    ///
    /// ```
    /// let source = svc_bot_kit::Source::stream();
    /// ```
    pub fn stream() -> Self {
        Self(Kind::Stream)
    }

    /// Polls when the notifier is triggered, for example by a webhook.
    ///
    /// ```
    /// let source = svc_bot_kit::Source::notifier(&svc_bot_kit::Notifier::new());
    /// ```
    pub fn notifier(notifier: &Notifier) -> Self {
        Self(Kind::Notifier(notifier.clone()))
    }

    /// Receives events from the platform's MQTT broker, with the account's API key as the password;
    /// see [`Listener::live`](crate::Listener::live).
    ///
    /// ```
    /// let source = svc_bot_kit::Source::mqtt("svc_ak_..");
    /// ```
    #[cfg(feature = "mqtt")]
    #[cfg_attr(docsrs, doc(cfg(feature = "mqtt")))]
    pub fn mqtt(key: impl Into<ApiKey>) -> Self {
        Self(Kind::Mqtt { key: key.into(), allows_plain: false })
    }

    /// Like [`mqtt`](Self::mqtt), but sends the API key even without TLS; use it only in a network
    /// you trust.
    ///
    /// ```
    /// let source = svc_bot_kit::Source::mqtt_plain("svc_ak_..");
    /// ```
    #[cfg(feature = "mqtt")]
    #[cfg_attr(docsrs, doc(cfg(feature = "mqtt")))]
    pub fn mqtt_plain(key: impl Into<ApiKey>) -> Self {
        Self(Kind::Mqtt { key: key.into(), allows_plain: true })
    }

    pub(super) fn hints(self, client: &Client, channels: &ChannelHints) -> Box<dyn Hints> {
        match self.0 {
            Kind::Poll => Box::new(Polling),
            Kind::Stream => Box::new(stream::live(client.clone(), channels.clone())),
            Kind::Notifier(notifier) => Box::new(notifier),
            #[cfg(feature = "mqtt")]
            Kind::Mqtt { key, allows_plain } => {
                Box::new(mqtt::live(client.clone(), key, allows_plain, channels.clone()))
            }
        }
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match &self.0 {
            Kind::Poll => "poll",
            Kind::Stream => "stream",
            Kind::Notifier(_) => "notifier",
            #[cfg(feature = "mqtt")]
            Kind::Mqtt { .. } => "mqtt",
        };
        f.debug_tuple("Source").field(&kind).finish()
    }
}

/// The hints of these sources; without sources, only time.
pub(super) fn hints(
    sources: impl IntoIterator<Item = Source>,
    client: &Client,
    channels: &ChannelHints,
) -> Box<dyn Hints> {
    let mut all: Vec<_> =
        sources.into_iter().map(|source| source.hints(client, channels)).collect();
    match (all.pop(), all.is_empty()) {
        (None, _) => Box::new(Polling),
        (Some(only), true) => only,
        (Some(last), false) => {
            all.push(last);
            Box::new(Merged(all))
        }
    }
}

/// Hints of several sources; the first one wins.
struct Merged(Vec<Box<dyn Hints>>);

impl Hints for Merged {
    fn wait(&mut self, at_most: Duration) -> Waiting<'_> {
        let mut waits: Vec<Waiting<'_>> = self.0.iter_mut().map(|it| it.wait(at_most)).collect();
        Box::pin(poll_fn(move |cx| {
            let mut polled = waits.iter_mut().map(|wait| wait.as_mut().poll(cx));
            polled.find(Poll::is_ready).unwrap_or(Poll::Pending)
        }))
    }

    fn is_live(&self) -> bool {
        self.0.iter().any(|hints| hints.is_live())
    }
}
