//! One endpoint as an operation.

use http::{Method, StatusCode};
use svc_types::api::auth::{Login, Logout, Register};
use svc_types::api::embeds::GetEmbed;
use svc_types::{By, Code, Cost, Endpoint, Timestamp, Who, samples, wire};
use utoipa::openapi::path::{Operation, OperationBuilder};
use utoipa::openapi::{Deprecated, Response};

use crate::generate::example::{self, Examples};
use crate::generate::refusal::{Shared, has_members};
use crate::generate::request::Request;
use crate::generate::schema::Schemas;
use crate::generate::{answer, caller, header, wording};

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
    let details = [details.as_str(), &sentence, &farewell(E::DEPRECATED)];
    let request = Request::of(sample, schemas);
    let mut operation = OperationBuilder::new()
        .tag(E::FEATURE)
        .summary(Some(summary))
        .description(Some(details.join("\n\n").trim()))
        .deprecated(E::DEPRECATED.map(|_| Deprecated::True))
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
    if takes_preference::<E>() {
        operation = operation.parameter_ref(header::prefer());
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

/// Whether the caller can have unknown members refused: where a body is not strict anyway.
pub(crate) fn takes_preference<E: Endpoint>() -> bool {
    !wire::in_query(&E::METHOD) && !E::STRICT && has_members::<E>()
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
    samples::answer(E::NAME).map(example::one).unwrap_or_default()
}

/// A sentence about the end of a deprecated endpoint.
fn farewell(deprecated: Option<svc_types::endpoint::Deprecated>) -> String {
    let day = |time: Timestamp| time.to_string()[..DAY_LENGTH].to_owned();
    deprecated.map_or_else(String::new, |it| {
        format!("Deprecated since {}, and served until {} at least.", day(it.since), day(it.sunset))
    })
}

/// Length of a date such as `2026-03-01`.
const DAY_LENGTH: usize = 10;

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
    if E::DEPRECATED.is_some() {
        headers.extend(header::FAREWELL);
    }
    if takes_preference::<E>() {
        headers.extend(header::HANDLING);
    }
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

#[cfg(test)]
mod tests {
    use svc_types::api::health::GetLive;

    use super::*;

    mod old {
        use svc_types::api::Deleted;
        use svc_types::endpoints;

        endpoints! {
            /// An endpoint that goes.
            GET "/old" as old.get by Anyone => OK Deleted as deprecated "2026-03-01";
            GetOld {}
        }
    }

    fn described<E: Endpoint>(sample: &E) -> serde_json::Value {
        let operation = operation(sample, &mut Schemas::default(), &mut Shared::default());
        serde_json::to_value(operation).unwrap()
    }

    #[test]
    fn a_deprecated_endpoint_is_marked_and_says_until_when_it_is_served() {
        let old = described(&old::GetOld {});
        assert_eq!(old["deprecated"], true);
        let text = old["description"].as_str().unwrap();
        assert!(
            text.ends_with("since 2026-03-01, and served until 2027-03-01 at least."),
            "{text}"
        );
        let headers = &old["responses"]["200"]["headers"];
        assert!(headers["Deprecation"].is_object() && headers["Sunset"].is_object());
        let live = described(&GetLive {});
        assert!(live["deprecated"].is_null());
        assert!(live["responses"]["200"]["headers"]["Sunset"].is_null());
    }
}
