//! What is logged about calls.

use svc_client::http::header::SET_COOKIE;
use svc_client::http::{HeaderValue, Method};
use svc_client::mock::Mock;
use svc_client::types::Code;
use svc_client::types::api::users::GetMe;

use crate::logs;

#[tokio::test]
async fn concurrent_calls_are_distinguished_in_logs() {
    logs::start();
    let server = Mock::start().await;
    server.on::<GetMe>().fails(Code::NotFound);
    let svc = server.client();
    let (one, other) = tokio::join!(svc.users().me(), svc.users().me());
    assert!(one.is_err() && other.is_err());
    let text = logs::text();
    let calls = |event: &str| {
        let mut calls: Vec<String> = text
            .lines()
            .filter(|line| line.contains(event))
            .map(|line| line[line.find("call{").unwrap()..=line.find('}').unwrap()].to_owned())
            .collect();
        calls.sort();
        calls
    };
    let requests = calls(": request ");
    assert_eq!(requests, calls(": answer "));
    assert_ne!(requests[0], requests[1]);
    assert!(requests[0].ends_with("method=GET path=\"/api/users/me\"}"), "{requests:?}");
}

#[tokio::test]
async fn a_download_is_logged_as_a_call_is() {
    logs::start();
    let server = Mock::start().await;
    let cookie = HeaderValue::from_static("svc_session=planted-cookie");
    server.on::<GetMe>().fails(Code::NotFound).header(SET_COOKIE, cookie);
    let svc = server.client();
    let error = svc.request(Method::GET, "/users/me").download().await.unwrap_err();
    assert_eq!(error.code(), Some(&Code::NotFound));
    let text = logs::text();
    let lines = |event: &str| text.lines().filter(|line| line.contains(event)).count();
    assert_eq!((lines(": request "), lines(": answer ")), (1, 1), "{text}");
    assert!(text.contains("path=\"/api/users/me\"") && text.contains("status=404"), "{text}");
    assert!(!text.contains("planted"), "{text}");
}
