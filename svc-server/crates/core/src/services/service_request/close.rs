//! Answers to an order, of which the first closing one ends it.

use svc_store::error::{Error, Overdue, Refusal, Result};
use svc_store::{sql, values};
use svc_types::api::escrow::EscrowStatus;
use svc_types::api::messages::RequestStatus;
use svc_types::service_message::ResponseStatus;
use svc_types::{Code, Credits, MessageId, ServiceResponse};

use super::end::{self, End};
use super::record::{Record, take};
use crate::app::Ctx;
use crate::identity::Account;
use crate::services::account::Record as AccountRecord;
use crate::services::escrow;

/// An answer that may be given.
#[derive(Clone, Debug)]
pub struct Answer {
    order: Record,
    /// How the order ends; none when the work is only delivered.
    outcome: Option<RequestStatus>,
    charged: Option<Credits>,
}

impl Answer {
    /// 409 for the report of a delivery after the order has ended: it settles nothing, so it passes neither a block
    /// nor a suspension.
    pub fn refuse_late_report(&self) -> Result<()> {
        if self.outcome.is_none() && !self.order.is_open() {
            return Err(is_over(&self.order.state));
        }
        Ok(())
    }
}

/// Checks an answer against what is stored: 404, 403, 400, 409 in this order.
pub fn check_answer(
    ctx: &mut Ctx<'_, '_>,
    provider: &Account,
    recipient: &AccountRecord,
    response: &ServiceResponse,
) -> Result<Answer> {
    let order = take(ctx, &response.request_id)?
        .filter(|order| [&order.requester, &order.provider].contains(&&provider.id));
    let Some(order) = order else {
        let refusal = Refusal::new(Code::RequestNotFound, "no such service request");
        return Err(refusal.field("/payload/requestId").into());
    };
    if order.provider != provider.id {
        return Err(Error::refused(Code::Forbidden, "only its recipient may answer an order"));
    }
    if order.requester != recipient.id {
        let message = "an order is answered to the account that sent it";
        return Err(Error::refused(Code::Forbidden, message));
    }
    if order.is_overdue(ctx.now()) {
        return Err(Error::Overdue(Overdue::Request(order.id)));
    }
    let charged = charge(&order, response)?;
    refuse_other_escrow(&order, response)?;
    let outcome = match response.status {
        ResponseStatus::Completed => Some(RequestStatus::Completed),
        ResponseStatus::Rejected => Some(RequestStatus::Rejected),
        ResponseStatus::Error => Some(RequestStatus::Error),
        _ => None,
    };
    if order.state != RequestStatus::Open && !agrees(&order, outcome.as_ref()) {
        return Err(is_over(&order.state));
    }
    refuse_escrow(ctx, provider, &order, &response.status)?;
    Ok(Answer { order, outcome, charged })
}

/// Whether an answer says the same as the escrow whose end closed the order, and is the first to:
/// the buyer may accept before the provider has reported the delivery.
fn agrees(order: &Record, outcome: Option<&RequestStatus>) -> bool {
    let reported = outcome.unwrap_or(&RequestStatus::Completed);
    order.escrow.is_some() && order.response.is_none() && order.state == *reported
}

/// What an answer charges; none where nothing is paid by it.
fn charge(order: &Record, response: &ServiceResponse) -> Result<Option<Credits>> {
    let charged = response.charged_credits;
    let refused = |code, message: String| {
        let refusal = Refusal::new(code, message).field("/payload/chargedCredits");
        Err(Error::from(refusal))
    };
    match response.status {
        ResponseStatus::Completed if order.escrow.is_some() => {
            let echo = charged.is_none_or(|charged| charged.is_zero() || charged == order.offered);
            if echo {
                return Ok(None);
            }
            let message = "chargedCredits must be absent, 0, or the amount of the escrow";
            refused(Code::ChargeExceedsOffer, message.to_owned())
        }
        ResponseStatus::Completed => {
            let charged = charged.unwrap_or(order.offered);
            if charged <= order.offered {
                return Ok(Some(charged));
            }
            let message = format!("chargedCredits must be at most {}, as offered", order.offered);
            refused(Code::ChargeExceedsOffer, message)
        }
        ResponseStatus::Delivered if order.escrow.is_none() => {
            let refusal = "payload.status delivered is for orders with an escrow";
            Err(Refusal::new(Code::InvalidServiceMessage, refusal).field("/payload/status").into())
        }
        ResponseStatus::Delivered if charged.is_some_and(|charged| !charged.is_zero()) => {
            let message = "chargedCredits must be absent or 0 on delivered";
            refused(Code::InvalidServiceMessage, message.to_owned())
        }
        _ => Ok(None),
    }
}

