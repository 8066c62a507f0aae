//! An order with its outcome.

use askama::Template;
use svc_store::error::{Error, Result};
use svc_types::Code;
use svc_types::api::escrow::{EscrowStatus, GetEscrow, is_terminal};
use svc_types::api::messages::{GetMessage, Message, RequestStatus, SendMessage};

use super::Frame;
use super::answer::Answering;
use super::case::Case;
use super::deal_acts::Act;
use super::deals;
use super::letter::{Kind, Letter};
use crate::http::{Form, Html, PageContext, PageRequest, Pages};

/// The pages of this feature.
pub(super) fn pages() -> Pages {
    Pages::new().get("/orders/{messageId}", show)
}

#[derive(Template)]
#[template(path = "order.html")]
struct Page<'a> {
    frame: Frame,
    form: Form<'a>,
    order: Letter,
    answer: Option<Letter>,
    /// The deal that pays, and the visitor's actions on it.
    case: Option<Case>,
    own: Vec<Act>,
    is_open: bool,
    is_party: bool,
    /// The form of the answer. Submitted fields are preserved even if the order was answered
    /// meanwhile.
    answering: Option<Answering>,
}

pub(super) fn show(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let (id, name) = own(context)?;
    let mut order = Letter::of(context.ask(&request.decode::<GetMessage>()?)?.message);
    let Kind::Order(asked) = &order.kind else { return Err(Error::not_found("order")) };
    let title = format!("Order: {}", asked.service_name);
    let case = case(context, &order)?;
    let side = case.as_ref().and_then(|case| deals::side(&case.escrow, &name));
    order.stands = case.as_ref().and_then(|case| stands(&order.message, case));
    let is_open = is_open(&order.message);
    let form = request.form::<SendMessage>();
    let answering = if is_open || form.is_typed() { Answering::of(context, &order)? } else { None };
    let frame = Frame::of(context, request, title)?;
    Html::of(&Page {
        frame,
        form,
        answer: answer(context, &order.message)?,
        own: case
            .as_ref()
            .zip(side)
            .map(|(it, side)| deals::open_to(&it.escrow, side))
            .unwrap_or_default(),
        is_open: is_open || case.as_ref().is_some_and(|case| !is_terminal(&case.escrow.status)),
        is_party: [&order.message.sender.id, &order.message.recipient.id].contains(&&id),
        case,
        answering,
        order,
    })
}

/// Id and username of the visitor.
fn own(context: &mut PageContext<'_>) -> Result<(svc_types::UserId, String)> {
    let account = context.signed_in()?;
    Ok((account.id.clone(), account.username.clone()))
}

fn is_open(order: &Message) -> bool {
    order.request.as_ref().is_some_and(|request| request.status == RequestStatus::Open)
}

/// The deal that pays for an order; `None` once it pays for another one.
fn case(context: &mut PageContext<'_>, order: &Letter) -> Result<Option<Case>> {
    let request = order.message.request.as_ref();
    let Some(escrow_id) = request.and_then(|request| request.escrow_id.clone()) else {
        return Ok(None);
    };
    let escrow = context.ask(&GetEscrow { escrow_id })?.escrow;
    let is_its = escrow.request_id.as_ref() == Some(&order.message.message_id);
    Ok(is_its.then(|| Case::of_order(escrow)))
}

/// The state of an order that a deal pays for, with the labels of deals so that both pages agree.
/// An order declined before the delivery leaves its credits in the deal.
fn stands(order: &Message, case: &Case) -> Option<(&'static str, &'static str)> {
    let request = order.request.as_ref()?;
    match (&case.escrow.status, &request.status) {
        (EscrowStatus::Funded, RequestStatus::Rejected) => {
            Some(("bad", "Declined; the deal still holds the credits"))
        }
        (EscrowStatus::Funded, RequestStatus::Error) => {
            Some(("bad", "Failed; the deal still holds the credits"))
        }
        (status, _) => Some(deals::state(status)),
    }
}

/// The answer that closed an order, or that matches how its deal ended.
pub(super) fn answer(context: &mut PageContext<'_>, order: &Message) -> Result<Option<Letter>> {
    let request = order.request.as_ref();
    match request.and_then(|request| request.response_message_id.clone()) {
        None => Ok(None),
        Some(message_id) => letter(context, message_id),
    }
}

/// A message, unless the visitor deleted it.
pub(super) fn letter(
    context: &mut PageContext<'_>,
    message_id: svc_types::MessageId,
) -> Result<Option<Letter>> {
    match context.ask(&GetMessage { message_id }) {
        Ok(found) => Ok(Some(Letter::of(found.message))),
        Err(error) if error.code() == Code::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}
