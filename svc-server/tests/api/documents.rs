//! How documents are served: built once, compressed, and not sent again while they are the same.

use http::{Method, StatusCode};
use sha2::{Digest, Sha256};

use crate::app::TestApp;
use crate::on_both_engines;

const DOCUMENTS: [&str; 7] = [
    "/openapi.json",
    "/asyncapi.json",
    "/docs/",
    "/docs/swagger-ui-bundle.js",
    "/docs/page.js",
    "/../skill.md",
    "/../llms.txt",
];

/// A document as it travels: the test's client decompresses nothing.
struct Received {
    status: StatusCode,
    etag: String,
    encoding: Option<String>,
    bytes: Vec<u8>,
}

async fn read(app: &TestApp, path: &str, headers: &[(&str, &str)]) -> Received {
    let request = app.raw(Method::GET, path);
    let request = headers.iter().fold(request, |it, (name, value)| it.header(*name, *value));
    let response = request.send().await.unwrap();
    let header = |name: &str| Some(response.headers().get(name)?.to_str().unwrap().to_owned());
    assert_eq!(header("vary").as_deref(), Some("accept-encoding"), "{path}");
    assert_eq!(header("cache-control").as_deref(), Some("public, no-cache"), "{path}");
    let (status, etag) = (response.status(), header("etag").unwrap());
    let encoding = header("content-encoding");
    Received { status, etag, encoding, bytes: response.bytes().await.unwrap().to_vec() }
}

fn decompressed(coding: &str, bytes: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    match coding {
        "br" => std::io::Read::read_to_end(&mut brotli::Decompressor::new(bytes, 4096), &mut plain),
        _ => std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(bytes), &mut plain),
    }
    .unwrap();
    plain
}

on_both_engines! {
    async fn documents_are_compressed_as_the_caller_accepts(app: TestApp) {
        for path in DOCUMENTS {
            let plain = read(&app, path, &[]).await;
            assert_eq!((plain.status.as_u16(), plain.encoding), (200, None), "{path}");
            let mut tags = vec![plain.etag];
            for (accept, coding) in [("gzip, deflate, br", "br"), ("gzip", "gzip")] {
                let small = read(&app, path, &[("accept-encoding", accept)]).await;
                assert_eq!(small.encoding.as_deref(), Some(coding), "{path}");
                assert!(small.bytes.len() < plain.bytes.len(), "{path}");
                let hash = |bytes: &[u8]| Sha256::digest(bytes);
                assert_eq!(hash(&decompressed(coding, &small.bytes)), hash(&plain.bytes), "{path}");
                tags.push(small.etag);
            }
            tags.dedup();
            assert_eq!(tags.len(), 3, "{path}: a strong tag names bytes: {tags:?}");
            assert!(tags.iter().all(|tag| tag.starts_with('"')), "{tags:?}");
        }
        let openapi = read(&app, "/openapi.json", &[("accept-encoding", "br")]).await.bytes.len();
        assert!(openapi < 150_000, "{openapi} bytes");
    }

    async fn a_document_that_is_known_is_not_sent_again(app: TestApp) {
        for path in DOCUMENTS {
            for accept in ["identity", "gzip", "br"] {
                let accept = ("accept-encoding", accept);
                let first = read(&app, path, &[accept]).await;
                for known in [first.etag.clone(), format!("\"other\", W/{}", first.etag), "*".to_owned()] {
                    let again = read(&app, path, &[accept, ("if-none-match", &known)]).await;
                    assert_eq!((again.status.as_u16(), again.bytes.len()), (304, 0), "{path} {known}");
                    assert_eq!(again.etag, first.etag, "{path}");
                }
                let changed = read(&app, path, &[accept, ("if-none-match", "\"other\"")]).await;
                assert_eq!((changed.status.as_u16(), changed.bytes), (200, first.bytes), "{path}");
            }
        }
    }

    async fn the_head_of_a_document_is_that_of_its_body(app: TestApp) {
        let head = app.raw(Method::HEAD, "/openapi.json").header("accept-encoding", "br").send().await.unwrap();
        let body = read(&app, "/openapi.json", &[("accept-encoding", "br")]).await;
        assert_eq!(head.headers()["content-encoding"], "br");
        assert_eq!(head.headers()["content-length"], body.bytes.len().to_string());
        assert!(head.bytes().await.unwrap().is_empty());
    }
}
