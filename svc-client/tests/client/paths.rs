//! Where a request, and so a key, may go.

use svc_client::http::{HeaderValue, Method, StatusCode, header::LOCATION};
use svc_client::mock::Mock;
use svc_client::types::api::users::GetUser;
use svc_client::{Client, Error, Outcome};

use crate::raw::RawServer;

#[tokio::test]
async fn a_redirect_is_refused_with_no_second_request() {
    for status in [301, 302, 303, 307, 308] {
        let target = RawServer::start("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").await;
        let server = Mock::start().await;
        let status = StatusCode::from_u16(status).unwrap();
        let rule = server.on::<GetUser>().sends(status, "");
        let rule = rule.header(LOCATION, HeaderValue::from_str(&target.url).unwrap());
        let error = server.client().users().get("bob").await.unwrap_err();
        assert!(matches!(error, Error::Config { .. }), "{error:?}");
        assert!(error.message().contains(&target.url), "{error}");
        assert_eq!((rule.received().len(), target.connections()), (1, 0));
    }
}

#[tokio::test]
async fn path_tricks_are_refused_before_sending() {
    let server = Mock::start().await;
    let svc = server.client();
    for name in ["", ".", ".."] {
        let error = svc.users().get(name).await.unwrap_err();
        assert!(matches!(error, Error::Invalid { .. }), "{name:?}");
        assert_eq!((error.field(), error.outcome()), (Some("username"), Outcome::NotSent));
    }
    let tricks = [
        "",
        "users",
        "@evil.example/",
        "//evil.example/..",
        "/a/../b",
        "/a/%2e%2e/b",
        "/a/%2E./b",
        "/./a",
        "/a\\..\\b",
        "/a?b=c",
        "/a#b",
        "/a b",
        "/ä",
        "/a\nb",
        "/..",
        "/%2e",
    ];
    for path in tricks {
        let error = svc.request(Method::GET, path).send::<()>().await.unwrap_err();
        assert!(matches!(error, Error::Invalid { .. }), "{path:?}: {error:?}");
        assert_eq!((error.attempts(), error.outcome()), (0, Outcome::NotSent), "{path:?}");
    }
}

#[tokio::test]
async fn odd_names_are_sent_as_one_segment() {
    let server = Mock::start().await;
    let rule = server.on::<GetUser>().fails(svc_client::types::Code::NotFound);
    for name in ["a/b", "../me", "a?b", "a#b", "a%2fb", "ä ö", "...", "a;b"] {
        server.client().users().get(name).await.unwrap_err();
        assert_eq!(rule.received().last().unwrap().request.username.as_str(), name);
    }
}

#[test]
fn plain_http_is_for_this_machine_only() {
    let local = ["http://localhost:1/api", "http://127.1.2.3/api", "http://[::1]:8/api/"];
    for url in local.into_iter().chain(["https://svc.example/api", "https://a.example/x/api/"]) {
        Client::builder(url).build().unwrap();
    }
    for url in
        ["http://svc.example/api", "http://localhost.evil.example/api", "http://10.0.0.1/api"]
    {
        let error = Client::builder(url).build().unwrap_err();
        assert!(matches!(error, Error::Config { .. }), "{url}");
        Client::builder(url).allow_plain_http(true).build().unwrap();
    }
}

#[test]
fn a_base_url_out_of_form_is_refused() {
    let wrong = [
        "",
        "svc.example/api",
        "https://svc.example/api/v1",
        "https://svc.example/api/api",
        "ftp://a/api",
        "https://ada:pw@svc.example/api",
        "https://svc.example/api?x=1",
        "https://svc.example/api#x",
        "https://svc.example?x=1",
    ];
    for url in wrong {
        let error = Client::builder(url).build().unwrap_err();
        assert!(matches!(error, Error::Config { .. }), "{url}");
    }
}

#[tokio::test]
async fn a_server_is_the_same_with_and_without_api() {
    let server = Mock::start().await;
    let rule = server.on::<GetUser>().fails(svc_client::types::Code::NotFound);
    let root = server.url().strip_suffix("/api").unwrap().to_owned();
    for (count, end) in ["", "/", "/api", "/api/"].into_iter().enumerate() {
        let svc = Client::builder(format!("{root}{end}")).build().unwrap();
        svc.users().get("ada").await.unwrap_err();
        assert_eq!(rule.received().len(), count + 1, "{end}");
    }
    for (url, base) in [
        ("http://api", "http://api/api"),
        ("https://a.example/notapi", "https://a.example/notapi/api"),
        ("https://a.example/x/api//", "https://a.example/x/api"),
    ] {
        assert_eq!(svc_client::base_url(url), base);
    }
}
