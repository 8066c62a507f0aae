//! Errors of an endpoint and their descriptions.

use std::collections::BTreeMap;
use std::slice;

use http::{Method, StatusCode};
use svc_types::endpoint::path_parameters;
use svc_types::{Code, Cost, Declaration, Endpoint, Scopes, Who, samples, wire};
use utoipa::openapi::{Ref, RefOr, Response};

use crate::generate::erased::ErasedEndpoint;
use crate::generate::operation::takes_idempotency_key;
use crate::generate::schema::{self, Fields};
use crate::generate::{answer, example, header};

/// The error codes of an endpoint: those it declares, and the common ones.
pub fn codes<E: Endpoint>() -> Vec<Code> {
    codes_of(&Declaration::of::<E>(), &Fields::declared(E::json_schema))
}

fn codes_of(endpoint: &Declaration, fields: &Fields) -> Vec<Code> {
    let possible =
        |code: &&Code| endpoint.fails.contains(code) || is_common(code, endpoint, fields);
    Code::ALL.iter().filter(possible).cloned().collect()
}

/// Whether a code follows from the shape of the endpoint and need not be declared.
fn is_common(code: &Code, endpoint: &Declaration, fields: &Fields) -> bool {
    let of_account = !matches!(endpoint.who, Who::Anyone | Who::Developer);
    let of_developer = endpoint.who == Who::Developer;
    let of_moderator = matches!(endpoint.who, Who::Moderator | Who::Admin);
    let changes = !endpoint.method.is_safe();
    let has_body = !wire::in_query(&endpoint.method);
    match code {
        // Even without fields: a query that is not UTF-8, or names a member twice, is refused.
        Code::ValidationFailed | Code::Internal | Code::StorageUnavailable | Code::Overloaded => {
            true
        }
        // Where fields travel in the body, every parameter is unknown.
        Code::UnknownParameter => endpoint.strict || has_body,
        // Where the endpoint is not strict, the caller may prefer that unknown members are refused.
        Code::UnknownMember
        | Code::InvalidJson
        | Code::PayloadTooLarge
        | Code::UnsupportedMediaType => has_body,
        // Every text of a body is searched, whatever its field.
        Code::CredentialInContent => has_body && has_members(endpoint, fields),
        Code::InvalidCursor => fields.schemas.contains_key("cursor"),
        Code::Unauthorized
        | Code::DeveloperKeyRefused
        | Code::AddressNotAllowed
        | Code::ApprovalPending
        | Code::AccountDeleted => of_account,
        Code::InsufficientScope => !endpoint.scopes.is_empty() && endpoint.scopes != Scopes::ALL,
        Code::StepUpRequired => endpoint.guarded,
        Code::CrossSiteRequest | Code::AccountPaused => of_account && changes,
        // Suspended moderators and admins cannot read the queues they work on.
        Code::AccountSuspended => of_account && (changes || of_moderator),
        Code::InvalidDeveloperKey | Code::DeveloperKeyRequired => of_developer,
        Code::Forbidden => of_moderator,
        Code::NotFound => path_parameters(endpoint.path).next().is_some(),
        Code::IdempotencyConflict | Code::IdempotencyInProgress => takes_idempotency_key(endpoint),
        Code::RateLimited => endpoint.method == Method::POST || endpoint.cost != Cost::Free,
        Code::StorageFull | Code::OutcomeUnknown => changes,
        _ => false,
    }
}

/// Whether a body has members.
pub(crate) fn has_members(endpoint: &Declaration, fields: &Fields) -> bool {
    let in_path: Vec<&str> = path_parameters(endpoint.path).collect();
    fields.schemas.keys().any(|name| !in_path.contains(&name.as_str()))
}

/// Error responses that are equal in many endpoints, because all their codes are common ones.
#[derive(Default)]
pub(crate) struct Shared {
    responses: BTreeMap<String, RefOr<Response>>,
    /// The codes of any endpoint.
    codes: Vec<Code>,
}

