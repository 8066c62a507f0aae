//! Answering an order, as the provider of the service.

use askama::Template;
use serde_json::{Map, Value, json};
use svc_store::error::{Error, Result};
use svc_types::api::bots::{Capability, GetCapabilities};
use svc_types::api::escrow::{EscrowStatus, GetEscrow};
use svc_types::api::messages::{GetMessage, MessageEnvelope, SendMessage};
use svc_types::service_message::{ResponseStatus, ServiceMessage};
use svc_types::{Code, Credits, EscrowId, ServiceRequest, ServiceResponse};

use super::letter::{Kind, Letter};
use super::order_form::Sheet;
use super::{Flash, Frame, orders};
use crate::http::{Done, Form, Html, PageContext, PageRequest, Pages};

/// The prefix of the output's fields, as the API names it in refusals.
const OUTPUT: &str = "payload.output";

/// The pages of this feature.
pub(super) fn pages() -> Pages {
    let decline = "/orders/{messageId}/decline";
    Pages::new()
        .form_by::<SendMessage>("/orders/{messageId}", orders::show, completed, |_, answer| {
            at(answer, Flash::OrderAnswered)
        })
        .get(decline, ask_decline)
        .form_by::<SendMessage>(decline, ask_decline, declined, |_, answer| {
            at(answer, Flash::OrderDeclined)
        })
}

fn at(answer: &MessageEnvelope, flash: Flash) -> Done {
    let done = match Letter::of(answer.message.clone()).kind {
        Kind::Answer(answer) => format!("/orders/{}", answer.request_id),
        Kind::Text | Kind::Order(_) => "/messages".to_owned(),
    };
    Done::to(done).say(flash)
}

/// The form of an answer.
pub(super) enum Answering {
    /// The output, and the highest price.
    Output { sheet: Sheet, price: Credits },
    /// No form: the work is delivered on the page of the deal that pays.
    Deal { escrow: EscrowId, is_to_deliver: bool },
}

impl Answering {
    /// The form, if the visitor may answer the order.
    pub(super) fn of(context: &mut PageContext<'_>, letter: &Letter) -> Result<Option<Self>> {
        let Kind::Order(order) = &letter.kind else { return Ok(None) };
        if context.signed_in()?.id != letter.message.recipient.id {
            return Ok(None);
        }
        if let Some(escrow_id) = order.escrow_id.clone() {
            let escrow = context.ask(&GetEscrow { escrow_id })?.escrow;
            let is_to_deliver = escrow.status == EscrowStatus::Funded;
            return Ok(Some(Self::Deal { escrow: escrow.id, is_to_deliver }));
        }
        let sheet = Sheet::of(OUTPUT, Some(&schema(context, order)?));
        Ok(Some(Self::Output { sheet, price: order.offered_credits }))
    }
}

/// The output as the service's schema describes it, or a text without a schema.
fn schema(context: &mut PageContext<'_>, order: &ServiceRequest) -> Result<Map<String, Value>> {
    let username = context.signed_in()?.username.as_str().into();
    let offered = match context.ask(&GetCapabilities { username }) {
        Ok(offered) => offered.capabilities,
        Err(error) if error.code() == Code::NotFound => Vec::new(),
        Err(error) => return Err(error),
    };
    let is_it = |service: &Capability| service.id == order.service_id;
    let told = offered.into_iter().find(is_it).and_then(|service| service.output_schema);
    let text = || {
        let text = json!({ "type": "string", "minLength": 1, "title": "Your answer" });
        Map::from_iter([
            ("properties".to_owned(), json!({ "text": text })),
            ("required".to_owned(), json!(["text"])),
        ])
    };
    Ok(told.unwrap_or_else(text))
}

/// The order in a path, if the visitor may answer it.
fn order(context: &mut PageContext<'_>, request: &PageRequest) -> Result<(Letter, ServiceRequest)> {
    let own = context.signed_in()?.id.clone();
    let letter = Letter::of(context.ask(&request.decode::<GetMessage>()?)?.message);
    match &letter.kind {
        Kind::Order(order) if letter.message.recipient.id == own => {
            let order = order.clone();
            Ok((letter, order))
        }
        _ => Err(Error::not_found("order of your services")),
    }
}

/// Completes the order.
fn completed(context: &mut PageContext<'_>, request: &PageRequest) -> Result<SendMessage> {
    let (letter, order) = order(context, request)?;
    let schema = schema(context, &order)?;
    let output = Sheet::of(OUTPUT, Some(&schema)).read(Some(&schema), request)?;
    let charged = request.field("payload.chargedCredits").map(str::parse::<Credits>).transpose();
    let charged =
        charged.map_err(|error| Error::invalid("payload.chargedCredits", error.to_string()))?;
    Ok(answer(&letter, ResponseStatus::Completed, output, charged))
}

/// Declines the order.
fn declined(context: &mut PageContext<'_>, request: &PageRequest) -> Result<SendMessage> {
    let (letter, _) = order(context, request)?;
    let reason = request.field("payload.output.reason").unwrap_or_default();
    let output = Map::from_iter([("reason".to_owned(), Value::from(reason))]);
    Ok(answer(&letter, ResponseStatus::Rejected, output, None))
}

fn answer(
    order: &Letter,
    status: ResponseStatus,
    output: Map<String, Value>,
    charged_credits: Option<Credits>,
) -> SendMessage {
    let response = ServiceResponse {
        request_id: order.message.message_id.clone(),
        status,
        output: Some(output),
        charged_credits,
    };
    SendMessage {
        recipient_username: order.message.sender.username.as_str().into(),
        content: ServiceMessage::Response(response).content().into(),
        schema: None,
        payload: None,
        reply_to_id: None,
        client_message_id: None,
        automated: None,
        plain: None,
    }
}

#[derive(Template)]
#[template(path = "order_decline.html")]
struct Decline<'a> {
    frame: Frame,
    form: Form<'a>,
    letter: Letter,
    has_orders: bool,
}

fn ask_decline(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let (letter, _) = order(context, request)?;
    let frame = Frame::of(context, request, "Decline the order")?;
    Html::of(&Decline { frame, form: request.form::<SendMessage>(), letter, has_orders: true })
}
