//! The sources of hints for a listener.

use std::fmt;
use std::future::poll_fn;
use std::task::Poll;
use std::time::Duration;

#[cfg(feature = "mqtt")]
use svc_client::Client;
#[cfg(feature = "mqtt")]
use svc_client::types::ApiKey;

use super::hints::{Hints, Polling, Waiting};
#[cfg(feature = "mqtt")]
use super::mqtt::Live;
use super::notifier::Notifier;

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

    pub(super) fn hints(self, #[cfg(feature = "mqtt")] client: &Client) -> Box<dyn Hints> {
        match self.0 {
            Kind::Poll => Box::new(Polling),
            Kind::Notifier(notifier) => Box::new(notifier),
            #[cfg(feature = "mqtt")]
            Kind::Mqtt { key, allows_plain } => {
                Box::new(Live::new(client.clone(), key, allows_plain))
            }
        }
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match &self.0 {
            Kind::Poll => "poll",
            Kind::Notifier(_) => "notifier",
            #[cfg(feature = "mqtt")]
            Kind::Mqtt { .. } => "mqtt",
        };
        f.debug_tuple("Source").field(&kind).finish()
    }
}

/// Hints of several sources; the first one wins.
pub(super) struct Merged(pub(super) Vec<Box<dyn Hints>>);

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
