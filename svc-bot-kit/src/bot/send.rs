//! Sends what is decided until the platform takes or refuses it.

use std::time::Duration;

use serde_json::Value;
use svc_client::http::{HeaderValue, Method};
use svc_client::types::Code;
use svc_client::types::api::messages::Message;
use svc_client::{Error, Result as Answered};

use super::answer;
use super::shared::Shared;
use crate::clock::now;
use crate::error::Result;
use crate::journal::{Call, NewCall};
use crate::listen;

/// The first pause between two attempts; doubled after each.
const PAUSE_MIN: Duration = Duration::from_millis(500);
/// The longest pause of our own choice.
const PAUSE_MAX: Duration = Duration::from_secs(60);

/// Sends the calls of a job, one after the other.
pub(super) async fn send(shared: &Shared, job: &str) -> Result<()> {
    while let Some(call) = shared.journal.next_call(job).await? {
        shared.crash.point("a call waits").await;
        let answered = persistently(|| post(shared, &call)).await?;
        shared.crash.point("a call is sent").await;
        let (outcome, instead) = match answered {
            Ok(()) => ("sent".to_owned(), Vec::new()),
            Err(error) => {
                tracing::warn!(job, key = call.key, %error, "the platform refuses a call");
                let instead = in_place_of(shared, job, &call, &error).await?;
                (error.code().map_or("refused", Code::as_str).to_owned(), instead)
            }
        };
        shared.journal.close_call(call.id, &outcome, instead, now()).await?;
        shared.crash.point("a call is closed").await;
    }
    Ok(())
}

async fn post(shared: &Shared, call: &Call) -> Answered<()> {
    let request = shared.client.request(Method::POST, &*call.path).idempotency_key(&*call.key);
    let json = HeaderValue::from_static("application/json");
    // It was taken when it is the platform that says so; what it says is not needed.
    request.bytes(json, call.body.clone()).send::<Value>().await.map(|_| ())
}

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
                tokio::time::sleep(pause.max(asked)).await;
                pause = (pause * 2).min(PAUSE_MAX);
            }
            answered => return Ok(answered),
        }
    }
}

/// Whether the same call may succeed later. What is no answer of the platform, but of something in
/// its place, decides nothing.
fn is_passing(error: &Error) -> bool {
    let is_running = error.code() == Some(&Code::IdempotencyInProgress);
    is_running || matches!(error, Error::Decode { .. }) || listen::is_passing(error)
}

/// What is sent in place of a refused call: an order that is still open must have an answer.
async fn in_place_of(
    shared: &Shared,
    job: &str,
    call: &Call,
    error: &Error,
) -> Result<Vec<NewCall>> {
    let is_over = matches!(
        error.code(),
        Some(Code::RequestClosed | Code::RequestNotFound | Code::IdempotencyConflict)
    );
    if is_over || !answer::is_replaceable(job, &call.key) {
        return Ok(Vec::new());
    }
    let Some(job) = shared.journal.job(job).await? else { return Ok(Vec::new()) };
    let Ok(message) = serde_json::from_str::<Message>(&job.event) else { return Ok(Vec::new()) };
    Ok(answer::unsendable(&message, job.escrow.as_ref()))
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
}
