//! An order with what became of it.

use askama::Template;
use svc_types::Code;
use svc_types::api::messages::{GetMessage, RequestStatus, SendMessage};

use super::Frame;
use super::answer::Answering;
use super::letter::{Kind, Letter};
use crate::error::{Error, Result};
use crate::http::{Form, Html, Look, PageRequest, Pages};

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
    is_open: bool,
    /// What who looks may answer; what was typed stays, though somebody else was quicker.
    answering: Option<Answering>,
}

pub(super) fn show(look: &mut Look<'_>, request: &PageRequest) -> Result<Html> {
    look.signed_in()?;
    let order = Letter::of(look.ask(&request.decode::<GetMessage>()?)?.message);
    let Kind::Order(asked) = &order.kind else { return Err(Error::not_found("order")) };
    let title = format!("Order: {}", asked.service_name);
    let state = order.message.request.as_ref();
    let answer = match state.and_then(|state| state.response_message_id.clone()) {
        None => None,
        Some(message_id) => match look.ask(&GetMessage { message_id }) {
            Ok(found) => Some(Letter::of(found.message)),
            // It was deleted on this side.
            Err(error) if error.code() == Code::NotFound => None,
            Err(error) => return Err(error),
        },
    };
    let is_open = state.is_some_and(|state| state.status == RequestStatus::Open);
    let form = request.form::<SendMessage>();
    let answering = if is_open || form.is_typed() { Answering::of(look, &order)? } else { None };
    let frame = Frame::of(look, request, title)?;
    Html::of(&Page { frame, form, order, answer, is_open, answering })
}
