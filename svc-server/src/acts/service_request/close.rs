//! Ending an order: by its first closing answer, or by the clock.

use svc_types::api::credits::TransferKind;
use svc_types::api::escrow::EscrowStatus;
use svc_types::api::messages::RequestStatus;
use svc_types::service_message::ResponseStatus;
use svc_types::{Code, Credits, MessageId, ServiceResponse, UserId};

use super::record::{Record, by_id, tell};
use crate::acts::account::Record as AccountRecord;
use crate::acts::escrow;
use crate::acts::ledger::{self, Cause, Holder};
use crate::app::Cx;
use crate::error::{Error, Overdue, Refusal, Result};
use crate::http::Account;
use crate::{sql, values};

/// An answer that may be given.
#[derive(Clone, Debug)]
pub struct Answer {
    order: Record,
    /// How the order ends; none when the work is only delivered.
    outcome: Option<RequestStatus>,
    charged: Option<Credits>,
}

/// Checks an answer against what is stored: 404, 403, 400, 409 in this order.
pub fn check_answer(
    cx: &mut Cx<'_, '_>,
    provider: &Account,
    recipient: &AccountRecord,
    response: &ServiceResponse,
) -> Result<Answer> {
    let order = take(cx, &response.request_id)?
        .filter(|order| [&order.requester, &order.provider].contains(&&provider.id));
    let Some(order) = order else {
        let refusal = Refusal::new(Code::RequestNotFound, "no such service request");
        return Err(refusal.field("/payload/requestId").into());
    };
    if order.provider != provider.id {
        return Err(Error::refused(Code::Forbidden, "only its recipient may answer an order"));
    }
    if order.requester != recipient.id {
        return Err(Error::refused(Code::Forbidden, "an order is answered to who sent it"));
    }
    if order.is_overdue(cx.now()) {
        return Err(Error::Overdue(Overdue::Request(order.id)));
    }
    let charged = charge(&order, response)?;
    if order.state != RequestStatus::Open {
        let message = format!("the order is {}", order.state);
        return Err(Refusal::new(Code::RequestClosed, message).hint(order.state.as_str()).into());
    }
    refuse_escrow(cx, provider, &order, &response.status)?;
    let outcome = match response.status {
        ResponseStatus::Completed => Some(RequestStatus::Completed),
        ResponseStatus::Rejected => Some(RequestStatus::Rejected),
        ResponseStatus::Error => Some(RequestStatus::Error),
        _ => None,
    };
    Ok(Answer { order, outcome, charged })
}

/// The order with this id, locked together with its escrow.
fn take(cx: &mut Cx<'_, '_>, id: &MessageId) -> Result<Option<Record>> {
    cx.tx.lock(
        sql!(
            "select id from escrow
             where id = (select escrow from service_request where id = $1) for update"
        ),
        values![id],
    )?;
    cx.tx.lock(sql!("select id from service_request where id = $1 for update"), values![id])?;
    by_id(cx, id)
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
            let message = "chargedCredits must be left out, 0, or the amount of the escrow";
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
            let message = "chargedCredits must be left out or 0 on delivered";
            refused(Code::InvalidServiceMessage, message.to_owned())
        }
        _ => Ok(None),
    }
}

/// Completed needs a released escrow, delivered one that was delivered.
fn refuse_escrow(
    cx: &mut Cx<'_, '_>,
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
        _ => return Ok(()),
    };
    let (escrow, _) = escrow::of_party(cx, id, provider)?;
    if wanted.contains(&escrow.status) {
        return Ok(());
    }
    let words: Vec<&str> = wanted.iter().map(EscrowStatus::as_str).collect();
    let message = format!("the escrow is {}, and must be {}", escrow.status, words.join(" or "));
    Err(Refusal::new(Code::WrongState, message).hint(escrow.status.as_str()).into())
}

/// Gives the answer that came with this message: a closing one settles the order's credits.
pub fn close(cx: &mut Cx<'_, '_>, message: &MessageId, answer: &Answer) -> Result<()> {
    let Some(outcome) = &answer.outcome else {
        return Ok(());
    };
    let provider = answer.order.provider.clone();
    end(cx, &answer.order, outcome, answer.charged, Some((message, &provider)))
}

/// Ends an order whose time is over; nothing happens when it is not, or somebody was quicker.
pub fn expire(cx: &mut Cx<'_, '_>, id: &MessageId) -> Result<()> {
    match take(cx, id)?.filter(|order| order.is_overdue(cx.now())) {
        Some(order) => end(cx, &order, &RequestStatus::Expired, None, None),
        None => Ok(()),
    }
}

fn end(
    cx: &mut Cx<'_, '_>,
    order: &Record,
    outcome: &RequestStatus,
    charged: Option<Credits>,
    answer: Option<(&MessageId, &UserId)>,
) -> Result<()> {
    let (message, by) = answer.unzip();
    let now = cx.now();
    let rows = cx.tx.execute(
        sql!(
            "update service_request
             set state = $1, charged = $2, closed_at = $3, response_message = $4, due_at = null
             where id = $5 and state = 'open'"
        ),
        values![outcome, charged, now, message, order.id],
    )?;
    if rows == 0 {
        return Err(Error::refused(Code::RequestClosed, "the order is over"));
    }
    settle(cx, order, charged, by)?;
    tell(cx, order, outcome, charged, by)
}

/// Pays what is charged out of the hold, and gives the rest back.
fn settle(
    cx: &mut Cx<'_, '_>,
    order: &Record,
    charged: Option<Credits>,
    by: Option<&UserId>,
) -> Result<()> {
    let offered = order.offered.micros();
    if order.escrow.is_some() || offered == 0 {
        return Ok(());
    }
    let charged = charged.map_or(0, Credits::micros);
    let cause =
        Cause { kind: TransferKind::Settle, reference: order.id.as_str(), reason: None, actor: by };
    let entries = [
        (Holder::Hold(order.id.as_str()), -offered),
        (Holder::User(&order.provider), charged),
        (Holder::User(&order.requester), offered - charged),
    ];
    ledger::post(cx, &cause, &entries).map(|_| ())
}
