//! The retry table, row by row.

use std::time::Duration;

use svc_client::http::{HeaderValue, StatusCode, header::RETRY_AFTER};
use svc_client::mock::{Mock, On, Received, Rule};
use svc_client::types::api::messages::SendMessage;
use svc_client::types::api::posts::{DeletePost, EditPost, GetPost};
use svc_client::types::{Code, Endpoint};
use svc_client::{Error, Outcome, Result};

use crate::raw::{NOBODY, RawServer, gone_after_one};
use crate::{delivered, message, post_office};

const SECOND: Duration = Duration::from_secs(1);
const HALF: Duration = Duration::from_millis(500);

/// The outcome of one message whose first attempts met `trouble`.
pub(crate) struct Course {
    pub(crate) result: Result<u32>,
    pub(crate) received: Vec<Received<SendMessage>>,
    pub(crate) pauses: Vec<Duration>,
}

/// Sends a message; `trouble` says what happens to all attempts, or with `times` to the first.
pub(crate) async fn send(trouble: impl FnOnce(On<SendMessage>) -> Rule<SendMessage>) -> Course {
    let server = Mock::start().await;
    let first = trouble(server.on());
    let then = server.on::<SendMessage>().answers(delivered);
    let answer = server.client().messages().send("bob", "hello").raw().await;
    let mut received = first.received();
    received.extend(then.received());
    Course {
        result: answer.map(|answer| {
            assert_eq!(answer.value.message, message(7, "hello"));
            answer.attempts
        }),
        received,
        pauses: server.pauses(),
    }
}

/// Every attempt had the same key, a UUID of version 7, and the same bytes.
pub(crate) fn assert_same(received: &[Received<SendMessage>]) {
    let first = &received[0];
    let key = first.headers["idempotency-key"].to_str().unwrap();
    assert_eq!((key.len(), key.as_bytes()[14]), (36, b'7'), "{key}");
    for attempt in received {
        assert_eq!(attempt.headers["idempotency-key"], key);
        assert_eq!(attempt.body, first.body);
    }
}

#[tokio::test]
async fn a_request_whose_answer_was_lost_is_repeated_with_the_same_key_and_bytes() {
    let course = send(|on| on.drops().times(2)).await;
    assert_eq!(course.result.unwrap(), 3);
    assert_eq!(course.received.len(), 3);
    assert_eq!(course.pauses, [HALF, SECOND]);
    assert_same(&course.received);
}

#[tokio::test]
async fn after_two_retries_the_last_error_is_returned() {
    let course = send(On::drops).await;
    let error = course.result.unwrap_err();
    assert!(matches!(error, Error::Transport { .. }), "{error:?}");
    assert_eq!((error.attempts(), error.outcome()), (3, Outcome::Unknown));
    assert!(error.is_retryable());
    let key = course.received[0].headers["idempotency-key"].to_str();
    assert_eq!(error.idempotency_key(), key.ok());
    assert_eq!(course.pauses, [HALF, SECOND]);
}

#[tokio::test]
async fn an_answer_that_cannot_be_read_leaves_the_key_to_repeat_the_call_with() {
    let course = send(|on| on.sends(StatusCode::OK, "<html>").times(1)).await;
    let error = course.result.unwrap_err();
    assert!(matches!(error, Error::Decode { .. }), "{error:?}");
    assert_eq!((error.attempts(), error.outcome()), (1, Outcome::Unknown));
    let key = course.received[0].headers["idempotency-key"].to_str();
    assert_eq!(error.idempotency_key(), key.ok());
}

#[tokio::test]
async fn a_failing_server_is_retried() {
    for status in [408, 500, 502, 504] {
        let status = StatusCode::from_u16(status).unwrap();
        let course = send(|on| on.sends(status, "oops").times(2)).await;
        assert_eq!(course.result.unwrap(), 3, "{status}");
        assert_eq!(course.pauses, [HALF, SECOND], "{status}");
        assert_same(&course.received);
    }
}

#[tokio::test]
async fn retry_after_is_obeyed_up_to_max_retry_wait() {
    let cases = [
        (Code::RateLimited, 1),
        (Code::RateLimited, 60),
        (Code::Overloaded, 3),
        (Code::Internal, 4),
    ];
    for (code, seconds) in cases {
        let course = send(|on| on.fails(code.clone()).retry_after(seconds).times(1)).await;
        assert_eq!(course.result.unwrap(), 2, "{code}");
        assert_eq!(course.pauses, [Duration::from_secs(seconds)], "{code}");
        assert_same(&course.received);
    }
}

