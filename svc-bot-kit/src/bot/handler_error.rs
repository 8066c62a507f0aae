//! A handler that failed, as its author hears of it.

use std::error::Error as StdError;
use std::fmt;

use svc_client::types::MessageId;

use super::isolate::Unwell;
use crate::error::Error;
use crate::listen;
use crate::service::Failure;

/// What becomes of a job whose handler failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Decision {
    /// The handler starts again later.
    Retry,
    /// The message or event is finished, and logged as that alone. An order is answered with an
    /// error, as by [`Fail`](Self::Fail).
    Drop,
    /// The message or event is finished, and logged as an error. An order is answered with an error
    /// and costs nothing.
    Fail,
}

/// The kinds of handlers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HandlerKind {
    /// The function of a service, and what is asked [before](crate::Bot::before) it.
    Order,
    /// [`Bot::on_message`](crate::Bot::on_message).
    Message,
    /// [`Bot::on_event`](crate::Bot::on_event).
    Event,
    /// [`Bot::every`](crate::Bot::every).
    Every,
}

/// A handler failed: what [`Bot::on_error`](crate::Bot::on_error) hears.
///
/// Its text names the job and what went wrong; its `source` is the handler's own error.
#[derive(Debug)]
#[non_exhaustive]
pub struct HandlerError {
    /// Which handler it was.
    pub handler: HandlerKind,
    /// The order or the message; for other events, the id of the event; absent for
    /// [`every`](crate::Bot::every).
    pub request_id: Option<MessageId>,
    /// The name of who asks; empty for events beside messages.
    pub requester: String,
    /// Which try it was, from 1 on.
    pub attempt: u32,
    /// Whether it was the last: [`Decision::Retry`] is then as [`Decision::Fail`].
    pub is_last: bool,
    /// What is done unless the hook decides otherwise.
    pub decision: Decision,
    pub(super) unwell: Unwell,
}

impl HandlerError {
    /// Whether the error may pass: a request to the platform failed in a way that may not last, or
    /// the handler asked for another try.
    ///
    /// ```
    /// # fn show(error: &svc_bot_kit::HandlerError) {
    /// if error.is_retryable() {
    ///     println!("{error} (try {})", error.attempt);
    /// }
    /// # }
    /// ```
    pub fn is_retryable(&self) -> bool {
        is_retryable(&self.unwell)
    }
}

impl fmt::Display for HandlerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.handler {
            HandlerKind::Order => f.write_str("the handler of an order")?,
            HandlerKind::Message => f.write_str("the handler of a message")?,
            HandlerKind::Event => f.write_str("the handler of an event")?,
            HandlerKind::Every => f.write_str("what is done now and then")?,
        }
        if let Some(id) = &self.request_id {
            write!(f, ", {id},")?;
        }
        match &self.unwell {
            Unwell::Panic => f.write_str(" panicked"),
            Unwell::Slow => f.write_str(" took too long"),
            Unwell::Fail(fail) => match fail.failure() {
                Failure::Rejected(rejection) => write!(f, " declined: {}", rejection.reason),
                Failure::Error(error) => write!(f, " failed: {error}"),
                Failure::Retry(after) => write!(f, " asked to start again after {after:?}"),
            },
        }
    }
}

impl StdError for HandlerError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match &self.unwell {
            Unwell::Fail(fail) => match fail.failure() {
                Failure::Error(error) => Some(&**error),
                _ => None,
            },
            _ => None,
        }
    }
}

/// Whether the same may go well later.
pub(super) fn is_retryable(unwell: &Unwell) -> bool {
    match unwell {
        Unwell::Fail(fail) => match fail.failure() {
            Failure::Retry(_) => true,
            Failure::Error(error) => request(&**error).is_some_and(may_pass),
            Failure::Rejected(_) => false,
        },
        Unwell::Panic | Unwell::Slow => false,
    }
}

/// The request to the platform that an error comes from.
pub(super) fn request<'e>(error: &'e (dyn StdError + 'static)) -> Option<&'e svc_client::Error> {
    let causes = std::iter::successors(Some(error), |error| (*error).source());
    causes.into_iter().find_map(|cause| {
        // An error of the kit shows that of the request as its own, not as its cause.
        match cause.downcast_ref::<Error>() {
            Some(Error::Client(error)) => Some(error),
            _ => cause.downcast_ref(),
        }
    })
}

/// A single call is not repeated after a 503 without `Retry-After`, which may say that a feature is
/// off; a job, which has time, is.
fn may_pass(error: &svc_client::Error) -> bool {
    error.is_retryable() || listen::is_passing(error)
}

#[cfg(test)]
mod tests {
    use svc_client::mock::Mock;
    use svc_client::types::Code;
    use svc_client::types::api::messages::GetUnreadCount;

    use super::*;
    use crate::service::Fail;

    /// What a handler fails with when its request meets this.
    async fn of(code: Code) -> svc_client::Error {
        let server = Mock::start().await;
        server.on::<GetUnreadCount>().fails(code);
        let client = server.builder().api_key("svc_ak_mock").retries(0).build().unwrap();
        client.messages().unread_count().await.unwrap_err()
    }

    #[derive(Debug, thiserror::Error)]
    #[error("wrapped")]
    struct Wrapped(#[source] Error);

    #[tokio::test]
    async fn an_error_may_pass_when_that_of_its_request_may() {
        let retryable = |fail: Fail| is_retryable(&Unwell::Fail(fail));
        assert!(retryable(of(Code::FeatureNotConfigured).await.into()), "a bare 503");
        assert!(retryable(of(Code::Internal).await.into()));
        assert!(retryable(Error::Client(of(Code::Internal).await).into()));
        assert!(retryable(Wrapped(Error::Client(of(Code::Internal).await)).into()));
        assert!(retryable(Fail::retry(std::time::Duration::ZERO)));
        assert!(!retryable(of(Code::NotFound).await.into()));
        assert!(!retryable(std::io::Error::other("disk").into()));
        assert!(!retryable(Fail::reject("no")));
        assert!(!is_retryable(&Unwell::Panic));
    }
}
