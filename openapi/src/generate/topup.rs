//! The route that sells credits for tokens: x402 says what to pay, and how, in headers.

use schemars::{JsonSchema, SchemaGenerator};
use svc_types::api::billing::{CreateCheckout, GetPayment, PaymentEnvelope};
use svc_types::{Code, Endpoint, PositiveCredits, Who, samples};
use utoipa::openapi::path::{HttpMethod, Operation, Parameter, ParameterIn};
use utoipa::openapi::schema::{Object, Type};
use utoipa::openapi::{Paths, RefOr, Required, Response};

use crate::generate::header::{CONSISTENCY, PAYMENT, REQUEST_ID};
use crate::generate::refusal::Shared;
use crate::generate::schema::typed;
use crate::generate::{answer, caller, example, schema};

/// Where the route is.
const PATH: &str = "/v1/credits/x402";

/// Most bytes of the header with a payment.
const PAYMENT_MAX: usize = 8 * 1024;

const DETAILS: &str = "\
The answer to a request without a payment is 402, and its header PAYMENT-REQUIRED says what to sign: USDC by \
the scheme `exact` with an authorization of EIP-3009. Libraries of x402 version 2 sign it and send the request \
again with PAYMENT-SIGNATURE. The chain decides: 200 once the tokens came and are deep enough, 202 while that \
is unknown. After 202 read the payment with `waitSeconds`, or send the same header again, and never sign another \
payment. A signed payment buys once, however often it is sent. It may be valid for an hour at most, and must be \
for 30 seconds more. Such payments are final: they can't be refunded.";

/// Adds the route. Its callers are those of a purchase by card.
pub(crate) fn add(paths: &mut Paths, shared: &mut Shared) {
    let checkout = paths.paths.get(CreateCheckout::PATH).and_then(|item| item.post.clone());
    let operation = topup(checkout.expect("credits are sold by card"), shared);
    paths.add_path_operation(PATH, vec![HttpMethod::Post], operation);
}

fn topup(checkout: Operation, shared: &mut Shared) -> Operation {
    let mut topup = checkout;
    topup.operation_id = Some("topUpCredits".to_owned());
    topup.summary = Some("Buy credits with tokens, by x402".to_owned());
    let callers = caller::sentence(Who::Account, CreateCheckout::SCOPES);
    topup.description = Some(format!("{DETAILS}\n\n{callers}"));
    topup.extensions = None;
    topup.request_body = None;
    topup.parameters = Some(vec![credits().into(), payment().into()]);
    let answers = &mut topup.responses.responses;
    answers.remove("201");
    let [required, _, settled] = PAYMENT;
    let headers = [REQUEST_ID, CONSISTENCY, settled];
    answers.insert("200".to_owned(), taken("The credits were added.", &headers).into());
    let open = "The chain has not decided yet: the payment is `open`.";
    answers.insert("202".to_owned(), taken(open, &[REQUEST_ID, CONSISTENCY]).into());
    let mut unpaid = shared.of_route(&[Code::PaymentRequired]);
    if let RefOr::T(unpaid) = &mut unpaid {
        unpaid.headers.extend(answer::empty("", &[required]).headers);
    }
    answers.insert("402".to_owned(), unpaid);
    for (status, codes) in [
        ("400", &[Code::ValidationFailed, Code::UnknownParameter, Code::AmountNotExact][..]),
        ("409", &[Code::LimitReached, Code::PaymentUsed]),
        (
            "503",
            &[
                Code::FeatureNotConfigured,
                Code::ProviderUnavailable,
                Code::StorageFull,
                Code::StorageUnavailable,
                Code::OutcomeUnknown,
                Code::Overloaded,
            ],
        ),
    ] {
        answers.insert(status.to_owned(), shared.of_route(codes));
    }
    topup
}

fn taken(description: &str, headers: &[&str]) -> Response {
    let payment = schema::reference(&PaymentEnvelope::schema_name());
    let sample = samples::answer(GetPayment::NAME).map(example::one).unwrap_or_default();
    answer::json(description, payment, sample, headers)
}

fn credits() -> Parameter {
    let schema = PositiveCredits::json_schema(&mut SchemaGenerator::default());
    Parameter::builder()
        .name("credits")
        .parameter_in(ParameterIn::Query)
        .required(Required::True)
        .description(Some("How many credits to buy, from `min` to `max` of `GET /v1/billing`."))
        .schema(Some(typed(schema.into())))
        .build()
}

fn payment() -> Parameter {
    let [_, signature, _] = PAYMENT;
    let text = Object::builder().schema_type(Type::String).max_length(Some(PAYMENT_MAX));
    Parameter::builder()
        .name(signature)
        .parameter_in(ParameterIn::Header)
        .required(Required::False)
        .description(Some(
            "The signed payment: base64 of JSON, a `PaymentPayload` of x402 version 2.",
        ))
        .schema(Some(text))
        .build()
}
