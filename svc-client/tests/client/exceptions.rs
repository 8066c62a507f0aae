//! Calls that are not repeated once they may have reached the server.

use std::collections::HashSet;

use svc_client::Outcome;
use svc_client::http::header::COOKIE;
use svc_client::http::{HeaderMap, HeaderValue};
use svc_client::mock::{Mock, On};
use svc_client::types::api::agents::{CreateIdentityToken, NewIdentityToken};
use svc_client::types::api::auth::{Login, RegenerateApiKey, Register};
use svc_client::types::api::developers::RotateDeveloperKey;
use svc_client::types::api::messages::SendMessage;
use svc_client::types::api::owners::CreateClaimLink;
use svc_client::types::{Code, Endpoint};

use crate::delivered;
use crate::retries::assert_same;

#[tokio::test]
async fn requests_with_secret_answers_and_anonymous_posts_are_not_repeated() {
    async fn check<E: Endpoint>(request: E, hint: &str) {
        for trouble in [
            On::<E>::drops,
            |on: On<E>| on.fails(Code::Internal),
            |on: On<E>| on.fails(Code::OutcomeUnknown).retry_after(1),
        ] {
            let server = Mock::start().await;
            let received = trouble(server.on());
            let error = server.client().send(&request).await.unwrap_err();
            assert_eq!(received.received().len(), 1, "{}", E::NAME);
            assert_eq!((error.attempts(), error.outcome()), (1, Outcome::Unknown));
            assert!(error.hint().unwrap().contains(hint), "{:?}", error.hint());
            assert!(!error.is_retryable() && error.idempotency_key().is_none());
        }
    }
    check(RegenerateApiKey {}, "old key").await;
    check(CreateClaimLink {}, "create another link").await;
    // During an overlap the old key still reads the app, so a look at it says nothing.
    check(RotateDeveloperKey { overlap_seconds: None }, "rotate the key again").await;
    let username = Some("bob".into());
    let login = Login { username, email: None, password: "wrong".into(), code: None, proof: None };
    check(login, "sign in again").await;
}

#[tokio::test]
async fn a_registration_is_repeated_with_its_key() {
    let server = Mock::start().await;
    let lost = server.on::<Register>().drops().times(1);
    let taken = server.on::<Register>().fails(Code::UsernameTaken);
    let error = server.client().auth().register_agent("bob").await.unwrap_err();
    assert_eq!((error.code(), error.attempts()), (Some(&Code::UsernameTaken), 2));
    let attempts = lost.received().into_iter().chain(taken.received());
    let keys: HashSet<_> = attempts.map(|one| one.headers["idempotency-key"].clone()).collect();
    assert_eq!(keys.len(), 1);
}

#[tokio::test]
async fn a_post_without_a_key_of_ours_is_anonymous() {
    let server = Mock::start().await;
    let dropped = server.on::<SendMessage>().drops();
    let anonymous = server.builder().build().unwrap();
    let error = anonymous.messages().send("bob", "hello").await.unwrap_err();
    assert_eq!((error.attempts(), dropped.received().len()), (1, 1));
}

#[tokio::test]
async fn a_post_of_a_session_is_repeated_with_its_key() {
    let server = Mock::start().await;
    let lost = server.on::<SendMessage>().drops().times(1);
    let sent = server.on::<SendMessage>().answers(delivered);
    let anonymous = server.builder().build().unwrap();
    let call = anonymous.messages().send("bob", "hello");
    call.header(COOKIE, HeaderValue::from_static("svc_session=1")).await.unwrap();
    let attempts: Vec<_> = lost.received().into_iter().chain(sent.received()).collect();
    assert_eq!(attempts.len(), 2);
    assert_same(&attempts);
}

#[tokio::test]
async fn a_client_with_a_session_repeats_its_posts_and_signs_those_of_the_account() {
    let server = Mock::start().await;
    let lost = server.on::<SendMessage>().drops().times(1);
    let sent = server.on::<SendMessage>().answers(delivered);
    let public = server.on::<Register>().fails(Code::UsernameTaken);
    let session = HeaderMap::from_iter([(COOKIE, HeaderValue::from_static("svc_session=1"))]);
    let svc = server.builder().account_headers(session).build().unwrap();
    svc.messages().send("bob", "hello").await.unwrap();
    let attempts: Vec<_> = lost.received().into_iter().chain(sent.received()).collect();
    assert_eq!(attempts.len(), 2);
    assert_same(&attempts);
    assert!(attempts.iter().all(|one| one.headers[COOKIE] == "svc_session=1"));
    svc.auth().register_agent("bob").await.unwrap_err();
    assert!(!public.received()[0].headers.contains_key(COOKIE));
}

#[tokio::test]
async fn an_identity_token_is_requested_again_with_a_new_key() {
    let server = Mock::start().await;
    let lost = server.on::<CreateIdentityToken>().drops().times(2);
    let made = server.on::<CreateIdentityToken>().answers(|_| NewIdentityToken {
        token: "svc_id_1".into(),
        expires_at: svc_client::types::Timestamp::from_millis(1),
        audience: None,
    });
    server.client().agents().create_identity_token().await.unwrap();
    let attempts = lost.received().into_iter().chain(made.received());
    let keys: HashSet<_> = attempts.map(|one| one.headers["idempotency-key"].clone()).collect();
    assert_eq!(keys.len(), 3);
}
