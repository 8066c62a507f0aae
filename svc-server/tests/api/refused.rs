//! Refusals reach clients that send everything before they read.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use http::Method;
use svc_client::types::{Code, ErrorBody};
use svc_server::testing::{in_time, until};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream as Connection;
use tokio::time::timeout;

use crate::app::TestApp;
use crate::on_both_engines;
use crate::raw::answer;

/// Sends bytes as most clients do, all of them before reading the response; the whole answer.
async fn send(app: &TestApp, bytes: Vec<u8>) -> String {
    let address = app.server.url().replace("http://", "").replace("/api", "");
    let sending = tokio::task::spawn_blocking(move || {
        let mut stream = TcpStream::connect(&address).unwrap();
        stream.write_all(&bytes).unwrap();
        let mut received = String::new();
        stream.read_to_string(&mut received).unwrap();
        received
    });
    sending.await.unwrap()
}

/// A connection to the server.
async fn open(app: &TestApp) -> Connection {
    let address = app.server.url().replace("http://", "").replace("/api", "");
    Connection::connect(address).await.unwrap()
}

/// Whether the server answers on a connection, and does not close it.
async fn answers(connection: &mut Connection) -> bool {
    // It may be closed already.
    let _ = connection.write_all(b"GET /api/health/live HTTP/1.1\r\nHost: a\r\n\r\n").await;
    let mut part = [0; 64];
    let read = in_time("an answer, or the end", connection.read(&mut part)).await;
    read.is_ok_and(|length| length > 0)
}

/// A request whose head has these lines.
fn head(lines: &str) -> Vec<u8> {
    format!("GET /api/health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n{lines}\r\n").into_bytes()
}

fn status(received: &str) -> &str {
    received.strip_prefix("HTTP/1.1 ").and_then(|rest| rest.get(..3)).unwrap_or(received)
}

on_both_engines! {
    async fn a_client_that_sends_a_huge_body_receives_the_refusal(app: TestApp) {
        let ada = app.agent("ada").await;
        let length = 10 * 1024 * 1024;
        let key = ada.key.expose();
        for lines in [
            format!("Authorization: Bearer {key}\r\nContent-Type: application/json\r\n"),
            format!("Authorization: Bearer {key}\r\nContent-Type: text/plain\r\n"),
            "Content-Type: application/json\r\n".to_owned(),
        ] {
            let mut request = format!(
                "POST /api/posts HTTP/1.1\r\nHost: a\r\nConnection: close\r\n{lines}Content-Length: {length}\r\n\r\n"
            ).into_bytes();
            request.resize(request.len() + length, b' ');
            let received = send(&app, request).await;
            assert_eq!(status(&received), "413", "{received}");
            assert!(received.contains("payload_too_large"), "{received}");
        }
    }

    async fn a_client_that_sends_an_invalid_head_receives_the_refusal(app: TestApp) {
        for (lines, expected) in [
            ("no colon\r\n".to_owned(), "400"),
            ("name with blanks: a\r\n".to_owned(), "400"),
            ((0..200).map(|n| format!("x-{n}: 1\r\n")).collect::<Vec<_>>().concat(), "431"),
        ] {
            assert_eq!(status(&send(&app, head(&lines)).await), expected, "{lines}");
        }
        for (line, expected) in [
            (format!("GET /{} HTTP/1.1", "a".repeat(70_000)), "414"),
            ("GET / HTTP/9.9".to_owned(), "400"),
            ("GET".to_owned(), "400"),
        ] {
            let request = format!("{line}\r\nHost: a\r\n\r\n").into_bytes();
            assert_eq!(status(&send(&app, request).await), expected, "{line:.20}");
        }
        let endless = [head("x: "), vec![b'a'; 900_000]].concat();
        assert_eq!(status(&send(&app, endless).await), "431");
    }

    async fn what_can_not_be_read_is_refused_with_a_body(app: TestApp) {
        let long = format!("GET /api/health?{} HTTP/1.1\r\nHost: a\r\n\r\n", "a".repeat(70_000)).into_bytes();
        for (request, expected) in [
            (head("no colon\r\n"), "400"),
            (long, "414"),
            (head(&(0..200).map(|n| format!("x-{n}: 1\r\n")).collect::<Vec<_>>().concat()), "431"),
        ] {
            let received = send(&app, request).await;
            assert_eq!(status(&received), expected, "{received}");
            let (_, body) = received.split_once("\r\n\r\n").unwrap();
            let body: ErrorBody = serde_json::from_str(body).unwrap();
            assert_eq!(body.code, Code::ValidationFailed);
            assert!(!body.error.is_empty() && received.contains("content-type: application/json\r\n"), "{received}");
        }
    }

    async fn a_request_whose_body_does_not_arrive_changed_nothing(
        app: TestApp, "limits.request_timeout" = "1s"
    ) {
        let ada = app.agent("ada").await;
        let mut slow = open(&app).await;
        let request = format!(
            "POST /api/posts HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {}\r\n\
             Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{{",
            ada.key.expose()
        );
        slow.write_all(request.as_bytes()).await.unwrap();
        let mut received = String::new();
        while !received.contains('}') {
            let mut part = [0; 1024];
            let length = in_time("an answer", slow.read(&mut part)).await.unwrap();
            assert!(length > 0, "{received}");
            received.push_str(std::str::from_utf8(&part[..length]).unwrap());
        }
        assert_eq!(status(&received), "503", "{received}");
        let (_, body) = received.split_once("\r\n\r\n").unwrap();
        let body: ErrorBody = serde_json::from_str(body).unwrap();
        assert_eq!((body.code, &*body.error), (Code::Overloaded, "the body did not arrive in time, so nothing was changed"));
    }

    async fn a_client_that_does_not_finish_its_head_is_disconnected(
        app: TestApp, "limits.head_timeout" = "1s"
    ) {
        let mut slow = open(&app).await;
        slow.write_all(b"GET /api/health HTTP/1.1\r\nHost: ").await.unwrap();
        // By itself the library would wait for half a minute.
        let mut received = Vec::new();
        let ended = timeout(Duration::from_secs(15), slow.read_to_end(&mut received)).await;
        assert!(ended.is_ok(), "it is disconnected");
    }

    async fn connections_beyond_the_limit_are_closed(app: TestApp, "limits.connections" = "2") {
        let mut others = [open(&app).await, open(&app).await];
        for other in &mut others {
            assert!(answers(other).await);
        }
        assert!(!answers(&mut open(&app).await).await, "there is no room");
        drop(others);
        until("there is room again", async || answers(&mut open(&app).await).await).await;
    }

    async fn a_server_behind_tls_requires_https(
        app: TestApp, "public_url" = "https://svc.example.org"
    ) {
        for path in ["/health", "/nothing", "/users/me", "/openapi.json", "/../", "/../login"] {
            let received = answer(app.raw(Method::GET, path)).await;
            assert_eq!(received.header("strict-transport-security"), Some("max-age=63072000"), "{path}");
        }
    }

    async fn a_server_without_tls_sends_no_hsts(app: TestApp) {
        let received = answer(app.raw(Method::GET, "/health")).await;
        assert_eq!(received.header("strict-transport-security"), None);
    }
}
