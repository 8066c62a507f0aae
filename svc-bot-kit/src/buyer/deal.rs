//! An order that was placed, and waiting for what becomes of it.

use std::time::Duration;

use svc_client::types::api::escrow::{Escrow, EscrowStatus};
use svc_client::types::api::messages::{Message, Order, RequestState, RequestStatus};
use svc_client::types::service_message::{RESPONSE, ResponseStatus};
use svc_client::types::{Credits, EscrowId, MessageId, ServiceMessage};

use super::buyer::Buyer;
use super::outcome::{Outcome, answer};
use super::work::Work;
use super::{order_record, place, spend};
use crate::clock::now;
use crate::error::{Error, Result};
use crate::listen::is_passing;

/// The first pause between two looks, and the longest of our own choice.
const PAUSE_MIN: Duration = Duration::from_millis(500);
const PAUSE_MAX: Duration = Duration::from_secs(5);

/// The longest pause when events tell what happens.
#[cfg(feature = "mqtt")]
const PAUSE_LIVE: Duration = Duration::from_secs(30);

/// Most answers of a provider among which the one of a delivery is looked for.
const ANSWERS_MAX: u32 = 100;

/// An order that was placed; from [`Order::send`](super::Order::send).
#[derive(Clone, Debug)]
pub struct Deal {
    pub(super) buyer: Buyer,
    pub(super) id: String,
    pub(super) amount: Credits,
    pub(super) request: MessageId,
    pub(super) escrow: Option<EscrowId>,
}

impl Deal {
    /// The order's id: the one it was given, or one that was made for it.
    ///
    /// ```
    /// # fn show(deal: svc_bot_kit::Deal) {
    /// println!("order {}", deal.id());
    /// # }
    /// ```
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The message by which it was sent.
    ///
    /// ```
    /// # fn show(deal: svc_bot_kit::Deal) {
    /// println!("sent as {}", deal.request());
    /// # }
    /// ```
    pub fn request(&self) -> &MessageId {
        &self.request
    }

    /// The escrow that pays, if one does.
    ///
    /// ```
    /// # fn show(deal: svc_bot_kit::Deal) {
    /// if let Some(escrow) = deal.escrow() {
    ///     println!("{} credits are held in {escrow}", deal.amount());
    /// }
    /// # }
    /// ```
    pub fn escrow(&self) -> Option<&EscrowId> {
        self.escrow.as_ref()
    }

    /// What was offered; it never costs more.
    ///
    /// ```
    /// # fn show(deal: svc_bot_kit::Deal) {
    /// println!("at most {}", deal.amount());
    /// # }
    /// ```
    pub fn amount(&self) -> Credits {
        self.amount
    }

    /// Waits for the end of the order, at most so long; [`Outcome::Open`] when the time is over.
    ///
    /// Waiting again goes on. While the platform can't be reached, it is waited for.
    ///
    /// ```no_run
    /// # use std::time::Duration;
    /// # async fn show(deal: svc_bot_kit::Deal) -> svc_bot_kit::Result<()> {
    /// println!("{:?}", deal.wait(Duration::from_secs(60)).await?);
    /// # Ok(()) }
    /// ```
    pub async fn wait(&self, at_most: Duration) -> Result<Outcome> {
        match tokio::time::timeout(at_most, self.ended()).await {
            Ok(ended) => {
                let outcome = ended?;
                self.seen().await?;
                Ok(outcome)
            }
            Err(_) => Ok(Outcome::Open),
        }
    }

    /// Notes that its end was seen by some other way than [`wait`](Self::wait), so that
    /// [`unfinished`](super::Order::unfinished) does not answer it any more.
    ///
    /// ```no_run
    /// # async fn show(deal: svc_bot_kit::Deal) -> svc_bot_kit::Result<()> {
    /// deal.seen().await?;
    /// # Ok(()) }
    /// ```
    pub async fn seen(&self) -> Result<()> {
        let id = self.id.clone();
        self.buyer.ledger.write(move |tx| order_record::see(tx, &id, now())).await
    }

