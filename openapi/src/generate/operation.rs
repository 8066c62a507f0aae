//! One endpoint as an operation.

use http::{Method, StatusCode};
use svc_types::api::auth::{Login, Logout, Register};
use svc_types::api::embeds::GetEmbed;
use svc_types::{Code, Cost, Declaration, Endpoint, Timestamp, Who, samples, wire};
use utoipa::openapi::path::{Operation, OperationBuilder};
use utoipa::openapi::{Deprecated, Response};

use crate::generate::erased::ErasedEndpoint;
use crate::generate::example::{self, Examples};
use crate::generate::refusal::{Shared, has_members};
use crate::generate::request::Request;
use crate::generate::schema::{Fields, Schemas};
use crate::generate::{answer, caller, header, wording};

/// Endpoints that set or clear the session cookie, which declarations do not express.
const SETS_COOKIE: [&str; 3] = [Register::NAME, Login::NAME, Logout::NAME];

/// Endpoints that respond with a page unless JSON is requested.
const ANSWERS_PAGE: [&str; 1] = [GetEmbed::NAME];

/// What such a page looks like.
const EMBED_PAGE: &str = "<!doctype html><html lang=\"en\"><title>Bob (@bob)</title></html>";

/// Describes an endpoint. Schemas and errors shared with other endpoints are added to the shared
/// ones.
pub(crate) fn operation(
    endpoint: &ErasedEndpoint,
    schemas: &mut Schemas,
    shared: &mut Shared,
) -> Operation {
    let ErasedEndpoint { declared, fields, .. } = endpoint;
    let (summary, details) = wording::summary_and_details(declared.doc);
    let sentence = caller::of(declared);
    let details = [details.as_str(), &sentence, &farewell(declared.deprecated)];
    let request = Request::of(endpoint, schemas);
    let mut operation = OperationBuilder::new()
        .tag(declared.feature)
        .summary(Some(summary))
        .description(Some(details.join("\n\n").trim()))
        .deprecated(declared.deprecated.map(|_| Deprecated::True))
        .operation_id(Some(wording::camel_case(declared.name)))
        .securities(Some(caller::requirements(declared.who, declared.scopes)))
        .request_body(request.body)
        .response(declared.status.as_str(), success(endpoint, schemas));
    if declared.delayed {
        let pending = pending(endpoint, schemas);
        operation = operation.response(StatusCode::ACCEPTED.as_str(), pending);
    }
    if declared.resumable {
        let again = created_before(endpoint, schemas);
        operation = operation.response(StatusCode::OK.as_str(), again);
    }
    for parameter in request.parameters {
        operation = operation.parameter(parameter);
    }
    if takes_idempotency_key(declared) {
        operation = operation.parameter_ref(header::idempotency_key());
    }
    if takes_preference(declared, fields) {
        operation = operation.parameter_ref(header::prefer());
    }
    if declared.is_for_everyone() {
        operation = operation.parameter_ref(header::consistency());
    }
    for (status, response) in shared.refusals(endpoint) {
        operation = operation.response(status.as_str(), response);
    }
    operation.build()
}

/// Whether a call can be repeated with a key: every POST with a known caller, or declared so.
pub(crate) fn takes_idempotency_key(endpoint: &Declaration) -> bool {
    endpoint.method == Method::POST && (endpoint.who != Who::Anyone || endpoint.repeatable)
}

/// Whether the caller can have unknown members refused: where a body is not strict anyway.
fn takes_preference(endpoint: &Declaration, fields: &Fields) -> bool {
    !wire::in_query(&endpoint.method) && !endpoint.strict && has_members(endpoint, fields)
}

/// Whether responses carry rate limit headers: if the endpoint declares the limit.
pub(crate) fn is_limited(endpoint: &Declaration) -> bool {
    endpoint.fails.contains(&Code::RateLimited)
}

/// The response to a change that waits.
fn pending(endpoint: &ErasedEndpoint, schemas: &mut Schemas) -> Response {
    let (schema, _) = schemas.answer(endpoint.response);
    let description = "Nothing has changed yet: the change is pending until `pendingUntil`.";
    let sample = sample_answer(&endpoint.declared);
    answer::json(description, schema, sample, &[header::REQUEST_ID, header::CONSISTENCY])
}

fn sample_answer(endpoint: &Declaration) -> Examples {
    samples::answer(endpoint.name).map(example::one).unwrap_or_default()
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
fn created_before(endpoint: &ErasedEndpoint, schemas: &mut Schemas) -> Response {
    let (schema, _) = schemas.answer(endpoint.response);
    let description = "An equal request created it before; nothing has changed.";
    let headers = [header::REQUEST_ID, header::CONSISTENCY, header::IDEMPOTENT_REPLAYED];
    answer::json(description, schema, sample_answer(&endpoint.declared), &headers)
}

fn success(endpoint: &ErasedEndpoint, schemas: &mut Schemas) -> Response {
    let ErasedEndpoint { declared, fields, .. } = endpoint;
    let (schema, description) = schemas.answer(endpoint.response);
    let mut headers = vec![header::REQUEST_ID];
    if !declared.method.is_safe() {
        headers.push(header::CONSISTENCY);
    }
    if declared.deprecated.is_some() {
        headers.extend(header::FAREWELL);
    }
    if takes_preference(declared, fields) {
        headers.extend(header::HANDLING);
    }
    if is_limited(declared) && declared.status == StatusCode::CREATED {
        headers.extend(header::WINDOW);
    }
    if declared.cost != Cost::Free {
        headers.extend(header::BUDGETS);
    }
    if takes_idempotency_key(declared) && (declared.repeatable || !declared.secret) {
        headers.push(header::IDEMPOTENT_REPLAYED);
    }
    if SETS_COOKIE.contains(&declared.name) {
        headers.push(header::SET_COOKIE);
    }
    let mut success = answer::json(description, schema, sample_answer(declared), &headers);
    if ANSWERS_PAGE.contains(&declared.name) {
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
        let endpoint = ErasedEndpoint::of(sample);
        let operation = operation(&endpoint, &mut Schemas::default(), &mut Shared::default());
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
