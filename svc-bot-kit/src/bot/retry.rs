//! Retries calls to the platform after transient errors.

use std::time::Duration;

use svc_client::types::Code;
use svc_client::{Error, Result as ClientResult};

use crate::error::Result;
use crate::listen;

/// The first pause between two attempts; doubled after each.
const PAUSE_MIN: Duration = Duration::from_millis(500);
/// The longest pause, unless the platform asks for a longer one, of up to an hour.
const PAUSE_MAX: Duration = Duration::from_secs(60);

/// Repeats a call while it fails with a transient error, however long that takes.
///
/// The outer error means that the platform no longer accepts the API key.
pub(super) async fn retry<T, F>(call: impl FnMut() -> F) -> Result<ClientResult<T>>
where
    F: Future<Output = ClientResult<T>>,
{
    retry_while(is_passing, call).await
}

/// Like [`retry`], for a call that the platform refuses while the account is suspended or paused: it
/// waits for the end of that, too.
pub(super) async fn retry_until_active<T, F>(call: impl FnMut() -> F) -> Result<ClientResult<T>>
where
    F: Future<Output = ClientResult<T>>,
{
    retry_while(|error| is_passing(error) || listen::is_inactive(error), call).await
}

async fn retry_while<T, F>(
    passes: impl Fn(&Error) -> bool,
    mut call: impl FnMut() -> F,
) -> Result<ClientResult<T>>
where
    F: Future<Output = ClientResult<T>>,
{
    let mut pause = PAUSE_MIN;
    loop {
        match call().await {
            Err(error @ Error::Unauthorized { .. }) => return Err(error.into()),
            Err(error) if passes(&error) => {
                let spread = with_jitter(pause, random_fraction());
                let wait = listen::asked_wait(&error).max(spread);
                tracing::warn!(%error, "trying again in {:.1} s", wait.as_secs_f64());
                tokio::time::sleep(wait).await;
                pause = (pause * 2).min(PAUSE_MAX);
            }
            answered => return Ok(answered),
        }
    }
}

/// 75 to 100 % of a pause, so that bots that lost the platform together do not return together.
pub(super) fn with_jitter(pause: Duration, fraction: f64) -> Duration {
    pause.mul_f64(0.75 + 0.25 * fraction)
}

/// A random number from 0 to 1.
pub(super) fn random_fraction() -> f64 {
    // Without random numbers only the spread is lost.
    f64::from(getrandom::u32().unwrap_or(0)) / f64::from(u32::MAX)
}

/// Whether the same call may succeed later. A response that does not come from the platform, such
/// as a proxy's error page, counts as transient, and so does a call that is still running.
fn is_passing(error: &Error) -> bool {
    let is_running = error.code() == Some(&Code::IdempotencyInProgress);
    is_running || listen::may_answer_later(error)
}

#[cfg(test)]
mod tests {
    use svc_client::http::StatusCode;
    use svc_client::mock::Mock;
    use svc_client::types::api::messages::GetUnreadCount;

    use super::*;

    async fn ask(server: &Mock) -> Result<ClientResult<()>> {
        let client = server.builder().api_key("svc_ak_mock").retries(0).build().unwrap();
        retry(|| {
            let call = client.messages().unread_count();
            async move { call.await.map(|_| ()) }
        })
        .await
    }

    #[tokio::test]
    async fn transient_errors_are_retried_and_others_are_returned() {
        let server = Mock::start().await;
        server.on::<GetUnreadCount>().fails(Code::Internal).times(1);
        server.on::<GetUnreadCount>().drops().times(1);
        let rule = server.on::<GetUnreadCount>().fails(Code::NotFound);
        let refused = ask(&server).await.unwrap().unwrap_err();
        assert_eq!(refused.code(), Some(&Code::NotFound));
        assert_eq!(rule.received().len(), 1);
    }

    #[tokio::test]
    async fn responses_that_are_not_from_the_platform_are_retried() {
        let server = Mock::start().await;
        for (status, page) in [(StatusCode::OK, "<p>soon</p>"), (StatusCode::NOT_FOUND, "<p>?</p>")]
        {
            server.on::<GetUnreadCount>().sends(status, page).times(1);
        }
        server.on::<GetUnreadCount>().fails(Code::Forbidden);
        let refused = ask(&server).await.unwrap().unwrap_err();
        assert_eq!(refused.code(), Some(&Code::Forbidden));
    }

    #[tokio::test]
    async fn a_rejected_key_ends_the_retries() {
        let server = Mock::start().await;
        server.on::<GetUnreadCount>().fails(Code::Unauthorized);
        let ended = ask(&server).await.unwrap_err();
        assert!(matches!(ended, crate::Error::Client(Error::Unauthorized { .. })), "{ended:?}");
    }

    #[tokio::test]
    async fn a_change_waits_until_the_account_is_active() {
        let server = Mock::start().await;
        for code in [Code::AccountSuspended, Code::AccountPaused] {
            server.on::<GetUnreadCount>().fails(code).times(1);
        }
        server.on::<GetUnreadCount>().fails(Code::NotFound);
        let client = server.client();
        let call = || client.messages().unread_count().into_future();
        let refused = retry(call).await.unwrap().unwrap_err();
        assert_eq!(refused.code(), Some(&Code::AccountSuspended), "other calls do not wait");
        let refused = retry_until_active(call).await.unwrap().unwrap_err();
        assert_eq!(refused.code(), Some(&Code::NotFound));
    }

    #[test]
    fn pauses_have_jitter() {
        assert_eq!(with_jitter(PAUSE_MAX, 0.0), Duration::from_secs(45));
        assert_eq!(with_jitter(PAUSE_MAX, 1.0), PAUSE_MAX);
        let fractions: Vec<f64> = (0..20).map(|_| random_fraction()).collect();
        assert!(fractions.iter().all(|one| (0.0..=1.0).contains(one)), "{fractions:?}");
        assert!(fractions.iter().any(|one| (one - fractions[0]).abs() > 0.01), "{fractions:?}");
    }
}