#[tokio::test]
async fn retry_after_may_be_a_date() {
    let date = HeaderValue::from_static("Sat, 31 Jan 2026 09:30:05 GMT");
    let course = send(|on| on.fails(Code::RateLimited).header(RETRY_AFTER, date).times(1)).await;
    assert_eq!(course.pauses, [Duration::from_secs(5)]);
    assert_eq!(course.result.unwrap(), 2);
}

#[tokio::test]
async fn a_longer_retry_after_is_an_error_at_once() {
    for code in [Code::RateLimited, Code::Overloaded, Code::Internal] {
        let course = send(|on| on.fails(code.clone()).retry_after(1800)).await;
        let error = course.result.unwrap_err();
        assert_eq!(error.retry_after(), Some(Duration::from_secs(1800)));
        assert_eq!((error.attempts(), course.pauses.len()), (1, 0), "{code}");
        assert!(error.is_retryable());
    }
}

#[tokio::test]
async fn max_retry_wait_can_be_set_per_call() {
    let server = post_office().await;
    let limited = server.on::<GetPost>().fails(Code::RateLimited).retry_after(5);
    let call = server.client().posts().get("post_1").max_retry_wait(Duration::from_secs(4));
    assert!(matches!(call.await, Err(Error::RateLimited { retry_after, .. })
        if retry_after == Duration::from_secs(5)));
    assert_eq!(limited.received().len(), 1);
}

#[tokio::test]
async fn without_retry_after_429_and_503_are_final() {
    for code in [Code::RateLimited, Code::FeatureNotConfigured, Code::StorageFull] {
        let course = send(|on| on.fails(code.clone())).await;
        let error = course.result.unwrap_err();
        assert_eq!((error.attempts(), error.outcome()), (1, Outcome::Refused), "{code}");
        assert_eq!(error.code(), Some(&code));
    }
}

#[tokio::test]
async fn a_request_with_an_unknown_outcome_is_repeated_with_the_same_key() {
    let course = send(|on| on.fails(Code::OutcomeUnknown).times(2)).await;
    assert_eq!(course.result.unwrap(), 3);
    assert_same(&course.received);
    let error = send(|on| on.fails(Code::OutcomeUnknown)).await.result.unwrap_err();
    assert!(matches!(error, Error::Unavailable { .. }));
    assert_eq!(error.outcome(), Outcome::Unknown);
}

#[tokio::test]
async fn a_request_in_progress_is_waited_for_until_the_call_is_over() {
    let busy = |on: On<SendMessage>| on.fails(Code::IdempotencyInProgress);
    let course = send(|on| busy(on).retry_after(1).times(9)).await;
    assert_eq!(course.result.unwrap(), 10);
    assert_eq!(course.pauses, [SECOND; 9]);
    assert_same(&course.received);

    let course = send(|on| busy(on).retry_after(1)).await;
    let error = course.result.unwrap_err();
    assert!(matches!(error, Error::Conflict { .. }));
    assert_eq!(error.attempts(), 120);
}

#[tokio::test]
async fn every_other_refusal_is_final() {
    for code in Code::ALL {
        let waits = [Code::RateLimited, Code::IdempotencyInProgress];
        if code.status().is_server_error() || waits.contains(code) {
            continue;
        }
        let course = send(|on| on.fails(code.clone()).retry_after(1)).await;
        let error = course.result.unwrap_err();
        assert_eq!((error.attempts(), error.outcome()), (1, Outcome::Refused), "{code}");
        assert_eq!((error.is_retryable(), course.pauses.len()), (false, 0), "{code}");
    }
}

#[tokio::test]
async fn get_patch_and_delete_are_repeated_without_a_key() {
    async fn check<E: Endpoint>(request: E) {
        let server = Mock::start().await;
        let dropped = server.on::<E>().drops();
        let error = server.client().send(&request).await.unwrap_err();
        assert_eq!(error.attempts(), 3, "{}", E::NAME);
        assert_eq!(dropped.received().len(), 3, "{}", E::NAME);
        for attempt in dropped.received() {
            assert_eq!(attempt.request, request);
            assert!(!attempt.headers.contains_key("idempotency-key"));
        }
    }
    let post_id = || "post_1".into();
    check(GetPost { post_id: post_id(), include: None }).await;
    check(DeletePost { post_id: post_id() }).await;
    check(EditPost {
        post_id: post_id(),
        content: Some("corrected".into()),
        content_warning: None,
        language: None,
        reply_policy: None,
    })
    .await;
}

