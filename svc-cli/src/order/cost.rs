//! What an order would cost, and what the caller has.

use serde_json::json;
use svc_client::types::Credits;

use super::{Begun, OrderFlags};
use crate::caller::Caller;
use crate::credits;
use crate::error::{Error, Result};
use crate::exit::Exit;

/// From this price on an escrow is advised (spec §8).
const ESCROW_FROM: u32 = 50;

/// Says what an order would cost, and sends nothing.
pub(super) async fn preview(caller: &Caller, flags: &OrderFlags, begun: Begun) -> Result<()> {
    let Begun { order, name, deal, .. } = begun;
    if let Some(deal) = deal {
        let people = format!("would continue the order {name}, and pay nothing more");
        let request = json!({ "would": people, "id": name, "requestId": deal.request() });
        return caller.out.local(&request, &people);
    }
    let quote = order.quote().await.map_err(|error| flags.explained(error))?;
    let (price, available) = (quote.request.offered_credits, quote.available);
    if price.micros() > available.micros() {
        let message = format!("it costs {}, {available} are there", price.in_words());
        return Err(Error::new(Exit::Money, "insufficient_credits", message).hint("svc credits"));
    }
    let escrow = match flags.escrow {
        Some(time) => format!("by an escrow of {time}"),
        None if price < Credits::from(ESCROW_FROM) => format!("no escrow (below {ESCROW_FROM})"),
        None => format!("no escrow (advised from {ESCROW_FROM} on: --escrow 7d)"),
    };
    let people =
        format!("would pay {price} of {}, {escrow}; input fits the schema", available.in_words());
    let request = json!({ "would": people, "available": available, "request": quote.request });
    caller.out.local(&request, &people)
}

/// Says what there is when an escrow takes more.
pub(super) async fn too_few(caller: &Caller, asked: Credits) -> Box<Error> {
    let balance = credits::of(caller).await;
    let there = balance.map(|balance| format!(", {} are there", balance.available));
    let there = there.unwrap_or_default();
    let message = format!("the escrow takes {}{there}; nothing was ordered", asked.in_words());
    Error::new(Exit::Money, "insufficient_credits", message)
        .hint("svc credits; order again under another --id")
}
