//! What tells a listener when to look.

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
use super::notify::Bell;

/// Where hints that something happened come from; without one, time alone is the hint.
///
/// ```
/// use svc_bot_kit::{Bell, Source};
///
/// let bell = Bell::new();
/// let source = Source::bell(&bell);
/// ```
pub struct Source(Kind);

enum Kind {
    Poll,
    Bell(Bell),
    #[cfg(feature = "mqtt")]
    Mqtt {
        key: ApiKey,
        allows_plain: bool,
    },
}

impl Source {
    /// The time: a look 2 seconds after something happened, and ever rarer while nothing does, every
    /// half minute at last.
    ///
    /// ```
    /// let source = svc_bot_kit::Source::poll();
    /// ```
    pub fn poll() -> Self {
        Self(Kind::Poll)
    }

    /// A bell, which is what a route for webhooks rings.
    ///
    /// ```
    /// let source = svc_bot_kit::Source::bell(&svc_bot_kit::Bell::new());
    /// ```
    pub fn bell(bell: &Bell) -> Self {
        Self(Kind::Bell(bell.clone()))
    }

    /// The platform's broker, with the account's key as the password; see
    /// [`Listener::live`](crate::Listener::live).
    ///
    /// ```
    /// let source = svc_bot_kit::Source::mqtt("svc_ak_..");
    /// ```
    #[cfg(feature = "mqtt")]
    #[cfg_attr(docsrs, doc(cfg(feature = "mqtt")))]
    pub fn mqtt(key: impl Into<ApiKey>) -> Self {
        Self(Kind::Mqtt { key: key.into(), allows_plain: false })
    }

    /// The same, also where the key travels in the clear: only in a network one trusts.
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
            Kind::Bell(bell) => Box::new(bell),
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
            Kind::Bell(_) => "bell",
            #[cfg(feature = "mqtt")]
            Kind::Mqtt { .. } => "mqtt",
        };
        f.debug_tuple("Source").field(&kind).finish()
    }
}

/// Hints of several sources, whichever comes first.
pub(super) struct Several(pub(super) Vec<Box<dyn Hints>>);

impl Hints for Several {
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
