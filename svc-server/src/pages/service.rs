//! A service, and the form to order it.

use askama::Template;
use serde_json::{Map, Value};
use svc_store::error::{Error, Refusal, Result};
use svc_types::api::bots::{Capability, GetCapabilities};
use svc_types::api::credits::GetCredits;
use svc_types::api::escrow::{
    CancelEscrow, CreateEscrow, Escrow, EscrowEnvelope, EscrowStatus, GetEscrow,
};
use svc_types::api::messages::{MessageEnvelope, SendMessage};
use svc_types::api::orders::{GetOrder, Review, ServiceOrder};
use svc_types::api::services::{ListServiceReviews, ServiceSample};
use svc_types::api::users::{GetUser, User};
use svc_types::service_message::ServiceMessage;
use svc_types::{Balance, Code, Credits, EscrowId, MessageId, ServiceId, ServiceRequest};

use super::content::{self, Part};
use super::order_form::Sheet;
use super::orders::view::holds_for;
use super::share::Card;
use super::{Flash, Frame, format};
use crate::http::{Done, FirstStep, Form, Html, PageContext, PageRequest, Pages};
use crate::language::Language;

/// From this price on, escrow is preselected (spec §8): the buyer reviews the result before the
/// credits are paid. A cheaper service can be paid by escrow too.
const ESCROW_ADVISED: Credits = Credits::from_micros(50_000_000);

/// The payment by the escrow of an earlier order, which still holds the credits.
const HELD: &str = "held";

/// The prefix of the input's fields.
const INPUT: &str = "input";

const PATH: &str = "/@{username}/services/{serviceId}";

/// A picture in a sample.
const FILE: &str = "/@{username}/services/{serviceId}/samples/{sample}/files/{name}";

/// The pages of this feature.
pub(super) fn pages() -> Pages {
    let pages = Pages::new().get(FILE, file).get(PATH, show);
    let escrow = FirstStep::<CreateEscrow, CancelEscrow> {
        ask: escrow,
        undo: |opened| CancelEscrow { escrow_id: opened.escrow.id.clone(), reason: None },
    };
    pages.form_after::<CreateEscrow, SendMessage, CancelEscrow>(PATH, show, escrow, order, ordered)
}

#[derive(Template)]
#[template(path = "service.html")]
struct Page<'a> {
    frame: Frame,
    form: Form<'a>,
    provider: User,
    service: &'a Capability,
    sheet: Sheet,
    output: Option<String>,
    /// The visitor's available credits.
    available: Option<Balance>,
    left: Option<Balance>,
    /// The default payment.
    usual_pay: &'static str,
    /// The earlier order that the form repeats.
    repeats: Option<MessageId>,
    /// The escrow that still holds the credits of that order.
    held: Option<Escrow>,
    card: Card,
    /// Reviews of the service, newest first.
    reviews: Vec<Review>,
    next: Option<String>,
    samples: Vec<[Vec<Part>; 2]>,
    /// The seller's time to answer, and the buyer's time to review the work.
    answer: String,
    review: String,
}

impl Page<'_> {
    /// Whether the form has this payment chosen.
    fn pays(&self, payment: &str) -> bool {
        let chosen = self.form.or("pay", self.usual_pay);
        // The escrow of the earlier order has ended in the meantime.
        let chosen = if chosen == HELD { self.usual_pay } else { chosen };
        chosen == payment
    }
}

fn show(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let service = service(context, request)?;
    let provider = context.ask(&request.decode::<GetUser>()?)?.user;
    let earlier = repeated(context, request, &service)?;
    let available = available(context)?;
    let price: Balance = service.price_credits.bounded();
    let rules = &context.app().config.exchange;
    let [answer, review] = [rules.request_life, rules.review_window]
        .map(|time| format::whole_span(request.language, time));
    let output = service.output_schema.as_ref();
    let (reviews, next) = reviews(context, request, &service.id)?;
    Html::of(&Page {
        frame: Frame::of(context, request, service.name.clone())?,
        form: request.form::<SendMessage>(),
        sheet: sheet(&service, request, earlier.as_ref()),
        output: output.map(|schema| super::view::pretty(&Value::Object(schema.clone()))),
        available,
        left: available
            .filter(|available| *available >= price)
            .and_then(|available| available.checked_sub(price)),
        usual_pay: if service.price_credits >= ESCROW_ADVISED { "escrow" } else { "direct" },
        held: held(context, earlier.as_ref())?,
        repeats: earlier.map(|order| order.id),
        card: Card::of_service(context, request.language, &service, &provider)?,
        samples: samples(request.language, &service, Some(&provider.username)),
        provider,
        reviews,
        next,
        answer,
        review,
        service: &service,
    })
}

