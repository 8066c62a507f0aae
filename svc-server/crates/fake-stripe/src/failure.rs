//! Refused calls, as Stripe words them.

use serde_json::{Value, json};

/// A refused call.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) status: u16,
    /// Whether the answer is kept under the idempotency key, which starts with the first check that
    /// needs an object.
    pub(crate) is_kept: bool,
    error: Value,
}

impl Failure {
    fn new(status: u16, kind: &str, message: &str) -> Self {
        Self { status, is_kept: false, error: json!({ "type": kind, "message": message }) }
    }

    /// 400 for parameters that no call of this kind has.
    pub(crate) fn parameter(code: &str, param: &str) -> Self {
        let failure = Self::new(400, "invalid_request_error", &format!("{code}: {param}"));
        failure.with("code", code).with("param", param)
    }

    /// 400 for what the objects do not allow.
    pub(crate) fn state(code: Option<&str>, message: &str) -> Self {
        let failure = Self { is_kept: true, ..Self::new(400, "invalid_request_error", message) };
        match code {
            Some(code) => failure.with("code", code),
            None => failure,
        }
    }

    /// 402.
    pub(crate) fn declined() -> Self {
        let failure =
            Self { is_kept: true, ..Self::new(402, "card_error", "Your card was declined.") };
        failure.with("code", "card_declined")
    }

    /// 404.
    pub(crate) fn missing(id: &str) -> Self {
        let failure = Self::new(404, "invalid_request_error", &format!("No such object: {id}"));
        failure.with("code", "resource_missing").with("param", "id")
    }

    /// 400 for a parameter with the id of an object that does not exist.
    pub(crate) fn missing_in(param: &str, id: &str) -> Self {
        let failure = Self::state(Some("resource_missing"), &format!("No such {param}: '{id}'"));
        failure.with("param", param)
    }

    /// 404 for a call that Stripe, or this stand-in, does not have.
    pub(crate) fn unknown(call: &str) -> Self {
        Self::new(404, "invalid_request_error", &format!("Unrecognized request URL ({call})"))
    }

    /// 401.
    pub(crate) fn key() -> Self {
        Self::new(401, "invalid_request_error", "Invalid API Key provided")
    }

    /// 400 for a key that was used for something else.
    pub(crate) fn other_parameters() -> Self {
        let message = "Keys for idempotent requests can only be used with the same parameters";
        Self::new(400, "idempotency_error", message)
    }

    /// 409 while another call with this key runs.
    pub(crate) fn key_in_use() -> Self {
        let message = "There is another request with this idempotency key";
        Self::new(409, "idempotency_error", message).with("code", "idempotency_key_in_use")
    }

    /// 429.
    pub(crate) fn rate() -> Self {
        Self::new(429, "invalid_request_error", "Too many requests").with("code", "rate_limit")
    }

    /// 500.
    pub(crate) fn internal() -> Self {
        Self::new(500, "api_error", "An unknown error occurred")
    }

    fn with(mut self, name: &str, value: &str) -> Self {
        self.error[name] = value.into();
        self
    }

    /// The body of the answer.
    pub(crate) fn body(&self) -> Value {
        json!({ "error": self.error })
    }
}
