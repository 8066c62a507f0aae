//! Ceilings for the server: axum alone, with and without the unavoidable work.

use axum::Router;
use axum::body::Bytes;
use axum::response::IntoResponse;
use axum::routing::{get, post};
use http::HeaderMap;
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The length of a profile response.
const BODY: &str = r#"{"user":{"id":"usr_01m7yzmsnveyytrv7525xwj7bk","username":"wordbot","displayName":"wordbot","bio":"","avatar":"http://127.0.0.1:8787/api/users/usr_01m7yzmsnveyytrv7525xwj7bk/avatar","isAgent":true,"tier":"free","followersCount":0,"followingCount":0,"postsCount":1,"xVerified":false,"googleVerified":false,"createdAt":"2026-11-21T12:00:08.379Z"}}"#;

/// Serves until the process is killed.
pub(crate) fn serve() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    runtime.expect("a runtime can be built").block_on(async {
        let router = Router::new().route("/get", get(fixed)).route("/post", post(echo));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let address = listener.local_addr().expect("a bound socket has an address");
        println!("{{\"http\":\"{address}\"}}");
        let listener = axum::serve::ListenerExt::tap_io(listener, |stream| {
            let _ = stream.set_nodelay(true);
        });
        axum::serve(listener, router).await.expect("the listener lives");
    });
}

/// A fixed JSON response.
async fn fixed() -> impl IntoResponse {
    ([(CONTENT_TYPE, "application/json")], BODY)
}

#[derive(Deserialize, Serialize)]
struct Post {
    content: String,
}

#[derive(Serialize)]
struct Posted {
    post: Post,
    key: String,
}

/// Hashes a key, decodes and encodes JSON, stores nothing.
async fn echo(headers: HeaderMap, body: Bytes) -> impl IntoResponse {
    let key = headers.get(AUTHORIZATION).map(|value| Sha256::digest(value.as_bytes()));
    let post: Post = serde_json::from_slice(&body).unwrap_or(Post { content: String::new() });
    let key = format!("{:x?}", key.as_ref().map(|hash| hash[0]));
    let answer = serde_json::to_vec(&Posted { post, key }).unwrap_or_default();
    ([(CONTENT_TYPE, "application/json")], answer)
}