    async fn ended(&self) -> Result<Outcome> {
        let mut hints = Hints::new(&self.buyer);
        #[cfg(feature = "mqtt")]
        hints.begin().await;
        let mut pause = PAUSE_MIN;
        loop {
            let asked = match self.look().await {
                Ok(Some(outcome)) => return Ok(outcome),
                Ok(None) => None,
                // The order stands whatever the network does, so these are waited out.
                Err(Error::Client(error)) if is_passing(&error) => error.retry_after(),
                Err(error) => return Err(error),
            };
            hints.wait(pause.max(asked.unwrap_or_default())).await;
            pause = (pause * 3 / 2).min(PAUSE_MAX);
        }
    }

    /// One look: what became of the order, if anything did.
    async fn look(&self) -> Result<Option<Outcome>> {
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

    /// Notes what an answer makes of the order.
    async fn answered(
        &self,
        state: &RequestState,
        order: &Message,
        message: Message,
    ) -> Result<Outcome> {
        match (&state.status, &self.escrow) {
            (RequestStatus::Completed, None) => {
                self.settle(state.charged_credits.unwrap_or(self.amount)).await?;
            }
            (RequestStatus::Completed, Some(_)) => self.settle(self.amount).await?,
            (_, Some(escrow)) => {
                // Nobody works for it any more; but what was delivered before is paid for unless
                // it is disputed, whatever the answer says.
                let escrow = place::cancel(&self.buyer.client, &self.id, escrow).await?;
                let outcome = self.by_escrow(escrow, order).await?;
                if let Some(paid) = outcome.filter(Outcome::is_delivered) {
                    return Ok(paid);
                }
            }
            (_, None) => self.free().await?,
        }
        answer(message, state)
    }

    /// Notes what its escrow makes of the order, if anything.
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

    /// The answer that says the work was delivered; providers may send it late, or never.
    async fn delivery_note(&self, order: &Message) -> Result<Option<Message>> {
        let messages = self.buyer.client.messages();
        let list = messages.list().with_user(order.recipient.username.as_str()).schema(RESPONSE);
        let list = list.since(order.created_at).order(Order::Desc).limit(ANSWERS_MAX);
        let is_note = |message: &Message| {
            matches!(
                ServiceMessage::parse(&message.content),
                Ok(Some(ServiceMessage::Response(response)))
                    if response.request_id == self.request
                        && response.status == ResponseStatus::Delivered
            )
        };
        Ok(list.await?.messages.into_iter().find(is_note))
    }

    /// Notes what the order cost.
    pub(super) async fn settle(&self, charged: Credits) -> Result<()> {
        let id = self.id.clone();
        self.buyer.ledger.write(move |tx| spend::settle(tx, &id, charged, now())).await
    }

    async fn free(&self) -> Result<()> {
        let id = self.id.clone();
        self.buyer.ledger.write(move |tx| spend::free(tx, &id, now())).await
    }
}

/// Says when to look again: after a while, and with MQTT when something happened.
struct Hints {
    #[cfg(feature = "mqtt")]
    listener: Option<crate::Listener>,
}

impl Hints {
    #[cfg(feature = "mqtt")]
    fn new(buyer: &Buyer) -> Self {
        let listen = || crate::Listener::new(buyer.client.clone()).types(["service", "escrow"]);
        Self { listener: buyer.live.as_ref().map(|key| listen().live(key.clone())) }
    }

    #[cfg(not(feature = "mqtt"))]
    fn new(_: &Buyer) -> Self {
        Self {}
    }

    /// What happens from here on is heard; what happened before is seen by the first look.
    #[cfg(feature = "mqtt")]
    async fn begin(&mut self) {
        if let Some(listener) = &mut self.listener
            && let Err(error) = listener.begin().await
        {
            tracing::warn!(%error, "events can't be heard; the order is looked at instead");
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
