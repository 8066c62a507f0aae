//! Responses: JSON that nobody stores, and redirects to clients.

use axum::body::Body;
use axum::response::Response;
use http::StatusCode;
use http::header::{
    CACHE_CONTROL, CONTENT_TYPE, HeaderValue, LOCATION, PRAGMA, REFERRER_POLICY, WWW_AUTHENTICATE,
};
use serde_json::{Value, json};
use svc_core::services::oauth::{Denied, OauthError};

use crate::http::refuse::carry;

/// A JSON object with this status.
pub(super) fn object(status: StatusCode, value: &Value) -> Response {
    let mut response = Response::new(Body::from(value.to_string()));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(PRAGMA, HeaderValue::from_static("no-cache"));
    response
}

/// A refusal as in RFC 6749, 5.2.
pub(super) fn denied(denied: &Denied) -> Response {
    let Denied { error, description } = denied;
    let is_client = *error == OauthError::InvalidClient;
    let status = if is_client { StatusCode::UNAUTHORIZED } else { StatusCode::BAD_REQUEST };
    let value = json!({ "error": error.as_str(), "error_description": description });
    let mut response = object(status, &value);
    if is_client {
        let challenge = HeaderValue::from_static("Basic realm=\"svc\"");
        response.headers_mut().insert(WWW_AUTHENTICATE, challenge);
    }
    response
}

/// The refusal of another method than POST.
pub(super) async fn only_post() -> Response {
    let mut response = denied(&Denied::request("this endpoint accepts only POST"));
    *response.status_mut() = StatusCode::METHOD_NOT_ALLOWED;
    response
}

/// What a step gives, its refusal, or an error of the server.
pub(super) fn outcome(outcome: svc_core::services::oauth::Outcome<Response>) -> Response {
    match outcome {
        Ok(Ok(response)) => response,
        Ok(Err(refusal)) => denied(&refusal),
        Err(error) => carry(error),
    }
}

/// 303 to a client.
pub(super) fn redirect(url: &str) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::SEE_OTHER;
    let headers = response.headers_mut();
    let url = HeaderValue::try_from(url).expect("a URL is visible ASCII");
    headers.insert(LOCATION, url);
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}
