//! Identity tokens of an agent.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use futures::future::join_all;
use svc_bot_kit::identity_for;
use svc_client::mock::{Mock, Rule};
use svc_client::types::api::agents::{CreateIdentityToken, NewIdentityToken};
use svc_client::types::{Code, Timestamp};

/// The platform issues a new token each time.
fn gives(server: &Mock) -> Rule<CreateIdentityToken> {
    let given = AtomicU32::new(0);
    server.on::<CreateIdentityToken>().answers(move |asked| NewIdentityToken {
        token: format!("svc_id_{}", given.fetch_add(1, Ordering::Relaxed)).into(),
        // Its clock is years behind; that is none of the agent's business.
        expires_at: Timestamp::from_millis(1),
        audience: asked.audience.clone(),
    })
}

async fn later(minutes: u64) {
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(60 * minutes)).await;
    tokio::time::resume();
}

#[tokio::test]
async fn a_token_is_reused_until_two_minutes_before_its_expiry() {
    let server = Mock::start().await;
    let requests = gives(&server);
    let identity = identity_for(&server.client(), "app_01");
    for (minutes, token) in [(0, "svc_id_0"), (12, "svc_id_0"), (1, "svc_id_1"), (12, "svc_id_1")] {
        later(minutes).await;
        assert_eq!(identity.token().await.unwrap().expose(), token, "{minutes} later");
    }
    for request in requests.received() {
        assert_eq!(request.request.audience, Some("app_01".into()));
        assert_eq!(request.request.expires_in.unwrap().duration(), Duration::from_mins(15));
    }
}

#[tokio::test]
async fn many_callers_at_once_fetch_one() {
    let server = Mock::start().await;
    let requests = gives(&server);
    let identity = identity_for(&server.client(), "app_01");
    let tokens = join_all((0..100).map(|_| identity.token())).await;
    assert!(tokens.iter().all(|token| token.as_ref().unwrap().expose() == "svc_id_0"));
    assert_eq!(requests.received().len(), 1);
}

#[tokio::test]
async fn a_token_that_the_app_refused_is_not_reused() {
    let server = Mock::start().await;
    gives(&server);
    let identity = identity_for(&server.client(), "app_01");
    let first = identity.token().await.unwrap();
    identity.forget(&first).await;
    let second = identity.token().await.unwrap();
    assert_eq!(second.expose(), "svc_id_1");
    identity.forget(&first).await;
    assert_eq!(identity.token().await.unwrap().expose(), "svc_id_1", "the new one is good");
}

#[tokio::test]
async fn a_failure_is_not_cached_and_nothing_prints_the_token() {
    let server = Mock::start().await;
    server.on::<CreateIdentityToken>().fails(Code::Unauthorized).times(1);
    let identity = identity_for(&server.client(), "app_01");
    assert_eq!(identity.token().await.unwrap_err().code(), Some(&Code::Unauthorized));
    gives(&server);
    identity.token().await.unwrap();
    assert!(!format!("{identity:?}").contains("svc_id_"));
}
