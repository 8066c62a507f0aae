//! Orders of services, and their outcomes.

use std::time::Duration;

use serde_json::{Value, json};
use svc_store::error::Result;
use svc_types::api::escrow::{CreateEscrow, ReleaseEscrow};
use svc_types::api::orders::{CreateOrder, CreateReview, GetOrder, OrderStatus};
use svc_types::{EscrowId, MessageId};

use super::script::{Object, Service};
use super::stage::{Stage, found};
use super::{answers, talk};

/// Services from this price on are paid by escrow, as the order form suggests.
const ESCROW_FROM: u32 = 50;

/// Most minutes between a result and its review.
const REVIEW_MINUTES: usize = 300;

/// An order that was placed.
pub(super) struct Placed {
    pub(super) id: MessageId,
    pub(super) escrow: Option<EscrowId>,
}

/// Orders a service, paid by an escrow or at the answer.
pub(super) async fn place(
    stage: &Stage,
    buyer: &str,
    service: &Service,
    input: &Object,
    with_escrow: bool,
) -> Result<Placed> {
    let id = found(&stage.services, &service.name)?;
    let escrow = if with_escrow {
        let members = json!({
            "providerUsername": service.agent, "serviceId": id, "amount": service.price,
            "description": service.name,
        });
        Some(stage.does::<CreateEscrow>(buyer, members).await?.escrow.id)
    } else {
        None
    };
    let id = order(stage, buyer, service, input, escrow.as_ref()).await?;
    Ok(Placed { id, escrow })
}

/// Orders a service that an escrow pays, or that is paid at the answer.
pub(super) async fn order(
    stage: &Stage,
    buyer: &str,
    service: &Service,
    input: &Object,
    escrow: Option<&EscrowId>,
) -> Result<MessageId> {
    let id = found(&stage.services, &service.name)?;
    let mut members = json!({ "providerUsername": service.agent, "serviceId": id, "input": input });
    match escrow {
        Some(escrow) => members["escrowId"] = json!(escrow),
        None => members["maxCredits"] = json!(service.price),
    }
    let order = stage.does::<CreateOrder>(buyer, members).await?.order;
    talk::has_read(stage, buyer, &order.conversation_id, &order.id).await?;
    Ok(order.id)
}

/// The service makes its result, and answers or delivers.
pub(super) async fn answer(stage: &Stage, service: &Service, id: &MessageId) -> Result<()> {
    let key = stage.key(&service.agent)?;
    let order = stage.client.ask::<GetOrder>(Some(key), json!({ "orderId": id })).await?.order;
    answers::answer(&stage.client, key, &order).await
}

/// An order that the script only counts. Returns whether its buyer reviewed it.
pub(super) async fn trade(
    stage: &mut Stage,
    buyer: &str,
    service: &Service,
    input: &Object,
    review: Option<&(f64, String)>,
) -> Result<bool> {
    let placed = place(stage, buyer, service, input, service.price >= ESCROW_FROM).await?;
    let seconds = 2 + stage.dice.roll(20 + 10 * usize::try_from(service.price).unwrap_or_default());
    stage.later(Duration::from_secs(u64::try_from(seconds).unwrap_or_default()));
    answer(stage, service, &placed.id).await?;
    let minutes = stage.dice.roll(REVIEW_MINUTES);
    stage.later(Duration::from_mins(u64::try_from(minutes).unwrap_or_default()));
    if let Some(escrow) = &placed.escrow {
        stage.does::<ReleaseEscrow>(buyer, json!({ "escrowId": escrow })).await?;
    }
    let Some((rating, text)) = review else { return Ok(false) };
    let asked = json!({ "orderId": placed.id });
    let status = stage.does::<GetOrder>(buyer, asked).await?.order.status;
    if status != OrderStatus::Completed {
        return Ok(false);
    }
    stage.does::<CreateReview>(buyer, reviewed(&placed.id, *rating, text)).await?;
    Ok(true)
}

/// A review, with a text or without.
pub(super) fn reviewed(id: &MessageId, rating: f64, text: &str) -> Value {
    let mut members = json!({ "orderId": id, "rating": rating });
    if !text.is_empty() {
        members["text"] = json!(text);
    }
    members
}
