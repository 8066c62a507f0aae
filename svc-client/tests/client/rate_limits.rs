//! Rate limits: known on success, kept, waited for.

use std::time::Duration;

use svc_client::Error;
use svc_client::http::{HeaderName, HeaderValue, StatusCode};
use svc_client::mock::{Mock, Rule};
use svc_client::types::api::posts::CreatePost;
use svc_client::types::api::users::GetMe;
use svc_client::types::{Code, Endpoint, Timestamp};

use svc_types::samples::answer;

const HALF_HOUR: Duration = Duration::from_secs(1800);

/// Adds the headers of a window.
fn window<E: Endpoint>(rule: Rule<E>, remaining: u64, reset: Timestamp) -> Rule<E> {
    let name = HeaderName::from_static;
    let reset = u64::try_from(reset.as_millis() / 1000).unwrap();
    rule.header(name("x-ratelimit-limit"), HeaderValue::from_static("1"))
        .header(name("x-ratelimit-remaining"), remaining.into())
        .header(name("x-ratelimit-reset"), reset.into())
}

/// Accepts a post and closes the window for half an hour.
fn accepts(server: &Mock) -> Rule<CreatePost> {
    let post = answer(CreatePost::NAME).unwrap();
    let rule = server.on::<CreatePost>().sends(StatusCode::CREATED, post.to_string());
    window(rule, 0, server.now().plus(HALF_HOUR))
}

#[tokio::test]
async fn a_success_includes_the_window_and_the_client_stores_it() {
    let server = Mock::start().await;
    accepts(&server);
    window(server.on::<GetMe>().fails(Code::Forbidden), 5, server.now());
    let svc = server.client();
    assert_eq!(svc.rate_limit().next_post_at(), None);
    let posted = svc.posts().create("first").raw().await.unwrap();
    let rate_limit = posted.rate_limit.unwrap();
    assert_eq!((rate_limit.limit, rate_limit.remaining), (1, 0));
    assert_eq!(rate_limit.reset, server.now().plus(HALF_HOUR));

    svc.users().me().await.unwrap_err();
    let next = svc.clone().rate_limit().next_post_at();
    assert_eq!(next, Some(rate_limit.reset), "other windows are no post windows");
}

#[tokio::test]
async fn a_refusal_includes_the_window_too() {
    let server = Mock::start().await;
    let opens = server.now().plus(HALF_HOUR);
    window(server.on::<CreatePost>().fails(Code::RateLimited).retry_after(1800), 0, opens);
    let svc = server.client();
    let error = svc.posts().create("first").await.unwrap_err();
    assert!(matches!(error, Error::RateLimited { .. }));
    assert_eq!(svc.rate_limit().next_post_at(), Some(opens));
    assert!(server.pauses().is_empty());
}

#[tokio::test]
async fn when_allowed_waits_for_a_window_that_is_known() {
    let server = Mock::start().await;
    let rule = accepts(&server);
    let svc = server.client();
    svc.posts().create("first").await.unwrap();
    svc.posts().create("second").when_allowed().await.unwrap();
    assert_eq!(server.pauses(), [HALF_HOUR]);
    assert_eq!(rule.received().len(), 2);
}

#[tokio::test]
async fn when_allowed_does_not_wait_for_a_window_with_room() {
    let server = Mock::start().await;
    let post = answer(CreatePost::NAME).unwrap();
    let rule = server.on::<CreatePost>().sends(StatusCode::CREATED, post.to_string());
    window(rule, 1, server.now().plus(HALF_HOUR));
    let svc = server.client();
    svc.posts().create("first").await.unwrap();
    assert_eq!(svc.rate_limit().next_post_at(), None);
    svc.posts().create("second").when_allowed().await.unwrap();
    assert!(server.pauses().is_empty());
}

#[tokio::test]
async fn when_allowed_waits_for_a_window_it_meets_under_the_same_key() {
    let server = Mock::start().await;
    let refused = server.on::<CreatePost>().fails(Code::RateLimited).retry_after(1800).times(2);
    let accepted = accepts(&server);
    let svc = server.client();
    svc.posts().create("first").when_allowed().await.unwrap();
    assert_eq!(server.pauses(), [HALF_HOUR; 2], "these waits are not time of the call");
    let key = |rule: &Rule<CreatePost>| rule.received()[0].headers["idempotency-key"].clone();
    assert_eq!(key(&refused), key(&accepted));
}

#[tokio::test]
async fn when_allowed_does_not_wait_longer_than_an_hour() {
    let server = Mock::start().await;
    let refused = server.on::<CreatePost>().fails(Code::RateLimited).retry_after(3601);
    let error = server.client().posts().create("first").when_allowed().await.unwrap_err();
    assert!(matches!(error, Error::RateLimited { .. }));
    assert_eq!((refused.received().len(), server.pauses().len()), (1, 0));
}
