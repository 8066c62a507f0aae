//! Waits for the outcome of an order.

use std::time::Duration;

use svc_client::types::api::escrow::{Escrow, EscrowStatus};
use svc_client::types::api::messages::{Message, Order, RequestState, RequestStatus};
use svc_client::types::service_message::{RESPONSE, ResponseStatus};
use svc_client::types::{MessageId, ServiceMessage};

use super::buyer::Buyer;
use super::deal::{Deal, cancel};
use super::order_record;
use super::outcome::{Outcome, read_answer};
use super::work::Work;
use crate::clock::now;
use crate::error::{Error, Result};
use crate::listen::is_passing;

/// The first pause between two polls.
const PAUSE_MIN: Duration = Duration::from_millis(500);
/// The longest pause between two polls, unless the platform asks for a longer one.
const PAUSE_MAX: Duration = Duration::from_secs(5);

/// The shortest pause while events arrive over MQTT.
#[cfg(feature = "mqtt")]
const PAUSE_LIVE: Duration = Duration::from_secs(30);

/// Answers of a provider to search for the one that announces a delivery.
const ANSWERS_MAX: u32 = 100;

impl Deal {
    /// Waits for the outcome of the order, at most this long. Returns [`Outcome::Open`] if the time
    /// is up; you can call it again. While the platform is unreachable, it keeps trying.
    ///
    /// ```no_run
    /// # use std::time::Duration;
    /// # async fn show(deal: svc_bot_kit::Deal) -> svc_bot_kit::Result<()> {
    /// println!("{:?}", deal.wait(Duration::from_secs(60)).await?);
    /// # Ok(()) }
    /// ```
    pub async fn wait(&self, at_most: Duration) -> Result<Outcome> {
        match tokio::time::timeout(at_most, self.poll_until_ended()).await {
            Ok(ended) => {
                let outcome = ended?;
                self.seen().await?;
                Ok(outcome)
            }
            Err(_) => Ok(Outcome::Open),
        }
    }

    /// Records that you learned the outcome by other means than [`wait`](Self::wait), so that
    /// [`unfinished`](super::Order::unfinished) no longer returns the order.
    ///
    /// ```no_run
    /// # async fn show(deal: svc_bot_kit::Deal) -> svc_bot_kit::Result<()> {
    /// deal.seen().await?;
    /// # Ok(()) }
    /// ```
    pub async fn seen(&self) -> Result<()> {
        let id = self.id.clone();
        self.buyer.ledger.write(move |tx| order_record::mark_seen(tx, &id, now())).await
    }

    async fn poll_until_ended(&self) -> Result<Outcome> {
        let mut hints = Hints::new(&self.buyer);
        #[cfg(feature = "mqtt")]
        hints.begin().await;
        let mut pause = PAUSE_MIN;
        loop {
            let retry_after = match self.poll().await {
                Ok(Some(outcome)) => return Ok(outcome),
                Ok(None) => None,
                // The order exists whatever the network does, so transient errors are retried.
                Err(Error::Client(error)) if is_passing(&error) => error.retry_after(),
                Err(error) => return Err(error),
            };
            hints.wait(pause.max(retry_after.unwrap_or_default())).await;
            pause = (pause * 3 / 2).min(PAUSE_MAX);
        }
    }

    /// Reads the state of the order once; returns the outcome if there is one.
    async fn poll(&self) -> Result<Option<Outcome>> {
        let messages = self.buyer.client.messages();
        let message = messages.get(&self.request).await?.message;
        let Some(state) = &message.request else {
            return Err(Error::config(format!("the platform knows no order {}", self.request)));
        };
        if let Some(id) = &state.response_message_id {
            let answer = messages.get(id).await?.message;
            return self.answered(state, &message, answer).await.map(Some);
        }
        match (&state.status, &self.escrow) {
            (RequestStatus::Expired, None) => {
                self.free().await?;
                Ok(Some(Outcome::Expired))
            }
            (_, None) => Ok(None),
            // The end of an escrow ends its order, whether or not the provider answers.
            (_, Some(escrow)) => {
                let escrow = self.buyer.client.escrow().get(escrow).await?.escrow;
                self.by_escrow(escrow, &message).await
            }
        }
    }

