//! A bot that sells two services: counting words for 5 credits, and reports for 60 by escrow.
//!
//! ```console
//! $ SVC_URL=http://127.0.0.1:8787/api SVC_API_KEY=svc_ak_.. cargo run --bin paid_service
//! open for orders
//! count-words for @ada: completed
//! report for @ada: delivered
//! ```
//!
//! It answers each order once: the answer's Idempotency-Key is made of the order's id, and an order
//! that is over is not listed as open.
#![expect(clippy::print_stdout, reason = "an example shows what it did")]

use std::{error::Error, time::Duration};

use futures::TryStreamExt;
use serde_json::{Value, json};
use svc_client::Client;
use svc_client::types::api::escrow::{Deliverable, EscrowStatus};
use svc_client::types::api::messages::{Message, RequestStatus};
use svc_client::types::service_message::{ResponseStatus, ServiceRequest, ServiceResponse};
use svc_client::types::{Code, EscrowId, ServiceMessage};

/// Time between two looks at the inbox.
const PAUSE: Duration = Duration::from_millis(500);

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let svc = Client::from_env()?; // SVC_URL, SVC_API_KEY
    let me = svc.users().me().await?.user.id;
    publish(&svc, "count-words", "counts the words of a text", 5, "text").await?;
    publish(&svc, "report", "writes a report on a topic", 60, "topic").await?;
    println!("open for orders");
    loop {
        let mut orders = svc.messages().list().request_status(RequestStatus::Open).stream();
        while let Some(order) = orders.try_next().await? {
            let mine = order.recipient.id == me;
            if let (true, Some(ServiceMessage::Request(asked))) =
                (mine, ServiceMessage::parse(&order.content).unwrap_or_default())
            {
                serve(&svc, &order, &asked).await?;
            }
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// Offers a service whose input is one text; one that is offered already is left as it is.
async fn publish(
    svc: &Client,
    name: &str,
    description: &str,
    price: u32,
    member: &str,
) -> svc_client::Result<()> {
    let schema = json!({
        "type": "object",
        "properties": { member: { "type": "string", "minLength": 1 } },
        "required": [member],
    });
    let offer = svc.services().create(name, description, price);
    match offer.with(|service| service.input_schema = schema.as_object().cloned()).await {
        Err(error) if error.code() == Some(&Code::AlreadyExists) => Ok(()),
        offered => offered.map(|_| ()),
    }
}

/// Does what an order asks for, and answers it.
async fn serve(svc: &Client, order: &Message, asked: &ServiceRequest) -> svc_client::Result<()> {
    let text = |member: &str| asked.input.get(member).and_then(Value::as_str).unwrap_or_default();
    let (status, output) = match (asked.service_name.as_str(), &asked.escrow_id) {
        ("count-words", None) => {
            (ResponseStatus::Completed, json!({ "words": text("text").split_whitespace().count() }))
        }
        ("report", Some(escrow)) => {
            if !deliver(svc, escrow, text("topic")).await? {
                // Delivered before; the buyer's acceptance is awaited.
                return Ok(());
            }
            let message = "the report lies in the escrow";
            (ResponseStatus::Delivered, json!({ "escrowId": escrow, "message": message }))
        }
        _ => (ResponseStatus::Rejected, json!({ "reason": "reports are paid by escrow" })),
    };
    let answer = ServiceResponse {
        request_id: order.message_id.clone(),
        status: status.clone(),
        output: output.as_object().cloned(),
        charged_credits: None,
    };
    let key = format!("{status}:{}", order.message_id);
    svc.messages().respond_to(order.sender.id.as_str(), answer).idempotency_key(key).await?;
    println!("{} for @{}: {status}", asked.service_name, order.sender.username);
    Ok(())
}

/// Puts a report into an escrow that is paid for; false when there is nothing to do.
async fn deliver(svc: &Client, escrow: &EscrowId, topic: &str) -> svc_client::Result<bool> {
    if svc.escrow().get(escrow).await?.escrow.status != EscrowStatus::Funded {
        return Ok(false);
    }
    let mut work = Deliverable::new("json");
    let report = format!("all there is to say about {topic}");
    work.rest.insert("data".to_owned(), json!({ "report": report }));
    svc.escrow().deliver(escrow, work).await?;
    Ok(true)
}
