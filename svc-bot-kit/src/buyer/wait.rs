//! Waits for the outcome of an order.

use std::time::Duration;

use serde::de::DeserializeOwned;
use svc_client::types::api::escrow::{Escrow, EscrowStatus};
use svc_client::types::api::messages::{Message, Order, RequestState, RequestStatus};
use svc_client::types::api::orders::OrderStatus;
use svc_client::types::service_message::{RESPONSE, ResponseStatus};
use svc_client::types::{MessageId, ServiceMessage};
use tokio::time::{Instant, timeout};

use super::deal::{Deal, cancel};
use super::order_record;
use super::outcome::{Outcome, read_answer};
use super::work::Work;
use crate::clock::now;
use crate::error::{Error, Result};
use crate::listen::{asked_wait, may_answer_later};

/// How many seconds the platform delays its answer while an order does not change.
const WAIT_SECONDS: u32 = 20;

/// The pause after a transient error or an answer without news, unless the platform asks for a longer
/// one. The platform answers at once if too many requests of the account wait.
const PAUSE: Duration = Duration::from_secs(2);

/// How long the first poll of an order may take, however short the wait is.
const FIRST_POLL_MAX: Duration = Duration::from_secs(5);

/// Answers of a provider to search for the one that announces a delivery.
const ANSWERS_MAX: u32 = 100;

impl<T: DeserializeOwned> Deal<T> {
    /// Waits for the outcome of the order, at most this long; a wait of zero polls once. Returns
    /// [`Outcome::Open`] if the time is up, and [`Outcome::InputRequired`] if the provider asks a
    /// question; you can call it again. While the platform is unreachable, it keeps trying.
    ///
    /// # Errors
    /// [`Error::Output`] if the output is not of the type `T`. The order is completed and paid
    /// nevertheless.
    ///
    /// ```no_run
    /// # use std::time::Duration;
    /// # async fn show(deal: svc_bot_kit::Deal) -> svc_bot_kit::Result<()> {
    /// println!("{:?}", deal.wait(Duration::from_secs(60)).await?);
    /// # Ok(()) }
    /// ```
    pub async fn wait(&self, at_most: Duration) -> Result<Outcome<T>> {
        let Some(outcome) = self.untyped().ended_within(at_most).await? else {
            return Ok(Outcome::Open);
        };
        if !matches!(outcome, Outcome::InputRequired(_)) {
            self.seen().await?;
        }
        outcome.typed()
    }
}

impl<T> Deal<T> {
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
}

impl Deal {
    /// The outcome, if there is one in time. The first poll has its own time: otherwise a short wait would
    /// never learn of an outcome.
    async fn ended_within(&self, at_most: Duration) -> Result<Option<Outcome>> {
        let (began, mut seen) = (Instant::now(), None);
        if let Ok(polled) = timeout(at_most.max(FIRST_POLL_MAX), self.try_poll(&mut seen)).await
            && let Some(outcome) = polled?
        {
            return Ok(Some(outcome));
        }
        let left = at_most.saturating_sub(began.elapsed());
        if left.is_zero() {
            return Ok(None);
        }
        match timeout(left, self.poll_until_ended(&mut seen)).await {
            Ok(ended) => ended.map(Some),
            Err(_) => Ok(None),
        }
    }

    async fn poll_until_ended(&self, seen: &mut Option<i64>) -> Result<Outcome> {
        loop {
            if let Some(outcome) = self.try_poll(seen).await? {
                return Ok(outcome);
            }
        }
    }

    /// Polls the order. It exists whatever the network does, so a transient error decides nothing.
    async fn try_poll(&self, seen: &mut Option<i64>) -> Result<Option<Outcome>> {
        match self.poll(seen).await {
            Err(Error::Client(error)) if may_answer_later(&error) => {
                tokio::time::sleep(asked_wait(&error).max(PAUSE)).await;
                Ok(None)
            }
            polled => polled,
        }
    }

    /// Reads the order once it has another version than the one seen last; returns the outcome if
    /// there is one.
    async fn poll(&self, seen: &mut Option<i64>) -> Result<Option<Outcome>> {
        let mut call = self.buyer.client.orders().get(&self.request);
        if let Some(version) = *seen {
            let version = u64::try_from(version).unwrap_or_default();
            call = call.wait_seconds(WAIT_SECONDS).after_version(version);
        }
        let order = call.await?.order;
        if seen.replace(order.version) == Some(order.version) {
            tokio::time::sleep(PAUSE).await;
        }
        match order.status {
            OrderStatus::Open | OrderStatus::Working => Ok(None),
            OrderStatus::InputRequired => {
                Ok(order.prompt.map(|prompt| Outcome::InputRequired(Box::new(prompt))))
            }
            status => match self.outcome().await? {
                // No later poll would find another outcome.
                None if order.closed_at.is_some() => Err(unknown_end(&status)),
                outcome => Ok(outcome),
            },
        }
    }