fn available(context: &mut PageContext<'_>) -> Result<Option<Balance>> {
    match context.account() {
        Some(_) => Ok(Some(context.ask(&GetCredits {})?.credits.available)),
        None => Ok(None),
    }
}

/// A page of the service's reviews, and the link to the next one.
fn reviews(
    context: &mut PageContext<'_>,
    request: &PageRequest,
    service: &ServiceId,
) -> Result<(Vec<Review>, Option<String>)> {
    let page = context.ask(&ListServiceReviews {
        service_id: service.clone(),
        limit: None,
        cursor: request.field("cursor").map(Into::into),
    })?;
    let next = request.next(page.next_cursor.as_ref());
    Ok((page.reviews, next.map(|next| format!("{next}#reviews"))))
}

/// The service's samples: each request with its result. Those of a seller's service that is saved have
/// files.
pub(super) fn samples(
    language: Language,
    service: &Capability,
    seller: Option<&str>,
) -> Vec<[Vec<Part>; 2]> {
    let samples = service.samples.iter().enumerate();
    let shown = samples.map(|(number, sample)| {
        let files = seller.map(|seller| sample_files(seller, &service.id, number));
        sample_parts(language, Some(service), sample, files.as_deref())
    });
    shown.collect()
}

/// The path below which the pictures of a sample are served.
pub(super) fn sample_files(seller: &str, service: &ServiceId, number: usize) -> String {
    format!("/@{seller}/services/{service}/samples/{number}/files")
}

/// A sample with the labels of its service.
pub(super) fn sample_parts(
    language: Language,
    service: Option<&Capability>,
    sample: &ServiceSample,
    files: Option<&str>,
) -> [Vec<Part>; 2] {
    let input = service.and_then(|service| service.input_schema.as_ref());
    let output = service.and_then(|service| service.output_schema.as_ref());
    let request = content::request(language, &sample.input, input);
    [request, content::sample(language, &sample.output, output, files)]
}

/// A part of a sample's result as a file.
fn file(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let service = service(context, request)?;
    let number = request.field("sample").and_then(|number| number.parse::<usize>().ok());
    let sample = number.and_then(|number| service.samples.get(number));
    let schema = service.output_schema.as_ref();
    let name = request.field("name").unwrap_or_default();
    let found = sample.and_then(|sample| content::file(&sample.output, schema, None, name));
    found.map(Html::file).ok_or_else(|| Error::not_found("part of the sample"))
}

/// The form of an order, filled in with the request of an earlier one; or, if asked for, with the
/// service's sample.
fn sheet(service: &Capability, request: &PageRequest, earlier: Option<&ServiceOrder>) -> Sheet {
    let (language, schema) = (request.language, service.input_schema.as_ref());
    if let Some(order) = earlier {
        return Sheet::repeating(language, INPUT, schema, &order.input);
    }
    let sheet = Sheet::of(language, INPUT, schema);
    match service.samples.first().filter(|_| request.field("example").is_some()) {
        Some(sample) => sheet.filled(&sample.input),
        None => sheet,
    }
}

