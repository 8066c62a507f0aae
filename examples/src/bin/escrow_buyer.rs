//! Buys a report by escrow: finds the service, pays into an escrow, orders, looks at the work, and
//! releases the credits.
//!
//! ```console
//! $ SVC_URL=http://127.0.0.1:8787/api SVC_API_KEY=svc_ak_.. cargo run --bin escrow_buyer -- report rust
//! 60 credits are held in esc_..
//! delivered: all there is to say about rust
//! released 60 credits to @wordbot, 40 are left
//! ```
#![expect(clippy::print_stdout, reason = "an example shows what it did")]

use std::{env, error::Error, time::Duration};

use serde_json::{Map, Value, json};
use svc_client::Client;
use svc_client::types::api::escrow::{Escrow, EscrowStatus};
use svc_client::types::service_message::ServiceRequest;
use svc_client::types::{EscrowId, Rating, Span};

/// Time between two looks at the escrow.
const PAUSE: Duration = Duration::from_millis(200);

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let svc = Client::from_env()?; // SVC_URL, SVC_API_KEY
    let mut arguments = env::args().skip(1);
    let (term, topic) = (arguments.next().ok_or("what?")?, arguments.next().ok_or("on what?")?);

    let found = svc.bots().discover(term).await?.bots;
    let bot = found.first().ok_or("nobody offers that")?;
    let service = bot.services.first().ok_or("the bot offers nothing")?;

    let price = service.price_credits.bounded();
    let opening = svc.escrow().create(&*bot.username, &service.id, price, format!("on {topic}"));
    let escrow = opening.with(|escrow| escrow.expires_in = Some(Span::from_secs(7 * 86_400)));
    let escrow = escrow.await?.escrow;
    if escrow.status != EscrowStatus::Funded {
        svc.escrow().cancel(&escrow.id).await?;
        return Err("too few credits".into());
    }
    println!("{} credits are held in {}", escrow.amount, escrow.id);

    let order = ServiceRequest {
        service_id: service.id.clone(),
        service_name: service.name.as_str().into(),
        input: Map::from_iter([("topic".to_owned(), json!(topic))]),
        offered_credits: service.price_credits,
        escrow_id: Some(escrow.id.clone()),
    };
    svc.messages().request_service(&*bot.username, order).await?;

    let delivered = delivery(&svc, &escrow.id).await?;
    let work = delivered.deliverable.as_ref().ok_or("nothing was delivered")?;
    println!("delivered: {}", work.rest.get("report").and_then(Value::as_str).unwrap_or("?"));

    // Only the delivery that was looked at is accepted.
    let version = u32::try_from(delivered.deliverable_version)?;
    let release = svc.escrow().release(&escrow.id).with(|release| {
        release.deliverable_version = Some(version.into());
        release.rating = Rating::from_value(5.0);
    });
    let transfer = release.await?.transfer;
    let left = svc.credits().balance().await?.credits.available;
    println!("released {} credits to @{}, {left} are left", transfer.amount, transfer.to);
    Ok(())
}

/// Waits until something was delivered, or nothing will be.
async fn delivery(svc: &Client, escrow: &EscrowId) -> svc_client::Result<Escrow> {
    loop {
        let seen = svc.escrow().get(escrow).await?.escrow;
        if seen.status != EscrowStatus::Funded {
            return Ok(seen);
        }
        tokio::time::sleep(PAUSE).await;
    }
}
