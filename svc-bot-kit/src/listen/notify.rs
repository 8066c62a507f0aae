//! A hint that anybody may give.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;

use super::hints::{Hint, Hints, Waiting};

/// Says that something may have happened: rung by what hears of it, such as a route for webhooks.
///
/// Clones are the same bell. It says no more than when to look: what is true is read from the
/// platform. So a ring may be lost, come twice, or be somebody else's doing.
///
/// ```
/// use svc_bot_kit::{Bell, Source};
///
/// let bell = Bell::new();
/// let source = Source::bell(&bell);
/// bell.ring();
/// ```
#[derive(Clone, Debug, Default)]
pub struct Bell(Arc<Notify>);

impl Bell {
    /// A bell that nobody listens to yet.
    ///
    /// ```
    /// let bell = svc_bot_kit::Bell::new();
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// Has whoever listens look soon. Rings before that look are one.
    ///
    /// ```
    /// svc_bot_kit::Bell::new().ring();
    /// ```
    pub fn ring(&self) {
        self.0.notify_one();
    }
}

#[cfg(feature = "axum")]
impl Bell {
    /// A route for webhooks that rings it: for `Router::route_service`. What is not signed by the
    /// platform rings nothing.
    ///
    /// ```
    /// use axum::Router;
    /// use svc_bot_kit::{Bell, Bot, Source, WebhookVerifier};
    ///
    /// fn set_up(bot: Bot, verifier: WebhookVerifier) -> (Bot, Router) {
    ///     let bell = Bell::new();
    ///     let router = Router::new().route_service("/hook", bell.webhook(verifier));
    ///     (bot.source(Source::bell(&bell)), router)
    /// }
    /// ```
    #[cfg_attr(docsrs, doc(cfg(feature = "axum")))]
    pub fn webhook(&self, verifier: crate::WebhookVerifier) -> crate::WebhookRoutes {
        let bell = self.clone();
        let ring = move |_| {
            bell.ring();
            std::future::ready(http::StatusCode::NO_CONTENT)
        };
        crate::WebhookRouter::new(verifier).on_other(ring).into_service()
    }
}

impl Hints for Bell {
    fn wait(&mut self, at_most: Duration) -> Waiting<'_> {
        Box::pin(async move {
            match tokio::time::timeout(at_most, self.0.notified()).await {
                Ok(()) => Hint::Look,
                Err(_) => Hint::Time,
            }
        })
    }

    fn is_live(&self) -> bool {
        true
    }
}
