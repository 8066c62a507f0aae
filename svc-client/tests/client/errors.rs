//! Which error each answer becomes.

use std::time::Duration;

use svc_client::http::{HeaderName, HeaderValue, Method, StatusCode};
use svc_client::mock::Mock;
use svc_client::types::Code;
use svc_client::types::api::health::GetLive;
use svc_client::types::api::messages::GetUnreadCount;
use svc_client::types::api::users::GetMe;
use svc_client::{Error, Outcome};

use crate::raw::{NOBODY, RawServer};

/// The variant as a word.
fn variant(error: &Error) -> &'static str {
    match error {
        Error::RateLimited { .. } => "RateLimited",
        Error::Unauthorized { .. } => "Unauthorized",
        Error::Forbidden { .. } => "Forbidden",
        Error::NotFound { .. } => "NotFound",
        Error::Conflict { .. } => "Conflict",
        Error::Invalid { .. } => "Invalid",
        Error::Server { .. } => "Server",
        Error::Unavailable { .. } => "Unavailable",
        Error::Timeout { .. } => "Timeout",
        _ => "another",
    }
}

const STATUSES: [(u16, &str); 16] = [
    (400, "Invalid"),
    (401, "Unauthorized"),
    (402, "Invalid"),
    (403, "Forbidden"),
    (404, "NotFound"),
    (405, "Invalid"),
    (408, "Timeout"),
    (409, "Conflict"),
    (413, "Invalid"),
    (415, "Invalid"),
    (429, "RateLimited"),
    (500, "Server"),
    (501, "Server"),
    (502, "Server"),
    (503, "Unavailable"),
    (504, "Server"),
];

const OURS: &str = r#"{"error":"no such account","code":"not_found","field":"username",
    "hint":"svc users list","requestId":"r-7"}"#;

async fn answered(status: u16, body: &str) -> Error {
    let server = Mock::start().await;
    let status = StatusCode::from_u16(status).unwrap();
    server.on::<GetMe>().sends(status, body);
    server.client().users().me().no_retry().await.unwrap_err()
}

#[tokio::test]
async fn the_platforms_body_yields_every_detail() {
    for (status, expected) in STATUSES {
        let error = answered(status, OURS).await;
        assert_eq!(variant(&error), expected, "{status}");
        assert_eq!(error.status().map(|status| status.as_u16()), Some(status));
        assert_eq!(error.code(), Some(&Code::NotFound));
        assert_eq!(error.message(), "no such account");
        assert_eq!((error.field(), error.hint()), (Some("username"), Some("svc users list")));
        assert_eq!(error.attempts(), 1);
        // The header, which the mock sets, wins over the body.
        assert_eq!(error.request_id(), Some("mock"));
        let (address, path) = (error.address().unwrap(), error.path().unwrap());
        assert_eq!((error.method(), path), (Some(&Method::GET), "/api/users/me"));
        let facts = format!("{status} not_found, GET {address}{path}, request mock");
        assert_eq!(error.to_string(), format!("no such account ({facts})"));
    }
}

#[tokio::test]
async fn an_unexpected_body_yields_the_variant_of_its_status_and_200_bytes() {
    let html = format!("<html>\u{1b}[2J{}", "x".repeat(500));
    for (status, expected) in STATUSES {
        for body in [r#"{"message":"teapot"}"#, "[]", "null", &html, ""] {
            let error = answered(status, body).await;
            assert_eq!((variant(&error), error.code()), (expected, None), "{status} {body}");
            assert!(error.message().len() < 300 && !error.message().contains('\u{1b}'));
        }
    }
    let error = answered(502, &html).await;
    assert!(error.message().contains("<html>"), "{error}");
}

#[tokio::test]
async fn a_cut_refusal_still_has_its_variant() {
    for (status, expected) in STATUSES {
        let cut = format!("HTTP/1.1 {status} X\r\ncontent-length: 999\r\n\r\n{{\"error\":\"no");
        let server = RawServer::start(cut).await;
        let clock = Mock::start().await;
        let svc = clock.builder_at(&server.url).build().unwrap();
        let error = svc.health().live().no_retry().await.unwrap_err();
        assert_eq!(variant(&error), expected, "{status}");
    }
}

