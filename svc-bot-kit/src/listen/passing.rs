//! Which errors pass by themselves, and how long to wait for that.

use std::time::Duration;

use svc_client::Error;
use svc_client::types::Code;

/// The longest wait that the platform can ask for. Then it is asked again, in case it is back earlier.
const ASKED_MAX: Duration = Duration::from_secs(60 * 60);

/// Whether an error is transient. An error status without a code of the platform comes from something
/// else, such as a proxy, and counts as transient.
pub(crate) fn is_passing(error: &Error) -> bool {
    matches!(
        error,
        Error::RateLimited { .. }
            | Error::Server { .. }
            | Error::Unavailable { .. }
            | Error::Transport { .. }
            | Error::Timeout { .. }
    ) || error.status().is_some_and(|status| !status.is_success()) && error.code().is_none()
}

/// Whether the same call may be answered later: also where a page came in place of an answer, such as that of
/// a proxy under maintenance.
pub(crate) fn may_answer_later(error: &Error) -> bool {
    is_passing(error) || matches!(error, Error::Decode { .. })
}

/// Whether the account may only read and finish what is open: it is suspended, or its owner has
/// paused it.
pub(crate) fn is_inactive(error: &Error) -> bool {
    matches!(error.code(), Some(Code::AccountSuspended | Code::AccountPaused))
}

/// How long the platform asks to wait, at most an hour.
pub(crate) fn asked_wait(error: &Error) -> Duration {
    error.retry_after().unwrap_or_default().min(ASKED_MAX)
}

#[cfg(test)]
mod tests {
    use svc_client::mock::Mock;
    use svc_client::types::api::connect::ListEvents;

    use super::*;

    #[tokio::test]
    async fn a_wait_is_as_long_as_the_platform_asks_and_at_most_an_hour() {
        for (seconds, expected) in [(90, 90), (3_600, 3_600), (86_400, 3_600)] {
            let server = Mock::start().await;
            server.on::<ListEvents>().fails(Code::RateLimited).retry_after(seconds);
            let client = server.builder().api_key("svc_ak_mock").retries(0).build().unwrap();
            let error = client.events().list().await.unwrap_err();
            assert_eq!(asked_wait(&error), Duration::from_secs(expected));
        }
    }
}