/// Refuses the delivery of an order that names another escrow: its buyer would release that one.
fn refuse_other_escrow(order: &Record, response: &ServiceResponse) -> Result<()> {
    let named = response.output.as_ref().and_then(|output| output.get("escrowId"));
    let named = named.filter(|named| !named.is_null());
    let (Some(named), Some(escrow)) = (named, &order.escrow) else {
        return Ok(());
    };
    if response.status != ResponseStatus::Delivered || named.as_str() == Some(escrow.as_str()) {
        return Ok(());
    }
    let message = format!("escrowId of the output must be {escrow}, which pays for the order");
    let refusal = Refusal::new(Code::InvalidServiceMessage, message);
    Err(refusal.field("/payload/output/escrowId").into())
}

/// Completed needs a released escrow, delivered one that was delivered. What was delivered is
/// accepted, disputed or refunded; declining the order would only contradict that.
fn refuse_escrow(
    ctx: &mut Ctx<'_, '_>,
    provider: &Account,
    order: &Record,
    status: &ResponseStatus,
) -> Result<()> {
    let Some(id) = &order.escrow else {
        return Ok(());
    };
    let wanted: &[EscrowStatus] = match status {
        ResponseStatus::Completed => &[EscrowStatus::Released],
        ResponseStatus::Delivered => {
            &[EscrowStatus::Delivered, EscrowStatus::Disputed, EscrowStatus::Released]
        }
        _ => &[EscrowStatus::Funded, EscrowStatus::Cancelled, EscrowStatus::Refunded],
    };
    let (escrow, _) = escrow::of_party(ctx, id, provider)?;
    if wanted.contains(&escrow.status) {
        return Ok(());
    }
    let words: Vec<&str> = wanted.iter().map(EscrowStatus::as_str).collect();
    let message = format!("the escrow is {}, and must be {}", escrow.status, words.join(" or "));
    Err(Refusal::new(Code::WrongState, message).hint(escrow.status.as_str()).into())
}

/// Gives the answer that came with this message: a closing one settles the order's credits. Where
/// the end of an escrow has closed the order, the first answer that agrees is noted, no more.
pub fn close(ctx: &mut Ctx<'_, '_>, message: &MessageId, answer: &Answer) -> Result<()> {
    let Answer { order, outcome: Some(outcome), charged } = answer else {
        return Ok(());
    };
    if order.state != RequestStatus::Open {
        return confirm(ctx, message, order);
    }
    let end = End { outcome, charged: *charged, message: Some(message), by: Some(&order.provider) };
    end::end(ctx, order, &end)
}

fn confirm(ctx: &mut Ctx<'_, '_>, message: &MessageId, order: &Record) -> Result<()> {
    let rows = ctx.tx.execute(
        sql!(
            "update service_request set response_message = $1, version = version + 1
             where id = $2 and state = $3 and response_message is null"
        ),
        values![message, order.id, order.state],
    )?;
    if rows != 1 {
        return Err(is_over(&order.state));
    }
    ctx.effects.changed.push(order.id.to_string());
    Ok(())
}

/// 409: the order is over, the hint says how.
pub fn is_over(state: &RequestStatus) -> Error {
    let refusal = Refusal::new(Code::RequestClosed, format!("the order is {state}"));
    refusal.hint(state.as_str()).into()
}
