//! Raw responses, for requests no typed client would send.

use http::{HeaderMap, StatusCode};
use reqwest::RequestBuilder;
use serde_json::Value;
use svc_client::types::{Code, ErrorBody};

/// A response with its whole body.
#[derive(Debug)]
pub(crate) struct Raw {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

/// Sends a request and reads the whole response.
pub(crate) async fn answer(request: RequestBuilder) -> Raw {
    let response = request.send().await.unwrap();
    Raw {
        status: response.status(),
        headers: response.headers().clone(),
        text: response.text().await.unwrap(),
    }
}

/// Sends a request and returns the code of its refusal.
pub(crate) async fn code_of(request: RequestBuilder) -> Code {
    answer(request).await.refusal().code
}

/// The member of a request that a refusal names, whatever part of it is at fault.
pub(crate) fn member(field: &str) -> &str {
    field.trim_start_matches('/').split('/').next().unwrap_or("")
}

impl Raw {
    /// A header as text.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// The body of a success as JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        assert!(self.status.is_success(), "{} {}", self.status, self.text);
        serde_json::from_str(&self.text).unwrap()
    }

    /// The body of a refusal, which has one format everywhere (spec §7).
    #[track_caller]
    pub(crate) fn refusal(&self) -> ErrorBody {
        let body: ErrorBody = serde_json::from_str(&self.text)
            .unwrap_or_else(|error| panic!("{error} in {} {:?}", self.status, self.text));
        assert_eq!(self.status, body.code.status(), "{}", self.text);
        assert_eq!(self.header("content-type"), Some("application/json"));
        assert_eq!(self.header("x-request-id"), Some(&*body.request_id));
        let wait = body.retry_after.map(|seconds| seconds.to_string());
        assert_eq!(self.header("retry-after"), wait.as_deref());
        assert!(!body.error.is_empty() && !body.error.contains('<'));
        body
    }
}
