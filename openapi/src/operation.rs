//! One endpoint as an operation.

use http::{Method, StatusCode};
use svc_types::api::auth::{Login, Logout, Register};
use svc_types::api::embeds::GetEmbed;
use svc_types::samples;
use svc_types::{By, Code, Cost, Endpoint, Who};
use utoipa::openapi::Response;
use utoipa::openapi::path::{Operation, OperationBuilder};

use crate::example::{self, Examples};
use crate::refusal::Shared;
use crate::request::Request;
use crate::schema::Schemas;
use crate::{answer, caller, header, wording};

/// Endpoints that set or clear the session cookie, which declarations do not express.
const SETS_COOKIE: [&str; 3] = [Register::NAME, Login::NAME, Logout::NAME];

/// Endpoints that respond with a page unless JSON is requested.
const ANSWERS_PAGE: [&str; 1] = [GetEmbed::NAME];

/// What such a page looks like.
const EMBED_PAGE: &str = "<!doctype html><html lang=\"en\"><title>Bob (@bob)</title></html>";

/// Describes an endpoint. Schemas and errors shared with other endpoints are added to the shared
/// ones.
pub(crate) fn operation<E: Endpoint>(
    sample: &E,
    schemas: &mut Schemas,
    shared: &mut Shared,
) -> Operation {
    let (summary, details) = wording::summary_and_details(E::DOC);
    let sentence = caller::of::<E>();
    let details = [details.as_str(), &sentence];
    let request = Request::of(sample, schemas);
    let mut operation = OperationBuilder::new()
        .tag(E::FEATURE)
        .summary(Some(summary))
        .description(Some(details.join("\n\n").trim_start()))
        .operation_id(Some(wording::camel_case(E::NAME)))
        .securities(Some(caller::requirements(E::By::WHO, E::SCOPES)))
        .request_body(request.body)
        .response(E::STATUS.as_str(), success::<E>(schemas));
    if E::DELAYED {
        let pending = pending::<E>(schemas);
        operation = operation.response(StatusCode::ACCEPTED.as_str(), pending);
    }
    if E::RESUMABLE {
        let again = created_before::<E>(schemas);
        operation = operation.response(StatusCode::OK.as_str(), again);
    }
    for parameter in request.parameters {
        operation = operation.parameter(parameter);
    }
    if takes_idempotency_key::<E>() {
        operation = operation.parameter_ref(header::idempotency_key());
    }
    for (status, response) in shared.refusals::<E>() {
        operation = operation.response(status.as_str(), response);
    }
    operation.build()
}

/// Whether a call can be repeated with a key: every POST with a known caller, or declared so.
pub(crate) fn takes_idempotency_key<E: Endpoint>() -> bool {
    E::METHOD == Method::POST && (E::By::WHO != Who::Anyone || E::REPEATABLE)
}

/// Whether responses carry rate limit headers: if the endpoint declares the limit.
pub(crate) fn is_limited<E: Endpoint>() -> bool {
    E::FAILS.contains(&Code::RateLimited)
}

/// The response to a change that waits.
fn pending<E: Endpoint>(schemas: &mut Schemas) -> Response {
    let (schema, _) = schemas.answer::<E::Response>();
    let description = "Nothing has changed yet: the change is pending until `pendingUntil`.";
    answer::json(description.to_owned(), schema, sample_answer::<E>(), &[header::REQUEST_ID])
}

fn sample_answer<E: Endpoint>() -> Examples {
    let answer = samples::answer(E::NAME);
    example::one(answer.unwrap_or_else(|| panic!("{} has no sample answer", E::NAME)))
}

/// The response with what an equal request created before.
fn created_before<E: Endpoint>(schemas: &mut Schemas) -> Response {
    let (schema, _) = schemas.answer::<E::Response>();
    let description = "An equal request created it before; nothing has changed.";
    let headers = [header::REQUEST_ID, header::IDEMPOTENT_REPLAYED];
    answer::json(description.to_owned(), schema, sample_answer::<E>(), &headers)
}

fn success<E: Endpoint>(schemas: &mut Schemas) -> Response {
    let (schema, description) = schemas.answer::<E::Response>();
    let mut headers = vec![header::REQUEST_ID];
    if is_limited::<E>() && E::STATUS == StatusCode::CREATED {
        headers.extend(header::WINDOW);
    }
    if E::COST != Cost::Free {
        headers.extend(header::BUDGETS);
    }
    if takes_idempotency_key::<E>() && (E::REPEATABLE || !E::SECRET) {
        headers.push(header::IDEMPOTENT_REPLAYED);
    }
    if SETS_COOKIE.contains(&E::NAME) {
        headers.push(header::SET_COOKIE);
    }
    let mut success = answer::json(description, schema, sample_answer::<E>(), &headers);
    if ANSWERS_PAGE.contains(&E::NAME) {
        success.content.insert(answer::HTML.to_owned(), answer::text(EMBED_PAGE).into());
    }
    success
}
