//! Services, orders and escrow (spec §3).

use serde_json::{Map, Value, json};
use svc_client::types::api::escrow::Deliverable;
use svc_client::types::service_message::{ResponseStatus, ServiceRequest, ServiceResponse};
use svc_client::types::{Code, Credits, ServiceId};

use super::rule::{Flaw, Rule, Trial, equal, expect, refused, rules};
use super::stage::{Actor, Stage};

/// What a service costs here.
const PRICE: u32 = 2;

pub(super) fn rules() -> Vec<Rule> {
    rules![
        "an order by message moves its credits once" => by_message,
        "a second answer to an order is refused" => second_answer,
        "an escrow holds, is delivered, and pays when it is released" => by_escrow,
        "only its parties can read an escrow" => foreign_escrow,
    ]
}

/// Millionths of credits that an account may spend.
async fn available(actor: &Actor) -> Result<i64, Flaw> {
    Ok(actor.client.credits().balance().await?.credits.available.micros())
}

/// The price in the same.
fn price() -> i64 {
    Credits::from(PRICE).micros()
}

/// Leaves a rule out when the buyer can't pay.
async fn needs_credits(stage: &Stage) -> Trial {
    if available(&stage.ada).await? < price() {
        let why = "new accounts have no credits here, so nothing can be bought";
        return Err(Flaw::Untried(why.to_owned()));
    }
    Ok(())
}

async fn service(stage: &Stage) -> Result<ServiceId, Flaw> {
    let services = stage.bob.client.services();
    if let Some(service) = services.list().await?.services.first() {
        return Ok(service.id.clone());
    }
    Ok(services.create("count", "counts words", PRICE).await?.service.id)
}

fn request(service: ServiceId) -> ServiceRequest {
    ServiceRequest {
        service_id: service,
        service_name: "count".into(),
        input: Map::new(),
        offered_credits: PRICE.into(),
        escrow_id: None,
    }
}

async fn by_message(stage: &Stage) -> Trial {
    needs_credits(stage).await?;
    let service = service(stage).await?;
    let (buyer, seller) = (available(&stage.ada).await?, available(&stage.bob).await?);
    let name = stage.bob.user.username.as_str();
    let order = stage.ada.client.messages().request_service(name, request(service)).await?.message;
    let answer = ServiceResponse {
        request_id: order.message_id,
        status: ResponseStatus::Completed,
        output: None,
        charged_credits: None,
    };
    let name = stage.ada.user.username.as_str();
    let key = stage.key("answer");
    for _ in 0..2 {
        let call = stage.bob.client.messages().respond_to(name, answer.clone());
        call.idempotency_key(&key).await?;
    }
    equal("what left the buyer", &(buyer - available(&stage.ada).await?), &price())?;
    equal("what the seller got", &(available(&stage.bob).await? - seller), &price())?;
    let again = stage.bob.client.messages().respond_to(name, answer).await;
    refused(again, 409, &Code::RequestClosed)
}

async fn second_answer(stage: &Stage) -> Trial {
    needs_credits(stage).await?;
    let service = service(stage).await?;
    let name = stage.bob.user.username.as_str();
    let order = stage.ada.client.messages().request_service(name, request(service)).await?.message;
    let answer = |status, output: Value| ServiceResponse {
        request_id: order.message_id.clone(),
        status,
        output: output.as_object().cloned(),
        charged_credits: None,
    };
    let name = stage.ada.user.username.as_str();
    let before = available(&stage.ada).await?;
    let reject = answer(ResponseStatus::Rejected, json!({ "reason": "no words" }));
    stage.bob.client.messages().respond_to(name, reject).await?;
    let after = available(&stage.ada).await?;
    expect(after > before, || "a rejected order keeps its hold".to_owned())?;
    let complete = answer(ResponseStatus::Completed, json!({ "words": 2 }));
    refused(stage.bob.client.messages().respond_to(name, complete).await, 409, &Code::RequestClosed)
}

async fn by_escrow(stage: &Stage) -> Trial {
    needs_credits(stage).await?;
    let service = service(stage).await?;
    let name = stage.bob.user.username.as_str();
    let escrows = stage.ada.client.escrow();
    let (before, earned) = (available(&stage.ada).await?, available(&stage.bob).await?);
    let escrow = escrows.create(name, &service, PRICE, "a word").await?.escrow;
    expect(available(&stage.ada).await? < before, || "nothing is held".to_owned())?;
    let work = Deliverable::new("text");
    refused(
        stage.eve.client.escrow().deliver(&escrow.id, work.clone()).await,
        404,
        &Code::NotFound,
    )?;
    stage.bob.client.escrow().deliver(&escrow.id, work).await?;
    equal("what the seller has before release", &available(&stage.bob).await?, &earned)?;
    let key = stage.key("release");
    for _ in 0..2 {
        escrows.release(&escrow.id).idempotency_key(&key).await?;
    }
    equal("what the seller got", &(available(&stage.bob).await? - earned), &price())
}

async fn foreign_escrow(stage: &Stage) -> Trial {
    let own = stage.ada.client.escrow().list().await?.escrows;
    let Some(escrow) = own.first() else {
        return Err(Flaw::Untried("there is no escrow to look at".to_owned()));
    };
    refused(stage.eve.client.escrow().get(&escrow.id).await, 404, &Code::NotFound)
}
