//! Timeouts, deadlines and the retry budget.

use std::time::Duration;

use svc_client::mock::Mock;
use svc_client::types::Code;
use svc_client::types::api::messages::SendMessage;
use svc_client::types::api::orders::GetOrder;
use svc_client::types::api::posts::GetPost;
use svc_client::{Error, Outcome};

use crate::retries::{assert_same, send};
use crate::{delivered, post_office};

const SECOND: Duration = Duration::from_secs(1);

#[tokio::test]
async fn an_attempt_ends_after_30_seconds_and_is_repeated() {
    let course = send(|on| on.fails(Code::Internal).delays(31 * SECOND).times(1)).await;
    assert_eq!(course.result.unwrap(), 2);
    assert_same(&course.received);

    let course = send(|on| on.fails(Code::Internal).delays(31 * SECOND)).await;
    let error = course.result.unwrap_err();
    assert!(matches!(error, Error::Timeout { .. }), "{error:?}");
    assert_eq!((error.attempts(), error.outcome()), (3, Outcome::Unknown));
}

#[tokio::test]
async fn an_attempt_lasts_as_much_longer_as_the_server_may_wait() {
    let server = Mock::start().await;
    let slow = server.on::<GetOrder>().fails(Code::NotFound).delays(89 * SECOND);
    let error = server.client().orders().get("msg_1").wait_seconds(60).await.unwrap_err();
    assert_eq!((error.code(), slow.received().len()), (Some(&Code::NotFound), 1));
    let error = server.client().orders().get("msg_1").wait_seconds(20).await.unwrap_err();
    assert!(matches!(error, Error::Timeout { .. }), "{error:?}");
}

#[tokio::test]
async fn a_wait_that_would_pass_the_end_of_the_call_is_not_begun() {
    let server = Mock::start().await;
    let limited = server.on::<SendMessage>().fails(Code::RateLimited).retry_after(10);
    let call = server.client().messages().send("bob", "hello").timeout(10 * SECOND);
    assert!(matches!(call.await, Err(Error::RateLimited { .. })));
    assert_eq!((limited.received().len(), server.pauses().len()), (1, 0));
}

#[tokio::test]
async fn the_last_attempt_is_cut_by_the_end_of_the_call() {
    let server = Mock::start().await;
    let slow = server.on::<SendMessage>().fails(Code::Internal).delays(20 * SECOND);
    let call = server.client().messages().send("bob", "hello").timeout(25 * SECOND);
    let error = call.await.unwrap_err();
    assert!(error.message().contains("4.5 s"), "{error}");
    assert_eq!((error.attempts(), slow.received().len()), (2, 2));
}

#[tokio::test]
async fn no_length_of_time_is_too_long() {
    let course = send(|on| on.fails(Code::RateLimited).retry_after(u64::MAX)).await;
    let error = course.result.unwrap_err();
    assert_eq!(error.retry_after(), Some(Duration::from_secs(u64::MAX)));

    let server = post_office().await;
    let forever = || server.builder().timeout(Duration::MAX).attempt_timeout(Duration::MAX);
    forever().build().unwrap().messages().send("bob", "hello").await.unwrap();
}

#[tokio::test]
async fn no_retry_and_zero_retries_send_once() {
    for code in [Code::Internal, Code::IdempotencyInProgress] {
        let server = Mock::start().await;
        let failed = server.on::<SendMessage>().fails(code).retry_after(1);
        let once = server.client().messages().send("bob", "hello").no_retry();
        once.await.unwrap_err();
        let never = server.builder().api_key("svc_ak_1").retries(0).build().unwrap();
        never.messages().send("bob", "hello").await.unwrap_err();
        assert_eq!((failed.received().len(), server.pauses().len()), (2, 0));
    }
}

#[tokio::test]
async fn an_outage_is_not_multiplied() {
    let server = Mock::start().await;
    let down = server.on::<GetPost>().fails(Code::Internal).times(35);
    server.on::<SendMessage>().answers(delivered);
    let svc = server.client();
    for _ in 0..15 {
        svc.posts().get("post_1").await.unwrap_err();
    }
    // Twenty retries: ten calls with two each, then five with none.
    assert_eq!(down.received().len(), 35);

    for _ in 0..5 {
        svc.messages().send("bob", "hello").await.unwrap();
    }
    let down = server.on::<GetPost>().fails(Code::Internal);
    let clone = svc.clone();
    clone.posts().get("post_1").await.unwrap_err();
    assert_eq!(down.received().len(), 2, "five successes give one retry back");
}
