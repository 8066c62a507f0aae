//! Repeats calls while that may help.

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

use svc_client::types::Code;
use svc_client::{Error, Result as Answered};

use crate::error::Result;
use crate::listen;

/// The first pause between two attempts; doubled after each.
const PAUSE_MIN: Duration = Duration::from_millis(500);
/// The longest pause of our own choice.
const PAUSE_MAX: Duration = Duration::from_secs(60);

/// Repeats a call while that may help. Fails when the platform does not know the key any more.
pub(super) async fn persistently<T, F>(mut call: impl FnMut() -> F) -> Result<Answered<T>>
where
    F: Future<Output = Answered<T>>,
{
    let mut pause = PAUSE_MIN;
    loop {
        match call().await {
            Err(error @ Error::Unauthorized { .. }) => return Err(error.into()),
            Err(error) if is_passing(&error) => {
                tracing::warn!(%error, "tried again soon");
                let asked = error.retry_after().unwrap_or_default();
                tokio::time::sleep(asked.max(about(pause, chance()))).await;
                pause = (pause * 2).min(PAUSE_MAX);
            }
            answered => return Ok(answered),
        }
    }
}

/// Three quarters of a pause to the whole of it, so that bots that lost the platform at the same
/// moment do not come back at the same moment.
pub(super) fn about(pause: Duration, chance: f64) -> Duration {
    pause.mul_f64(0.75 + 0.25 * chance)
}

/// A number from 0 to 1.
pub(super) fn chance() -> f64 {
    // Each state has keys of its own, which come from the operating system's chance.
    let hash = RandomState::new().hash_one(0);
    f64::from(u32::try_from(hash >> 32).unwrap_or_default()) / f64::from(u32::MAX)
}

/// Whether the same call may succeed later. What is no answer of the platform, but of something in
/// its place, decides nothing.
fn is_passing(error: &Error) -> bool {
    let is_running = error.code() == Some(&Code::IdempotencyInProgress);
    is_running || matches!(error, Error::Decode { .. }) || listen::is_passing(error)
}

#[cfg(test)]
mod tests {
    use svc_client::http::StatusCode;
    use svc_client::mock::Mock;
    use svc_client::types::api::messages::GetUnreadCount;

    use super::*;

    async fn ask(server: &Mock) -> Result<Answered<()>> {
        let client = server.builder().api_key("svc_ak_mock").retries(0).build().unwrap();
        let call = || {
            let call = client.messages().unread_count();
            async move { call.await.map(|_| ()) }
        };
        persistently(call).await
    }

    #[tokio::test]
    async fn what_is_passing_is_waited_for_and_what_is_not_is_told() {
        let server = Mock::start().await;
        server.on::<GetUnreadCount>().fails(Code::Internal).times(1);
        server.on::<GetUnreadCount>().drops().times(1);
        let rule = server.on::<GetUnreadCount>().fails(Code::NotFound);
        let refused = ask(&server).await.unwrap().unwrap_err();
        assert_eq!(refused.code(), Some(&Code::NotFound));
        assert_eq!(rule.received().len(), 1);
    }

    #[tokio::test]
    async fn who_answers_in_the_place_of_the_platform_decides_nothing() {
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
    async fn a_key_that_is_refused_ends_it() {
        let server = Mock::start().await;
        server.on::<GetUnreadCount>().fails(Code::Unauthorized);
        let ended = ask(&server).await.unwrap_err();
        assert!(matches!(ended, crate::Error::Client(Error::Unauthorized { .. })), "{ended:?}");
    }

    #[test]
    fn pauses_of_two_bots_are_not_the_same() {
        assert_eq!(about(PAUSE_MAX, 0.0), Duration::from_secs(45));
        assert_eq!(about(PAUSE_MAX, 1.0), PAUSE_MAX);
        let chances: Vec<f64> = (0..20).map(|_| chance()).collect();
        assert!(chances.iter().all(|one| (0.0..=1.0).contains(one)), "{chances:?}");
        assert!(chances.iter().any(|one| (one - chances[0]).abs() > 0.01), "{chances:?}");
    }
}
