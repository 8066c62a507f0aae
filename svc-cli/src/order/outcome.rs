//! The outcome of an order, as it is shown.

use std::time::Duration;

use serde::Deserialize;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};
use svc_bot_kit::{Deal, Outcome, Work};
use svc_client::types::Credits;
use svc_client::types::api::escrow::{Escrow, EscrowStatus};
use svc_client::types::api::messages::Message;
use svc_client::types::api::orders::OrderPrompt;

use super::failure;
use crate::caller::Caller;
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::raw::unexpected;

/// What came of waiting for an order.
pub(super) struct Waited<'a> {
    pub(super) ended: svc_bot_kit::Result<Outcome>,
    pub(super) provider: &'a str,
    /// How long the command waited, if the order has not ended.
    pub(super) time: Duration,
    /// The command that waits again.
    pub(super) again: &'a str,
}

/// Prints how an order ended; after a timeout it stays open.
pub(super) fn end(caller: &Caller, deal: &Deal, waited: Waited<'_>) -> Result<()> {
    let shown = show(caller, deal, waited);
    shown.map_err(|error| error.of_order(deal.id(), Some(deal.request()), deal.escrow()))
}

fn show(caller: &Caller, deal: &Deal, waited: Waited<'_>) -> Result<()> {
    let Waited { ended, provider, time, again } = waited;
    let failed = |code: &str, text: String| Err(Error::new(Exit::Money, code, text));
    match ended.map_err(failure::explained)? {
        Outcome::Completed { output, charged, answer, .. } => {
            completed(caller, &output, charged, &answer)
        }
        Outcome::Delivered(work) => delivered(caller, deal, &work),
        Outcome::Rejected { reason, answer, .. } => {
            let error = rejected(&format!("@{provider} rejected the order"), &reason);
            Err(if wants_escrow(deal, &answer) { error.hint(ESCROW) } else { error })
        }
        Outcome::Failed { error, .. } => Err(broken(&format!("@{provider} failed"), &error)),
        Outcome::Expired => {
            failed("expired", "the order is expired; its credits were given back".to_owned())
        }
        Outcome::Cancelled => {
            failed("cancelled", "the order was cancelled; its credits were given back".to_owned())
        }
        Outcome::InputRequired(prompt) => Err(asked(deal, provider, &prompt)),
        Outcome::Closed(escrow) => Err(closed(&escrow)),
        _ => {
            let seconds = time.as_secs();
            let message =
                format!("no answer within {seconds} s; the order {} stands", deal.request());
            Err(Error::new(Exit::Waiting, "waiting", message).hint(again))
        }
    }
}

/// What to type if a service must be paid by an escrow.
const ESCROW: &str =
    "--escrow 7d pays by an escrow: you release the credits when you accept the work";

/// Whether a provider declined because the order has no escrow: the kits for bots answer with a fault
/// of that member.
fn wants_escrow(deal: &Deal, answer: &Message) -> bool {
    let output = answer.payload.as_ref().and_then(|payload| payload.get("output"));
    let faults = output.and_then(|output| output["faults"].as_array());
    let is_escrow = |fault: &Value| fault["pointer"] == "/escrowId";
    deal.escrow().is_none() && faults.is_some_and(|faults| faults.iter().any(is_escrow))
}

/// Why a provider declined, in its own words.
pub(crate) fn rejected(text: &str, reason: &str) -> Box<Error> {
    Error::new(Exit::Money, "rejected", text).untrusted(json!({ "reason": reason }))
}

/// Why a provider failed, in its own words.
fn broken(text: &str, error: &str) -> Box<Error> {
    Error::new(Exit::Money, "failed", text).untrusted(json!({ "error": error }))
}

/// The provider's question, and the command that answers it.
fn asked(deal: &Deal, provider: &str, prompt: &OrderPrompt) -> Box<Error> {
    let text = format!("@{provider} needs an input; the order {} stands", deal.request());
    Error::new(Exit::Waiting, "input_required", text)
        .untrusted(json!({ "prompt": prompt.text }))
        .hint(format!("svc order input {} {} JSON", deal.request(), prompt.id))
}

fn completed(caller: &Caller, output: &Value, charged: Credits, answer: &Message) -> Result<()> {
    caller.out.page(&payload(answer)?, &format!("{output:#}"))?;
    if !charged.is_zero() {
        caller.out.note(&format!("paid {} to @{}", charged.in_words(), answer.sender.username));
    }
    Ok(())
}

/// Prints that the work is in the escrow.
fn delivered(caller: &Caller, deal: &Deal, work: &Work) -> Result<()> {
    let payload = match &work.note {
        Some(note) => payload(note)?,
        None => to_raw_value(&json!({ "requestId": deal.request(), "status": "delivered" }))
            .map_err(|error| unexpected(&error))?,
    };
    let escrow = &work.escrow;
    caller.out.page(&payload, &format!("delivered  {}", escrow.id))?;
    let next = match escrow.status {
        EscrowStatus::Delivered => {
            format!("look at it: svc escrow show {0}  accept it: svc escrow release {0}", escrow.id)
        }
        _ => format!("svc escrow show {}", escrow.id),
    };
    caller.out.note(&next);
    Ok(())
}

fn closed(escrow: &Escrow) -> Box<Error> {
    let reason = escrow.close_reason.as_ref().map(|reason| format!(" ({reason})"));
    let reason = reason.unwrap_or_default();
    let text = format!("the escrow {} was {}{reason}", escrow.id, escrow.status);
    Error::new(Exit::Money, escrow.status.as_str(), text)
        .hint(format!("svc escrow events {}", escrow.id))
}

/// The payload of an answer as it came.
fn payload(answer: &Message) -> Result<Box<RawValue>> {
    #[derive(Deserialize)]
    struct Content {
        payload: Box<RawValue>,
    }
    let content: Content =
        serde_json::from_str(&answer.content).map_err(|error| unexpected(&error))?;
    Ok(content.payload)
}