#[tokio::test]
async fn a_broken_connection_names_where_to_and_why() {
    let clock = Mock::start().await;
    let svc = clock.builder_at(NOBODY).build().unwrap();
    let error = svc.search().posts("private text").no_retry().await.unwrap_err();
    assert_eq!(error.message(), "could not connect to 127.0.0.1:1: connection refused");
    let place = format!("(GET {NOBODY}/search)");
    assert!(error.to_string().ends_with(&place), "{error}");
    assert!(!format!("{error} {error:?}").contains("private"), "{error:?}");
}

#[tokio::test]
async fn a_wrong_success_is_a_decode_error_with_its_path() {
    let cases = [
        ("<html>", ".", "not of the expected form"),
        ("", ".", "cut off"),
        (r#"{"status":7}"#, "status", "not of the expected form"),
        ("{}", ".", "missing field `status`"),
        (r#"{"status":"o"#, "status", "cut off"),
    ];
    for (body, at, rule) in cases {
        let server = Mock::start().await;
        server.on::<GetLive>().sends(StatusCode::OK, body);
        let error = server.client().health().live().await.unwrap_err();
        assert!(error.message().contains(rule), "{body}: {error}");
        assert_eq!((error.attempts(), error.outcome()), (1, Outcome::Unknown));
        assert_eq!(error.request_id(), Some("mock"));
        assert!(matches!(error, Error::Decode { path, .. } if path == at), "{body}");
    }
}

#[tokio::test]
async fn a_decode_error_names_the_rule_and_not_the_value() {
    let server = Mock::start().await;
    let wrong = r#"{"unread":{"conversations":1,"messages":"private text"}}"#;
    server.on::<GetUnreadCount>().sends(StatusCode::OK, wrong);
    let error = server.client().messages().unread_count().await.unwrap_err();
    assert!(error.message().ends_with("unread.messages must be i64"), "{error}");
}

#[tokio::test]
async fn unknown_members_and_words_are_no_error() {
    let server = Mock::start().await;
    server.on::<GetLive>().sends(StatusCode::OK, r#"{"status":"dancing","more":[1]}"#);
    let alive = server.client().health().live().await.unwrap();
    assert_eq!(alive.status.as_str(), "dancing");
    server.on::<GetMe>().sends(StatusCode::CONFLICT, OURS.replace("not_found", "brand_new"));
    let error = server.client().users().me().await.unwrap_err();
    assert_eq!(error.code().map(Code::as_str), Some("brand_new"));
}

#[tokio::test]
async fn too_large_an_answer_is_cut_off() {
    let mut answer = b"HTTP/1.1 200 OK\r\n\r\n\"".to_vec();
    answer.resize(65 * 1024 * 1024, b'x');
    let server = RawServer::start(answer).await;
    let clock = Mock::start().await;
    let svc = clock.builder_at(&server.url).build().unwrap();
    let error = svc.health().live().await.unwrap_err();
    assert!(error.message().contains("larger than 67108864 bytes"), "{error}");
    assert_eq!(server.connections(), 1);
}

#[tokio::test]
async fn a_rate_limit_has_its_numbers() {
    let server = Mock::start().await;
    let rule = server.on::<GetMe>().fails(Code::RateLimited).retry_after(1800);
    let header = |name| HeaderName::from_static(name);
    let number = HeaderValue::from_static;
    rule.header(header("x-ratelimit-limit"), number("1"))
        .header(header("x-ratelimit-remaining"), number("0"))
        .header(header("x-ratelimit-reset"), number("1769853600"));
    let error = server.client().users().me().await.unwrap_err();
    let Error::RateLimited { retry_after, limit, remaining, reset, .. } = error else {
        panic!("{error:?}");
    };
    assert_eq!((retry_after, limit, remaining), (Duration::from_secs(1800), Some(1), Some(0)));
    assert_eq!(reset.unwrap().to_string(), "2026-01-31T10:00:00.000Z");
}