impl Shared {
    /// The error responses of an endpoint by status.
    pub(crate) fn refusals(
        &mut self,
        ErasedEndpoint { declared, fields, .. }: &ErasedEndpoint,
    ) -> BTreeMap<StatusCode, RefOr<Response>> {
        let mut by_status: BTreeMap<StatusCode, Vec<Code>> = BTreeMap::new();
        for code in codes_of(declared, fields) {
            self.note(&code);
            by_status.entry(code.status()).or_default().push(code);
        }
        let respond = |(status, codes): (StatusCode, Vec<Code>)| {
            let refusal = of(&codes).into();
            if codes.iter().any(|code| declared.fails.contains(code)) {
                return (status, refusal);
            }
            (status, self.share(&codes, refusal))
        };
        by_status.into_iter().map(respond).collect()
    }

    /// An error response of a route without an endpoint.
    pub(crate) fn of_route(&mut self, codes: &[Code]) -> RefOr<Response> {
        for code in codes {
            self.note(code);
        }
        of(codes).into()
    }

    fn note(&mut self, code: &Code) {
        if !self.codes.contains(code) {
            self.codes.push(code.clone());
        }
    }

    /// Adds an error response to the shared ones, named after its codes, and refers to it.
    fn share(&mut self, codes: &[Code], refusal: RefOr<Response>) -> RefOr<Response> {
        let names: Vec<String> = codes.iter().map(|code| format!("{code:?}")).collect();
        let name = names.join("Or");
        let reference = reference(&name);
        self.responses.insert(name, refusal);
        reference
    }

    /// The codes of all endpoints.
    pub(crate) fn codes(&self) -> &[Code] {
        &self.codes
    }

    /// The shared error responses by name.
    pub(crate) fn into_responses(self) -> BTreeMap<String, RefOr<Response>> {
        self.responses
    }
}

/// A reference to a shared error response.
pub(crate) fn reference(name: &str) -> RefOr<Response> {
    RefOr::Ref(Ref::new(format!("#/components/responses/{name}")))
}

/// The refusal of a content type by a route that reads files, in its words.
pub(crate) fn of_type(error: &str, hint: &str) -> RefOr<Response> {
    let code = Code::UnsupportedMediaType;
    let mut body = samples::error(&code);
    error.clone_into(&mut body.error);
    body.hint = Some(hint.to_owned());
    let examples = example::of_code(&code, &body);
    let description = describe(slice::from_ref(&code));
    answer::json(description, schema::reference("ErrorBody"), examples, &[header::REQUEST_ID])
        .into()
}

/// An error response with these codes, which have one status.
fn of(codes: &[Code]) -> Response {
    let waiting_may_help = |code: &Code| match code.status() {
        StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => true,
        _ => *code == Code::IdempotencyInProgress,
    };
    let mut headers = vec![header::REQUEST_ID];
    if codes.iter().any(waiting_may_help) {
        headers.push(header::RETRY_AFTER);
    }
    if codes.contains(&Code::UnknownMember) {
        let [_, applied] = header::HANDLING;
        headers.push(applied);
    }
    let asks =
        |code: &Code| code.status() == StatusCode::UNAUTHORIZED || *code == Code::InsufficientScope;
    if codes.iter().any(asks) {
        headers.push(header::WWW_AUTHENTICATE);
    }
    if codes.contains(&Code::RateLimited) {
        headers.extend(header::WINDOW);
        headers.extend(header::BUDGETS);
    }
    let examples = example::of_codes(codes);
    answer::json(describe(codes), schema::reference("ErrorBody"), examples, &headers)
}

/// The meaning of each code; a list if there are several.
fn describe(codes: &[Code]) -> String {
    let line = |code: &Code| {
        let meaning = code.meaning().split_once(": ");
        let (_, meaning) = meaning.expect("a meaning begins with its status");
        format!("`{code}`: {meaning}")
    };
    if let [code] = codes {
        return line(code);
    }
    let items: Vec<String> = codes.iter().map(|code| format!("- {}", line(code))).collect();
    items.join("\n")
}