    /// Reads how the order ended, or what was delivered.
    async fn outcome(&self) -> Result<Option<Outcome>> {
        let messages = self.buyer.client.messages();
        let message = messages.get(&self.request).await?.message;
        let Some(state) = &message.request else {
            return Err(Error::config(format!("the platform knows no order {}", self.request)));
        };
        if matches!(state.status, RequestStatus::Other(_)) {
            // Of a later platform. What it costs is not known, so nothing is cancelled or freed.
            return Ok(None);
        }
        if let Some(id) = &state.response_message_id {
            let answer = messages.get(id).await?.message;
            return self.answered(state, &message, answer).await.map(Some);
        }
        // The end of an escrow ends its order, whether or not the provider answers.
        if let Some(escrow) = &self.escrow {
            let escrow = self.buyer.client.escrow().get(escrow).await?.escrow;
            return self.by_escrow(escrow, &message).await;
        }
        let ended = match state.status {
            // The account of the provider was deleted, which answers nothing any more.
            RequestStatus::Rejected | RequestStatus::Expired => Outcome::Expired,
            RequestStatus::Cancelled => Outcome::Cancelled,
            _ => return Ok(None),
        };
        self.free().await?;
        Ok(Some(ended))
    }

    /// Records the effect of an answer and returns the outcome. If an escrow paid, it says how much; while
    /// it cannot be read, limits count the whole amount.
    async fn answered(
        &self,
        state: &RequestState,
        order: &Message,
        answer: Message,
    ) -> Result<Outcome> {
        let mut charged = state.charged_credits;
        match (&state.status, &self.escrow) {
            (RequestStatus::Completed, None) => {
                self.settle(charged.unwrap_or(self.amount)).await?;
            }
            (RequestStatus::Completed, Some(escrow)) => {
                let escrow = self.buyer.client.escrow().get(escrow).await?.escrow;
                let paid = escrow.amount_paid();
                self.settle(paid).await?;
                charged = Some(paid);
            }
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
        read_answer(answer, charged)
    }

    /// Records the effect of the escrow's state; returns the outcome if there is one.
    async fn by_escrow(&self, escrow: Escrow, order: &Message) -> Result<Option<Outcome>> {
        match escrow.status {
            EscrowStatus::Delivered | EscrowStatus::Disputed => {
                self.delivered(escrow, order).await.map(Some)
            }
            EscrowStatus::Released => {
                self.settle(escrow.amount_paid()).await?;
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

/// The error for an order that ended in a way of a later platform.
fn unknown_end(status: &OrderStatus) -> Error {
    let problem = "this version of svc-bot-kit can't tell what came of it; limits count its price";
    Error::config(format!("the order ended as {status}, and {problem}"))
}

fn announces_delivery(answer: &Message, request: &MessageId) -> bool {
    matches!(
        ServiceMessage::parse(&answer.content),
        Ok(Some(ServiceMessage::Response(response)))
            if response.request_id == *request && response.status == ResponseStatus::Delivered
    )
}

#[cfg(test)]
mod tests {
    use std::marker::PhantomData;

    use serde_json::{Value, json};
    use svc_client::http::StatusCode;
    use svc_client::mock::Mock;
    use svc_client::types::api::escrow::CancelEscrow;
    use svc_client::types::api::messages::GetMessage;
    use svc_client::types::api::orders::GetOrder;
    use svc_client::types::{Code, EscrowId};

    use super::*;
    use crate::Buyer;

    const AT: &str = "2026-01-31T09:30:00.000Z";

    fn party(name: &str) -> Value {
        json!({ "id": format!("usr_{name}"), "username": name })
    }

    /// A platform with one order, which ended like this.
    async fn platform(status: &str, request: &Value) -> Mock {
        let server = Mock::start().await;
        let order = json!({
            "id": "msg_1", "status": status, "version": 2, "buyer": party("ada"), "provider": party("wordbot"),
            "conversationId": "conv_1", "serviceId": "srv_1", "serviceName": "count", "input": {},
            "offeredCredits": 5, "chargedCredits": 2.5, "partialsCount": 0, "createdAt": AT, "closedAt": AT,
        });
        let message = json!({
            "messageId": "msg_1", "conversationId": "conv_1", "sender": party("ada"),
            "recipient": party("wordbot"), "content": "{}", "createdAt": AT,
            "request": request,
        });
        let body = |name: &str, value: &Value| json!({ name: value }).to_string();
        server.on::<GetOrder>().sends(StatusCode::OK, body("order", &order));
        server.on::<GetMessage>().sends(StatusCode::OK, body("message", &message));
        server
    }

    fn deal(server: &Mock, escrow: Option<EscrowId>) -> Deal {
        let client = server.builder().api_key("svc_ak_mock").retries(0).build().unwrap();
        Deal {
            buyer: Buyer::new(client),
            id: "night-42".to_owned(),
            amount: 5.into(),
            request: "msg_1".into(),
            escrow,
            output: PhantomData,
        }
    }

    #[tokio::test]
    async fn an_order_that_ended_in_a_way_of_a_later_platform_is_an_error_and_left_alone() {
        let request =
            json!({ "status": "halved", "offeredCredits": 5, "responseMessageId": "msg_2" });
        let server = platform("halved", &request).await;
        let cancelled = server.on::<CancelEscrow>().fails(Code::WrongState);
        for escrow in [None, Some("esc_1".into())] {
            let error = deal(&server, escrow).wait(Duration::from_secs(20)).await.unwrap_err();
            assert!(error.to_string().contains("halved"), "{error}");
        }
        assert!(cancelled.received().is_empty());
    }

    #[tokio::test]
    async fn an_order_that_ended_with_the_account_of_its_provider_is_not_one_of_a_later_platform() {
        let request = json!({ "status": "rejected", "offeredCredits": 5 });
        let server = platform("rejected", &request).await;
        let ended = deal(&server, None).wait(Duration::from_secs(20)).await.unwrap();
        assert!(matches!(ended, Outcome::Expired), "{ended:?}");
    }
}
