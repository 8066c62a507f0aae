//! Delivering an instant order, as its seller.

use askama::Template;
use serde_json::{Map, Value, json};
use svc_store::error::{Error, Result};
use svc_types::Credits;
use svc_types::api::orders::{AnswerOrder, GetOrder, OrderEnvelope, ServiceOrder};
use svc_types::service_message::ResponseStatus;

use super::order_form::Sheet;
use super::orders::view::View;
use super::{Flash, Frame, orders};
use crate::http::{Done, Form, Html, PageContext, PageRequest, Pages};
use crate::language::Language;

/// The prefix of the output's fields, as the API names it in refusals.
const OUTPUT: &str = "output";

/// The pages of this feature.
pub(super) fn pages() -> Pages {
    let decline = "/orders/{orderId}/decline";
    Pages::new()
        .form_by::<AnswerOrder>("/orders/{orderId}", orders::show, completed, |_, answer| {
            at(answer, Flash::OrderAnswered)
        })
        .get(decline, ask_decline)
        .form_by::<AnswerOrder>(decline, ask_decline, declined, |_, answer| {
            let is_free = answer.order.offered_credits.is_zero();
            at(answer, if is_free { Flash::EscrowEndedUnpaid } else { Flash::OrderDeclined })
        })
}

fn at(answer: &OrderEnvelope, flash: Flash) -> Done {
    Done::to(format!("/orders/{}", answer.order.id)).say(flash)
}

/// The form with which the seller delivers.
pub(super) struct Answering {
    pub(super) sheet: Sheet,
    /// The highest price.
    pub(super) price: Credits,
}

impl Answering {
    /// The form, if the visitor sells the order and no escrow pays for it.
    pub(super) fn of(context: &mut PageContext<'_>, view: &View) -> Result<Option<Self>> {
        let Some(order) = view.order.as_ref().filter(|_| view.is_seller()) else { return Ok(None) };
        if order.escrow_id.is_some() {
            return Ok(None);
        }
        context.signed_in()?;
        let declared = view.service.as_ref().and_then(|service| service.output_schema.clone());
        let sheet = Sheet::of(view.language, OUTPUT, Some(&schema(view.language, declared)));
        Ok(Some(Self { sheet, price: order.offered_credits }))
    }
}

/// The output as the service's schema describes it, or a text without a schema.
fn schema(language: Language, declared: Option<Map<String, Value>>) -> Map<String, Value> {
    declared.unwrap_or_else(|| {
        let title = language.text("order-result");
        let text = json!({ "type": "string", "minLength": 1, "title": title });
        Map::from_iter([
            ("properties".to_owned(), json!({ "text": text })),
            ("required".to_owned(), json!(["text"])),
        ])
    })
}

/// The order in a path, if the visitor sells it.
fn sold(context: &mut PageContext<'_>, request: &PageRequest) -> Result<ServiceOrder> {
    let own = context.signed_in()?.id.clone();
    let order_id = request.field("orderId").unwrap_or_default().into();
    let asked = GetOrder { order_id, wait_seconds: None, after_version: None };
    let order = context.ask(&asked)?.order;
    if order.provider.id == own {
        Ok(order)
    } else {
        Err(Error::not_found("order of your services"))
    }
}

/// Completes the order.
fn completed(context: &mut PageContext<'_>, request: &PageRequest) -> Result<AnswerOrder> {
    let order = sold(context, request)?;
    let order_id = order.id.clone();
    let view = View::of_order(context, request, order)?;
    let declared = view.service.and_then(|service| service.output_schema);
    let schema = schema(request.language, declared);
    let output = Sheet::of(request.language, OUTPUT, Some(&schema)).read(Some(&schema), request)?;
    let charged = request.field("chargedCredits").map(str::parse::<Credits>).transpose();
    let charged = charged.map_err(|error| Error::invalid("chargedCredits", error.to_string()))?;
    Ok(AnswerOrder {
        order_id,
        status: ResponseStatus::Completed,
        output: Some(output),
        reason: None,
        error: None,
        charged_credits: charged,
    })
}

/// Declines the order.
fn declined(context: &mut PageContext<'_>, request: &PageRequest) -> Result<AnswerOrder> {
    let order = sold(context, request)?;
    let reason = request.field("reason");
    let missing = || request.wrong("reason", request.t("order-decline-reason-missing"));
    let reason = reason.ok_or_else(missing)?;
    request
        .with("status", ResponseStatus::Rejected.as_str().to_owned())
        .with("reason", reason.to_owned())
        .decode()
        .map(|answer: AnswerOrder| AnswerOrder { order_id: order.id, ..answer })
}

#[derive(Template)]
#[template(path = "order_decline.html")]
struct Decline<'a> {
    frame: Frame,
    form: Form<'a>,
    order: ServiceOrder,
}

fn ask_decline(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let order = sold(context, request)?;
    let frame = Frame::of(context, request, request.t("order-act-decline"))?;
    Html::of(&Decline { frame, form: request.form::<AnswerOrder>(), order })
}
