//! The orders that the script describes one by one, so that there is one in each state.

use serde_json::{Value, json};
use svc_store::error::{Error, Result};
use svc_types::EscrowId;
use svc_types::api::escrow::{
    AcceptSplit, CreateEscrow, CreatePlan, DisputeEscrow, OfferSplit, RefundEscrow, ReleaseEscrow,
    ResolveEscrow, RespondToDispute,
};
use svc_types::api::orders::{AnswerOrder, CancelOrder, CreateReview, ProgressOrder};

use super::cast::MODERATOR;
use super::market::{self, Placed};
use super::script::{Act, Order, Plan, Service, Step};
use super::stage::{Stage, found};

/// Takes a step of an order.
pub(super) async fn step(
    stage: &Stage,
    service: &Service,
    order: &Order,
    placed: &Placed,
    step: &Step,
) -> Result<()> {
    let (buyer, seller) = (order.buyer.as_str(), service.agent.as_str());
    let (id, text) = (json!(placed.id), json!(step.text));
    match step.act {
        Act::Answer => market::answer(stage, service, &placed.id).await,
        Act::Decline => {
            let members = json!({ "orderId": id, "status": "rejected", "reason": text });
            stage.does::<AnswerOrder>(seller, members).await.map(drop)
        }
        Act::Progress | Act::Ask => {
            stage.does::<ProgressOrder>(seller, report(step, &id)).await.map(drop)
        }
        Act::Cancel => {
            let members = json!({ "orderId": id, "reason": text });
            stage.does::<CancelOrder>(buyer, members).await.map(drop)
        }
        Act::Review => {
            let rating = step.rating.unwrap_or(5.0);
            let members = market::reviewed(&placed.id, rating, &step.text);
            stage.does::<CreateReview>(buyer, members).await.map(drop)
        }
        _ => take_step(stage, order, service, step, escrow(placed)?).await,
    }
}

/// What an agent reports, or asks.
fn report(step: &Step, id: &Value) -> Value {
    match step.act {
        Act::Ask => json!({
            "orderId": id, "state": "input_required", "prompt": step.text,
            "promptSchema": step.prompt,
        }),
        _ => json!({
            "orderId": id, "state": "working", "note": step.text, "percent": step.percent.unwrap_or(0),
        }),
    }
}

fn escrow(placed: &Placed) -> Result<&EscrowId> {
    placed
        .escrow
        .as_ref()
        .ok_or_else(|| Error::internal("the script has a step of an escrow that the order lacks"))
}

/// Takes a step of the escrow that pays for an order.
async fn take_step(
    stage: &Stage,
    order: &Order,
    service: &Service,
    step: &Step,
    id: &EscrowId,
) -> Result<()> {
    let (buyer, seller) = (order.buyer.as_str(), service.agent.as_str());
    let with = |name: &str| json!({ "escrowId": id, name: step.text });
    match step.act {
        Act::Release => {
            let members = json!({ "escrowId": id, "rating": step.rating, "feedback": step.text });
            stage.does::<ReleaseEscrow>(buyer, members).await.map(drop)
        }
        Act::Dispute => stage.does::<DisputeEscrow>(buyer, with("reason")).await.map(drop),
        Act::Respond => stage.does::<RespondToDispute>(seller, with("response")).await.map(drop),
        Act::Refund => stage.does::<RefundEscrow>(seller, with("reason")).await.map(drop),
        Act::Split => {
            let half = json!({ "escrowId": id, "providerAmount": service.price / 2 });
            let offered = stage.does::<OfferSplit>(seller, half).await?.escrow.split;
            let version = offered.map(|split| split.offer_version);
            let accepted = json!({ "escrowId": id, "offerVersion": version });
            stage.does::<AcceptSplit>(buyer, accepted).await.map(drop)
        }
        act => {
            let outcome = if matches!(act, Act::ForSeller) { "release" } else { "refund" };
            let decision = json!({ "escrowId": id, "outcome": outcome, "note": step.text });
            stage.does::<ResolveEscrow>(MODERATOR, decision).await.map(drop)
        }
    }
}

/// A task in parts: the first is paid, the others are delivered.
pub(super) async fn plan(stage: &Stage, service: &Service, plan: &Plan) -> Result<()> {
    let parts: Vec<Value> = plan
        .milestones
        .iter()
        .map(|(amount, description)| json!({ "amount": amount, "description": description }))
        .collect();
    let members = json!({
        "providerUsername": service.agent, "serviceId": found(&stage.services, &service.name)?,
        "milestones": parts,
    });
    let escrows = stage.does::<CreatePlan>(&plan.buyer, members).await?.escrows;
    for (at, (escrow, input)) in escrows.iter().zip(&plan.inputs).enumerate() {
        let id = market::order(stage, &plan.buyer, service, input, Some(&escrow.id)).await?;
        market::answer(stage, service, &id).await?;
        if at == 0 {
            let released = json!({ "escrowId": escrow.id, "rating": 5 });
            stage.does::<ReleaseEscrow>(&plan.buyer, released).await?;
        }
    }
    Ok(())
}

/// An escrow that its buyer cannot pay, and so without an order.
pub(super) async fn unpaid(stage: &Stage, buyer: &str, service: &Service) -> Result<()> {
    let members = json!({
        "providerUsername": service.agent, "serviceId": found(&stage.services, &service.name)?,
        "amount": 5000, "description": "A history of every hashtag, in two volumes",
    });
    stage.does::<CreateEscrow>(buyer, members).await.map(drop)
}
