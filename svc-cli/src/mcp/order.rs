//! The tool that orders services, within the limits of the account.

use std::time::Duration;

use serde::Serialize;
use serde_json::{Map, Value, json};
use svc_bot_kit::{Deal, Error as KitError, Outcome};
use svc_client::types::api::escrow::{Escrow, EscrowStatus};
use svc_mcp::{ANSWER, ENDED, GO_ON, Order, OrderResult, OrderTexts, RELEASE};

use super::Server;
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::order::failure::{explained, goes_on};
use crate::order::new_id;
use crate::order::outcome::rejected;

/// How long an answer is waited for, unless the call says otherwise.
const WAIT: Duration = Duration::from_secs(30);

/// Orders, or continues an order.
pub(super) async fn order(server: &Server, wanted: Order) -> Result<OrderResult> {
    let order = server.buyer.order(&wanted.service).max_credits(wanted.max_credits);
    let order = order.input(&wanted.input.unwrap_or_default());
    let id = wanted.id.clone().map_or_else(new_id, Ok)?;
    let order = if wanted.id.is_some() { order.id(&id) } else { order.new_id(&id) };
    if wanted.dry_run == Some(true) {
        let quote = order.quote().await.map_err(advised)?;
        return Ok(OrderResult {
            would_pay: Some(quote.request.offered_credits),
            available: Some(quote.available),
            escrow: Some(quote.escrow.is_some()),
            ..OrderResult::default()
        });
    }
    // Whatever goes wrong from here on, the order can be continued by its id.
    let again = format!("call order again with the id {id}: it continues, and is paid once");
    let resumable = |error| goes_on(advised(error), &id, &again);
    let deal = order.send().await.map_err(resumable)?;
    let wait = wanted.wait_seconds.map(|seconds| Duration::from_secs(seconds.get().into()));
    let outcome = deal.wait(wait.unwrap_or(WAIT)).await.map_err(resumable)?;
    result_of(&deal, outcome)
}

/// What the kit says, with a next step that an agent can take: it has tools, and no flags.
fn advised(error: KitError) -> Box<Error> {
    let hint = match &error {
        KitError::SpendLimit { limit: "max_credits", asked, left, .. } => {
            let text = format!("it costs {}, more than maxCredits {left}", asked.in_words());
            let hint = format!("maxCredits {asked} agrees to it; ask the person first");
            return Error::new(Exit::Money, "price_above_max", text).hint(hint);
        }
        KitError::SpendLimit { .. } => "the person set the limit, by svc profile limit",
        KitError::NoService { .. } => "call capabilities with the provider's username",
        KitError::Input { .. } => "call capabilities: inputSchema says what the service takes",
        KitError::InsufficientCredits { .. } => "the account has too few credits; tell the person",
        KitError::OrderExists { .. }
        | KitError::OrderDiffers { .. }
        | KitError::OrderEnded { .. } => "give a new order another id",
        _ => return explained(error),
    };
    explained(error).hint(hint)
}

fn result_of(deal: &Deal, outcome: Outcome) -> Result<OrderResult> {
    let failed = |error: Box<Error>| {
        Err(error.hint(ENDED).of_order(deal.id(), Some(deal.request()), deal.escrow()))
    };
    let ended = |code: &str, text: String| failed(Error::new(Exit::Money, code, text));
    let result = match outcome {
        Outcome::Completed { output, charged, .. } => OrderResult {
            status: Some("completed".to_owned()),
            charged_credits: Some(charged),
            untrusted: Some(OrderTexts { output: members(&output), ..OrderTexts::default() }),
            ..OrderResult::default()
        },
        Outcome::Delivered(work) => delivered(&work.escrow),
        Outcome::Rejected { reason, .. } => {
            return failed(rejected("the provider declined the order", &reason));
        }
        Outcome::Failed { error, .. } => {
            let broken = Error::new(Exit::Money, "error", "the provider failed");
            return failed(broken.untrusted(json!({ "error": error })));
        }
        Outcome::Expired => return ended("expired", "nobody answered in time".to_owned()),
        Outcome::Cancelled => return ended("cancelled", "the order was cancelled".to_owned()),
        Outcome::Closed(escrow) => {
            return ended(escrow.status.as_str(), format!("the escrow was {}", escrow.status));
        }
        Outcome::InputRequired(prompt) => OrderResult {
            status: Some("input_required".to_owned()),
            hint: Some(ANSWER.to_owned()),
            untrusted: Some(OrderTexts { prompt: members(&prompt), ..OrderTexts::default() }),
            ..OrderResult::default()
        },
        Outcome::Open => OrderResult {
            status: Some("open".to_owned()),
            hint: Some(GO_ON.to_owned()),
            ..OrderResult::default()
        },
        // A later kit may know outcomes that this program does not.
        _ => OrderResult {
            hint: Some("order_show with this orderId says what became of it".to_owned()),
            ..OrderResult::default()
        },
    };
    Ok(OrderResult {
        id: Some(deal.id().to_owned()),
        order_id: Some(deal.request().clone()),
        escrow_id: deal.escrow().cloned(),
        ..result
    })
}

/// What is in the escrow of an order: to be accepted, unless it is paid for or a moderator decides.
fn delivered(escrow: &Escrow) -> OrderResult {
    let is_paid = escrow.status == EscrowStatus::Released;
    let (status, hint) = match escrow.status {
        EscrowStatus::Released => ("completed", None),
        EscrowStatus::Disputed => ("disputed", None),
        _ => ("delivered", Some(RELEASE.to_owned())),
    };
    let deliverable = members(&escrow.deliverable);
    OrderResult {
        status: Some(status.to_owned()),
        charged_credits: is_paid.then(|| escrow.amount_paid()),
        deliverable_version: Some(escrow.deliverable_version).filter(|_| !is_paid),
        hint,
        untrusted: Some(OrderTexts { deliverable, ..OrderTexts::default() }),
        ..OrderResult::default()
    }
}

/// The members of an object that a stranger wrote.
fn members(object: &impl Serialize) -> Option<Map<String, Value>> {
    serde_json::to_value(object).ok()?.as_object().cloned()
}