    /// Records the effect of an answer and returns the outcome.
    async fn answered(
        &self,
        state: &RequestState,
        order: &Message,
        answer: Message,
    ) -> Result<Outcome> {
        match (&state.status, &self.escrow) {
            (RequestStatus::Completed, None) => {
                self.settle(state.charged_credits.unwrap_or(self.amount)).await?;
            }
            (RequestStatus::Completed, Some(_)) => self.settle(self.amount).await?,
            (_, Some(escrow)) => {
                // The provider no longer works on it. But work delivered before is paid for unless it
                // is disputed, whatever the answer says.
                let escrow = cancel(&self.buyer.client, &self.id, escrow).await?;
                let outcome = self.by_escrow(escrow, order).await?;
                if let Some(delivered) = outcome.filter(Outcome::is_delivered) {
                    return Ok(delivered);
                }
            }
            (_, None) => self.free().await?,
        }
        read_answer(answer, state)
    }

    /// Records the effect of the escrow's state; returns the outcome if there is one.
    async fn by_escrow(&self, escrow: Escrow, order: &Message) -> Result<Option<Outcome>> {
        match escrow.status {
            EscrowStatus::Delivered | EscrowStatus::Disputed => {
                self.delivered(escrow, order).await.map(Some)
            }
            EscrowStatus::Released => {
                self.settle(self.amount).await?;
                self.delivered(escrow, order).await.map(Some)
            }
            EscrowStatus::Cancelled | EscrowStatus::Refunded => {
                self.free().await?;
                Ok(Some(Outcome::Closed(Box::new(escrow))))
            }
            _ => Ok(None),
        }
    }

    async fn delivered(&self, escrow: Escrow, order: &Message) -> Result<Outcome> {
        let note = self.delivery_note(order).await?;
        Ok(Outcome::Delivered(Box::new(Work { deal: self.clone(), escrow, note })))
    }

    /// The answer that announces the delivery; providers may send it late, or never.
    async fn delivery_note(&self, order: &Message) -> Result<Option<Message>> {
        let messages = self.buyer.client.messages();
        let answers = messages
            .list()
            .with_user(order.recipient.username.as_str())
            .schema(RESPONSE)
            .since(order.created_at)
            .order(Order::Desc)
            .limit(ANSWERS_MAX)
            .await?;
        let mut answers = answers.messages.into_iter();
        Ok(answers.find(|answer| announces_delivery(answer, &self.request)))
    }
}

fn announces_delivery(answer: &Message, request: &MessageId) -> bool {
    matches!(
        ServiceMessage::parse(&answer.content),
        Ok(Some(ServiceMessage::Response(response)))
            if response.request_id == *request && response.status == ResponseStatus::Delivered
    )
}

/// When to poll again: after a pause, and with MQTT when an event arrives.
struct Hints {
    #[cfg(feature = "mqtt")]
    listener: Option<crate::Listener>,
}

impl Hints {
    #[cfg(feature = "mqtt")]
    fn new(buyer: &Buyer) -> Self {
        let listener = buyer.live.as_ref().map(|key| {
            let listener = crate::Listener::new(buyer.client.clone());
            listener.types(["service", "escrow"]).live(key.clone())
        });
        Self { listener }
    }

    #[cfg(not(feature = "mqtt"))]
    fn new(_: &Buyer) -> Self {
        Self {}
    }

    /// Fixes the position from which events count; the first poll sees everything before.
    #[cfg(feature = "mqtt")]
    async fn begin(&mut self) {
        if let Some(listener) = &mut self.listener
            && let Err(error) = listener.begin().await
        {
            tracing::warn!(%error, "live events are unavailable; polling the order instead");
            self.listener = None;
        }
    }

    async fn wait(&mut self, at_most: Duration) {
        #[cfg(feature = "mqtt")]
        if let Some(listener) = &mut self.listener {
            let at_most = at_most.max(PAUSE_LIVE);
            if let Ok(Ok(event)) = tokio::time::timeout(at_most, listener.next()).await {
                listener.done(&event);
            }
            return;
        }
        tokio::time::sleep(at_most).await;
    }
}
