//! Accessors of an error that do not depend on its variant.

use std::time::Duration;

use http::{Method, StatusCode};
use svc_types::Code;

use crate::error::{Error, Outcome};

impl Error {
    /// What is wrong and what would be valid, without status and ids.
    ///
    /// ```
    /// # fn show(error: svc_client::Error) {
    /// eprintln!("error: {}", error.message());
    /// # }
    /// ```
    pub fn message(&self) -> &str {
        &self.details().message
    }

    /// The status of the answer, if there was one.
    ///
    /// ```
    /// # fn show(error: svc_client::Error) -> bool {
    /// error.status().is_some_and(|status| status.is_server_error())
    /// # }
    /// ```
    pub fn status(&self) -> Option<StatusCode> {
        self.details().status
    }

    /// The method of the request, if it was built.
    ///
    /// ```
    /// # fn show(error: svc_client::Error) {
    /// println!("{:?} {:?} {:?}", error.method(), error.address(), error.path());
    /// # }
    /// ```
    pub fn method(&self) -> Option<&Method> {
        self.details().target.as_ref().map(|target| &target.method)
    }

    /// Where the request was sent: scheme, host and port.
    ///
    /// ```
    /// # fn show(error: svc_client::Error) {
    /// println!("is {} right?", error.address().unwrap_or("the base URL"));
    /// # }
    /// ```
    pub fn address(&self) -> Option<&str> {
        self.details().target.as_ref().map(|target| target.address.as_str())
    }

    /// The path of the request, without its query.
    ///
    /// ```
    /// # fn show(error: svc_client::Error) {
    /// println!("{}", error.path().unwrap_or_default());
    /// # }
    /// ```
    pub fn path(&self) -> Option<&str> {
        self.details().target.as_ref().map(|target| target.path.as_str())
    }

    /// The stable error code, if the platform answered.
    ///
    /// ```
    /// use svc_client::types::Code;
    /// # fn show(error: svc_client::Error) -> bool {
    /// error.code() == Some(&Code::UsernameTaken)
    /// # }
    /// ```
    pub fn code(&self) -> Option<&Code> {
        self.details().code.as_ref()
    }

    /// The invalid member of the request.
    ///
    /// ```
    /// # fn show(error: svc_client::Error) {
    /// println!("check {}", error.field().unwrap_or("the request"));
    /// # }
    /// ```
    pub fn field(&self) -> Option<&str> {
        self.details().field.as_deref()
    }

    /// What to do next.
    ///
    /// ```
    /// # fn show(error: svc_client::Error) {
    /// if let Some(hint) = error.hint() {
    ///     println!("hint: {hint}");
    /// }
    /// # }
    /// ```
    pub fn hint(&self) -> Option<&str> {
        self.details().hint.as_deref()
    }

    /// What to sign before the request is sent again, if the server asks for a payment by x402: base64
    /// of JSON, as libraries of x402 read it.
    ///
    /// ```
    /// # fn show(error: svc_client::Error) {
    /// println!("{}", error.payment_required().unwrap_or("nothing to pay"));
    /// # }
    /// ```
    pub fn payment_required(&self) -> Option<&str> {
        self.details().payment_required.as_deref()
    }

    /// The server's id of the request, to be quoted in bug reports.
    ///
    /// ```
    /// # fn show(error: svc_client::Error) {
    /// println!("request {}", error.request_id().unwrap_or("unknown"));
    /// # }
    /// ```
    pub fn request_id(&self) -> Option<&str> {
        self.details().request_id.as_deref()
    }

    /// The idempotency key of the call, which can be sent again with it without acting twice.
    ///
    /// ```
    /// # async fn again(svc: svc_client::Client, error: svc_client::Error) -> svc_client::Result<()> {
    /// if let (true, Some(key)) = (error.is_retryable(), error.idempotency_key()) {
    ///     svc.messages().send("ada", "hello").idempotency_key(key).await?;
    /// }
    /// # Ok(()) }
    /// ```
    pub fn idempotency_key(&self) -> Option<&str> {
        self.details().idempotency_key.as_deref()
    }

    /// Number of attempts, including those that did not connect.
    ///
    /// ```
    /// # fn show(error: svc_client::Error) {
    /// println!("gave up after {} attempts", error.attempts());
    /// # }
    /// ```
    pub fn attempts(&self) -> u32 {
        self.details().attempts
    }

    /// Whether the same call, with the same key, may succeed later without acting twice.
    ///
    /// ```
    /// # fn show(error: svc_client::Error) {
    /// println!("{}", if error.is_retryable() { "try again later" } else { "change the call" });
    /// # }
    /// ```
    pub fn is_retryable(&self) -> bool {
        self.details().retryable
    }

    /// The value of Retry-After; present on every 429 of the platform and some 503.
    ///
    /// ```
    /// # fn show(error: svc_client::Error) {
    /// if let Some(wait) = error.retry_after() {
    ///     println!("try again in {wait:?}");
    /// }
    /// # }
    /// ```
    pub fn retry_after(&self) -> Option<Duration> {
        self.details().retry_after
    }

    /// What is known about the effect of the call.
    ///
    /// ```
    /// use svc_client::Outcome;
    /// # fn show(error: svc_client::Error) {
    /// if error.outcome() == Outcome::Unknown {
    ///     println!("it may have happened; {}", error.hint().unwrap_or("check before repeating"));
    /// }
    /// # }
    /// ```
    pub fn outcome(&self) -> Outcome {
        self.details().outcome
    }
}
