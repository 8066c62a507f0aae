//! A hint that the program gives itself.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;

use super::hints::{Hint, Hints, Waiting};

/// Wakes a [`Listener`](crate::Listener) or a bot to poll for events, for example from a webhook
/// endpoint.
///
/// Clones share the state. A notification only triggers a poll; the events are read from the
/// platform. So it is harmless if a notification is lost, repeated or forged.
///
/// ```
/// use svc_bot_kit::{Notifier, Source};
///
/// let notifier = Notifier::new();
/// let source = Source::notifier(&notifier);
/// notifier.notify();
/// ```
#[derive(Clone, Debug, Default)]
pub struct Notifier(Arc<Notify>);

impl Notifier {
    /// Creates a notifier; connect it with [`Source::notifier`](crate::Source::notifier).
    ///
    /// ```
    /// let notifier = svc_bot_kit::Notifier::new();
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// Triggers a poll soon. Notifications before that poll count as one.
    ///
    /// ```
    /// svc_bot_kit::Notifier::new().notify();
    /// ```
    pub fn notify(&self) {
        self.0.notify_one();
    }
}

#[cfg(feature = "axum")]
impl Notifier {
    /// A webhook endpoint that calls [`notify`](Self::notify), for `Router::route_service`. It ignores
    /// requests that the platform did not sign.
    ///
    /// ```
    /// use axum::Router;
    /// use svc_bot_kit::{Bot, Notifier, Source, WebhookVerifier};
    ///
    /// fn set_up(bot: Bot, verifier: WebhookVerifier) -> (Bot, Router) {
    ///     let notifier = Notifier::new();
    ///     let router = Router::new().route_service("/hook", notifier.webhook(verifier));
    ///     (bot.source(Source::notifier(&notifier)), router)
    /// }
    /// ```
    #[cfg_attr(docsrs, doc(cfg(feature = "axum")))]
    pub fn webhook(&self, verifier: crate::WebhookVerifier) -> crate::WebhookRoutes {
        let notifier = self.clone();
        let router = crate::WebhookRouter::new(verifier).on_other(move |_| {
            notifier.notify();
            std::future::ready(http::StatusCode::NO_CONTENT)
        });
        router.into_service()
    }
}

impl Hints for Notifier {
    fn wait(&mut self, at_most: Duration) -> Waiting<'_> {
        Box::pin(async move {
            match tokio::time::timeout(at_most, self.0.notified()).await {
                Ok(()) => Hint::Poll,
                Err(_) => Hint::Elapsed,
            }
        })
    }

    fn is_live(&self) -> bool {
        true
    }
}
