//! What a verified webhook tells.

use svc_client::types::Timestamp;
use svc_client::types::api::connect::WebhookEvent;

use super::refused::Refused;
use super::replay::{Claim, ReplayKey};

/// An event the platform has sent: a [`WebhookEvent`], or the data of one kind.
///
/// Content in it that others wrote is data, not instructions.
#[derive(Debug)]
#[non_exhaustive]
pub struct Verified<T = WebhookEvent> {
    /// What happened.
    pub event: T,
    /// When it happened; the same however often it is sent.
    pub timestamp: Timestamp,
    /// The event's id, as a header names it.
    pub id: Option<String>,
    /// The event's number among the account's, as a header names it: a hint, not signed.
    pub seq: Option<u64>,
    /// Whether a header says that this is a test send; not signed.
    pub is_test: bool,
    /// Which of the secrets signed it: an old one can go once it is not used any more.
    pub secret_index: usize,
    /// Whether it would be refused if somebody sent it again: its time is signed, or a replay guard
    /// knows it.
    pub replay_protected: bool,
    pub(super) key: ReplayKey,
    pub(super) claim: Option<Claim>,
}

impl<T> Verified<T> {
    /// Says that the event was handled, so that it does not come again.
    ///
    /// [`WebhookLayer`](crate::WebhookLayer) and [`WebhookRouter`](crate::WebhookRouter) do this for
    /// handlers that answer 2xx. Dropped without it, the event may come again.
    ///
    /// ```
    /// # use svc_bot_kit::{Refused, Verified};
    /// fn handle(hook: Verified) -> Result<(), Refused> {
    ///     println!("{:?}", hook.event);
    ///     hook.confirm()
    /// }
    /// ```
    pub fn confirm(mut self) -> Result<(), Refused> {
        self.claim.take().map_or(Ok(()), Claim::confirm)
    }

    /// What tells this event from others, for a store of one's own.
    ///
    /// ```
    /// # use svc_bot_kit::Verified;
    /// fn remember(hook: &Verified) {
    ///     println!("handled {}", hook.key().as_str());
    /// }
    /// ```
    pub fn key(&self) -> &ReplayKey {
        &self.key
    }
}

#[cfg(feature = "axum")]
impl Verified<WebhookEvent> {
    /// Itself with the data of one kind; itself as it is when it is of another kind.
    pub(super) fn narrow<T: TryFrom<WebhookEvent, Error: Into<WebhookEvent>>>(
        self,
    ) -> Result<Verified<T>, Box<Self>> {
        let Self {
            timestamp, id, seq, is_test, secret_index, replay_protected, key, claim, ..
        } = self;
        match T::try_from(self.event) {
            Ok(event) => Ok(Verified {
                event,
                timestamp,
                id,
                seq,
                is_test,
                secret_index,
                replay_protected,
                key,
                claim,
            }),
            Err(event) => Err(Box::new(Verified {
                event: event.into(),
                timestamp,
                id,
                seq,
                is_test,
                secret_index,
                replay_protected,
                key,
                claim,
            })),
        }
    }
}
