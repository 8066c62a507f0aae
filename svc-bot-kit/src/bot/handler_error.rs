//! The error of a failed handler, as passed to `Bot::on_error`.

use std::error::Error as StdError;
use std::fmt;

use svc_client::types::MessageId;

use super::isolate::HandlerFailure;
use crate::error::Error;
use crate::listen;
use crate::service::Failure;

/// How to proceed with a job whose handler failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Decision {
    /// Run the handler again later.
    Retry,
    /// Finish the message or event and log the error at `info`. An order is answered with an error,
    /// as with [`Fail`](Self::Fail).
    Drop,
    /// Finish the message or event and log the error at `error`. An order is answered with an error
    /// and costs nothing.
    Fail,
}

/// The kind of a handler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HandlerKind {
    /// The function of a service, including the checks of [`Bot::before`](crate::Bot::before).
    Order,
    /// The handler of a direct message, such as [`Bot::on_message`](crate::Bot::on_message).
    Message,
    /// The handler of a message in a channel, such as
    /// [`Bot::on_channel_message`](crate::Bot::on_channel_message).
    ChannelMessage,
    /// [`Bot::on_event`](crate::Bot::on_event).
    Event,
    /// [`Bot::every`](crate::Bot::every).
    Every,
}

/// The failure of a handler, passed to [`Bot::on_error`](crate::Bot::on_error).
///
/// `Display` names the job and what went wrong; `source` is the error the handler returned.
#[derive(Debug)]
#[non_exhaustive]
pub struct HandlerError {
    /// The kind of the handler.
    pub handler: HandlerKind,
    /// The id of the order or message, or of the event for other events; `None` for
    /// [`every`](crate::Bot::every).
    pub request_id: Option<MessageId>,
    /// The username of the sender; empty for events other than messages.
    pub requester: String,
    /// The number of the attempt, starting at 1.
    pub attempt: u32,
    /// Whether this was the last attempt; [`Decision::Retry`] then means [`Decision::Fail`].
    pub is_last: bool,
    /// The default decision, which applies unless the hook returns another.
    pub decision: Decision,
    pub(super) failure: HandlerFailure,
}

impl HandlerError {
    /// Whether the error is transient: a request to the platform failed temporarily, or the handler
    /// returned [`Fail::retry`](crate::Fail::retry).
    ///
    /// ```
    /// # fn show(error: &svc_bot_kit::HandlerError) {
    /// if error.is_retryable() {
    ///     println!("{error} (attempt {})", error.attempt);
    /// }
    /// # }
    /// ```
    pub fn is_retryable(&self) -> bool {
        is_retryable(&self.failure)
    }
}

impl fmt::Display for HandlerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.handler {
            HandlerKind::Order => f.write_str("the handler of an order")?,
            HandlerKind::Message => f.write_str("the handler of a message")?,
            HandlerKind::ChannelMessage => f.write_str("the handler of a channel message")?,
            HandlerKind::Event => f.write_str("the handler of an event")?,
            HandlerKind::Every => f.write_str("a repeated function")?,
        }
        if let Some(id) = &self.request_id {
            write!(f, ", {id},")?;
        }
        match &self.failure {
            HandlerFailure::Panic => f.write_str(" panicked"),
            HandlerFailure::Timeout => f.write_str(" took too long"),
            HandlerFailure::Fail(fail) => match fail.failure() {
                Failure::Rejected(rejection) => write!(f, " declined: {}", rejection.reason),
                Failure::Error(error) => write!(f, " failed: {error}"),
                Failure::Retry(after) => write!(f, " asked for a retry after {after:?}"),
            },
        }
    }
}

impl StdError for HandlerError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match &self.failure {
            HandlerFailure::Fail(fail) => match fail.failure() {
                Failure::Error(error) => Some(&**error),
                _ => None,
            },
            _ => None,
        }
    }
}

/// Whether a retry may succeed.
pub(super) fn is_retryable(failure: &HandlerFailure) -> bool {
    match failure {
        HandlerFailure::Fail(fail) => match fail.failure() {
            Failure::Retry(_) => true,
            Failure::Error(error) => request(&**error).is_some_and(is_transient),
            Failure::Rejected(_) => false,
        },
        HandlerFailure::Panic | HandlerFailure::Timeout => false,
    }
}

/// The error of the request to the platform that caused this error, if there is one.
pub(super) fn request<'e>(error: &'e (dyn StdError + 'static)) -> Option<&'e svc_client::Error> {
    let mut causes = std::iter::successors(Some(error), |error| (*error).source());
    causes.find_map(|cause| {
        // `Error::Client` is transparent: its `source` skips the request's error.
        match cause.downcast_ref::<Error>() {
            Some(Error::Client(error)) => Some(error),
            _ => cause.downcast_ref(),
        }
    })
}

/// The client does not retry a 503 without `Retry-After`, which may mean that a feature is off. A job
/// has time, so it is retried.
fn is_transient(error: &svc_client::Error) -> bool {
    error.is_retryable() || listen::is_passing(error)
}

#[cfg(test)]
mod tests {
    use svc_client::mock::Mock;
    use svc_client::types::Code;
    use svc_client::types::api::messages::GetUnreadCount;

    use super::*;
    use crate::service::Fail;

    /// The error of a request that the platform answers with this code.
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
    async fn an_error_is_retryable_if_the_error_of_its_request_is() {
        let retryable = |fail: Fail| is_retryable(&HandlerFailure::Fail(fail));
        assert!(retryable(of(Code::FeatureNotConfigured).await.into()), "a bare 503");
        assert!(retryable(of(Code::Internal).await.into()));
        assert!(retryable(Error::Client(of(Code::Internal).await).into()));
        assert!(retryable(Wrapped(Error::Client(of(Code::Internal).await)).into()));
        assert!(retryable(Fail::retry(std::time::Duration::ZERO)));
        assert!(!retryable(of(Code::NotFound).await.into()));
        assert!(!retryable(std::io::Error::other("disk").into()));
        assert!(!retryable(Fail::reject("no")));
        assert!(!is_retryable(&HandlerFailure::Panic));
    }
}