#[tokio::test]
async fn a_failed_connection_is_tried_again_always() {
    let clock = Mock::start().await;
    let svc = clock.builder_at(NOBODY).api_key("svc_ak_1").build().unwrap();
    let sent = svc.messages().send("bob", "hello").await.unwrap_err();
    let registered = svc.auth().register_agent("bob").await.unwrap_err();
    let secret = svc.auth().regenerate_api_key().await.unwrap_err();
    for error in [sent, registered, secret] {
        assert!(matches!(error, Error::Transport { .. }), "{error:?}");
        assert_eq!((error.attempts(), error.outcome()), (3, Outcome::NotSent));
        assert!(error.is_retryable());
    }
    assert_eq!(clock.pauses(), [HALF, SECOND].repeat(3));
}

#[tokio::test]
async fn a_server_that_is_gone_after_a_lost_attempt_leaves_its_outcome_unknown() {
    let clock = Mock::start().await;
    let svc = clock.builder_at(gone_after_one().await).api_key("svc_ak_1").build().unwrap();
    let error = svc.messages().send("bob", "hello").await.unwrap_err();
    assert!(error.message().starts_with("could not connect"), "{error}");
    assert_eq!((error.attempts(), error.outcome()), (3, Outcome::Unknown));
}

#[tokio::test]
async fn a_cut_body_is_a_lost_answer() {
    let cut = "HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{\"status\":";
    let server = RawServer::start(cut).await;
    let clock = Mock::start().await;
    let svc = clock.builder_at(&server.url).build().unwrap();
    let error = svc.health().live().await.unwrap_err();
    assert!(matches!(error, Error::Transport { .. }), "{error:?}");
    assert_eq!((error.attempts(), server.connections()), (3, 3));
}

#[tokio::test]
async fn a_refusal_unrelated_to_a_lost_attempt_leaves_its_outcome_unknown() {
    for (code, outcome) in [
        (Code::Unauthorized, Outcome::Unknown),
        (Code::RateLimited, Outcome::Unknown),
        (Code::Overloaded, Outcome::Unknown),
        (Code::AccountSuspended, Outcome::Unknown),
        (Code::InsufficientScope, Outcome::Unknown),
        // It was judged in view of the key, so nothing happened under it.
        (Code::DmNotAllowed, Outcome::Refused),
    ] {
        let server = Mock::start().await;
        server.on::<SendMessage>().drops().times(1);
        server.on::<SendMessage>().fails(code.clone()).retry_after(3_600);
        let error = server.client().messages().send("bob", "hello").await.unwrap_err();
        assert_eq!((error.outcome(), error.attempts()), (outcome, 2), "{code}");
    }
}

#[tokio::test]
async fn a_refusal_after_a_lost_attempt_of_a_call_without_a_key_leaves_its_outcome_unknown() {
    let server = Mock::start().await;
    server.on::<DeletePost>().drops().times(1);
    server.on::<DeletePost>().fails(Code::NotFound);
    // The first attempt may have deleted it.
    let error = server.client().posts().delete("post_1").await.unwrap_err();
    assert_eq!((error.outcome(), error.attempts()), (Outcome::Unknown, 2));
    server.on::<GetPost>().drops().times(1);
    server.on::<GetPost>().fails(Code::NotFound);
    let error = server.client().posts().get("post_1").await.unwrap_err();
    assert_eq!((error.outcome(), error.attempts()), (Outcome::Refused, 2));
}

#[tokio::test]
async fn a_page_of_a_proxy_after_a_lost_attempt_leaves_its_outcome_unknown() {
    let server = Mock::start().await;
    server.on::<SendMessage>().drops().times(1);
    server.on::<SendMessage>().sends(StatusCode::NOT_FOUND, "<p>?</p>");
    let error = server.client().messages().send("bob", "hello").await.unwrap_err();
    assert_eq!((error.outcome(), error.attempts()), (Outcome::Unknown, 2));
}
