//! Steps as requests.

use serde_json::json;
use svc_types::api::escrow::{
    AcceptSplit, CancelEscrow, CreateEscrow, DeclineEscrow, DeliverEscrow, Deliverable,
    DisputeEscrow, DisputeOutcome, ExtendEscrow, FundEscrow, OfferSplit, RefundEscrow,
    ReleaseEscrow, ResolveEscrow, RespondToDispute,
};
use svc_types::api::orders::{CancelOrder, CreateOrder, ProgressOrder, ProgressState};
use svc_types::service_message::ResponseStatus;
use svc_types::{
    Credits, EscrowId, Rating, ServiceId, ServiceMessage, ServiceRequest, ServiceResponse, Span,
};

use super::{Real, grant, message};
use crate::calls::{Caller, Sent};
use crate::step::{Act, Name, NewAnswer, NewEscrow, NewOrder, Step, Word};

impl Real {
    /// The request of a step, with a unique key; `None` if the step calls no one.
    pub(super) fn request(&mut self, step: &Step) -> Option<Sent> {
        let sent = match step {
            Step::Grant { by, to, micros } => {
                self.actors[by].request(&grant(&self.actors[to], *micros))
            }
            Step::Open(new) => self.opening(new),
            Step::Order(new) => self.order(new),
            Step::Answer(new) => self.answer(new),
            Step::Begin { by, order } => beginning(&self.actors[by], &self.id("msg", *order)),
            Step::CancelOrder { by, order } => {
                let order_id = self.id("msg", *order).as_str().into();
                self.actors[by].request(&CancelOrder { order_id, reason: None })
            }
            Step::Move { by, escrow, act } => {
                moving(&self.actors[by], self.id("esc", *escrow).as_str().into(), *act)
            }
            _ => return None,
        };
        self.count += 1;
        Some(sent.keyed(&format!("{}-{}", self.actors[&crate::step::Actor::Ann].name, self.count)))
    }

    /// What the server calls it, or a name it does not know.
    fn id(&self, prefix: &str, name: Name) -> String {
        self.ids.get(&name).cloned().unwrap_or_else(|| format!("{prefix}_nobody"))
    }

    fn opening(&self, new: &NewEscrow) -> Sent {
        self.actors[&new.by].request(&CreateEscrow {
            provider_username: (&self.actors[&new.with].name).into(),
            service_id: self.offers[&new.offer].clone(),
            amount: Credits::from_micros(new.micros).bounded(),
            description: "some work".into(),
            expires_in: new.life.map(Span::from_secs),
        })
    }

    fn order(&self, new: &NewOrder) -> Sent {
        let service_id = self.offers[&new.offer].clone();
        let escrow_id = new.escrow.map(|name| EscrowId::from(self.id("esc", name)));
        ordering(&self.actors[&new.by], &self.actors[&new.to], new, service_id, escrow_id)
    }

    fn answer(&self, new: &NewAnswer) -> Sent {
        let what = response(&self.id("msg", new.order), new.word, new.charged);
        self.actors[&new.by].request(&message(&self.actors[&new.to], &what))
    }
}

/// The request that orders a service.
pub(crate) fn ordering(
    by: &Caller,
    to: &Caller,
    new: &NewOrder,
    service_id: ServiceId,
    escrow_id: Option<EscrowId>,
) -> Sent {
    let input = if new.fits { json!({ "code": "fn" }) } else { json!({ "code": 1 }) };
    let input = input.as_object().cloned().unwrap_or_default();
    let offered = Credits::from_micros(new.micros);
    if new.by_endpoint {
        return by.request(&CreateOrder {
            provider_username: (&to.name).into(),
            service_id,
            input,
            max_credits: None,
            offered_credits: Some(offered).filter(|_| escrow_id.is_none()),
            escrow_id,
            client_order_id: None,
            answer_within: None,
        });
    }
    let what = ServiceMessage::Request(ServiceRequest {
        service_id,
        service_name: "a service".into(),
        input,
        offered_credits: offered,
        escrow_id,
    });
    by.request(&message(to, &what))
}

/// The request by which a provider begins to work.
pub(crate) fn beginning(by: &Caller, order: &str) -> Sent {
    by.request(&ProgressOrder {
        order_id: order.into(),
        state: ProgressState::Working,
        percent: None,
        note: None,
        partial: None,
        prompt: None,
        prompt_schema: None,
        wants_until: None,
    })
}

/// An answer to an order.
pub(crate) fn response(order: &str, word: Word, charged: Option<i64>) -> ServiceMessage {
    let (status, output) = match word {
        Word::Completed => (ResponseStatus::Completed, json!({ "report": "fine" })),
        Word::Rejected => (ResponseStatus::Rejected, json!({ "reason": "no time" })),
        Word::Error => (ResponseStatus::Error, json!({ "error": "out of order" })),
        Word::Delivered => (ResponseStatus::Delivered, json!({})),
    };
    ServiceMessage::Response(ServiceResponse {
        request_id: order.into(),
        status,
        output: output.as_object().cloned(),
        charged_credits: charged.map(Credits::from_micros),
    })
}

/// The request that moves an escrow.
pub(crate) fn moving(by: &Caller, escrow_id: EscrowId, act: Act) -> Sent {
    match act {
        Act::Fund { expected } => {
            let expected_amount = expected.map(|micros| Credits::from_micros(micros).bounded());
            by.request(&FundEscrow { escrow_id, expected_amount })
        }
        Act::Cancel => by.request(&CancelEscrow { escrow_id, reason: None }),
        Act::Decline => by.request(&DeclineEscrow { escrow_id, reason: None }),
        Act::Deliver => {
            let deliverable = Deliverable::new("report");
            by.request(&DeliverEscrow { escrow_id, deliverable, notes: None })
        }
        Act::Release { version, half_steps } => by.request(&ReleaseEscrow {
            escrow_id,
            rating: half_steps.and_then(Rating::from_half_steps),
            feedback: None,
            deliverable_version: version.map(Into::into),
        }),
        Act::Dispute => {
            by.request(&DisputeEscrow { escrow_id, reason: "it fails".into(), evidence: None })
        }
        Act::Respond => {
            by.request(&RespondToDispute { escrow_id, response: "it works".into(), evidence: None })
        }
        Act::Refund => by.request(&RefundEscrow { escrow_id, reason: None }),
        Act::Extend { seconds } => {
            by.request(&ExtendEscrow { escrow_id, expires_in: Span::from_secs(seconds) })
        }
        Act::OfferSplit { part } => {
            let provider_amount = Credits::from_micros(part).bounded();
            by.request(&OfferSplit { escrow_id, provider_amount })
        }
        Act::AcceptSplit { version } => {
            by.request(&AcceptSplit { escrow_id, offer_version: version.into() })
        }
        Act::ResolveSplit { part } => by.request(&ResolveEscrow {
            escrow_id,
            outcome: DisputeOutcome::Split,
            provider_amount: Some(Credits::from_micros(part).bounded()),
            note: "decided".into(),
        }),
        Act::Resolve { for_provider } => {
            let outcome =
                if for_provider { DisputeOutcome::Release } else { DisputeOutcome::Refund };
            by.request(&ResolveEscrow {
                escrow_id,
                outcome,
                provider_amount: None,
                note: "decided".into(),
            })
        }
    }
}