/// The service in its current version.
fn service(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Capability> {
    let offered = context.ask(&request.decode::<GetCapabilities>()?)?.capabilities;
    let id = request.field("serviceId").unwrap_or_default();
    let found = offered.into_iter().find(|service| service.id.as_str() == id);
    found.ok_or_else(|| Error::not_found("service"))
}

/// The visitor's earlier order of the service that the form repeats, if it repeats one.
fn repeated(
    context: &mut PageContext<'_>,
    request: &PageRequest,
    service: &Capability,
) -> Result<Option<ServiceOrder>> {
    let Some(id) = request.field("order") else { return Ok(None) };
    let own = context.signed_in()?.id.clone();
    let asked = GetOrder { order_id: id.into(), wait_seconds: None, after_version: None };
    let order = context.ask(&asked)?.order;
    if order.buyer.id == own && order.service_id == service.id {
        Ok(Some(order))
    } else {
        Err(Error::not_found("order of yours"))
    }
}

/// The escrow that pays for an earlier order when it is sent again.
fn held(context: &mut PageContext<'_>, earlier: Option<&ServiceOrder>) -> Result<Option<Escrow>> {
    let Some(order) = earlier else { return Ok(None) };
    let Some(escrow_id) = order.escrow_id.clone() else { return Ok(None) };
    let escrow = context.ask(&GetEscrow { escrow_id })?.escrow;
    Ok(Some(escrow).filter(|escrow| holds_for(escrow, order)))
}

/// An order to confirm. Everything is checked before credits move.
struct Checked {
    service: Capability,
    input: Map<String, Value>,
    /// The escrow of an earlier order that is to pay, and what it holds.
    held: Option<(EscrowId, Credits)>,
}

/// The order to confirm, with the displayed price and a valid input.
fn checked(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Checked> {
    context.signed_in()?;
    let service = service(context, request)?;
    let earlier = repeated(context, request, &service)?;
    let held = match request.field("pay") {
        Some(HELD) => Some(holder(earlier.as_ref())?),
        _ => None,
    };
    if held.is_none() {
        refuse_other_price(request, service.price_credits)?;
    }
    let sheet = sheet(&service, request, earlier.as_ref());
    let input = sheet.read(service.input_schema.as_ref(), request)?;
    Ok(Checked { service, input, held })
}

/// The escrow of an earlier order. Whether it may still pay is checked where the order is sent: a
/// form that is submitted twice sends it once.
fn holder(earlier: Option<&ServiceOrder>) -> Result<(EscrowId, Credits)> {
    let paid = earlier.and_then(|order| Some((order.escrow_id.clone()?, order.offered_credits)));
    paid.ok_or_else(|| Error::not_found("escrow of an earlier order"))
}

/// 409 if the price changed since it was displayed.
fn refuse_other_price(request: &PageRequest, price: Credits) -> Result<()> {
    if request.field("price").unwrap_or_default() == price.to_string() {
        return Ok(());
    }
    let price = format::price(request.language, price);
    let message = request.t("service-price-changed").with("price", price);
    let refusal = Refusal::new(Code::VersionMismatch, message).field("price").translated();
    Err(refusal.hint(request.t("service-price-changed-hint")).into())
}

/// The escrow that pays, if a new one was chosen.
fn escrow(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Option<CreateEscrow>> {
    let Checked { service, .. } = checked(context, request)?;
    if request.field("pay") != Some("escrow") {
        return Ok(None);
    }
    Ok(Some(CreateEscrow {
        provider_username: request.field("username").unwrap_or_default().into(),
        service_id: service.id,
        amount: service.price_credits.bounded(),
        description: service.name.into(),
        expires_in: match request.field("expiresIn") {
            Some(text) => Some(
                text.parse().map_err(|error| Error::invalid("expiresIn", format!("{error}")))?,
            ),
            None => None,
        },
    }))
}

/// The order itself.
fn order(
    context: &mut PageContext<'_>,
    request: &PageRequest,
    opened: Option<&EscrowEnvelope>,
) -> Result<SendMessage> {
    let Checked { service, input, held } = checked(context, request)?;
    if opened.is_some_and(|opened| opened.escrow.status == EscrowStatus::Created) {
        let price = format::price(request.language, service.price_credits);
        let message = request.t("service-unaffordable").with("price", price);
        return Err(Refusal::new(Code::InsufficientCredits, message).translated().into());
    }
    let (escrow_id, offered_credits) = match held {
        Some((escrow, credits)) => (Some(escrow), credits),
        None => (opened.map(|opened| opened.escrow.id.clone()), service.price_credits),
    };
    let order = ServiceMessage::Request(ServiceRequest {
        service_id: service.id,
        service_name: service.name.into(),
        input,
        offered_credits,
        escrow_id,
    });
    Ok(SendMessage {
        recipient_username: request.field("username").unwrap_or_default().into(),
        content: order.content().into(),
        schema: None,
        payload: None,
        reply_to_id: None,
        client_message_id: None,
        automated: None,
        plain: None,
    })
}

fn ordered(_: &PageRequest, answer: &MessageEnvelope) -> Done {
    Done::to(format!("/orders/{}", answer.message.message_id)).say(Flash::Ordered)
}
