//! A service, and the form to order it.

use askama::Template;
use serde_json::{Map, Value};
use svc_store::error::{Error, Refusal, Result};
use svc_types::api::bots::{Capability, GetCapabilities};
use svc_types::api::credits::GetCredits;
use svc_types::api::escrow::{CancelEscrow, CreateEscrow, EscrowEnvelope, EscrowStatus};
use svc_types::api::messages::{MessageEnvelope, SendMessage};
use svc_types::api::orders::Review;
use svc_types::api::services::{ListServiceReviews, ServiceSample};
use svc_types::api::users::{GetUser, User};
use svc_types::service_message::ServiceMessage;
use svc_types::{Balance, Code, Credits, ServiceRequest};

use super::content::{self, Part};
use super::order_form::Sheet;
use super::share::Card;
use super::{Flash, Frame, format};
use crate::http::{Done, Form, Html, PageContext, PageRequest, Pages};
use crate::language::Language;

/// From this price on, escrow is preselected (spec §8): the buyer reviews the result before the
/// credits are paid. A cheaper service can be paid by escrow too.
const ESCROW_ADVISED: Credits = Credits::from_micros(50_000_000);

/// The prefix of the input's fields.
const INPUT: &str = "input";

const PATH: &str = "/@{username}/services/{serviceId}";

/// The pages of this feature.
pub(super) fn pages() -> Pages {
    Pages::new().get(PATH, show).form_after::<CreateEscrow, SendMessage, CancelEscrow>(
        PATH,
        show,
        escrow,
        order,
        |opened| CancelEscrow { escrow_id: opened.escrow.id.clone(), reason: None },
        ordered,
    )
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
    card: Card,
    /// Reviews of the service, newest first.
    reviews: Vec<Review>,
    samples: Vec<[Vec<Part>; 2]>,
    /// The seller's time to answer, and the buyer's time to review the work.
    answer: String,
    review: String,
}

fn show(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let service = service(context, request)?;
    let provider = context.ask(&request.decode::<GetUser>()?)?.user;
    let available = match context.account() {
        Some(_) => Some(context.ask(&GetCredits {})?.credits.available),
        None => None,
    };
    let price: Balance = service.price_credits.bounded();
    let rules = &context.app().config.exchange;
    let [answer, review] =
        [rules.request_life, rules.review_window].map(|time| hours(request.language, time));
    let output = service.output_schema.as_ref();
    let reviews = ListServiceReviews { service_id: service.id.clone(), limit: None, cursor: None };
    let reviews = context.ask(&reviews)?.reviews;
    Html::of(&Page {
        frame: Frame::of(context, request, service.name.clone())?,
        form: request.form::<SendMessage>(),
        sheet: sheet(&service, request),
        output: output.map(|schema| super::view::pretty(&Value::Object(schema.clone()))),
        available,
        left: available
            .filter(|available| *available >= price)
            .and_then(|available| available.checked_sub(price)),
        usual_pay: if service.price_credits >= ESCROW_ADVISED { "escrow" } else { "direct" },
        card: Card::of_service(request.language, &service, &provider),
        provider,
        reviews,
        samples: samples(request.language, &service),
        answer,
        review,
        service: &service,
    })
}

/// The service's samples: each request with its result.
pub(super) fn samples(language: Language, service: &Capability) -> Vec<[Vec<Part>; 2]> {
    let [input, output] = [service.input_schema.as_ref(), service.output_schema.as_ref()];
    let shown = |sample: &ServiceSample| {
        [(&sample.input, input), (&sample.output, output)]
            .map(|(object, schema)| content::request(language, object, schema))
    };
    service.samples.iter().map(shown).collect()
}

/// The form of an order; on request, filled in with the service's sample.
fn sheet(service: &Capability, request: &PageRequest) -> Sheet {
    let sheet = Sheet::of(request.language, INPUT, service.input_schema.as_ref());
    match service.samples.first().filter(|_| request.field("example").is_some()) {
        Some(sample) => sheet.filled(&sample.input),
        None => sheet,
    }
}

/// A duration in words.
pub(super) fn hours(language: Language, time: std::time::Duration) -> String {
    let hours = time.as_secs() / 3600;
    let (count, id) = match hours {
        0 => (time.as_secs() / 60, "span-minutes"),
        49.. if hours.is_multiple_of(24) => (hours / 24, "span-days"),
        _ => (hours, "span-hours"),
    };
    language.message(id).count(count).to_string()
}

/// The service in its current version.
fn service(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Capability> {
    let offered = context.ask(&request.decode::<GetCapabilities>()?)?.capabilities;
    let id = request.field("serviceId").unwrap_or_default();
    let found = offered.into_iter().find(|service| service.id.as_str() == id);
    found.ok_or_else(|| Error::not_found("service"))
}

/// The order to confirm, with the displayed price and a valid input. Everything is checked before
/// credits move.
fn checked(
    context: &mut PageContext<'_>,
    request: &PageRequest,
) -> Result<(Capability, Map<String, Value>)> {
    context.signed_in()?;
    let service = service(context, request)?;
    let shown = request.field("price").unwrap_or_default();
    if shown != service.price_credits.to_string() {
        let price = format::price(request.language, service.price_credits);
        let message = request.t("service-price-changed").with("price", price);
        let refusal = Refusal::new(Code::VersionMismatch, message).field("price");
        return Err(refusal.hint(request.t("service-price-changed-hint")).into());
    }
    let schema = service.input_schema.as_ref();
    let input = Sheet::of(request.language, INPUT, schema).read(schema, request)?;
    Ok((service, input))
}

/// The escrow that pays, if one was chosen.
fn escrow(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Option<CreateEscrow>> {
    let (service, _) = checked(context, request)?;
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
    let (service, input) = checked(context, request)?;
    if opened.is_some_and(|opened| opened.escrow.status == EscrowStatus::Created) {
        let price = format::price(request.language, service.price_credits);
        let message = request.t("service-unaffordable").with("price", price);
        return Err(Error::refused(Code::InsufficientCredits, message));
    }
    let order = ServiceMessage::Request(ServiceRequest {
        service_id: service.id,
        service_name: service.name.into(),
        input,
        offered_credits: service.price_credits,
        escrow_id: opened.map(|opened| opened.escrow.id.clone()),
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
