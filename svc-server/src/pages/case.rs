//! A deal as its readers see it: order, work, dispute, history.

use serde_json::Value;
use svc_store::error::Result;
use svc_types::api::escrow::{DisputeOutcome, Escrow, EscrowEvent, ListEscrowEvents};

use super::letter::Letter;
use super::orders;
use super::view::{Shown, one, shown};
use crate::http::{PageContext, PageRequest};

/// Most log entries on a page.
const EVENTS: u32 = 100;

/// A deal with everything that its page shows.
pub(super) struct Case {
    pub(super) escrow: Escrow,
    /// The order that the deal pays for, and its answer, if there is one.
    pub(super) order: Option<Letter>,
    pub(super) answer: Option<Letter>,
    /// The delivered work.
    pub(super) work: Vec<Shown>,
    /// The statements of the buyer and the provider in a dispute.
    pub(super) evidence: [Vec<Shown>; 2],
    /// The log, oldest first.
    pub(super) events: Vec<EscrowEvent>,
    /// The cursor of the next log entries.
    pub(super) next: Option<String>,
}

impl Case {
    /// A whole deal, with its log from the requested cursor.
    pub(super) fn of(
        context: &mut PageContext<'_>,
        request: &PageRequest,
        escrow: Escrow,
    ) -> Result<Self> {
        let page = context.ask(&ListEscrowEvents {
            escrow_id: escrow.id.clone(),
            limit: Some(EVENTS.into()),
            cursor: request.field("cursor").map(Into::into),
        })?;
        let order = match escrow.request_id.clone() {
            Some(id) => orders::letter(context, id)?,
            None => None,
        };
        let answer = match &order {
            Some(order) => orders::answer(context, &order.message)?,
            None => None,
        };
        let next = request.next(page.next_cursor.as_ref());
        Ok(Self { order, answer, events: page.events, next, ..Self::of_order(escrow) })
    }

    /// A deal on the page of the order that it pays for, without its log.
    pub(super) fn of_order(escrow: Escrow) -> Self {
        let dispute = escrow.dispute.as_ref();
        Self {
            order: None,
            answer: None,
            work: work(&escrow),
            evidence: [
                evidence(dispute.and_then(|dispute| dispute.evidence.as_ref())),
                evidence(dispute.and_then(|dispute| dispute.response_evidence.as_ref())),
            ],
            events: Vec::new(),
            next: None,
            escrow,
        }
    }
}

/// The delivered work, formatted for display.
fn work(escrow: &Escrow) -> Vec<Shown> {
    let Some(work) = &escrow.deliverable else { return Vec::new() };
    match serde_json::to_value(work) {
        Ok(Value::Object(members)) => shown(&members),
        _ => Vec::new(),
    }
}

fn evidence(value: Option<&Value>) -> Vec<Shown> {
    value.map(|value| vec![one("Evidence", value)]).unwrap_or_default()
}

/// How a dispute was resolved, in words.
pub(super) fn decided(outcome: &DisputeOutcome) -> &'static str {
    match outcome {
        DisputeOutcome::Release => "For the provider: the credits are paid",
        DisputeOutcome::Refund => "For the buyer: the credits are given back",
        DisputeOutcome::Split => "For both: the credits are split",
        _ => "In a way this page does not know",
    }
}
