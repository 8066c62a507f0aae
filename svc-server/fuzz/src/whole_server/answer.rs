//! What holds for every answer.

use http::{HeaderMap, StatusCode};
use serde_json::Value;
use svc_types::{Code, ErrorBody};

use crate::text::text;

/// Longest message of a refusal.
const MESSAGE_MAX: usize = 1000;

/// What was answered.
pub(super) struct Answer {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    pub(super) body: Vec<u8>,
}

impl Answer {
    /// A header, empty if it is missing.
    pub(super) fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// The body, if it is JSON.
    pub(super) fn json(&self) -> Option<Value> {
        let is_json = self.header("content-type").contains("json");
        is_json.then(|| serde_json::from_slice(&self.body).expect("a body is what its type says"))
    }

    /// Judges what holds whatever was asked: the server has no fault, and what says it is JSON is.
    pub(super) fn judge(&self) {
        self.json();
        if self.status.is_server_error() {
            let refused: Option<ErrorBody> = serde_json::from_slice(&self.body).ok();
            let is_off = refused.is_some_and(|body| body.code == Code::FeatureNotConfigured);
            assert!(is_off, "{} {}", self.status, text(&self.body));
        }
        if self.status == StatusCode::TOO_MANY_REQUESTS {
            assert!(self.headers.contains_key("retry-after"), "{}", text(&self.body));
        }
    }

    /// Judges a refusal of the API, which names the member that is wrong.
    pub(super) fn judge_refusal(&self) {
        let body = self.judge_form();
        let is_whole =
            ["the path must", "the query must", "the body ", "a request must", "a form must"];
        let is_whole = is_whole.iter().any(|start| body.error.starts_with(start));
        let names = body.code != Code::ValidationFailed || body.field.is_some();
        assert!(names || is_whole, "{}", text(&self.body));
    }

    /// Judges the form that all refusals of the API have.
    pub(super) fn judge_form(&self) -> ErrorBody {
        let text = text(&self.body);
        let body: ErrorBody =
            serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {text}"));
        assert_eq!(self.status, body.code.status(), "{text}");
        assert_eq!(self.header("x-request-id"), body.request_id, "{text}");
        assert!((1..=MESSAGE_MAX).contains(&body.error.len()), "{text}");
        let is_short = |hint: &String| hint.len() <= MESSAGE_MAX;
        assert!(body.hint.as_ref().is_none_or(is_short), "{text}");
        body
    }

    /// The body of a success of the API; any other answer is a refusal.
    pub(super) fn granted(&self) -> Option<Value> {
        if self.status.is_success() {
            return Some(self.json().unwrap_or_default());
        }
        self.judge_refusal();
        None
    }
}
