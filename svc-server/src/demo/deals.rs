//! Sample deals in every state, and answered orders.

use serde_json::json;
use svc_store::error::Result;
use svc_types::api::bots::GetCapabilities;
use svc_types::api::escrow::{
    CancelEscrow, CreateEscrow, DeliverEscrow, DisputeEscrow, RefundEscrow, ReleaseEscrow,
    ResolveEscrow, RespondToDispute,
};
use svc_types::{EscrowId, ServiceId};

use super::cast::MODERATOR;
use super::stage::Stage;

/// The work that the deals are about.
const PROVIDER: &str = "atlas";

/// The deals of the first days. Returns the service that later deals refer to.
pub(super) async fn early(stage: &mut Stage) -> Result<ServiceId> {
    let asked = json!({ "username": PROVIDER });
    let offered = stage.does::<GetCapabilities>("ada", asked).await?;
    let service = offered.capabilities[0].id.clone();
    let id =
        open(stage, "ada", &service, 20, "Which towns within an hour have a night train?").await?;
    deliver(stage, &id, "Three: by distance Ems, Lorn and Wick. Timetables are attached.").await?;
    let praise = json!({ "escrowId": id, "rating": 5, "feedback": "Complete, and early." });
    stage.does::<ReleaseEscrow>("ada", praise).await?;
    let id = open(stage, "scout", &service, 10, "Who else reads changelogs for a living?").await?;
    deliver(stage, &id, "Nobody admits it.").await?;
    let id = open(stage, "tally", &service, 8, "Is there a word without letters?").await?;
    stage.does::<CancelEscrow>("tally", json!({ "escrowId": id, "reason": "Found it." })).await?;
    let id = open(stage, "roman", &service, 9, "Why is there no numeral for zero?").await?;
    deliver(stage, &id, "I found nothing, in every sense.").await?;
    let reason = json!({ "escrowId": id, "reason": "That is no report; take it back." });
    stage.does::<RefundEscrow>(PROVIDER, reason).await?;
    ended(stage, &service).await?;
    Ok(service)
}

/// Deals of the first days that ended without a result for the sample person.
async fn ended(stage: &Stage, service: &ServiceId) -> Result<()> {
    let id = open(stage, "ada", service, 8, "Which of my plants likes the shade?").await?;
    stage.does::<CancelEscrow>("ada", json!({ "escrowId": id, "reason": "They told me." })).await?;
    let id = open(stage, "ada", service, 10, "A summary of the summaries of last week").await?;
    deliver(stage, &id, "It was summarised.").await?;
    dispute(stage, "ada", &id, "By whom, I know. I asked for the summary.").await?;
    respond(stage, &id, "Nobody could make it shorter.").await?;
    let decision = json!({
        "escrowId": id, "outcome": "refund",
        "note": "What was ordered is a text about last week, and there is none.",
    });
    stage.does::<ResolveEscrow>(MODERATOR, decision).await?;
    // The delivery deadline of this deal passes.
    let members = json!({
        "providerUsername": PROVIDER, "serviceId": service, "amount": 6, "expiresIn": "1d",
        "description": "What does the neighbour's robot do at night?",
    });
    stage.does::<CreateEscrow>("ada", members).await.map(drop)
}

/// The deals that are still open.
pub(super) async fn late(stage: &mut Stage, service: &ServiceId) -> Result<()> {
    let id = open(stage, "basho", service, 12, "How many kinds of rain does Lorn have?").await?;
    deliver(stage, &id, "It rains there.").await?;
    dispute(stage, "basho", &id, "I asked how many kinds. This is not even one.").await?;
    respond(stage, &id, "There is one kind: wet. It is in the text.").await?;
    let id = open(stage, "ada", service, 9, "Which of the two maps of Wick is right?").await?;
    deliver(stage, &id, "Yes.").await?;
    dispute(stage, "ada", &id, "That does not say which.").await?;
    let id = open(stage, "ada", service, 15, "Which of my 400 photos show the sea?").await?;
    deliver(stage, &id, "41 of them; the list is attached. 6 may be lakes.").await?;
    open(stage, "ada", service, 25, "A walk through the history of one street of your choice")
        .await?;
    open(stage, "ada", service, 5000, "A history of everything, in two volumes").await?;
    Ok(())
}

async fn open(
    stage: &Stage,
    buyer: &str,
    service: &ServiceId,
    amount: u32,
    description: &str,
) -> Result<EscrowId> {
    let members = json!({
        "providerUsername": PROVIDER, "serviceId": service, "amount": amount,
        "description": description,
    });
    Ok(stage.does::<CreateEscrow>(buyer, members).await?.escrow.id)
}

async fn dispute(stage: &Stage, buyer: &str, id: &EscrowId, reason: &str) -> Result<()> {
    let members = json!({ "escrowId": id, "reason": reason });
    stage.does::<DisputeEscrow>(buyer, members).await.map(drop)
}

async fn respond(stage: &Stage, id: &EscrowId, response: &str) -> Result<()> {
    let members = json!({ "escrowId": id, "response": response });
    stage.does::<RespondToDispute>(PROVIDER, members).await.map(drop)
}

async fn deliver(stage: &Stage, id: &EscrowId, text: &str) -> Result<()> {
    let members = json!({ "escrowId": id, "deliverable": { "type": "text", "text": text } });
    stage.does::<DeliverEscrow>(PROVIDER, members).await.map(drop)
}
